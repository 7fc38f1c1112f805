"""Turns as clients tell them, piece by piece, twice, late, broken off: what is recorded of them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.hooks import ANSWER, HERE, PROMPT, stdin
from tests.telling import Told, opened
from tests.wired import new_key, raw, until

import aftermind
from aftermind.cli.language.requests import Deliver
from aftermind.cli.language.wire import Call, framed
from aftermind.engine.events import (
    CheckpointWritten,
    ContextInjected,
    Erased,
    ExchangeRecorded,
    ExchangeRevised,
    PromptReceived,
    SessionEnded,
    ToolUsed,
)
from aftermind.engine.policy import Policy
from aftermind.engine.store import spool

pytestmark = pytest.mark.anyio
ADVICE = "To deploy the billing service run make release-billing"


@pytest.fixture
async def told(tmp_path: Path) -> AsyncIterator[Told]:
    async with opened(tmp_path / "store") as found:
        yield found


STORIES = {
    "claude-code": ("UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop"),
    "cursor": ("beforeSubmitPrompt", "postToolUse", "postToolUseFailure", "afterAgentResponse"),
    "codex": ("UserPromptSubmit", "PostToolUse", "Stop"),
    "gemini": ("BeforeAgent", "AfterTool.failed", "AfterTool", "AfterAgent"),
}


@pytest.mark.parametrize("client", STORIES)
async def test_a_turn_told_in_pieces_is_one_exchange_however_often_each_is_told(told, client):
    for event in STORIES[client]:
        await told(client, event)
        before = (await told.memory.state()).head
        await told(client, event)
        await asyncio.gather(*(told_again(told, client, event) for _ in range(3)))
        assert (await told.memory.state()).head == before, event
    for event in STORIES[client]:  # all of it once more, later
        await told(client, event)
    exchange = await told.exchange()
    assert (exchange.prompt, exchange.answer, exchange.client) == (PROMPT, ANSWER, client)
    assert sorted(tool.ok for tool in exchange.tools) == sorted([True] if client == "codex" else [True, False])
    assert len(await told.events(PromptReceived)) == 1
    assert await told.events(ExchangeRevised) == []


async def told_again(told: Told, client: str, event: str) -> None:
    async with raw(told.memory.folder) as other:
        await Told(told.memory, other)(client, event)


async def test_a_briefing_is_shown_to_a_prompt_once_and_credited_to_its_exchange(told):
    await told.memory.remember(ADVICE)
    assert ADVICE in await told("claude-code", "UserPromptSubmit")
    assert await told("claude-code", "UserPromptSubmit") == ""
    await told("claude-code", "Stop")
    (shown,) = [one for one in await told.memory.events() if isinstance(one.draft.event, ContextInjected)]
    assert (await told.exchange()).injections == (shown.draft.id,)


async def test_asked_again_under_one_key_the_first_showing_was_seen_by_nobody(told):
    await told.memory.remember(ADVICE)
    key = new_key()
    for _ in range(2):
        assert ADVICE in await told("claude-code", "UserPromptSubmit", key=key)
    assert len(await told.events(PromptReceived)) == 1


async def test_of_many_at_once_one_is_shown_what_is_known(told):
    await told.memory.remember(ADVICE)
    texts: list[str] = []

    async def ask(event: str, **changes: Any) -> None:
        async with raw(told.memory.folder) as client:
            texts.append(await Told(told.memory, client)("claude-code", event, **changes))

    await asyncio.gather(*(ask("UserPromptSubmit") for _ in range(8)))
    assert sorted(map(bool, texts)) == [False] * 7 + [True]
    await told("claude-code", "Stop")
    texts.clear()
    await asyncio.gather(*(ask("SessionStart") for _ in range(8)))
    assert sorted(map(bool, texts)) == [False] * 7 + [True]
    assert len(await told.events(ContextInjected)) == 2


async def test_a_session_begins_with_what_was_said_last_and_so_does_what_is_left_after_a_compaction(told):
    for event in ("UserPromptSubmit", "Stop"):
        await told("claude-code", event)
    for number in range(9):
        await told.memory.remember(f"Rule {number} holds", kind="preference")
    await told("claude-code", "PreCompact")
    await told("claude-code", "PostCompact")
    text = await told("claude-code", "SessionStart.compact")
    assert "release-billing" in text
    assert re.findall(r"Rule (\d) holds", text) == ["8", "7", "6", "5", "4"]
    assert len(text) < 10_000
    (shown,) = await told.events(ContextInjected)
    assert shown.query == ""
    before, after = await told.events(CheckpointWritten)
    assert (before.moment, before.trigger, before.text) == ("before", "manual", "keep how billing is deployed")
    assert (after.moment, after.text) == ("after", "The user deploys billing with make release-billing.")
    head = (await told.memory.state()).head
    for event in ("PreCompact", "PostCompact"):
        await told("claude-code", event)
    assert (await told.memory.state()).head == head


async def test_a_briefing_fits_whatever_budget_somebody_set(tmp_path):
    policy = Policy(ranking=structs.replace(Policy().ranking, budget=100_000, limit=500, floor=0.0))
    async with aftermind.open_memory(tmp_path / "store", policy=policy) as memory, raw(memory.folder) as client:
        for number in range(60):
            await memory.remember(f"To deploy the billing service in region {number} {'be very careful ' * 20}")
        text = await Told(memory, client)("claude-code", "UserPromptSubmit")
        assert 9_000 < len(text) < 10_000


async def test_a_prompt_that_was_broken_off_has_no_exchange_and_no_merit(told):
    """Its answer never comes: what it was shown is credited to nobody, and its tools are not the next one's."""
    await told.memory.remember(ADVICE)
    await told("claude-code", "UserPromptSubmit")
    await told("claude-code", "PostToolUse")
    await told("claude-code", "StopFailure")
    for event in ("UserPromptSubmit", "PostToolUseFailure", "Stop"):
        await told("claude-code", event, prompt_id="another", **({"prompt": "and now?"} if event[0] == "U" else {}))
    exchange = await told.exchange()
    assert (exchange.prompt, exchange.injections) == ("and now?", ())
    assert [tool.name for tool in exchange.tools] == ["Bash"]


async def test_without_ids_a_turn_is_the_sessions_last_prompt(told):
    """As older versions tell it."""
    for prompt, answer in (("first?", None), ("second?", "the second"), ("third?", "the third")):
        await told("claude-code", "UserPromptSubmit", prompt=prompt, prompt_id=None)
        await told("claude-code", "PostToolUse", tool_use_id=prompt, prompt_id=None)
        for _ in range(2):
            await told("claude-code", "Stop", last_assistant_message=answer, prompt_id=None)
    found = await told.events(ExchangeRecorded)
    assert [(one.prompt, one.answer, len(one.tools)) for one in found] == [
        ("second?", "the second", 1),
        ("third?", "the third", 1),
    ]


@pytest.mark.parametrize("answer", [None, "", " \n"])
async def test_a_turn_without_an_answer_is_none_and_stays_open(told, answer):
    await told("claude-code", "UserPromptSubmit")
    await told("claude-code", "Stop", last_assistant_message=answer)
    assert await told.events(ExchangeRecorded) == []
    await told("claude-code", "Stop")
    assert (await told.exchange()).answer == ANSWER


async def test_a_turn_that_ends_again_has_more_to_say(told):
    """Another hook made the assistant go on, or it answers message by message."""
    await told("claude-code", "UserPromptSubmit")
    for answer in ("One moment.", "It is 8081.", "One moment.", "It is 8081.", "It is 8081. Sure."):
        await told("claude-code", "Stop", last_assistant_message=answer, stop_hook_active=True)
    await told("claude-code", "PostToolUse")
    await told("claude-code", "Stop", last_assistant_message="Done.")
    assert (await told.exchange()).answer == "One moment."
    grown = await told.events(ExchangeRevised)
    assert [one.answer.split("\n\n") for one in grown] == [
        ["One moment.", "It is 8081."],
        ["One moment.", "It is 8081.", "It is 8081. Sure."],
        ["One moment.", "It is 8081.", "It is 8081. Sure.", "Done."],
    ]
    assert [len(one.tools) for one in grown] == [0, 0, 1]


async def test_a_subagent_is_not_mixed_into_its_parents_exchange(told):
    for event in ("UserPromptSubmit", "PostToolUse.subagent", "SubagentStop", "PostToolUse", "Stop", "SubagentStop"):
        await told("claude-code", event)
    agents, own = await told.events(ExchangeRecorded)
    assert (own.prompt, own.answer, [tool.name for tool in own.tools]) == (PROMPT, ANSWER, ["Edit"])
    assert agents.session == f"{own.session}.a7f3c21"
    assert (agents.answer, [tool.name for tool in agents.tools]) == ("The release job is in ci/release.yml.", ["Grep"])


async def test_an_answer_joins_its_prompt_though_the_assistant_went_elsewhere_and_others_asked(told, tmp_path):
    (tmp_path / "other").mkdir()
    await told("claude-code", "UserPromptSubmit")
    await told("claude-code", "PostToolUse", cwd=str(tmp_path / "other"))
    await told("claude-code", "UserPromptSubmit", session_id="another", prompt_id="p", prompt="unrelated?")
    await told("claude-code", "UserPromptSubmit", prompt_id="queued", prompt="and then?")
    await told("claude-code", "Stop", cwd=str(tmp_path / "other"))
    exchange = await told.exchange()
    (first, _, _) = await told.events(PromptReceived)
    assert (exchange.prompt, exchange.scope) == (PROMPT, first.scope)
    assert [tool.name for tool in exchange.tools] == ["Edit"]


@pytest.mark.parametrize("id", ["1", None])
async def test_of_two_projects_with_one_session_each_has_its_own_answer(told, tmp_path, id):
    places = {name: str(tmp_path / name) for name in ("a", "b")}
    for event, name in (("UserPromptSubmit", "a"), ("UserPromptSubmit", "b"), ("Stop", "a"), ("Stop", "b")):
        (tmp_path / name).mkdir(exist_ok=True)
        more = {"prompt": f"in {name}?"} if event[0] == "U" else {"last_assistant_message": f"of {name}"}
        await told("claude-code", event, cwd=places[name], prompt_id=id, **more)
    found = await told.events(ExchangeRecorded)
    assert {(one.prompt, one.answer) for one in found} == {("in a?", "of a"), ("in b?", "of b")}
    assert len({one.scope for one in found}) == 2


async def test_an_answer_whose_prompt_nobody_told_is_kept(told):
    for _ in range(2):
        await told("claude-code", "Stop")
    exchange = await told.exchange()
    assert (exchange.prompt, exchange.answer) == ("", ANSWER)


async def test_an_answer_waits_for_its_prompt_where_that_may_be_in_the_spool(told):
    """The daemon was away when the prompt was said, and back when the answer was."""
    folder = told.memory.folder
    payload = stdin("claude-code", "UserPromptSubmit")
    key = new_key()
    asked = Deliver(client="claude-code", event="prompt", payload=payload, directory="/nowhere")
    half = folder / "spool" / f"{key}.part"
    half.parent.mkdir(exist_ok=True)
    half.write_bytes(framed(Call(key=key, request=asked))[4:])
    stuck = folder / "spool" / f"{new_key()}.json"
    stuck.symlink_to("nowhere")  # which nobody reads or removes
    with pytest.raises(aftermind.engine.errors.Refused, match="its prompt may still be in the spool"):
        await told("claude-code", "Stop")
    stuck.unlink()
    half.rename(half.with_suffix(".json"))
    await until(lambda: not spool.spooled(folder).waiting, "the prompt is drained")
    await told("claude-code", "Stop")
    assert (await told.exchange()).prompt == PROMPT
    assert await told.events(ContextInjected) == []


async def test_cursor_running_two_sets_of_hooks_is_one_cursor(told):
    """Its own and Claude Code's, of which it runs both."""
    await told.memory.remember(ADVICE)
    for event, theirs in (("beforeSubmitPrompt", "UserPromptSubmit"), ("afterAgentResponse", "Stop")):
        assert await told("cursor", event) == ""
        assert await told("cursor", theirs, by="claude-code") == ""
    exchange = await told.exchange()
    assert (exchange.prompt, exchange.answer, exchange.client) == (PROMPT, ANSWER, "cursor")
    assert await told.events(ContextInjected) == []
    assert len(await told.events(PromptReceived)) == 1


async def test_codex_may_tell_a_turn_by_its_hooks_and_by_notify(told):
    for event in ("UserPromptSubmit", "notify", "Stop", "notify"):
        await told("codex", event)
    assert (await told.exchange()).prompt == PROMPT


async def test_notify_alone_tells_a_whole_turn(told):
    for _ in range(2):
        await told("codex", "notify")
    exchange = await told.exchange()
    assert (exchange.prompt, exchange.answer) == (PROMPT, ANSWER)


async def test_a_session_that_ends_twice_ended_once(told):
    for event in ("UserPromptSubmit", "Stop", "SessionEnd", "SessionEnd"):
        await told("claude-code", event)
    assert [one.reason for one in await told.events(SessionEnded)] == ["prompt_input_exit"]


async def test_what_is_forgotten_takes_its_prompt_and_tools_with_it(told):
    for event in STORIES["claude-code"]:
        await told("claude-code", event)
    exchange = await told.exchange()
    await told.memory.forget(exchange.memory)
    (gone,) = [
        one.draft.event for one in await told.memory.events() if one.draft.event.__class__.__name__ == "MemoryForgotten"
    ]
    emptied = {one.draft.id: one.draft.event for one in await told.memory.events()}
    tags = {event.tag for id in gone.quoted_in if isinstance(event := emptied[id], Erased)}
    assert {"prompt-received", "tool-used", "exchange-recorded"} <= tags


async def test_a_tools_secret_does_not_reach_the_log(told):
    token = "ghp_" + "a1B2" * 9
    await told("claude-code", "PostToolUseFailure", error=f"fatal: bad credentials {token}")
    (used,) = await told.events(ToolUsed)
    assert token not in json.dumps(used.tool.error)
    assert "fatal: bad credentials" in used.tool.error


@pytest.mark.parametrize(
    "client", ["claude-code", "claude-code without ids", "gemini", "json without ids", "json by answers without ids"]
)
async def test_a_turn_that_was_forgotten_is_not_recorded_when_it_ends_again(told, client):
    """Nor does its answer go to the exchange before; the same words in a turn that begins anew are recorded."""

    async def begins(prompt: str, id: str) -> None:
        if client == "gemini":
            await told("gemini", "BeforeAgent", prompt=prompt, timestamp=id)
        elif client.startswith("json"):
            await told.plainly("prompt", prompt=prompt)
        else:
            named = None if client.endswith("ids") else id
            await told("claude-code", "UserPromptSubmit", prompt=prompt, prompt_id=named)

    async def ends(prompt: str, id: str, answer: str) -> None:
        if client == "gemini":
            await told("gemini", "AfterAgent", prompt=prompt, prompt_response=answer)
        elif client.startswith("json"):
            await told.plainly("turn", answer=answer, **({} if "answers" in client else {"prompt": prompt}))
        else:
            named = None if client.endswith("ids") else id
            await told("claude-code", "Stop", prompt_id=named, last_assistant_message=answer)

    await told.memory.remember("To deploy run make release", project=HERE)
    for prompt, id, answer in (("build?", "p1", "make"), ("deploy?", "p2", "The quokka does.")):
        await begins(prompt, id)
        await ends(prompt, id, answer)
    (memory,) = [one.memory for one in await told.events(ExchangeRecorded) if one.prompt == "deploy?"]
    await told.memory.forget(memory)
    head = (await told.memory.state()).head
    if not client.endswith("ids"):  # without, it is a prompt that is said anew
        await begins("deploy?", "p2")
    for answer in ("The quokka does.", "The quokka does, and more."):
        await ends("deploy?", "p2", answer)
    assert (await told.memory.state()).head == head
    await begins("deploy?", "p3")
    await ends("deploy?", "p3", "The quokka, again.")
    assert [one.answer for one in await told.events(ExchangeRecorded)] == ["make", "The quokka, again."]
