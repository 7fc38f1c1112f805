"""A window sees its own project and what is global: by no tool, id, address or root another's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError, types
from msgspec import structs
from tests.daemons import none_left
from tests.windows import called, lines, refused, window

import aftermind
from aftermind.cli.forms.form import NOWHERE
from aftermind.cli.holding.judging import who_judges
from aftermind.cli.language.requests import Converse
from aftermind.cli.offering.window import place_of_window, refined, told_of
from aftermind.cli.settings import configuration
from aftermind.engine.names import EventId

pytestmark = pytest.mark.anyio
KEY = EventId("0190" + "a1" * 14)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("mcp") / "store"
    (folder.parent / "config.toml").write_text('scoring = "assistant"\n')
    with none_left(folder):
        yield folder


@pytest.fixture
def projects(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    return tmp_path / "one", tmp_path / "other"


async def test_another_projects_memory_is_not_there(store, projects):
    one, other = projects
    async with window(store, "auto", one) as mine, window(store, "legacy", other) as theirs:
        kept = await called(mine, "add_to_memory_bank", text="The launch code of penguins is 4711")
        asked = await called(mine, "record_response", prompt="Which penguins?", response="All of them")
        shared = await called(mine, "add_to_memory_bank", text="Penguins like fish", everywhere=True)
        assert [one["text"] for one in (await called(theirs, "search_memory", query="penguins"))["memories"]] == [
            "Penguins like fish"
        ]
        for id in (kept["id"], asked["memory"], f"{kept['id']}@1"):
            found = await called(theirs, "search_memory", ids=[id], history=True)
            assert (found["memories"], found["missing"]) == ([], [id])
            for tool, arguments in (
                ("update_memory", {"text": "mine now"}),
                ("delete_memory", {}),
                ("explain_memory", {}),
            ):
                assert f"No memory with the id '{id}'" in await refused(theirs, tool, id=id, **arguments)
            scored = await refused(theirs, "score_memories", memories={id: "failed"})
            assert f"No memory with the id '{id}'" in scored
            replaced = await refused(theirs, "add_to_memory_bank", text="No, 4712", replaces=id)
            assert "No memory with the id" in replaced or "is a past wording" in replaced, replaced
            with pytest.raises(MCPError, match="No memory with the id"):
                await theirs.read_resource(f"aftermind://memory/{id}")
        listed = str(await theirs.list_resources())
        assert "penguins is 4711" not in listed
        here = next(one for one in (await mine.list_resources()).resources if one.name == "this-session")
        with pytest.raises(MCPError, match="No session with the id"):
            await theirs.read_resource(str(here.uri))
        (memory,) = (await called(mine, "search_memory", ids=[kept["id"]]))["memories"]
        assert memory["text"] == "The launch code of penguins is 4711"
        assert memory["record"] == "not judged yet"
        await called(theirs, "update_memory", id=shared["id"], text="Penguins like krill")
        (memory,) = (await called(mine, "search_memory", ids=[shared["id"]]))["memories"]
        assert memory["text"] == "Penguins like krill"


async def test_the_client_says_where_it_works_and_in_which_session(store, projects):
    """Whatever folder its process happens to be in; and what its hooks tell of is one session with this."""
    one, other = projects
    env = {"CLAUDE_PROJECT_DIR": str(one), "CLAUDE_CODE_SESSION_ID": "session-of-claude"}
    async with window(store, "legacy", other, env=env) as client:
        status = await called(client, "memory_status")
        assert (status["project"], status["hands_over"]) == (str(one), False)
        async with aftermind.open_memory(store) as memory:  # as a hook tells of a prompt
            await memory.context("Who eats whom?", session="session-of-claude", project=one, client="claude-code")
        assert (await called(client, "memory_status"))["hands_over"] is True
        await called(client, "add_to_memory_bank", text="Seals eat penguins")
        await called(client, "search_memory", query="who eats penguins?")
    async with aftermind.open_memory(store) as memory:
        (seen,) = [found for found in await memory.latest(project=one) if found.text == "Seals eat penguins"]
        assert seen.id not in {found.id for found in await memory.latest(project=other)}
        await memory.record("Who?", "Seals eat penguins", session="session-of-claude", project=one)
        verdict = await memory.score("worked", session="session-of-claude")
        assert seen.id in {moved.id for moved in verdict.memories}


async def test_roots_only_refine_the_folder(store, projects):
    one, other = projects
    (one / "package").mkdir()

    async def roots(_: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=other.as_uri()), types.Root(uri=(one / "package").as_uri())])

    async with window(store, "legacy", one, list_roots_callback=roots) as client:
        assert (await called(client, "memory_status"))["project"] == str(one / "package")


async def test_during_a_pause_nothing_is_kept_or_shown(store, projects):
    one, _ = projects
    async with window(store, "auto", one) as client:
        kept = await called(client, "add_to_memory_bank", text="Walruses sing")
        async with aftermind.open_memory(store) as memory:
            await memory.pause(project=one)
            for tool, arguments in (
                ("search_memory", {"query": "walruses"}),
                ("search_memory", {"ids": [kept["id"]]}),
                ("add_to_memory_bank", {"text": "Walruses dance"}),
                ("update_memory", {"id": kept["id"], "text": "Walruses dance"}),
                ("record_response", {"prompt": "Walruses?", "response": "They dance"}),
                ("explain_memory", {"id": kept["id"]}),
            ):
                assert "paused" in await refused(client, tool, **arguments)
            await memory.resume(project=one)
        (memory_now,) = (await called(client, "search_memory", query="walruses"))["memories"]
        assert memory_now["text"] == "Walruses sing"


async def test_who_judges_is_looked_up_each_time(store, projects):
    one, _ = projects
    config = store.parent / "config.toml"
    try:
        with lines(store, work=one) as pipe:
            pipe.initialize()
            config.write_text('scoring = "sidecar"\n# and another size\n')
            names = {tool["name"] for tool in pipe.ask(1, "tools/list")["tools"]}
            assert "score_memories" not in names
            assert "There is no tool 'score_memories'" in json.dumps(pipe.call(2, "score_memories", outcome="worked"))
    finally:
        config.write_text('scoring = "assistant"\n')


async def test_the_status_says_who_judges_really(store, projects):
    one, _ = projects
    config = store.parent / "config.toml"
    try:
        async with window(store, "auto", one) as client:
            for text, judge in (
                ('scoring = "sidecar" # one\n', "rules"),
                ('scoring = "cues" # another\n', "rules"),
                ('scoring = "assistant" # a third one\n', "assistant"),
            ):
                config.write_text(text)
                assert (await called(client, "memory_status"))["scoring"] == judge
    finally:
        config.write_text('scoring = "assistant"\n')


def test_of_a_model_that_judges_the_status_says_which():
    named = structs.replace(configuration().sidecar, model="ollama/tiny")
    assert who_judges("sidecar", named) == "model ollama/tiny"


def test_where_a_window_works_is_what_the_client_says_then_its_folder_then_nowhere():
    assert place_of_window("/here", {}) == "/here"
    assert place_of_window("/here", {"CLAUDE_PROJECT_DIR": "/there"}) == "/there"
    assert place_of_window("/here", {"CLAUDE_PROJECT_DIR": "relative"}) == "/here"
    assert place_of_window("/here", {"WORKSPACE_FOLDER_PATHS": "/a,/b"}) == "/a"
    assert place_of_window("/here", {"CURSOR_PROJECT_DIR": "/c", "WORKSPACE_FOLDER_PATHS": "/a"}) == "/c"
    assert place_of_window("", {}) == NOWHERE
    assert told_of(Converse(directory="/here", environment={"OPENCODE": "1"}), KEY) == {
        "directory": "/here",
        "session": f"window-{KEY}",
        "client": "opencode",
    }


@pytest.mark.parametrize(
    ("directory", "roots", "found"),
    [
        ("/home/ada/mono", ["file:///home/ada/mono/web"], "/home/ada/mono/web"),
        ("/home/ada/mono", ["file:///home/ada/mono"], "/home/ada/mono"),
        ("/home/ada/mono", ["file:///home/ada/monolith", "file:///etc"], "/home/ada/mono"),
        ("/home/ada/mono", ["file:///home/ada/mono/../other"], "/home/ada/mono"),
        ("/home/ada/mono", ["https://example.org/home/ada/mono/web", "nonsense", ""], "/home/ada/mono"),
        ("/", ["file:///home/ada/caf%C3%A9"], "/home/ada/café"),
        ("/", [], "/"),
        (NOWHERE, ["file:///home/ada"], "/home/ada"),
    ],
)
def test_a_root_leads_deeper_or_nowhere(directory, roots, found):
    assert refined(directory, roots) == found
