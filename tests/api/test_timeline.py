"""A question for what was done, and when, is answered in the order of time: within the scope, within the budget."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.requests import Recall, Search
from aftermind.engine.stamp import Stamp
from aftermind.projections.recalling.lookups import done
from aftermind.projections.recalling.shown.fences import NEWEST, OLDEST, without_ours
from aftermind.projections.recalling.shown.wording import tokens

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 11, 18, 15, tzinfo=UTC)
"""A Wednesday. Nothing here is said within a day of a week's end, so that the machine's zone does not matter."""
LAST_WEEK = datetime(2026, 11, 11, 12, tzinfo=UTC)


@pytest.fixture
async def memory(tmp_path: Path):
    async with aftermind.open_memory(tmp_path / "store", stamp=Stamp(now=lambda: NOW)) as memory:
        yield memory


async def turn(memory: OpenMemory, prompt: str, at: datetime, session: str = "s", project: str = "shop") -> str:
    answer = f"Done: {prompt.lower()}."
    told = await memory.record(
        prompt, answer, session=session, project=project, at=at, collection="history", id=f"{session} {at}"
    )
    return told.memory


async def told(memory: OpenMemory, prompt: str, project: str = "shop", **others) -> list[str]:
    return [one.id for one in (await memory.context(prompt, session="now", project=project, **others)).memories]


async def test_what_was_done_last_week_is_told_from_the_oldest_to_the_newest(memory):
    later = await turn(memory, "Rename the invoice table", LAST_WEEK + timedelta(hours=5))
    first = await turn(memory, "Add retries to the mail worker", LAST_WEEK)
    await turn(memory, "Upgrade the linter", NOW - timedelta(days=1))
    await turn(memory, "Split the session module", LAST_WEEK - timedelta(weeks=1))
    context = await memory.context("What did we do last week?", session="now", project="shop")
    assert [one.id for one in context.memories] == [first, later]
    assert OLDEST in context.text
    assert all("on the timeline of last week" in one.reasons for one in context.memories)
    assert f"{LAST_WEEK.astimezone():%Y-%m-%d %H:%M}" in context.text


async def test_the_last_thing_is_told_from_the_newest_on(memory):
    for hours in range(8):
        last = await turn(
            memory, f"Step {hours} of the import", LAST_WEEK + timedelta(hours=hours), session=f"s{hours}"
        )
    context = await memory.context("what was the last thing we did?", session="now", project="shop")
    assert context.memories[0].id == last
    assert len(context.memories) == 3
    assert NEWEST in context.text


async def test_with_a_topic_the_topic_selects_and_the_order_is_by_time(memory):
    third = await turn(memory, "Switch reads of the database migration to postgres", LAST_WEEK + timedelta(days=1))
    first = await turn(
        memory, "Start the database migration: create the postgres schema", LAST_WEEK - timedelta(days=9)
    )
    second = await turn(memory, "Database migration: copy the rows to postgres", LAST_WEEK)
    await turn(memory, "Add retries to the mail worker", LAST_WEEK + timedelta(hours=2))
    assert await told(memory, "In which order did we do the database migration?") == [first, second, third]
    assert (await told(memory, "when did we first touch the database migration"))[0] == first
    assert await told(memory, "what did we do about the database migration last week") == [second, third, first]


async def test_a_time_beside_a_few_words_that_are_looked_for_is_meant_and_none_in_a_prompt(memory):
    later = await turn(memory, "Mend the login of the shop", LAST_WEEK + timedelta(hours=2))
    first = await turn(memory, "Add retries to the login", LAST_WEEK)
    newer = await turn(memory, "Rename the login of the shop", NOW - timedelta(days=1))
    found = await memory.ask(Search(query="last week login", session="w", project="shop"))
    assert [one.id for one in found.memories] == [first, later]
    assert newer in await told(memory, "last week login of the shop?")


async def test_what_is_asked_of_a_year_without_anything_of_the_topic_is_looked_for_as_ever(memory):
    chosen = await turn(memory, "Als Datenbank wurde Postgres gewählt", LAST_WEEK)
    asked = Recall(query="welche Datenbank wurde 2025 gewählt", project="shop", timed=True)
    assert [one.id for one in await memory.ask(asked)] == [chosen]


async def test_the_first_of_a_topic_is_told_whatever_session_the_rest_is_of(memory):
    first = await memory.record(
        "Billing exporter", "We looked at it. Then the cluster, ingress and dashboards were gone through.",
        session="s", project="shop", at=NOW - timedelta(days=60), collection="history", id="first",
    )  # fmt: skip
    for n in range(34):
        await memory.record(
            f"Deploy the billing exporter to region r{n * 37}", f"Rolled out as number {n * 91}.",
            session="s", project="shop", at=NOW - timedelta(days=59, hours=-n), collection="history", id=f"x{n}",
        )  # fmt: skip
    assert (await told(memory, "when did we first deploy the billing exporter?"))[0] == first.memory


async def test_an_old_answer_stands_on_a_timeline_as_it_was_given(memory):
    asked = "Which port does production use?"
    await memory.record(
        asked, "Production uses port 8080.", session="s", project="shop", at=NOW - timedelta(days=60), id="first"
    )
    await memory.remember("Production uses port 8081", kind="configuration", project="shop")
    found = await memory.context("when did we first ask which port production uses?", session="now", project="shop")
    assert found.memories[0].text == asked
    assert not any("otherwise" in reason for one in found.memories for reason in one.reasons)
    assert "otherwise" in (await memory.context(asked, session="then", project="shop")).text


async def test_what_was_decided_is_decisions_where_there_are_any(memory):
    await turn(memory, "Look at the cache", LAST_WEEK)
    assert len(await told(memory, "what did I decide last week")) == 1
    decided = await memory.remember(
        "Redis stays the cache", kind="decision", project="shop", at=LAST_WEEK + timedelta(hours=1)
    )
    assert await told(memory, "what did I decide last week") == [decided]


async def test_another_projects_time_is_not_told(memory):
    await turn(memory, "Rotate the signing keys", LAST_WEEK, project="bank")
    assert await told(memory, "what did we do last week") == []
    found = await memory.ask(Search(query="what did we do last week", session="w", project="shop"))
    assert found.memories == ()


async def test_too_much_is_sampled_over_the_stretch_within_the_budget(memory):
    days = [LAST_WEEK - timedelta(days=2) + timedelta(days=day) for day in range(5)]
    for day in days:
        for number in range(12):
            long = f"Task {number} of the day, which took a while and has a long story to it: " + "and so on " * 30
            await turn(memory, long, day + timedelta(minutes=number), session=f"{day.day} {number // 6}")
    context = await memory.context("what did we do last week", session="now", project="shop")
    assert {one.memory.at.date() for one in context.memories} == {day.date() for day in days}
    assert context.tokens == tokens(context.text) <= 600
    times = [one.memory.at for one in context.memories]
    assert times == sorted(times)


async def test_nothing_then_is_no_timeline_and_a_limit_holds(memory):
    await turn(memory, "Upgrade the linter", NOW - timedelta(days=40))
    assert await told(memory, "what did we do yesterday") == []
    for number in range(4):
        await turn(memory, f"Part {number}", LAST_WEEK + timedelta(hours=number))
    assert len(await told(memory, "what did we do last week", limit=2)) == 2


async def test_what_was_replaced_or_archived_is_not_told(memory):
    old = await memory.remember("We use yarn", project="shop", at=LAST_WEEK)
    new = await memory.remember("We use pnpm", project="shop", at=LAST_WEEK + timedelta(hours=1), supersedes=old)
    away = await memory.remember("The logo is blue", project="shop", at=LAST_WEEK)
    await memory.archive(away)
    assert await told(memory, "what happened last week") == [new]
    found = await memory.ask(Recall(query="what happened last week", project="shop", history=True, timed=True))
    assert [one.id for one in found] == [old, new]


async def test_a_search_is_answered_the_same_way(memory):
    later = await turn(memory, "Rename the invoice table", LAST_WEEK + timedelta(hours=5))
    first = await turn(memory, "Add retries to the mail worker", LAST_WEEK)
    found = await memory.ask(Search(query="what did we do last week", session="w", project="shop", briefed=True))
    assert [one.id for one in found.memories] == [first, later]
    assert OLDEST in found.text
    asked = await memory.ask(Recall(query="what did we do last week", project="shop", timed=True))
    assert [one.id for one in asked] == [first, later]


async def test_a_timeline_is_never_captured_again(memory):
    await turn(memory, "Add retries to the mail worker", LAST_WEEK)
    text = (await memory.context("what did we do last week", session="now", project="shop")).text
    assert without_ours(f"Before.\n{text}\nAfter.") == "Before.\nAfter."


@pytest.mark.parametrize(
    "prompt", ["what did we do last week?", "was haben wir letzte Woche entschieden?", "qu'est-ce qu'on a fait hier ?"]
)
async def test_of_a_time_in_which_nothing_was_done_nothing_else_is_told(memory, prompt):
    """A decision of this week, shown for last week's, would be taken for last week's."""
    at = NOW - timedelta(hours=3)
    await turn(memory, "Wir haben entschieden, die Woche am Montag zu beginnen", at, "a")
    await turn(memory, "On a fait la version 2 hors ligne, what we decided last", at, "b")
    assert await told(memory, prompt) == []
    assert await memory.ask(Recall(query=prompt, project="shop", timed=True)) == ()
    assert (await memory.ask(Search(query=prompt, project="shop", session="now"))).memories == ()


async def test_a_stretch_without_a_beginning_is_told_over_all_of_it_however_much_there_is(memory, monkeypatch):
    for name, many in (("READ", 10), ("SLOTS", 6), ("OF_SLOT", 2)):
        monkeypatch.setattr(done, name, many)
    days = [NOW - timedelta(days=n) for n in range(40, 0, -1)]
    ids = {await turn(memory, f"Paint wall {n * 37} in tone {n * 91}", at): at for n, at in enumerate(days)}
    found = [ids[one] for one in await told(memory, "what did we do before yesterday?", limit=6)]
    assert found == sorted(found)
    assert max(found) < NOW - timedelta(days=1)
    assert found[-1] - found[0] > timedelta(days=20), "from the first day to the last, and not of the last years' end"
