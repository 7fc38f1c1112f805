"""A rule that its user takes back in a prompt holds no more, and only then."""

from __future__ import annotations

import pytest

from aftermind.cli.language.projects import Directives

pytestmark = pytest.mark.anyio
RULE = "never push to main"


async def directives(memory) -> dict[str, tuple[str, ...]]:
    return {one.text: one.notes for one in await memory.ask(Directives(project=None))}


async def said(memory, prompt: str) -> dict[str, tuple[str, ...]]:
    await memory.record(f"From now on {RULE}.", "OK.", session="r")
    await memory.record(prompt, "OK.", session="s")
    return await directives(memory)


@pytest.mark.parametrize(
    "prompt",
    [
        "it's ok to push to main now",
        "you can push to main again",
        "just me on this project now, pushing to main is fine from here on",
    ],
)
async def test_what_frees_from_a_rule_takes_its_place_or_goes_before_it_and_says_so(memory, prompt):
    found = await said(memory, prompt)
    assert any(text in prompt for text in found)
    old = [notes for text, notes in found.items() if RULE in text]
    assert all(any("which is newer, and ends it" in note for note in notes) for notes in old)


@pytest.mark.parametrize(
    "prompt",
    [
        "is it ok to push to main now?",
        "for this PR you can push to main",
        "it's fine to push to main just this once",
        "it's ok to push to staging now",
        "you can talk to main street again",
    ],
)
async def test_what_is_asked_for_once_or_of_something_else_frees_from_nothing(memory, prompt):
    assert list(await said(memory, prompt)) == [f"From now on {RULE}"]


async def test_what_frees_from_no_rule_is_talk(memory):
    await memory.record("you don't have to sign commits any more", "OK.", session="s")
    assert await directives(memory) == {}
    await memory.record("Always sign commits.", "OK.", session="r")
    await memory.record("you don't have to sign commits any more, the bot does", "OK.", session="s")
    assert len(await directives(memory)) == 2
