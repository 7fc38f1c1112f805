"""What comes in through the pipe, or from the person at the terminal.

It is read from the descriptor, in a thread of its own: while the loop itself waits in a read, Ctrl-C would not be
felt. anyio's threads will not do, the interpreter waits for them at its end; a daemon ends with the process.
Bytes that are not UTF-8 become U+FFFD; nothing that was piped in is refused for them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread

import anyio.lowlevel

from aftermind.cli.terminal.arguments import Misused

_CHUNK = 1 << 16
_PATIENCE = 0.05
"""Seconds until Ctrl-C is felt."""


async def all_of_stdin() -> str:
    """Everything, until the pipe ends."""
    if sys.stdin.isatty():
        end = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D on a line of its own"
        print(f"Reading what you type; {end} ends it, Ctrl-C gives up.", file=sys.stderr)
    return (await _aside(_everything)).decode("utf-8-sig", "replace")


async def text_or_stdin(text: str, *, may_be_empty: bool = False) -> str:
    """The text, or with `-` what is piped in."""
    if text != "-":
        return text
    piped = await all_of_stdin()
    if not piped.strip() and not may_be_empty:
        raise Misused("standard input was empty", hint="say the text instead of `-`, or pipe it in")
    return piped


async def agreed(question: str) -> bool:
    """Asks the person at the terminal; anything but a yes is a no."""
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return (await _aside(_line)).decode("utf-8", "replace").strip().lower() in ("y", "yes")


async def _aside(read: Callable[[], bytes]) -> bytes:
    answer: Future[bytes] = Future()

    def work() -> None:
        try:
            answer.set_result(read())
        except BaseException as error:
            answer.set_exception(error)

    Thread(target=work, daemon=True).start()
    while not answer.done():
        wait([answer], _PATIENCE)
        await anyio.lowlevel.checkpoint()
    return answer.result()


def _everything() -> bytes:
    read = bytearray()
    while chunk := os.read(sys.stdin.fileno(), _CHUNK):
        read += chunk
    return bytes(read)


def _line() -> bytes:
    """A terminal hands out one line at a time."""
    return os.read(sys.stdin.fileno(), 1000)
