"""What signs capture beside what a person stated, and what comes back when it is forgotten."""

from __future__ import annotations

import pytest

from aftermind.sidecar.ports import Findings
from tests.api.test_learning import bank, judged, learned
from tests.desks import case, put

pytestmark = pytest.mark.anyio
OLD, NEW, NEWEST = (f"The api port is {port}" for port in (8080, 9999, 7777))


async def said(memory, text: str, session: str = "s", **where):
    await memory.context(text, session=session, **where)
    return await memory.record(text, "ok", session=session, **where)


async def test_what_a_person_stated_is_contradicted_by_what_signs_capture_and_both_are_told(memory):
    old = await memory.remember(OLD)
    await said(memory, NEW)
    await said(memory, NEWEST, "s2")
    found = await bank(memory, history=True)
    assert {text: one.status for text, one in found.items()} == {OLD: "live", NEW: "superseded", NEWEST: "live"}
    assert ("contradicts", found[NEWEST].id) in {(one.relation, one.id) for one in (await memory.why(old)).related}
    (hit,) = [hit for hit in await memory.recall("which api port?") if hit.id == old]
    assert f"contradicts {found[NEWEST].id}" in "; ".join(hit.reasons)


CHANGES = (
    ("the owner of billing is Priya", "hm. the owner of billing is Tom now. rename the file"),
    ("the deadline for beta is Monday", "the deadline for beta has been moved to Friday. update the docs"),
    ("the default branch is master", "the default branch is main. why do you push elsewhere?"),
    ("dark mode is off", "thanks! dark mode is on"),
)


@pytest.mark.parametrize(("older", "newer"), CHANGES)
async def test_what_is_told_takes_the_place_of_what_was_learned_of_the_same_thing(memory, older, newer):
    await said(memory, newer, "before")
    assert newer not in str(await bank(memory))  # by itself it is no more than talk
    await judged(memory, learned(older, kind="fact"), prompt="which one?")
    await said(memory, newer, "s2")
    found = await bank(memory, history=True)
    assert found[older].status == "superseded"
    (current,) = [one for one in found.values() if one.status == "live"]
    assert (current.kind, current.text in newer) == ("fact", True)


@pytest.mark.parametrize(
    "message",
    [
        "the owner of billing is Tom on staging",
        "is the owner of billing Tom now?",
        "I think the owner of billing is Tom",
        "if the owner of billing is Tom, send it to him",
        "the owner of checkout is Tom now",
        "the owner of billing was Tom before Priya",
        "the owner of billing is on holiday",
    ],
)
async def test_what_is_not_told_for_sure_or_of_another_thing_changes_nothing(memory, message):
    await judged(memory, learned("the owner of billing is Priya", kind="fact"), prompt="which one?")
    await said(memory, message, "s2")
    found = await bank(memory, history=True)
    assert {text: one.status for text, one in found.items()} == {"the owner of billing is Priya": "live"}


async def test_what_is_told_of_something_stated_by_hand_stands_beside_it(memory):
    old = await memory.remember("the owner of billing is Priya")
    await said(memory, "the owner of billing is Tom now", "s2")
    found = await bank(memory)
    assert len(found) == 2
    assert ("contradicts", old) in {
        (r.relation, r.id) for r in (await memory.why(found["the owner of billing is Tom now"].id)).related
    }


async def test_what_is_told_in_another_project_changes_nothing(memory):
    await judged(memory, learned("the owner of billing is Priya", kind="fact"), prompt="which one?")
    await said(memory, "the owner of billing is Tom now", "s2", project="/elsewhere")
    assert set(await bank(memory)) == {"the owner of billing is Priya"}


async def test_what_a_person_put_in_other_words_is_stated_by_hand(memory):
    await said(memory, OLD)
    (captured,) = (await bank(memory)).values()
    await memory.correct(captured.id, NEW)
    await said(memory, NEWEST, "s2")
    assert set(await bank(memory)) == {NEW, NEWEST}


async def test_what_a_judge_that_reads_meaning_learns_takes_its_place(memory):
    await memory.remember(OLD)
    await judged(memory, learned(NEW), prompt="which one?")
    assert set(await bank(memory)) == {NEW}


@pytest.mark.parametrize("newer_by_hand", [False, True])
async def test_what_signs_captured_takes_the_place_once_a_judge_that_reads_meaning_says_it(memory, newer_by_hand):
    old = await memory.remember(OLD)
    exchange = await said(memory, NEW)
    captured = (await bank(memory))[NEW]
    if newer_by_hand:
        await memory.archive(old)
        old = await memory.remember(OLD)
        assert set(await bank(memory)) == {OLD}
    await memory.end_session("s")
    seen = await case(memory)
    assert seen.exchange == exchange.id
    assert await put(memory, seen, Findings(outcome="worked", learned=(learned(NEW, evidence=NEW),)))
    if newer_by_hand:  # what was said before is not what holds now, whoever says so
        assert set(await bank(memory)) == {OLD}
        return
    assert ((await memory.show(old)).successor, set(await bank(memory))) == (captured.id, {NEW})
    await memory.forget(captured.id)
    assert set(await bank(memory)) == {OLD}


# --- and is forgotten -----------------------------------------------------------------------------------------


async def test_what_was_replaced_by_itself_comes_back_when_its_successor_is_forgotten(memory):
    old = await memory.remember(OLD)
    exchange, _ = await judged(memory, learned(NEW), prompt="which one?")
    assert (await memory.show(old)).status == "superseded"
    await memory.forget(exchange.memory)
    assert {text: one.status for text, one in (await bank(memory, history=True)).items()} == {OLD: "live"}
    assert ((await memory.show(old)).successor, [hit.id for hit in await memory.recall("which api port?")]) == (
        None,
        [old],
    )


async def test_of_three_values_the_newest_stays_alone_whichever_is_forgotten(memory):
    for number, text in enumerate((OLD, NEW, NEWEST)):
        await said(memory, text, f"s{number}")
    found = await bank(memory, history=True)
    await memory.forget(found[NEW].id)
    after = await bank(memory, history=True)
    assert {text: one.status for text, one in after.items()} == {OLD: "superseded", NEWEST: "live"}
    assert after[OLD].successor == after[NEWEST].id
    await memory.forget(after[NEWEST].id)
    assert {text: one.status for text, one in (await bank(memory, history=True)).items()} == {OLD: "live"}


async def test_what_somebody_replaced_by_hand_or_put_away_stays_away(memory):
    old = await memory.remember(OLD)
    by_hand = await memory.remember(NEW, supersedes=old)
    await memory.forget(by_hand)
    assert (await memory.show(old)).status == "superseded"
    other = await memory.remember("The web port is 8081")
    exchange, _ = await judged(memory, learned("The web port is 9998"), prompt="which one?")
    (newer,) = (await bank(memory)).values()
    await memory.archive(newer.id)
    await memory.forget(exchange.memory)
    assert (await memory.show(other)).status == "superseded"


@pytest.mark.parametrize(
    "answer", ["Understood.", "ok: pnpm it is", "The linter skips `dist/`, so I excluded that as well"]
)
async def test_what_was_captured_and_the_exchange_it_was_said_in_are_shown_once(memory, answer):
    """Unless the exchange says more."""
    await memory.context("Always run the linter before a release, please", session="s")
    exchange = await memory.record("Always run the linter before a release, please", answer, session="s")
    await memory.context("next", session="s")
    (rule,) = (await bank(memory)).values()
    context = await memory.context("run the linter for the release", session="later")
    shown = {one.id for one in context.memories}
    assert rule.id in shown
    assert (exchange.memory in shown) == answer.startswith("The linter")


REPLACED = (
    ("always answer in German", "always answer in English"),
    ("always answer in German", "from now on answer in English"),
    ("always write commit messages in German", "commit messages must be in English from now on"),
    ("always use npm", "from now on always use pnpm"),
    ("always use tabs", "from now on use spaces"),
    ("we decided to use RabbitMQ", "we decided not to use RabbitMQ after all"),
    ("we decided to deploy on Fridays instead", "we decided to deploy on Tuesdays instead"),
)
BESIDE = (
    ("always answer in German", "always write comments in English"),
    ("always use npm", "from now on use uv"),
    ("we decided to deploy on Fridays", "we decided to deploy on Tuesdays"),
)
CONTRADICTED = (
    ("never deploy on Fridays", "from now on deploying on Fridays is fine"),
    ("we decided to use RabbitMQ as the broker", "we switched from RabbitMQ to Redis"),
    ("we decided to use RabbitMQ as the broker", "we replaced RabbitMQ with Redis because ops already runs it"),
)


@pytest.mark.parametrize(("older", "newer"), REPLACED)
async def test_a_rule_or_decision_with_another_of_a_closed_set_of_values_takes_the_olders_place(memory, older, newer):
    await said(memory, older)
    await said(memory, newer, "s2")
    found = await bank(memory, history=True)
    assert {text: one.status for text, one in found.items()} == {older: "superseded", newer: "live"}
    await said(memory, older, "s3")
    found = await bank(memory)
    assert set(found) == {older}


@pytest.mark.parametrize(("older", "newer"), [*BESIDE, *CONTRADICTED])
async def test_a_rule_or_decision_that_may_stand_beside_another_does_and_is_linked_where_they_are_at_odds(
    memory, older, newer
):
    await said(memory, older)
    await said(memory, newer, "s2")
    found = await bank(memory)
    assert set(found) == {older, newer}
    linked = {(one.relation, one.id) for one in (await memory.why(found[older].id)).related}
    assert (("contradicts", found[newer].id) in linked) == ((older, newer) in CONTRADICTED)


async def test_a_rule_stated_by_hand_keeps_its_place(memory):
    old = await memory.remember("Always answer in German", kind="directive")
    await said(memory, "always answer in English", "s2")
    found = await bank(memory)
    assert len(found) == 2
    assert "contradicts" in {one.relation for one in (await memory.why(old)).related}


async def test_of_two_rules_stated_by_hand_that_order_another_value_the_newer_one_holds(memory):
    old = await memory.remember("Always answer in German", kind="directive")
    new = await memory.remember("Always answer in English", kind="directive")
    assert ("replaced by", new) in {(one.relation, one.id) for one in (await memory.why(old)).related}
