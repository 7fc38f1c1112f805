"""Standing rules: shown when a session begins and where their condition holds, the locked ones first."""

from __future__ import annotations

import pytest

from aftermind.cli.language.projects import Directives, DropDirective
from aftermind.cli.language.requests import Remember
from aftermind.cli.language.undoing import Undo
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.policy import Boot
from aftermind.projections.recalling.shown.briefing import CLOSE
from aftermind.projections.recalling.shown.fences import without_ours
from aftermind.projections.recalling.shown.wording import tokens

pytestmark = pytest.mark.anyio


async def rule(memory, text, project="shop", *tags):
    return await memory.remember(text, kind="directive", project=project, tags=tags)


def order(text: str, *ids: str) -> list[str]:
    return sorted((id for id in ids if id in text), key=text.index)


async def test_a_session_begins_with_locked_rules_then_those_that_always_apply_then_the_narrower(memory):
    path = await rule(memory, "In tests/: no mocks of our own code")
    push = await rule(memory, "On push: run make check")
    always = await rule(memory, "Answer in English")
    locked = await rule(memory, "Never commit .env", None)
    await rule(memory, "Zebras are drawn by hand", "zoo")
    await memory.lock(locked)
    shown = await memory.context(session="s", project="shop")
    assert order(shown.text, path, push, always, locked) == [locked, always, path, push]
    assert f"[{locked}] (just now, everywhere, locked)" in shown.text
    assert f"[{path}] (just now, this project, in tests/)" in shown.text
    assert "Zebras" not in shown.text
    assert without_ours(shown.text) == ""
    assert {one.id for one in shown.memories} == {path, push, always, locked}


async def test_a_rule_is_shown_again_where_its_condition_holds_and_nowhere_else(memory):
    push = await rule(memory, "On push: run make check")
    path = await rule(memory, "No mocks of our own code", "shop", "in:tests/")
    thing = await rule(memory, "Prices are integers", "shop", "about:billing")
    for prompt, wanted in (
        ("push it", [push]),
        ("mend tests/test_api.py", [path]),
        ("how does billing work?", [thing]),
        ("mend tests/test_api.py and push", [path, push]),
        ("thanks", []),
    ):
        shown = await memory.context(prompt, session="s", project="shop")
        assert {one.id for one in shown.memories} == set(wanted), prompt
        assert (await memory.context(prompt, session="s", project="zoo")).text == ""
    assert (await memory.context("push it", session="s", project="shop")).memories[0].reasons == ("applies on push",)


async def test_rules_that_contradict_are_both_shown_with_their_scopes_and_the_narrower_goes_before(memory):
    everywhere = await rule(memory, "Never push to main", None)
    own = await rule(memory, "Always push to main")
    begun = (await memory.context(session="s", project="shop")).text
    assert f"[{own}] (just now, this project, goes before {everywhere}, being narrower)" in begun
    assert f"[{everywhere}] (just now, everywhere, gives way to {own} here, which is narrower)" in begun
    assert f"[{everywhere}] (just now, everywhere) " in (await memory.context(session="s", project="zoo")).text


async def test_which_of_two_as_wide_holds_nobody_can_tell_so_they_are_linked_until_that_is_undone(memory):
    one = await rule(memory, "Never push to main")
    other = await rule(memory, "Always push to main")
    shown = (await memory.context(session="s", project="shop")).text
    assert f"contradicts {other}" in shown
    assert f"contradicts {one}" in shown
    assert any("contradict" in step.what for step in (await memory.why(other)).steps)
    assert [found.id for found in await memory.ask(Directives(project="shop"))] == [other, one]


async def test_of_two_rules_that_order_one_thing_the_newer_holds_until_it_is_undone(memory):
    one = await rule(memory, "Always reply to me in German")
    other = await rule(memory, "Always reply to me in English")
    assert [found.id for found in await memory.ask(Directives(project="shop"))] == [other]
    assert (await memory.show(one)).status == "superseded"
    assert "contradicts" not in (await memory.context(session="s", project="shop")).text
    await memory.ask(Undo(what=(other,)))
    assert [found.id for found in await memory.ask(Directives(project="shop"))] == [one]


async def test_a_rule_of_another_place_or_case_or_that_is_locked_stays_whatever_is_ordered(memory):
    everywhere = await rule(memory, "Always use npm", None)
    docs = await rule(memory, "Always use npm", "shop", "in:docs/")
    locked = await rule(memory, "Always reply in German")
    await memory.lock(locked)
    tests = await rule(memory, "Run the tests with pytest")
    customers, cache = await rule(memory, "Answer customers in German"), await rule(memory, "Use caching with npm")
    newer = ("Answer customers in English", "Use caching with yarn")
    for text in ("Always use pnpm", "Always reply in English", "Run the benchmarks with unittest", *newer):
        await rule(memory, text)
    said = Remember(text="Run the tests with unittest", kind="directive", project="shop", asked_by="assistant")
    await memory.ask(said)
    for id in (everywhere, docs, locked, tests, customers, cache):
        assert (await memory.show(id)).status == "live"


async def test_a_rule_that_meets_the_prompt_brings_the_one_that_says_the_opposite(memory):
    always = await rule(memory, "Never push to main", None)
    push = await rule(memory, "Push to main", "shop", "on:push")
    shown = await memory.context("push it", session="s", project="shop")
    assert {one.id for one in shown.memories} == {always, push}
    assert f"goes before {always}" in shown.text


async def test_a_rule_lives_as_a_memory_does(memory):
    id = await rule(memory, "On push: run make check")
    await memory.correct(id, "On commit: run make check")
    assert (await memory.context("push it", session="s", project="shop")).text == ""
    assert id in (await memory.context("commit it", session="s", project="shop")).text
    gone = await memory.ask(DropDirective(id=id))
    assert gone.status == "archived"
    assert (await memory.context("commit it", session="s", project="shop")).text == ""
    await memory.restore(id)
    await memory.lock(id)
    with pytest.raises(Refused, match="locked"):
        await memory.ask(DropDirective(id=id))
    with pytest.raises(NotFound):
        await memory.ask(DropDirective(id=id, within="zoo"))
    fact = await memory.remember("Staging has port 8080", project="shop")
    with pytest.raises(Unusable, match="that is a fact"):
        await memory.ask(DropDirective(id=fact))
    await memory.unlock(id)
    await memory.forget(id)
    assert await memory.ask(Directives(project="shop")) == ()


async def test_scope_taken_from_the_server_the_project_is_what_the_client_says(memory, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name / "deep").mkdir(parents=True)
        (tmp_path / name / ".git").mkdir()
        (tmp_path / name / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    own = await rule(memory, "Answer in English", tmp_path / "one")
    assert own in (await memory.context(session="s", project=tmp_path / "one" / "deep")).text
    assert (await memory.context(session="s", project=tmp_path / "two")).text == ""


async def test_a_hundred_rules_are_bounded_by_the_budget_and_leave_room_for_the_rest(memory):
    for number in range(100):
        await rule(memory, f"Rule {number}: keep module{number} below {number + 100} lines")
    locked = await rule(memory, "Never commit .env")
    await memory.lock(locked)
    decision = await memory.remember("PostgreSQL, for its JSONB", kind="decision", project="shop")
    blocker = await memory.remember("The certificate is missing", kind="blocker", project="shop")
    shown = await memory.context(session="s", project="shop")
    assert tokens(shown.text) <= Boot().budget
    assert order(shown.text, locked, blocker, decision) == [locked, blocker, decision]
    assert "more) They do not fit here" in shown.text
    assert shown.text.endswith(CLOSE)
    for budget in (0, 50, 90, 130, 200):
        few = await memory.context(session="s", project="shop", budget=budget)
        assert tokens(few.text) <= budget
        assert not few.text or locked in few.text


async def test_a_rule_that_was_learned_of_what_the_user_says_is_linked_with_what_it_contradicts(memory):
    known = await rule(memory, "Always push to main")
    await memory.record("Never push to main.", "Understood.", session="s", project="shop")
    (learned,) = [one for one in await memory.ask(Directives(project="shop")) if one.id != known]
    assert learned.text.startswith("Never push to main")
    assert f"contradicts {known}" in learned.notes
    assert any("contradict" in step.what for step in (await memory.why(learned.id)).steps)
