"""What a prompt is shown of old talk stands beside the newer statement that gives the same thing another value."""

from __future__ import annotations

import pytest

from aftermind import OpenMemory
from aftermind.engine.memories.book import Chunk

pytestmark = pytest.mark.anyio
ASKED, NOW = "connect grafana to the ledger API", "the ledger API listens on port 9500"
QUESTION = "how do i connect grafana to the ledger?"
TOLD = "Add a data source in grafana. The ledger API listens on port 9400, so take http://ledger.internal:9400 there."


async def shown(memory: OpenMemory, asked: str = ASKED, project: str = "a") -> list[str]:
    return [hit.text for hit in (await memory.context(asked, session="new", project=project)).memories]


async def test_an_old_answer_of_several_sentences_is_shown_with_the_newer_value(memory):
    await memory.record(QUESTION, TOLD, session="s", project="a")
    assert await shown(memory) == [QUESTION]
    await memory.remember(NOW, kind="configuration", project="a")
    found = await memory.context("connect grafana to our dashboards for the ledger", session="new", project="a")
    assert [hit.text for hit in found.memories] == [NOW, QUESTION]
    assert any("gives another value" in reason for reason in found.memories[0].reasons)
    assert "9500" in found.text


async def test_so_is_a_document(memory):
    chunk = Chunk(
        text="Grafana dashboards connect to our services. The ledger API listens on port 9400.", place="Ports"
    )
    await memory.ingest("/docs/ops.md", [chunk], title="Operations", project="a")
    await memory.remember(NOW, kind="configuration", project="a")
    found = await memory.context("connect grafana dashboards to our services", session="new", project="a")
    assert [hit.text for hit in found.memories] == [NOW, chunk.text]


@pytest.mark.parametrize(
    "newer",
    [
        "the ledger API listens on port 9400",
        "the payments API listens on port 9500",
        "the ledger API listens on port 9500 on staging",
        "the ledger API needs 9500 connections",
        "should the ledger API listen on port 9500?",
    ],
)
async def test_what_says_the_same_or_something_else_is_not_brought(memory, newer):
    await memory.record(QUESTION, TOLD, session="s", project="a")
    before = await shown(memory, "connect grafana to our dashboards for the ledger")
    await memory.remember(newer, kind="configuration", project="a")
    after = await shown(memory, "connect grafana to our dashboards for the ledger")
    assert [text for text in after if text != newer] == before
    brought = (
        await memory.context("connect grafana to our dashboards for the ledger", session="n", project="a")
    ).memories
    assert not any("gives another value" in reason for hit in brought for reason in hit.reasons)


async def test_nor_is_what_is_older_or_of_another_project(memory):
    await memory.remember(NOW, kind="configuration", project="a")
    await memory.remember(NOW, kind="configuration", project="b")
    await memory.record(QUESTION, TOLD, session="s", project="a")
    found = await memory.context("connect grafana to our dashboards for the ledger", session="n", project="a")
    assert not any("gives another value" in reason for hit in found.memories for reason in hit.reasons)
