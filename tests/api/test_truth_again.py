"""What is true after something current goes, or is worded otherwise: one value of a thing, and not two."""

from __future__ import annotations

from datetime import timedelta

import pytest

from aftermind.cli.language.importing import TakeIn, Told
from aftermind.cli.language.undoing import Undo
from aftermind.engine.names import Label
from tests.given import NOON

pytestmark = pytest.mark.anyio
ASKED = "Which port does staging listen on?"


async def live(memory, query: str = ASKED) -> list[str]:
    return [hit.id for hit in await memory.recall(query, floor=False, project="a")]


async def port(memory, number: int, **more) -> str:
    return await memory.remember(f"Staging listens on port {number}", kind="configuration", project="a", **more)


async def test_forgetting_the_newest_of_three_brings_back_the_one_before_it_alone(memory):
    first, second, third = [await port(memory, number) for number in (8080, 8081, 8082)]
    await memory.forget(third)
    assert await live(memory) == [second]
    await memory.forget(second)
    assert await live(memory) == [first]


async def test_forgetting_what_replaced_two_that_disagreed_brings_back_the_newer_of_them(memory):
    older, newer = await port(memory, 8080, speaker="Ann"), await port(memory, 8081, speaker="Bob")
    assert set(await live(memory)) == {older, newer}
    last = await port(memory, 8082)
    assert await live(memory) == [last]
    await memory.forget(last)
    assert await live(memory) == [newer]
    assert [(one.relation, one.id) for one in (await memory.why(older)).related if one.relation == "replaced by"] == [
        ("replaced by", newer)
    ]


async def test_a_correction_takes_the_place_of_another_value_and_gives_it_back_when_it_is_undone(memory):
    known = await port(memory, 8080)
    other = await memory.remember("The staging gateway is written in Go", project="a")
    await memory.correct(other, "Staging listens on port 8081")
    assert await live(memory) == [other]
    assert [(one.relation, one.id) for one in (await memory.why(other)).related] == [("replaced", known)]
    await memory.ask(Undo(what=(other,)))
    assert set(await live(memory)) == {known, other}
    assert (await memory.show(other)).text == "The staging gateway is written in Go"


async def test_a_correction_of_a_value_is_no_quarrel_with_itself_and_leaves_other_things(memory):
    known = await port(memory, 8080)
    elsewhere = await memory.remember("Production listens on port 9000", kind="configuration", project="a")
    await memory.correct(known, "Staging listens on port 8081")
    assert set(await live(memory)) == {known, elsewhere}
    assert (await memory.why(known)).related == ()


async def test_a_correction_beside_what_is_locked_is_linked_with_it(memory):
    locked = await port(memory, 8080)
    await memory.lock(locked)
    other = await memory.remember("The staging gateway is written in Go", project="a")
    await memory.correct(other, "Staging listens on port 8081")
    assert set(await live(memory)) == {locked, other}
    assert ("contradicts", locked) in [(one.relation, one.id) for one in (await memory.why(other)).related]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The upload limit is 1 GB", "The upload limit is 1024 MB"),
        ("The upload limit is 1 GB", "The upload limit is 1000 MB"),
        ("The gateway timeout is 5 s", "The gateway timeout is 5000 ms"),
        ("The memory limit of billing is 512 MB", "The memory limit of billing is 0.5 GB"),
        ("The connection limit is 1k", "The connection limit is 1000"),
        ("The release is on Friday", "The release is on 2026-05-08"),
        ("nginx listens on port 80", "nginx listens on port 443"),
    ],
)
async def test_the_same_amount_and_what_may_be_both_replace_nothing(memory, one, other):
    was = await memory.remember(one, kind="configuration", project="a")
    said = await memory.remember(other, kind="configuration", project="a")
    assert (await memory.show(was)).status == "live"
    assert (await memory.why(said)).related == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The upload limit is 1 GB", "The upload limit is 2048 MB"),
        ("The upload limit is 1000 MB", "The upload limit is 1024 MB"),
        ("The release is on Friday", "The release is on Thursday"),
        ("nginx listens on port 80", "nginx listens on port 8080"),
    ],
)
async def test_another_amount_day_or_port_does(memory, one, other):
    was = await memory.remember(one, kind="configuration", project="a")
    await memory.remember(other, kind="configuration", project="a")
    assert (await memory.show(was)).status == "superseded"


@pytest.mark.parametrize("prompt", ["ok thanks", "cool, the tests look good", "run the tests"])
async def test_a_tag_that_is_a_plain_word_answers_no_small_talk(memory, prompt):
    tags = ["cool", "thanks", "tests", "good"]
    await memory.remember("Dana owns the invoice importer", project="a", tags=tags)
    assert await memory.recall(prompt, project="a", prompt=True) == ()


async def test_a_name_that_is_none_is_called_in_any_prompt(memory):
    known = await memory.remember("Dana owns it", project="a", tags=["invoice importer", "error handling"])
    for prompt in ("ok, fix the invoice importer", "invoice importer", "cool, go on with error handling"):
        assert [hit.id for hit in await memory.recall(prompt, project="a", prompt=True)] == [known]


async def test_an_import_that_is_forgotten_frees_by_when_things_were_said(memory):
    told = []
    for day, number in ((3, 8083), (1, 8081), (2, 8082)):
        at, text = NOON + timedelta(days=day), f"Staging listens on port {number}"
        told.append(Told(id=f"told {day}", text=text, kind="configuration", project="a", at=at))
    await memory.ask(TakeIn(program=Label("another"), memories=tuple(told)))
    (newest,) = await live(memory)
    await memory.forget(newest)
    (now,) = await live(memory)
    assert (await memory.show(now)).text.endswith("8082")


async def test_what_was_so_before_and_is_so_again_is_twice_in_history_and_once_now(memory):
    first, second, third = [await port(memory, number) for number in (8080, 8081, 8080)]
    assert first != third
    assert await live(memory) == [third]
    past = await memory.recall(ASKED, floor=False, project="a", history=True)
    assert {hit.id for hit in past} == {first, second, third}
