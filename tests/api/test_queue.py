"""The queue: what goes first, that no two are given the same, and what becomes of an item."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import anyio
import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.erasing import Erasing, ForgetAll, Selection
from aftermind.cli.language.items import ListClaims, ReleaseClaim, TakeClaim
from aftermind.cli.language.queueing import Arrange, ListQueue, NextItem, Queue, Waiting
from aftermind.engine.errors import NotFound, NotHeld, Refused, Unusable
from aftermind.engine.event_forms.items import ItemBlocked, ItemNamed, ItemPlanned, ItemQueued
from aftermind.engine.items.life import item_as_typed, item_of
from aftermind.engine.items.queueing import MOST_BLOCKERS
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.names import EventId, item_stream
from aftermind.engine.stamp import Stamp
from tests.given import NOON
from tests.opened import Clock

pytestmark = pytest.mark.anyio
SHOP = "shop"


async def add(memory: OpenMemory, *items: str, **asked: Any) -> tuple[Waiting, ...]:
    return await memory.ask(Queue(items=items, **{"project": SHOP, **asked}))


async def arrange(memory: OpenMemory, item: str, what: Any, **asked: Any) -> Waiting:
    return await memory.ask(Arrange(item=item, what=what, project=SHOP, **asked))


async def given(memory: OpenMemory, **asked: Any) -> Waiting | None:
    return await memory.ask(NextItem(project=SHOP, take=True, **{"by": "ada", **asked}))


async def names(memory: OpenMemory, *states: Any) -> list[str]:
    asked = ListQueue(project=SHOP, states=states) if states else ListQueue(project=SHOP)
    return [one.item for one in await memory.ask(asked)]


async def test_what_is_overdue_goes_first_then_by_priority_then_what_is_due_then_what_waits_longest(
    memory: OpenMemory,
) -> None:
    await add(memory, "usual, longest", "usual, later")
    await add(memory, "first of all", priority=1)
    await add(memory, "overdue and last", priority=5, due=NOON - timedelta(hours=1))
    await add(memory, "due soon", due=NOON + timedelta(hours=5))
    await add(memory, "second", priority=2)
    await add(memory, "due next month", due=NOON + timedelta(days=30))
    assert await names(memory) == [
        *("overdue and last", "first of all", "due soon", "second", "due next month"),
        *("usual, longest", "usual, later"),
    ]


async def test_a_time_without_its_zone_or_out_of_range_is_refused_and_nothing_is_kept(memory: OpenMemory) -> None:
    """It was acknowledged once, and no version could read it."""
    await add(memory, "dated")
    before = len(await memory.events())
    for time in (datetime(2027, 1, 1), datetime.max.replace(tzinfo=timezone(-timedelta(hours=5)))):  # noqa: DTZ001
        with pytest.raises(Unusable):
            await add(memory, "undated", due=time)
        with pytest.raises(Unusable):
            await arrange(memory, "dated", "plan", due=time)
        with pytest.raises(Unusable):
            await arrange(memory, "dated", "defer", until=time)
    assert len(await memory.events()) == before


async def test_no_two_are_given_the_same(memory: OpenMemory) -> None:
    wanted = {f"item {n}, of 6" for n in range(6)}
    await add(memory, *sorted(wanted))
    found: list[Waiting | None] = []

    async def one(name: str) -> None:
        found.append(await given(memory, by=name))

    async with anyio.create_task_group() as tasks:
        for number in range(8):
            tasks.start_soon(one, f"w{number}")
    assert {one.item for one in found if one is not None} == wanted
    assert sum(one is None for one in found) == 2
    assert {lease.item for lease in await memory.ask(ListClaims(project=SHOP))} == wanted


async def test_the_same_request_twice_is_given_one_item(memory: OpenMemory) -> None:
    await add(memory, "a", "b")
    asked, key = NextItem(project=SHOP, take=True, by="ada"), EventId("03" * 16)
    one = await memory.ask(asked, key)
    again = await memory.ask(asked, key)
    assert one is not None
    assert again is not None
    assert (again.item, again.lease) == (one.item, one.lease)
    assert len(await memory.ask(ListClaims(project=SHOP))) == 1


async def test_a_look_at_what_is_next_holds_nothing(memory: OpenMemory) -> None:
    assert await memory.ask(NextItem(project=SHOP)) is None
    await add(memory, "a")
    seen = await memory.ask(NextItem(project=SHOP))
    assert seen is not None
    assert (seen.item, seen.state) == ("a", "ready")


async def test_only_its_holder_says_that_it_is_done(memory: OpenMemory) -> None:
    await add(memory, "a", "b")
    one = await given(memory, session="s1")
    assert one is not None
    assert one.lease is not None
    for asked in ({}, {"session": "s2"}, {"fence": one.lease.fence - 1}):
        with pytest.raises(NotHeld):
            await arrange(memory, "a", "done", **asked)
    done = await arrange(memory, "a", "done", fence=one.lease.fence, note="with a test")
    assert (done.state, done.lease, done.notes) == ("done", None, ("with a test",))
    assert (await arrange(memory, "b", "done", session="s1")).state == "done"  # nobody held it
    assert await names(memory) == []
    assert await names(memory, "done") == ["b", "a"]
    with pytest.raises(Refused, match="“a” is done"):
        await arrange(memory, "a", "skip")
    with pytest.raises(NotFound):
        await arrange(memory, "never queued", "done")


async def test_who_slept_past_its_lease_cannot_say_that_it_is_done(folder: Path, stamp: Stamp, clock: Clock) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await add(memory, "a")
        old = await given(memory, session="s1", seconds=60)
        assert old is not None
        assert old.lease is not None
        clock.wait(minutes=2)
        new = await given(memory, by="bob")
        assert new is not None
        assert new.lease is not None
        for asked in ({"fence": old.lease.fence}, {"session": "s1"}):
            with pytest.raises(NotHeld):
                await arrange(memory, "a", "done", **asked)
        assert (await arrange(memory, "a", "done", fence=new.lease.fence)).state == "done"


async def test_what_is_put_off_comes_back_by_itself(folder: Path, stamp: Stamp, clock: Clock) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await add(memory, "a")
        held = await given(memory, session="s1")
        assert held is not None
        late = await arrange(memory, "a", "defer", until=NOON + timedelta(hours=2), session="s1", note="tired")
        assert (late.state, late.lease, late.notes) == ("deferred", None, ("tired",))
        assert await given(memory) is None
        clock.wait(hours=3)
        back = await given(memory)
        assert back is not None
        assert back.item == "a"


async def test_what_another_blocks_is_ready_when_that_one_is_done(memory: OpenMemory) -> None:
    await add(memory, "ship", "test, then sign", "sign")
    blocked = await arrange(memory, "ship", "block", by="test, then sign")
    await arrange(memory, "ship", "block", by="the vendor's certificate")
    assert (blocked.state, [one.by for one in blocked.blockers]) == ("blocked", ["test, then sign"])
    assert await names(memory, "blocked") == ["ship"]
    await arrange(memory, "test, then sign", "done")
    (row,) = await memory.ask(ListQueue(project=SHOP, states=("blocked",)))
    assert [one.by for one in row.blockers] == ["the vendor's certificate"]
    with pytest.raises(NotFound, match="no blocker"):
        await arrange(memory, "ship", "unblock", by="something else")
    assert (await arrange(memory, "ship", "unblock")).state == "ready"
    with pytest.raises(Unusable):
        await arrange(memory, "ship", "block", by="ship")
    with pytest.raises(Unusable):
        await arrange(memory, "ship", "block")


async def test_what_stands_in_the_way_already_may_be_said_again_where_no_more_has_room(memory: OpenMemory) -> None:
    await add(memory, "ship")
    for n in range(MOST_BLOCKERS):
        await arrange(memory, "ship", "block", by=f"ticket {n}")
    assert len((await arrange(memory, "ship", "block", by="ticket 3")).blockers) == MOST_BLOCKERS
    with pytest.raises(Unusable, match="20 things at most"):
        await arrange(memory, "ship", "block", by="one more")


async def test_none_waits_for_what_waits_for_it(memory: OpenMemory) -> None:
    await add(memory, "plan", "build", "ship")
    await arrange(memory, "ship", "block", by="build")
    await arrange(memory, "build", "block", by="plan")
    with pytest.raises(Unusable, match="waits for “plan”: neither"):
        await arrange(memory, "plan", "block", by="ship")
    await arrange(memory, "build", "done")  # what is between them is over
    assert (await arrange(memory, "plan", "block", by="ship")).state == "blocked"


async def test_what_stood_in_the_way_of_what_is_done_does_not_when_it_is_added_again(memory: OpenMemory) -> None:
    await add(memory, "ship")
    await arrange(memory, "ship", "block", by="the certificate")
    await arrange(memory, "ship", "done")
    (again,) = await add(memory, "ship")
    assert (again.state, again.blockers) == ("ready", ())
    taken = await given(memory)
    assert taken is not None
    assert taken.item == "ship"
    (blocked,) = (await arrange(memory, "ship", "block", by="the certificate")).blockers
    assert blocked.by == "the certificate"


async def test_added_again_it_is_planned_anew_and_back_when_it_was_done(memory: OpenMemory) -> None:
    await add(memory, "a", note="the form")
    await add(memory, "a")
    await add(memory, "a", priority=1)
    events = [one.draft.event for one in await memory.events()]
    assert [type(one) for one in events if isinstance(one, ItemQueued | ItemPlanned)] == [ItemQueued, ItemPlanned]
    await arrange(memory, "a", "skip", note="not ours")
    (back,) = await add(memory, "a")
    assert (back.state, back.priority, back.notes) == ("ready", 3, ("not ours", "the form"))
    dated = await arrange(memory, "a", "plan", due=NOON + timedelta(days=3), priority=2)
    assert (dated.due, dated.priority) == (NOON + timedelta(days=3), 2)
    assert (await arrange(memory, "a", "plan", undated=True)).due is None
    for wrong in (0, 6, -1):
        with pytest.raises(Unusable):
            await arrange(memory, "a", "plan", priority=wrong)
    with pytest.raises(Unusable):
        await add(memory)


async def test_a_claim_by_hand_and_one_from_the_queue_are_one(memory: OpenMemory) -> None:
    await add(memory, "a")
    mine = await memory.ask(TakeClaim(item="a", project=SHOP, by="bob"))
    assert await names(memory, "held") == ["a"]
    assert await given(memory) is None
    await memory.ask(ReleaseClaim(item="a", project=SHOP, fence=mine.fence))
    assert (await given(memory)) is not None


async def test_what_is_forgotten_of_an_item_leaves_it_in_the_queue(memory: OpenMemory) -> None:
    await add(memory, "the merger", note="with Acme")
    await arrange(memory, "the merger", "block", by="Acme's lawyers")
    every = tuple(one.draft.id for one in await memory.events() if one.stream.startswith("item-"))
    begun = await memory.ask(ForgetAll(selection=Selection(events=every)))
    await memory.ask(Erasing(run=begun.run, seconds=30.0))
    (left,) = await memory.ask(ListQueue(project=SHOP))
    assert (left.item, left.notes, left.state, [one.by for one in left.blockers]) == ("", (), "blocked", [""])
    assert not any(isinstance(one.draft.event, ItemBlocked) for one in await memory.events())


async def forgotten(memory: OpenMemory, words: str) -> None:
    said = tuple(one.draft.id for one in await memory.events(limit=1000) if words in str(one.draft.event))
    begun = await memory.ask(ForgetAll(selection=Selection(events=said)))
    await memory.ask(Erasing(run=begun.run, seconds=30.0))


async def test_whose_name_was_forgotten_is_nobodys_work_until_somebody_says_it_again(memory: OpenMemory) -> None:
    await add(memory, "call zqbank about the loan", priority=1)
    await add(memory, "paint the fence")
    await forgotten(memory, "zqbank")
    first, _ = await memory.ask(ListQueue(project=SHOP))
    assert (first.item, first.called) == ("", f"{first.id} (its name was forgotten)")
    for take in (False, True):
        following = await memory.ask(NextItem(project=SHOP, take=take, by="ada"))
        assert following is not None
        assert following.item == "paint the fence"
    assert await given(memory) is None
    await add(memory, "call zqbank about the loan", priority=1)
    again = await given(memory)
    assert again is not None
    assert (again.id, again.item) == (first.id, "call zqbank about the loan")


async def test_whose_name_was_forgotten_is_meant_by_its_id(memory: OpenMemory) -> None:
    (one,) = await add(memory, "call zqbank about the loan")
    held = await memory.ask(TakeClaim(item="mend zqbank.py", project=SHOP, by="ada", seconds=60))
    await forgotten(memory, "zqbank")
    assert (await arrange(memory, one.id, "skip")).state == "skipped"
    (lease,) = await memory.ask(ListClaims(project=SHOP))
    assert (lease.item, lease.called) == ("", f"{held.id} (its name was forgotten)")
    await memory.ask(ReleaseClaim(item=held.id, project=SHOP, fence=held.fence))
    assert await memory.ask(ListClaims(project=SHOP)) == ()


async def test_what_was_queued_when_each_spelling_of_a_path_was_an_item_is_done_by_its_name(
    folder: Path, stamp: Stamp
) -> None:
    name = "tidy src/billing/"
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        scope = (await add(memory, "mend the login"))[0].scope
    id = item_as_typed(scope, name)
    events = ItemNamed(item=id, scope=scope, text=name), ItemQueued(item=id, scope=scope, priority=1)
    async with sqlite_log(folder / "log.db", stamp) as log:
        await log.append(Append(stream=item_stream(id), drafts=tuple(map(stamp.draft, events))))
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert await names(memory) == [name, "mend the login"]
        assert (await arrange(memory, name, "done")).id == id
        assert await names(memory) == ["mend the login"]
        assert (await add(memory, name))[0].id == item_of(scope, "tidy src/billing")
