"""Names of several words: who says one in full comes before who says its words of something else."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aftermind
from aftermind.cli.language.requests import Recall
from aftermind.engine.policy import Ranking
from aftermind.projections.reading.full_names import CONTINUED, full_names, numbered, said_in_full, says_numbered
from tests.given import NOON

WORDS = ("Iron", "river", "River", "of", "the", "The", "and", "20", "who", "Who", "-", ",", "é", "O'Brien")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("who is Ada Lovelace married to?", ("Ada Lovelace",)),
        ("who wrote The Sea of Night?", ("Sea of Night",)),
        ("does Ada Lovelace's build use Node 20?", ("Ada Lovelace", "Node 20")),
        ("fix PR 412 for Docker Compose", ("PR 412 for Docker Compose", "PR 412", "Docker Compose")),
        ("Explain Ada Lovelace", ("Ada Lovelace", "Explain Ada Lovelace")),
        ("Remove Node 20 from CI", ("Node 20 from CI", "Node 20", "Remove Node 20 from CI", "Remove Node 20")),
        ("In 2024 Ada\nLovelace wrote what?", ("Ada Lovelace",)),
        ("Who are Ada, Grace and the rest?", ()),
        ("which Rivers? Iron ones", ()),
        ("WHY IS THIS BROKEN AGAIN AND AGAIN AND AGAIN", ()),
        ("", ()),
        ("Ada Lovelace " * 100, ()),
    ],
)
def test_a_name_is_told_by_its_capitals(query: str, names: tuple[str, ...]) -> None:
    assert full_names(query) == names


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("who built the iron river?", 1.0),
        ("The Iron River was built.", 1.0),
        ("Iron River's banks", 1.0),
        ("Iron River 9 was built", CONTINUED),
        ("Iron River-Nine was built", CONTINUED),
        ("Iron\nRiver was built", 1.0),
        ("The Old Iron River was built", CONTINUED),
        ("the Iron Rivers", 0.0),
        ("River Iron, an iron and a river", 0.0),
        ("Iron River 9. But Iron River is longer", 1.0),
    ],
)
def test_who_says_a_longer_name_says_half_of_it(text: str, share: float) -> None:
    assert said_in_full("Iron River", text) == share


def test_a_version_is_another_one_behind_its_point() -> None:
    assert said_in_full("Node 20", "we run Node 20.") == 1.0
    assert said_in_full("Node 20", "we run Node 20.1") == 0.0


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_what_a_query_says_it_says_itself(query: str) -> None:
    query = f"Ada Byron: {query}"
    names = full_names(query)
    assert names
    for name in names:
        assert len(name.split()) >= 2
        assert said_in_full(name, query) > 0


@pytest.mark.anyio
async def test_it_comes_first_and_the_newest_of_those_that_say_it(folder: Path, stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        texts = (
            "Iron River was painted by Ada Byron.",
            "Iron River 9 was painted by Grace Kay.",
            "River Iron was painted by Tom Low.",
        )
        for days, text in enumerate(texts):
            await memory.remember(text, at=NOON - timedelta(days=9 - days))
        hits = await memory.recall("who painted Iron River?")
        assert [hit.memory.text for hit in hits] == list(texts)
        assert "says the name in full (+0.03)" in hits[0].reasons
        small = await memory.recall("who painted iron river?")
        assert [hit.memory.text for hit in small] == list(reversed(texts))  # by capitals alone it is a name
        without = await memory.ask(Recall(query="who painted Iron River?", ranking=Ranking(full_name_weight=0)))
        assert [hit.memory.text for hit in without] == list(reversed(texts))


# --- what one digit or letter tells apart ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "pairs"),
    [
        ("what does runner 3 build?", (("runner", "3"),)),
        ("runner-3, Team #7 and plan B", (("runner", "3"), ("team", "7"), ("plan", "b"))),
        ("plan b", (("plan", "b"),)),
        ("is it in Phase 4?", (("phase", "4"),)),
        ("runner 13, Node 20", ()),
        ("version 2.4, v2, at 3:30, ratio 1/2", ()),
        ("the last 5 commits, at least 2 tests", ()),
        ("when deploying I see it; servidores y clientes, vita e morte", ()),
        ("don't, it's, l'été, the user's", ()),
        ("in 5 minutes, or 3", ()),
        ("take 2 backups since 3 days, seit 3 Tagen, avec 2 amis, hace 3 días, ogni 2 ore, com 4 testes", ()),
        ("WHAT A PLAN B", ()),
        ("runner 3 " * 200, ()),
        ("", ()),
    ],
)
def test_a_word_and_the_one_digit_or_letter_behind_it_are_a_name(query: str, pairs: object) -> None:
    assert numbered(query) == pairs


@pytest.mark.parametrize(
    "text", ["Runner 3 builds", "runner-3", "the runner #3.", "Runners 3 and 4", "run by RUNNER 3"]
)
def test_a_text_says_it_in_any_form(text: str) -> None:
    assert says_numbered("runner", "3", text)


@pytest.mark.parametrize(
    "text",
    ["Runner 13 builds", "runner 3.5", "runner 3b", "3 runners", "forerunner 3", "runner3", "runner 3/8", "rung 3"],
)
def test_another_number_is_not_the_one(text: str) -> None:
    assert not says_numbered("runner", "3", text)


@pytest.mark.parametrize("text", ["ask the runner. 3 builds failed", "the runner: 3 retries", "runner (3 of them)"])
def test_what_counts_something_else_is_not_the_one(text: str) -> None:
    assert not says_numbered("runner", "3", text)


def test_a_letter_that_is_a_word_somewhere_has_to_be_a_capital() -> None:
    assert says_numbered("plan", "a", "it was Plan A")
    assert says_numbered("plan", "b", "plan b it is")
    assert not says_numbered("plan", "a", "we plan a release")
    assert not says_numbered("vitamin", "e", "vitamin e ferro")


RUNNERS = tuple(f"Runner {number} builds the images of team {number}" for number in range(1, 14))
PLANS = tuple(f"Plan {letter} moves the database" for letter in "ABCDEF")


@pytest.mark.anyio
@pytest.mark.parametrize("model", ["none", "static"])
async def test_the_one_that_is_asked_for_comes_first(folder: Path, model: str) -> None:
    async with aftermind.open_memory(folder, model=model) as memory:
        for text in (*RUNNERS, *PLANS):
            await memory.remember(text)
        await memory.embedded()
        for query, found in (
            ("runner 3", RUNNERS[2]),
            ("what does runner 3 build?", RUNNERS[2]),
            ("team 7", RUNNERS[6]),
            ("runner 12", RUNNERS[11]),
            ("plan B", PLANS[1]),
            ("what is in plan A?", PLANS[0]),
        ):
            assert (await memory.recall(query))[0].text == found


@pytest.mark.anyio
async def test_it_is_found_among_more_than_are_ranked(folder: Path, stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        for number in (3, *range(100, 350)):
            await memory.remember(f"Runner {number} builds")
        assert (await memory.recall("runner 3"))[0].text == "Runner 3 builds"


@pytest.mark.anyio
@pytest.mark.parametrize("model", ["none", "static"])
async def test_of_many_with_that_number_the_one_that_says_the_rest_comes_first(folder: Path, model: str) -> None:
    async with aftermind.open_memory(folder, model=model) as memory:
        for number in (2, 1, 3):
            await memory.remember(f"Step {number} of the billing migration is done")
        for number in range(100, 200):
            await memory.remember(f"Step 2 of tour {number} leads to town {number}")
        await memory.embedded()
        for query in ("what happened in step 2 of the billing migration?", "step 2 of the billing migration"):
            assert (await memory.recall(query))[0].text == "Step 2 of the billing migration is done"


@pytest.mark.anyio
async def test_one_that_is_archived_or_of_another_project_is_not_brought(folder: Path, stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        gone = await memory.remember("Runner 3 builds the images", project="shop")
        await memory.remember("Runner 3 builds the site", project="bank")
        await memory.remember("Runner 4 builds the images", project="shop")
        assert (await memory.recall("runner 3", project="shop"))[0].text == "Runner 3 builds the images"
        await memory.archive(gone)
        assert [hit.text for hit in await memory.recall("runner 3", project="shop")] == ["Runner 4 builds the images"]
