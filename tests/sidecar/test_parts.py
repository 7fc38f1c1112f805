"""Which part a memory that was shown had in how an exchange turned out."""

from __future__ import annotations

from aftermind.engine.events import ToolUse
from aftermind.engine.names import MemoryId
from aftermind.sidecar.cues.judge import judge
from aftermind.sidecar.ports import Known
from tests.sidecar.exchanges import exchange


def test_a_memory_has_the_outcome_only_where_its_words_came_back() -> None:
    used = Known(id=MemoryId("a"), kind="fact", text="healthcheck.port of staging is 8081")
    unused = Known(id=MemoryId("b"), kind="fact", text="Invoices are rounded half to even")
    for follow_up, effect in (("works, thanks", "helped"), ("still failing", "misled"), ("ok", "neutral")):
        first, second = judge(exchange(follow_up, shown=(used, unused))).parts
        assert (first.memory, first.used, first.effect) == ("a", True, effect)
        assert (second.memory, second.used, second.effect) == ("b", False, "neutral")


def test_of_two_pieces_of_advice_about_one_file_the_one_that_was_followed_had_a_part() -> None:
    asked = "The nightly import crashes with OOM"
    limit = Known(id=MemoryId("a"), kind="exchange", text=asked, answer="Raise the memory limit in deploy/worker.yaml")
    batch = Known(id=MemoryId("b"), kind="exchange", text=asked, answer="Set batch_size to 100 in deploy/worker.yaml")
    copy = Known(id=MemoryId("c"), kind="fact", text="set batch_size to 100 in deploy/worker.yaml")
    answer = "Set batch_size to 100 in deploy/worker.yaml; the memory limit was not the cause"
    found = judge(exchange("works, thanks", prompt=asked, answer=answer, shown=(limit, batch, copy)))
    assert [part.effect for part in found.parts] == ["neutral", "helped", "helped"]
    alone = judge(exchange("works, thanks", prompt=asked, answer="I raised the memory limit", shown=(limit, batch)))
    assert [part.effect for part in alone.parts] == ["helped", "neutral"]


def test_advice_about_the_file_that_another_way_was_tried_in_had_no_part() -> None:
    slow = "the webpack build is slow, what can we do?"
    cache = "Enable `cache: {type: 'filesystem'}` in webpack.config.js"
    edit = ToolUse(name="Edit", paths=("webpack.config.js",))

    def effects(answer: str, *known: Known) -> list[str]:
        asked = "Can you make the webpack build faster still?"
        found = judge(exchange("Undo that, it fails now", prompt=asked, answer=answer, tools=(edit,), shown=known))
        assert found.outcome == "failed"
        return [part.effect for part in found.parts]

    advice = Known(id=MemoryId("a"), kind="exchange", text=slow, answer=cache)
    which = Known(id=MemoryId("b"), kind="exchange", text="the webpack build", answer="webpack.config.js")
    fact = Known(id=MemoryId("c"), kind="fact", text="the build is set up in webpack.config.js")
    assert effects("Use esbuild-loader in place of babel-loader", advice) == ["neutral"]
    assert effects("I set the cache to memory in webpack.config.js", advice) == ["misled"]
    assert effects("Use esbuild-loader in place of babel-loader", which, fact) == ["misled", "misled"]


def test_advice_that_was_reversed_had_no_part_in_what_worked_then() -> None:
    asked = "The staging deploy fails in its health check"
    old = Known(id=MemoryId("a"), kind="exchange", text=asked, answer="Set healthcheck.port to 8080 in deploy/a.yaml")
    reversing = "I set healthcheck.port from 8080 to 8081 in deploy/staging.yaml"
    keeping = "I set healthcheck.port to 8080 again in deploy/staging.yaml"
    for answer, effect in ((keeping, "helped"), (reversing, "neutral")):
        (part,) = judge(exchange("that was it, thanks", prompt=asked, answer=answer, shown=(old,))).parts
        assert part.effect == effect


def test_of_an_exchange_what_its_answer_told_comes_back_and_not_its_question_alone() -> None:
    reached = "Open an ssh tunnel: the ledger API listens on port 9400, on every interface."
    for question, told in (
        ("and the metrics port?", "9100."),
        ("which port is redis on?", "Redis listens on port 6379."),
        ("nope, the port is 6380", "Thanks."),
        ("our API listens on port 8080", "Noted."),
        ("which interface does the proxy take?", "It takes eth0, named in the unit file of the proxy."),
    ):
        shown = Known(id=MemoryId("a"), kind="exchange", text=question, answer=told)
        asked = exchange("works, thanks", prompt="how do I reach the ledger?", answer=reached, shown=(shown,))
        assert [part.effect for part in judge(asked).parts] == ["neutral"], question
    for question, told in (
        ("which port is the ledger on?", "9400."),
        ("the ledger listens on port 9400", "Noted."),
        ("how do I get in?", "Through an ssh tunnel to the jump host."),
        ("get in through a tunnel, never directly", "Ok."),
    ):
        shown = Known(id=MemoryId("a"), kind="exchange", text=question, answer=told)
        asked = exchange("works, thanks", prompt="how do I reach the ledger?", answer=reached, shown=(shown,))
        assert [part.effect for part in judge(asked).parts] == ["helped"], question
