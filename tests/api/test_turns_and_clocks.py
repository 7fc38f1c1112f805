"""A clock that is set back between the pieces of a turn parts none of them: what was told at once has the order in
which it was told, and what names its turn belongs to it. Where something waited, its time is what tells."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.requests import Brief, EndTurn, NoteTool
from aftermind.engine.errors import OffLimits
from aftermind.engine.events import ExchangeRecorded, ToolUse, ToolUsed
from aftermind.engine.names import EventId
from tests.opened import Clock

pytestmark = pytest.mark.anyio
BACK = [timedelta(seconds=3), timedelta(minutes=5), timedelta(days=1)]


class Client:
    """Tells a store of a session, by a clock that somebody sets; with ids of its turns, or without."""

    def __init__(self, memory: OpenMemory, clock: Clock, named: bool) -> None:
        self._held: Any = memory.ask.__self__  # type: ignore[attr-defined]
        self.memory, self._clock, self._named, self._number = memory, clock, named, 0

    async def prompt(self, turn: int, text: str = "", **when: Any) -> None:
        await self._ask(Brief(session="s", prompt=text or f"prompt {turn}", message=self._of(turn)), **when)

    async def tool(self, turn: int, **when: Any) -> None:
        tool = ToolUse(name=f"Tool{turn}", paths=("plan.md",))
        await self._ask(NoteTool(session="s", tool=tool, message=self._of(turn)), **when)

    async def end(self, turn: int, **when: Any) -> None:
        await self._ask(EndTurn(session="s", answer=f"answer {turn}", message=self._of(turn)), **when)

    async def told(self) -> list[tuple[str, str, list[str]]]:
        events = [one.draft.event for one in await self.memory.events()]
        found = [one for one in events if isinstance(one, ExchangeRecorded)]
        return [(one.prompt, one.answer, [tool.name for tool in one.tools]) for one in found]

    def _of(self, turn: int) -> str | None:
        return f"turn {turn}" if self._named else None

    async def _ask(self, request: Any, *, waited: datetime | None = None) -> None:
        """It is handled 20 ms after it was said, or out of the spool: then it `waited` since that time."""
        self._number += 1
        said = waited or self._clock.time
        self._clock.time += timedelta(milliseconds=20)
        key = EventId(f"{int(said.timestamp() * 1000):012x}{self._number:020x}")
        await self._held.answer(request, key, waited)
        self._clock.time += timedelta(seconds=1)


@pytest.fixture(params=[True, False], ids=["named", "unnamed"])
async def client(folder: Path, stamp: Any, clock: Clock, request: Any) -> AsyncIterator[Client]:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        yield Client(memory, clock, request.param)


def whole(turn: int) -> tuple[str, str, list[str]]:
    return (f"prompt {turn}", f"answer {turn}", [f"Tool{turn}"])


@pytest.mark.parametrize("back", BACK)
@pytest.mark.parametrize("step", range(3))
async def test_wherever_in_a_turn_the_clock_is_set_back_it_stays_one(client, clock, back, step):
    for turn in range(1, 5):
        for number, piece in enumerate((client.prompt, client.tool, client.end)):
            if turn in (2, 3) and number == step:
                clock.time -= back
            await piece(turn)
    assert await client.told() == [whole(turn) for turn in range(1, 5)]


@pytest.mark.parametrize("back", BACK)
async def test_no_clock_lets_through_what_answers_a_private_prompt(client, clock, back):
    await client.prompt(1)
    await client.end(1)
    await client.prompt(2, "<private>what does quokka cost?</private>")
    clock.time -= back
    await client.tool(2)
    with pytest.raises(OffLimits):
        await client.end(2)
    await client.prompt(3)
    await client.tool(3)
    await client.end(3)
    assert await client.told() == [("prompt 1", "answer 1", []), whole(3)]
    events = [one.draft.event for one in await client.memory.events()]
    assert [one.tool.paths for one in events if isinstance(one, ToolUsed)] == [(), ("plan.md",)]


async def test_what_waited_has_its_place_by_its_time_also_after_the_clock_was_set_back(client, clock):
    await client.prompt(1)
    clock.time -= timedelta(minutes=5)
    await client.end(1)
    await client.prompt(2)
    await client.tool(2)
    late = clock.time
    clock.wait(seconds=10)
    await client.prompt(3)
    await client.tool(3)
    await client.end(2, waited=late)
    await client.end(3)
    assert await client.told() == [("prompt 1", "answer 1", []), whole(2), whole(3)]


async def test_an_answer_that_is_handled_after_the_next_prompt_is_one_to_its_own(client, clock):
    await client.prompt(1)
    await client.tool(1)
    said = clock.time
    clock.wait(seconds=1)
    await client.prompt(2)
    await client.end(1, waited=said)
    await client.tool(2)
    await client.end(2)
    assert await client.told() == [whole(1), whole(2)]
