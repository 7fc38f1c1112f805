"""What comes in through the pipe, or from the person at the terminal.

It is read from the descriptor, beside the loop (`aside.py`), so that Ctrl-C is felt. Bytes that are not UTF-8 become
U+FFFD; nothing that was piped in is refused for them, and whose text that is, is told.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.aside import aside
from aftermind.cli.terminal.tables import counted, fitted, note

_CHUNK = 1 << 16


async def all_of_stdin() -> str:
    """Everything, until the pipe ends."""
    return (await _all_of_stdin()).decode("utf-8-sig", "replace")


async def _all_of_stdin() -> bytes:
    if sys.stdin.isatty():
        end = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D on a line of its own"
        print(f"Reading what you type; {end} ends it, Ctrl-C gives up.", file=sys.stderr)
    return await aside(_everything)


async def text_or_stdin(text: str, *, may_be_empty: bool = False) -> str:
    """The text, or with `-` what is piped in."""
    if text != "-":
        return text
    read = await _all_of_stdin()
    piped = read.decode("utf-8-sig", "replace")
    if (strange := piped.count("\ufffd") - read.count(b"\xef\xbf\xbd")) > 0:
        told = (
            f"{counted(strange, 'place')} of what was piped in, no UTF-8, {'is' if strange == 1 else 'are'} kept as �"
        )
        note(f"{told}: `iconv -f latin1 -t utf-8` before it converts what is Latin-1")
    if not piped.strip() and not may_be_empty:
        raise Misused("standard input was empty", hint="say the text instead of `-`, or pipe it in")
    return piped


def somebody_to_ask(asking: str, hint: str) -> None:
    """`Misused` where nobody is at a terminal. `asking`: which command asks, and before what."""
    if not sys.stdin.isatty():
        raise Misused(f"{asking}, and there is no terminal to ask at", hint=hint)


async def agreed(question: str) -> bool:
    """Asks the person at the terminal; anything but a yes is a no."""
    print(f"{fitted(f'{question} [y/N]', sys.stderr)} ", end="", file=sys.stderr, flush=True)
    return (await aside(_line)).decode("utf-8", "replace").strip().lower() in ("y", "yes")


async def answered(question: str, otherwise: str = "") -> str:
    """Asks the person at the terminal; what is taken where only Enter is pressed stands in brackets."""
    shown = f"{question} [{otherwise}]" if otherwise else question
    print(f"{fitted(shown, sys.stderr)} ", end="", file=sys.stderr, flush=True)
    line = await aside(_line)
    if not line:
        raise Misused("standard input ended before the answer", hint="--no-input asks nothing")
    return line.decode("utf-8", "replace").strip() or otherwise


async def answered_unseen(question: str) -> str:
    """The same for a secret: what is typed is not shown, where this is a terminal that can do so."""
    with _unseen():
        said = await answered(question)
    print(file=sys.stderr)
    return said


@contextmanager
def _unseen() -> Iterator[None]:
    if not sys.stdin.isatty() or sys.platform == "win32":
        yield
        return
    import termios

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    quiet = [*before]
    quiet[3] = before[3] & ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSADRAIN, quiet)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _everything() -> bytes:
    read = bytearray()
    while chunk := os.read(sys.stdin.fileno(), _CHUNK):
        read += chunk
    return bytes(read)


def _line() -> bytes:
    """A terminal hands out one line at a time."""
    return os.read(sys.stdin.fileno(), 1000)
