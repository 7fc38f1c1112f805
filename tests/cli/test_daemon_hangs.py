"""A holder that does not answer: a daemon is replaced, on proof; a program of somebody's own is left alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from tests.daemons import ASK, daemon, none_left, wait_until


def test_a_program_of_somebody_is_never_signalled_and_serves_in_a_daemons_place(cli, store):
    script = (
        "import anyio, aftermind, sys\n"
        "async def hold():\n"
        "    async with aftermind.open_memory():\n"
        "        print('held', flush=True)\n"
        "        await anyio.to_thread.run_sync(sys.stdin.read)\n"
        "anyio.run(hold)\n"
    )
    with (
        none_left(store),
        subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program,
    ):
        assert program.stdout.readline() == b"held\n"
        assert cli("remember", "through the program").status == 0
        assert cli("status", "--json").json["holder"] == "program"
        for verb in ("start", "stop"):
            refused = cli(verb)
            assert refused.status in (4, 6)
            assert str(program.pid) in refused.err
        os.kill(program.pid, signal.SIGSTOP)
        try:
            assert cli("stats").status == 6
            assert cli("stop").status == 6
        finally:
            os.kill(program.pid, signal.SIGCONT)
        program.communicate()
        assert program.returncode == 0


def test_a_daemon_that_hangs_is_replaced_when_somebody_says_so(cli, store):
    with none_left(store), daemon(store) as hung:
        wait_until(lambda: cli("remember", "xylophone").status == 0, "it answers")
        os.kill(hung.pid, signal.SIGSTOP)
        asked = cli("stats")
        assert asked.status == 6, "it may just be busy"
        assert str(hung.pid) in asked.err
        assert "aftermind restart" in asked.err
        assert cli("restart", "--json").json["stopped"] == hung.pid
        assert hung.wait(10) == -signal.SIGKILL
        assert cli("search", "xylophone", "--json").json[0]["text"] == "xylophone"


def test_a_daemon_that_hangs_for_long_is_replaced_by_whoever_comes(cli, store):
    with none_left(store), daemon(store) as hung:
        wait_until(lambda: cli("remember", "xylophone").status == 0, "it answers")
        os.kill(hung.pid, signal.SIGSTOP)
        long_ago = time.time() - 3600
        os.utime(store / "lock", (long_ago, long_ago))
        assert cli("search", "xylophone", "--json").json[0]["text"] == "xylophone"
        assert hung.wait(10) == -signal.SIGKILL


def test_a_pid_that_became_another_programs_is_left_alone(cli, store):
    """The lock names a living stranger, the socket is stale: neither is a reason to signal anybody."""
    with daemon(store) as dead:
        dead.kill()
    with none_left(store), subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as stranger:
        written = (store / "lock").read_text().split(" ", 1)
        (store / "lock").write_text(f"{stranger.pid} {written[1]}")
        assert cli("remember", "fine").status == 0
        assert cli("restart").status == 0
        assert cli("stop").status == 0
        assert stranger.poll() is None
        stranger.kill()


def test_a_program_that_waits_for_a_daemon_that_hangs_has_it_replaced(cli, store):
    script = ASK.replace(
        "async def main():", "from aftermind.cli.reaching import joining as j\nj.DOUBTED = 1.0\n\nasync def main():"
    )
    waits = "    print('on', flush=True); sys.stdin.readline()\n    await joined.ask(Remember"
    script = script.replace("    await joined.ask(Remember", waits)
    with none_left(store), daemon(store) as hung:
        wait_until(lambda: cli("status").status == 0, "it answers")
        with subprocess.Popen(
            [sys.executable, "-c", script, str(store), "me"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as asking:
            assert asking.stdout.readline() == b"on\n"
            os.kill(hung.pid, signal.SIGSTOP)
            long_ago = time.time() - 3600
            os.utime(store / "lock", (long_ago, long_ago))
            asking.communicate(b"\n", timeout=60)
            assert asking.returncode == 0
        assert hung.wait(10) == -signal.SIGKILL
        assert cli("stats", "--json").json["collections"]["memory_bank"] == 1
