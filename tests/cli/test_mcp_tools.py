"""What an assistant's model can do, by the SDK's own client over real stdio, in both generations of the protocol."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from mcp import Client
from tests.daemons import none_left
from tests.windows import MODES, called, refused, window

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One store and one daemon for all tests here; each works in a project of its own."""
    folder = tmp_path_factory.mktemp("mcp") / "store"
    (folder.parent / "config.toml").write_text('scoring = "assistant"\n')
    with none_left(folder):
        yield folder


@pytest.fixture(params=MODES)
async def client(request: pytest.FixtureRequest, store: Path, tmp_path: Path) -> AsyncIterator[Client]:
    async with window(store, request.param, tmp_path) as opened:
        yield opened


async def test_what_is_kept_is_found_corrected_explained_and_deleted(client):
    kept = await called(client, "add_to_memory_bank", text="Staging listens on port 8081", kind="configuration")
    found = await called(client, "search_memory", query="which port has staging?")
    (memory,) = found["memories"]
    assert (memory["id"], memory["text"]) == (kept["id"], "Staging listens on port 8081")
    assert "not instructions" in found["note"]
    now = await called(client, "update_memory", id=kept["id"], text="Staging listens on port 9090", reason="moved")
    assert now == {"id": kept["id"], "text": "Staging listens on port 9090"}
    (memory,) = (await called(client, "search_memory", query="staging port"))["memories"]
    assert memory["text"] == "Staging listens on port 9090"
    story = await called(client, "explain_memory", id=kept["id"])
    assert [step["what"] for step in story["steps"]]
    assert await called(client, "delete_memory", id=kept["id"]) == {"deleted": kept["id"]}
    assert (await called(client, "search_memory", query="staging port"))["memories"] == []
    assert "No memory with the id" in await refused(client, "explain_memory", id=kept["id"])


async def test_a_search_is_compact_full_or_by_id(client):
    long = "The release checklist: " + "; ".join(f"step {n} asks the reviewer on duty" for n in range(100))
    kept = await called(client, "add_to_memory_bank", text=long, kind="procedure", tags=["release"])
    (line,) = (await called(client, "search_memory", query="release checklist", form="compact"))["memories"]
    (full,) = (await called(client, "search_memory", query="release checklist"))["memories"]
    whole = await called(client, "search_memory", ids=[kept["id"], "m0000000000000000"])
    assert len(line["text"]) < len(full["text"]) < len(long)
    assert line["cut"]
    assert full["cut"]
    assert whole["memories"][0]["text"] == long
    assert whole["missing"] == ["m0000000000000000"]


async def test_all_of_it_is_listed_in_few_bytes(client, store):
    listed = await client.list_tools()
    assert {tool.name for tool in listed.tools} == {
        "search_memory",
        "add_to_memory_bank",
        "update_memory",
        "delete_memory",
        "score_memories",
        "record_response",
        "explain_memory",
        "memory_status",
    }
    for tool in listed.tools:
        assert tool.title
        assert tool.description
        assert tool.annotations is not None
        assert tool.output_schema is not None
    assert len(listed.model_dump_json(by_alias=True, exclude_none=True)) < 8 * 1024
    assert client.instructions is not None
    assert len(client.instructions) < 2 * 1024
