"""Many memories at once: what is meant is told before, and one undo takes all of it back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

import aftermind
from aftermind.cli.language.keeping import (
    Consolidate,
    Detailing,
    Finishing,
    Keep,
    Reminding,
    Resolving,
    Snoozing,
    Tidy,
    Which,
)
from aftermind.cli.language.requests import Remember
from aftermind.cli.language.undoing import Undo, Undoable
from aftermind.engine.errors import Refused, Unusable
from aftermind.engine.memories.particulars import Particulars
from tests.given import NOON

pytestmark = pytest.mark.anyio


async def archive(memory, *, apply=True, **which):
    return await memory.ask(Tidy(how="archive", which=Which(**which), reason="old", apply=apply))


async def statuses(memory, ids) -> list[str]:
    return [(await memory.show(id)).status for id in ids]


async def test_what_would_be_archived_is_told_and_then_it_is(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        old = [await memory.remember(f"Event {n}: the OLD cluster blinked", kind="event") for n in range(3)]
        other = await memory.remember("The old cluster is gone", kind="fact")
        locked = await memory.remember("Event 9: the old cluster burned", kind="event")
        await memory.lock(locked)
        clock.wait(days=40)
        new = await memory.remember("Event 5: the old cluster came back", kind="event")
        asked = {"kinds": ("event",), "match": "old cluster", "before": clock.time - timedelta(days=30)}
        head = await memory.caught_up()
        seen = await archive(memory, apply=False, **asked)
        assert ([one.id for one in seen.first], seen.memories, seen.locked) == (old, 3, 1)
        assert await memory.caught_up() == head
        done = await archive(memory, **asked)
        assert (done.memories, len(done.done)) == (3, 1)
        assert await statuses(memory, [*old, other, locked, new]) == ["archived"] * 3 + ["live"] * 3
        assert "archived (old)" in (await memory.why(old[0])).steps[-1].what
        await memory.restore(old[0])
        await memory.ask(Undo(what=(str(done.done[0]),)))
        assert await statuses(memory, old) == ["live"] * 3
        (taken,) = await memory.ask(Undo(what=(str(done.done[0]),)))
        assert taken.already


async def test_undoing_an_undo_of_many_does_it_again(memory):
    ids = [await memory.remember(f"Idea {n}", kind="idea") for n in range(70)]
    done = await archive(memory, kinds=("idea",))
    (taken,) = await memory.ask(Undo(what=(str(done.done[0]),)))
    assert set(await statuses(memory, ids)) == {"live"}
    (last, *_) = await memory.ask(Undoable(limit=5))
    assert (last.what, last.why_not) == ("archive of 70 memories", "it is undone")
    await memory.ask(Undo(what=(str(taken.by[0]),)))
    assert set(await statuses(memory, ids)) == {"archived"}


async def test_many_of_which_each_became_another_since_are_not_said_to_have_stayed_as_they_were(memory):
    ids = [await memory.remember(f"Idea {n}", kind="idea") for n in range(2)]
    done = await archive(memory, kinds=("idea",))
    for id in ids:
        await memory.restore(id)
    why = "something else became of each of them after that"
    assert {step.event: step.why_not for step in await memory.ask(Undoable(limit=9))}[done.done[0]] == why
    with pytest.raises(Refused, match=why):
        await memory.ask(Undo(what=(str(done.done[0]),)))


async def test_the_archive_is_searched_and_restored_from_and_keeps_its_project(memory, tmp_path: Path):
    """Peers lose the project of what is archived, cannot search the archive, and have no way back."""
    (tmp_path / "shop").mkdir()
    shop = str(tmp_path / "shop")
    mine = [await memory.remember(f"Shop fact {n}", project=shop) for n in range(2)]
    await memory.remember("Shop fact of nobody")
    await archive(memory, match="shop fact", project=shop)
    assert await memory.recall("shop fact", project=shop, limit=9) != ()
    assert {hit.id for hit in await memory.recall("shop fact", project=shop)}.isdisjoint(mine)
    seen = await memory.ask(Tidy(how="restore", which=Which(match="FACT 1", project=shop)))
    assert ([one.id for one in seen.first], seen.first[0].project) == ([mine[1]], "shop")
    await memory.ask(Tidy(how="restore", which=Which(match="fact 1", project=shop), apply=True))
    assert {hit.id for hit in await memory.recall("shop fact", project=shop)} & set(mine) == {mine[1]}


async def test_a_filter_means_what_it_says_and_no_filter_means_nothing(folder, stamp, clock):
    """A peer archives nothing but what is resolved, whatever kind is asked for; another everything."""
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        fact = await memory.remember("A fact", kind="fact", tags=("gone",))
        open, resolved = [await memory.remember(f"Blocker {n}", kind="blocker") for n in range(2)]
        await memory.ask(Keep(id=resolved, says=(Resolving(),)))
        assert (await archive(memory, kinds=("fact",), apply=False)).memories == 1
        seen = await archive(memory, resolved=True, apply=False)
        assert [one.id for one in seen.first] == [resolved]
        seen = await archive(memory, tags=("gone",), apply=False)
        assert [one.id for one in seen.first] == [fact]
        assert (await archive(memory, ids=(open,), all=True)).memories == 1
        with pytest.raises(Unusable, match="which memories"):
            await archive(memory)
        with pytest.raises(Refused, match="archived"):
            await archive(memory, ids=(open,))


async def test_a_request_that_was_cut_off_between_two_parts_goes_on_when_it_comes_again(memory, monkeypatch):
    from aftermind.cli.answering.keeping import tidying

    ids = [await memory.remember(f"Idea {n}", kind="idea") for n in range(5)]
    key = aftermind.engine.names.EventId("0" * 32)
    monkeypatch.setattr(tidying, "AT_ONCE", 2)
    some = Tidy(how="archive", which=Which(ids=tuple(ids[:2]), all=True), apply=True)
    await memory.ask(some, key)
    done = await memory.ask(Tidy(how="archive", which=Which(kinds=("idea",)), apply=True), key)
    assert (done.memories, len(done.done)) == (3, 2)
    assert await statuses(memory, ids) == ["archived"] * 5
    await memory.verify()


async def test_what_was_done_to_many_is_undone_from_their_project(memory, tmp_path: Path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        await memory.remember("It is so", project=str(tmp_path / name))
    done = await archive(memory, match="it is so", project=str(tmp_path / "one"))
    elsewhere = await memory.ask(Undoable(project=str(tmp_path / "two"), all=False))
    assert [step.event for step in elsewhere if step.event == done.done[0]] == []
    (taken,) = await memory.ask(Undo(project=str(tmp_path / "one"), all=False))
    assert taken.step.event == done.done[0]


async def test_the_same_request_twice_archives_once(memory):
    ids = [await memory.remember(f"Idea {n}", kind="idea") for n in range(3)]
    key = aftermind.engine.names.EventId("0" * 32)
    for _ in range(2):
        await memory.ask(Tidy(how="archive", which=Which(kinds=("idea",)), apply=True), key)
    assert await statuses(memory, ids) == ["archived"] * 3
    assert [type(e.draft.event).__name__ for e in await memory.events()].count("MemoriesTidied") == 1


# --- consolidation --------------------------------------------------------------------------------------------


async def test_what_says_the_same_becomes_one_with_what_was_said_behind_all_of_them(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        first = await memory.remember("The staging database is db-2.internal")
        await memory.ask(Keep(id=first, says=(Detailing(why="it has the disk"), Reminding(due=NOON))))
        second = await memory.remember("Staging database is  `db-2.internal`.", tags=("again",))
        head = await memory.caught_up()
        seen = await memory.ask(Consolidate())
        assert [(one.id, one.into) for one in seen.first] == [(first, second)]
        assert await memory.caught_up() == head, "told, and nothing done"
        done = await memory.ask(Consolidate(apply=True))
        assert (done.memories, len(done.done)) == (1, 1)
        assert [hit.id for hit in await memory.recall("staging database")] == [second]
        kept = (await memory.show(second)).particulars
        assert (kept.why, kept.due) == ("it has the disk", NOON)
        assert (await memory.show(first)).successor == second
        assert (await memory.ask(Consolidate(apply=True))).memories == 0, "once"
        await memory.ask(Undo(what=(str(done.done[0]),)))
        assert {hit.id for hit in await memory.recall("staging database")} == {first, second}
        assert (await memory.show(second)).particulars == Particulars()


DIFFER = (
    ("The port is 5432", "The port is 5433"),
    ("Uploads are limited to 10 MB", "Uploads are limited to 25 MB"),
    ("Deploy with make deploy", "Do not deploy with make deploy"),
    ("Staging listens on port 8081", "Production listens on port 8081"),
    ("Logs are in /var/log/app", "Logs are in /var/log/App"),
    ("Run the tests, then deploy", "Deploy, then run the tests"),
    ("The port of staging is 8081", "The port of staging is only 8081"),
    ("The build takes 5 minutes", "The build takes about 5 minutes"),
    ("Bump to v2 needs a migration", "Bump to v3 needs a migration"),
)


@pytest.mark.parametrize(("one", "other"), DIFFER)
async def test_what_differs_in_a_word_that_matters_is_never_merged(memory, one, other):
    """Two peers drop a correction as a duplicate of what it corrects."""
    for text in (one, other):
        await memory.remember(text, kind="decision")
        await memory.remember(text, kind="fact", tags=("once more",))
    seen = await memory.ask(Consolidate(only="same"))
    assert seen.first == ()


async def test_who_says_it_where_and_of_when_tells_statements_apart(memory, tmp_path: Path):
    (tmp_path / "shop").mkdir()
    await memory.remember("I like tabs", kind="preference", speaker="Ada")
    await memory.remember("I like tabs", kind="preference", speaker="Bob")
    await memory.remember("I like tabs", kind="preference", speaker="Ada", project=str(tmp_path / "shop"))
    told = Particulars(until=NOON + timedelta(days=400))
    await memory.ask(Remember(text="I like tabs!", kind="preference", speaker="Ada", particulars=told))
    await memory.remember("I like tabs.", kind="directive", speaker="Ada")
    assert (await memory.ask(Consolidate(all=True))).first == ()


async def test_the_locked_one_stays_then_the_one_judged_most(memory):
    ids = [await memory.remember(f"The{' ' * n} API is v2", tags=(f"t{n}",)) for n in range(1, 4)]
    judged = (await memory.context("which API is v2?", session="s")).memories[0].id
    exchange = await memory.record("which API is v2?", "all", session="s")
    await memory.score(exchange=exchange.id, memories={judged: "worked"})
    assert {one.into for one in (await memory.ask(Consolidate())).first} == {judged}
    other = next(id for id in ids if id != judged)
    await memory.lock(other)
    done = await memory.ask(Consolidate(apply=True))
    assert {one.into for one in done.first} == {other}
    assert [id for id, status in zip(ids, await statuses(memory, ids), strict=True) if status == "live"] == [other]


async def test_what_nobody_spoke_of_for_long_is_stale_and_what_holds_is_not(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        stale = await memory.remember("The intern is called Quokka")
        decision = await memory.remember("We chose NATS", kind="decision")
        shown = await memory.remember("The zebra service owns invoices")
        locked = await memory.remember("The domain is example.org")
        reminded = await memory.ask(Remember(text="Renew it", kind="plan", particulars=Particulars(due=NOON)))
        await memory.lock(locked)
        clock.wait(days=150)
        assert (await memory.context("who owns the zebra invoices?", session="s")).memories
        clock.wait(days=60)
        seen = await memory.ask(Consolidate(only="stale"))
        assert [(one.id, one.into) for one in seen.first] == [(stale, None)]
        assert "not said, shown or judged since 2026" in seen.first[0].why
        assert {one.id for one in (await memory.ask(Consolidate(stale_days=30))).first} == {stale, shown}
        done = await memory.ask(Consolidate(apply=True))
        assert await statuses(memory, [stale, decision, shown, locked, reminded]) == ["archived", *["live"] * 4]
        await memory.ask(Undo(what=(str(done.done[0]),)))
        assert await statuses(memory, [stale]) == ["live"]
        with pytest.raises(Unusable, match="stale after"):
            await memory.ask(Consolidate(stale_days=-1))


async def test_many_are_archived_in_parts_each_of_which_is_whole(memory):
    from aftermind.cli.answering.keeping import tidying

    ids = [await memory.remember(f"Idea {n}", kind="idea") for n in range(tidying.AT_ONCE + 3)]
    done = await archive(memory, kinds=("idea",))
    assert (done.memories, len(done.done), len(done.first)) == (len(ids), 2, 20)
    await memory.ask(Undo(what=tuple(map(str, reversed(done.done)))))
    assert {one.status for one in await memory.latest(limit=500)} == {"live"}
    await memory.verify()


async def test_the_same_value_of_the_same_thing_in_another_order_is_the_same(memory):
    for one, other in (
        ("The port of staging is 8081", "Staging's port is 8081"),
        ("Ada's editor is vim", "editor of Ada is Vim"),
    ):
        ids = [await memory.remember(text) for text in (one, other)]
        found = (await memory.ask(Consolidate(only="same"))).first
        assert (ids[0], ids[1]) in [(member.id, member.into) for member in found]


async def test_what_goes_into_another_keeps_the_day_on_which_its_reminder_comes_back(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        weekly = Reminding(due=NOON + timedelta(hours=1), every="week", zone="UTC")
        old = await memory.remember("Water the plants", kind="plan")
        await memory.ask(Keep(id=old, says=(weekly, Snoozing(until=weekly.due + timedelta(days=1)))))
        clock.wait(minutes=1)
        new = await memory.remember("Water the plants.", kind="plan")
        await memory.ask(Consolidate(all=True, apply=True))
        assert await statuses(memory, [old, new]) == ["superseded", "live"]
        await memory.ask(Keep(id=new, says=(Finishing(),)))
        assert (await memory.show(new)).particulars.due == weekly.due + timedelta(weeks=1)
