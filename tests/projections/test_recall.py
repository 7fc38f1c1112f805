"""Recall: which memories a query may see, and that nothing it may see is pushed out by what it may not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import aftermind
from aftermind.engine.policy import Policy, Ranking
from aftermind.engine.stamp import Stamp
from tests.given import NOON

pytestmark = pytest.mark.anyio


async def found(memory, query: str, **options) -> list[str]:
    return [hit.text for hit in await memory.recall(query, **options)]


# --- the newest -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["none", "static"])
async def test_of_any_number_of_facts_that_say_the_same_of_a_question_the_newest_come_first(folder, model):
    async with aftermind.open_memory(folder, model=model) as memory:
        for number in range(650):
            text, at = f"billing deploy value {number:03d}", NOON + timedelta(minutes=number)
            await memory.remember(text, kind="decision", at=at)
        await memory.embedded()
        assert await found(memory, "billing deploy value") == [f"billing deploy value {n}" for n in range(649, 644, -1)]


async def test_a_word_that_nearly_all_say_is_counted_well_enough_wherever_in_the_log_they_say_it(memory):
    """The older part of the log is denser: an estimate by position says more than there are."""
    for number in range(600):
        await memory.remember(f"note {number} about the parser")
    for number in range(20):
        await memory.record(f"question {number}", f"answer {number} parser", session="s")
    assert len(await memory.recall("where is the parser?", floor=False)) == 5
    first, *_ = await memory.recall("parser note 123")
    assert first.text == "note 123 about the parser"


async def test_a_short_answer_is_found_under_any_number_of_newer_and_longer_ones(memory):
    """They look as good as it does until they are measured."""
    await memory.remember("Deploy billing with make deploy-billing")
    for number in range(200):
        await memory.remember(f"note {number}: deploy billing {'and so on ' * 300}")
    first, *_ = await memory.recall("deploy billing")
    assert first.text == "Deploy billing with make deploy-billing"


# --- dates and names ------------------------------------------------------------------------------------------


async def test_when_it_was_said_can_be_asked_for(memory):
    await memory.remember("we moved to the new office", at=datetime(2023, 5, 8, tzinfo=UTC))
    await memory.remember("we moved to the old office", at=datetime(2021, 11, 2, tzinfo=UTC))
    assert (await found(memory, "where did we move in May 2023?"))[0] == "we moved to the new office"
    assert (await found(memory, "office move of November 2021"))[0] == "we moved to the old office"
    assert await found(memory, "2023-05-08 office") != []


async def test_who_said_it_can_be_asked_for(memory):
    await memory.remember("I like the blue logo", speaker="Caroline")
    await memory.remember("I like the red logo", speaker="Melanie")
    assert (await found(memory, "which logo does Caroline like?"))[0] == "I like the blue logo"


# --- current truth --------------------------------------------------------------------------------------------


async def test_what_was_superseded_is_found_in_history_only(memory):
    old = await memory.remember("The database port is 5432")
    await memory.remember("The database port is 6432", supersedes=old)
    assert await found(memory, "database port") == ["The database port is 6432"]
    hits = await memory.recall("database port", history=True, floor=False)
    assert {(hit.text, hit.memory.status) for hit in hits} == {
        ("The database port is 6432", "live"),
        ("The database port is 5432", "superseded"),
    }


async def test_a_past_wording_is_found_in_history_only(memory):
    id = await memory.remember("The zebra port is 5432")
    await memory.correct(id, "The giraffe port is 6432")
    assert await found(memory, "zebra port", floor=False) == ["The giraffe port is 6432"]
    assert await found(memory, "zebra", floor=False) == []
    (past,) = await memory.recall("zebra", history=True)
    assert (past.text, past.memory.status, past.memory.successor) == ("The zebra port is 5432", "corrected", id)
    assert (await memory.show(past.id)).text == "The zebra port is 5432"


async def test_what_expired_is_found_in_history_only_even_before_the_sweep(memory, clock):
    await memory.record("the zebra crossing", "is closed", session="s")
    clock.wait(hours=23, minutes=59)
    assert len(await memory.recall("zebra crossing")) == 1
    clock.wait(minutes=2)
    assert await memory.recall("zebra crossing", floor=False) == ()
    assert len(await memory.recall("zebra crossing", history=True)) == 1
    assert (await memory.context("zebra crossing", session="t")).text == ""
    assert await memory.sweep() == 1
    assert await memory.recall("zebra crossing", floor=False) == ()
    (hit,) = await memory.recall("zebra crossing", history=True)
    assert hit.memory.status == "expired"


async def test_what_is_archived_is_found_nowhere(memory):
    id = await memory.remember("The zebra port is 5432")
    await memory.correct(id, "The zebra port is 6432")
    await memory.archive(id)
    assert await memory.recall("zebra port", floor=False) == ()
    assert await memory.recall("zebra port", history=True, floor=False) == ()


async def test_a_locked_memory_is_recalled_beyond_its_time(memory, clock):
    recorded = await memory.record("the zebra crossing", "is closed", session="s")
    await memory.lock(recorded.memory)
    clock.wait(days=400)
    assert await found(memory, "zebra crossing") == ["the zebra crossing"]
    assert await memory.sweep() == 0


async def test_a_revised_answer_is_found_by_its_new_words(memory):
    await memory.record("what is it?", "A zebra", session="s", id="1")
    await memory.record("what is it?", "A zebra or a giraffe", session="s", id="1")
    assert await found(memory, "giraffe") == ["what is it?"]


# --- filters come before the cut ------------------------------------------------------------------------------


async def test_a_thousand_matches_of_another_kind_push_nothing_out(memory):
    for number in range(1000):
        text = f"zebra crossing zebra crossing {number}"
        await memory.remember(text, kind="fact", session="s", collection="working")
    wanted = await memory.remember("some zebra at a crossing far away", kind="decision", collection="books")
    for filters in ({"kinds": ["decision"]}, {"collections": ["books"]}):
        assert [hit.id for hit in await memory.recall("zebra crossing", **filters)] == [wanted]
    for hit in await memory.recall("zebra crossing", limit=1000, collections=["working"], floor=False):
        await memory.archive(hit.id)
    assert [hit.id for hit in await memory.recall("zebra crossing", history=False)] == [wanted]


async def test_filters_are_closed_lists_and_apply_together(memory):
    await memory.remember("zebra one", kind="decision", collection="books")
    await memory.remember("zebra two", kind="fact", collection="books")
    await memory.remember("zebra three", kind="decision")
    assert await found(memory, "zebra", kinds=["decision"], collections=["books"]) == ["zebra one"]
    assert len(await memory.recall("zebra", kinds=["decision", "fact"])) == 3
    for wrong in ({"kinds": ["rumour"]}, {"collections": ["attic"]}, {"limit": 0}):
        with pytest.raises(Exception, match=r"no such|limit") as error:
            await memory.recall("zebra", **wrong)
        assert type(error.value).__name__ == "Unusable"


async def test_a_limit_is_kept_and_may_exceed_the_usual(memory):
    for number in range(300):
        await memory.remember(f"zebra {number} {'abcdefghij'[number % 10] * 4}", session="s")
    assert len(await memory.recall("zebra")) == Ranking().limit
    assert len(await memory.recall("zebra", limit=1)) == 1
    assert len(await memory.recall("zebra", limit=250, floor=False)) == 250
    assert len(await memory.recall("zebra", limit=10_000, floor=False)) == 300


# --- a larger store -------------------------------------------------------------------------------------------


async def test_many_memories_are_searched_and_rows_read_are_bounded(tmp_path):
    readings = iter(NOON + timedelta(milliseconds=n) for n in range(1_000_000))
    policy = Policy(ranking=Ranking(matched_rows=100))
    async with aftermind.open_memory(tmp_path, stamp=Stamp(now=lambda: next(readings)), policy=policy) as memory:
        for number in range(900):
            rare = "zebra " if number % 300 == 7 else ""
            await memory.remember(f"{rare}server {number} runs the billing service", session="s")
        hits = await memory.recall("zebra server", limit=50, floor=False)
        assert {hit.text.split()[2] for hit in hits} == {"7", "307", "607"}
        assert all("server" in hit.reasons[0] for hit in hits), "of those found it is known that they say it"
        (best,) = await memory.recall("billing server runs 607", limit=1)
        assert best.text.split()[2] == "607", "common words together still find the one memory that says all"
        assert len(await memory.recall("server", limit=5, floor=False)) == 5, "the rarest word is always read"


async def test_a_neighbour_in_a_session_lends_its_relevance(memory):
    await memory.record("which zebra crossing is closed?", "let me look", session="s")
    after = await memory.record("the crossing at the zebra house", "yes", session="s")
    lonely = await memory.record("the crossing at the zebra stable", "yes", session="t")
    hits = await memory.recall("zebra crossing")
    places = {hit.id: hit for hit in hits}
    assert places[after.memory].score > places[lonely.memory].score
    assert any("said around it" in reason for reason in places[after.memory].reasons)


@pytest.mark.parametrize("gone", ["archive", "forget"])
async def test_a_neighbour_that_was_archived_or_forgotten_lends_nothing(memory, gone):
    asked = await memory.record("which zebra crossing is closed?", "let me look", session="s")
    after = await memory.record("the crossing at the zebra house", "yes", session="s")
    lonely = await memory.record("the crossing at the zebra stable", "yes", session="t")
    await getattr(memory, gone)(asked.memory)
    scores = {hit.id: hit.score for hit in await memory.recall("zebra crossing")}
    assert scores[after.memory] == pytest.approx(scores[lonely.memory])


async def test_nothing_was_said_around_a_memory_alone_in_its_session(memory):
    await memory.remember("the crossing at the zebra house", session="s")
    await memory.remember("the crossing at the zebra stable")
    inside, outside = sorted(await memory.recall("zebra crossing"), key=lambda hit: hit.text)
    assert inside.score == pytest.approx(outside.score)
    assert not any("said around it" in reason for reason in inside.reasons)


@pytest.mark.parametrize(("kind", "is_talk"), [("conversation", True), ("fact", False)])
async def test_the_last_place_of_four_is_another_sessions_where_it_is_talk(memory, kind, is_talk):
    """All say the same of it, and the other session's text is the oldest."""
    other = await memory.remember("the crossing at the depot of the bear", kind=kind, session="other")
    for animal in ("zebra", "llama", "otter", "heron"):
        await memory.remember(f"the crossing at the depot of the {animal}", kind=kind, session="long")
        await memory.remember(f"lunch with the {animal} is at noon", kind=kind, session="long")
    asked = "depot crossing"
    assert (other in [hit.id for hit in await memory.recall(asked, limit=4)]) is is_talk
    assert other not in [hit.id for hit in await memory.recall(asked, limit=3)]


async def test_an_answer_stands_above_the_same_words_after_no_question_of_another(memory):
    for session, asks, says in (("s", "ann", "bob"), ("t", "bob", "bob")):
        await memory.remember("is the zebra crossing closed?", kind="conversation", speaker=asks, session=session)
        await memory.remember(f"yes, for {session} weeks", kind="conversation", speaker=says, session=session)
    places = [hit.text for hit in await memory.recall("zebra crossing closed for weeks?", floor=False)]
    assert places.index("yes, for s weeks") < places.index("yes, for t weeks")


async def test_the_question_it_answers_lends_an_answer_its_meaning(folder):
    async with aftermind.open_memory(folder, model="static") as memory:
        for session, asked in (("s", "did the automobile get repaired?"), ("t", "is the choir singing tonight?")):
            await memory.remember(asked, kind="conversation", speaker="ann", session=session)
            await memory.remember(f"yes, garage {session}", kind="conversation", speaker="bob", session=session)
        await memory.embedded()
        hits = {hit.text: hit.score for hit in await memory.recall("garage car mended", floor=False)}
        assert hits["yes, garage s"] > hits["yes, garage t"]


async def test_a_rule_comes_first_where_something_is_to_be_done_and_a_time_where_it_is_asked(memory):
    rule = "Always parse the ledger with the strict parser"
    fact = "the ledger parser broke in June"
    await memory.remember(rule)
    await memory.remember(fact)
    assert (await found(memory, "write a ledger parser"))[0] == rule
    assert (await found(memory, "when was the ledger parser broken?"))[0] == fact


async def test_the_manner_of_a_corrected_text_is_that_of_its_new_words(memory):
    id = await memory.remember("is the ledger parser strict?")
    await memory.remember("the ledger parser is lenient")
    reasons = {hit.id: hit.reasons for hit in await memory.recall("ledger parser")}
    assert any("only asks" in reason for reason in reasons[id])
    await memory.correct(id, "the ledger parser is strict")
    reasons = {hit.id: hit.reasons for hit in await memory.recall("ledger parser")}
    assert not any("only asks" in reason for reason in reasons[id])


async def test_recall_records_nothing(memory):
    await memory.remember("the zebra crossing")
    before = (await memory.stats()).head
    await memory.recall("zebra crossing", project="never seen before")
    assert (await memory.stats()).head == before
