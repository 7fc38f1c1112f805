"""What is written here lasts: a small file is there whole or not at all, whatever is cut off when, and its owner's
alone. Nobody else in this folder asks the disk for that, or says what it refused, but who appends to an open file."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from aftermind.engine.errors import AftermindError, DiskFailed, DiskFull

NEW = ".new"
"""What a file is called until it is whole."""
FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


def put(path: Path, data: bytes) -> None:
    """The file holds this, durable when this returns, and what it held before until then. `DiskFull`, `DiskFailed`."""
    beside = path.with_name(path.name + NEW)
    with said(path):
        try:
            with os.fdopen(made(beside), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except BaseException:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
            raise
        synced(path.parent)


def made(path: Path) -> int:
    """A new empty file, open to be written, its owner's alone. What was there is replaced, and no link is followed."""
    with suppress(FileNotFoundError):
        path.unlink()
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)


def flushed(path: Path) -> None:
    """The bytes of a file that somebody else wrote last."""
    with said(path), path.open("rb+") as file:
        os.fsync(file.fileno())


def synced(folder: Path) -> None:
    """The names in the folder last."""
    if os.name == "nt":  # a folder cannot be synced there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def said(path: Path) -> Iterator[None]:
    """The system's refusals as ours."""
    try:
        yield
    except OSError as error:
        raise refusal(error, path) from error


def refusal(error: OSError, path: Path) -> AftermindError:
    if error.errno in FULL:
        return DiskFull(path, limit=largest() if error.errno == errno.EFBIG else None)
    return DiskFailed(path, error.strerror or str(error))


def largest() -> int | None:
    """Bytes that a file of this process may have; None where nobody limits that."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def limit_reached(files: Iterable[Path], more: int) -> int | None:
    """`largest`, where one of those files has no room for so many bytes more."""
    limit = largest()
    with suppress(OSError):  # one is gone by now
        if limit is not None and any(file.exists() and file.stat().st_size + more > limit for file in files):
            return limit
    return None
