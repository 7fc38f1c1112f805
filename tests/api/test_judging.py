"""The desk: what is handed out to judges, and what follows from what they say."""

from __future__ import annotations

import pytest

from aftermind.projections.ranking import Outcomes
from aftermind.sidecar.ports import Nothing
from tests.desks import case, echo, put, taken

pytestmark = pytest.mark.anyio
ADVICE = "Deploy the billing service with make deploy"


async def asked(memory, prompt: str, answer: str = "done", session: str = "s", **options):
    await memory.context(prompt, session=session, **options)
    return await memory.record(prompt, answer, session=session, **options)


async def outcomes(memory, id: str) -> Outcomes:
    return (await memory.show(id)).outcomes


async def test_an_exchange_is_handed_out_with_its_own_memories_and_what_was_said_next(memory):
    shown = await memory.remember(ADVICE)
    exchange = await asked(memory, "how do I deploy the billing service?", "make deploy")
    assert isinstance(await taken(memory), Nothing)
    await memory.context("thanks, that works", session="s")
    seen = await case(memory)
    assert (seen.exchange, seen.prompt, seen.answer) == (
        exchange.id,
        "how do I deploy the billing service?",
        "make deploy",
    )
    assert ([one.id for one in seen.shown], seen.follow_up, seen.attempt) == ([shown], "thanks, that works", 1)
    assert isinstance(await taken(memory), Nothing)
    assert await put(memory, seen, echo(seen))
    assert await outcomes(memory, shown) == await outcomes(memory, exchange.memory) == Outcomes(worked=1)
    assert isinstance(await taken(memory), Nothing)
