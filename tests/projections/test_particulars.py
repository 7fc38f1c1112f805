"""What the view knows of a memory's particulars is what its events say."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aftermind.engine.event_forms.particulars import ReminderDone, ReminderSet, ReminderSnoozed
from aftermind.engine.events import Event, MemoryRecorded
from aftermind.engine.memory import folded
from aftermind.engine.names import Label, MemoryId, Scope, StreamName
from aftermind.projections.views.particulars import of
from tests.given import NOON, ON_DISK, append, draft, given_appends
from tests.histories import WORDS, History

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


SAYING = ("remember", "detail", "detail", "date", "plan", "review", "remind", "snooze", "done", "resolve", "reopen")
steps = st.lists(
    st.tuples(st.sampled_from((*SAYING, "plan", "correct")), *[st.integers(0, 5)] * 2, st.sampled_from(WORDS)),
    min_size=12,
    max_size=40,
)


@ON_DISK
@given(steps)
@example([("plan", 0, 1, ""), ("plan", 0, 5, "")])
async def test_whatever_is_said_of_a_memory(said: list[tuple[str, int, int, str]]) -> None:
    """Said twice, as two folds: of the memory that decides, and of the view that tells."""
    with TemporaryDirectory() as folder:
        appends = History().told([("remember", 0, 0, "a"), ("remember", 0, 0, "ab"), *said])
        async with given_appends(Path(folder), *appends) as known:
            for stream in dict.fromkeys(one.stream for one in appends):
                memory = folded(await known.log.stream(stream))
                assert memory is not None
                assert await known.views.read(lambda c, id=memory.id: of(c, id)) == memory.particulars  # type: ignore[misc]
