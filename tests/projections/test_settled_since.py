"""An old answer stands below the newer statement beside it that says otherwise, and says so; nothing else does."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from aftermind import OpenMemory
from aftermind.engine.names import Scope
from aftermind.projections.recalling.candidate import Candidate, Hit, Outcomes, Ranked
from aftermind.projections.recalling.ranking.settled_since import settled_since
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
    ("talk", "answer", "fact"),
    [
        ("which port does production use?", "Production uses port 8080.", "Production uses port 8081"),
        ("What is the retry limit?", "The retry limit is 3", "The retry limit is 5"),
        ("which package manager?", "The package manager is npm.", "The package manager is pnpm"),
        # a value alone
        ("which port does production use?", "8080", "Production uses port 8081"),
        ("What's the retry limit?", "`3`.", "The retry limit is 5"),
        ("what is the test database?", "SQLite", "The test database is PostgreSQL"),
        ("what is the deploy day?", "Monday", "The deploy day is Friday"),
        # stated there, and agreed to
        ("Production uses port 8080.", "OK.", "Production uses port 8081"),
        ("The retry limit is 3", "Got it, thanks!", "The retry limit is 5"),
    ],
)
def test_an_old_answer_stands_below_the_statement_that_says_otherwise(talk, answer, fact):
    assert told(talk, answer, fact) == [FACT, TALK]


@pytest.mark.parametrize(
    ("talk", "answer", "fact"),
    [
        # the same, or nothing
        ("which port does production use?", "Production uses port 8081.", "Production uses port 8081"),
        ("which port does production use?", "I do not know.", "Production uses port 8081"),
        ("which port does production use?", "8081.", "Production uses port 8081"),
        # of something else, by its own words or by what was asked
        ("which port does production use?", "Staging uses port 8080.", "Production uses port 8081"),
        ("which port does the API use in staging?", "The API listens on port 9090.", "The API listens on port 8081"),
        ("CI?", "The Node version is 20.", "The Node version is 22"),
        ("For uploads what is it?", "The request timeout is 5 minutes.", "The request timeout is 30 seconds"),
        ("what is it in dev.yaml?", "The log level is debug.", "The log level is info"),
        ("What does Black do by default?", "The line length is 88.", "The line length is 120"),
        ("which port?", "8080", "Production uses port 8081"),
        ("which port does staging use?", "8080", "Production uses port 8081"),
        ("since when does production use that port?", "2024", "Production uses port 8081"),
        ("how many ports does production use?", "2", "Production uses port 8081"),
        ("which port does production not use?", "8080", "Production uses port 8081"),
        ("does production use that port?", "Yes.", "Production uses port 8081"),
        ("which port does production use?", "Postgres", "Production uses port 8081"),
        ("what is above the retry limit?", "7", "The retry limit is 5"),
        ("what other port does production use?", "8080", "Production uses port 8081"),
        ("which is the most the retry limit can be?", "10", "The retry limit is 5"),
        ("what about the retry limit, is it off by 1?", "1", "The retry limit is 5"),
        ("what should the retry limit be?", "3", "The retry limit is 5"),
        ("what is the database host?", "test-db.internal", "The database host is prod-db.internal"),
        # tells of the change
        ("what is the retry limit?", "The retry limit is 3. Not any more: it is 5.", "The retry limit is 5"),
        ("The retry limit is 3.", "Not any more: it is 5 since Monday.", "The retry limit is 5"),
        # a list, code, a plan, a quotation, a condition on the next line, a question
        ("which log level?", "env:\n- LOG_LEVEL=debug", "LOG_LEVEL=info"),
        ("which log level?", "```\nLOG_LEVEL=debug\n```", "LOG_LEVEL=info"),
        ("timeout?", "Option A: the request timeout is 60 seconds.", "The request timeout is 30 seconds"),
        ("timeout?", "> The request timeout is 60 seconds.", "The request timeout is 30 seconds"),
        (
            "timeout?",
            "The request timeout is 60 seconds\nfor the batch jobs only.",
            "The request timeout is 30 seconds",
        ),
        ("which port?", "Production uses port 8080?", "Production uses port 8081"),
        # somebody's own
        ("which code editor?", "My code editor is Vim.", "My code editor is Helix"),
    ],
)
def test_what_may_be_about_something_else_stays(talk, answer, fact):
    assert told(talk, answer, fact) == [TALK, FACT]


def test_of_several_statements_the_newest_settles_it():
    old = hit(TALK, "exchange", "which port does production use?", 0.9, answer="Production uses port 8080.")
    first = hit(FACT, "fact", "Production uses port 8081", 0.6)
    last = hit("m3", "fact", "Production uses port 8082", 0.5)
    found = settled_since(Ranked(hits=(old, first, last), left_out=()))
    assert [(one.candidate.memory, one.score) for one in found.hits] == [(FACT, 0.6), ("m3", 0.5), (TALK, 0.5)]
    assert found.hits[-1].reasons[-1] == "m3 says otherwise since"


@pytest.mark.parametrize(
    "others", [{"at": NOON}, {"scope": Scope("other")}, {"status": "superseded"}, {"kind": "idea"}]
)
def test_only_a_newer_live_statement_of_the_same_scope_settles_anything(others):
    kind = others.pop("kind", "configuration")
    hits = (
        hit(TALK, "exchange", "which port does production use?", 0.9, answer="Production uses port 8080."),
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
