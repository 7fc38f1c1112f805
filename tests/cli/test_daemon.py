"""The resident process, as real processes: exactly one, never in the way of another, gone when it is told or idle."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest
from tests.daemons import ASK, command, daemon, holding, listening, none_left, processes, wait_until

from aftermind.cli.language.wire import SOCKET, WIRE, Welcome, failed, framed, run_folder
from aftermind.engine.errors import Left
from aftermind.engine.store import spool
from aftermind.engine.store.lock import take

HOOK = Path(__file__).parents[2] / "cli" / "doors" / "hook.py"


@pytest.fixture
def store(place: Path) -> Path:
    folder = place / "store"
    folder.mkdir(mode=0o700)
    return folder


def starters(store: Path, count: int) -> list[subprocess.Popen[str]]:
    return [
        subprocess.Popen([sys.executable, "-c", ASK, str(store), str(n)], stdout=subprocess.PIPE, text=True)
        for n in range(count)
    ]


def answers(store: Path, count: int) -> list[str]:
    asked = starters(store, count)
    return [process.communicate(timeout=60)[0].strip() for process in asked]


def test_of_ten_starters_at_once_one_daemon_serves_all(cli, store):
    with none_left(store):
        pids = answers(store, 10)
        assert len(set(pids)) == 1
        assert processes(store) == [int(pids[0])]
        assert cli("stats", "--json").json["collections"]["memory_bank"] == 10


def test_a_stale_socket_and_lock_of_a_dead_daemon_are_in_nobodys_way(cli, store):
    with none_left(store):
        with daemon(store) as first:
            first.kill()
        assert listening(store)
        assert cli("remember", "as if nothing had been").status == 0
        assert len(set(answers(store, 3))) == 1


def test_a_daemon_outlives_whoever_started_it(store):
    with none_left(store):
        script = ASK.replace("await joined.close()", "print('up', flush=True); import time; time.sleep(60)")
        with subprocess.Popen(
            [sys.executable, "-c", script, str(store), "x"], stdout=subprocess.PIPE, start_new_session=True
        ) as starter:
            assert starter.stdout.readline().strip().isdigit()
            (pid,) = processes(store)
            os.killpg(starter.pid, signal.SIGKILL)
        assert processes(store) == [pid]
        assert os.getsid(pid) == pid
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                assert "pipe" not in str(descriptor.readlink()), "nothing of its starter's is left open"


def test_stop_leaves_no_process_and_start_and_status_say_what_is(cli, store):
    with none_left(store):
        assert cli("status").status == 3
        said = cli("start", "--json").json
        assert processes(store) == [said["running"]]
        assert "already" in cli("start").out
        state = cli("status", "--json").json
        assert (state["pid"], state["holder"], state["phase"]) == (said["running"], "daemon", "open")
        assert str(said["running"]) in cli("status").out
        again = cli("restart", "--json").json
        assert again["stopped"] == said["running"]
        assert processes(store) == [again["running"]]
        assert f"process {again['running']}" in cli("stop").out
        assert processes(store) == []
        assert not (store / "run" / "socket").exists()
        assert cli("stop").out == "No daemon was running.\n"


@pytest.mark.parametrize("last_words", [b"", framed(failed(Left(Path("store"))))], ids=["silent", "says-so"])
def test_who_goes_in_the_moment_that_status_asks_is_told_as_gone(cli, store, last_words):
    def going() -> None:
        asked, _ = server.accept()
        with asked:
            asked.sendall(framed(Welcome(aftermind="0.1.0", wire=WIRE, pid=os.getpid(), holder="daemon")))
            asked.recv(1)
            asked.sendall(last_words)
        server.close()

    with socket.socket(socket.AF_UNIX) as server, contextlib.chdir(run_folder(store)):
        server.bind(SOCKET)  # its whole path may be too long for one
        server.listen()
        thread = Thread(target=going)
        thread.start()
        told = cli("status", "--json")
        thread.join()
    assert (told.status, told.json["running"]) == (3, False)


def test_what_was_accepted_is_answered_before_it_ends(cli, store):
    with daemon(store) as resident:
        assert cli("stats").status == 0  # the log is open
        script = ASK.replace('text=f"said by {sys.argv[2]}"', 'text="x " * 4_000_000')
        with subprocess.Popen([sys.executable, "-c", script, str(store), "x"], stdout=subprocess.PIPE) as asking:
            before = (store / "log.db-wal").stat().st_size
            wait_until(
                lambda: asking.poll() is not None or (store / "log.db-wal").stat().st_size > before, "it is at it"
            )
            resident.terminate()
            assert resident.wait(60) == 0
            asking.wait(60)
        with none_left(store):
            assert cli("stats", "--json").json["collections"]["memory_bank"] == 1


def test_a_daemon_that_nobody_asks_ends_by_itself(cli, store):
    assert cli("config", "set", "daemon.idle_minutes", "0.02").status == 0
    with daemon(store) as resident:
        assert cli("remember", "something").status == 0
        assert resident.wait(30) == 0
    assert '"idle"' in (store / "logs" / "daemon.log").read_text()


def test_a_daemon_drains_what_was_spooled(cli, store, process):
    said = {"prompt": "where do logs go?", "answer": "to /var/log/app", "session": "s1", "id": "m1"}
    key = f"{int(time.time() * 1000):012x}" + "0" * 20
    payload = __import__("base64").b64encode(json.dumps(said).encode()).decode()
    request = {"ask": "deliver", "client": "json", "event": "turn", "payload": payload}
    spool.write(store, key, json.dumps({"key": key, "request": request}).encode())
    with daemon(store):
        wait_until(lambda: not spool.spooled(store).waiting, "the spool is empty")
        assert cli("stats", "--json").json["collections"]["working"] == 1


def older(version: str) -> list[str]:
    patched = f"import aftermind, runpy, sys; aftermind.__version__ = {version!r}; sys.argv = ['d', sys.argv[1]];"
    return [sys.executable, "-c", f"{patched} runpy.run_module('aftermind.cli.daemon', run_name='__main__')"]


def test_a_newer_daemon_takes_an_older_ones_place_and_never_the_reverse(cli, store):
    with none_left(store), subprocess.Popen([*older("0.0.9"), str(store)]) as old:
        wait_until(lambda: cli("status").status == 0, "the old one answers")
        assert cli("status", "--json").json["version"] == "0.0.9"
        with subprocess.Popen(command(store)) as new:
            assert old.wait(30) == 0
            wait_until(lambda: holding(store) == new.pid, "the new one holds the store")
            wait_until(lambda: cli("status").status == 0, "the new one answers")
            with subprocess.Popen([*older("0.0.8"), str(store)]) as older_still:
                assert older_still.wait(30) == 0
            assert new.poll() is None
            assert cli("stop").status == 0
            new.wait(10)


def test_a_newer_program_has_an_older_daemon_go(cli, store):
    with none_left(store), subprocess.Popen([*older("0.0.9"), str(store)]) as old:
        wait_until(lambda: cli("status").status == 0, "the old one answers")
        assert cli("remember", "xylophone").status == 0
        assert old.wait(30) == 0
        assert cli("search", "xylophone", "--json").json[0]["text"] == "xylophone"


WRITE = """
import anyio, sys
from pathlib import Path
from aftermind.cli.reaching.joining import Joined
from aftermind.cli.language.requests import Record
from aftermind.cli.reaching.starting import started

async def main():
    folder = Path(sys.argv[1])
    joined = Joined(folder, await started(folder, 20))
    print("on", flush=True)
    for n in range(60):
        await joined.ask(Record(prompt=f"question {n} of {sys.argv[2]}", answer="yes", session=sys.argv[2]))
    await joined.close()

anyio.run(main)
"""


def test_under_load_daemons_are_told_to_end_and_replaced_and_every_exchange_is_there_once(cli, store):
    with none_left(store):
        writers = [
            subprocess.Popen([sys.executable, "-c", WRITE, str(store), f"s{n}"], stdout=subprocess.PIPE)
            for n in range(4)
        ]
        assert all(writer.stdout.readline() == b"on\n" for writer in writers)
        ended = 0
        while any(writer.poll() is None for writer in writers):
            pids = processes(store)
            if ended < 8 and listening(store) and holding(store) in pids:  # and not one that is only starting
                with contextlib.suppress(ProcessLookupError):
                    os.kill(holding(store), signal.SIGTERM)
                    ended += 1
            time.sleep(0.4)
        assert [writer.wait() for writer in writers] == [0] * 4
        for writer in writers:
            writer.stdout.close()
        assert ended >= 1
        texts = [hit["event"]["prompt"] for hit in _exchanges(cli)]
        assert sorted(texts) == sorted(f"question {n} of s{w}" for n in range(60) for w in range(4))
        assert cli("verify").status == 0


def _exchanges(cli):
    lines = cli("log", "--type", "exchange-recorded", "--limit", "5000", "--json").out.splitlines()
    return [json.loads(line) for line in lines]


def test_a_store_that_is_deleted_under_it_ends_a_daemon_and_nothing_is_made_anew(cli, store):
    with daemon(store) as resident:
        wait_until(lambda: cli("remember", "xylophone").status == 0, "it answers")
        moved = store.with_name("moved")
        store.rename(moved)
        assert resident.wait(30) == 0
        assert not store.exists()
        shutil.rmtree(moved)


@pytest.mark.parametrize("way", ["moved away", "replaced"])
def test_a_daemon_whose_log_was_taken_from_it_acknowledges_nothing_more(cli, store, way):
    with none_left(store), daemon(store) as resident:
        wait_until(lambda: cli("remember", "xylophone").status == 0, "it answers")
        away = store.with_name("log.away")
        if way == "replaced":
            shutil.copy(store / "log.db", store.with_name("copy"))
        (store / "log.db").rename(away)
        if way == "replaced":
            store.with_name("copy").rename(store / "log.db")
        refused = cli("remember", "said to nobody")
        assert refused.status in (5, 6)  # 6 where the daemon saw it by itself just then, and is ending
        if refused.status == 5:
            assert f"its log.db was {'replaced' if way == 'replaced' else 'removed'}" in refused.err
        assert resident.wait(30) == 0
        if way == "moved away":
            assert cli("remember", "begun anew").status == 7, "what is missing is not begun anew"
        away.rename(store / "log.db")  # with the WAL that was left beside it, it is whole
        assert [found["text"] for found in cli("search", "--json").json] == ["xylophone"]
        assert cli("verify").status == 0


def test_a_daemon_whose_wal_was_removed_ends_and_what_it_had_is_kept(cli, store):
    with none_left(store), daemon(store) as resident:
        wait_until(lambda: cli("remember", "xylophone").status == 0, "it answers")
        (store / "log.db-wal").unlink()
        assert resident.wait(30) == 0
        assert [found["text"] for found in cli("search", "--json").json] == ["xylophone"]
        assert cli("remember", "said to somebody").status == 0
        assert cli("verify").status == 0


def test_a_daemon_that_nobody_asks_sees_that_its_log_is_gone(cli, store):
    with none_left(store), daemon(store) as resident:
        wait_until(lambda: cli("remember", "xylophone").status == 0, "it answers")
        (store / "log.db").unlink()
        assert resident.wait(30) == 0


def test_a_daemon_that_cannot_open_the_log_says_why_and_ends(cli, store):
    assert cli("remember", "xylophone").status == 0
    (store / "log.db").write_bytes(b"no database, however you look at it" * 1000)
    (store / "log.db-wal").unlink(missing_ok=True)
    ended = subprocess.run(command(store), capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 7
    assert "is damaged" in ended.stderr
    lock = take(store)
    assert lock is not None
    lock.release()


def test_a_folder_another_kernel_is_writing_is_refused_until_it_falls_silent(cli, store):
    assert cli("remember", "xylophone").status == 0
    (store / "lock").write_text("17 daemon 00000000-another-kernel aftermind")
    refused = cli("stats")
    assert refused.status == 6
    assert "another machine" in refused.err
    assert (store / "lock").read_text().startswith("17 daemon"), "its signature is left"
    silent = time.time() - 60
    os.utime(store / "lock", (silent, silent))
    assert cli("stats").status == 0


def test_logs_hold_no_text_and_are_printed_for_people_and_programs(cli, store):
    with none_left(store):
        assert cli("start").status == 0
        assert cli("remember", "the xylophone is out of tune").status == 0
        assert cli("context", "which instrument is out of tune? the xylophone?").status == 0
        wait_until(lambda: (store / "logs" / "daemon.log").exists(), "the log is written")
        assert cli("stop").status == 0
    lines = cli("logs", "--json").out.splitlines()
    assert {"started", "remember", "brief", "stopped"} <= {json.loads(line)["event"] for line in lines}
    assert "brief" in cli("logs", "-n", "20").out
    assert "xylophone" not in "".join(lines)


def test_status_last_tells_what_was_shown_and_why_nothing_was(cli, store):
    assert cli("remember", "the xylophone is out of tune").status == 0
    assert "out of tune" in cli("context", "who plays the xylophone out of tune").out
    cli("context", "how do penguins fly")
    cli("context", "and the of")
    said = cli("status", "--last", "--json").json
    assert [bool(prompt["memories"]) for prompt in said] == [False, False, True]
    assert "common words" in said[0]["why"]
    assert "nothing known here then" in said[1]["why"]
    assert (
        cli("status", "--last", "--limit", "1", "--json").json
        == cli("status", "--last", "1", "--json").json
        == said[:1]
    )
    assert cli("status", "--limit", "1").status == 2
    assert "xylophone" in cli("status", "--last", "1").out or "common words" in cli("status", "--last", "1").out


def test_why_nothing_was_shown_for_a_prompt_is_told_of_what_was_known_then(cli, store):
    """Not of the exchange that began with it, nor of what was learned since."""
    prompt = "who tunes the xylophone"
    cli("context", prompt, "--session", "s1")
    piped = {"prompt": prompt, "answer": "Ada tunes it.", "session": "s1"}
    assert cli("record", stdin=json.dumps(piped).encode()).status == 0
    assert cli("remember", "Ada tunes the xylophone").status == 0
    cli("context", "the xylophone is out of tune", "--session", "s1")
    shown, nothing = cli("status", "--last", "--json").json
    assert shown["memories"]
    assert (nothing["memories"], nothing["why"]) == ([], "nothing known here then has a telling word in common with it")


def test_a_socket_that_somebody_removed_is_made_again(cli, store):
    with daemon(store):
        wait_until(lambda: cli("status").status == 0, "it answers")
        (store / "run" / "socket").unlink()
        wait_until(lambda: listening(store), "it listens again")
        assert cli("remember", "xylophone").status == 0
        assert cli("status", "--json").json["holder"] == "daemon"


def test_stop_and_others_leave_a_folder_that_is_no_store_as_it_was(cli, place):
    other = place / "django"
    (other / "bin").mkdir(parents=True)
    (other / "views.py").write_text("mine")
    other.chmod(0o755)
    for verb in ("stop", "restart", "status", "logs", "start"):
        cli(verb, "--home", str(other))
    assert cli("remember", "x", "--home", str(other)).status == 5
    assert sorted(path.name for path in other.iterdir()) == ["bin", "views.py"]
    assert other.stat().st_mode & 0o777 == 0o755
