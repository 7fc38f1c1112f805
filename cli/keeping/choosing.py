"""Which backups there are of a store, and which of them somebody means."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.cli.keeping.parting import Compared, compared
from aftermind.cli.terminal.tables import counted
from aftermind.engine.backups.backup import MANIFEST, NAME, Backup, BackupDamaged, found, one, verified
from aftermind.engine.backups.registry import backups_of
from aftermind.engine.errors import NoneYet, NotFound, Refused
from aftermind.engine.store.folder import plain

NEWEST = "latest"
State: TypeAlias = Literal["complete", "verified", "damaged", "unreachable"]
"""`complete`: its list says so; `verified`: every byte and every link was read."""


class Shown(Struct, frozen=True, kw_only=True):
    """One backup, or a folder that cannot be reached, as it is told."""

    path: str
    state: State
    made: str = ""
    events: int = 0
    head: int = 0
    spooled: int = 0
    store: str = ""
    why: str = ""


def all_of(store: Path, only: Path | None = None) -> tuple[list[Backup], list[Shown]]:
    """The backups of a store, oldest first, and what is to be said of those that cannot be used."""
    backups: list[Backup] = []
    unusable: list[Shown] = []
    for folder in backups_of(store) if only is None else [only]:
        if not folder.is_dir():
            unusable.append(Shown(path=str(folder), state="unreachable", why="there is no such folder now"))
            continue
        whole, damaged = found(folder)
        backups += whole
        unusable += [Shown(path=str(error.backup), state="damaged", why=error.why) for error in damaged]
    return sorted(backups, key=lambda backup: (backup.manifest.made, backup.path.name)), unusable


def shown(backup: Backup, state: State = "complete", why: str = "") -> Shown:
    manifest = backup.manifest
    return Shown(
        path=str(backup.path),
        state=state,
        made=manifest.made.isoformat(),
        events=manifest.events,
        head=manifest.head,
        spooled=len(manifest.spool),
        store=manifest.store,
        why=why,
    )


def looked_at(backup: Backup, told: Callable[[int], None]) -> Shown:
    """The backup, every byte of it read."""
    try:
        verified(backup, lambda rows: told(len(rows)))
    except BackupDamaged as error:
        return shown(backup, "damaged", error.why)
    return shown(backup, "verified")


def means_a_backup(word: str) -> bool:
    """Whether a word names a backup, and not a memory."""
    return word == NEWEST or NAME.fullmatch(word) is not None or re.search(r"[/\\.~]", word) is not None


def chosen(store: Path, word: str, told: Callable[[str], object] = lambda _: None) -> Backup:
    """The backup that is meant: its folder, its name, a folder of backups (the newest in it), `latest` (of all). Of
    several it is the newest that has the store's own history, and `told` hears of a newer one that has another.
    `NotFound`, `BackupDamaged`; `Refused` where `latest` has nothing but another history."""
    hint = "`aftermind backup --list` lists them"
    backups, unusable = all_of(store)
    backups_known = bool(backups or unusable)
    if word != NEWEST and not NAME.fullmatch(word):
        path = plain(Path(word))
        if (path / MANIFEST).exists():
            return one(path)
        backups, unusable = all_of(store, path)
    elif word != NEWEST:
        backups = [backup for backup in backups if backup.path.name == word]
        unusable = [other for other in unusable if Path(other.path).name == word]
    if backups:
        return _newest(store, backups, told, must_be_own=word == NEWEST)
    if broken := [other for other in unusable if other.state == "damaged"]:
        raise BackupDamaged(Path(broken[-1].path), broken[-1].why)
    if not backups_known and word == NEWEST:
        raise NoneYet("backup", f"of {store}", hint="`aftermind backup` makes one")
    raise NotFound("backup", word, hint=hint)


def _newest(store: Path, backups: Sequence[Backup], told: Callable[[str], object], *, must_be_own: bool) -> Backup:
    """Without a log that can be read, the newest of this folder's, else of all."""
    newest = backups[-1]
    if (first := compared(store, newest)) is None:
        own = [backup for backup in backups if backup.manifest.store == str(store)]
        return own[-1] if own else newest
    if not first.parted:
        return newest
    for backup in reversed(backups[:-1]):
        beside = compared(store, backup)
        if beside is not None and not beside.parted:
            takes = f"`aftermind restore {newest.path}` takes it all the same"
            told(f"A newer backup is passed over: {other_history(newest, first)}; {takes}.")
            return backup
    if must_be_own:
        raise Refused(other_history(newest, first), hint=f"`aftermind restore {newest.path}` takes it all the same")
    return newest


def other_history(backup: Backup, beside: Compared) -> str:
    """What is to be said of one that parted from the store's log."""
    where = f"they part after position {beside.shared:,}" if beside.shared else "they have not one event in common"
    whose = f"{backup.path}, of {backup.manifest.store}"
    alone = f"{counted(beside.beyond, 'event')} {'is' if beside.beyond == 1 else 'are'} in the log alone"
    return f"{whose}, has another history than this store: {where}, and {alone}"
