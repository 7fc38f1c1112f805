"""What is shown of a chunk is cited by the pages that part is on, as far as it is known where they turn."""

from __future__ import annotations

import pytest
from msgspec import structs

from aftermind.cli.offering.shown import COMPACT, FULL
from aftermind.cli.offering.shown import hit as of_tool
from aftermind.engine.memories.book import Chunk
from tests.api.test_books import DEPLOY, head, ids, ingested

pytestmark = pytest.mark.anyio
BAYS, MORE = (" ".join(f"Bay {n} takes barges of {n} tons." for n in range(some, some + 30)) for some in (0, 30))
BERTHS = "There are berths of all sizes. "
WHEEL = "how do I free a stuck lock gate?"
LONG = Chunk(
    text=f"{BAYS}\n\n{BERTHS * 8}To free a stuck lock gate, turn the copper wheel. {MORE}",
    place="Locks", page=3, last=4, turns=(len(BAYS) + 2,),
)  # fmt: skip
"""On the first page it says how many tons, on the second how to free a gate."""


async def briefed(memory, prompt: str) -> str:
    return (await memory.context(prompt, session="s")).text


async def test_what_is_shown_of_a_chunk_is_cited_by_the_page_that_part_is_on(memory):
    await ingested(memory, LONG)
    assert "Billing runbook › Locks, page 4: …" in await briefed(memory, WHEEL)
    assert "Billing runbook › Locks, page 3: Bay 0 " in await briefed(memory, "how many tons do barges have?")
    (hit,) = await memory.recall(WHEEL)
    now = hit.memory.at
    assert [of_tool(hit, now, most).source.rsplit(", ")[-1] for most in (COMPACT, FULL)] == ["page 4", "pages 3–4"]
    assert hit.memory.pages == (3, 4)


async def test_where_pages_turn_may_shift_with_an_edition_that_records_no_text_again(memory):
    await ingested(memory, LONG, digest="1")
    before = await head(memory)
    shifted = structs.replace(LONG, turns=(len(LONG.text) - 1,))
    await ingested(memory, shifted, digest="2")
    assert await head(memory) == before + 1
    assert "Locks, page 3: …" in await briefed(memory, WHEEL)
    await memory.lock((await ids(memory))[LONG.text])
    await ingested(memory, DEPLOY, digest="3")
    assert "Locks, page 3: …" in await briefed(memory, WHEEL), "nobody takes out what is locked"


async def test_a_corrected_chunk_is_cited_by_all_its_pages(memory):
    """Where they turn in what it says now nobody knows."""
    await ingested(memory, LONG, digest="1")
    id = (await ids(memory))[LONG.text]
    await memory.correct(id, f"It was rebuilt. {LONG.text}")
    assert "Locks, pages 3–4: …" in await briefed(memory, WHEEL)
    await ingested(memory, LONG, digest="2")
    assert "Locks, pages 3–4: …" in await briefed(memory, WHEEL)


async def test_where_pages_turn_is_told_of_what_is_kept_of_a_text(memory):
    token = "ghp_" + "a1B2" * 10
    before, after = f"  Use {token} here. {BAYS}", f"<private>{BAYS}</private> To free a stuck gate. {BAYS}"
    await ingested(memory, structs.replace(LONG, text=f"{before} {after}", turns=(len(before) + 1,)))
    (found,) = await memory.latest(collections=("books",))
    (turn,) = found.turns
    assert found.text[turn:].lstrip().startswith("[private] To free a stuck gate")
    middle = structs.replace(LONG, text=before, turns=(before.index(token) + 9,))
    await ingested(memory, middle, path="/b")
    assert [one.turns for one in await memory.latest(collections=("books",)) if one.id != found.id] == [()]
