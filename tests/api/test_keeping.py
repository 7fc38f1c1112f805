"""What stands behind a memory, how long it is so, reviews, reminders, blockers: said, shown, undone, forgotten."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec import structs

import aftermind
from aftermind.cli.language.entities import Blockers
from aftermind.cli.language.erasing import Erasing, ForgetAll, Selection
from aftermind.cli.language.keeping import (
    Dating,
    Detailing,
    Due,
    Finishing,
    Keep,
    Planning,
    Reminding,
    Reopening,
    Resolving,
    Reviewing,
    Snoozing,
    Unreminding,
)
from aftermind.cli.language.requests import Remember
from aftermind.cli.language.undoing import Undo
from aftermind.engine.errors import Refused, Unusable
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.names import Label
from aftermind.engine.views.comparing import compared
from aftermind.projections.catalog import ALL
from tests.api.test_carrying import bring, export
from tests.erased import holding
from tests.given import NOON
from tests.opened import Clock

pytestmark = pytest.mark.anyio
DAY = timedelta(days=1)
BEHIND = Particulars(what="The broker", why="It lost no quokka", learned="Ask for the volume of zebras first")


async def keep(memory, id, *says):
    return await memory.ask(Keep(id=id, says=says))


async def due(memory, **asked):
    return [(one.what, one.id) for one in await memory.ask(Due(all=True, **asked))]


async def test_what_stands_behind_a_memory_is_shown_and_found_with_it(memory):
    id = await memory.ask(Remember(text="We chose NATS", kind="decision", particulars=BEHIND))
    shown = await memory.show(id)
    assert (shown.particulars.what, shown.particulars.why) == ("The broker", "It lost no quokka")
    assert shown.answer == BEHIND.in_words
    for query in ("which decision lost no quokka?", "volume of zebras"):
        assert [hit.id for hit in await memory.recall(query)] == [id]
    assert "It lost no quokka" in (await memory.context("volume of zebras", session="s")).text
    steps = [step.what for step in (await memory.why(id)).steps]
    assert any("Why: It lost no quokka" in step for step in steps)


async def test_a_part_of_it_is_said_anew_and_the_rest_stays_and_undoing_brings_it_back(memory):
    id = await memory.ask(Remember(text="We chose NATS", kind="decision", particulars=BEHIND))
    now = await keep(memory, id, Detailing(why="The flamingo died", learned=""))
    assert now.answer == "What: The broker\nWhy: The flamingo died"
    assert await memory.recall("quokka lost") == ()
    assert [hit.id for hit in await memory.recall("flamingo died")] == [id]
    head = await memory.caught_up()
    assert await keep(memory, id, Detailing(why="The flamingo died")) == now
    assert await memory.caught_up() == head, "said again it changes nothing"
    await memory.correct(id, "We chose JetStream")
    assert (await memory.show(id)).answer == now.answer, "another wording, with the same behind it"
    await memory.ask(Undo())
    await memory.ask(Undo())
    assert (await memory.show(id)).answer == BEHIND.in_words
    assert [hit.id for hit in await memory.recall("quokka lost")] == [id]


async def test_secrets_are_masked_in_every_field(memory):
    secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    told = Particulars(what=f"key {secret}", why=f"as {secret}", learned=f"never {secret}")
    id = await memory.ask(Remember(text="The token of CI", particulars=told))
    await keep(memory, id, Reminding(due=NOON + DAY, said=f"with {secret}"))
    blocker = await memory.remember("No quota", kind="blocker")
    await keep(memory, blocker, Resolving(how=f"by {secret}"))
    everything = str([kept.draft.event for kept in await memory.events()]) + str(await memory.show(id))
    assert "masked github-token" in everything
    assert secret not in everything + str(await memory.show(blocker))


async def test_forgetting_takes_every_field_out_of_every_file(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        words = ("quokkaparade", "zebrafinch", "flamingodance", "axolotlnight", "wombatsong")
        told = Particulars(what=words[0], why=words[1], learned=words[2], due=NOON + DAY, said=words[3])
        id = await memory.ask(Remember(text="The animals meet", kind="blocker", particulars=told))
        await keep(memory, id, Resolving(how=words[4]))
        assert [hit.id for hit in await memory.recall("zebrafinch flamingodance")] == [id]
        assert set(words) <= {word for found in holding(folder, *words).values() for word in map(eval, found)}
        begun = await memory.ask(ForgetAll(selection=Selection(ids=(id,))))
        assert (await memory.ask(Erasing(run=begun.run, seconds=60.0))).left == ()
        assert await due(memory, ahead=10**6) == []
    assert holding(folder, *words) == {}
    for views in folder.glob("views*"):
        views.unlink()
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.verify()
        assert await memory.recall("zebrafinch flamingodance", history=True) == ()
    assert holding(folder, *words) == {}


# --- how long it is so ----------------------------------------------------------------------------------------


async def test_outside_of_its_time_a_memory_is_not_what_is_so_locked_or_not(folder, stamp, clock: Clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        told = Particulars(since=NOON + DAY, until=NOON + 3 * DAY)
        open, locked = [
            await memory.ask(Remember(text=f"The freeze holds for {name}", particulars=told)) for name in ("ops", "dev")
        ]
        await memory.lock(locked)
        both = {open, locked}
        seen = {1: set(), 36: both, 80: set()}
        for hours, expected in seen.items():
            clock.time = NOON + timedelta(hours=hours)
            assert {hit.id for hit in await memory.recall("freeze holds")} == expected, hours
            assert {one.id for one in await memory.latest()} == expected, hours
            assert (await memory.stats()).statuses.get("expired", 0) == (2 if hours == 80 else 0)
        assert {hit.id for hit in await memory.recall("freeze holds", history=True)} == both
        then = NOON + 2 * DAY
        assert {hit.id for hit in await memory.recall("freeze holds", at=then)} == both
        assert "it is so from 2026" in " ".join(step.what for step in (await memory.why(open)).steps)
        now = await keep(memory, open, Dating(keeps=("since",)))
        assert (now.particulars.since, now.particulars.until) == (NOON + DAY, None)
        assert {hit.id for hit in await memory.recall("freeze holds")} == {open}
        with pytest.raises(Refused, match="locked"):
            await keep(memory, locked, Dating())
    async with aftermind.open_memory(folder, stamp=stamp) as memory:  # and for who reads everything anew
        assert {hit.id for hit in await memory.recall("freeze holds")} == {open}


async def test_a_blocker_whose_time_is_over_or_to_come_is_no_open_one(memory, clock: Clock):
    told = Particulars(since=NOON + DAY, until=NOON + 3 * DAY)
    await memory.ask(Remember(text="No deployments", kind="blocker", project="shop", particulars=told))
    for days, count in ((0, 0), (1, 1), (2, 0)):
        clock.wait(days=days)
        assert len(await memory.ask(Blockers(project="shop"))) == count
        assert (await memory.stats("shop")).due.get("open blockers", 0) == count


async def test_what_will_be_so_leaves_the_older_value_in_force_until_then(folder, stamp, clock: Clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        old = await memory.remember("Staging listens on port 8081", kind="configuration")
        begins = Particulars(since=NOON + 2 * DAY)
        new = await memory.ask(Remember(text="Staging listens on port 9090", kind="configuration", particulars=begins))
        assert [hit.id for hit in await memory.recall("staging port")] == [old]
        clock.wait(days=2)
        assert [hit.id for hit in await memory.recall("staging port")] == [new]
        brief = Particulars(until=NOON + 4 * DAY)
        await memory.ask(Remember(text="Staging listens on port 7", kind="configuration", particulars=brief))
        assert (await memory.show(new)).status == "live", "what is so for a while takes nobody's place"
        clock.wait(days=3)
        assert [hit.id for hit in await memory.recall("staging port")] == [new]
        await memory.ask(Undo(what=(new,)))
        assert [hit.id for hit in await memory.recall("staging port")] == [old]


async def test_what_is_stated_before_another_value_begins_contradicts_it_from_then_on(folder, stamp, clock: Clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.remember("The owner of billing is Priya")
        clock.wait(days=1)
        begins = Particulars(since=NOON + timedelta(days=4))
        later = await memory.ask(Remember(text="The owner of billing is Tom", particulars=begins))
        clock.wait(days=1)
        now = await memory.remember("The owner of billing is Vera")
        (hit,) = await memory.recall("who is the owner of billing")
        assert (hit.id, [one for one in hit.reasons if "contradicts" in one]) == (now, [])
        clock.wait(days=3)
        found = await memory.recall("who is the owner of billing")
        told = {hit.id: [one for one in hit.reasons if "contradicts" in one] for hit in found}
        assert told == {now: [f"contradicts {later}"], later: [f"contradicts {now}"]}


async def test_what_was_said_before_is_not_replaced_by_what_is_not_yet_so(folder, stamp, clock: Clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        clock.wait(days=2)
        begins = Particulars(since=NOON + timedelta(days=4))
        await memory.ask(Remember(text="The owner of billing is Tom", particulars=begins))
        old = await memory.remember("The owner of billing is Vera", at=NOON)
        assert [hit.id for hit in await memory.recall("who is the owner of billing")] == [old]


async def test_the_same_words_of_another_time_are_another_statement(memory):
    brief = Particulars(until=datetime(2100, 1, 1, tzinfo=UTC))
    ids = [await memory.ask(Remember(text="The freeze holds", particulars=told)) for told in (brief, Particulars())]
    assert ids[0] != ids[1]
    assert await memory.remember("The freeze holds") == ids[1]


async def test_what_ends_before_it_begins_or_has_no_zone_is_refused(memory):
    id = await memory.remember("The freeze holds")
    with pytest.raises(Unusable, match="end before it begins"):
        await keep(memory, id, Dating(since=NOON, until=NOON - DAY))
    with pytest.raises(Unusable, match="zone"):
        await keep(memory, id, Dating(since=datetime(2027, 1, 1)))  # noqa: DTZ001
    exchange = await memory.record("a", "b", session="s")
    with pytest.raises(Refused, match="exchange"):
        await keep(memory, exchange.memory, Detailing(why="c"))


# --- reviews --------------------------------------------------------------------------------------------------


async def test_a_procedure_asks_for_a_review_after_the_days_of_its_kind_and_after_each_review(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        id = await memory.remember("Deploy: build, tag, push", kind="procedure")
        await memory.remember("A fact asks nothing")
        clock.wait(days=89)
        assert await due(memory) == []
        clock.wait(days=2)
        assert await due(memory) == [("review", id)]
        reviewed = await keep(memory, id, Reviewing())
        assert await due(memory) == []
        assert reviewed.particulars.review - clock.time > 89 * DAY
        await keep(memory, id, Planning(at=clock.time + DAY, every=7))
        clock.wait(days=1)
        assert await due(memory) == [("review", id)]
        again = await keep(memory, id, Reviewing())
        assert timedelta(days=6, hours=23) < again.particulars.review - clock.time <= 7 * DAY
        await keep(memory, id, Planning())
        clock.wait(days=400)
        assert await due(memory) == [], "nobody wants to look at it again"
        await memory.ask(Undo())
        assert await due(memory) == [("review", id)]
        await memory.archive(id)
        assert await due(memory) == []


# --- reminders ------------------------------------------------------------------------------------------------


async def test_a_reminder_is_due_snoozed_done_and_undone(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        told = Particulars(due=NOON + DAY, said="tomorrow")
        id = await memory.ask(Remember(text="Renew the certificate", kind="plan", particulars=told))
        assert (await due(memory), await due(memory, ahead=90_000)) == ([], [("reminder", id)])
        clock.wait(days=1)
        assert await due(memory) == [("reminder", id)]
        await keep(memory, id, Snoozing(until=clock.time + timedelta(hours=1)))
        assert await due(memory) == []
        clock.wait(hours=1)
        assert await due(memory) == [("reminder", id)]
        done = await keep(memory, id, Finishing())
        assert (done.status, done.particulars.due, await due(memory)) == ("archived", None, [])
        with pytest.raises(Refused, match="nobody is reminded"):
            await keep(memory, id, Finishing())
        finished = next(e.draft.id for e in await memory.events() if type(e.draft.event).__name__ == "ReminderDone")
        await memory.ask(Undo(what=(finished,)))
        assert ((await memory.show(id)).status, await due(memory)) == ("live", [("reminder", id)])
        await keep(memory, id, Unreminding())
        assert ((await memory.show(id)).status, await due(memory)) == ("live", [])


async def test_one_that_comes_back_is_due_by_the_clock_of_its_zone(folder, stamp, clock):
    """Peers lose the time of day of what recurs."""
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        first = datetime(2027, 3, 22, 8, 30, tzinfo=UTC)  # 9:30 in Berlin, a week before the clock jumps
        clock.time = first
        says = Reminding(due=first, every=Label("week"), zone=Label("Europe/Berlin"))
        id = await memory.remember("The report is due on Mondays")
        await keep(memory, id, says)
        now = await keep(memory, id, Finishing())
        assert (now.status, now.particulars.due) == ("live", datetime(2027, 3, 29, 7, 30, tzinfo=UTC))
        clock.time = now.particulars.due + timedelta(days=15)
        assert (await keep(memory, id, Finishing())).particulars.due == datetime(2027, 4, 19, 7, 30, tzinfo=UTC)
        with pytest.raises(Unusable, match="time zone"):
            await keep(memory, id, Reminding(due=first, zone=Label("Mars/Olympus")))
        with pytest.raises(Unusable, match="come back"):
            await keep(memory, id, Reminding(due=first, every=Label("blue moon")))


async def test_what_is_due_in_one_project_is_not_due_in_another(memory, tmp_path: Path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        told = Particulars(due=NOON - DAY)
        await memory.ask(Remember(text=f"Call {name}", kind="plan", project=str(tmp_path / name), particulars=told))
    found = await memory.ask(Due(project=str(tmp_path / "one")))
    assert [(one.text, one.project) for one in found] == [("Call one", "one")]
    assert len(await memory.ask(Due(all=True))) == 2
    assert await memory.ask(Due()) == ()


# --- blockers -------------------------------------------------------------------------------------------------


async def test_a_resolved_blocker_is_kept_for_a_while_and_a_locked_one_for_good(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        gone, kept, locked, back = [
            await memory.remember(f"Blocker {name}: no quota", kind="blocker") for name in ("a", "b", "c", "d")
        ]
        await memory.lock(locked)
        for id in (gone, locked, back):
            await keep(memory, id, Resolving(how="asked the vendor"))
        await keep(memory, back, Reopening())
        shown = await memory.show(gone)
        assert (shown.particulars.resolved, shown.particulars.how) == (True, "asked the vendor")
        assert shown.expires - clock.time > 89 * DAY
        clock.wait(days=91)
        assert {hit.id for hit in await memory.recall("blocker quota")} == {kept, locked, back}
        await memory.sweep()
        ended = (await memory.why(gone)).steps[-1].what
        assert ((await memory.show(gone)).status, ended) == (
            "expired",
            "expired: its time as a resolved blocker was over",
        )
        restored = await memory.restore(gone)
        assert restored.expires - clock.time > 89 * DAY
        fact = await memory.remember("A fact")
        with pytest.raises(Refused, match="only a blocker"):
            await keep(memory, fact, Resolving())


async def test_the_same_request_twice_is_done_once(memory):
    id = await memory.remember("No quota", kind="blocker")
    key = aftermind.engine.names.EventId("0" * 32)
    for _ in range(2):
        await memory.ask(Keep(id=id, says=(Resolving(how="asked"),)), key)
    head = await memory.caught_up()
    told = Particulars(why="as it is")
    for _ in range(2):
        await memory.ask(
            Remember(text="No quota", kind="blocker", particulars=told), aftermind.engine.names.EventId("1" * 32)
        )
    assert await memory.caught_up() == head + 1
    assert (await memory.show(id)).particulars.why == "as it is"


async def test_replay_says_what_the_live_views_say(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        told = Particulars(why="a", until=NOON + DAY, due=NOON + DAY, planned=True, review=NOON)
        id = await memory.ask(Remember(text="We chose NATS", kind="decision", particulars=told))
        await keep(memory, id, Snoozing(until=NOON + 2 * DAY), Reviewing())
        before = await memory.show(id)
        assert await memory.caught_up()
    from aftermind.engine.logs.sqlite_log import sqlite_log_reader

    async with sqlite_log_reader(folder / "log.db") as log:
        assert (await compared(folder, log, ALL, lambda done, total: None)).differs is None
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert await memory.show(id) == before


async def test_what_is_due_and_what_blocks_stands_at_the_start_of_a_session(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        told = Particulars(due=NOON + DAY)
        due_id = await memory.ask(Remember(text="Renew the certificate", kind="plan", particulars=told))
        procedure = await memory.remember("Deploy: build, tag, push", kind="procedure")
        open, resolved = [await memory.remember(f"Blocker {n}", kind="blocker") for n in range(2)]
        await keep(memory, resolved, Resolving())
        begun = await memory.context(session="s1")
        assert [one.id for one in begun.memories] == [open]
        clock.wait(days=95)
        begun = await memory.context(session="s2")
        assert [one.id for one in begun.memories] == [due_id, procedure, open]
        assert "Due now:" in begun.text
        assert "reminder of 2026-" in begun.text
        assert "asks for a review since 2026-" in begun.text
        await keep(memory, due_id, Finishing())
        await keep(memory, procedure, Reviewing())
        assert [one.id for one in (await memory.context(session="s3")).memories] == [open]


async def test_an_export_brings_all_of_it_to_another_store(memory, folder, tmp_path: Path):
    dated = structs.replace(BEHIND, since=NOON - DAY, until=NOON + DAY, planned=True, review=NOON)
    told = structs.replace(dated, due=NOON, first=NOON, said="now")
    id = await memory.ask(Remember(text="We chose NATS", kind="decision", particulars=told))
    blocker = await memory.remember("No quota", kind="blocker")
    await keep(memory, blocker, Resolving(how="asked the vendor"))
    before = [(one.text, one.answer, one.particulars) for one in [await memory.show(m) for m in (id, blocker)]]
    assert before[0][2] == told
    file = await export(folder, tmp_path / "events.jsonl")
    await bring(tmp_path / "copy", file)
    async with aftermind.open_memory(tmp_path / "merged") as other:
        await other.remember("It knows something")
    await bring(tmp_path / "merged", file)
    for name in ("copy", "merged"):
        async with aftermind.open_memory(tmp_path / name) as other:
            after = [await other.show(m) for m in (id, blocker)]
            assert [(one.text, one.answer, one.particulars) for one in after] == before, name
