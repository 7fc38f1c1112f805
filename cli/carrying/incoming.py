"""The file beside the log in which a whole log is built before it takes its place."""

from __future__ import annotations

from pathlib import Path

INCOMING = "incoming.db"
FILES = ("", "-wal", "-shm", "-journal")


def discard(folder: Path) -> None:
    """What an interrupted import has left goes. For whoever has the store's lock."""
    for suffix in FILES:
        (folder / f"{INCOMING}{suffix}").unlink(missing_ok=True)
