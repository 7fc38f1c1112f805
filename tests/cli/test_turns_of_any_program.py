"""Turns as any program tells them, without ids: as many as were told, each with its prompt where that was told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.spooling import put
from tests.telling import Told, opened
from tests.wired import new_key, until

from aftermind.engine.events import ExchangeRecorded, ExchangeRevised
from aftermind.engine.store import spool

pytestmark = pytest.mark.anyio


@pytest.fixture
async def told(tmp_path: Path) -> AsyncIterator[Told]:
    async with opened(tmp_path / "store") as found:
        yield found


async def test_a_turn_that_any_program_tells_twice_is_one_with_its_tools(told):
    await told.plainly("prompt", prompt="where is the lamp?")
    for _ in range(2):
        await told.plainly("turn", answer="In the attic.", tools=[{"name": "grep", "paths": ["attic.md"]}])
    exchange = await told.exchange()
    assert (exchange.prompt, exchange.answer) == ("where is the lamp?", "In the attic.")
    assert [(tool.name, tool.paths) for tool in exchange.tools] == [("grep", ("attic.md",))]


async def test_turns_without_prompts_of_their_own_are_as_many_as_were_told(told):
    for _ in range(2):
        await told.plainly("turn", prompt="continue", answer="Done.")
    for answer in ("Fixed A.", "Fixed B.", "Fixed A."):
        await told.plainly("turn", answer=answer)
    await told.plainly("prompt", prompt="and the tests?")
    for answer in ("They pass.", "They fail."):
        await told.plainly("turn", prompt="and the tests?", answer=answer)
    said = [(one.prompt, one.answer) for one in await told.events(ExchangeRecorded)]
    assert said == [
        *[("continue", "Done.")] * 2,
        *[("", answer) for answer in ("Fixed A.", "Fixed B.", "Fixed A.")],
        *[("and the tests?", answer) for answer in ("They pass.", "They fail.")],
    ]
    assert not await told.events(ExchangeRevised)


@pytest.mark.parametrize("forgotten", [False, True])
async def test_a_turn_that_comes_by_the_socket_and_by_the_spool_is_one(tmp_path: Path, forgotten: bool) -> None:
    key, folder = new_key(), tmp_path / "store"
    async with opened(folder) as told:
        sent = await told.plainly("turn", key=key, prompt="continue", answer="The quokka is done.")
        exchange = await told.exchange()
        if forgotten:
            await told.memory.forget(exchange.memory)
    put(folder, sent, key)
    async with opened(folder) as told:
        await until(lambda: not spool.spooled(folder).waiting, "it is drained")
        assert len(await told.events(ExchangeRecorded)) == (0 if forgotten else 1)
