"""reset: all that is ours goes and nothing else, whoever holds the store and wherever it was cut short; a copy of the
log is the store again."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.daemons import daemon, none_left, wait_until

from aftermind.cli import removing
from aftermind.cli.belongings import belongings
from aftermind.cli.removing import NotRemoved
from aftermind.engine import spool

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


@pytest.fixture
def store(cli, place):
    """A store with two memories and one session."""
    assert cli("remember", "The xylophone is out of tune").status == 0
    assert cli("record", stdin=EXCHANGE).status == 0
    return place / "store"


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
    assert f"the configuration, {place / 'config.toml'}" in said.out
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
    assert "with log.db.bak, logs, mine, notes.txt, spool, views.txt.bak" in done.out
    assert set(everything(store)) == {*mine, "mine", "spool", "logs", "logs/mine"}
    assert cli("reset", "--yes").out.endswith("nothing to remove.\n")


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


def test_a_holder_that_answers_nobody_is_named_and_nothing_goes(cli, store):
    script = (
        "import sys, time; from pathlib import Path; from aftermind.engine.lock import take\n"
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
