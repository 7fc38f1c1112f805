"""Law 1 for a log that was carried: over generated histories with forgetting in them, the views of a copy are those of
the origin, and the views that a merge left are those the log builds at once."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aftermind
from aftermind.cli.carrying.bringing import brought
from aftermind.cli.carrying.exporting import exported
from aftermind.cli.carrying.reading import surveyed
from aftermind.cli.carrying.tally import Carried
from aftermind.cli.past.choosing import Choice
from aftermind.engine.events import MemoryForgotten
from aftermind.engine.log import Append, Recorded
from aftermind.engine.logs.sqlite_log import sqlite_log, sqlite_log_reader
from aftermind.engine.names import START, memory_stream
from aftermind.engine.views.generations import Views, views
from aftermind.projections.catalog import ALL
from tests.given import ON_DISK, dump, erase, simulated
from tests.histories import histories

pytestmark = pytest.mark.anyio
Dump = dict[str, list[tuple[Any, ...]]]


async def written(store: Path, appends: list[Append], *, erased: bool) -> None:
    store.mkdir(mode=0o700)
    async with sqlite_log(store / "log.db", simulated()) as log:
        if appends:
            await log.append(*appends)
        gone = [r.position for r in await log.after(START, limit=10_000) if _is_gone(r, appends)]
    if erased:
        erase(store / "log.db", gone)


def _is_gone(recorded: Recorded, appends: list[Append]) -> bool:
    """Whether it belongs to what was forgotten."""
    told = [draft.event for one in appends for draft in one.drafts]
    forgotten = [event for event in told if isinstance(event, MemoryForgotten)]
    streams = {memory_stream(event.memory) for event in forgotten}
    quoted = {id for event in forgotten for id in event.quoted_in}
    is_the_word = isinstance(recorded.draft.event, MemoryForgotten)
    return (recorded.stream in streams and not is_the_word) or recorded.draft.id in quoted


async def built(store: Path, folder: Path) -> Dump:
    """What the log builds at once."""
    folder.mkdir(exist_ok=True)
    async with sqlite_log_reader(store / "log.db") as log:
        seen = Views(folder, log, ALL)  # type: ignore[arg-type]  # of a log only what reads is asked
        await seen.open()
        try:
            return await seen.read(dump)
        finally:
            await seen.close()


async def carried(store: Path, to: Path, project: str | None = None) -> Carried:
    file = store.with_suffix(".jsonl")
    with file.open("wb") as out:
        async with sqlite_log_reader(store / "log.db") as log:
            await exported(log, Choice(), {}, out.write, lambda _: None)
    survey = surveyed(file, lambda _: None)
    return await brought(to, survey, lambda: aftermind.open_memory(to), lambda _: None, project=project)


@settings(ON_DISK, max_examples=12)
@given(histories(), st.booleans())
async def test_the_views_of_a_copy_are_those_of_the_origin(appends: list[Append], erased: bool) -> None:
    if not appends:
        return
    with TemporaryDirectory() as place:
        origin, copy = Path(place) / "origin", Path(place) / "copy"
        await written(origin, appends, erased=erased)
        done = await carried(origin, copy)
        assert done.whole
        assert await built(copy, Path(place) / "c") == await built(origin, Path(place) / "o")


@settings(ON_DISK, max_examples=8)
@given(histories(), histories(), st.sampled_from([None, "theirs"]))
async def test_the_views_a_merge_leaves_are_those_the_log_builds(
    mine: list[Append], theirs: list[Append], project: str | None
) -> None:
    if not mine or not theirs:
        return
    with TemporaryDirectory() as place:
        origin, store = Path(place) / "origin", Path(place) / "store"
        await written(origin, theirs, erased=True)
        await written(store, mine, erased=True)
        async with sqlite_log(store / "log.db", simulated()) as log, views(store, log, ALL) as seen:
            await seen.reached(None)
        done = await carried(origin, store, project)
        again = await carried(origin, store, project)
        assert (again.new, again.erased) == (0, 0)
        assert done.unreadable == 0
        async with sqlite_log(store / "log.db", simulated()) as log, views(store, log, ALL) as seen:
            await seen.reached(None)
            assert await seen.read(dump) == await built(store, Path(place) / "s")
            await log.verify()
