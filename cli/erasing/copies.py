"""Our backups: what was forgotten goes from them as well, and what cannot be reached is told."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from aftermind.cli.erasing.files import files_of as files_in
from aftermind.cli.erasing.needles import Needles
from aftermind.cli.language.erasing import Copies
from aftermind.engine.backups.erasing import Rewritten, erased_everywhere
from aftermind.engine.backups.registry import backups_of, unknown
from aftermind.engine.backups.restoring import ASIDE
from aftermind.engine.names import EventId

ELSEWHERE = "folders elsewhere"
"""Where backups may be when the list of them is lost."""


async def erased_in(folder: Path, ids: Collection[EventId], said: Needles) -> list[Copies]:
    """The events are in no backup of the store that can be reached nor in a log that was set aside, and no spooled
    request in a backup says something of them."""
    if not ids:
        return []
    spoken = said.asked_in if said else (lambda _: True)
    told = [rewritten(folder, one) for one in await erased_everywhere(folder, ids, spoken=spoken)]
    if (lost := unknown(folder)) is not None:
        why = f"{lost} cannot be read, so where they are is not known; `aftermind backup DIR` into each makes it known"
        told.append(Copies(folder=ELSEWHERE, why=f"{why}, and when all are, remove {lost}"))
    return told


def rewritten(folder: Path, one: Rewritten) -> Copies:
    """What is told of one of them, of the store in that folder."""
    return Copies(
        folder=str(one.folder),
        aside=bool(ASIDE.fullmatch(one.folder.name)) and one.folder.parent == folder,
        events=one.events,
        files=one.segments + one.spooled,
        spooled=one.spooled,
        why=one.why,
    )


def files_of(folder: Path) -> list[tuple[str, Path]]:
    """The files of backups outside of the store, by the names they are told by."""
    outside = [place for place in backups_of(folder) if place.is_dir() and not place.is_relative_to(folder)]
    return [(str(path), path) for place in outside for path in files_in(place)]
