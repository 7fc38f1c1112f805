"""What a session begins with: sections that can be switched off, each with its first lines before any has more."""

from __future__ import annotations

from datetime import timedelta

import pytest

import aftermind
from aftermind.cli.keys import KEYS
from aftermind.cli.language.judging import PutSaid, RequestSummaries
from aftermind.cli.language.linking import Link
from aftermind.cli.language.requests import Remember
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.policy import SECTIONS, Boot, Policy
from aftermind.projections.recalling.shown.fences import BEGINNINGS, without_ours
from aftermind.sidecar.ports import Long, Shortened
from tests.desks import MODEL, taken

pytestmark = pytest.mark.anyio
KINDS = {
    "directives": ("directive", "Answer in English"),
    "open_blockers": ("blocker", "The certificate is missing"),
    "identity": ("preference", "I prefer tabs"),
    "recent_decisions": ("decision", "PostgreSQL, for its JSONB"),
}


async def everything(memory) -> None:
    for kind, text in KINDS.values():
        await memory.remember(text, kind=kind, project="shop")
    exchange = await memory.record("how do we deploy?", "make deploy", session="before", project="shop")
    await memory.score("worked", exchange=exchange.id)
    await memory.end_session("before")


def titles(text: str) -> list[str]:
    known = {title: name for name, title in BEGINNINGS.items()}
    return [known[line] for line in text.splitlines() if line in known]


async def test_each_section_that_has_something_stands_in_its_order_under_its_title(memory):
    await everything(memory)
    shown = (await memory.context(session="s", project="shop")).text
    found = titles(shown)
    assert found == [name for name in SECTIONS if name in found]
    assert {*KINDS, "hot_items"} <= set(found)
    assert "last exchanges" not in shown.lower()  # the only one stands there already
    assert without_ours(shown) == ""


@pytest.mark.parametrize("off", [*KINDS, "hot_items"])
async def test_a_section_that_is_switched_off_is_not_told(folder, off):
    sections = tuple(name for name in SECTIONS if name != off)
    async with aftermind.open_memory(folder, policy=Policy(boot=Boot(sections=sections))) as memory:
        await everything(memory)
        shown = (await memory.context(session="s", project="shop")).text
        assert off not in titles(shown)
        assert KINDS.get(off, ("", "\0"))[1] not in shown


async def test_what_was_said_again_is_shown_once_and_small_talk_not_at_all(memory):
    for n in range(3):
        await memory.record("the import crashes again", "Set batch_size to 100.", session=f"s{n}", project="shop")
        await memory.record("Works, thanks!", "Good.", session=f"s{n}", project="shop")
    await memory.record("which port has staging?", "8081", session="s3", project="shop")
    shown = (await memory.context(session="s", project="shop")).text
    assert shown.count("batch_size") == 1
    assert "8081" in shown
    assert "Works, thanks" not in shown


async def test_with_all_sections_off_or_nothing_known_nothing_is_shown(folder):
    async with aftermind.open_memory(folder, policy=Policy(boot=Boot(sections=()))) as memory:
        assert (await memory.context(session="s", project="shop")).text == ""
        await everything(memory)
        assert (await memory.context(session="s", project="shop")).text == ""


async def test_a_section_has_so_many_lines_and_rules_as_many_as_fit(folder):
    async with aftermind.open_memory(folder, policy=Policy(boot=Boot(limit=3))) as memory:
        for number in range(8):
            await memory.remember(f"Decision {number}", kind="decision", project="shop")
            await memory.remember(f"Rule {number}", kind="directive", project="shop")
        shown = (await memory.context(session="s", project="shop")).text
        assert [f"Decision {n}" in shown for n in range(8)] == [False] * 5 + [True] * 3
        assert all(f"Rule {n}" in shown for n in range(8))


@pytest.mark.parametrize("rules", [1, 2, 3, 8])
async def test_a_budget_is_a_hard_bound_whatever_else_is_told(folder, rules):
    """Also of the line that tells how many rules do not fit."""
    async with aftermind.open_memory(folder) as memory:
        for number in range(rules):
            long = "never do this and that, " * (20 if number else 1)
            await memory.remember(f"Rule {number}: {long}", kind="directive", project="shop")
        for number in range(3):
            await memory.remember(f"Decision {number}: {'for a reason, ' * 8}", kind="decision", project="shop")
    told = 0
    for budget in (*range(60, 260, 4), *range(260, 900, 16)):
        async with aftermind.open_memory(folder, policy=Policy(boot=Boot(budget=budget))) as memory:
            shown = await memory.context(project="shop", session=str(budget))
            told += "more) They do not fit here" in shown.text
            assert "(0 more)" not in shown.text
            assert shown.tokens <= budget
    assert (told > 0) is (rules > 1)


async def test_the_first_rule_is_shown_before_it_is_told_that_others_are_not(folder):
    async with aftermind.open_memory(folder) as memory:
        first = await memory.remember(
            f"Keep the vault{' and all that is in it' * 12}", kind="directive", project="shop"
        )
        await memory.lock(first)
        await memory.remember(f"Write tests{' for every change' * 12}", kind="directive", project="shop")
    told = []
    for budget in range(60, 400, 4):
        async with aftermind.open_memory(folder, policy=Policy(boot=Boot(budget=budget))) as memory:
            shown = (await memory.context(project="shop", session=str(budget))).text
            told.append("Keep the vault" in shown)
    assert told == sorted(told), "once there is room for it, more room does not take it away"
    assert any(told)


async def test_what_speaks_against_a_reminder_and_against_what_worked_is_told_as_long_as_it_holds(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        exchange = await memory.record("how do we deploy?", "make deploy", session="before", project="shop")
        await memory.score("worked", exchange=exchange.id)
        due = Particulars(due=clock.time, said="now")
        plan = await memory.ask(Remember(text="Renew the certificate", kind="plan", project="shop", particulars=due))
        over = Particulars(until=clock.time + timedelta(days=1))
        against = await memory.ask(Remember(text="Nothing is deployed or renewed", project="shop", particulars=over))
        for one in (exchange.memory, plan):
            await memory.ask(Link(id=against, relation="contradicts", other=one))
        assert (await memory.context(session="s", project="shop")).text.count(f"contradicts {against}") == 2
        clock.wait(days=2)
        later = (await memory.context(session="s2", project="shop")).text
        assert "Renew the certificate" in later
        assert "contradicts" not in later


async def test_a_reminder_that_is_told_in_short_is_told_as_one(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        text = "The certificate of the shop is renewed by hand, at the registrar's. " * 40
        due = Particulars(due=clock.time, said="now")
        await memory.ask(Remember(text=text, kind="plan", project="shop", particulars=due))
        await memory.ask(RequestSummaries())
        work = await taken(memory)
        assert isinstance(work, Long)
        said = Shortened(summary="Renew the certificate by hand.")
        assert await memory.ask(PutSaid(ticket=work.ticket, judge=MODEL, said=said))
        shown = (await memory.context(session="s", project="shop")).text
        assert "in short) reminder of 2026" in shown
        assert "UTC: Renew the certificate by hand." in shown


async def test_why_tells_of_a_beginning_and_every_section_has_its_switch(folder):
    async with aftermind.open_memory(folder) as memory:
        await everything(memory)
        shown = await memory.context(session="s", project="shop")
        assert shown.injection is not None
        (rule,) = [one for one in shown.memories if one.memory.kind == "directive"]
        told = [step.what for step in (await memory.why(rule.id)).steps]
        assert any("shown" in what for what in told), told
    assert {f"boot.{name}" for name in SECTIONS} <= {key.name for key in KEYS}
