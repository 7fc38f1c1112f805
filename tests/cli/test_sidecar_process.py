"""The real process that asks a model: started by the daemon or by hand, killed, two at once, ended in time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.daemons import command, listening, none_left, wait_until
from tests.model_servers import Does, ModelServer, Raw, Refuse, Say, model_server
from tests.processes import running

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.judging import ScoringState
from aftermind.cli.sidecar import OnlyHere
from aftermind.cli.sidecar_ends import CANNOT, DID, HAD_NOTHING
from aftermind.engine.events import ExchangeJudged, ModelAnswered, ModelAsked, ScoringStopped
from aftermind.engine.names import EventId
from aftermind.sidecar.asking.questions import question_of
from aftermind.sidecar.models.endpoint import endpoint_of
from aftermind.sidecar.models.scripted import ScriptedModel
from aftermind.sidecar.ports import Case, NoReply, Ticket

SIDECAR = "aftermind.cli.sidecar"
GOOD = Say('{"evidence": "still broken", "outcome": "failed"}', (700, 30))


def configured(env: Mapping[str, str], server: ModelServer, **more: str) -> dict[str, str]:
    place = {"AFTERMIND_SIDECAR_MODEL": "openai/tiny", "AFTERMIND_SIDECAR_BASE_URL": f"{server.url}/v1"}
    return {**env, **place, "AFTERMIND_SCORING": "sidecar", **more}


def started(folder: Path, env: Mapping[str, str], *words: str) -> subprocess.Popen[bytes]:
    ran = [sys.executable, "-I", "-m", SIDECAR, str(folder), *words]
    return subprocess.Popen(ran, env=dict(env), stdout=subprocess.PIPE, stderr=subprocess.PIPE)


async def said(memory: OpenMemory, count: int, first: int = 0) -> None:
    for number in range(first, first + count):
        await memory.record(f"exchange {number}: mend it", f"answer {number}", session=f"s{number}")
        await memory.context("it is still broken", session=f"s{number}")


async def stopped_at_once(store: Path, env: Mapping[str, str]) -> ScoringStopped:
    """Why an exchange is judged by nobody."""
    async with aftermind.open_memory(store) as memory:
        await said(memory, 1)
        one = started(store, env, "0", "0")
        out, errors = await anyio.to_thread.run_sync(one.communicate)
        assert one.returncode == CANNOT, out + errors
        stopped: list[ScoringStopped] = await events(memory, ScoringStopped)
    (why,) = stopped
    return why


async def events(memory: OpenMemory, *kinds: type) -> list[Any]:
    return [one.draft.event for one in await memory.events(limit=10_000) if isinstance(one.draft.event, kinds)]


@pytest.mark.anyio
async def test_killed_between_answer_and_append_it_is_asked_again_and_two_at_once_judge_nothing_twice(
    store: Path, env: Mapping[str, str]
) -> None:
    """A second charge, and no lost verdict: `docs/decisions/0023-a-second-charge.md`."""
    killed: list[int] = []

    def script(body: dict[str, Any]) -> Does:
        if not killed:
            killed.append(first.pid)
            first.kill()
        return GOOD

    with model_server(script) as server, none_left(store, SIDECAR):
        async with aftermind.open_memory(store) as memory:
            await said(memory, 7)
            first = started(store, configured(env, server))
            assert await anyio.to_thread.run_sync(first.wait) == -signal.SIGKILL
            first.communicate()
            assert (await memory.ask(ScoringState())).spending.open == 1
            assert await events(memory, ExchangeJudged, ModelAnswered) == []
        async with aftermind.open_memory(store) as memory:  # which voids what was handed out
            both = [started(store, configured(env, server)) for _ in range(2)]
            ends = [(await anyio.to_thread.run_sync(one.communicate), one.returncode) for one in both]
            judged = await events(memory, ExchangeJudged)
            asked, answered = await events(memory, ModelAsked), await events(memory, ModelAnswered)
            spending = (await memory.ask(ScoringState())).spending
            assert Counter(Counter(one.exchange for one in judged).values()) == {1: 7}, ends
            assert len(asked) == len(server.asked) == 8
            assert (len(answered), spending.calls, spending.open) == (7, 8, 1), "what was never settled counts"
            assert {end for _, end in ends} <= {DID, HAD_NOTHING}


@pytest.mark.anyio
async def test_a_model_that_is_handed_on_under_a_name_that_does_not_tell_so_is_asked_nothing(
    store: Path, env: Mapping[str, str]
) -> None:
    with model_server(GOOD) as server, none_left(store, SIDECAR):
        server.listed["/api/tags"] = {"models": [{"name": "tiny:latest", "remote_host": "https://ollama.com:443"}]}
        stopped = await stopped_at_once(store, configured(env, server))
    assert server.asked == []
    assert (stopped.why, "ollama.com/tiny" in stopped.said) == ("unconfirmed", True), stopped


class Busy(dict[str, object]):
    """What a server lists, which takes longer than it is waited for when it is asked first."""

    def get(self, path: str, *_: object) -> object:
        busy, self["busy"] = "busy" not in self, True
        if busy:
            time.sleep(4)
        return super().get(path)


@pytest.mark.anyio
async def test_a_server_that_is_too_busy_to_say_whether_it_hands_a_model_on_is_sent_nothing(
    store: Path, env: Mapping[str, str]
) -> None:
    with model_server(GOOD) as server, none_left(store, SIDECAR):
        models = [{"name": "tiny:latest", "remote_host": "https://ollama.com:443"}]
        server.listed = Busy({"/api/tags": {"models": models}})
        stopped = await stopped_at_once(store, configured(env, server))
    assert server.asked == []
    assert "ollama.com/tiny is not on this machine" in stopped.said


@pytest.mark.anyio
async def test_a_server_that_was_too_busy_to_say_so_is_asked_once_it_says_that_a_model_runs_here() -> None:
    with model_server(GOOD) as server:
        server.listed = Busy({"/api/tags": {"models": [{"name": "tiny:latest"}]}})
        model = OnlyHere(ScriptedModel(lambda _: "fine"), endpoint_of("openai/tiny", f"{server.url}/v1"))
        question = question_of(Case(ticket=Ticket("t"), exchange=EventId("e"), prompt="p", answer="a"))
        with pytest.raises(NoReply, match="nobody answers at"):
            await model.ask(question)
        assert (await model.ask(question)).text == "fine"


SAID = "QUOKKA it is still broken"
MISSHAPEN: tuple[dict[str, Any], ...] = (
    {"role": "assistant", "content": [{"type": "text", "text": SAID}]},
    {"role": "assistant", "content": {"a": SAID}},
    {"role": SAID, "content": "x"},
    {"role": "assistant", "content": SAID, "reasoning_content": {"a": SAID}},
)


@pytest.mark.anyio
async def test_what_a_model_answered_is_not_in_its_output_whichever_form_it_has(
    store: Path, env: Mapping[str, str]
) -> None:
    def script(body: dict[str, Any]) -> Does:
        message = MISSHAPEN[(len(server.asked) - 1) % len(MISSHAPEN)]
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 5, "completion_tokens": 9, "total_tokens": 14}
        answer = {"id": "a", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        return Raw(json.dumps({**answer, "usage": usage}).encode())

    with model_server(script) as server, none_left(store, SIDECAR):
        async with aftermind.open_memory(store) as memory:
            await said(memory, len(MISSHAPEN))
            one = started(store, configured(env, server, AFTERMIND_SIDECAR_PARALLEL="4"), "0", "0")
            out, errors = await anyio.to_thread.run_sync(one.communicate)
    assert len(server.asked) >= len(MISSHAPEN), out + errors
    assert b"QUOKKA" not in out + errors
    assert errors == b""
    assert b"asked" in out


def test_the_daemon_starts_it_and_it_goes_when_it_is_wanted_no_more(
    store: Path, env: Mapping[str, str], place: Path
) -> None:
    def script(body: dict[str, Any]) -> Does:
        return GOOD if len(server.asked) > 1 else Refuse(429, headers=(("Retry-After", "1"),))

    with model_server(script) as server, none_left(store, SIDECAR):
        url = f'model = "openai/tiny"\nbase_url = "{server.url}/v1"\n'
        (place / "config.toml").write_text(f"[sidecar]\n{url}")
        with subprocess.Popen(command(store), env=dict(env), stderr=subprocess.DEVNULL) as daemon:
            try:
                wait_until(lambda: listening(store), "the daemon listens")
                anyio.run(_told, store)
                wait_until(lambda: anyio.run(_judged, store) == 3, "all are judged")
                (child,) = running(SIDECAR, folder=store)
                assert os.getpriority(os.PRIO_PROCESS, child) >= 10
                assert len(server.asked) == 4
                (place / "config.toml").write_text(f'scoring = "cues"\n[sidecar]\n{url}')
                wait_until(
                    lambda: running(SIDECAR, folder=store) == [], "it is ended when a model is not wanted any more"
                )
                there = 'model = "openai/x"\nbase_url = "https://models.example.com/v1"\n'
                (place / "config.toml").write_text(f"[sidecar]\n{there}")
                anyio.run(_told, store, 3)
                wait_until(lambda: anyio.run(_stopped, store) is not None, "it is told that nobody confirmed it")
                assert anyio.run(_stopped, store) == "unconfirmed"
                assert running(SIDECAR, folder=store) == []
                (place / "config.toml").write_text(f"[sidecar]\n{url}")
                wait_until(lambda: anyio.run(_judged, store) == 6, "all are judged")
                assert anyio.run(_stopped, store) is None, "it goes on"
                daemon.terminate()
                assert daemon.wait(20) == 0
                assert running(SIDECAR, folder=store) == []
            finally:
                daemon.kill()


async def _told(store: Path, first: int = 0) -> None:
    async with aftermind.open_memory(store) as memory:
        await said(memory, 3, first)


async def _judged(store: Path) -> int:
    async with aftermind.open_memory(store) as memory:
        return len(await events(memory, ExchangeJudged))


async def _stopped(store: Path) -> str | None:
    async with aftermind.open_memory(store) as memory:
        stopped = (await memory.ask(ScoringState())).stopped
        return stopped.why if stopped is not None else None


@pytest.mark.anyio
async def test_nothing_leaves_this_machine_before_somebody_confirmed_where_to(
    store: Path, env: Mapping[str, str]
) -> None:
    there = {"AFTERMIND_SIDECAR_MODEL": "openai/gpt-4o-mini", "OPENAI_API_KEY": "sk-none"}
    async with aftermind.open_memory(store) as memory:
        await said(memory, 1)
        ran = started(store, {**env, **there})
        await anyio.to_thread.run_sync(ran.communicate)
        assert ran.returncode == CANNOT
        (stopped,) = await events(memory, ScoringStopped)
        assert stopped.why == "unconfirmed"
        assert "aftermind sidecar setup" in stopped.said
        assert await events(memory, ModelAsked, ExchangeJudged) == []
