"""A log that holds a number no column can keep, as older programs wrote what a server claimed, is still one of which
every view is built."""

from __future__ import annotations

import pytest

from aftermind.engine.events import ContextInjected, ModelAnswered, ModelAsked, SummaryRequested
from aftermind.engine.names import Label, MemoryId, SessionId
from tests.given import append, draft, given_appends

pytestmark = pytest.mark.anyio
DAY = "spending-2026-05-01"


def asked(id: str, **cost: float) -> object:
    return draft(id, ModelAsked(model=Label("m"), purpose=Label("judge"), **cost))  # type: ignore[arg-type]


def answered(id: str, **cost: float) -> object:
    event = ModelAnswered(asked=id, **cost)  # type: ignore[arg-type]
    return draft(f"{id} answered", event, because=id)


async def test_what_was_spent_stays_countable(tmp_path):
    events = [
        *(asked(f"a{n}", tokens=10) for n in range(4)),
        asked("a4", tokens=2**70, dollars=1e308),
        answered("a0", calls=1, tokens_in=2**63 - 1, tokens_out=2**63 - 1),
        answered("a1", calls=1, tokens_in=10**30, milliseconds=2**63),
        answered("a2", calls=-5, tokens_in=-7, dollars=-1.0),
        answered("a3", calls=1, tokens_in=3, tokens_out=4, dollars=0.5, milliseconds=6),
    ]
    async with given_appends(tmp_path, append(DAY, *events)) as known:
        rows = await known.rows("SELECT calls, tokens, dollars, milliseconds FROM spending ORDER BY asked")
        assert rows[2:4] == [(0, 0, 0.0, 0), (1, 7, 0.5, 6)]
        ((calls, tokens, dollars),) = await known.rows("SELECT sum(calls), sum(tokens), sum(dollars) FROM spending")
        assert calls == 4
        assert 0 < tokens < 2**63
        assert 0 < dollars < 1e300


async def test_sizes_and_lengths_are_kept_as_far_as_they_can_be(tmp_path):
    session, memory, huge = SessionId("s"), MemoryId("m"), 2**64
    injected = ContextInjected(session=session, scope="global", query="q", shown=(), tokens=huge)  # type: ignore[arg-type]
    async with given_appends(
        tmp_path,
        append("session-s", draft("i", injected)),
        append("memory-m", draft("w", SummaryRequested(memory=memory, most=huge))),
    ) as known:
        assert await known.rows("SELECT tokens FROM injection") == await known.rows("SELECT most FROM wordy")
