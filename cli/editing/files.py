"""Other programs' files on the disk: looked at, replaced whole, put back.

Guarantee: at every instant, also of a power cut, a file is its old self or its new self, with the mode, the owner and
the attributes it had. A link stays a link and what it points to is edited. What cannot be done so is refused before
anything is written, with what is in the way.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from aftermind.engine.errors import AftermindError
from aftermind.engine.store.lasting import synced

LARGEST = 16_000_000
"""Bytes of a configuration file. What is larger is no configuration."""


class NotEdited(AftermindError):
    """A file of another program's that is left as it is."""

    status = 5

    def __init__(self, path: Path, why: str, *, hint: str = "", line: int = 0) -> None:
        self.path, self.why, self.line = path, why, line
        self.hint = hint or "mend that and run the command again; nothing of this file was changed"
        super().__init__(f"{path}{f', line {line}' if line else ''}: {why}")


class Seen(Struct, frozen=True, kw_only=True):
    """A file as it was found. `content` is None where there is none."""

    path: Path
    """As it is called."""
    target: Path
    """Where it really is: what a link points to."""
    content: bytes | None = None
    mode: int = 0
    owner: tuple[int, int] = (-1, -1)

    @property
    def digest(self) -> str | None:
        return None if self.content is None else digest_of(self.content)


def digest_of(content: bytes) -> str:
    return sha256(content).hexdigest()


def seen(path: Path) -> Seen:
    """What is there. `NotEdited` for what is no file, cannot be read, or is a link to nothing."""
    try:
        target = path.resolve(strict=False)
        facts = target.stat()
    except FileNotFoundError:
        if path.is_symlink():
            hint = "make that file, or take the link away"
            raise NotEdited(path, f"it is a link to {path.readlink()}, and nothing is there", hint=hint) from None
        return Seen(path=path, target=target)
    except (OSError, RuntimeError) as error:  # links in a circle
        raise _refused(path, "read", error) from error
    if not stat.S_ISREG(facts.st_mode):
        raise NotEdited(path, "it is a folder" if stat.S_ISDIR(facts.st_mode) else "it is no plain file")
    if facts.st_size > LARGEST:
        raise NotEdited(path, f"it has {facts.st_size:,} bytes, which is no configuration")
    try:
        content = target.read_bytes()
    except OSError as error:
        raise _refused(path, "read", error) from error
    return Seen(
        path=path,
        target=target,
        content=content,
        mode=stat.S_IMODE(facts.st_mode),
        owner=(facts.st_uid, facts.st_gid),
    )


def text_of(there: Seen) -> str:
    """Its text, byte-order mark and line endings included; `NotEdited` names the line that is not UTF-8."""
    content = there.content or b""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        hint = "save it as UTF-8 and run the command again"
        raise NotEdited(there.path, "it is not UTF-8 text", hint=hint, line=line) from error


def must_be_writable(there: Seen) -> None:
    """`NotEdited` for what its owner has closed, or what could only be replaced by parting it from its other names."""
    folder = there.target.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        raise NotEdited(there.path, f"{folder} is no folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise NotEdited(there.path, f"you may not write in {folder}")
    if there.content is None:
        return
    if not there.mode & 0o222 or not os.access(there.target, os.W_OK):
        hint = f"`chmod u+w '{there.target}'`, if it is yours to change"
        raise NotEdited(there.path, "it is read-only", hint=hint)
    if there.target.stat().st_nlink > 1:
        own = f"cp -p '{there.target}' '{there.target}.own' && mv '{there.target}.own' '{there.target}'"
        hint = f"`{own}` makes it a file of its own; or let the one be a symbolic link to the other"
        raise NotEdited(there.path, "it has several names (hard links), which an edit would part", hint=hint)


def missing_folders(path: Path) -> list[Path]:
    """Those that have to be made for it, the outermost first."""
    found: list[Path] = []
    for folder in path.parents:
        if folder.exists():
            break
        found.insert(0, folder)
    return found


def beside(target: Path, store: Path) -> Path:
    """Where the new content is written first. One name a store, so that who was killed leaves one file, and the next
    run takes it."""
    return target.with_name(f".{target.name}.aftermind-{digest_of(os.fsencode(store))[:8]}")


def write(there: Seen, content: bytes, store: Path, *, mode: int = 0o600) -> None:
    """The file has that content, durably; a new one that mode, as far as the user's mask allows."""
    half = beside(there.target, store)
    try:
        there.target.parent.mkdir(parents=True, exist_ok=True)
        half.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(half, flags, mode if there.content is None else 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                _keep_facts(file.fileno(), half, there)
                file.flush()
                os.fsync(file.fileno())
            half.replace(there.target)
        finally:
            half.unlink(missing_ok=True)
        sync(there.target.parent)
    except OSError as error:
        raise _refused(there.path, "written", error) from error


def _keep_facts(descriptor: int, half: Path, there: Seen) -> None:
    if there.content is None:
        return
    if hasattr(os, "fchown"):
        mine = os.fstat(descriptor)
        if (mine.st_uid, mine.st_gid) != there.owner:
            os.fchown(descriptor, *there.owner)
        os.fchmod(descriptor, there.mode)
        for name in os.listxattr(there.target) if hasattr(os, "listxattr") else ():
            with suppress(OSError):  # some are the system's alone
                os.setxattr(descriptor, name, os.getxattr(there.target, name))
    else:  # pragma: no cover
        half.chmod(there.mode)


def remove(there: Seen) -> None:
    try:
        there.target.unlink(missing_ok=True)
        sync(there.target.parent)
    except OSError as error:
        raise _refused(there.path, "removed", error) from error


def sync(folder: Path) -> None:
    """Its names last, where the system can promise that."""
    with suppress(OSError):
        synced(folder)


def _refused(path: Path, what: str, error: OSError | RuntimeError) -> NotEdited:
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return NotEdited(path, f"it cannot be {what}: {why}")
