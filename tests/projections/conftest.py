"""The fixtures of `tests/opened.py`: a store behind the public API, and a clock a test can turn."""

from tests.opened import clock, folder, memory, stamp

__all__ = ["clock", "folder", "memory", "stamp"]
