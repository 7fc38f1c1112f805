"""One exchange's life: what a second delivery means, and which memories a verdict moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.errors import ExchangeDiffers, NotFound, Refused
from aftermind.engine.events import Event, ExchangeRecorded, ExchangeRevised, MemoryVerdict, ToolUse
from aftermind.engine.log import Recorded
from aftermind.engine.memories.exchange import delivered_again, memory_of, verdicts
from aftermind.engine.names import EventId, MemoryId, Position, Scope, SessionId, StreamName, Version
from tests.given import draft

X, BORN = EventId("x1"), memory_of(EventId("x1"))
SESSION, SCOPE = SessionId("s1"), Scope("global")


def exchanged(answer: str) -> ExchangeRecorded:
    return ExchangeRecorded(session=SESSION, scope=SCOPE, memory=BORN, prompt="how?", answer=answer)


def revised(answer: str, exchange: EventId = X, tools: tuple[ToolUse, ...] = ()) -> ExchangeRevised:
    return ExchangeRevised(session=SESSION, scope=SCOPE, exchange=exchange, memory=BORN, answer=answer, tools=tools)


def history(*events: tuple[str, Event]) -> list[Recorded]:
    return [
        Recorded(position=Position(n), stream=StreamName("session-s1"), version=Version(n), draft=draft(id, event))
        for n, (id, event) in enumerate(events, start=1)
    ]


def again(answer: str, *later: tuple[str, Event], prompt: str = "how?", tools: tuple[ToolUse, ...] = ()) -> object:
    return delivered_again(X, history(("x1", exchanged("make")), *later), prompt, answer, tools)


def test_an_exchange_that_is_not_recorded_is_new() -> None:
    assert delivered_again(EventId("x2"), history(("x1", exchanged("make"))), "how?", "make", ()) is None


def test_the_same_text_again_is_nothing_new() -> None:
    assert again("make") is None


def test_a_shorter_answer_that_came_late_is_nothing_new() -> None:
    assert again("ma") is None
    assert again("make deploy", ("r1", revised("make deploy now"))) is None


def test_a_fuller_answer_is_a_revision() -> None:
    tools = (ToolUse(name="bash", paths=("Makefile",)),)
    assert again("make deploy", tools=tools) == revised("make deploy", tools=tools)


def test_the_latest_revision_is_what_counts_and_only_of_this_exchange() -> None:
    assert again("make deploy now", ("r1", revised("make deploy"))) == revised("make deploy now")
    assert again("make it", ("r1", revised("make deploy", exchange=EventId("x9")))) == revised("make it")


@pytest.mark.parametrize(("prompt", "answer"), [("why?", "make"), ("how?", "just do it"), ("how?", "Make")])
def test_another_text_under_the_same_id_is_an_error(prompt: str, answer: str) -> None:
    with pytest.raises(ExchangeDiffers) as differs:
        again(answer, prompt=prompt)
    assert differs.value.exchange == X


@given(st.lists(st.text(max_size=5), max_size=5))
def test_whatever_is_delivered_twice_changes_nothing_the_second_time(parts: list[str]) -> None:
    told, answer = [("x1", exchanged("make"))], "make"
    for n, part in enumerate(parts):
        answer += part
        for _ in ("once", "and again"):
            event = delivered_again(X, history(*told), "how?", answer, ())
            told += [(f"r{n}", event)] if event else []
    assert len(told) == 1 + sum(map(bool, parts))
    assert delivered_again(X, history(*told), "how?", answer, ()) is None


# --- verdicts -------------------------------------------------------------------------------------------------

OCCASIONS = {MemoryId("m1"): EventId("i1"), MemoryId("m2"): EventId("i2"), BORN: X}


def verdict(memory: str, outcome: str, occasion: str) -> MemoryVerdict:
    return MemoryVerdict(memory=MemoryId(memory), outcome=outcome, occasion=EventId(occasion))  # type: ignore[arg-type]


def test_a_verdict_moves_what_had_a_part_each_on_its_own_occasion() -> None:
    assert verdicts(OCCASIONS, {MemoryId("m1"), BORN}, "worked", {}) == (
        verdict("m1", "worked", "i1"),
        verdict(BORN, "worked", "x1"),
    )


def test_named_memories_have_a_word_of_their_own_and_the_others_none() -> None:
    named = {MemoryId("m2"): "failed", BORN: "partial"}
    assert verdicts(OCCASIONS, (), "worked", named) == (verdict("m2", "failed", "i2"), verdict(BORN, "partial", "x1"))  # type: ignore[arg-type]


def test_a_memory_that_was_not_shown_cannot_be_credited() -> None:
    with pytest.raises(NotFound) as missing:
        verdicts(OCCASIONS, OCCASIONS, None, {MemoryId("m3"): "worked"})
    assert missing.value.id == "m3"


def test_a_verdict_without_an_outcome_is_refused() -> None:
    with pytest.raises(Refused):
        verdicts(OCCASIONS, OCCASIONS, None, {})


def test_the_memory_of_an_exchange_is_always_the_same_and_of_another_another() -> None:
    assert memory_of(X) == memory_of(EventId("x1")) != memory_of(EventId("x2"))
