"""The dot products of many rows and a vector, by two threads that begin at its two ends and know nothing of each other.

Who comes to what the other has done is through, and computes what the other is about to: nobody waits. The parts are
the same whoever computes them, and so are their numbers, to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float32]

PART = 1_024
"""Rows at a time, the last ones with what is left: a tenth of a millisecond or two, without the interpreter's lock."""


class Product:
    """`rows` has the shape (n, d), `query` (d,)."""

    def __init__(self, rows: Numbers, query: Numbers) -> None:
        self.rows, self.query = rows, query
        self._found = np.empty(len(rows), np.float32)
        self._done = [False] * max(1, len(rows) // PART)

    def forth(self) -> None:
        """From the first on, as far as nobody was there."""
        for number in range(len(self._done)):
            if self._done[number]:
                return
            self._compute(number)

    def back(self) -> Numbers:
        """All, shape (n,): from the last on those that nobody has computed yet."""
        for number in reversed(range(len(self._done))):
            if not self._done[number]:
                self._compute(number)
        return self._found

    def _compute(self, number: int) -> None:
        # A last part of one row would be multiplied in another way, with another last bit.
        end = len(self.rows) if number == len(self._done) - 1 else (number + 1) * PART
        part = slice(number * PART, end)
        # Not into its place at once: what adds up there, while the other does the same, adds up to twice as much.
        self._found[part] = self.rows[part] @ self.query
        self._done[number] = True
