"""What a verdict taught becomes memories: beside what is known, once, and no longer than a verdict says so."""

from __future__ import annotations

import pytest

import aftermind
from aftermind.engine.errors import NotFound
from aftermind.engine.events import MemoriesLinked, MemoryRecorded
from aftermind.engine.names import Label
from aftermind.sidecar.ports import Case, Findings, Learned
from tests.desks import CUES, case, put

pytestmark = pytest.mark.anyio
STATED = ("fact", "preference", "configuration", "decision", "directive", "procedure")


def learned(text: str, kind: str = "fact", **told) -> Learned:
    return Learned(text=text, kind=kind, **told)  # type: ignore[arg-type]


def taught(*things: Learned, summary: str = "") -> Findings:
    return Findings(outcome="worked", evidence="thanks", learned=things, summary=summary)


async def judged(memory, *things: Learned, prompt="which port?", answer="5432", after="thanks", summary="", **where):
    """One exchange, its follow-up, and a verdict that teaches these things; the exchange and the case."""
    where = {"session": "s", **where}
    exchange = await memory.record(prompt, answer, **where)
    await memory.context(after, **where)
    seen = await case(memory)
    assert seen.exchange == exchange.id
    assert await put(memory, seen, taught(*things, summary=summary))
    return exchange, seen


async def judged_again(memory, exchange, *things: Learned, after="and again", session="s", judge=None) -> Case:
    """A verdict in the place of the one before, because of what was asked for."""
    from aftermind.cli.language.judging import RequestJudgement

    await memory.ask(RequestJudgement(why="rescore", exchanges=(exchange.id,)))
    seen = await case(memory, *([judge] if judge else []))
    assert seen.exchange == exchange.id
    assert await put(memory, seen, taught(*things), *([judge] if judge else []))
    return seen


async def bank(memory, project=None, *, history=False):
    found = await memory.latest(project=project, collections=["memory_bank"], history=history, limit=50)
    return {one.text: one for one in found}


async def head(memory) -> int:
    return (await memory.stats()).head


# --- what becomes a memory ------------------------------------------------------------------------------------


async def test_what_was_learned_is_a_memory_that_says_where_it_comes_from(memory):
    thing = learned("The port is 5432", "configuration", tags=("db", "db", "a  b"), evidence="it is 5432")
    exchange, _ = await judged(memory, thing, project="p")
    found = (await bank(memory, "p"))["The port is 5432"]
    assert (found.kind, found.collection, found.tags) == ("configuration", "memory_bank", ("db", "a b"))
    assert (found.exchange, found.session) == (exchange.id, "s")
    assert found.expires is None
    steps = (await memory.why(found.id)).steps
    story = " ".join(step.what for step in steps)
    assert "recorded as configuration in memory_bank by model: The port is 5432 (on the words “it is 5432”)" in story
    assert [step.type for step in steps][-2:] == ["exchange-judged", "memory-recorded"]
    assert [(one.relation, one.id) for one in (await memory.why(exchange.memory)).related] == [
        ("learned there", found.id)
    ]


async def test_only_what_a_person_wants_everywhere_is_seen_everywhere(memory):
    await judged(
        memory,
        learned("I prefer terse commits", "preference", everywhere=True),
        learned("The port is 5432", "fact", everywhere=True),
        project="p",
    )
    assert set(await bank(memory)) == {"I prefer terse commits"}
    assert set(await bank(memory, "p")) == {"I prefer terse commits", "The port is 5432"}
    assert set(await bank(memory, "q")) == {"I prefer terse commits"}


async def test_what_is_learned_is_bounded_and_without_what_must_not_be_kept(memory):
    fence = (await memory.context("nothing", session="other")).text
    assert fence == ""
    things = [learned(f"Host number{n} is db{n}") for n in range(12)]
    await judged(memory, *things)
    assert len(await bank(memory)) == 8
    await judged(
        memory,
        learned("w" * 500),
        learned("<private>all of it</private>"),
        learned("The key is <private>k1</private> and password=hunter2x9Yq"),
        learned("   "),
        session="s2",
    )
    texts = set(await bank(memory))
    assert max(map(len, texts)) == 400
    assert not any("hunter2" in text or "k1" in text or not text.strip("[]private ") for text in texts)
    assert len(texts) == 10


async def test_a_briefing_of_ours_is_not_learned(memory):
    await memory.remember("The quokka crossing opens at dawn")
    block = (await memory.context("when does the quokka crossing open?", session="s")).text
    assert "quokka" in block
    await judged(memory, learned(f"{block}Zebras cross at noon", evidence=block), session="s2")
    assert set(await bank(memory)) == {"The quokka crossing opens at dawn", "Zebras cross at noon"}
    assert (await bank(memory))["Zebras cross at noon"].sightings == 0


# --- beside what is known -------------------------------------------------------------------------------------


async def test_the_same_is_seen_again_and_not_learned_again(memory):
    id = await memory.remember("Never commit .env", kind="directive")
    for session in ("s1", "s2"):
        thing = learned("never commit `.env`", "directive", evidence="never commit .env")
        exchange, _ = await judged(memory, thing, prompt="never commit .env", session=session)
    assert [one.id for one in (await bank(memory)).values()] == [id]
    assert (await memory.show(id)).sightings == 2
    story = [step.what for step in (await memory.why(id)).steps]
    assert f"seen again in {exchange.memory} (on the words “never commit .env”)" in story
    assert f"said again what is known as {id}" in " ".join(s.what for s in (await memory.why(exchange.memory)).steps)


async def test_what_an_assistant_was_shown_and_says_again_was_not_seen_again(memory):
    id = await memory.remember("The zebra port is 5432")
    await memory.context("which zebra port?", session="s")
    await judged(memory, learned("The zebra port is 5432", evidence="it is 5432"), prompt="which zebra port?")
    assert (await memory.show(id)).sightings == 0
    await memory.context("the zebra port is 5432, right?", session="s2")
    thing = learned("The zebra port is 5432", evidence="the zebra port is 5432")
    await judged(memory, thing, prompt="the zebra port is 5432, right?", session="s2")
    assert (await memory.show(id)).sightings == 1


async def test_a_newer_value_takes_the_place_of_the_older_and_both_are_kept(memory):
    old = await memory.remember("The API port is 5432", kind="configuration")
    await judged(memory, learned("The API port is now 6432", "configuration"))
    (new,) = (await bank(memory)).values()
    assert new.text == "The API port is now 6432"
    assert [hit.id for hit in await memory.recall("which port has the API?", collections=["memory_bank"])] == [new.id]
    was = await memory.show(old)
    assert (was.status, was.successor) == ("superseded", new.id)
    assert [(one.relation, one.id) for one in (await memory.why(new.id)).related] == [("replaced", old)]
    assert [(one.relation, one.id) for one in (await memory.why(old)).related] == [("replaced by", new.id)]
    assert any("a newer value" in step.what for step in (await memory.why(old)).steps)
    assert set(await bank(memory, history=True)) == {"The API port is 5432", "The API port is now 6432"}


async def test_two_things_stay_two(memory):
    await memory.remember("The production port is 5432")
    await judged(memory, learned("The staging port is 6432"))
    assert set(await bank(memory)) == {"The production port is 5432", "The staging port is 6432"}


async def test_an_import_of_last_year_is_history(memory, clock):
    from datetime import timedelta

    now = await memory.remember("The API port is 6432")
    past = clock.time - timedelta(days=365)
    exchange = await memory.record("port?", "5432", session="old", id="1", at=past, collection="history")
    from aftermind.cli.language.judging import RequestJudgement

    await memory.ask(RequestJudgement(why="extract"))
    seen = await case(memory)
    assert seen.exchange == exchange.id
    assert await put(memory, seen, taught(learned("The API port is 5432")))
    assert set(await bank(memory)) == {"The API port is 6432"}
    old = (await bank(memory, history=True))["The API port is 5432"]
    assert (old.status, old.successor, old.at) == ("superseded", now, past)


async def test_a_locked_memory_stays_and_what_speaks_against_it_is_told(memory):
    id = await memory.remember("The zebra port is 5432")
    await memory.lock(id)
    await judged(memory, learned("The zebra port is 6432"))
    found = await bank(memory)
    new = found["The zebra port is 6432"]
    assert {one.status for one in found.values()} == {"live"}
    for one, other in ((id, new.id), (new.id, id)):
        assert [(r.relation, r.id) for r in (await memory.why(one)).related] == [("contradicts", other)]
        assert any(step.what == f"contradicts {other}" for step in (await memory.why(one)).steps)
    hits = await memory.recall("which zebra port?", collections=["memory_bank"])
    assert {f"contradicts {other}" for other in (id, new.id)} == {
        reason for hit in hits for reason in hit.reasons if reason.startswith("contradicts")
    }
    assert f"contradicts {id}" in (await memory.context("which zebra port is it?", session="s9")).text
    await memory.archive(new.id)
    hits = await memory.recall("which zebra port?", collections=["memory_bank"])
    assert not any("contradicts" in reason for hit in hits for reason in hit.reasons)


async def test_what_was_wrong_of_an_exchange_is_linked_and_stays(memory):
    await memory.context("which zebra port is it?", session="s")
    wrong = (await memory.record("which zebra port is it?", "5432", session="s")).memory
    await memory.context("and the zebra port?", session="s2")
    exchange = await memory.record("and the zebra port?", "5432", session="s2")
    for session in ("s", "s2"):
        await memory.end_session(session)
    while (seen := await case(memory)).exchange != exchange.id:
        assert await put(memory, seen, taught())
    assert wrong in {one.id for one in seen.shown}
    assert await put(memory, seen, taught(learned("The zebra port is 6432", replaces=wrong, evidence="no, 6432")))
    right = (await bank(memory))["The zebra port is 6432"].id
    assert (await memory.show(wrong)).status == "live"
    assert ("corrected by", right) in [(one.relation, one.id) for one in (await memory.why(wrong)).related]
    assert ("corrects", wrong) in [(one.relation, one.id) for one in (await memory.why(right)).related]
    assert f"corrected by {right}" in (await memory.context("which zebra port is it?", session="s9")).text


# --- the verdict is replaced ----------------------------------------------------------------------------------


async def test_what_the_next_verdict_says_too_stays_as_it_is(memory):
    exchange, _ = await judged(memory, learned("Zebras cross at noon"), learned("Quokkas sleep at noon"))
    before = await bank(memory)
    await judged_again(memory, exchange, learned("zebras cross at noon."), learned("Quokkas sleep at noon"))
    assert await bank(memory) == before


async def test_what_only_the_replaced_verdict_said_is_archived_and_comes_back_when_it_is_said_again(memory):
    old = await memory.remember("The API port is 5432")
    exchange, _ = await judged(memory, learned("The API port is 6432"), learned("Zebras cross at noon"))
    new = (await bank(memory))["The API port is 6432"].id
    await judged_again(memory, exchange, learned("Zebras cross at noon"))
    assert set(await bank(memory)) == {"The API port is 5432", "Zebras cross at noon"}
    assert "its verdict" in str(await memory.why(new)) or "was replaced" in str(await memory.why(new))
    await judged_again(memory, exchange, learned("The API port is 6432"))
    assert set(await bank(memory)) == {"The API port is 6432"}
    assert (await memory.show(old)).successor == new
    await judged_again(memory, exchange)
    assert set(await bank(memory)) == {"The API port is 5432"}


async def test_what_was_replaced_twice_does_not_come_back_beside_the_newest(memory):
    await memory.remember("The API port is 5432")
    exchange, _ = await judged(memory, learned("The API port is 6432"))
    await judged(memory, learned("The API port is 7432"), session="s2")
    await judged_again(memory, exchange)
    assert set(await bank(memory)) == {"The API port is 7432"}


async def test_what_somebody_touched_or_said_elsewhere_stays(memory):
    things = [learned(f"{animal} cross at noon") for animal in ("Zebras", "Quokkas", "Wombats", "Camels", "Llamas")]
    exchange, _ = await judged(memory, *things)
    ids = {text.split()[0]: one.id for text, one in (await bank(memory)).items()}
    await memory.lock(ids["Zebras"])
    await memory.archive(ids["Quokkas"])
    await memory.restore(ids["Quokkas"])
    await judged(memory, learned("Wombats cross at noon"), prompt="wombats cross at noon", session="s2")
    await memory.context("when do camels cross?", session="s3")
    await memory.score(memories={ids["Camels"]: "worked"})
    await judged_again(memory, exchange)
    assert {text.split()[0] for text in await bank(memory)} == {"Zebras", "Quokkas", "Wombats", "Camels"}


async def test_who_learns_nothing_takes_nothing_back(memory):
    exchange, _ = await judged(memory, learned("Zebras cross at noon"))
    await judged_again(memory, exchange, judge=CUES)
    assert set(await bank(memory)) == {"Zebras cross at noon"}


async def test_the_same_verdict_twice_teaches_once(memory):
    _, seen = await judged(memory, learned("Zebras cross at noon"), learned("ZEBRAS cross at noon!"))
    before = await head(memory)
    assert await put(memory, seen, taught(learned("Zebras cross at noon")))
    assert await head(memory) == before
    assert len(await bank(memory)) == 1


async def test_what_was_forgotten_is_not_learned_of_the_same_exchange_again(memory):
    exchange, _ = await judged(memory, learned("Zebras cross at noon"))
    (id,) = [one.id for one in (await bank(memory)).values()]
    await memory.forget(id)
    await judged_again(memory, exchange, learned("Zebras cross at noon"))
    assert await bank(memory, history=True) == {}
    with pytest.raises(NotFound):
        await memory.show(id)


# --- what a user says, when it is said ------------------------------------------------------------------------


async def test_a_rule_is_captured_with_its_exchange(memory):
    exchange = await memory.record("Deploy it. Never commit .env to the repository!", "done", session="s", project="p")
    (found,) = (await bank(memory, "p")).values()
    assert (found.kind, found.exchange) == ("directive", exchange.id)
    assert "Never commit .env" in found.text
    events = [r.draft for r in await memory.events() if isinstance(r.draft.event, MemoryRecorded)]
    (draft,) = [one for one in events if one.event.kind != "exchange"]
    assert (draft.because, draft.event.judge, draft.event.evidence != "") == (exchange.id, Label("cues"), True)
    assert draft.event.revision >= 1
    before = await head(memory)
    await memory.record("Never commit .env to the repository!", "ok", session="s2", project="p")
    assert (await memory.show(found.id)).sightings == 1
    links = [r for r in await memory.events(before) if isinstance(r.draft.event, MemoriesLinked)]
    assert len(links) == 1


async def test_a_rule_is_captured_once_however_often_it_is_delivered(memory):
    for _ in range(2):
        await memory.record("Never commit .env to the repository", "done", session="s", id="1")
    await memory.record("Never commit .env to the repository", "done, and more", session="s", id="1")
    (found,) = (await bank(memory)).values()
    assert found.sightings == 0


async def test_where_the_assistant_judges_it_says_what_to_keep_itself(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp, scoring="assistant") as memory:
        await memory.record("Never commit .env to the repository", "done", session="s")
        assert await bank(memory) == {}


async def test_an_imported_rule_is_not_captured(memory, clock):
    at, rule = clock.time, "Never commit .env to the repository"
    await memory.record(rule, "ok", session="s", id="1", at=at, collection="history")
    assert await bank(memory) == {}


async def test_a_newer_rule_is_recalled_alone_right_after_it_was_said(memory):
    await memory.record("Always indent Makefiles with 4 spaces", "ok", session="s")
    await memory.record("Always indent Makefiles with 8 spaces", "ok", session="s2")
    await memory.record("Never indent Makefiles with 8 spaces", "ok", session="s3")
    found = await bank(memory)
    assert set(found) >= {"Never indent Makefiles with 8 spaces"}
    assert "Always indent Makefiles with 8 spaces" not in found


async def test_a_verdict_on_the_exchange_of_a_rule_does_not_see_it_again_or_take_it_back(memory):
    rule = "Never commit .env to the repository"
    exchange, _ = await judged(memory, learned(rule, "directive"), prompt=rule)
    (found,) = (await bank(memory)).values()
    assert found.sightings == 0
    await judged_again(memory, exchange)
    assert set(await bank(memory)) == {found.text}


@pytest.mark.parametrize("verdict_first", [True, False])
async def test_one_word_that_is_read_as_a_prompt_and_as_a_follow_up_is_said_once(memory, verdict_first):
    rule = "Never commit .env to the repository"
    exchange = await memory.record("commit it", "done", session="s")
    await memory.context(rule, session="s")
    if not verdict_first:
        await memory.record(rule, "understood", session="s")
    seen = await case(memory)
    assert (seen.exchange, seen.follow_up) == (exchange.id, rule)
    assert await put(memory, seen, taught(learned(rule, "directive", evidence=rule)))
    if verdict_first:
        await memory.record(rule, "understood", session="s")
    (found,) = (await bank(memory)).values()
    assert found.sightings == 0
    await memory.record(rule, "understood", session="s2")
    assert (await memory.show(found.id)).sightings == 1


async def test_what_was_learned_lends_its_exchange_nothing(memory):
    """A captured rule stands beside its exchange in the log, and is no neighbour of it in its session."""
    await memory.record(
        "Never commit zebra secrets to the repository", "The hook refuses keys and tokens.", session="s"
    )
    hits = await memory.recall("zebra secrets")
    assert len(hits) == 2
    assert not any("said around it" in reason for hit in hits for reason in hit.reasons)


# --- a summary ------------------------------------------------------------------------------------------------


async def test_a_summary_is_shown_in_place_of_a_long_exchange_and_its_words_are_still_found(memory):
    long = "first the zebra gate is opened, then " + "and then something else happens " * 30 + "xylophone"
    exchange, _ = await judged(memory, prompt="how do we deploy?", answer=long, summary="Deploy: open the zebra gate.")
    found = await memory.show(exchange.memory)
    assert (found.answer, found.summary) == (long, "Deploy: open the zebra gate.")
    (hit,) = await memory.recall("xylophone")
    assert hit.memory.summary == "Deploy: open the zebra gate."
    block = (await memory.context("where is the xylophone?", session="s2")).text
    assert "in short) Deploy: open the zebra gate." in block
    assert "something else" not in block
    await memory.correct(exchange.memory, "close the zebra gate " * 40)
    assert (await memory.show(exchange.memory)).summary == ""


async def test_a_short_exchange_is_shown_as_it_was(memory):
    exchange, _ = await judged(memory, prompt="the zebra port?", answer="5432", summary="They asked for a port.")
    assert (await memory.show(exchange.memory)).summary == "They asked for a port."
    block = (await memory.context("the zebra port?", session="s2")).text
    assert "→ 5432" in block
    assert "They asked" not in block
