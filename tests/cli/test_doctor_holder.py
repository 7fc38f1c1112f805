"""What `doctor` says of who holds the store, of what lies around it, and what it costs to ask."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import time
from contextlib import closing
from datetime import datetime, timedelta

import pytest
from tests.cli.test_doctor import KEY, ROOT, begun, everything, examined, worse
from tests.daemons import none_left, wait_until
from tests.given import NOON

from aftermind.cli.examining.around import failures
from aftermind.cli.examining.spooled import spent
from aftermind.cli.main import COMMANDS
from aftermind.cli.reaching.starting import spawned
from aftermind.engine.store import spool


@pytest.fixture
def store(cli, place):
    return begun(cli, place)


def test_a_log_whose_maker_was_killed_before_its_first_event_is_one_not_begun(cli, place):
    (place / "store").mkdir(mode=0o700)
    with closing(sqlite3.connect(place / "store" / "log.db")) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
    (place / "store" / "log.db").chmod(0o600)
    status, found = examined(cli)
    assert (status, found["log"]["level"], found["log"]["found"]) == (0, "note", "there is none yet")
    assert cli("remember", "Something").status == 0


def test_a_log_that_lost_its_end_is_found_by_what_the_views_have_seen(cli, store, place):
    shutil.copy(store / "log.db", place / "older.db")
    assert cli("remember", "The last thing").status == 0
    assert cli("search", "last thing").status == 0
    shutil.copy(place / "older.db", store / "log.db")
    status, found = examined(cli)
    assert (status, found["log"]["level"]) == (1, "fault")
    assert "its end is missing" in found["log"]["found"]


@pytest.mark.parametrize("left", ["", "empty"])
def test_a_log_that_was_lost_is_found_by_the_views_that_grew_from_it(cli, store, left):
    (store / "log.db").unlink()
    if left:
        (store / "log.db").touch(mode=0o600)
    _, found = examined(cli)
    assert found["log"]["level"] == "fault"
    assert "missing or empty, but views were built from it" in found["log"]["found"]
    assert "`aftermind reset`" in found["log"]["mend"]


def test_deleted_views_are_a_note_and_grow_back(cli, store):
    for path in store.glob("views*"):
        path.unlink()
    status, found = examined(cli)
    assert (status, found["views"]["level"]) == (0, "note")
    assert not list(store.glob("views*"))
    assert cli("stats").status == 0
    assert examined(cli)[1]["views"]["level"] == "ok"


def test_views_whose_file_is_gone_or_damaged_are_built_anew_by_the_command_that_is_named(cli, store):
    (store / "views-1.db").unlink()
    _, found = examined(cli)
    assert (found["views"]["level"], "is gone" in found["views"]["found"]) == ("note", True)
    assert cli("stats").status == 0
    (views,) = store.glob("views-*.db")
    views.write_bytes(b"no database" * 1000)
    _, found = examined(cli)
    assert worse(found) == {"views": "warning"}
    assert "`aftermind stats`" in found["views"]["mend"]
    assert cli("stats").status == 0
    assert examined(cli)[1]["views"]["level"] == "ok"


def test_damage_deep_in_the_views_is_found_by_verify(cli, store):
    views = store / "views-1.db"
    with closing(sqlite3.connect(views)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'question'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(views.read_bytes())
    content[size * (page - 1) : size * page] = b"\xff" * size
    views.write_bytes(content)
    assert examined(cli)[1]["views"]["level"] == "ok"
    _, found = examined(cli, "--verify")
    assert worse(found) == {"views": "warning"}
    assert str(store / "views.current") in found["views"]["mend"]
    (store / "views.current").unlink()
    assert cli("stats").status == 0
    assert worse(examined(cli, "--verify")[1]) == {}


def test_views_of_another_version_are_a_note(cli, store):
    with closing(sqlite3.connect(store / "views-1.db")) as connection:
        connection.execute("UPDATE checkpoint SET catalog = 'older'")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    _, found = examined(cli)
    assert (found["views"]["level"], "another version" in found["views"]["found"]) == ("note", True)


def test_views_that_are_behind_catch_up_by_themselves(cli, store):
    with closing(sqlite3.connect(store / "views-1.db")) as connection:
        connection.execute("UPDATE checkpoint SET position = 2")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    _, found = examined(cli)
    assert (found["views"]["level"], "2 positions behind" in found["views"]["found"]) == ("ok", True)


def test_a_spooled_file_nobody_understands_is_named_once_it_is_set_aside(cli, store):
    spool.write(store, KEY, b"this is no request")
    status, found = examined(cli)
    assert (status, found["spool"]["level"]) == (0, "note")
    assert found["spool"]["values"]["waiting"] == 1
    assert cli("stats").status == 0
    status, found = examined(cli)
    assert (status, worse(found)) == (1, {"spool": "warning"})
    assert found["spool"]["values"]["broken"] == [f"{KEY}.json"]
    assert f"spool/broken/{KEY}.json" in found["spool"]["found"]
    assert str(store / "spool" / "broken") in found["spool"]["mend"]


def test_what_waits_too_long_in_the_spool_is_a_warning(cli, store):
    spool.write(store, KEY, b"{}")
    long_ago = time.time() - 2 * 3600
    os.utime(store / "spool" / f"{KEY}.json", (long_ago, long_ago))
    _, found = examined(cli)
    assert worse(found) == {"spool": "warning"}
    assert "1 request waiting, the oldest for 2 hours" in found["spool"]["found"]
    assert "`aftermind start`" in found["spool"]["mend"]


def test_what_was_half_written_into_the_spool_is_named(cli, store):
    (store / "spool").mkdir(mode=0o700)
    half = store / "spool" / f"{KEY}.part"
    half.touch(mode=0o600)
    assert examined(cli)[1]["spool"]["level"] == "ok", "somebody may be at it"
    os.utime(half, (0, 0))
    assert half.name in examined(cli)[1]["spool"]["found"]


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.4, "0 seconds"), (1, "1 second"), (90, "1 minute"), (7200, "2 hours"), (90_000, "1 day")]
)
def test_a_stretch_of_time_is_told_in_the_unit_that_suits_it(seconds, said):
    assert spent(seconds) == said


# --- around it ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[ranking]\nlimit = 'many'\n", "ranking.limit must be a whole number"),
        ("[ranking]\nlimt = 3\n", "there is no key 'ranking.limt'"),
        ("[ranking\n", "is not TOML"),
        ("home = 3\n", "home must be a folder"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_a_finding_and_the_rest_is_examined(cli, store, place, text, said):
    (place / "config.toml").write_text(text)
    status, found = examined(cli)
    assert (status, worse(found)) == (1, {"configuration": "fault"})
    assert said in found["configuration"]["found"]
    assert found["configuration"]["mend"]
    assert found["log"]["level"] == "ok"


def test_the_store_is_found_in_a_configuration_that_is_otherwise_wrong(cli, store, place, monkeypatch):
    monkeypatch.delenv("AFTERMIND_HOME")
    (place / "config.toml").write_text(f"home = '{store}'\nwrong = 1\n")
    assert cli("doctor", "--json").json["folder"] == str(store)


def test_a_wrong_word_in_the_environment_is_a_finding(cli, store, monkeypatch):
    monkeypatch.setenv("AFTERMIND_RANKING_LIMIT", "many")
    _, found = examined(cli)
    assert "`unset AFTERMIND_RANKING_LIMIT`" in found["configuration"]["mend"]


def test_what_failed_and_what_broke_lately_is_counted_and_what_was_long_ago_is_not():
    at = NOON.isoformat(timespec="milliseconds")
    before = (NOON - timedelta(days=2)).isoformat()
    lines = [
        f'{{"at": "{at}", "failed": "NotFound", "event": "show"}}',
        f'{{"at": "{at}", "failed": "NotFound", "event": "show"}}',
        f'{{"at": "{at}", "broke": "KeyError", "places": "x", "event": "recall"}}',
        f'{{"at": "{at}", "error": "…", "event": "conversation-broke"}}',
        f'{{"at": "{before}", "failed": "DiskFull", "event": "record"}}',
        f'{{"at": "{at}", "answered": 3, "failed": 2, "event": "stopped"}}',
        f'{{"at": "{at}", "bytes": 3, "event": "brief"}}',
        '{"at": "yesterday", "failed": "NotFound"}',
        '{"at": 3, "failed": "NotFound"',
        '["failed"]',
    ]
    broke, failed = failures([line.encode() for line in lines] + [b'\xff "failed"'], NOON - timedelta(days=1))
    assert broke == {"KeyError": 1, "conversation-broke": 1}
    assert failed == {"NotFound": 2}


def test_the_log_of_the_daemon_is_read_also_where_it_was_rotated(cli, store):
    logs = store / "logs"
    logs.mkdir(mode=0o700)
    at = datetime.now().astimezone().isoformat()
    for name, kind in (("daemon.log.1", "NotFound"), ("daemon.log", "NotFound")):
        (logs / name).touch(mode=0o600)
        (logs / name).write_text(f'{{"at": "{at}", "failed": "{kind}", "event": "show"}}\n')
    _, found = examined(cli)
    assert (found["logs"]["level"], found["logs"]["values"]["failed"]) == ("note", 2)
    many = [f'{{"at": "{at}", "failed": "Kind{n}", "event": "show"}}\n' for n in range(7) for _ in range(8 - n)]
    (logs / "daemon.log").write_text("".join(many))
    _, found = examined(cli)
    assert found["logs"]["found"].endswith(
        "36 failed or were refused: Kind0 8, Kind1 7, Kind2 6, Kind3 5, Kind4 4, others 6"
    )
    (logs / "daemon.log").write_text(f'{{"at": "{at}", "failed": "DiskFull", "event": "record"}}\n')
    assert worse(examined(cli)[1]) == {"logs": "warning"}


def test_the_last_words_of_a_daemon_that_could_not_start_are_told(cli, store):
    content = (store / "log.db").read_bytes()
    (store / "log.db").write_bytes(b"no database" * 1000)
    assert spawned(store).wait(30) != 0
    _, found = examined(cli)
    assert worse(found) == {"log": "fault", "daemon.out": "warning"}
    assert "is damaged" in found["daemon.out"]["found"]
    (store / "log.db").write_bytes(content)
    with none_left(store):
        assert cli("start").status == 0
        assert worse(examined(cli)[1]) == {}


def test_a_hook_of_another_version_is_told_and_restart_replaces_it(cli, store):
    (store / "bin").mkdir(mode=0o700)
    (store / "bin" / "hook.py").write_text("print('an older one')")
    _, found = examined(cli)
    assert worse(found) == {"clients": "warning"}
    with none_left(store):
        assert cli("restart").status == 0
        wait_until(lambda: examined(cli)[1]["clients"]["level"] == "ok", "it is replaced")


def test_without_a_model_doctor_says_what_works_all_the_same(cli):
    assert cli("config", "set", "model.name", "none").status == 0
    assert "recalled by their words" in examined(cli)[1]["model"]["found"]


# --- whatever is broken ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["lock", "log.db", "log.db-wal", "views.current", "views-1.db", "run", "spool", "logs", "logs/daemon.log", "bin"],
)
@pytest.mark.parametrize("form", ["folder", "file", "bytes", "link"])
def test_whatever_stands_in_a_files_place_doctor_says_something_and_changes_nothing(cli, store, name, form):
    path = store / name
    path.parent.mkdir(exist_ok=True)
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    match form:
        case "folder":
            path.mkdir()
        case "file":
            path.touch(mode=0o600)
        case "bytes":
            path.write_bytes(bytes(range(256)) * 40)
        case "link":
            path.symlink_to(store / "nowhere")
    before = {name: facts for name, facts in everything(store).items() if not name.endswith("-shm")}
    for words in ((), ("--verify",)):
        status, found = examined(cli, *words)
        assert status in (0, 1)
        assert "model" in found
        assert all(one["mend"] for one in found.values() if one["level"] in ("warning", "fault"))
    assert {name: facts for name, facts in everything(store).items() if not name.endswith("-shm")} == before
    assert cli("doctor").status == status


def test_what_cannot_be_examined_is_a_finding_by_its_name(cli, place, monkeypatch):
    monkeypatch.setenv("AFTERMIND_HOME", "~nobody-of-this-name/store")
    status, found = examined(cli)
    assert (status, found["folder"]["level"]) == (1, "fault")
    assert "RuntimeError" in found["folder"]["found"]


def test_every_command_that_is_said_to_mend_something_exists():
    known = {name for name, _ in COMMANDS}
    named = {
        word
        for path in [*(ROOT / "cli" / "examining").glob("*.py"), *(ROOT / "cli" / "commands").glob("reset.py")]
        for word in re.findall(r"`aftermind (\w+)", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 5
    assert named <= known
