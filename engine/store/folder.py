"""One folder a store: is it fit to be one, and may this process write it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import anyio

from aftermind.engine.errors import LogDamaged, StoreHeld, StoreUnusable
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.derived import CACHE_FILES, POINTER, generations
from aftermind.engine.store.lock import MISSED, Lock, beaten, holder, kernel, take

LOG, WAL = "log.db", "log.db-wal"
"""What is written first is in the second, until SQLite takes it over."""
_POLL = 0.02
_OTHER = "AFTERMIND_HOME=FOLDER names another place"
_BEFORE_A_STORE = re.compile(
    r"lock|run|logs|spool|bin|models|backups|past|\.?clients\.(json|lock)(\.new)?|\.gitignore|"
    rf"log\.db-.*|incoming\.db.*|{CACHE_FILES.pattern}|erased\.ids"
    r"|backups\.(lock|json(\.new|\.damaged)?)|restoring|set-aside-.*"
)
_DOOR = re.compile(r"\.?(hook|pipe|opencode(_[a-z]+)?)(\.pyc?|\.js)?(\.(new|\d+))?")
_REMOTE = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "fuse.sshfs", "fuse.rclone", "fuse.s3fs"}
    | {"vboxsf", "prl_fs", "fuse.osxfs", "fuse.grpcfuse", "fuse.vmhgfs-fuse"}  # a host's folder in its virtual machine
)


def plain(path: Path) -> Path:
    """The path from the root, without a way up in it."""
    path = path.expanduser().absolute()
    return path.resolve() if ".." in path.parts else path


def is_real_folder(path: Path) -> bool:
    """Not a link to one."""
    return path.is_dir() and not path.is_symlink()


def fit_folder(folder: Path, *, make: bool) -> Path:
    """The folder, made with mode 0700 if need be. Raises `StoreUnusable` for what cannot keep a promise."""
    folder = folder.expanduser().absolute()
    other = _OTHER
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
        raise read_only(folder)
    return folder


def read_only(folder: Path) -> StoreUnusable:
    return StoreUnusable(folder, "it is read-only", hint=_OTHER)


def _ours_or_empty(folder: Path, other: str) -> None:
    """Refuses somebody else's folder, whose path was mistyped: without a log or views, all that may be there is what a
    door or a starter made before there was a store, or a reset has left."""
    names = {path.name for path in folder.iterdir()}
    if LOG in names or POINTER in names or generations(folder):
        return
    if strange := strangers(folder):
        shown = ", ".join(sorted(strange)[:3])
        raise StoreUnusable(folder, f"it is not empty and holds no store ({shown} …)", hint=other)


def strangers(folder: Path) -> set[str]:
    """What keeps a store from being begun in a folder."""
    names = {path.name for path in folder.iterdir()}
    strange = {name for name in names if not _BEFORE_A_STORE.fullmatch(name)}
    if "bin" in names and any(not _DOOR.fullmatch(path.name) for path in (folder / "bin").iterdir()):
        strange.add("bin")
    return strange


async def taken(folder: Path, role: str, patience: float = 0.0) -> Lock | None:
    """The store's lock, signed; None when `patience` seconds were not enough. A folder another kernel is writing has a
    holder too, one this kernel's lock does not know of."""
    try:
        with anyio.move_on_after(patience):
            while (lock := take(folder)) is None:
                await anyio.sleep(_POLL)
        lock = lock or take(folder)
    except OSError as error:
        why = f"{error.strerror}: {Path(error.filename or folder).name}"
        raise StoreUnusable(folder, why, hint=_OTHER) from error
    return None if lock is None else signed(folder, lock, role)


def signed(folder: Path, lock: Lock, role: str) -> Lock:
    """The lock with this process's name in it; `StoreHeld` when another kernel is writing."""
    if elsewhere := _written_elsewhere(folder):
        lock.leave()
        raise StoreHeld(folder, elsewhere)
    lock.sign(role)
    return lock


def _written_elsewhere(folder: Path) -> str:
    """Another kernel's process, if one signed the lock and touched it a moment ago."""
    last = holder(folder)
    if not last.kernel or last.kernel == kernel():
        return ""
    age = Stamp().now().timestamp() - beaten(folder)
    return f"{last} on another machine or in a virtual one" if abs(age) < MISSED else ""


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
    best, found, real = "", "", os.path.realpath(folder)
    for mount in mounts:
        fields = mount.split(" ")
        if len(fields) < 3:
            continue
        point = re.sub(r"\\(040|011|012|134)", lambda match: chr(int(match[1], 8)), fields[1])
        inside = real == point or real.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, found = point, fields[2]
    return found


def log_is_there(folder: Path, *, must_exist: bool = False) -> None:
    """A log that is gone or empty where views have grown from one was lost: nothing may be begun in its place."""
    log = folder / LOG
    size = log.stat().st_size if log.is_file() else 0
    if size == 0:
        if (folder / POINTER).exists() or generations(folder):
            raise LogDamaged(log, 0, "it is missing or empty, but views were built from it", opens=False)
        if must_exist and not log.exists():
            raise StoreUnusable(folder, "there is no log in it", hint="`aftermind remember TEXT` begins one")
