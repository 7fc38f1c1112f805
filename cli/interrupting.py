"""Ctrl-C: a command that it stops says so in one line, and ends with the code a shell has for that.

The first one cancels what is under way, so that everything is closed and put back as at any other end; where nothing
is under way yet, it raises. The second changes nothing, for wrappers often pass on what the terminal has sent already.
The third leaves at once: the log can be left at any instant.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

INTERRUPTED = 130
"""What a shell reports of a process that ended by SIGINT."""
PATIENCE = 2
"""So many are waited for; the one after them is not."""


class CtrlC:
    """What came of it in this process, which is one command's."""

    def __init__(self) -> None:
        self.came = 0
        self.told = False
        """Whether the command says by itself that it was stopped, or nobody needs to hear it."""
        self.cancel: Callable[[], object] | None = None
        """Ends what is under way."""
        self.line = "interrupted"
        """What is said otherwise."""
        self._as_json = False

    def listen(self, words: list[str], command: str) -> None:
        """From now on; not where whoever started this process has it ignore them."""
        self.line = f"{command or 'it'} was interrupted before it was done; run it again"
        self._as_json = "--json" in words
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._come)

    def done(self) -> None:
        """The command has ended by itself; what comes now stops nothing, and does not change its exit code."""
        if signal.getsignal(signal.SIGINT) == self._come:
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    def leave(self) -> int:
        """Says what happened. A process that was stopped ends here: threads that nobody waits for any more would keep
        it, and complain of what is closed."""
        if not self.told:
            from aftermind.cli.terminal.tables import show_error

            show_error(self.line, "", "Interrupted", as_json=self._as_json)
        if signal.getsignal(signal.SIGINT) != self._come:
            return INTERRUPTED
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # nobody reads on
                stream.flush()
        os._exit(INTERRUPTED)

    def _come(self, number: int, frame: FrameType | None) -> None:
        self.came += 1
        _hush()
        if self.came > PATIENCE:
            self.leave()
        if self.came > 1:
            return
        if self.cancel is None:
            raise KeyboardInterrupt
        self.cancel()


def _hush() -> None:
    """What is stopped in the middle leaves pieces behind, and what they say of themselves is nothing to act on."""
    import threading
    import warnings

    warnings.simplefilter("ignore")
    sys.unraisablehook = lambda _: None
    threading.excepthook = lambda _: None


CTRL_C = CtrlC()
