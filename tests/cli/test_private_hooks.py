"""What clients' hooks tell while it is paused, from folders that are off limits, and of what is private: nothing of it
is kept, nothing is printed, and the answer that comes later is not kept either."""

from __future__ import annotations

from typing import Any

import pytest
from tests.hooks import RECORDED, moment, stdin

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.requests import Deliver
from aftermind.engine.events import CheckpointWritten, ExchangeRecorded, PromptReceived, ToolUsed

pytestmark = pytest.mark.anyio
TURNS = {
    "claude-code": ("UserPromptSubmit", "PostToolUseFailure", "Stop"),
    "cursor": ("beforeSubmitPrompt", "postToolUseFailure", "afterAgentResponse"),
    "codex": ("UserPromptSubmit", "PostToolUse", "Stop"),
    "gemini": ("BeforeAgent", "AfterTool.failed", "AfterAgent"),
}


@pytest.fixture
async def memory(tmp_path):
    async with aftermind.open_memory(tmp_path / "store") as opened:
        await opened.remember("To deploy the billing service run make release-billing")
        yield opened


async def tell(memory: OpenMemory, client: str, event: str, directory: str = "/nowhere", **changes: Any) -> str:
    payload = stdin(client, event, **changes)
    asked = Deliver(client=client, event=moment(client, event), payload=payload, directory=directory)
    return (await memory.ask(asked)).text


async def events(memory: OpenMemory, form: type) -> list[Any]:
    return [one.draft.event for one in await memory.events() if isinstance(one.draft.event, form)]


async def test_paused_no_hook_of_any_client_writes_or_prints(memory):
    await memory.pause()
    before = (await memory.state()).head
    for client, event in RECORDED:
        assert await tell(memory, client, event) == "", (client, event)
    for client, event in (("json", "turn"), ("json", "trun"), ("jsno", "turn")):  # nor is it kept for later
        said = Deliver(client=client, event=event, payload=b'{"promt":"quokka"}', directory="/nowhere")
        assert (await memory.ask(said)).text == ""
    assert (await memory.state()).head == before


async def test_in_a_folder_that_is_off_limits_no_hook_of_any_client_writes_or_prints(memory, tmp_path):
    (tmp_path / ".aftermindignore").write_text("secret/\n")
    before = (await memory.state()).head
    for client, event in RECORDED:
        assert await tell(memory, client, event, str(tmp_path / "secret")) == "", (client, event)
    for event in TURNS["claude-code"]:  # the payload says where; the hook itself ran elsewhere
        assert await tell(memory, "claude-code", event, cwd=str(tmp_path / "secret" / "deep")) == ""
    assert (await memory.state()).head == before


@pytest.mark.parametrize("client", TURNS)
async def test_a_turn_that_begins_in_a_pause_is_not_kept_when_it_ends_after_it(memory, client):
    prompt, tool, end = TURNS[client]
    await memory.pause()
    assert await tell(memory, client, prompt) == ""
    await memory.resume()
    await tell(memory, client, tool)
    await tell(memory, client, end)
    assert await events(memory, ToolUsed) == await events(memory, ExchangeRecorded) == []
    shown = await tell(memory, client, prompt)
    assert ("make release-billing" in shown) == (client != "cursor")  # which can show nothing at a prompt
    await tell(memory, client, end)
    assert len(await events(memory, ExchangeRecorded)) == 1


@pytest.mark.parametrize("client", TURNS)
async def test_the_answer_to_a_wholly_private_prompt_is_not_kept_and_joins_no_earlier_one(memory, client):
    prompt, _, end = TURNS[client]
    await tell(memory, client, prompt)  # broken off
    other = {"claude-code": "prompt_id", "cursor": "generation_id", "codex": "turn_id"}.get(client)
    more = {other: "another-1"} if other else {}
    said = "<private>how do I deploy the billing service for quokka?</private>"
    shown = {"prompt": said, **more, **({"timestamp": "2026-06-02T08:30:00.000Z"} if client == "gemini" else {})}
    assert await tell(memory, client, prompt, **shown) == ""
    own = {"prompt": said} if client == "gemini" else {}
    await tell(memory, client, end, **more, **own)
    assert await events(memory, ExchangeRecorded) == []
    assert "[private]" in [one.text for one in await events(memory, PromptReceived)]
    assert b"quokka" not in (memory.folder / "log.db").read_bytes()


@pytest.mark.parametrize("named", [True, False])
async def test_nothing_that_follows_a_wholly_private_prompt_tells_what_it_was(memory, named, tmp_path):
    await tell(memory, "claude-code", "UserPromptSubmit", prompt="how do I lint?", prompt_id="1" if named else None)
    own = {"prompt_id": "2" if named else None}
    prompt = {"prompt": "<private>what does quokka cost?</private>", **own}
    used = {"tool_input": {"file_path": "/notes/quokka.md"}, "error": "quokka is no file", **own}
    await tell(memory, "claude-code", "UserPromptSubmit", **prompt)
    await tell(memory, "claude-code", "PostToolUseFailure", tool_use_id="1", **used)
    await tell(memory, "claude-code", "PostToolUseFailure", tool_use_id="2", agent_id="a", **used)
    answer = {"last_assistant_message": "Quokka costs 300 quokkas", **own}
    await tell(memory, "claude-code", "SubagentStop", agent_id="b", **answer)
    await tell(memory, "claude-code", "Stop", **answer)
    await tell(memory, "claude-code", "PreCompact", custom_instructions="", **own)
    await tell(memory, "claude-code", "PostCompact", compact_summary="They asked what quokka costs", **own)
    await tell(memory, "claude-code", "UserPromptSubmit", prompt="how do I test?", prompt_id="3" if named else None)
    await tell(memory, "claude-code", "SubagentStop", agent_id="a", **answer)  # it began before
    await tell(memory, "claude-code", "PostCompact", compact_summary="They asked for quokka and tests")
    tools = [event.tool for event in await events(memory, ToolUsed)]
    assert [(tool.name, tool.ok, tool.paths, tool.error) for tool in tools] == [("Bash", False, (), "[private]")] * 2
    assert await events(memory, ExchangeRecorded) == []
    assert b"quokka" not in (memory.folder / "log.db").read_bytes().lower()
    await tell(memory, "claude-code", "SubagentStop", agent_id="c", last_assistant_message="by make test")
    await tell(memory, "claude-code", "Stop", last_assistant_message="make test", prompt_id="3" if named else None)
    assert [one.answer for one in await events(memory, ExchangeRecorded)] == ["by make test", "make test"]


@pytest.mark.parametrize("times", [1, 9, 70])
async def test_what_a_client_says_itself_however_often_goes_on_with_a_wholly_private_prompt(memory, times):
    await tell(memory, "claude-code", "UserPromptSubmit", prompt="<private>what does quokka cost?</private>")
    done = "<task-notification>\n<task-id>1</task-id>\n</task-notification>"
    for number in range(times):
        await tell(memory, "claude-code", "UserPromptSubmit", prompt=done, prompt_id=f"task {number}")
    own = {"last_assistant_message": "The quokkas are counted", "prompt_id": f"task {number}"}
    await tell(memory, "claude-code", "SubagentStop", agent_id="a", **own)
    await tell(memory, "claude-code", "Stop", **own)
    assert await events(memory, ExchangeRecorded) == []


@pytest.mark.parametrize("id", ["1", None])
async def test_what_follows_another_prompt_than_the_private_one_is_kept(memory, id):
    path = {"tool_input": {"file_path": "/notes/plan.md"}}
    await tell(memory, "claude-code", "UserPromptSubmit", session_id="s", prompt="<private>quokka?</private>")
    for session in ("s.other", "s2", "other"):  # one that has prompts is nobody's subagent
        more = {"session_id": session, "prompt_id": id}
        await tell(memory, "claude-code", "UserPromptSubmit", prompt="how do I plan?", **more)
        await tell(memory, "claude-code", "PostToolUse", tool_use_id=session, **path, **more)
        await tell(memory, "claude-code", "Stop", last_assistant_message="With a plan.", **more)
        await tell(memory, "claude-code", "PostCompact", compact_summary="They planned.", **more)
    assert {event.tool.paths for event in await events(memory, ToolUsed)} == {("/notes/plan.md",)}
    assert len(await events(memory, ExchangeRecorded)) == 3
    assert [one.text for one in await events(memory, CheckpointWritten)] == ["They planned."] * 3


async def test_what_a_tool_read_that_is_private_or_off_limits_is_not_kept(memory, tmp_path):
    (tmp_path / ".aftermindignore").write_text("*.key\n")
    told = {"error": "<private>quokka", "cwd": str(tmp_path)}
    await tell(memory, "claude-code", "PostToolUseFailure", tool_use_id="1", **told)
    path = {"file_path": str(tmp_path / "a.key")}
    await tell(memory, "claude-code", "PostToolUseFailure", tool_use_id="2", tool_input=path, **told | {"error": "q"})
    one, two = (event.tool for event in await events(memory, ToolUsed))
    assert one.error == "[private]"
    assert (two.paths, two.error) == (("[off limits]",), "[off limits]")


@pytest.mark.parametrize(
    "url",
    [
        *("file://{}", "file:{}", "file://localhost{}", "FILE:{}", "file://LocalHost{}", "file:///{}", "file:{}#L10"),
        *("file:{}?raw", "file://elsewhere{}", "file://127.0.0.1{}", "file:secret/plan.md", "file://~/plan.md"),
        *("jar:file:{}!/a", "git+file://{}", '"file:{}"', "file://", "file:\\secret"),
    ],
)
async def test_a_file_url_in_whatever_form_is_off_limits_where_what_it_names_is_or_cannot_be_told(
    memory, tmp_path, url
):
    (tmp_path / ".aftermindignore").write_text("secret/\n")
    named = {"uri": url.format(f"{tmp_path}/%73ecret/plan.md")}
    told = {"cwd": str(tmp_path), "tool_input": named, "error": "no quokka"}
    await tell(memory, "claude-code", "PostToolUseFailure", **told)
    (event,) = await events(memory, ToolUsed)
    assert (event.tool.name, event.tool.paths, event.tool.error) == ("Bash", ("[off limits]",), "[off limits]")


async def test_a_file_url_is_kept_where_nothing_is_listed_or_what_it_names_is_not(memory, tmp_path):
    urls = ["file://{}/open/a.md", "file:{}/open/a.md", "file://localhost{}/open/a.md", "https://acme.example/open"]
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / ".aftermindignore").write_text("secret/\n")
    for number, form in enumerate(urls):
        named = {"uri": form.format(tmp_path / "here")}
        changes = {"cwd": str(tmp_path / "here"), "tool_use_id": str(number), "tool_input": named}
        await tell(memory, "claude-code", "PostToolUse", **changes)
    elsewhere = {"uri": "file://elsewhere/share/a.md"}
    await tell(memory, "claude-code", "PostToolUse", cwd=str(tmp_path), tool_use_id="e", tool_input=elsewhere)
    paths = [event.tool.paths for event in await events(memory, ToolUsed)]
    assert paths == [*((form.format(tmp_path / "here"),) for form in urls), ("file://elsewhere/share/a.md",)]
