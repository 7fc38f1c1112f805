"""Ctrl-C, typed at a real terminal at several instants of real commands."""

from __future__ import annotations

import os
import sys

import pytest
from tests.cli.test_commands import remembered

from aftermind.cli.interrupting import INTERRUPTED

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals there")


@pytest.mark.parametrize("seconds", [0.25, 0.5, 0.8])
@pytest.mark.parametrize("words", [("search", "deploy"), ("rebuild",), ("replay", "search", "deploy")])
def test_a_command_is_stopped_with_one_line_or_is_done(cli, env, words, seconds):
    remembered(cli)
    sent, status = typed(env, words, seconds)
    assert status in (0, INTERRUPTED), sent
    assert "Traceback" not in sent
    assert "Error" not in sent
    assert "never awaited" not in sent
    told = f"{words[0]} was interrupted before it was done; run it again" in sent
    assert told == (status == INTERRUPTED), sent
    assert cli("verify").status == 0


def typed(env: dict[str, str], words: tuple[str, ...], seconds: float) -> tuple[str, int]:
    """What a command printed at a terminal where Ctrl-C came after so long, and its exit code."""
    import pty
    import select

    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [sys.executable, "-m", "aftermind", *words], env)
    sent = b""
    try:
        select.select([terminal], [], [], seconds)
        os.write(terminal, b"\x03")
        while part := os.read(terminal, 65536):
            sent += part
    except OSError:
        pass  # how Linux says that the other side is closed
    os.close(terminal)
    return sent.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
