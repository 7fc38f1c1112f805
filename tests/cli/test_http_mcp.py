"""MCP at the open port, asked by the official client: the same as at the pipe, from where each client says it is."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError, types
from mcp.client.streamable_http import streamable_http_client
from tests.ports import Port, opened_port
from tests.windows import LATE, MODES, Mode, called, refused, window

import aftermind
from aftermind.cli.forms.form import NOWHERE
from aftermind.cli.language.sessions import ListSessions

pytestmark = pytest.mark.anyio
ACCEPT = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Port]:
    with opened_port(tmp_path_factory.mktemp("http-mcp") / "store") as found:
        yield found


@asynccontextmanager
async def client(port: Port, mode: Mode, query: str = "", **headers: str) -> AsyncIterator[Client]:
    """A session of the SDK's client over HTTP."""
    said = {"Authorization": f"Bearer {port.token}"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    async with httpx2.AsyncClient(headers=said, timeout=LATE, trust_env=False) as http:
        transport = streamable_http_client(f"{port.url}/mcp{query}", http_client=http)
        async with Client(transport, mode=mode, read_timeout_seconds=LATE) as found:
            yield found


@pytest.fixture
def projects(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("one", "with spaces, ümlaut"):
        (tmp_path / name).mkdir()
    return tmp_path / "one", tmp_path / "with spaces, ümlaut"


@pytest.mark.parametrize("mode", MODES)
async def test_the_same_tools_as_at_the_pipe(port, mode, projects):
    one, _ = projects
    async with client(port, mode) as http, window(port.folder, mode, one) as pipe:
        assert (await http.list_tools()).tools == (await pipe.list_tools()).tools
        assert (await http.list_prompts()).prompts == (await pipe.list_prompts()).prompts
    async with client(port, mode, "?tools=project") as http:
        assert "directive" in {tool.name for tool in (await http.list_tools()).tools}


@pytest.mark.parametrize("mode", MODES)
async def test_scope_taken_from_the_servers_cwd_or_default_comes_from_the_call(port, mode, projects):
    one, other = (str(path) for path in projects)
    quoted = other.encode().decode("latin-1") if other.isascii() else other.replace("ü", "%C3%BC")
    async with client(port, mode, Aftermind_Project=one) as mine, client(port, mode, f"?project={quoted}") as theirs:
        word = f"Walruses of {mode}"
        kept = await called(mine, "add_to_memory_bank", text=f"{word} sing at 4711")
        assert (await called(mine, "memory_status"))["project"] == one
        assert (await called(theirs, "memory_status"))["project"] == other
        assert (await called(theirs, "search_memory", query=word))["memories"] == []
        assert f"No memory with the id '{kept['id']}'" in await refused(theirs, "delete_memory", id=kept["id"])
        async with client(port, mode) as nobody, window(port.folder, mode, Path(one)) as pipe:
            assert (await called(nobody, "memory_status"))["project"] == NOWHERE
            assert (await called(nobody, "search_memory", query=word))["memories"] == []
            assert [m["id"] for m in (await called(pipe, "search_memory", query=word))["memories"]] == [kept["id"]]


async def test_the_roots_of_a_session_are_its_place_where_it_says_none(port, projects):
    one, _ = projects

    async def roots(_: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=one.as_uri())])

    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {port.token}"}, trust_env=False) as http:
        transport = streamable_http_client(f"{port.url}/mcp", http_client=http)
        async with Client(transport, mode="legacy", list_roots_callback=roots, read_timeout_seconds=LATE) as client:
            assert (await called(client, "memory_status"))["project"] == str(one)


@pytest.mark.parametrize("mode", MODES)
async def test_a_session_is_the_one_that_is_told_and_nobodys_is_shared(port, mode, projects):
    one, _ = projects
    async with client(port, mode, Aftermind_Project=str(one), Aftermind_Session=f"told-{mode}") as mine:
        done = await called(mine, "record_response", prompt="Is the cache warm?", response=f"Since noon, {mode}.")
    async with client(port, mode, Aftermind_Project=str(one)) as another:
        await called(another, "record_response", prompt="Is the cache cold?", response=f"Since dawn, {mode}.")
    async with aftermind.open_memory(port.folder) as memory:
        found = {listed.id for listed in await memory.ask(ListSessions(project=str(one)))}
    assert f"told-{mode}" in found
    assert len(found) == 2
    assert done["memory"]


@pytest.mark.parametrize("mode", MODES)
async def test_a_session_is_written_into_and_ended_by_the_client_that_began_it(port, mode, projects):
    one, _ = projects
    async with aftermind.open_memory(port.folder) as memory:
        await memory.record("Who is here?", "Another.", session=f"others-{mode}", project=one, client="claude-code")
    async with client(port, mode, "?tools=project", Aftermind_Project=str(one)) as http:
        begun = await called(http, "session", action="checkpoint", goal="Rate limits", pending=["Tests"])
        assert await called(http, "session", action="checkpoint", done=["Tests"]) == {
            "session": begun["session"],
            "goal": "Rate limits",
        }
        assert await called(http, "session", action="end") == {"session": begun["session"]}
        assert "has no session" in await refused(http, "session", action="end")
    async with aftermind.open_memory(port.folder) as memory:
        found = {one.id: one.ended is None for one in await memory.ask(ListSessions(project=str(one)))}
    assert found == {f"others-{mode}": True, begun["session"]: False}


async def test_what_is_asked_twice_and_together_is_answered_each(port, projects):
    one, _ = projects
    async with client(port, "legacy", Aftermind_Project=str(one)) as http:
        for n in range(3):
            await called(http, "add_to_memory_bank", text=f"Seal {n} likes krill")
        found = (await called(http, "search_memory", query="krill", limit=10))["memories"]
        assert len(found) == 3
        with pytest.raises(MCPError, match="No memory with the id"):
            await http.read_resource("aftermind://memory/m0000000000000000")


def test_a_place_that_cannot_be_is_refused(port):
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}).encode()
    for said in ("notes", "./notes", "~/notes", "/a/../../etc", "/a%00b", "/" + "x" * 5000):
        assert port.ask("/mcp", "POST", message, Aftermind_Project=said, **ACCEPT).status in (400, 431), said
    assert port.ask("/mcp?project=/a&project=/b", "POST", message, **ACCEPT).status == 400
    assert port.ask("/mcp?tools=everything", "POST", message, **ACCEPT).status == 400
    assert port.ask("/mcp", "POST", message, Aftermind_Session="s" * 500, **ACCEPT).status == 400


def test_a_session_that_is_not_there_is_not_found_and_noise_is_refused(port):
    for body in (b"{", b"[]", b'"x"', b"null", b"\xff\xfe", b"[" * 100_000, b'{"jsonrpc": "2.0"}', b"9" * 5000):
        assert port.ask("/mcp", "POST", body, **ACCEPT).status in (400, 404), body[:20]
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    gone = port.ask("/mcp", "POST", json.dumps(asked).encode(), Mcp_Session_Id="0" * 32, **ACCEPT)
    assert gone.status == 404
    assert port.ask("/mcp", "DELETE", Mcp_Session_Id="0" * 32).status == 404
    assert port.ask("/health").status == 200
