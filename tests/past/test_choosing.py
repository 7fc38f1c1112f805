"""Which events of a log are meant."""

from __future__ import annotations

from datetime import timedelta

import pytest

from aftermind.cli.past.choosing import Choice, Choosing, types_of
from aftermind.engine.errors import Unusable
from aftermind.engine.events import (
    Erased,
    ExchangeJudged,
    ExchangeRecorded,
    MemoryRecorded,
    MemoryScored,
    ModelAsked,
    ProjectSeen,
    SessionEnded,
    SessionStarted,
)
from aftermind.engine.log import Recorded
from tests.given import NOON, draft

HOUR = timedelta(hours=1)
MODEL = ModelAsked(model="m", purpose="judge", tokens=1, dollars=0.0)


def story() -> list[Recorded]:
    """Two sessions in two projects, an hour between any two events: what each of them is, is its id."""
    told = [
        ("project-p", ProjectSeen(project="p", name="shop", aliases=())),
        ("session-s1", SessionStarted(session="s1", scope="p")),
        ("session-s2", SessionStarted(session="s2", scope="global")),
        ("session-s1", ExchangeRecorded(session="s1", scope="p", memory="m1", prompt="?", answer="!")),
        ("memory-m1", MemoryRecorded(memory="m1", kind="exchange", collection="working", scope="p", text="?")),
        ("memory-m2", MemoryRecorded(memory="m2", kind="fact", collection="working", scope="global", text=".")),
        ("session-s1", ExchangeJudged(session="s1", exchange="e4", outcome="worked", memories=(), judge="j")),
        ("memory-m2", MemoryScored(memory="m2", outcome="worked", occasion="o", judge="j")),
        ("memory-m1", Erased(tag="memory-scored")),
        ("spending-2026-05-01", MODEL),
        ("session-s1", SessionEnded(session="s1", reason="ended")),
    ]
    return [
        Recorded(position=n, stream=stream, version=1, draft=draft(f"e{n}", event, NOON + n * HOUR))
        for n, (stream, event) in enumerate(told, 1)
    ]


@pytest.mark.parametrize(
    ("choice", "meant"),
    [
        (Choice(), range(1, 12)),
        (Choice(since=4), range(4, 12)),
        (Choice(until=NOON + 3 * HOUR), (1, 2, 3)),
        (Choice(since=NOON + 3 * HOUR, until=4), (3, 4)),
        (Choice(sessions=frozenset({"s1"})), (2, 4, 7, 11)),
        (Choice(streams=frozenset({"memory-m2", "project-p"})), (1, 6, 8)),
        (Choice(types=frozenset({"memory-scored"})), (8, 9)),
        (Choice(scopes=frozenset({"p"})), (1, 2, 4, 5, 7, 9, 11)),
        (Choice(scopes=frozenset({"p", "global"})), (1, 2, 3, 4, 5, 6, 7, 8, 9, 11)),
        (Choice(scopes=frozenset({"p"}), since=9), (9, 11)),
        (Choice(kinds=frozenset({"fact"})), (6, 8)),
        (Choice(kinds=frozenset({"exchange"})), (4, 5, 7, 9)),
        (Choice(kinds=frozenset({"fact"}), scopes=frozenset({"p"})), ()),
    ],
)
def test_an_event_is_meant_by_what_it_is_about(choice, meant):
    choosing = Choosing(choice)
    assert [one.position for one in story() if choosing.wants(one)] == [*meant]


def test_a_type_that_there_is_not_is_refused_with_the_one_that_is_close():
    assert types_of(["memory-scored"]) == {"memory-scored"}
    with pytest.raises(Unusable) as refused:
        types_of(["memory-score"])
    assert "memory-scored" in refused.value.hint
