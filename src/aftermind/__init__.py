"""Aftermind: memory for AI coding assistants that learns from what happened next.

    async with aftermind.open_memory(folder) as memory:
        await memory.record(prompt="…", answer="…", session="s1", project=".")
        hits = await memory.recall("how do we deploy?", project=".")

Importing this package costs nothing: the names below are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = ["OpenMemory", "__version__", "open_log", "open_memory", "open_past"]

if TYPE_CHECKING:
    from aftermind.cli.house import OpenMemory, open_log, open_memory
    from aftermind.cli.past.opening import open_past


def __getattr__(name: str) -> object:
    if name in ("OpenMemory", "open_log", "open_memory"):
        from aftermind.cli import house

        return getattr(house, name)
    if name == "open_past":
        from aftermind.cli.past.opening import open_past

        return open_past
    raise AttributeError(f"module 'aftermind' has no attribute {name!r}")
