"""How `reset` takes a store away: in an order that leaves it whole or gone at every instant."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.test_reset import KEY, begun, everything, full
from tests.daemons import none_left

from aftermind.cli.store_folder import removing
from aftermind.cli.store_folder.belongings import belongings
from aftermind.cli.store_folder.removing import NotRemoved
from aftermind.engine.store import spool


@pytest.fixture
def store(cli, place):
    return begun(cli, place)


def test_a_holder_that_answers_nobody_is_named_and_nothing_goes(cli, store):
    script = (
        "import sys, time; from pathlib import Path; from aftermind.engine.store.lock import take\n"
        "take(Path(sys.argv[1])).sign('program'); print('held', flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(store)], stdout=subprocess.PIPE) as holder:
        try:
            assert holder.stdout.readline() == b"held\n"
            refused = cli("reset", "--yes")
            assert (refused.status, f"process {holder.pid}" in refused.err) == (6, True)
        finally:
            holder.kill()
    assert "xylophone" in cli("search", "xylophone").out


def test_whoever_writes_while_it_goes_finds_a_store_or_begins_one_and_never_half_of_one(cli, store, process):
    writers = [process("remember", f"said by writer {number} meanwhile") for number in range(4)]
    assert cli("reset", "--yes").status in (0, 6)
    for writer in writers:
        writer.communicate(timeout=60)
    with none_left(store):
        assert cli("verify").status in (0, 5)
        assert cli("remember", "the violin is in tune").status == 0
        assert "violin" in cli("search", "violin").out


# --- a copy ---------------------------------------------------------------------------------------------------


def test_a_copy_of_the_log_put_back_is_the_store_again(cli, store, place):
    full(store, cli)
    (store / "spool" / f"{KEY}.json").unlink()
    before = cli("log", "--json").out
    copy = place / "memories.db"
    done = cli("reset", "--yes", "--export", str(copy))
    assert done.status == 0
    assert f"Copied the log to {copy}: 6 events, every link holds." in done.out
    assert f"cp {copy} {store / 'log.db'}" in done.err
    assert not store.exists()
    assert copy.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in place.glob("memories*")] == ["memories.db"]
    command = done.err.split("put back: `")[1].split("`")[0]
    subprocess.run(command, shell=True, check=True)
    assert cli("log", "--json").out == before
    assert cli("verify").out.startswith("6 events, 0 erased, head 6")
    assert cli("search", "xylophone", "--json").json[0]["text"] == "The xylophone is out of tune"
    assert cli("search", "what only the WAL holds", "--json").json
    assert cli("remember", "It goes on").status == 0
    assert cli("doctor", "--verify").status == 0


def test_a_copy_says_that_it_lacks_what_is_still_in_the_spool(cli, store):
    spool.write(store, KEY, b"waiting")
    said = cli("reset", "--dry-run", "--export", "copy.db").out
    assert "without the 1 spooled; `aftermind start` brings them in before" in said
    assert not Path("copy.db").exists()


def test_a_copy_never_takes_the_place_of_another_file_nor_goes_with_the_store(cli, store, place):
    (place / "there.db").write_text("mine")
    (place / "within").symlink_to(store)
    for file, said in (
        (place / "there.db", "exists already"),
        (place / "nowhere" / "copy.db", "there is no folder"),
        (store / "copy.db", "is in the store"),
        (store / "spool" / "copy.db", "there is no folder"),
        (place / "within" / "copy.db", "is in the store"),
    ):
        refused = cli("reset", "--yes", "--export", str(file))
        assert (refused.status, said in refused.err) == (2, True)
    assert (place / "there.db").read_text() == "mine"
    assert cli("verify").status == 0


def test_a_copy_of_a_damaged_log_is_refused_and_nothing_goes(cli, store, place):
    with closing(sqlite3.connect(store / "log.db")) as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("UPDATE event SET payload = x'7b7d' WHERE position = 2")
        connection.commit()
    refused = cli("reset", "--yes", "--export", str(place / "copy.db"))
    assert refused.status == 7
    assert "intact up to position 1" in refused.err
    assert "without --export" in refused.err
    assert (store / "log.db").exists()
    (store / "log.db").write_bytes(b"no database" * 1000)
    refused = cli("reset", "--yes", "--export", str(place / "other.db"))
    assert (refused.status, "without --export" in refused.err) == (7, True)
    assert not (place / "other.db").exists()
    assert (store / "log.db").exists()
    assert cli("reset", "--yes").status == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of that kind")
def test_a_copy_for_which_there_is_no_room_is_not_left_half_done_and_nothing_goes(cli, store, place, process):
    import resource

    before, limit = everything(store), (8192, 8192)
    running = process(
        *("reset", "--yes", "--export", str(place / "copy.db")),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
    )
    _, err = running.communicate(timeout=30)
    assert running.returncode == 5
    assert b"copy.db could not be used" in err
    assert list(place.glob("copy*")) == []
    assert everything(store) == before


# --- cut short ------------------------------------------------------------------------------------------------


def test_wherever_it_was_cut_short_the_log_is_whole_or_gone_and_a_second_run_finishes(cli, store, place):
    full(store, cli)
    order = [path.relative_to(store) for path in belongings(store).ours]
    assert {"log.db", "log.db-wal", "lock", "views.current", "embeddings.db"} <= set(map(str, order))
    shutil.copytree(store, place / "kept", ignore=shutil.ignore_patterns("socket"))
    for done in range(len(order) + 1):
        for then in ("go on", "reset"):
            shutil.rmtree(store, ignore_errors=True)
            shutil.copytree(place / "kept", store)
            for name in order[:done]:
                path = store / name
                path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
            had_log = (store / "log.db").exists()
            if then == "go on":
                (store / "spool" / f"{KEY}.json").unlink(missing_ok=True)
                assert cli("remember", "Something new").status == 0, order[:done]
                events = 7 if had_log else 2
                assert cli("verify").out.startswith(f"{events} events"), order[:done]
                assert bool(cli("search", "xylophone", "--json").json) == had_log
                assert not had_log or cli("search", "what only the WAL holds", "--json").json
            assert cli("reset", "--yes").status == 0
            assert not store.exists()


def test_the_spool_goes_before_the_log_so_that_no_later_store_drains_it(cli, store):
    full(store, cli)
    order = [str(path.relative_to(store)) for path in belongings(store).ours]
    assert order.index("views.current") < order.index("views-1.db") < order.index(f"spool/{KEY}.json")
    assert order.index("spool") < order.index("log.db") < order.index("log.db-wal")
    assert order[-1] == "lock"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may remove everything")
def test_what_cannot_be_removed_is_named_and_a_second_run_goes_on(store):
    (store / "bin").mkdir(mode=0o700)
    (store / "bin" / "hook.py").touch()
    (store / "bin").chmod(0o500)
    with pytest.raises(NotRemoved, match=r"bin/hook.py cannot be removed"):
        removing.removed(store)
    (store / "bin").chmod(0o700)
    removing.removed(store)
    assert not store.exists()


def test_json_is_one_document_and_nothing_else(cli, store, place):
    done = cli("reset", "--yes", "--json", "--export", str(place / "copy.db"))
    assert (done.status, done.err) == (0, "")
    assert done.json["exported"] == str(place / "copy.db")
    assert done.json["folder"] == str(store)
    assert done.json["config"] == str(place / "config.toml")
