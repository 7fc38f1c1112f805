"""reset: all that is ours goes and nothing else, whoever holds the store and wherever it was cut short; a copy of the
log is the store again."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.daemons import daemon, none_left, wait_until

from aftermind.engine.store import spool

KEY, OTHER, HALF = (f"0197f000000{number}" + "a" * 20 for number in range(3))
EXCHANGE = b'{"prompt": "how do we deploy the billing service?", "answer": "make deploy"}'
HOLD = (
    "import anyio, aftermind, sys\n"
    "async def hold():\n"
    "    async with aftermind.open_memory():\n"
    "        print('held', flush=True)\n"
    "        await anyio.to_thread.run_sync(sys.stdin.read)\n"
    "anyio.run(hold)\n"
)


def begun(cli, place):
    """A store with two memories and one session."""
    assert cli("remember", "The xylophone is out of tune").status == 0
    assert cli("record", stdin=EXCHANGE).status == 0
    return place / "store"


@pytest.fixture
def store(cli, place):
    return begun(cli, place)


def everything(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in sorted(folder.rglob("*"))
        if not path.name.endswith("-shm")
    }


def full(store: Path, cli) -> None:
    """Everything a store ever holds, as a daemon leaves it that was killed in the middle."""
    with daemon(store) as killed:
        wait_until((store / "logs" / "daemon.log").exists, "it logs")
        assert cli("remember", "What only the WAL holds").status == 0
        killed.kill()
    spool.write(store, KEY, b"waiting")
    spool.set_aside(spool.write(store, OTHER, b"broken"))
    for name in (f"spool/{HALF}.part", "embeddings.db", "logs/daemon.log.1", "logs/daemon.out", "run/socket.123"):
        (store / name).touch(mode=0o600)


# --- before anything goes -------------------------------------------------------------------------------------


def test_a_dry_run_says_what_would_go_and_removes_nothing(cli, store, place):
    (store / "notes.txt").write_text("mine")
    before = everything(store)
    said = cli("reset", "--dry-run")
    assert (said.status, said.err) == (0, "")
    assert "holds     5 events, 2 memories, 1 session, 0 spooled files" in said.out
    assert "log.db" in said.out
    assert "stays     notes.txt: not Aftermind's" in said.out
    assert "the configuration" not in said.out  # there is none
    assert "--export FILE" in said.out
    assert said.out.endswith("\nNothing was removed.\n")
    told = cli("reset", "--dry-run", "--json").json
    assert (told["events"], told["memories"], told["sessions"], told["waiting"]) == (5, 2, 1, 0)
    assert (told["stays"], told["removed"], told["exported"]) == (["notes.txt"], [], None)
    assert "log.db" in told["goes"]
    assert everything(store) == before


def test_the_preview_counts_what_stats_counts(cli, store):
    id = cli("remember", "Something to be forgotten", "--json").json["id"]
    assert cli("forget", id, "--yes").status == 0
    stats, told = cli("stats", "--json").json, cli("reset", "--dry-run", "--json").json
    assert told["events"] == stats["events"]
    assert told["memories"] == sum(stats["collections"].values())
    assert told["sessions"] == stats["sessions"]


def test_without_a_terminal_and_without_yes_nothing_is_removed(cli, store):
    before = everything(store)
    refused = cli("reset")
    assert (refused.status, refused.out) == (2, "")
    assert "no terminal to ask at" in refused.err
    assert "`aftermind reset --yes`" in refused.err
    assert cli("reset", "--export", "copy.db").status == 2
    assert not Path("copy.db").exists()
    assert everything(store) == before


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_at_a_terminal_it_asks_and_takes_only_a_yes(cli, store, process):
    before = everything(store)
    for typed, status in ((b"no\n", 0), (b"\n", 0), (b"y\n", 0)):
        assert everything(store) == before
        master, slave = os.openpty()
        running = process("reset", stdin=slave)
        os.close(slave)
        os.write(master, typed)
        out, err = running.communicate(timeout=30)
        os.close(master)
        assert running.returncode == status
        assert b"5 events, 2 memories" in err
        assert b"for good? [y/N]" in err
        assert out.startswith(b"Removed the store" if typed == b"y\n" else b"Nothing was removed.")
    assert not store.exists()


def test_where_there_is_no_store_there_is_nothing_to_remove(cli, place):
    for _ in range(2):
        assert cli("reset", "--dry-run", "--json").json["removed"] == []
        said = cli("reset", "--yes")
        assert (said.status, said.out) == (0, f"There is no store in {place / 'store'}: nothing to remove.\n")
        assert not (place / "store").exists()
        (place / "store").mkdir()


# --- what goes, and what stays --------------------------------------------------------------------------------


def test_everything_goes_and_the_folder_too_and_the_configuration_stays(cli, store, place):
    full(store, cli)
    cli("config", "set", "ranking.limit", "7")
    names = set(everything(store))
    done = cli("reset", "--yes", "--json")
    assert done.status == 0
    assert done.json["folder_removed"]
    assert set(done.json["removed"]) >= names - {"log.db-wal", "run/socket.123"}
    assert (done.json["waiting"], done.json["broken"]) == (1, 1)
    assert not store.exists()
    assert (place / "config.toml").read_text().endswith("limit = 7\n")
    assert [path.name for path in place.iterdir() if path.name not in ("work", "stdin", "config.toml")] == []
    assert cli("stats").status == 5
    assert cli("remember", "Something new").status == 0
    assert cli("search", "xylophone", "--json").json == []


def test_what_is_not_ours_stays_and_is_named(cli, store):
    mine = ("notes.txt", "log.db.bak", "views.txt.bak", "mine/log.db", "spool/notes.md", "logs/mine/daemon.log")
    for name in mine:
        (store / name).parent.mkdir(parents=True, exist_ok=True)
        (store / name).write_text("mine")
    (store / "logs" / "daemon.log").write_text("ours")
    done = cli("reset", "--yes")
    assert done.status == 0
    assert "with log.db.bak, logs, mine, notes.txt, spool, views.txt.bak; a new store wants an empty one" in done.out
    assert set(everything(store)) == {*mine, "mine", "spool", "logs", "logs/mine"}
    assert cli("reset", "--yes").out.endswith("nothing to remove.\n")


@pytest.mark.parametrize("note", ["", "notes.txt", "run/notes.txt", "lock.txt", "bin/notes.py"])
def test_what_was_looked_into_after_a_restore_goes_whole_and_a_note_beside_it_stays(cli, store, note):
    cli("remember", "The xylophone is red")
    cli("backup")
    cli("remember", "The xylophone is blue")
    cli("stop")
    assert cli("restore", "latest", "--yes").status == 0
    (aside,) = store.glob("set-aside-*")
    assert "blue" in cli("search", "xylophone", "--home", str(aside)).out
    assert cli("record", "--home", str(aside), stdin=EXCHANGE).status == 0
    assert {"lock", "run"} <= {path.name for path in aside.iterdir()}
    if note:
        (aside / note).parent.mkdir(exist_ok=True)
        (aside / note).write_text("mine")
    done = cli("reset", "--yes")
    assert (done.status, store.exists()) == (0, bool(note))
    if note:
        assert f"with {aside.name}." in done.out, "where a new store may begin beside it"
        assert [path for path, held in everything(aside).items() if held] == [note]
        assert cli("remember", "Something new").status == 0


def test_links_go_and_what_they_point_to_stays(cli, store, place):
    outside = place / "outside"
    for name in ("spool", "logs"):
        (outside / name).mkdir(parents=True)
        (outside / name / f"{KEY}.json").write_text("mine")
    (outside / "views-7.db").write_text("mine")
    (store / "spool").symlink_to(outside / "spool")
    (store / "logs").mkdir(exist_ok=True)
    (store / "logs" / "daemon.log").unlink(missing_ok=True)
    (store / "logs" / "daemon.log").symlink_to(outside / "logs" / f"{KEY}.json")
    (store / "views-7.db").symlink_to(outside / "views-7.db")
    (store / "link").symlink_to(outside)
    before = everything(outside)
    assert cli("reset", "--yes", "--json").json["stays"] == ["link"]
    assert [path.name for path in store.iterdir()] == ["link"]
    assert everything(outside) == before


def test_a_store_behind_a_link_is_emptied_and_the_link_stays_good(cli, store, place):
    (place / "moved").mkdir(mode=0o700)
    store.rename(place / "moved" / "store")
    store.symlink_to(place / "moved" / "store")
    assert cli("reset", "--yes").status == 0
    assert list(store.iterdir()) == []
    assert cli("remember", "Something new").status == 0


def test_another_programs_files_with_our_names_are_left_alone(cli, place):
    other = place / "other"
    other.mkdir()
    with closing(sqlite3.connect(other / "log.db")) as connection:
        connection.execute("CREATE TABLE mine (x)")
    before = everything(other)
    refused = cli("reset", "--yes", "--home", str(other))
    assert (refused.status, "another program's" in refused.err) == (5, True)
    (other / "log.db").write_text("Monday: all is well\n")
    assert "none of ours" in cli("reset", "--yes", "--home", str(other)).err
    (other / "log.db").write_bytes(before["log.db"])
    (other / "log.db").unlink()
    (other / "lock").write_text("my own words")
    assert "its file 'lock' is not a store's" in cli("reset", "--yes", "--home", str(other)).err
    (other / "lock").unlink()
    (other / "lock").symlink_to(place / "config.toml")
    (place / "config.toml").write_text("# mine\n")
    assert cli("reset", "--yes", "--home", str(other)).status == 5
    assert (place / "config.toml").read_text() == "# mine\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_a_store_of_another_user_is_refused(cli, store):
    os.chown(store, 12345, 12345)
    refused = cli("reset", "--yes")
    assert (refused.status, "belongs to the user 12345" in refused.err) == (5, True)
    assert (store / "log.db").exists()


def test_a_damaged_store_goes_as_well(cli, store):
    (store / "log.db").write_bytes(b"no database" * 1000)
    assert "not a database" in cli("reset", "--dry-run").out
    assert cli("reset", "--yes").status == 0
    assert not store.exists()


# --- who holds it ---------------------------------------------------------------------------------------------


def test_a_running_daemon_is_stopped_first(cli, store):
    with none_left(store), daemon(store) as resident:
        wait_until(lambda: cli("status").status == 0, "it answers")
        assert cli("reset", "--yes").status == 0
        assert resident.wait(10) == 0
        assert not store.exists()


def test_a_daemon_that_hangs_is_ended(cli, store):
    with none_left(store), daemon(store) as hung:
        wait_until(lambda: cli("status").status == 0, "it answers")
        os.kill(hung.pid, signal.SIGSTOP)
        assert cli("reset", "--yes").status == 0
        assert hung.wait(10) == -signal.SIGKILL
        assert not store.exists()


def test_a_program_that_holds_the_store_is_named_and_nothing_goes(cli, store):
    with subprocess.Popen([sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdout.readline() == b"held\n"
        refused = cli("reset", "--yes")
        assert refused.status == 6
        assert f"process {program.pid}" in refused.err
        assert program.poll() is None
        program.communicate()
    assert "xylophone" in cli("search", "xylophone").out
