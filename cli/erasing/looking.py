"""Thousands of byte strings looked for at once, in files of any size. Blocks; numpy does it, so other threads go on.

The first four bytes of each are looked up in a table of a million for every place of the data; the few places that are
left are compared in full.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK = 8 * 1024 * 1024
"""Bytes that are read at once."""
LEAST = 4
_MIX = np.uint32(2654435761)


class Looking:
    """For these byte strings, of at least four bytes each."""

    def __init__(self, needles: Collection[bytes]) -> None:
        self._by_start: dict[int, list[bytes]] = {}
        self.needles = frozenset(needles)
        self.longest = max(map(len, needles), default=0)
        for needle in needles:
            if len(needle) < LEAST:
                raise ValueError(f"{len(needle)} bytes are too few to be looked for")
            self._by_start.setdefault(int.from_bytes(needle[:4], "little"), []).append(needle)
        starts = np.array(sorted(self._by_start), np.uint32)
        self._starts = starts
        self._table = np.zeros(1 << 20, bool)
        if len(starts):
            self._table[_mixed(starts)] = True

    def found(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Each of them that is there, as often as it is, and where."""
        for place, start in self._places(data):
            for needle in self._by_start[start]:
                if data[place : place + len(needle)] == needle:
                    yield place, needle

    def _places(self, data: bytes) -> Iterator[tuple[int, int]]:
        if len(data) < LEAST or not len(self._starts):
            return
        for offset in range(4):
            count = (len(data) - offset) // 4
            words: NDArray[np.uint32] = np.frombuffer(data, "<u4", count, offset)
            few = np.flatnonzero(self._table[_mixed(words)])
            few = few[np.isin(words[few], self._starts)]
            for index in few.tolist():
                yield index * 4 + offset, int(words[index])

    def in_file(self, path: Path, *, lower: bool = False) -> frozenset[bytes]:
        """Which of them are in a file; none where it is gone. `lower`: ASCII letters are read as small ones."""
        said: set[bytes] = set()
        keep = max(self.longest - 1, 0)
        try:
            with path.open("rb") as file:
                before = b""
                while data := file.read(CHUNK):
                    whole = before + (data.lower() if lower else data)
                    said.update(needle for _, needle in self.found(whole))
                    before = whole[-keep:] if keep else b""
        except FileNotFoundError:
            return frozenset()
        return frozenset(said)


def _mixed(words: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return (words * _MIX) >> np.uint32(12)
