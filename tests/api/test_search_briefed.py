"""What an assistant is told of a search as a briefing keeps to the bound of one, names its sources, and was shown."""

from __future__ import annotations

import pytest

from aftermind import OpenMemory
from aftermind.cli.language.requests import Search
from aftermind.engine.events import ContextInjected
from aftermind.engine.policy import Ranking
from aftermind.projections.recalling.shown.briefing import CLOSE, OPEN
from aftermind.projections.recalling.shown.wording import tokens
from tests.spooling import recorded

pytestmark = pytest.mark.anyio


async def test_a_briefed_search_keeps_to_the_budget_and_shows_what_is_in_it(memory: OpenMemory) -> None:
    for number in range(9):
        words = " ".join(f"step{number}x{word} of the reviewer" for word in range(20))
        await memory.remember(f"Release checklist {number}: {words}", project="shop", speaker="Ada")
    plain = await memory.ask(Search(query="release checklist", session="s", project="shop"))
    found = await memory.ask(Search(query="release checklist", session="s", project="shop", briefed=True))
    assert plain.text == ""
    assert 0 < len(found.memories) < len(plain.memories)
    assert tokens(found.text) <= Ranking().budget
    lines = found.text.removeprefix(OPEN).removesuffix(CLOSE).splitlines()
    assert [line.split("]")[0] for line in lines] == [f"- [{one.id}" for one in found.memories]
    assert all(") Ada: Release checklist" in line for line in lines)
    event = (await recorded(memory, ContextInjected))[-1].event
    assert [one.memory for one in event.shown] == [one.id for one in found.memories]
    assert event.tokens == tokens(found.text)


async def test_a_briefed_search_without_hits_shows_nothing(memory: OpenMemory) -> None:
    found = await memory.ask(Search(query="penguins", session="s", project="shop", briefed=True))
    assert (found.text, found.memories, found.injection) == ("", (), None)
    assert await recorded(memory, ContextInjected) == []
