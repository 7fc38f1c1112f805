"""The loop of a judge: what is asked when, what it costs at most, and that nothing is lost on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import anyio
from hypothesis import given
from hypothesis import strategies as st

from aftermind.sidecar.asking.loop import Habits, Judged, Loop
from aftermind.sidecar.models import probing
from aftermind.sidecar.models.probing import FIRST, LONGEST, Gate
from aftermind.sidecar.models.scripted import ScriptedModel
from aftermind.sidecar.ports import Fault, NoReply, Question, Usage
from tests.cases import case
from tests.listed_desk import ListDesk, hastened

GOOD = '{"outcome": "failed", "evidence": "it still fails"}'
FAULTS: list[Fault] = ["unreachable", "timeout", "broken", "limited"]


def run(
    desk: ListDesk, script: Callable[[Question], str], *, idle: float = 5.0, parallel: int = 1
) -> tuple[Judged, ScriptedModel, float]:
    """What the loop came to, the model, and how many seconds went by."""
    model = ScriptedModel(script)

    async def working() -> tuple[Judged, float]:
        began = anyio.current_time()
        loop = Loop(desk, model, desk.tell, Habits(idle=idle, parallel=parallel))
        return await loop.until_idle(), anyio.current_time() - began

    judged, seconds = hastened(working)
    return judged, model, seconds


def failing(*faults: Fault, then: str = GOOD, retry_after: float | None = None) -> Callable[[Question], str]:
    """Fails so, one after the other; then answers."""
    left: Iterator[Fault] = iter(faults)

    def script(question: Question) -> str:
        if (fault := next(left, None)) is not None:
            raise NoReply(fault, "said", Usage(calls=1), retry_after)
        return then

    return script


def test_what_waits_is_judged_once_each_and_then_it_ends() -> None:
    desk = ListDesk([case(number) for number in range(7)])
    judged, model, _ = run(desk, lambda question: GOOD, parallel=3)
    assert (judged.end, judged.put, judged.failed) == ("idle", 7, 0)
    assert len(model.asked) == len(desk.verdicts) == 7
    assert desk.told == [(None, None)]
    assert not desk.set_aside


def test_it_ends_when_there_was_nothing_for_a_while() -> None:
    judged, model, seconds = run(ListDesk([]), lambda question: GOOD, idle=60)
    assert (judged.end, model.asked) == ("idle", [])
    assert 60 <= seconds < 62


def test_an_unreadable_answer_is_an_attempt_and_asks_for_less_the_next_time() -> None:
    desk = ListDesk([case(answer="word " * 20_000)])
    judged, model, _ = run(desk, lambda question: "I would say it failed.")
    assert desk.abandoned == ["exchange-1"]
    assert (judged.put, judged.failed) == (3, 3)
    sizes = [len(question.data) for question in model.asked]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[2] < sizes[0] / 2
    assert desk.told == [(None, None)], "the endpoint works"


def test_an_endpoint_that_is_down_is_probed_and_not_hammered() -> None:
    desk = ListDesk([case(number) for number in range(4)])
    _, model, seconds = run(desk, failing(*["unreachable"] * 5), parallel=4)
    assert len(desk.verdicts) == 4
    assert seconds > FIRST + 2 * FIRST
    assert len(model.asked) == 4 + 5
    assert [why for why, _ in desk.told] == ["unreachable", None], "told once that it stopped, and once that it goes on"


def test_a_server_that_says_when_is_asked_then() -> None:
    desk = ListDesk([case()])
    _, model, seconds = run(desk, failing("limited", retry_after=17), idle=0)
    assert len(model.asked) == 2
    assert 17 <= seconds < 18
    assert desk.told[0][0] == "limited"


def test_another_way_to_ask_is_no_failure() -> None:
    desk = ListDesk([case()])
    _, model, seconds = run(desk, failing("broken", "broken", retry_after=0.0), idle=0)
    assert len(model.asked) == 3
    assert seconds < 1
    assert desk.told == [(None, None)]


def test_a_key_that_is_refused_stops_it_until_something_is_changed() -> None:
    desk = ListDesk([case(number) for number in range(9)])
    judged, model, _ = run(desk, failing(*["denied"] * 9))
    assert judged.end == "closed"
    assert len(model.asked) == 1
    assert desk.told == [("denied", None)]
    assert not desk.verdicts


def test_a_limit_is_never_passed_and_nothing_is_asked_beyond_it() -> None:
    desk = ListDesk([case(number) for number in range(9)], calls=5)
    judged, model, _ = run(desk, lambda question: GOOD, parallel=4)
    assert judged.end == "spent"
    assert len(model.asked) == len(desk.verdicts) == 5
    assert desk.told[-1] == ("calls", 3600)
    assert sum(usage.calls for usage in desk.usage) == 5


def test_two_judges_at_one_desk_judge_nothing_twice() -> None:
    desk = ListDesk([case(number) for number in range(30)])
    models = [ScriptedModel(lambda question: GOOD, name=f"model/{name}") for name in "ab"]

    async def both() -> None:
        async with anyio.create_task_group() as tasks:
            for model in models:
                tasks.start_soon(Loop(desk, model, desk.tell, Habits(idle=5, parallel=2)).until_idle)

    hastened(both)
    assert len(desk.verdicts) == 30
    assert sum(len(model.asked) for model in models) == 30


def test_what_a_judge_took_and_never_put_is_judged_by_the_next_one() -> None:
    desk = ListDesk([case()], lease=50)

    async def dies() -> None:
        with anyio.move_on_after(1):
            model = ScriptedModel(lambda question: GOOD)
            model.ask = lambda question: anyio.sleep_forever()  # type: ignore[assignment,method-assign,return-value]
            await Loop(desk, model, desk.tell, Habits(idle=5)).until_idle()
        assert len(desk.set_aside) == 1, "it counts in full, as nobody knows what was paid"
        await Loop(desk, ScriptedModel(lambda question: GOOD), desk.tell, Habits(idle=100)).until_idle()

    hastened(dies)
    assert list(desk.verdicts) == ["exchange-1"]


@given(st.lists(st.sampled_from(FAULTS), max_size=12), st.integers(1, 4), st.integers(1, 5))
def test_whatever_fails_on_the_way_every_exchange_gets_its_verdict(faults: list[Fault], parallel: int, n: int) -> None:
    desk = ListDesk([case(number) for number in range(n)])
    judged, model, _ = run(desk, failing(*faults), parallel=parallel)
    if judged.end == "idle":
        assert len(desk.verdicts) == n
        assert len(model.asked) == n + len(faults)
    assert all(told != after for (told, _), (after, _) in zip(desk.told, desk.told[1:], strict=False))


@given(st.lists(st.tuples(st.sampled_from(FAULTS), st.floats(0, 5000)), max_size=60))
def test_pauses_grow_and_have_an_end(failures: list[tuple[Fault, float]]) -> None:
    gate, now, before = Gate(), 0.0, 0.0
    for fault, passed in failures:
        now += max(passed, gate.waits(now))
        gate = probing.failed(gate, fault, "", None, now)
        pause = round(gate.waits(now), 6)
        assert max(before, FIRST) <= pause <= LONGEST
        before = pause
    assert probing.answered(gate) == Gate()
