"""What an export goes to: a file has its name only when it is whole, and nothing else is ever written over."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from glob import escape
from pathlib import Path
from typing import BinaryIO

from aftermind.cli.carrying.exporting import is_export
from aftermind.cli.editing.files import sync
from aftermind.engine.errors import Refused
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.lasting import refusal

PACKED = ".gz"
STALE = timedelta(days=1)
"""A part that was not written to for so long has lost its writer."""
_FIRST = 4096


@contextmanager
def target(path: Path) -> Iterator[Callable[[bytes], object]]:
    """A way to write the file, packed where its name ends in .gz; it is there, synced and its owner's alone, when the
    block ends, and as it was before where the block fails. What is no file, a pipe or a device, is written into, and
    stays what it is; so does a link. `Refused` where something else stands in its place."""
    path = path.expanduser().absolute()
    _must_be_ours(path)
    try:
        with _into(path) if _is_no_file(path) else _in_its_place(Path(os.path.realpath(path))) as file:
            if path.suffix == PACKED:
                with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed:
                    buffered = io.BufferedWriter(packed, 1 << 18)
                    yield buffered.write
                    buffered.flush()
            else:
                yield file.write
    except OSError as error:
        raise refusal(error, path) from error


@contextmanager
def _in_its_place(path: Path) -> Iterator[BinaryIO]:
    """A new file, which has the name when it is whole and on the disk."""
    name = path.name[:200]
    _clear(path.parent, name)
    part = path.with_name(f".{name}.{os.getpid()}.part")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        with os.fdopen(os.open(part, flags, 0o600), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        sync(path.parent)
    finally:
        part.unlink(missing_ok=True)


def _clear(folder: Path, name: str) -> None:
    """Takes away what killed exports to that name have left: all that is known may stand in it."""
    for part in folder.glob(f".{escape(name)}.[0-9]*.part"):
        with suppress(OSError):  # gone already, or no file
            if part.lstat().st_mtime <= (Stamp().now() - STALE).timestamp():
                part.unlink()


@contextmanager
def _into(path: Path) -> Iterator[BinaryIO]:
    """What is there, to be written on; a pipe waits for its reader."""
    with os.fdopen(os.open(path, os.O_WRONLY | getattr(os, "O_CLOEXEC", 0)), "wb") as file:
        yield file


def _is_no_file(path: Path) -> bool:
    return path.exists() and not path.is_file()


def _must_be_ours(path: Path) -> None:
    try:
        if path.is_dir():
            raise Refused(f"{path} is a folder", hint=f"name a file: `aftermind export {path / 'events.jsonl'}`")
        if not path.exists() or _is_no_file(path) or path.stat().st_size == 0:
            return
        with gzip.open(path, "rb") if path.suffix == PACKED else path.open("rb") as file:
            ours = is_export(file.read(_FIRST))
    except (OSError, EOFError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise refusal(error, path) from error
        ours = False
    if not ours:
        raise Refused(f"{path} is there already, and is no export of events", hint="name another file")
