"""Undoing, decided: whatever is in effect can be undone, and then the memory is what it was before."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from msgspec import structs

from aftermind.engine import memory as life
from aftermind.engine.errors import Refused
from aftermind.engine.events import MemoriesLinked, MemoryRecorded
from aftermind.engine.log import Append, Recorded
from aftermind.engine.memories.undoing import FORMS, in_effect, undoing_of, undone
from aftermind.engine.memory import Memory
from aftermind.engine.names import START, EventId, MemoryId, Version
from aftermind.engine.policy import Lifecycle
from tests.given import NOON
from tests.histories import histories

RULES, NOW = Lifecycle(), NOON + timedelta(days=30)


def streams(appends: list[Append]) -> dict[MemoryId, list[Recorded]]:
    found: dict[MemoryId, list[Recorded]] = {}
    for append in appends:
        if append.stream.startswith("memory-"):
            history = found.setdefault(MemoryId(append.stream.removeprefix("memory-")), [])
            for draft in append.drafts:
                place = Version(len(history) + 1)
                history.append(Recorded(position=START, stream=append.stream, version=place, draft=draft))
    return found


def folded(history: list[Recorded]) -> Memory | None:
    memory: Memory | None = None
    for one in history:
        memory = life.evolve(memory, one.draft.event)
    return memory


def after(id: MemoryId, history: list[Recorded], event: EventId) -> list[Recorded]:
    """The history with what undoes an event; the same one where that is nothing."""
    found = list(history)
    for number, said in enumerate(undone(id, history, event, NOW, RULES)):
        own = undoing_of(event) if number == 0 else EventId(f"{event}-{number}")
        draft = structs.replace(history[-1].draft, id=own, because=event, event=said)
        found.append(structs.replace(history[-1], version=Version(len(found) + 1), draft=draft))
    return found


def same(one: Memory | None, other: Memory | None) -> bool:
    """But for a lifetime, which begins anew, and verdicts that were taken back, which say nothing."""
    assert one is not None
    assert other is not None
    known = [{o: v for o, v in memory.scores.items() if v != "unknown"} for memory in (one, other)]
    bare = [structs.replace(memory, expires=None, scores={}) for memory in (one, other)]
    return bare[0] == bare[1] and known[0] == known[1]


@settings(max_examples=200)
@given(histories())
def test_what_happened_last_is_undone_and_that_is_undone(appends: list[Append]) -> None:
    for id, history in streams(appends).items():
        last, now = history[-1], folded(history)
        if len(history) < 2 or not isinstance(last.draft.event, FORMS) or isinstance(last.draft.event, MemoryRecorded):
            continue
        try:
            back = after(id, history, last.draft.id)
        except Refused:  # it is locked, or a machine's word
            continue
        assert same(folded(back), folded(history[:-1])), last
        if len(back) == len(history):
            continue
        assert last.draft not in in_effect(back)
        again = after(id, back, back[len(history)].draft.id)
        assert same(folded(again), now), last
        assert isinstance(last.draft.event, MemoriesLinked) or len(again) > len(back)


def refused(id: MemoryId, history: list[Recorded], event: EventId) -> Refused | None:
    try:
        undone(id, history, event, NOW, RULES)
    except Refused as error:
        return error
    return None


@settings(max_examples=200)
@given(histories())
def test_everything_is_undone_or_refused_with_what_helps(appends: list[Append]) -> None:
    for id, history in streams(appends).items():
        current = folded(history)
        if current is None or current.forgotten:
            continue
        hints = [refusal.hint for one in history if (refusal := refused(id, history, one.draft.id)) is not None]
        assert all(hints)


def test_of_a_forgotten_memory_nothing_is_undone() -> None:
    from tests.histories import History

    (history,) = streams(History().told([("remember", 0, 1, "kept"), ("forget", 0, 0, "")])).values()
    with pytest.raises(Refused, match="forgotten"):
        undone(MemoryId("m1"), history, history[-1].draft.id, NOW, RULES)
