"""Who writes a store: one process at a time, held by the kernel (flock; on Windows a locked byte).

The lock ends with its process, however that ends, and is not inherited by children. Its file is never deleted; what
stands in it names the holder to people, and to other kernels: two of them (a virtual machine and its host) may share a
folder and not each other's locks, so a holder also touches the file every few seconds.

Cheap to import: a daemon takes it before it loads anything.
"""

from __future__ import annotations

import errno
import os
import platform
import sys
from contextlib import suppress
from pathlib import Path
from weakref import WeakSet

LOCK = "lock"
ROLES = ("daemon", "program")
BEAT = 5.0
"""Seconds between two touches."""
MISSED = 3 * BEAT
"""A holder that has not touched the file for so long is not well."""


class Holder:
    """What a lock's file says of its last holder."""

    def __init__(self, text: str) -> None:
        words = [*text.split(" ", 3), "", "", "", ""]
        self.pid, self.role, self.kernel, self.program = 0, "", "", ""
        if words[0].isdigit() and words[1] in ROLES:
            self.pid = int(words[0])
            self.role, self.kernel, self.program = words[1:4]

    def __str__(self) -> str:
        return f"process {self.pid} ({self.program})" if self.pid else "another process"


class Lock:
    """A lock that is held until `release`."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path, self._descriptor = path, descriptor
        self._kept: dict[Path, tuple[int, int]] = {}
        self._unsigned = ""
        _mine.add(self)

    def lose(self) -> None:
        """In a forked child: the lock is its parent's, and ends with that one, not with this."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def sign(self, role: str) -> None:
        """Says who holds it: a `daemon`, or another `program`. Where the disk has no room for that it is a lock all the
        same, and signed at a later beat."""
        self._unsigned = role
        text = f"{os.getpid()} {role} {kernel()} {_program()}".encode("utf-8", "replace")
        with suppress(OSError):
            os.ftruncate(self._descriptor, 0)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            if os.write(self._descriptor, text) == len(text):
                self._unsigned = ""

    def beat(self) -> None:
        """Shows that its holder is alive."""
        if self._descriptor < 0:
            return
        if self._unsigned:
            self.sign(self._unsigned)
        os.utime(self._descriptor if os.utime in os.supports_fd else self._path)

    def still_there(self) -> bool:
        """Whether the lock is on the file others would lock: not when the store was deleted or moved away."""
        return self._descriptor >= 0 and _same(self._descriptor, self._path)

    def keeps(self, *paths: Path) -> None:
        """These files are open now, and the lock is there for their sake. They are looked at by their names: who opened
        one twice and closed it once would lose what SQLite has locked of it."""
        self._kept = {path: _identity(path) for path in paths}

    def lost(self) -> str:
        """What became of the store beside its holder, as the end of a sentence; empty where nothing did."""
        if not self.still_there():
            return "it was deleted or moved away"
        for path, found in self._kept.items():
            try:
                now = _identity(path)
            except OSError:
                return f"its {path.name} was removed or moved away while process {os.getpid()} had it open"
            if now != found:
                return f"its {path.name} was replaced while process {os.getpid()} had it open"
        return ""

    def release(self) -> None:
        """Gives it back, with nothing in it. Where the disk refuses that, its last holder stands in it."""
        with suppress(OSError):
            if self._descriptor >= 0:
                os.ftruncate(self._descriptor, 0)
        self.leave()

    def leave(self) -> None:
        """Gives it back as it was found, even where a forked child still has the file open. Once is enough."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor < 0:
            return
        try:
            if sys.platform != "win32":
                import fcntl

                fcntl.flock(descriptor, fcntl.LOCK_UN)
        finally:
            os.close(descriptor)


_mine: WeakSet[Lock] = WeakSet()


def _lose_all() -> None:
    for lock in _mine:
        lock.lose()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_lose_all)


def take(folder: Path) -> Lock | None:
    """The lock, unsigned; None while another process has it. OSError where there can be none."""
    descriptor = locked(folder / LOCK)
    return None if descriptor is None else Lock(folder / LOCK, descriptor)


def locked(path: Path) -> int | None:
    """The open file, locked until it is closed; None while another process has it."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        is_mine = is_there = False
        try:
            is_mine = _taken(descriptor)
            is_there = is_mine and _same(descriptor, path)
        finally:
            if not is_there:
                os.close(descriptor)
        if is_there:
            return descriptor
        if not is_mine:
            return None
        # The file was removed between the two steps: this lock would keep nobody out.


def is_held(folder: Path) -> bool:
    """Whether a process has the lock now. Looks in a way that makes nothing and takes it from nobody; a starter that
    wants it in the same instant tries again."""
    if sys.platform == "win32":  # pragma: no cover
        return holder(folder).pid != 0
    import fcntl

    try:
        descriptor = os.open(folder / LOCK, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def holder(folder: Path) -> Holder:
    """Who holds the lock, or held it last."""
    try:
        return Holder((folder / LOCK).read_text(encoding="utf-8", errors="replace")[:1000])
    except OSError:
        return Holder("")


def beaten(folder: Path) -> float:
    """When the lock was last touched, in seconds since 1970; 0 when there is none."""
    try:
        return (folder / LOCK).stat().st_mtime
    except OSError:
        return 0.0


def kernel() -> str:
    """What tells this running kernel from others."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return platform.node().replace(" ", "-") or "unknown"


def _same(descriptor: int, path: Path) -> bool:
    """Whether the open file is the one that has that name now."""
    mine = os.fstat(descriptor)
    try:
        return (mine.st_dev, mine.st_ino) == _identity(path)
    except OSError:
        return False


def _identity(path: Path) -> tuple[int, int]:
    """What tells the file of that name from another that takes its place."""
    facts = path.stat()
    return facts.st_dev, facts.st_ino


def _taken(descriptor: int) -> bool:
    if sys.platform == "win32":  # pragma: no cover
        import msvcrt

        os.lseek(descriptor, 1 << 20, os.SEEK_SET)  # a byte beyond the text, which others must be able to read
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return False
        raise
    return True


def _program() -> str:
    """The program and its command, and nothing of what it was told: that may be a secret."""
    words = [Path(sys.argv[0]).name or "python", *sys.argv[1:2]]
    return " ".join(word for word in words if word.replace("-", "").replace("_", "").replace(".", "").isalpha())
