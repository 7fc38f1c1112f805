"""The token of the open port: a file of the store that its owner alone can read.

Clients, and what collects figures, name the file or are handed what is in it; so it stays the same until somebody wants
another.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from aftermind.engine.errors import StoreUnusable
from aftermind.engine.stamp import Stamp

FILE = "http.token"
BYTES = 32
_LONGEST = 200


def token_of(folder: Path, *, new: bool = False) -> str:
    """The store's token, made where there is none, or anew. `StoreUnusable` where the file is not ours alone: what
    others may read or may have written lets them in."""
    path = folder / FILE
    if not new and (found := _read(path)):
        return found
    made = Stamp().random(BYTES).hex()
    beside = folder / f".{FILE}.{os.getpid()}"
    try:
        beside.unlink(missing_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"{made}\n")
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        why = f"{FILE} cannot be written: {error.strerror}"
        raise StoreUnusable(folder, why, hint="`aftermind doctor` tells more") from error
    return made


def _read(path: Path) -> str:
    """What is in it; empty where there is no such file."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    hint = "`aftermind http token --new` makes another"
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            facts = os.fstat(file.fileno())
            others = hasattr(os, "geteuid") and (facts.st_uid != os.geteuid() or facts.st_mode & 0o077)
            if others or not stat.S_ISREG(facts.st_mode):
                raise StoreUnusable(path.parent, f"{FILE} is not a file of its owner's alone", hint=hint)
            said = file.read(_LONGEST).decode("ascii", "replace").strip()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise StoreUnusable(path.parent, f"{FILE} cannot be read: {error.strerror}", hint=hint) from error
    if not said.isalnum() or len(said) < BYTES:
        raise StoreUnusable(path.parent, f"{FILE} holds no token", hint=hint)
    return said


class Token:
    """What is in the file now: who makes another one locks out who knows the old one at once."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._seen: tuple[int, int, int] | None = None
        self._said = ""

    def now(self) -> str:
        """The token; empty where there is none that can be trusted, which nobody can say."""
        try:
            facts = self._path.lstat()
            if (seen := (facts.st_ino, facts.st_mtime_ns, facts.st_mode)) != self._seen:
                self._said, self._seen = _read(self._path), seen
        except (OSError, StoreUnusable):
            self._said, self._seen = "", None
        return self._said
