"""A store as it was at a moment, open for everything that only asks: what was known then, with the clock of then.

Nothing is written to the store, and whoever holds it is not asked: the log is read beside its writer. What is told to
this one all the same (a briefing records what it showed) is kept in memory, and gone with it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from aftermind.cli.answering.answer import answer
from aftermind.cli.answering.opened import Opened
from aftermind.cli.config import home, ignore_file
from aftermind.cli.language.asked import Asked
from aftermind.cli.open_memory import OpenMemory
from aftermind.cli.past.aside import aside
from aftermind.cli.past.choosing import Choice, Choosing
from aftermind.cli.past.meaning import Meant, meant
from aftermind.cli.past.moments import Moment, since, until
from aftermind.cli.past.moments import moment as parsed
from aftermind.cli.privacy.lists import Lists
from aftermind.engine.erasing import erased
from aftermind.engine.errors import Unusable
from aftermind.engine.logs.past_log import PastLog
from aftermind.engine.logs.sqlite_log import SqliteLogReader
from aftermind.engine.names import START, EventId, Position
from aftermind.engine.policy import Policy
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.beside import read_log
from aftermind.engine.store.folder import fit_folder
from aftermind.engine.views.generations import views
from aftermind.projections.catalog import ALL
from aftermind.projections.meaning.model_files import STATIC

T = TypeVar("T")


class Point(Struct, frozen=True):
    """A moment of one log: its last position, and what time it was."""

    position: Position
    time: datetime


class Past:
    """A store at a point of its log, which may move on."""

    def __init__(self, log: PastLog, point: Point) -> None:
        self.log, self.point = log, point
        self.memory: OpenMemory
        self.opened: Opened
        self.meant: Meant

    def now(self) -> datetime:
        """What time it is there."""
        return self.point.time

    def move_on(self, point: Point) -> None:
        """The moment is a later one now; views and vectors follow when they are asked."""
        self.log.move_on(point.position)
        self.point = point


async def forgotten(folder: Path, log: SqliteLogReader) -> frozenset[EventId]:
    """The events of a store that may not be told any more, whatever is left of them."""
    return await log.forgotten() | erased.noted(folder)


async def point_of(log: SqliteLogReader, moment: Moment | None, now: datetime) -> Point:
    """Where the moment is in the log; without one, where it ends. `Unusable` for a position that is not there yet."""
    if moment is None:
        return Point(log.head.position, now)
    bound, begins = until(moment), since(moment)
    if isinstance(begins, datetime) and begins > now:
        raise Unusable("that moment is still to come", f"{begins:%Y-%m-%d %H:%M}", hint="leave it out to ask of now")
    if isinstance(bound, datetime):
        return Point(await log.noted_by(bound), min(bound, now))
    if bound > log.head.position:
        what = f"the log ends at position {log.head.position}, before"
        raise Unusable(what, bound, hint="`aftermind log --limit 5` prints the newest events")
    return Point(bound, await time_at(log, bound, now))


async def time_at(log: SqliteLogReader, position: Position, now: datetime) -> datetime:
    """When the store learned of the last event up to a position; of a log's beginning, of its first one."""
    before = await log.before(position)
    if before is None:
        first = await log.after(START, limit=1)
        return first[0].draft.noted if first else now
    return before.draft.noted


@asynccontextmanager
async def open_past(
    path: str | Path | None = None,
    moment: Moment | str | None = None,
    *,
    policy: Policy | None = None,
    model: str = STATIC,
    choice: Choice | None = None,
    told: Callable[[float], None] = lambda _: None,
    stamp: Stamp | None = None,
) -> AsyncIterator[Past]:
    """The store in the folder `path` (default: as `open_memory` has it) at a moment, as a person may write it;
    without one, as it is. What is asked of it is asked of `memory`.

    `choice`: as if nothing else had ever been recorded. `told` hears how many positions more were read. Raises what
    reading a log raises, and `Unusable` for a moment that is none of this log's."""
    folder = fit_folder(Path(path) if path is not None else home(), make=False)
    now = (stamp or Stamp()).now()
    at = parsed(moment, now) if isinstance(moment, str) else moment
    async with read_log(folder) as whole:
        point = await point_of(whole, at, now)
        with aside(folder) as place:
            async with past_at(folder, whole, place, point, policy or Policy(), model, choice, told) as past:
                await past.meant.level()
                yield past


@asynccontextmanager
async def open_past_at(
    folder: Path, point: Point, *, policy: Policy, model: str, told: Callable[[float], None] = lambda _: None
) -> AsyncIterator[Past]:
    """The same at a point that is known."""
    async with read_log(folder) as whole:
        with aside(folder) as place:
            async with past_at(folder, whole, place, point, policy, model, told=told) as past:
                await past.meant.level()
                yield past


@asynccontextmanager
async def past_at(
    folder: Path,
    whole: SqliteLogReader,
    place: Path,
    point: Point,
    policy: Policy,
    model: str,
    choice: Choice | None = None,
    told: Callable[[float], None] = lambda _: None,
) -> AsyncIterator[Past]:
    """The same, of a log that is open, with what it needs kept in `place`. Its vectors are not level yet."""
    wants = None if choice is None or choice.is_all else Choosing(choice).wants
    log = PastLog(whole, point.position, await forgotten(folder, whole), wants, told)
    past = Past(log, point)
    stamp = Stamp(now=past.now)
    async with (
        views(place, log, ALL) as seen,
        meant(folder, place, log, seen, stamp, model) as means,
    ):
        past.meant = means
        past.opened = Opened(
            folder=folder,
            log=log,
            views=seen,
            policy=policy,
            stamp=stamp,
            off_limits=Lists(ignore_file()),
            near=means.near,
        )

        async def ask(asked: Asked[T], key: EventId | None = None) -> T:
            return await answer(past.opened, asked, key)

        past.memory = OpenMemory(folder, ask, policy.ranking)
        yield past
