"""A store, its socket, the loop, the real library and a server that goes wrong: nothing is judged twice, nothing is
lost, and no more is spent than may be."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.config import apart_for_models
from aftermind.cli.language.judging import RequestJudgement, RequestSummaries, ResumeScoring, ScoringState
from aftermind.cli.reaching.joining import Joined, connected
from aftermind.cli.sidecar import SocketDesk
from aftermind.engine.events import (
    ExchangeJudged,
    JudgementAbandoned,
    ModelAnswered,
    ModelAsked,
    ScoringResumed,
    ScoringStopped,
)
from aftermind.engine.policy import Policy, Spending
from aftermind.engine.stamp import Stamp
from aftermind.sidecar.asking.loop import Habits, Judged, Loop
from aftermind.sidecar.asking.questions import question_of
from aftermind.sidecar.models.endpoint import endpoint_of
from tests.cases import case
from tests.model_servers import Does, Hang, ModelServer, Raw, Refuse, Reset, Say, model_server, question_in
from tests.opened import Clock, clock, folder, stamp

__all__ = ["clock", "folder", "stamp"]
pytestmark = pytest.mark.anyio
GOOD = Say('{"evidence": "still broken", "outcome": "failed"}')
HTML = "<!DOCTYPE html><html><body>502</body></html>"
AT_ONCE = (("Retry-After", "0.01"),)
FIRST: dict[str, tuple[Does, ...]] = {
    "garbage": (Say("lorem ipsum"),),
    "page": (Say(HTML), Raw(HTML.encode(), "text/html")),
    "nothing": (Say(""), Raw(b"")),
    "half": (Say('{"evidence": "still broken", "outcome": "fai'), Raw(b'{"choices": [')),
    "labels": (Say('{"evidence": "still broken", "outcome": "failed", "memories": [{"memory": "M9", "used": true}]}'),),
    "keys": (Say('{"evidence": "still broken", "outcome": "failed", "mood": {"of": ["the", "day"]}}'),),
    "huge": (Say("x" * 200_000),),
    "refusal": (Say(None, refusal="I cannot help with that"), Say("I cannot help with that.")),
    "language": (Say('{"outcome": "échoué", "evidence": "still broken"}'),),
    "hangs": (Hang(),),
    "trickles": (Hang(trickle=True),),
    "resets": (Reset(),),
    "cut": (Raw(b'{"id": "a"', cut=True),),
    "error": (Refuse(500), Refuse(502), Refuse(503, headers=AT_ONCE)),
    "limited": (Refuse(429), Refuse(429, headers=AT_ONCE)),
    "denied": (Refuse(401),),
    "missing": (Refuse(404),),
    "picky": (Refuse(400, "response_format is not supported"),),
    "hopeless": (Say("no"), Say("no"), Say("no")),
}
"""What a server does with the question of an exchange at first; afterwards it answers."""


@pytest.fixture(scope="module")
async def library() -> AsyncIterator[Any]:
    before = dict(os.environ)
    apart_for_models(local=True)
    from aftermind.sidecar.models.litellm import LitellmModel

    with model_server(GOOD) as server:  # the first one is slow
        for model, url in (("openai/tiny", f"{server.url}/v1"), ("ollama_chat/tiny", server.url)):
            warm = LitellmModel(endpoint_of(model, url))
            await warm.ask(question_of(case()))
    yield LitellmModel
    await warm.close()
    os.environ.clear()
    os.environ.update(before)


def wrong_at_first() -> tuple[Any, dict[str, list[int]]]:
    """A script by the name in each exchange's prompt, and when each was asked."""
    seen: dict[str, list[int]] = defaultdict(list)
    count = 0

    def script(body: dict[str, Any]) -> Does:
        nonlocal count
        count += 1
        (name,) = set(re.findall(r"exchange of (\w+)", question_in(body)))
        seen[name].append(count)
        faults = FIRST.get(name, ())
        return faults[len(seen[name]) - 1] if len(seen[name]) <= len(faults) else GOOD

    return script, seen


@asynccontextmanager
async def looping(folder: Path, library: Any, server: ModelServer, model: str, **habits: Any) -> AsyncIterator[Loop]:
    joined = Joined(folder, await connected(folder, 5), starts=False)
    desk = SocketDesk(joined, 60)
    url = server.url if model.startswith("ollama") else f"{server.url}/v1"
    asked = library(endpoint_of(model, url), "", 1.0)
    try:
        yield Loop(desk, asked, desk.tell, Habits(**{"idle": 0.0, "pause": 0.01, **habits}))
    finally:
        await joined.close()


async def run(folder: Path, library: Any, server: ModelServer, model: str, **habits: Any) -> Judged:
    async with looping(folder, library, server, model, **habits) as loop:
        return await loop.until_idle()


async def recorded(memory: OpenMemory, names: list[str]) -> dict[str, str]:
    """An exchange of each name in a session of its own, with its follow-up; the id of each."""
    found = {}
    for name in names:
        exchange = await memory.record(f"exchange of {name}: mend it", f"answer to {name}", session=name)
        await memory.context("it is still broken", session=name)
        found[name] = exchange.id
    return found


async def events(memory: OpenMemory, *kinds: type) -> list[Any]:
    return [one.draft.event for one in await memory.events(limit=100_000) if isinstance(one.draft.event, kinds)]


@pytest.mark.parametrize("model", ["openai/tiny", "ollama_chat/tiny"])
async def test_whatever_a_server_does_each_exchange_is_judged_once(
    folder: Path, stamp: Stamp, clock: Clock, library: Any, model: str
) -> None:
    script, seen = wrong_at_first()
    with model_server(script) as server:
        async with aftermind.open_memory(folder, stamp=stamp) as memory:
            ids = await recorded(memory, [*FIRST, "plain"])
            ends = Counter[str]()
            for days in (0, 0, 0, 1, -1, 1, 0, 0):  # the clock jumps ahead, and back
                ends[(await run(folder, library, server, model, parallel=2 if days else 1)).end] += 1
                await memory.ask(ResumeScoring())  # what `sidecar retry` says, once somebody mended it
                clock.wait(days=days, hours=2)
            (given_up,) = await events(memory, JudgementAbandoned)
            assert given_up.exchange == ids["hopeless"]
            assert (given_up.why, given_up.attempts, len(seen["hopeless"])) == ("unreadable", 3, 3)
            assert (await memory.ask(RequestJudgement(why="retry"))).count == 1
            assert (await run(folder, library, server, model)).end == "idle"
            judged = await events(memory, ExchangeJudged)
            state = await memory.ask(ScoringState())
            asked, answered = await events(memory, ModelAsked), await events(memory, ModelAnswered)
            stops = await events(memory, ScoringStopped, ScoringResumed)
            outcomes = [(await memory.show(one.memories[0].memory)).outcomes for one in judged]
    assert Counter(one.exchange for one in judged) == Counter(ids.values()), "each once"
    assert {(one.outcome, one.evidence, one.model) for one in judged} == {("failed", "still broken", model)}
    assert {(one.worked, one.failed) for one in outcomes} == {(0, 1)}, "and each memory is scored once"
    assert (state.queue.waiting, state.out) == (0, 0)
    assert ends["closed"] >= 2, "a key that is refused and a model that is not there wait for somebody"
    assert len(asked) == len(answered) >= len(server.asked), "every request was set aside, and settled"
    faults = {"unreadable", "broken", "timeout", "unreachable", "limited", "denied", "missing"}
    assert {one.failed for one in answered} == {"", *faults}
    assert stops, "it was told"
    assert all(one != after for one, after in pairwise(stops)), "once"
    assert not any("still broken" in one.said for one in stops if isinstance(one, ScoringStopped))


@pytest.mark.parametrize(
    "limit", [{"calls": 5}, {"tokens": 30_000}, {"dollars": 0.0, "calls": 100}, {"calls": 0}], ids=str
)
async def test_two_loops_together_spend_no_more_than_may_be_spent(
    folder: Path, stamp: Stamp, clock: Clock, library: Any, limit: dict[str, Any]
) -> None:
    policy = Policy(spending=Spending(**limit))
    with model_server(GOOD) as server:
        async with aftermind.open_memory(folder, stamp=stamp, policy=policy) as memory:
            await recorded(memory, [f"number{n}" for n in range(12)])
            days = []
            for _ in range(2):
                before = len(server.asked)
                async with anyio.create_task_group() as tasks:
                    for _ in range(2):
                        tasks.start_soon(lambda: run(folder, library, server, "openai/tiny", parallel=3))
                spent = (await memory.ask(ScoringState())).spending
                assert spent.calls == len(server.asked) - before <= limit.get("calls", 500)
                assert spent.tokens <= limit.get("tokens", 2_000_000)
                assert spent.open == 0
                days.append(len(server.asked) - before)
                clock.wait(days=1)
            judged = await events(memory, ExchangeJudged)
            stopped = await events(memory, ScoringStopped)
    assert len(judged) == len(server.asked) == len({one.exchange for one in judged})
    if limit.get("calls") in (5, 0):
        assert days[0] == limit["calls"]
        assert stopped[0].why == "calls"
        assert stopped[0].until is not None
    elif "tokens" in limit:
        assert 0 < days[0] < 12
    else:
        assert days == [12, 0], "what costs no money is not stopped by having none"


async def test_a_long_memory_is_said_in_fewer_words(folder: Path, stamp: Stamp, clock: Clock, library: Any) -> None:
    long, short = "The gate opens when the bell rings. " * 30, "The bell opens the gate."
    answers = iter([Say("Shorter: the bell."), Say(f'{{"summary": "{long}"}}'), Say(f'{{"summary": "{short}"}}')])
    with model_server(lambda body: next(answers)) as server:
        async with aftermind.open_memory(folder, stamp=stamp) as memory:
            id = await memory.remember(long)
            assert (await memory.ask(RequestSummaries())).count == 1
            for _ in range(3):
                assert (await run(folder, library, server, "openai/tiny")).end == "idle"
                clock.wait(hours=2)
            found = await memory.show(id)
            spent = (await memory.ask(ScoringState())).spending
    assert (found.text, found.summary) == (long.strip(), short)
    assert (len(server.asked), spent.calls, spent.failures) == (3, 3, {"unreadable": 2})
    assert server.asked[0]["response_format"]["json_schema"]["schema"]["required"] == ["summary"]
