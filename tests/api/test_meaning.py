"""Recall by meaning joins recall by words, and is never in its way."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

import aftermind
from aftermind.cli.language.erasing import Erasing, ForgetAll, Selection
from aftermind.cli.language.requests import Recall
from aftermind.engine.memories.book import Chunk
from aftermind.engine.policy import Ranking
from aftermind.engine.stamp import Stamp
from aftermind.projections.meaning import nearest
from tests.opened import Clock

pytestmark = pytest.mark.anyio


async def test_what_is_meant_is_found_though_no_word_of_it_is_said(folder: Path) -> None:
    async with aftermind.open_memory(folder) as memory:
        car = await memory.remember("automobile insurance payment deadline")
        await memory.remember("the penguins of the zoo are fed at noon")
        assert await memory.recall("car policy due date", floor=False) == ()
        state = await memory.embedded()
        assert (state.used, state.vectors, state.followed) == ("static", 2, state.head)
        best, *_ = await memory.recall("car policy due date", floor=False)
        assert best.id == car
        assert any("means the like" in reason for reason in best.reasons)


async def test_without_a_model_words_decide_alone_and_it_is_said_why(folder: Path) -> None:
    async with aftermind.open_memory(folder, model="none") as memory:
        id = await memory.remember("automobile insurance payment deadline")
        state = await memory.embedded()
        assert (state.used, state.vectors, state.why) == ("", 0, "no model is configured")
        assert (await memory.recall("insurance deadline"))[0].id == id
    async with aftermind.open_memory(folder, model="no/such-model") as memory:
        state = await memory.embedded()
        assert state.used == ""
        assert "no/such-model" in state.why
        assert (await memory.recall("insurance deadline"))[0].id == id


async def test_a_model_that_fails_leaves_recall_by_words(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with aftermind.open_memory(folder) as memory:
        id = await memory.remember("automobile insurance payment deadline")
        await memory.embedded()

        def broken(*_: object) -> None:
            raise RuntimeError("the session was lost")

        monkeypatch.setattr(nearest.Nearest, "compared", broken)
        assert (await memory.recall("insurance deadline"))[0].id == id
        assert (await memory.context("insurance deadline?", session="s1")).memories[0].id == id


async def test_what_is_forgotten_is_gone_though_the_same_words_in_another_order_stay(folder: Path) -> None:
    """They have one vector, which is the other's as well and no trace of it."""
    async with aftermind.open_memory(folder) as memory:
        id = await memory.remember("issue 21 waits for issue 12")
        other = await memory.remember("issue 12 waits for issue 21")
        assert (await memory.embedded()).vectors == 2
        begun = await memory.ask(ForgetAll(selection=Selection(ids=(id,))))
        done = await memory.ask(Erasing(run=begun.run, seconds=60.0))
        assert (done.step, done.vectors) == ("done", 1)
        assert [one.word for one in done.left if not one.events] == []
        assert [one.id for one in await memory.recall("issue 12")] == [other]


async def test_another_project_is_not_found_by_meaning_either(folder: Path) -> None:
    async with aftermind.open_memory(folder) as memory:
        await memory.remember("automobile insurance payment deadline", project="theirs")
        await memory.remember("penguins", project="ours")
        await memory.embedded()
        assert await memory.recall("car policy due date", project="ours", floor=False) == ()


ARTICLES = ("the", "a", "an", "my", "our", "his", "her", "its", "one", "two")
WHERE = ("it", "is", "on", "in", "at", "to", "for", "by", "of", "up", "off")


@pytest.mark.parametrize("hidden", ["in another collection", "archived", "said later"])
async def test_what_may_not_be_seen_takes_no_place_among_the_nearest(
    folder: Path, hidden: str, stamp: Stamp, clock: Clock
) -> None:
    """A hundred and ten memories are nearer than the one that may be seen."""
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.ingest("/a.md", [Chunk(text="automobile")], title="Automobile")
        then = clock.time if hidden == "said later" else None
        clock.wait(seconds=60)
        for article in ARTICLES:
            for where in WHERE:
                id = await memory.remember(f"car {article} car {where}")
                if hidden == "archived":
                    await memory.archive(id)
        await memory.embedded()
        collections = ("books",) if hidden == "in another collection" else ()
        found = await memory.recall("car", collections=collections, at=then)
        assert [one.text for one in found] == ["automobile"]


async def test_a_question_is_like_another_from_where_the_ranking_says(folder: Path) -> None:
    advice = "Ship the billing release with the rollout script"
    async with aftermind.open_memory(folder) as memory:
        id = await memory.remember(advice, kind="procedure")
        await memory.context(f"how do I deploy the billing service quickly? {advice}", session="s1")
        await memory.score(memories={id: "worked"}, judge="test")
        await memory.embedded()
        for least, told in ((0.3, False), (0.05, True)):
            ranking = structs.replace(Ranking(), like_meaning=least)
            (hit,) = await memory.ask(Recall(query="how do I start an application?", floor=False, ranking=ranking))
            assert any("for a like question" in reason for reason in hit.reasons) == told
