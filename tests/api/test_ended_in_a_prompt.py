"""What a prompt says is so no more ends what was known, also where the sentence goes on with what is so instead; and
what somebody only proposes, or asks an opinion of, ends nothing."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.anyio
GITHUB, WEBPACK = "we deploy with GitHub Actions", "we use Webpack as bundler"


async def stated(memory) -> list[str]:
    found = await memory.latest(collections=["memory_bank"], limit=50)
    return sorted(one.text for one in found)


async def told(memory, *prompts: str) -> list[str]:
    for prompt in prompts:
        await memory.record(prompt, "OK.", session="s")
    return await stated(memory)


@pytest.mark.parametrize(
    ("was", "said", "kept"),
    [
        (GITHUB, "we no longer deploy with GitHub Actions, we use Buildkite now", "Buildkite"),
        (GITHUB, "we no longer deploy with GitHub Actions, we moved to Buildkite", "Buildkite"),
        (GITHUB, "we no longer deploy with GitHub Actions. We use Buildkite now.", "Buildkite"),
        (WEBPACK, "we don't use Webpack any more, we use Vite", "Vite"),
        (WEBPACK, "we no longer use Webpack but Vite", "Vite"),
    ],
)
async def test_what_is_so_no_more_is_over_and_what_is_so_instead_is_kept(memory, was, said, kept):
    assert await told(memory, was) == [was]
    now = await told(memory, said)
    assert was not in now
    assert any(kept in text for text in now)


@pytest.mark.parametrize(
    "said",
    [
        "do we no longer deploy with GitHub Actions, or do we?",
        "we no longer deploy the docs with GitHub Actions, we use Buildkite there",
        "if we no longer deploy with GitHub Actions, we need Buildkite",
        "maybe we no longer deploy with GitHub Actions, we use Buildkite now",
        "they no longer deploy with GitHub Actions, they use Buildkite now",
        "we should no longer deploy with GitHub Actions",
    ],
)
async def test_nothing_else_is(memory, said):
    assert GITHUB in await told(memory, GITHUB, said)


@pytest.mark.parametrize(
    "said",
    [
        "the default timeout should be 60 seconds, what do you think?",
        "I think the default timeout should be 60 seconds",
        "the default timeout should be 60 seconds. Agree?",
        "shouldn't the default timeout be 60 seconds?",
        "the default timeout should be 60 seconds",
    ],
)
async def test_what_is_proposed_ends_nothing(memory, said):
    was = "our default timeout is 30 seconds"
    assert await told(memory, f"FYI {was}", said) == [was]


@pytest.mark.parametrize("instead", ["run the tests with nox", "use nox", "please run the tests with nox"])
async def test_what_is_ordered_instead_is_part_of_what_ends(memory, instead):
    assert await told(memory, f"we don't use tox any more, {instead}") == [f"we don't use tox any more, {instead}"]


@pytest.mark.parametrize(
    "more", ["delete tox.ini", "run the tests", "use the file I made", "test it with nox", "can you run it with nox?"]
)
async def test_what_is_to_be_done_now_is_not(memory, more):
    assert await told(memory, f"we don't use tox any more, {more}") == ["we don't use tox any more"]
