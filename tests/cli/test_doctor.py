"""doctor: every kind of damage is found and named with what mends it; nothing is ever changed; it never breaks."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.daemons import daemon, none_left, wait_until
from tests.given import NOON

from aftermind.cli.examining.around import failures
from aftermind.cli.examining.folder import space_found
from aftermind.cli.examining.holder import version_found
from aftermind.cli.examining.spooled import spent
from aftermind.cli.main import COMMANDS
from aftermind.cli.starting import spawned
from aftermind.engine import spool

ROOT = Path(__file__).parents[2]
KEY = "0197f0000000" + "a" * 20


@pytest.fixture
def store(cli, place):
    """A healthy store with a little in it."""
    for text in ("We deploy with make deploy", "Staging listens on port 8081", "The xylophone is out of tune"):
        assert cli("remember", text).status == 0
    return place / "store"


def examined(cli, *words):
    """Exit code and findings by what was looked at."""
    ran = cli("doctor", "--json", *words)
    assert ran.err == ""
    told = ran.json
    assert ran.status == (1 if told["worst"] in ("warning", "fault") else 0)
    assert len({one["looked_at"] for one in told["findings"]}) == len(told["findings"])
    return ran.status, {one["looked_at"]: one for one in told["findings"]}


def worse(found):
    """What is worse than a note, by its level."""
    return {name: one["level"] for name, one in found.items() if one["level"] in ("warning", "fault")}


def everything(folder):
    """Every file and folder with its facts and its bytes."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(folder.rglob("*"))
    }


def mended(finding):
    """Runs the shell command that mends it."""
    (command,) = re.findall(r"`([^`]+)`", finding["mend"])
    subprocess.run(command.removeprefix("sudo "), shell=True, check=True)


# --- nothing is wrong -----------------------------------------------------------------------------------------


def test_without_a_store_nothing_is_wrong_and_nothing_is_made(cli, place):
    status, found = examined(cli)
    assert status == 0
    assert found["folder"]["found"] == f"there is no store in {place / 'store'} yet"
    assert "aftermind remember" in found["folder"]["mend"]
    assert set(found) == {"configuration", "folder", "disk", "model"}
    assert not (place / "store").exists()
    (place / "store").mkdir()
    status, found = examined(cli)
    assert (status, found["folder"]["level"]) == (0, "note")
    assert list((place / "store").iterdir()) == []


def test_a_healthy_store_has_nothing_to_mend_and_is_left_as_it_was(cli, store):
    before = everything(store)
    for words in ((), ("--verify",)):
        status, found = examined(cli, *words)
        assert (status, worse(found)) == (0, {})
        assert {name for name, one in found.items() if one["level"] == "note"} == {"clients", "model"}
    assert found["log"]["values"]["events"] == 4
    assert everything(store) == before
    said = cli("doctor").out
    assert said.startswith("LEVEL  LOOKED AT      FOUND")
    assert said.endswith("\nNothing needs mending.\n")


def test_a_store_with_a_running_daemon_is_healthy_and_its_process_is_named(cli, store):
    with daemon(store) as resident:
        wait_until((store / "bin" / "hook.py").exists, "the hook is copied")
        status, found = examined(cli)
        assert (status, worse(found)) == (0, {})
        for name in ("lock", "socket"):
            assert found[name]["values"]["pid"] == resident.pid
        assert found["lock"]["values"]["role"] == found["socket"]["values"]["holder"] == "daemon"
        assert found["socket"]["values"]["phase"] == "open"
        assert found["version"]["level"] == found["clients"]["level"] == "ok"
        assert resident.poll() is None
        assert cli("remember", "Another thing").status == 0
        status, found = examined(cli, "--verify")
        assert (status, found["log"]["values"]["events"]) == (0, 5)


def test_the_store_that_is_examined_is_the_one_that_is_named(cli, store, place):
    assert cli("doctor", "--json", "--home", str(place / "other")).json["folder"] == str(place / "other")
    assert not (place / "other").exists()


# --- the folder -----------------------------------------------------------------------------------------------


def test_a_folder_open_to_others_is_closed_by_the_command_that_is_named(cli, store):
    store.chmod(0o755)
    _, found = examined(cli)
    assert worse(found) == {"folder": "warning"}
    mended(found["folder"])
    assert examined(cli)[0] == 0


def test_files_open_to_others_are_named_and_closed_by_the_command_that_is_named(cli, store):
    (store / "log.db").chmod(0o644)
    (store / "run").chmod(0o755)
    _, found = examined(cli)
    assert worse(found) == {"permissions": "warning"}
    assert found["permissions"]["values"]["open_to_others"] == ["log.db", "run"]
    mended(found["permissions"])
    assert examined(cli)[0] == 0


def test_a_file_its_own_owner_cannot_write_is_a_fault(cli, store):
    (store / "log.db").chmod(0o400)
    _, found = examined(cli)
    assert found["permissions"]["level"] == "fault"
    mended(found["permissions"])
    assert examined(cli)[0] == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_files_and_folders_of_another_user_are_faults(cli, store):
    os.chown(store / "log.db", 12345, 12345)
    _, found = examined(cli)
    assert worse(found) == {"permissions": "fault"}
    assert found["permissions"]["values"]["anothers"] == ["log.db"]
    mended(found["permissions"])
    assert examined(cli)[0] == 0
    os.chown(store, 12345, 12345)
    _, found = examined(cli)
    assert found["folder"]["level"] == "fault"
    assert "belongs to the user 12345" in found["folder"]["found"]


def test_a_folder_that_cannot_be_a_store_is_named_with_the_reason(cli, place):
    (place / "file").write_text("mine")
    assert "it is not a folder" in examined(cli, "--home", str(place / "file"))[1]["folder"]["found"]
    (place / "link").symlink_to(place / "nowhere")
    assert "is a link" in examined(cli, "--home", str(place / "link"))[1]["folder"]["found"]
    status, found = examined(cli, "--home", str(place))
    assert (status, worse(found)) == (1, {"folder": "warning"})
    assert "holds no store and is not empty" in found["folder"]["found"]
    assert not (place / "lock").exists()


@pytest.mark.parametrize(("free", "level"), [(10**9, "ok"), (150 * 10**6, "warning"), (10**6, "fault"), (0, "fault")])
def test_a_disk_that_is_nearly_full_is_told_before_a_write_fails(free, level):
    found = space_found(free=free, total=10**12)
    assert (found.level, found.values["free"], bool(found.mend)) == (level, free, level != "ok")


# --- who holds it ---------------------------------------------------------------------------------------------


def test_a_daemon_that_hangs_is_found_and_restart_mends_it(cli, store):
    with none_left(store), daemon(store) as hung:
        wait_until(lambda: cli("status").status == 0, "it answers")
        os.kill(hung.pid, signal.SIGSTOP)
        began = time.monotonic()
        status, found = examined(cli)
        assert time.monotonic() - began < 10
        assert status == 1
        assert worse(found) == {"lock": "fault", "socket": "fault"}
        for name in ("lock", "socket"):
            assert found[name]["values"]["pid"] == hung.pid
            assert found[name]["mend"] == "`aftermind restart`"
        assert "stopped by a signal" in found["lock"]["found"]
        assert hung.poll() is None, "doctor signals nobody"
        assert cli("restart").status == 0
        assert worse(examined(cli)[1]) == {}


def test_what_a_killed_daemon_left_is_in_nobodys_way_and_stays(cli, store):
    with daemon(store) as dead:
        wait_until(lambda: cli("remember", "One more").status == 0, "it answers")
        dead.kill()
    before = everything(store)
    assert {"run/socket", "log.db-wal"} <= set(before)
    status, found = examined(cli, "--verify")
    assert (status, worse(found)) == (0, {})
    assert found["socket"]["level"] == found["lock"]["level"] == "note"
    assert str(dead.pid) in found["lock"]["found"]
    assert found["log"]["values"]["head"] == 5, "what only the WAL holds is read, too"
    after = everything(store)
    assert {name: facts for name, facts in after.items() if not name.endswith("-shm")} == {
        name: facts for name, facts in before.items() if not name.endswith("-shm")
    }, "an index of a WAL is no part of a store, and made anew by whoever reads it"
    assert set(after) == set(before)


def test_a_holder_that_shows_no_life_is_a_warning(cli, store):
    script = (
        "import sys, time; from pathlib import Path; from aftermind.engine.lock import take\n"
        "take(Path(sys.argv[1])).sign('program'); print('held', flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(store)], stdout=subprocess.PIPE) as holder:
        try:
            assert holder.stdout.readline() == b"held\n"
            status, found = examined(cli)
            assert (status, worse(found)) == (1, {"socket": "warning"})
            assert f"process {holder.pid}" in found["socket"]["found"]
            long_ago = time.time() - 3600
            os.utime(store / "lock", (long_ago, long_ago))
            assert worse(examined(cli)[1]) == {"lock": "warning", "socket": "warning"}
        finally:
            holder.kill()


def test_a_program_that_was_stopped_in_the_middle_is_named_with_the_command_that_lets_it_go_on(cli, store):
    script = (
        "import anyio, aftermind, sys\n"
        "async def hold():\n"
        "    async with aftermind.open_memory():\n"
        "        print('held', flush=True)\n"
        "        await anyio.to_thread.run_sync(sys.stdin.read)\n"
        "anyio.run(hold)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdout.readline() == b"held\n"
        assert worse(examined(cli)[1]) == {}
        os.kill(program.pid, signal.SIGSTOP)
        try:
            _, found = examined(cli)
            assert worse(found) == {"lock": "fault", "socket": "fault"}
            mended(found["lock"])
            assert worse(examined(cli)[1]) == {}
        finally:
            os.kill(program.pid, signal.SIGCONT)
        program.communicate()


def test_a_store_another_kernel_writes_is_a_warning(cli, store):
    (store / "lock").write_text("17 daemon 00000000-another-kernel aftermind")
    _, found = examined(cli)
    assert worse(found) == {"lock": "warning"}
    assert "another machine" in found["lock"]["found"]
    assert (store / "lock").read_text().startswith("17 daemon")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_socket_of_another_user_is_a_fault(cli, store):
    for folder in (store, *store.parents[:3]):
        folder.chmod(0o777)
    (store / "run").chmod(0o777)
    script = (
        "import socket, sys, time; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen()\n"
        "print('up', flush=True); time.sleep(60)\n"
    )
    command = ["/usr/bin/env", "python3", "-c", script, str(store / "run" / "socket")]
    with subprocess.Popen(command, user=12345, stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout.readline() == b"up\n"
            _, found = examined(cli)
            assert found["socket"]["level"] == "fault"
            assert "another user's" in found["socket"]["found"]
        finally:
            other.kill()


@pytest.mark.parametrize(
    ("theirs", "ours", "level", "mend"),
    [
        ("0.1.0", "0.1.0", "ok", ""),
        ("0.1.0", "0.2.0", "warning", "`aftermind restart`"),
        ("0.9.0", "0.10.0", "warning", "`aftermind restart`"),
        ("0.2.0", "0.1.0", "warning", "upgrade this program"),
    ],
)
def test_a_daemon_of_another_version_is_told(theirs, ours, level, mend):
    found = version_found(theirs, ours, "daemon")
    assert (found.level, found.mend.startswith(mend)) == (level, True)
    assert "restart" not in version_found(theirs, ours, "program").mend


# --- what it keeps --------------------------------------------------------------------------------------------


def tampered(log: Path, position: int) -> None:
    with closing(sqlite3.connect(log)) as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("UPDATE event SET payload = x'7b7d' WHERE position = ?", (position,))
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_a_changed_end_of_the_log_is_found_at_once(cli, store):
    tampered(store / "log.db", 4)
    before = everything(store)
    status, found = examined(cli)
    assert (status, worse(found)) == (1, {"log": "fault"})
    assert "position 4: its payload is not the one that was recorded; intact up to position 3" in found["log"]["found"]
    assert found["log"]["values"]["intact_until"] == 3
    assert everything(store) == before


def test_a_change_in_the_middle_of_the_log_is_found_by_verify(cli, store):
    tampered(store / "log.db", 2)
    assert examined(cli)[1]["log"]["level"] == "ok"
    _, found = examined(cli, "--verify")
    assert worse(found) == {"log": "fault"}
    assert "aftermind verify" in found["log"]["mend"]


def test_a_log_that_is_no_database_any_more_is_found(cli, store):
    (store / "log.db").write_bytes(b"no database, however you look at it" * 1000)
    status, found = examined(cli)
    assert (status, worse(found)) == (1, {"log": "fault"})
    assert "not a database" in found["log"]["found"]


def test_a_log_of_another_program_is_told(cli, store):
    (store / "log.db").unlink()
    with closing(sqlite3.connect(store / "log.db")) as connection:
        connection.execute("CREATE TABLE other (x)")
    assert "it is a database, but not a log" in examined(cli)[1]["log"]["found"]


def test_a_log_of_a_later_version_is_no_damage(cli, store):
    with closing(sqlite3.connect(store / "log.db")) as connection:
        connection.execute("PRAGMA user_version=99")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    _, found = examined(cli)
    assert worse(found) == {"log": "fault"}
    assert "its log has format 99, this program knows 1" in found["log"]["found"]
    assert found["log"]["mend"] == "upgrade aftermind"


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
    content = bytearray(views.read_bytes())
    content[4096 * 20 : 4096 * 21] = b"\xff" * 4096
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
