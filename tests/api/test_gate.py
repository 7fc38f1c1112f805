"""A gate that can deadlock is none: it opens by itself where no checkpoint comes, and where none can be written."""

from __future__ import annotations

from pathlib import Path

import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.erasing import Erasing, ForgetAll, Selection
from aftermind.cli.language.requests import NoteTool
from aftermind.cli.language.sessions import AskGate, CloseSession, WriteCheckpoint
from aftermind.engine.errors import DiskFailed, DiskFull
from aftermind.engine.events import CheckpointWritten, ToolHeld, ToolUse
from aftermind.engine.permitting.gating import AT_ONCE
from aftermind.engine.policy import Gate, Policy
from aftermind.engine.stamp import Stamp
from tests.api.test_erasing_parts import room
from tests.opened import Clock

pytestmark = pytest.mark.anyio
SHOP = "shop"
POLICY = Policy(gate=Gate(hold_after=2, most_holds=3))
ASKS = AskGate(session="s1", project=SHOP)


async def used(memory: OpenMemory, count: int = 1, session: str = "s1") -> None:
    for _ in range(count):
        await memory.ask(NoteTool(session=session, project=SHOP, tool=ToolUse(name="Bash")))


async def verdicts(memory: OpenMemory, clock: Clock, count: int) -> list[str]:
    found = []
    for _ in range(count):
        clock.wait(seconds=2 * AT_ONCE.total_seconds())
        found.append((await memory.ask(ASKS)).verdict)
    return found


async def test_a_gate_that_can_deadlock_is_none_who_writes_no_checkpoint_is_not_kept_for_good(
    folder: Path, stamp: Stamp, clock: Clock
) -> None:
    """Nor by a process that is started anew: how often it was held back is in the log."""
    async with aftermind.open_memory(folder, stamp=stamp, policy=POLICY) as memory:
        await used(memory, 2)
        assert await verdicts(memory, clock, 2) == ["hold", "hold"]
    async with aftermind.open_memory(folder, stamp=stamp, policy=POLICY) as memory:
        assert await verdicts(memory, clock, 3) == ["hold", "open", "open"]
        await used(memory, 50)
        assert await verdicts(memory, clock, 1) == ["open"]
        await memory.ask(WriteCheckpoint(session="s1", project=SHOP, goal="At last"))
        await used(memory, 2)
        assert await verdicts(memory, clock, 1) == ["hold"]


async def test_another_sessions_checkpoint_opens_it_and_another_projects_does_not(
    folder: Path, stamp: Stamp, clock: Clock
) -> None:
    async with aftermind.open_memory(folder, stamp=stamp, policy=POLICY) as memory:
        await used(memory, 2)
        await used(memory, 9, "of another")
        await memory.ask(WriteCheckpoint(session="theirs", project="other", goal="Theirs"))
        assert await verdicts(memory, clock, 1) == ["hold"]
        await memory.ask(WriteCheckpoint(session="of another", project=SHOP, goal="Ours"))
        assert await verdicts(memory, clock, 1) == ["open"]
        await used(memory, 2)
        assert await verdicts(memory, clock, 1) == ["hold"]
        await memory.ask(CloseSession(session="s1"))
        assert await verdicts(memory, clock, 1) == ["open"]


async def test_asked_of_twice_a_use_is_held_back_once(folder: Path, stamp: Stamp, clock: Clock) -> None:
    async with aftermind.open_memory(folder, stamp=stamp, policy=POLICY) as memory:
        await used(memory, 2)
        for _ in range(2):  # as an editor does that runs another's hooks as well
            assert (await memory.ask(AskGate(session="s1", project=SHOP, call="c1"))).verdict == "hold"
        assert sum(isinstance(one.draft.event, ToolHeld) for one in await memory.events()) == 1


async def test_where_nothing_can_be_recorded_nothing_is_held_back(folder: Path, stamp: Stamp) -> None:
    """A checkpoint could not be written either. A hook that is told of an error says nothing, and the tool is used."""
    async with aftermind.open_memory(folder, stamp=stamp, policy=POLICY) as memory:
        await used(memory, 2)
        with room(4096), pytest.raises((DiskFull, DiskFailed)):
            await memory.ask(ASKS)


async def test_a_checkpoint_that_is_forgotten_keeps_its_own_gate_open(folder: Path, stamp: Stamp, clock: Clock) -> None:
    async with aftermind.open_memory(folder, stamp=stamp, policy=POLICY) as memory:
        await used(memory, 2)
        await memory.ask(WriteCheckpoint(session="s1", project=SHOP, goal="The wombat"))
        (one,) = [one.draft.id for one in await memory.events() if isinstance(one.draft.event, CheckpointWritten)]
        begun = await memory.ask(ForgetAll(selection=Selection(events=(one,))))
        await memory.ask(Erasing(run=begun.run, seconds=60.0))
        assert await verdicts(memory, clock, 1) == ["open"]
