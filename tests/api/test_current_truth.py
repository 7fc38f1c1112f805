"""Law 7: what is superseded is recalled only where history is asked for; and what supersedes by itself, when."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import aftermind
from aftermind.cli.language.erasing import ForgetAll, Selection
from aftermind.cli.language.importing import TakeIn, Told
from aftermind.cli.language.undoing import Undo
from aftermind.engine.events import MemoryRecorded, MemorySuperseded
from aftermind.engine.names import EventId, Label
from aftermind.engine.stamp import Stamp
from tests.api.test_learning import judged, learned
from tests.given import NOON
from tests.opened import Clock

pytestmark = pytest.mark.anyio
OLD, NEW = "Staging listens on port 8080", "Staging now listens on port 8081"
ASKED = "Which port does staging listen on?"


async def texts(memory, query=ASKED, **more) -> list[str]:
    return [hit.text for hit in await memory.recall(query, floor=False, **more)]


async def test_of_two_wishes_how_to_be_answered_the_newer_holds_for_who_says_it(memory):
    async def wish(text, who=""):
        return await memory.remember(text, kind="preference", project="a", speaker=who)

    german, anna = await wish("Please answer me in German"), await wish("Answer in German", "Anna")
    english, tom = await wish("Please answer me in English"), await wish("Answer in English", "Tom")
    assert (await memory.show(german)).status == "superseded"
    assert {(await memory.show(id)).status for id in (anna, english, tom)} == {"live"}
    await memory.record("answer in French", "Oui.", session="s", project="a")
    assert (await memory.show(english)).status == "live"


async def test_a_newer_value_is_recalled_and_the_older_one_is_history(memory):
    old = await memory.remember(OLD, kind="configuration", project="a")
    new = await memory.remember(NEW, kind="configuration", project="a")
    assert await texts(memory, project="a") == [NEW]
    assert set(await texts(memory, project="a", history=True)) == {OLD, NEW}
    assert "8080" not in (await memory.context(ASKED, session="s", project="a")).text
    story = await memory.why(old)
    assert [(one.relation, one.id) for one in story.related] == [("replaced by", new)]
    assert "both are about “port staging”" in story.steps[-1].what
    events = await memory.events(limit=1_000)
    [recorded] = [one for one in events if isinstance(one.draft.event, MemoryRecorded) and one.draft.event.text == NEW]
    [superseded] = [one for one in events if isinstance(one.draft.event, MemorySuperseded)]
    assert superseded.draft.because == recorded.draft.id, "what was said later is the reason"


@pytest.mark.parametrize(
    ("kind", "project", "text"),
    [
        ("configuration", "a", "Production listens on port 8081"),
        ("configuration", "b", NEW),
        ("configuration", None, NEW),
        ("decision", "a", NEW),
        ("conversation", "a", NEW),
        ("configuration", "a", "We plan to move staging to port 8081"),
    ],
)
async def test_another_thing_scope_or_kind_takes_nobodys_place(memory, kind, project, text):
    old = await memory.remember(OLD, kind="configuration", project="a")
    await memory.remember(text, kind=kind, project=project)
    assert (await memory.show(old)).status == "live"
    assert (await memory.why(old)).related == ()


async def test_an_exchange_takes_nobodys_place_and_nobody_its_own(memory):
    exchange = await memory.record(OLD, "I know.", session="s")
    fact = await memory.remember(OLD)
    await memory.record("and the staging port?", NEW, session="s")
    assert (await memory.show(fact)).status == "live"
    await memory.remember(NEW)
    assert (await memory.show(fact)).status == "superseded"
    assert (await memory.show(exchange.memory)).status == "live"


async def test_what_is_locked_keeps_its_place_and_both_lines_say_so(memory):
    old = await memory.remember(OLD, kind="configuration")
    await memory.lock(old)
    new = await memory.remember(NEW, kind="configuration")
    hits = {hit.id: hit.reasons for hit in await memory.recall(ASKED)}
    assert f"contradicts {new}" in hits[old]
    assert f"contradicts {old}" in hits[new]
    block = (await memory.context(ASKED, session="s")).text
    assert block.count("contradicts m") == 2
    assert [one.relation for one in (await memory.why(old)).related] == ["contradicts"]


async def test_one_persons_word_does_not_take_back_anothers(memory):
    mine = await memory.remember(OLD, speaker="Ana")
    await memory.remember(NEW, speaker="Ben")
    assert (await memory.show(mine)).status == "live"
    assert [one.relation for one in (await memory.why(mine)).related] == ["contradicts"]
    likes = await memory.remember("I prefer tabs for indentation", kind="preference", speaker="Ana")
    await memory.remember("I prefer spaces for indentation", kind="preference", speaker="Ben")
    assert (await memory.why(likes)).related == (), "each of himself"


async def test_a_memory_that_says_more_than_what_is_outdated_stays_and_is_disputed(memory):
    old = await memory.remember(f"{OLD}. Ask Ana for the certificate.")
    await memory.remember(NEW)
    assert (await memory.show(old)).status == "live"
    assert [one.relation for one in (await memory.why(old)).related] == ["contradicts"]


async def test_undoing_the_statement_or_the_supersession_restores_what_was(memory):
    old = await memory.remember(OLD)
    new = await memory.remember(NEW)
    await memory.ask(Undo())
    assert ((await memory.show(old)).status, (await memory.show(new)).status) == ("live", "archived")
    newest = await memory.remember("Staging listens on port 8082")
    events = await memory.events(limit=1_000)
    (last,) = [one.draft.id for one in events if getattr(one.draft.event, "by", None) == newest]
    await memory.ask(Undo(what=(last,)))
    assert ((await memory.show(old)).status, (await memory.show(newest)).status) == ("live", "live")


async def test_forgetting_what_took_its_place_brings_the_older_one_back(memory):
    old = await memory.remember(OLD)
    new = await memory.remember(NEW)
    await memory.ask(ForgetAll(selection=Selection(ids=(new,))))
    assert await texts(memory) == [OLD]
    assert (await memory.show(old)).status == "live"


def told(name: str, text: str, hours: int | None, **more) -> Told:
    at = None if hours is None else NOON + timedelta(hours=hours)
    return Told(id=EventId(name), text=text, at=at, **more)


async def take(memory, *memories: Told) -> None:
    await memory.ask(TakeIn(program=Label("another"), memories=memories))


async def test_an_import_of_last_year_takes_no_place_and_one_batch_is_put_in_order(memory):
    today = await memory.remember("Staging listens on port 8083")
    batch = [told("a" * 32, NEW, -5), told("b" * 32, OLD, -9), told("c" * 32, OLD, -9, kind="decision")]
    await take(memory, *batch)
    assert await texts(memory, kinds=["fact"]) == ["Staging listens on port 8083"]
    assert (await memory.show(today)).status == "live"
    head = await memory.caught_up()
    await take(memory, *batch)
    assert await memory.caught_up() == head, "twice is once"


async def test_a_date_to_come_keeps_off_nothing_that_is_said_later(memory):
    wrong = await memory.remember(OLD, at=NOON + timedelta(days=3_650))
    right = await memory.remember(NEW)
    assert ((await memory.show(wrong)).status, (await memory.show(right)).status) == ("superseded", "live")


async def test_two_values_of_one_moment_are_a_contradiction(memory):
    await take(memory, told("a" * 32, OLD, None), told("b" * 32, "Staging listens on port 8081", None))
    assert len(await texts(memory)) == 2
    assert (await memory.context(ASKED, session="s")).text.count("contradicts m") == 2


said = st.lists(
    st.tuples(
        st.sampled_from(["staging", "production"]),
        st.integers(1, 4),
        st.integers(1, 500),
        st.sampled_from(["remember", "import", "lock"]),
        st.sampled_from(["a", "b", None]),
    ),
    min_size=1,
    max_size=8,
    unique_by=(lambda one: one[2], lambda one: (one[0], one[1], one[4])),
)


@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(said)
async def test_however_it_is_stated_the_newest_value_of_each_thing_stands(said) -> None:
    """In whichever order, by whom and where: locks hold, no scope touches another, and the views are the log's."""
    with TemporaryDirectory() as name:
        stamp = Stamp(now=Clock(), random=Random(0).randbytes)
        async with aftermind.open_memory(Path(name) / "store", stamp=stamp) as memory:
            ids, locked = {}, set()
            for n, (thing, port, hours, way, project) in enumerate(said):
                text, at = f"The {thing} port is {8000 + port}", NOON - timedelta(hours=hours)
                if way == "import":
                    await take(memory, told(f"{n:032x}", text, -hours, project=project))
                    born = [one for one in await memory.events(limit=10_000) if one.draft.id == f"{n:032x}"]
                    ids[n] = born[0].stream.removeprefix("memory-")
                else:
                    ids[n] = await memory.remember(text, project=project, at=at)
                if way == "lock" and (await memory.show(ids[n])).status == "live":
                    await memory.lock(ids[n])
                    locked.add(ids[n])
            shown = {id: await memory.show(id) for id in dict.fromkeys(ids.values())}
            for thing in ("staging", "production"):
                for project in ("a", "b", None):
                    mine = [(hours, ids[n]) for n, (t, _, hours, _, p) in enumerate(said) if (t, p) == (thing, project)]
                    if mine and not any(id in locked for _, id in mine):
                        newest = min(mine)[1]
                        assert shown[newest].status == "live"
            assert all(shown[id].status == "live" for id in locked)
            scopes = {id: one.scope for id, one in shown.items()}
            for one in await memory.events(limit=10_000):
                event = one.draft.event
                if isinstance(event, MemorySuperseded):
                    assert scopes[event.memory] == scopes[event.by]
                    assert event.evidence
                    assert one.draft.because is not None
            for project in ("a", "b", None):
                live = {hit.id for hit in await memory.recall("staging production port", project=project, floor=False)}
                assert all(shown[id].status == "live" for id in live)
            await memory.verify()


async def test_what_was_so_at_a_time_is_found_by_that_time(memory, clock):
    moments = {8080: NOON - timedelta(days=30), 8081: NOON - timedelta(days=20), 8082: NOON - timedelta(days=10)}
    for port, at in moments.items():
        await memory.remember(f"Staging listens on port {port}", kind="configuration", at=at)
    reworded = await memory.remember("The owner of staging is Ana", at=NOON - timedelta(days=25))
    day = timedelta(days=1)
    for port, at in moments.items():
        assert await texts(memory, at=at + day, kinds=["configuration"]) == [f"Staging listens on port {port}"]
    assert await texts(memory, at=NOON - timedelta(days=40)) == []
    assert next(one.text for one in await memory.latest(at=moments[8081] + day)) == "Staging listens on port 8081"
    await memory.correct(reworded, "The owner of staging is Ben")
    assert await texts(memory, "staging owner", at=NOON - day, kinds=["fact"]) == ["The owner of staging is Ana"]
    assert await texts(memory, "staging owner", kinds=["fact"]) == ["The owner of staging is Ben"]
    between = clock.time + day
    clock.wait(days=2)
    await memory.correct(reworded, "The owner of staging is Cleo")
    assert await texts(memory, "staging owner", at=between, kinds=["fact"]) == ["The owner of staging is Ben"]


async def test_what_a_model_learned_from_an_exchange_takes_the_place_and_is_shown(memory):
    """Plain words as values, and a value that the assistant gave and the user set right."""
    owner = await memory.remember("The owner of the billing service is Priya Nair")
    thing = learned("The owner of the billing service is Tom Becker", evidence="which port?")
    await judged(memory, thing)
    assert (await memory.show(owner)).status == "superseded"
    await judged(
        memory,
        learned("Staging listens on port 8085", "configuration", evidence="no, staging is on 8085", replaces=None),
        prompt="which port has staging?",
        answer="Staging listens on port 8080",
        after="no, staging is on 8085",
        session="t",
    )
    context = await memory.context("who is the owner of the billing service?", session="u")
    assert "Tom Becker" in context.text
    assert "Priya" not in context.text
    assert await texts(memory, kinds=["configuration"]) == ["Staging listens on port 8085"]
    old = await memory.remember("Staging listens on port 8079", kind="configuration", at=NOON - timedelta(days=9))
    assert (await memory.show(old)).status == "superseded", "it was said before that"
