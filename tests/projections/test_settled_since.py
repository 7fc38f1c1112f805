"""Talk that says what a newer statement in the same answer says otherwise stands below it, and says so."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from aftermind import OpenMemory
from aftermind.engine.names import Scope
from aftermind.projections.recalling.candidate import Candidate, Hit, Outcomes, Ranked
from aftermind.projections.recalling.settled_since import settled_since
from tests.given import NOON

FACT, TALK = "m2", "m1"
SAYS = "m2 says otherwise since"


def hit(memory: str, kind: str, text: str, score: float, **others: Any) -> Hit:
    known = {
        "position": int(memory[1:]), "collection": "memory_bank", "scope": Scope("shop"), "status": "live",
        "session": None, "at": NOON + timedelta(days=int(memory[1:])), "outcomes": Outcomes(),
    }  # fmt: skip
    one = Candidate(memory=memory, kind=kind, text=text, **{**known, **others})  # type: ignore[arg-type]
    return Hit(candidate=one, rank=1 if score > 0.7 else 2, score=score, reasons=("says it",))


def told(talk: str, answer: str = "", fact: str = "Production uses port 8081", **others: Any) -> list[str]:
    """The hits, best first, of an answer in which the talk came first."""
    hits = (hit(TALK, "exchange", talk, 0.9, answer=answer), hit(FACT, "configuration", fact, 0.6, **others))
    found = settled_since(Ranked(hits=hits, left_out=()))
    assert [one.rank for one in found.hits] == [1, 2]
    assert found.hits[0].score >= found.hits[1].score
    marked = [SAYS in one.reasons for one in found.hits if one.candidate.memory == TALK]
    assert marked == [found.hits[0].candidate.memory == FACT]
    return [one.candidate.memory for one in found.hits]


@pytest.mark.parametrize(
    ("talk", "answer"),
    [
        ("which port does production use?", "Production uses port 8080."),
        ("Production uses port 8080.", "noted"),
        ("is it up?", "I looked. It is up.\nProduction uses port 8080. Ask if you need more."),
    ],
)
def test_the_old_value_in_talk_stands_below_the_new_one(talk, answer):
    assert told(talk, answer) == [FACT, TALK]


@pytest.mark.parametrize(
    ("talk", "answer"),
    [
        ("which port does production use?", "Staging uses port 8080."),
        ("which port does production use?", "Production uses port 8081."),
        ("which port does production use?", "I do not know."),
        ("Production uses port 8080.", "Not any more: it is 8081 since Monday."),
        ("Does production use port 8080?", ""),
    ],
)
def test_what_is_about_something_else_says_the_same_or_tells_of_the_change_stays(talk, answer):
    assert told(talk, answer) == [TALK, FACT]


@pytest.mark.parametrize(
    "others", [{"at": NOON}, {"scope": Scope("other")}, {"status": "superseded"}, {"kind": "idea"}]
)
def test_only_a_newer_live_statement_of_the_same_scope_settles_anything(others):
    kind = others.pop("kind", "configuration")
    hits = (
        hit(TALK, "exchange", "Production uses port 8080.", 0.9),
        hit(FACT, kind, "Production uses port 8081", 0.6, **others),
    )
    answer = Ranked(hits=hits, left_out=())
    assert settled_since(answer) == answer


@pytest.mark.anyio
async def test_who_asks_reads_what_is_so_first_and_the_history_as_it_was(memory: OpenMemory):
    asked = "which port does production use?"
    old = await memory.record(asked, "Production uses port 8080.", session="s", at=NOON)
    new = await memory.remember("Production uses port 8081", kind="configuration")
    first, second = await memory.recall(asked)
    assert (first.id, second.id) == (new, old.memory)
    assert f"{new} says otherwise since" in second.reasons
    assert f"{new} says otherwise since" in (await memory.context(asked, session="now")).text
    assert not any("since" in reason for hit in await memory.recall(asked, history=True) for reason in hit.reasons)
