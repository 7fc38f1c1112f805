"""The bytes of a file that this process may have open as a database.

Whoever closes a descriptor of a file lets go of every lock that the process has on it, those of SQLite included
(https://sqlite.org/howtocorrupt.html, 2.2): another program that looks into the database would then take itself for the
last one, and take the WAL away from under who writes. So what is opened here stays open until nobody finds the file any
more. Blocks.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import BinaryIO, cast

_LOCKED = (".db", ".db-shm")
"""How files end that SQLite locks."""
_OPEN: dict[int, int] = {}
"""Who reads of each descriptor now."""
_TURN = Lock()


@contextmanager
def bytes_of(path: Path) -> Iterator[BinaryIO]:
    """To be read from its first byte on; `FileNotFoundError` where it is gone."""
    if not path.name.endswith(_LOCKED) or not hasattr(os, "pread"):
        with path.open("rb") as file:
            yield file
        return
    let_go_of_what_is_gone()
    with _TURN:
        descriptor = _of(path)
        _OPEN[descriptor] += 1
    try:
        yield cast("BinaryIO", io.BufferedReader(_Bytes(descriptor)))
    finally:
        with _TURN:
            _OPEN[descriptor] -= 1
        let_go_of_what_is_gone()


def let_go_of_what_is_gone() -> None:
    """To be called by who takes a database away: as long as it is open here, it takes its room on the disk."""
    with _TURN:
        for descriptor in [one for one, readers in _OPEN.items() if not readers and not os.fstat(one).st_nlink]:
            del _OPEN[descriptor]
            os.close(descriptor)


def _of(path: Path) -> int:
    """The descriptor of that file that is open already, or a new one."""
    wanted = path.stat()
    for descriptor in _OPEN:
        if os.path.samestat(os.fstat(descriptor), wanted):
            return descriptor
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    _OPEN[descriptor] = 0
    return descriptor


class _Bytes(io.RawIOBase):
    """Of a descriptor, which several may read at once and none of them closes."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._place = descriptor, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]  # as a BufferedReader calls it
        data = os.pread(self._descriptor, len(buffer), self._place)
        buffer[: len(data)] = data
        self._place += len(data)
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        begin = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: os.fstat(self._descriptor).st_size}[whence]
        self._place = begin + offset
        return self._place
