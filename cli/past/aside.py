"""A folder for what is known for a moment only: views of the past, gone when they are not needed any more.

It lies in the store's folder, which is its owner's alone, so that no text is left anywhere else. Each holds a lock as
long as it is used; what a killed program left behind is taken away by the next that needs one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from aftermind.engine.lock import Lock, take

PAST = "past"
PREFIX = "then-"


@contextmanager
def aside(folder: Path) -> Iterator[Path]:
    """A folder of one's own, mode 0700, removed with all that is in it when the block ends, however that is. Of a store
    that cannot be written it is where the system keeps such folders."""
    clear(folder)
    place, lock = _made(folder)
    try:
        yield place
    finally:
        rmtree(place, ignore_errors=True)
        lock.leave()
        _gone_if_empty(folder / PAST)


def clear(folder: Path) -> int:
    """Takes away what killed programs have left in a store; how many folders that were. Those in use stay."""
    past, gone = folder / PAST, 0
    if past.is_symlink() or not past.is_dir():
        return 0
    for left in past.glob(f"{PREFIX}*"):
        if left.is_symlink() or not left.is_dir():
            continue
        try:
            lock = take(left)
        except OSError:
            continue  # another takes it away just now, or it is not ours to touch
        if lock is None:
            continue
        rmtree(left, ignore_errors=True)
        lock.leave()
        gone += 1
    _gone_if_empty(past)
    return gone


def cleared(folder: Path) -> bool:
    """The same; whether nothing of the past is left now, because nobody looks at it."""
    clear(folder)
    past = folder / PAST
    return past.is_symlink() or not any(path.is_dir() for path in past.glob(f"{PREFIX}*"))


def _made(folder: Path) -> tuple[Path, Lock]:
    while True:
        try:
            (folder / PAST).mkdir(mode=0o700, exist_ok=True)
            if (folder / PAST).is_symlink():
                raise OSError("a link leads elsewhere")
            place = Path(mkdtemp(prefix=PREFIX, dir=folder / PAST))
        except FileNotFoundError:
            if folder.is_dir():
                continue  # another took the empty folder away just now
            raise
        except OSError:
            place = Path(mkdtemp(prefix=f"aftermind-{PREFIX}"))
        try:
            lock = take(place)
        except FileNotFoundError:
            continue  # another took it for a leftover, in the instant before it was locked
        if lock is not None:
            return place, lock


def _gone_if_empty(past: Path) -> None:
    try:
        past.rmdir()
    except OSError:
        return  # somebody else's is in it, or there is none
