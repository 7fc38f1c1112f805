"""One file of events into the store: as it was where the store has none, beside its own where it has some."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from aftermind.cli.carrying.apart import Apart, Compared, Sorting, compared, first_seen
from aftermind.cli.carrying.copying import batches, copied, held_empty, is_empty
from aftermind.cli.carrying.incoming import discard
from aftermind.cli.carrying.reading import Survey, links
from aftermind.cli.carrying.tally import Carried, Tally, carried
from aftermind.cli.language.requests import Carry
from aftermind.cli.open_memory import OpenMemory
from aftermind.engine.logs.chain import Link
from aftermind.engine.store.folder import fit_folder

BATCH, MOST = 100, 512 * 1024
"""Events, and bytes of them, that are taken in at once: who holds the store answers others meanwhile."""


class Opening(Protocol):
    def __call__(self) -> AbstractAsyncContextManager[OpenMemory]: ...


async def brought(
    folder: Path,
    survey: Survey,
    opening: Opening,
    advance: Callable[[float], None],
    *,
    project: str | None = None,
    dry_run: bool = False,
) -> Carried:
    """What became of the file's events. Interrupted, it is finished by being done again."""
    if not survey.events:
        return carried(survey, Tally(), "nothing", dry_run=dry_run)
    if dry_run and await is_empty(folder):
        tally = Tally()
        for _, link in links(survey, advance):
            tally.count("new" if link.payload is not None else "erased")
        return carried(survey, tally, "copied", dry_run=True)
    if project is None and not dry_run:
        async with held_empty(fit_folder(folder, make=True)) as empty:
            if empty:
                return carried(survey, await copied(folder, survey, advance), "copied", dry_run=False)
    async with opening() as memory:
        found = await compared(memory, survey) if project is None else Compared()
        tally = await _merged(memory, survey, advance, project, found.apart, dry_run=dry_run)
        if not dry_run:
            discard(folder)  # what an interrupted copy has left, into a store that was empty then
    return carried(survey, tally, "merged", dry_run=dry_run, found=found)


async def _merged(
    memory: OpenMemory,
    survey: Survey,
    advance: Callable[[float], None],
    project: str | None,
    apart: Sequence[Apart],
    *,
    dry_run: bool,
) -> Tally:
    tally, sorting = Tally(), Sorting(apart)
    if apart and not dry_run:
        await memory.ask(Carry(links=tuple(map(first_seen, apart))))
    for batch in batches((link for _, link in links(survey, advance)), BATCH, MOST):
        filed: dict[str | None, list[Link]] = {}
        for link in batch:
            filed.setdefault(sorting.project(link) or project, []).append(link)
        for under, some in filed.items():
            answer = await memory.ask(Carry(links=tuple(some), project=under, dry_run=dry_run))
            for link, fate in zip(some, answer.fates, strict=True):
                tally.count(fate, link.stream)
    return tally
