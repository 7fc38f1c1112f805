"""One folder a store: is it fit to be one, and who writes it.

The lock is the kernel's (flock; on Windows a locked byte): it ends with its process, however that ends, and is not
inherited by children. Its file is never deleted; what stands in it only says whom to name in an error.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from aftermind.engine.errors import LogDamaged, StoreHeld, StoreUnusable

LOCK = "lock"
LOG = "log.db"
_POLL = 0.02
_REMOTE = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "fuse.sshfs", "fuse.rclone", "fuse.s3fs"})


def fit_folder(folder: Path, *, make: bool) -> Path:
    """The folder, made with mode 0700 if need be. Raises `StoreUnusable` for what cannot keep a promise."""
    folder = folder.expanduser().absolute()
    other = "AFTERMIND_HOME=FOLDER names another place"
    try:
        if make:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        facts = folder.stat()
        if not folder.is_dir():
            raise StoreUnusable(folder, "it is not a folder", hint=other)
    except FileNotFoundError:
        raise StoreUnusable(folder, "it does not exist", hint="`aftermind remember TEXT` makes it") from None
    except (NotADirectoryError, FileExistsError):
        raise StoreUnusable(folder, "it is not a folder", hint=other) from None
    except PermissionError as error:
        raise StoreUnusable(folder, f"{error.strerror}: {error.filename}", hint=other) from None
    except OSError as error:
        raise StoreUnusable(folder, error.strerror or str(error), hint=other) from error
    if hasattr(os, "geteuid") and facts.st_uid != os.geteuid():
        why = f"it belongs to the user {_user(facts.st_uid)}, and you are {_user(os.geteuid())}"
        raise StoreUnusable(folder, why, hint=other)
    if make:
        _ours_or_empty(folder, other)
        if hasattr(os, "geteuid") and facts.st_mode & 0o077:
            folder.chmod(0o700)
    if (mounted := _file_system(folder)) in _REMOTE:
        raise StoreUnusable(folder, f"it is on a network mount ({mounted}), where locks do not hold", hint=other)
    if make and not os.access(folder, os.W_OK | os.X_OK):
        raise StoreUnusable(folder, "it is read-only", hint=other)
    return folder


def _ours_or_empty(folder: Path, other: str) -> None:
    names = {path.name for path in folder.iterdir()}
    if names and not names & {LOG, LOCK} and not any(name.startswith("views") for name in names):
        shown = ", ".join(sorted(names)[:3])
        raise StoreUnusable(folder, f"it is not empty and holds no store ({shown} …)", hint=other)


@asynccontextmanager
async def sole_writer(folder: Path, patience: float) -> AsyncIterator[None]:
    """Holds the store's lock; waits up to `patience` seconds for it, then raises `StoreHeld` naming the holder."""
    path = folder / LOCK
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        why = f"{error.strerror}: {path.name}"
        raise StoreUnusable(folder, why, hint="AFTERMIND_HOME=FOLDER names another place") from error
    try:
        with anyio.move_on_after(patience):
            while not _taken(lock):
                await anyio.sleep(_POLL)
        if not _taken(lock):
            raise StoreHeld(folder, _holder(lock))
        os.ftruncate(lock, 0)
        _write(lock, f"{os.getpid()} {_program()}".encode("utf-8", "replace"))
        yield
    finally:
        _released(lock)
        os.close(lock)


def _taken(lock: int) -> bool:
    if sys.platform == "win32":  # pragma: no cover
        import msvcrt

        os.lseek(lock, 1 << 20, os.SEEK_SET)  # a byte beyond the text, which others must be able to read
        try:
            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return False
        raise
    return True


def _released(lock: int) -> None:
    """Gives the lock back even where a forked child still has the file open."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_UN)


def _holder(lock: int) -> str:
    os.lseek(lock, 0, os.SEEK_SET)
    pid, _, command = os.read(lock, 1000).decode("utf-8", "replace").partition(" ")
    return f"process {pid} ({command})" if pid else "another process"


def _program() -> str:
    """The program and its command, and nothing of what it was told: that may be a secret."""
    words = [Path(sys.argv[0]).name or "python", *sys.argv[1:2]]
    return " ".join(word for word in words if word.replace("-", "").replace("_", "").replace(".", "").isalpha())


def _user(uid: int) -> str:
    try:
        import pwd

        return pwd.getpwuid(uid).pw_name
    except (ImportError, KeyError):
        return str(uid)


def _file_system(folder: Path) -> str:
    """The type of the file system the folder is on, where the system tells it (Linux)."""
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    best, found = "", ""
    for mount in mounts:
        fields = mount.split(" ")
        if len(fields) < 3:
            continue
        point = fields[1].encode().decode("unicode_escape")
        inside = str(folder) == point or str(folder).startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, found = point, fields[2]
    return found


def _write(lock: int, text: bytes) -> None:
    os.lseek(lock, 0, os.SEEK_SET)
    os.write(lock, text)


def log_is_there(folder: Path, *, must_exist: bool = False) -> None:
    """A log that is gone or empty where views have grown from one was lost: nothing may be begun in its place."""
    log = folder / LOG
    size = log.stat().st_size if log.is_file() else 0
    if size == 0:
        if must_exist and not log.exists():
            raise StoreUnusable(folder, "there is no log in it", hint="`aftermind remember TEXT` begins one")
        if any(folder.glob("views*")):
            raise LogDamaged(log, 0, "it is missing or empty, but views were built from it")
