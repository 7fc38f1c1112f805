"""Thousands of byte strings looked for at once, in files of any size. Blocks; numpy does it, so other threads go on.

The first eight bytes of each (of a short one, four) are looked up in a table for every place of the data; the few
places that are left are compared in full.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from aftermind.engine.beside_sqlite import bytes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNKS = (64 * 1024, 512 * 1024, 4 * 1024 * 1024)
"""Bytes that are read at once: few at first, for what is everywhere is found there, and looked for no more."""
LEAST = 4
_BITS = 20
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Looking:
    """For these byte strings, of at least four bytes each."""

    def __init__(self, needles: Collection[bytes]) -> None:
        self.needles = frozenset(needles)
        if short := [needle for needle in self.needles if len(needle) < LEAST]:
            raise ValueError(f"{len(short[0])} bytes are too few to be looked for")
        self.longest = max(map(len, needles), default=0)
        long = [needle for needle in self.needles if len(needle) >= 8]
        self._starts = [_Starts(8, long), _Starts(4, self.needles.difference(long))]

    def found(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Each of them that is there, as often as it is, and where."""
        for starts in self._starts:
            yield from starts.found(data)

    def in_file(self, path: Path, *, lower: bool = False) -> frozenset[bytes]:
        """Which of them are in a file; none where it is gone. `lower`: ASCII letters are read as small ones."""
        looking, said, sizes = self, set[bytes](), chain(CHUNKS, repeat(CHUNKS[-1]))
        keep = max(self.longest - 1, 0)
        try:
            with bytes_of(path) as file:
                before = b""
                while looking.needles and (data := file.read(next(sizes))):
                    whole = before + (data.lower() if lower else data)
                    hits = {needle for _, needle in looking.found(whole)}
                    if hits:
                        said |= hits
                        looking = Looking(looking.needles - hits)
                    before = whole[-keep:] if keep else b""
        except FileNotFoundError:
            return frozenset()
        return frozenset(said)


class _Starts:
    """Those that are found by so many of their first bytes."""

    def __init__(self, width: Literal[4, 8], needles: Collection[bytes]) -> None:
        self._width = width
        self._by_start: dict[int, list[bytes]] = {}
        for needle in needles:
            self._by_start.setdefault(int.from_bytes(needle[:width], "little"), []).append(needle)
        self._sorted = np.array(sorted(self._by_start), np.uint64)
        self._table = np.zeros(1 << _BITS if self._by_start else 0, bool)
        self._table[_mixed(self._sorted)] = True

    def found(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        width = self._width
        if not self._by_start or len(data) < width:
            return
        for offset in range(width):
            count = (len(data) - offset) // width
            words: NDArray[np.uint64] = np.frombuffer(data, f"<u{width}", count, offset).astype(np.uint64)
            few = np.flatnonzero(self._table[_mixed(words)])
            nearest = np.searchsorted(self._sorted, words[few]).clip(max=len(self._sorted) - 1)
            few = few[self._sorted[nearest] == words[few]]
            for index, start in zip(few.tolist(), words[few].tolist(), strict=True):
                place = index * width + offset
                for needle in self._by_start[start]:
                    if data.startswith(needle, place):
                        yield place, needle


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return (words * _MIX) >> np.uint64(64 - _BITS)
