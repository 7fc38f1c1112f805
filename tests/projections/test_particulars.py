"""What the view knows of a memory's particulars is what its events say."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from aftermind.engine.event_forms.particulars import ReminderDone, ReminderSet, ReminderSnoozed
from aftermind.engine.events import Event, MemoryRecorded
from aftermind.engine.memory import folded
from aftermind.engine.names import Label, MemoryId, Scope, StreamName
from aftermind.projections.views.particulars import of
from tests.given import NOON, append, draft, given_appends

pytestmark = pytest.mark.anyio
M, DAY = MemoryId("m"), timedelta(days=1)
PLAN = MemoryRecorded(memory=M, kind="plan", collection="memory_bank", scope=Scope("global"), text="Water the plants")
WEEKLY = ReminderSet(memory=M, due=NOON, said="Mondays", every=Label("week"), zone=Label("UTC"))


@pytest.mark.parametrize(
    "events",
    [
        (),
        (WEEKLY,),
        (WEEKLY, ReminderSnoozed(memory=M, until=NOON + DAY)),
        (WEEKLY, ReminderDone(memory=M, next=NOON + 7 * DAY)),
        (ReminderSet(memory=M, due=NOON + DAY, every=Label("week"), first=NOON),),
        (WEEKLY, ReminderSet(memory=M)),
    ],
)
async def test_a_reminder(tmp_path: Path, events: tuple[Event, ...]) -> None:
    drafts = [draft(f"e{n}", event) for n, event in enumerate((PLAN, *events))]
    async with given_appends(tmp_path, append("memory-m", *drafts)) as known:
        memory = folded(await known.log.stream(StreamName("memory-m")))
        assert memory is not None
        assert await known.views.read(lambda c: of(c, M)) == memory.particulars
