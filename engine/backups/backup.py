"""Backups of the log in a folder of their own, wherever that is: what is in it, and how it is told whole.

    segments/…events                pieces of the log (`segment.py`), shared by the backups that need them
    store-<UTC time>/backup.json    one backup: where the log ended, and the segments from its first event to there
    store-<UTC time>/spool/…json    what waited in the spool when it was made
    erased.ids                      what no backup in here may hold any more (`erased.py`)
    turn                            who writes here: the kernel's lock

A log only grows, so a later backup is an earlier one and what came since: it costs that. `backup.json` comes last and
makes it whole; what has none, and a segment nobody needs, is left from one that was interrupted, and goes.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from aftermind.engine.backups.segment import PART, SUFFIX, Row, Segment, checked, frames
from aftermind.engine.erasing.erased import ERASED
from aftermind.engine.errors import AftermindError, FileDamaged
from aftermind.engine.logs.seal import FIRST
from aftermind.engine.names import START
from aftermind.engine.store import spool
from aftermind.engine.store.folder import is_real_folder
from aftermind.engine.store.lasting import NEW, put, said, synced
from aftermind.engine.store.lock import locked

SEGMENTS, MANIFEST, TURN = "segments", "backup.json", "turn"
LINKED = "its segments are a link, and through one nothing is written"
NAME = re.compile(r"store-\d{8}T\d{6}Z(-\d{1,3})?")
_SEGMENT = re.compile(
    rf"\d{{12,}}-\d{{12,}}-[0-9a-f]{{16}}({re.escape(SUFFIX)}|{re.escape(PART)})|\d{{12,}}{re.escape(PART)}"
)
_OURS = re.compile(rf"{SEGMENTS}|{TURN}|{re.escape(ERASED)}|{NAME.pattern}|\.DS_Store|lost\+found")


class BackupBusy(AftermindError):
    """Another process writes backups into that folder now."""

    status = 6
    hint = "run it again when that one is done"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__(f"another process is writing the backups in {folder}")


class BackupDamaged(AftermindError):
    """A backup that cannot be restored as it is."""

    status = 7
    hint = "`aftermind backup --list` shows the others; `aftermind backup --full` makes one from the log alone"

    def __init__(self, backup: Path, why: str) -> None:
        self.backup, self.why = backup, why
        super().__init__(f"the backup {backup} is damaged: {why}")


class Copied(Struct, frozen=True, kw_only=True):
    """A file of the spool, and the SHA-256 of its bytes."""

    name: str
    digest: str


class Manifest(Struct, frozen=True, kw_only=True):
    """One backup."""

    aftermind_backup: int = 1
    made: datetime
    store: str
    """The folder it is a backup of."""
    head: int
    """The last position it holds, and that one's seal, hex."""
    seal: str
    events: int
    segments: tuple[Segment, ...]
    spool: tuple[Copied, ...]
    check: str = ""
    """SHA-256 of all the above."""

    def digest(self) -> str:
        return sha256(msgspec.json.encode(structs.replace(self, check=""))).hexdigest()


class Backup(Struct, frozen=True):
    """A backup that was found: its own folder, and what it says of itself."""

    path: Path
    manifest: Manifest

    @property
    def segments(self) -> list[tuple[Path, Segment]]:
        return [(self.path.parent / SEGMENTS / part.name, part) for part in self.manifest.segments]

    @property
    def spool(self) -> list[tuple[Path, Copied]]:
        return [(self.path / spool.SPOOL / copy.name, copy) for copy in self.manifest.spool]


_decode = msgspec.json.Decoder(Manifest).decode


def is_for_backups(folder: Path) -> bool:
    """Whether there is nothing in a folder but backups of ours, or nothing at all."""
    return not folder.exists() or all(_OURS.fullmatch(path.name) for path in folder.iterdir())


def found(folder: Path) -> tuple[list[Backup], list[BackupDamaged]]:
    """The backups in a folder, oldest first, and those that cannot be understood. Without `backup.json` it is none."""
    backups: list[Backup] = []
    damaged: list[BackupDamaged] = []
    for path in _named(folder):
        try:
            if (path / MANIFEST).exists():
                backups.append(one(path))
        except BackupDamaged as error:
            damaged.append(error)
    return sorted(backups, key=lambda backup: (backup.manifest.made, backup.path.name)), damaged


def one(path: Path) -> Backup:
    """The backup in its folder; `BackupDamaged` where what it says of itself cannot be read."""
    try:
        manifest = _decode((path / MANIFEST).read_bytes())
    except (OSError, msgspec.MsgspecError) as error:
        raise BackupDamaged(path, f"its {MANIFEST} cannot be read ({error})") from error
    if manifest.check != manifest.digest():
        raise BackupDamaged(path, f"its {MANIFEST} is not what was written")
    return Backup(path, manifest)


def kept(path: Path, manifest: Manifest) -> Backup:
    """What makes it whole: from now on it is one."""
    manifest = structs.replace(manifest, check=manifest.digest())
    put(path / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    synced(path.parent)
    return Backup(path, manifest)


def verified(backup: Backup, seen: Callable[[Sequence[Row]], None] = lambda _: None) -> int:
    """Every byte of it and every link of its chain; how many events were erased. `BackupDamaged` at the first fault."""
    erased = 0

    def count(rows: Sequence[Row]) -> None:
        nonlocal erased
        erased += sum(row[9] is None for row in rows)
        seen(rows)

    link, head, events = FIRST.hex(), int(START), 0
    try:
        for path, part in backup.segments:
            if part.before != link or part.first <= head:
                raise BackupDamaged(backup.path, f"{part.name} does not follow position {head}")
            checked(path, part, count)
            link, head, events = part.after, part.last, events + part.events
        for path, copy in backup.spool:
            with said(path):
                if sha256(path.read_bytes()).hexdigest() != copy.digest:
                    raise BackupDamaged(backup.path, f"{path.name} of its spool is not what was written")
    except AftermindError as error:
        if isinstance(error, BackupDamaged):
            raise
        raise BackupDamaged(backup.path, str(error)) from error
    if (head, link, events) != (backup.manifest.head, backup.manifest.seal, backup.manifest.events):
        raise BackupDamaged(backup.path, f"its segments end at position {head}, it says {backup.manifest.head}")
    return erased


def rows_of(backup: Backup) -> Iterator[list[Row]]:
    """Its events in order, as far as they can be read: `FileDamaged` where they end too early."""
    for path, _ in backup.segments:
        yield from frames(path)


@contextmanager
def turn(folder: Path) -> Iterator[None]:
    """Who writes backups into a folder has it for himself; `BackupBusy` while another process has."""
    with said(folder):
        held = locked(folder / TURN)
    if held is None:
        raise BackupBusy(folder)
    try:
        yield
    finally:
        os.close(held)


def cleaned(folder: Path) -> list[str]:
    """What interrupted backups have left goes: the names of it. Only for who has the turn. Where a backup cannot be
    read, no segment goes, for it may need any."""
    backups, damaged = found(folder)
    whole = {backup.path.name for backup in backups} | {error.backup.name for error in damaged}
    needed = {part.name for backup in backups for part in backup.manifest.segments}
    gone: list[str] = []
    with said(folder):
        for path in _named(folder):
            if path.name not in whole:
                shutil.rmtree(path)
                gone.append(path.name)
        for backup in backups:
            gone += _unlisted(backup)
        for path in segments_in(folder):
            if path.name.endswith(PART) or (path.name not in needed and not damaged):
                path.unlink()
                gone.append(path.name)
        if gone:
            synced(folder)
    return gone


def first_seal(backup: Backup) -> bytes | None:
    """The seal of its first event, which tells histories apart; None where it has none, or none that can be read."""
    with suppress(FileDamaged):
        for rows in rows_of(backup):
            return rows[0][-1]
    return None


def pruned(folder: Path, own: Collection[str], keep: int) -> list[str]:
    """Of a store's `own` backups, by their names, those that are not among the `keep` newest go, then what nobody needs
    any more. Only for who has the turn."""
    backups, _ = found(folder)
    old = [backup for backup in backups if backup.path.name in own][:-keep]
    with said(folder):
        for backup in old:
            (backup.path / MANIFEST).unlink()  # from here on it is none
            synced(backup.path)
    cleaned(folder)
    return [backup.path.name for backup in old]


def size(folder: Path) -> int:
    """Bytes of all backups in it."""
    files = [path for top in (*_named(folder), folder / SEGMENTS) if top.is_dir() for path in top.rglob("*")]
    return sum(path.lstat().st_size for path in files if not path.is_dir())


def _named(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if NAME.fullmatch(path.name) and is_real_folder(path))
    except (FileNotFoundError, NotADirectoryError):
        return []


def segments_in(folder: Path) -> list[Path]:
    inside = folder / SEGMENTS
    return sorted(path for path in inside.iterdir() if _SEGMENT.fullmatch(path.name)) if is_real_folder(inside) else []


def _unlisted(backup: Backup) -> Iterator[str]:
    """Copies of spool files that the backup does not name any more."""
    listed = {copy.name for copy in backup.manifest.spool}
    inside = backup.path / spool.SPOOL
    for path in sorted(inside.iterdir()) if is_real_folder(inside) else ():
        if path.name not in listed:
            path.unlink()
            yield path.name
    with suppress(FileNotFoundError):
        (backup.path / f"{MANIFEST}{NEW}").unlink()
