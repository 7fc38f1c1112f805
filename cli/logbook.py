"""What the process that holds a store did: one line of JSON a request, in a file that stays small. Ids, sizes and
times, never anybody's text.

structlog costs more to load than everything else together, so lines wait in memory until `load`: after the first
answer in a daemon, and in another program only if something broke.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from aftermind.engine.stamp import Stamp

if TYPE_CHECKING:
    import structlog

LOGS, FILE = "logs", "daemon.log"
LARGEST, KEPT = 1_000_000, 3
"""Bytes of a file, and how many older ones are kept beside it."""
REMEMBERED = 1000
"""Lines that are not said again, at most."""
Fact: TypeAlias = str | int | float | bool | None


class _Private(RotatingFileHandler):
    """Also the file that follows a full one is its owner's alone, whatever the process's umask is."""

    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return TextIOWrapper(os.fdopen(descriptor, "ab"), encoding=self.encoding)


class Logbook:
    def __init__(self, folder: Path, stamp: Stamp) -> None:
        self._stamp = stamp
        self._file = folder / LOGS / FILE
        self._waiting: deque[tuple[str, dict[str, Fact]]] = deque(maxlen=1000)
        self._said: set[tuple[str, tuple[tuple[str, Fact], ...]]] = set()
        self._broke = False
        self._handler: RotatingFileHandler | None = None
        self._logger: structlog.typing.FilteringBoundLogger | None = None

    def note(self, event: str, **facts: Fact) -> None:
        """One line."""
        facts = {"at": self._stamp.now().isoformat(timespec="milliseconds"), **facts}
        if self._logger is None:
            self._waiting.append((event, facts))
        else:
            self._logger.info(event, **facts)

    def once(self, event: str, **facts: Fact) -> None:
        """One line, and no other that says the same: for what is tried again and again."""
        if (said := (event, tuple(facts.items()))) not in self._said:
            if len(self._said) >= REMEMBERED:
                self._said.clear()
            self._said.add(said)
            self.note(event, **facts)

    def broke(self, event: str, error: BaseException) -> None:
        """An error nobody foresaw, with the places it came through but without its message, which may quote a text."""
        self._broke = True
        places: list[str] = []
        trace = error.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            places.append(f"{Path(code.co_filename).name}:{trace.tb_lineno} {code.co_name}")
            trace = trace.tb_next
        self.note(event, broke=type(error).__name__, places=" < ".join(reversed(places[-12:])))

    def load(self) -> None:
        """From now on lines go to the file, those that waited first."""
        import structlog

        self._file.parent.mkdir(mode=0o700, exist_ok=True)
        self._file.touch(mode=0o600)
        handler = _Private(self._file, maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8", delay=True)
        handler.setFormatter(logging.Formatter("%(message)s"))
        handler.handleError = lambda record: None  # type: ignore[method-assign]  # a full disk must not stop anybody
        channel = logging.Logger("aftermind.daemon")
        channel.addHandler(handler)
        self._handler = handler
        self._logger = structlog.wrap_logger(
            channel,
            processors=[structlog.processors.JSONRenderer(ensure_ascii=False)],
            wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        )
        while self._waiting:
            event, facts = self._waiting.popleft()
            self._logger.info(event, **facts)

    def close(self) -> None:
        """In a program that is no daemon: what broke is kept, the rest is nobody's concern."""
        if self._logger is None and self._broke:
            with suppress(OSError):  # a store that was deleted, a full disk
                self.load()
        if self._handler is not None:
            self._handler.close()
            self._handler = self._logger = None  # a line that comes later would open it again, and nobody close it
