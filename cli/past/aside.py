"""A folder for what is known for a moment only: views of the past, gone when they are not needed any more.

It lies in the store's folder, which is its owner's alone, so that no text is left anywhere else; of a store that
cannot be written, where the system keeps such folders. Each holds a lock as long as it is used; what a killed program
left behind, here or there, is taken away by the next that needs one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from stat import S_ISDIR
from tempfile import gettempdir, mkdtemp

from aftermind.engine.store.lock import Lock, take

PAST = "past"
PREFIX = "then-"
OUTSIDE = f"aftermind-{PREFIX}"


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
    """Takes away what killed programs have left in a store, or beside it; how many folders that were. Those in use
    stay."""
    gone, past = 0, folder / PAST
    for left in (*_within(past), *_elsewhere()):
        try:
            lock = take(left)
        except OSError:
            continue  # another takes it away just now, or it is not ours to touch
        if lock is None:
            continue
        rmtree(left, ignore_errors=True)
        lock.leave()
        gone += 1
    if not past.is_symlink():
        _gone_if_empty(past)
    return gone


def _within(past: Path) -> list[Path]:
    if past.is_symlink() or not past.is_dir():
        return []
    return [left for left in past.glob(f"{PREFIX}*") if left.is_dir() and not left.is_symlink()]


def _elsewhere() -> list[Path]:
    """Where the system keeps such folders: those of this user, that nobody else could have put there."""
    found = []
    for left in Path(gettempdir()).glob(f"{OUTSIDE}*"):
        with suppress(OSError):
            facts = left.lstat()
            is_ours = not hasattr(os, "geteuid") or facts.st_uid == os.geteuid()
            if S_ISDIR(facts.st_mode) and is_ours and not facts.st_mode & 0o077:
                found.append(left)
    return found


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
            place = Path(mkdtemp(prefix=OUTSIDE))
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
