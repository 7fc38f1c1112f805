"""The thin doors: one file each, standard library alone. Copies of them lie in the store's `bin/`, so that what a
client's configuration names survives an upgrade or the removal of this package."""

from __future__ import annotations

from pathlib import Path

BIN = "bin"
DOORS = ("hook.py",)


def copied(folder: Path) -> None:
    """The doors in `bin/` are those of this version."""
    bin = folder / BIN
    bin.mkdir(mode=0o700, exist_ok=True)
    for name in DOORS:
        own, copy = (Path(__file__).parent / name).read_bytes(), bin / name
        if not copy.exists() or copy.read_bytes() != own:
            beside = bin / f".{name}.new"
            beside.write_bytes(own)
            beside.replace(copy)
