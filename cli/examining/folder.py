"""The store's folder: can it be one, is it its owner's alone, is there room."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from aftermind.cli.doors import BIN
from aftermind.cli.examining.finding import Finding, fault, note, ok, warning
from aftermind.cli.store_folder.belongings import belongings
from aftermind.cli.terminal.tables import counted
from aftermind.engine.errors import StoreUnusable
from aftermind.engine.store.folder import fit_folder

FEW, HARDLY_ANY = 200_000_000, 5_000_000
"""Bytes of free space that are worth a warning, and those with which the next write may fail."""
NAMED = 5
"""Files that are named to a person; a program gets all of them."""
BEGIN = "`aftermind remember TEXT` begins one"
ELSEWHERE = "AFTERMIND_HOME=FOLDER names another place"


def folder_found(folder: Path) -> Finding:
    """Whether it can hold a store."""
    values: dict[str, str | bool] = {"folder": str(folder)}
    try:
        mode = folder.stat().st_mode & 0o777
    except FileNotFoundError:
        if folder.is_symlink():
            return fault("folder", f"{folder} is a link, and what it points to is gone", values, mend=ELSEWHERE)
        return note("folder", f"there is no store in {folder} yet", {**values, "exists": False}, BEGIN)
    except OSError:
        mode = 0  # what follows says why
    try:
        fit_folder(folder, make=False)
    except StoreUnusable as error:
        return fault("folder", str(error), values, mend=error.hint)
    values |= {"mode": f"{mode:04o}"}
    close = f"`chmod 700 {quote(str(folder))}`"
    if mode & 0o700 != 0o700:
        return fault("folder", f"{folder} is closed to yourself (mode {mode:04o})", values, mend=close)
    if not os.access(folder, os.W_OK | os.X_OK):  # as where its disk was mounted to be read
        found = f"{folder} is read-only: nothing can be recorded in it, and nothing asked of it"
        return fault("folder", found, values, mend=f"let it be written, or {ELSEWHERE}")
    there = belongings(folder)
    if there.foreign and not there.ours:
        found = f"{folder} holds no store and is not empty ({named(there.foreign, folder)}): none is begun in it"
        return warning("folder", found, values, mend=ELSEWHERE)
    if not there.ours:
        return note("folder", f"{folder} is empty: there is no store in it yet", values, BEGIN)
    if hasattr(os, "geteuid") and mode & 0o077:
        return warning("folder", f"{folder} is open to others (mode {mode:04o})", values, mend=close)
    return ok("folder", f"{folder} is yours alone (mode {mode:04o})", values)


def permissions_found(folder: Path) -> Finding:
    """Whether what is in it is its owner's alone, and its owner can use it. A thin door's copy holds no secret."""
    if not hasattr(os, "geteuid"):
        return ok("permissions", "this system has no modes to look at")
    anothers: list[Path] = []
    closed: list[Path] = []
    open_: list[Path] = []
    ours = belongings(folder).ours
    for path in ours:
        try:
            facts = path.lstat()
        except FileNotFoundError:  # its writer took it away meanwhile
            continue
        if stat.S_ISLNK(facts.st_mode):
            continue
        if facts.st_uid != os.geteuid():
            anothers.append(path)
        elif stat.S_IMODE(facts.st_mode) & (needed := 0o700 if stat.S_ISDIR(facts.st_mode) else 0o600) != needed:
            closed.append(path)
        elif facts.st_mode & 0o077 and BIN not in (path.name, path.parent.name):
            open_.append(path)
    values = {
        "anothers": _names(anothers, folder),
        "closed": _names(closed, folder),
        "open_to_others": _names(open_, folder),
    }
    place = quote(str(folder))
    if anothers:
        found = f"another user's, perhaps since a run with sudo: {named(anothers, folder)}"
        return fault("permissions", found, values, mend=f"`sudo chown -R {os.geteuid()} {place}`")
    if closed:
        return fault(
            "permissions", f"closed to yourself: {named(closed, folder)}", values, mend=f"`chmod -R u+rwX {place}`"
        )
    if open_:
        return warning("permissions", f"open to others: {named(open_, folder)}", values, mend=f"`chmod -R go= {place}`")
    return ok("permissions", f"{counted(len(ours), 'file')} and folders, none open to others", values)


def disk_found(folder: Path) -> Finding:
    """The room where the store is, or would be."""
    place = next(place for place in (folder, *folder.parents) if place.exists())
    usage = shutil.disk_usage(place)
    return space_found(free=usage.free, total=usage.total)


def space_found(*, free: int, total: int) -> Finding:
    found, values = f"{megabytes(free)} of {megabytes(total)} are free", {"free": free, "total": total}
    mend = "free some space; what is recorded is safe, what comes may be refused"
    if free < HARDLY_ANY:
        return fault("disk", found, values, mend=mend)
    return warning("disk", found, values, mend=mend) if free < FEW else ok("disk", found, values)


def megabytes(count: int) -> str:
    if count < 1e5:
        return f"{count / 1e3:,.1f} kB"
    return f"{count / 1e9:,.1f} GB" if count >= 1e9 else f"{count / 1e6:,.1f} MB"


def named(paths: Sequence[Path], folder: Path) -> str:
    """The first of them by name, and how many more there are."""
    more = f" and {len(paths) - NAMED:,} more" if len(paths) > NAMED else ""
    return ", ".join(_names(paths[:NAMED], folder)) + more


def _names(paths: Sequence[Path], folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in paths]
