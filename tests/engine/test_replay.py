"""Law 1: whatever happened to the views on the way, they are what the log builds at once.

A history is told in stretches. Between them the views follow in batches of any size, are let go in the middle of one,
are grown anew (all or some, while more is appended), what was forgotten is erased, and the store is opened again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.events import MemoryForgotten, WordsForgotten
from aftermind.engine.log import Append, Recorded
from aftermind.engine.logs.sqlite_log import SqliteLog, sqlite_log
from aftermind.engine.names import START, Position, memory_stream
from aftermind.engine.views import batches
from aftermind.engine.views.comparing import compared
from aftermind.engine.views.generations import Views, views
from aftermind.projections.catalog import ALL
from tests.given import ON_DISK, dump, erase, simulated
from tests.histories import STEPS, WORDS, History, histories
from tests.strategies import FORMS

pytestmark = pytest.mark.anyio
NAMES = tuple(projection.name for projection in ALL)
DEEDS = ("follow", "break off", "regrow", "regrow some", "erase", "open again", "nothing")
deeds = st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(1, 7), st.integers(0, 30)), min_size=1, max_size=8)


class Broken(Exception):
    """It ends here."""


class Breaking:
    """A log that is read so many more times."""

    def __init__(self, log: SqliteLog, reads: int) -> None:
        self._log, self._reads = log, reads

    def __getattr__(self, name: str) -> object:
        return getattr(self._log, name)

    async def after(self, position: Position, *, limit: int) -> Sequence[Recorded]:
        self._reads -= 1
        if self._reads < 0:
            raise Broken
        return await self._log.after(position, limit=limit)


def gone(events: Sequence[Recorded]) -> list[int]:
    """Where words stand that were forgotten."""
    forgotten = [r.draft.event for r in events if isinstance(r.draft.event, MemoryForgotten | WordsForgotten)]
    streams = {memory_stream(event.memory) for event in forgotten if isinstance(event, MemoryForgotten)}
    quoted = {id for event in forgotten for id in event.quoted_in}
    return [
        r.position
        for r in events
        if r.draft.id in quoted or (r.stream in streams and not isinstance(r.draft.event, MemoryForgotten))
    ]


async def told(log: SqliteLog, appends: Sequence[Append]) -> None:
    for append in appends:
        await log.append(append)


async def done(
    folder: Path, log: SqliteLog, seen: Views, deed: tuple[str, int, int], appends: Sequence[Append]
) -> None:
    """One stretch of the history, and what happens to the views meanwhile or after it."""
    what, size, some = deed
    batches.BATCH = size  # type: ignore[attr-defined]
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(told, log, appends)
            if what.startswith("regrow"):
                await seen.regrow([NAMES[some % len(NAMES)]] if what == "regrow some" else [])
        match what:
            case "follow":
                await seen.reached(None)
            case "break off":
                whole, seen._log = seen._log, Breaking(log, some % 3)  # type: ignore[assignment]
                with pytest.raises(Broken) if log.head.position - seen.position > some % 3 * size else _anyway():
                    await seen.reached(None)
                seen._log = whole
            case "erase":
                erase(folder / "log.db", gone(await log.after(START, limit=100_000)))
    finally:
        batches.BATCH = 1_000  # type: ignore[attr-defined]


class _anyway:  # noqa: N801 - reads like what it stands for
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


@ON_DISK
@given(histories(), deeds)
async def test_whatever_happened_on_the_way_the_views_are_what_the_log_says(
    appends: list[Append], way: list[tuple[str, int, int]]
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        stretch = len(appends) // len(way) + 1
        async with sqlite_log(folder / "log.db", simulated()) as log:
            for n, deed in enumerate(way):
                async with views(folder, log, ALL) as seen:  # opened anew: what broke off goes on
                    await done(folder, log, seen, deed, appends[n * stretch : (n + 1) * stretch])
            erase(folder / "log.db", gone(await log.after(START, limit=100_000)))
            async with views(folder, log, ALL) as seen:
                assert seen.mended in ("", "there were none")
                await seen.reached(None)
                live = await seen.read(dump)
                assert (await compared(folder, log, ALL, lambda done, total: None)).differs is None
            with TemporaryDirectory() as elsewhere:
                async with views(Path(elsewhere), log, ALL) as anew:
                    assert await anew.read(dump) == live
            assert len(list(folder.glob("views-*.db"))) == 1


def test_the_histories_tell_of_every_form_there_is() -> None:
    """What a new form does to the views is not left to chance."""
    told = set()
    for chance in map(Random, range(40)):  # what is rare in one story is told in another
        steps = [
            (chance.choice(STEPS), chance.randrange(6), chance.randrange(6), chance.choice(WORDS)) for _ in range(600)
        ]
        told |= {type(draft.event) for append in History().told(steps) for draft in append.drafts}
    assert {form.__name__ for form in FORMS} - {form.__name__ for form in told} == set()
