"""What becomes due without anybody asking: it is so at reading time at once, and recorded when somebody looks."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

import aftermind
from aftermind.cli.holding.timers import JUMP, TRUST, Watch
from aftermind.cli.language.projects import Projects
from aftermind.engine.events import MemoryExpired, SessionEnded
from aftermind.engine.policy import Lifecycle, Policy
from aftermind.engine.stamp import Stamp
from tests.given import NOON
from tests.opened import Clock

pytestmark = pytest.mark.anyio


async def kinds(memory: aftermind.OpenMemory) -> list[str]:
    return [type(recorded.draft.event).__name__ for recorded in await memory.events()]


async def test_what_is_over_is_not_recalled_and_recorded_when_the_store_is_opened_again(
    folder: Path, stamp: Stamp, clock: Clock
) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.record("where is the xylophone?", "in the attic", session="s1")
        clock.wait(hours=25)
        assert await memory.recall("xylophone attic") == ()
        assert "MemoryExpired" not in await kinds(memory)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert (await kinds(memory)).count("MemoryExpired") == 1
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert (await kinds(memory)).count("MemoryExpired") == 1, "once"
        assert [r.draft.event.reason for r in await memory.events() if isinstance(r.draft.event, MemoryExpired)]


async def test_a_session_that_went_quiet_is_over_until_something_is_said_in_it(
    folder: Path, stamp: Stamp, clock: Clock
) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.record("one", "two", session="s1")
        clock.wait(minutes=31)
        await memory.record("three", "four", session="s2")
    for _ in range(2):
        async with aftermind.open_memory(folder, stamp=stamp) as memory:
            ended = [r.draft.event for r in await memory.events() if isinstance(r.draft.event, SessionEnded)]
            assert [(event.session, event.reason) for event in ended] == [("s1", "quiet")]
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.record("five", "six", session="s1")
        clock.wait(minutes=31)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        ended = [r.draft.event for r in await memory.events() if isinstance(r.draft.event, SessionEnded)]
        assert sorted(event.session for event in ended) == ["s1", "s1", "s2"]


async def test_a_conversation_is_kept_for_its_time_wherever_it_lies(folder: Path, stamp: Stamp, clock: Clock) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.remember("we spoke of the xylophone at length", kind="conversation")
        await memory.remember("the xylophone stands in the attic", kind="fact")
        clock.wait(days=179)
        assert len(await memory.recall("xylophone", floor=False)) == 2
        clock.wait(days=2)
        (left,) = await memory.recall("xylophone", floor=False)
        assert left.memory.kind == "fact"


async def test_what_is_over_is_in_no_count_of_what_there_is_swept_or_not(
    folder: Path, stamp: Stamp, clock: Clock
) -> None:
    async def counted(memory: aftermind.OpenMemory) -> tuple[int, int, bool]:
        kept = (await memory.stats("shop")).kept["conversations"]
        (project,) = await memory.ask(Projects(project="shop"))
        return project.memories, kept.live, kept.next is None

    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.remember("we spoke of the xylophone", kind="conversation", project="shop")
        await memory.remember("the xylophone stands in the attic", kind="fact", project="shop")
        assert await counted(memory) == (2, 1, False)
        clock.wait(days=181)
        assert "MemoryExpired" not in await kinds(memory)
        assert await counted(memory) == (1, 0, True)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert "MemoryExpired" in await kinds(memory)
        assert await counted(memory) == (1, 0, True)


def test_the_shorter_of_two_lifetimes_counts() -> None:
    rules = Lifecycle(conversation_lifetime=timedelta(hours=1))
    assert rules.expiry("working", "conversation", NOON) == NOON + timedelta(hours=1)
    assert rules.expiry("working", "fact", NOON) == NOON + rules.working_lifetime
    assert rules.expiry("memory_bank", "conversation", NOON) == NOON + timedelta(hours=1)
    assert rules.expiry("memory_bank", "fact", NOON) is None


async def test_the_holders_lifetimes_count_and_can_be_chosen(folder: Path, stamp: Stamp, clock: Clock) -> None:
    policy = Policy(lifecycle=Lifecycle(working_lifetime=timedelta(minutes=5)))
    async with aftermind.open_memory(folder, stamp=stamp, policy=policy) as memory:
        await memory.record("where is the xylophone?", "in the attic", session="s1")
        clock.wait(minutes=6)
        assert await memory.recall("xylophone attic") == ()


# --- a clock that jumps ---------------------------------------------------------------------------------------


def test_a_clock_that_keeps_pace_is_trusted() -> None:
    watch = Watch(now=NOON, passed=0)
    for minute in range(1, 500):
        watch = watch.looked(NOON + timedelta(minutes=minute, seconds=minute % 7), 60.0 * minute)
        assert watch.trusted


@pytest.mark.parametrize("jump", [timedelta(days=3650), -timedelta(days=3650), JUMP * 1.1, -JUMP * 1.1])
def test_a_clock_that_jumps_is_not_believed_for_a_while(jump: timedelta) -> None:
    watch = Watch(now=NOON, passed=0).looked(NOON + jump, 30)
    assert not watch.trusted
    soon, late = 30 + TRUST.total_seconds() - 1, 30 + TRUST.total_seconds()
    assert not watch.looked(NOON + jump + timedelta(seconds=soon - 30), soon).trusted
    assert watch.looked(NOON + jump + timedelta(seconds=late - 30), late).trusted


def test_a_clock_that_is_set_right_again_is_doubted_anew() -> None:
    wrong = Watch(now=NOON, passed=0).looked(NOON + timedelta(days=365), 30)
    right = wrong.looked(NOON + timedelta(seconds=60), 60)
    assert right.doubted == 60
    assert right.looked(NOON + timedelta(seconds=60) + TRUST, 60 + TRUST.total_seconds()).trusted
