"""What a session begins with, as the views tell it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from aftermind.engine.events import MemoryRecorded, MemoryScored
from aftermind.engine.log import Append
from aftermind.engine.names import EventId, Label, MemoryId, Outcome, Scope, SessionId
from aftermind.projections.recalling.shown import beginning
from aftermind.projections.recalling.shown.beginning import POINTS, Begin
from tests.given import NOON, append, draft, given_appends

pytestmark = pytest.mark.anyio
MINE = Scope("mine")
BEGIN = Begin(scope=MINE, scopes=(MINE,), session=SessionId("s"), now=NOON + timedelta(hours=1), limit=5)


def told(id: str, scope: str, *outcomes: Outcome) -> Append:
    """A memory, and how it turned out, one after the other."""
    memory = MemoryId(id)
    begun = MemoryRecorded(memory=memory, kind="fact", collection="memory_bank", scope=Scope(scope), text=f"of {id}")
    scores = [
        MemoryScored(memory=memory, outcome=outcome, occasion=EventId(f"{id}-{n}"), judge=Label("user"))
        for n, outcome in enumerate(outcomes)
    ]
    return append(f"memory-{id}", *(draft(f"{id}-e{n}", event) for n, event in enumerate((begun, *scores))))


async def test_what_worked_here_is_told_however_much_was_judged_elsewhere_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beginning, "_LOOKED_BACK", 3)
    here = told("one", "mine", "worked", "worked"), told("two", "mine", "failed")
    elsewhere = told("other", "theirs", *["worked"] * 20)
    async with given_appends(tmp_path, *here, elsewhere) as known:
        found = await known.views.read(lambda c: POINTS["hot_items"](c, BEGIN))
    assert [(one.memory.memory, one.reason) for one in found if one.memory] == [("one", "it worked 2 times lately")]
