"""Where no model is configured, exchanges are judged all the same: by signs, in the process that holds the store."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import anyio
import pytest
from msgspec import structs
from tests.daemons import daemon
from tests.opened import Clock, clock

import aftermind
from aftermind import OpenMemory
from aftermind.cli.holding.extracting import Extracting
from aftermind.cli.holding.judging import Judging, by_cues
from aftermind.cli.language.judging import RequestJudgement
from aftermind.cli.language.requests import Beyond
from aftermind.cli.logbook import Logbook
from aftermind.cli.settings import Sidecar, configuration
from aftermind.engine.events import ExchangeJudged
from aftermind.engine.stamp import Stamp
from aftermind.sidecar.cues.judge import REVISION

__all__ = ["clock"]
pytestmark = pytest.mark.anyio
THANKS = "thanks, that works perfectly"


@pytest.fixture
def sidecar() -> Sidecar:
    return configuration().sidecar


async def asked(memory: OpenMemory, number: int, then: str) -> None:
    await memory.context(f"how do I deploy service {number}?", session=f"s{number}")
    await memory.record(f"how do I deploy service {number}?", "make deploy", session=f"s{number}")
    await memory.context(then, session=f"s{number}")


async def verdicts(memory: OpenMemory) -> list[ExchangeJudged]:
    events = [one.draft.event for one in await memory.events(limit=1000)]
    return [event for event in events if isinstance(event, ExchangeJudged)]


async def test_it_judges_what_is_ready_and_nothing_else(tmp_path: Path, stamp: Stamp):
    folder = tmp_path / "store"
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await asked(memory, 1, THANKS)
        await asked(memory, 2, "still failing with the same error")
        await memory.record("who waits?", "me", session="s3")
        wanted = [True]
        judging = Judging(memory.ask, lambda: wanted[0], Logbook(folder, stamp))
        assert (await judging.judge_what_is_ready(), judging.busy) == (2, False)
        assert {(one.outcome, one.judge, one.revision) for one in await verdicts(memory)} == {
            ("worked", "cues", REVISION),
            ("failed", "cues", REVISION),
        }
        assert await judging.judge_what_is_ready() == 0
        await asked(memory, 4, THANKS)
        wanted[0] = False
        assert await judging.judge_what_is_ready() == 0


def test_signs_alone_decide_where_that_is_wanted_or_no_model_is_configured(sidecar):
    none, some = structs.replace(sidecar, model=""), structs.replace(sidecar, model="ollama/qwen3")
    assert [by_cues("cues", one) for one in (none, some)] == [True, True]
    assert [by_cues("sidecar", one) for one in (none, some)] == [True, False]
    assert [by_cues("assistant", one) for one in (none, some)] == [False, False]


async def test_imported_history_is_asked_for_on_its_schedule(tmp_path: Path, clock: Clock, sidecar: Sidecar):
    folder, stamp = tmp_path / "store", Stamp(now=clock)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        for number in range(2):
            at = clock.time - timedelta(days=9 - number)
            await memory.record(f"imported {number}?", "so", session="old", id=f"{number}", at=at, collection="history")
        wanted: list[Sidecar | None] = [sidecar]
        history = Extracting(memory.ask, lambda: wanted[0], clock, Logbook(folder, stamp))
        assert await history.ask_if_due() == 0  # no schedule
        wanted[0] = structs.replace(sidecar, extract_every_hours=12)
        assert await history.ask_if_due() == 2
        assert await history.ask_if_due() == 0
        await memory.record("imported 2?", "so", session="old", id="2", at=clock.time, collection="history")
        assert await history.ask_if_due() == 0
        clock.wait(hours=12)
        judging = Judging(memory.ask, lambda: True, Logbook(folder, stamp))
        await memory.end_session("old")
        assert await judging.judge_what_is_ready() == 2
        assert (await memory.ask(RequestJudgement(why="rescore"))).count == 2
        assert await history.ask_if_due() == 1, "what else was asked for is no extraction"
        wanted[0] = None
        assert await history.ask_if_due() == 0


async def test_a_daemon_judges_soon_after_the_user_went_on(tmp_path: Path):
    folder = tmp_path / "store"
    with daemon(folder):
        async with aftermind.open_memory(folder, patience=20) as memory:
            await asked(memory, 1, THANKS)
            with anyio.fail_after(30):
                position = 0
                while not (found := await verdicts(memory)):
                    position = await memory.ask(Beyond(position=position, seconds=5))
            assert [(one.outcome, one.judge) for one in found] == [("worked", "cues")]
