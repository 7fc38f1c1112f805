"""A log as it was at a position keeps the contract of logs, and shows what was there then and may still be told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.events import Erased, MemoryForgotten
from aftermind.engine.log import Append
from aftermind.engine.logs.past_log import PastLog
from aftermind.engine.logs.sqlite_log import SqliteLog, sqlite_log, sqlite_log_reader
from aftermind.engine.names import START, Position
from aftermind.engine.stamp import Stamp
from aftermind.engine.views.generations import views
from aftermind.projections.catalog import ALL
from tests.contracts.log import LogContract, OpenLog, said
from tests.given import NOON, ON_DISK, append, draft, dump, simulated
from tests.histories import histories

HOUR = timedelta(hours=1)


@pytest.fixture
async def whole(tmp_path: Path, stamp: Stamp) -> AsyncIterator[SqliteLog]:
    async with sqlite_log(tmp_path / "log.db", stamp) as log:
        yield log


class TestPastLog(LogContract):
    """Of an empty log: all that is in it is its own."""

    @pytest.fixture
    def log(self, whole: SqliteLog) -> OpenLog:
        kept = PastLog(whole, START, frozenset())
        return lambda: nullcontext(kept)


pytestmark = pytest.mark.anyio


async def filled(log: SqliteLog, count: int = 6) -> None:
    for n in range(1, count + 1):
        await log.append(append(f"s{n % 2}", draft(f"e{n}", said(f"text {n}"), NOON + n * HOUR)))


def ids(events):
    return [one.draft.id for one in events]


async def test_what_came_later_is_not_there(whole):
    await filled(whole)
    past = PastLog(whole, Position(4), frozenset())
    assert past.head.position == 4
    assert ids(await past.after(START, limit=100)) == ["e1", "e2", "e3", "e4"]
    assert ids(await past.after(Position(2), limit=1)) == ["e3"]
    assert ids(await past.stream("s1")) == ["e1", "e3"]
    assert (await past.find("e4")).position == 4
    assert await past.find("e5") is None
    past.move_on(Position(5))
    assert ids(await past.after(Position(4), limit=100)) == ["e5"]


async def test_what_is_told_to_it_stands_behind_and_the_log_stays_as_it_is(whole):
    await filled(whole)
    past = PastLog(whole, Position(3), frozenset())
    assert await past.append(append("s1", draft("new", said("now")), expected=2)) == 4
    assert ids(await past.after(START, limit=100)) == ["e1", "e2", "e3", "new"]
    assert [one.version for one in await past.stream("s1")] == [1, 2, 3]
    assert await past.append(append("s1", draft("e1", said("text 1")))) == 1
    assert ids(await whole.after(START, limit=100)) == [f"e{n}" for n in range(1, 7)]
    with pytest.raises(ValueError, match="cannot move on"):
        past.move_on(Position(5))


async def test_what_is_hidden_reads_as_erased_and_what_is_not_wanted_is_not_there(whole):
    await filled(whole)
    past = PastLog(whole, Position(6), {"e2"}, wants=lambda one: one.position % 2 == 0)
    first, *rest = await past.after(START, limit=2)
    assert isinstance(first.draft.event, Erased)
    assert ids([first, *rest]) == ["e2", "e4"]
    assert ids(await past.stream("s1")) == []
    assert await past.find("e3") is None


async def test_it_tells_how_far_it_was_read_once(whole):
    await filled(whole)
    told: list[float] = []
    past = PastLog(whole, Position(5), frozenset(), told=told.append)
    for _ in range(2):
        await past.after(START, limit=2)
        await past.after(Position(2), limit=10)
    assert told == [2, 3]


async def test_a_time_is_where_the_log_was_noted_then(whole):
    await filled(whole)
    at = {n: await whole.noted_by(NOON + n * HOUR) for n in (0, 1, 3.5, 6, 99)}
    assert at == {0: 0, 1: 1, 3.5: 3, 6: 6, 99: 6}


@pytest.mark.parametrize("wrong", [-1000 * HOUR, 1000 * HOUR])
async def test_a_clock_that_was_wrong_for_a_while_moves_no_other_moment(whole, wrong):
    await filled(whole)
    await whole.append(append("s", draft("wrong", said("?"), NOON + wrong)))
    for n in range(7, 13):
        await whole.append(append("s", draft(f"e{n}", said("!"), NOON + n * HOUR)))
    assert [await whole.noted_by(NOON + n * HOUR) for n in (3, 6, 8, 12)] in ([3, 6, 9, 13], [3, 7, 9, 13])


async def test_what_something_forgets_is_hidden_whether_it_was_emptied_or_not(whole):
    await whole.append(append("memory-m1", draft("born", said("secret"))))
    await whole.append(append("session-s", draft("quote", said("secret, quoted"))))
    gone = MemoryForgotten(memory="m1", scope="global", quoted_in=("quote",))
    await whole.append(append("memory-m1", draft("gone", gone)))
    assert await whole.forgotten() == {"born", "quote"}


@ON_DISK
@given(histories(), st.integers(0, 60))
async def test_views_of_any_moment_equal_the_views_that_lived_through_it(appends: list[Append], moment: int) -> None:
    """But for what was forgotten later: that is in no moment any more."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        for name in ("then", "live", "step"):
            (folder / name).mkdir()
        async with sqlite_log(folder / "log.db", simulated()) as log:
            for one in appends[:moment]:
                await log.append(one)
            until = log.head.position
            hidden = await log.forgotten()
            async with views(folder / "live", log, ALL) as live:
                await live.reached(None)
                lived = await live.read(dump)
            async with sqlite_log_reader(folder / "log.db") as reader:
                beside = PastLog(reader, until, hidden)
                for one in appends[moment:]:
                    await log.append(one)
                async with views(folder / "then", beside, ALL) as seen:
                    await seen.reached(None)
                    assert await seen.read(dump) == lived
                moving = PastLog(reader, START, hidden)
                async with views(folder / "step", moving, ALL) as seen:
                    for position in range(1, until + 1):
                        moving.move_on(Position(position))
                        await seen.reached(None)
                    assert await seen.read(dump) == lived
