"""What the C library keeps of memory that was freed (glibc; elsewhere nothing is done).

Each thread has a heap of its own there, as long as there are few: what one thread freed is not given to another, and a
daemon of a dozen threads holds a third more than it uses.
"""

from __future__ import annotations

import sys
from contextlib import suppress

FEW = 2
LARGE, KEPT = 4 * 2**20, 16 * 2**20
"""Bytes of what is taken from the system by itself, and goes back when it is freed; and of what a heap keeps at its
end. glibc would raise both with each large array that is freed: 30 MB of vectors, and what is as large later on leaves
holes in a heap."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Of `mallopt`: see malloc.h."""


def few_heaps() -> None:
    """Threads that start from now on share these; those that wait for a database wait longer than for a heap. What is
    large is in none of them."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):  # another C library
            for option, value in ((_ARENA_MAX, FEW), (_MMAP_THRESHOLD, LARGE), (_TRIM_THRESHOLD, KEPT)):
                ctypes.CDLL(None).mallopt(option, value)


def give_back() -> None:
    """What is free goes back to the system: after a model was loaded, or a batch, 30 to 60 MB, which else stay."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
