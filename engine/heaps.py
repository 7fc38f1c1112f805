"""What the C library keeps of memory that was freed (glibc; elsewhere nothing is done).

Each thread has a heap of its own there, as long as there are few: what one thread freed is not given to another, and a
daemon of a dozen threads holds a third more than it uses.
"""

from __future__ import annotations

import sys
from contextlib import suppress

FEW = 2
_ARENA_MAX = -8
"""Of `mallopt`: see malloc.h."""


def few_heaps() -> None:
    """Threads that start from now on share these; those that wait for a database wait longer than for a heap."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).mallopt(_ARENA_MAX, FEW)


def give_back() -> None:
    """What is free goes back to the system: after a model was loaded, or a batch, 30 to 60 MB, which else stay."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
