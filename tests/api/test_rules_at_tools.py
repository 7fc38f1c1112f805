"""Rules are shown before a tool that meets their condition, where the user wants that; once a turn, and as data."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.requests import Deliver
from aftermind.cli.language.sessions import AskGate, Gated
from aftermind.engine.errors import OffLimits
from aftermind.engine.events import ContextInjected
from aftermind.engine.policy import Gate, Policy
from aftermind.projections.recalling.shown.briefing import CLOSE, OPEN
from aftermind.projections.recalling.shown.fences import without_ours

pytestmark = pytest.mark.anyio
CLAUDE = Path(__file__).parents[1] / "golden" / "hooks" / "claude-code" / "PostToolUse.json"


@pytest.fixture
async def guided(folder: Path) -> AsyncIterator[OpenMemory]:
    async with aftermind.open_memory(folder, policy=Policy(gate=Gate(rules=True))) as memory:
        yield memory


async def asked(memory: OpenMemory, doing: str, *paths: str, call: str | None = None) -> Gated:
    return await memory.ask(AskGate(session="s", project="shop", doing=doing, paths=paths, call=call))


async def test_a_rule_is_shown_before_the_tool_it_is_about_once_a_turn_and_can_be_credited(guided):
    push = await guided.remember("On push: run make check", kind="directive", project="shop")
    path = await guided.remember("No mocks of our own code", kind="directive", project="shop", tags=["in:tests/"])
    await guided.remember("On push: feed the zebra", kind="directive", project="zoo")
    assert await asked(guided, "Bash git push") == Gated()  # a session nobody knows
    await guided.context("mend it", session="s", project="shop")
    assert await asked(guided, "Bash ls") == Gated()
    told = await asked(guided, "Bash git push origin main")
    assert told.verdict == "remind"
    assert told.text.startswith(OPEN)
    assert told.text.endswith(CLOSE)
    assert push in told.text
    assert "zebra" not in told.text
    assert without_ours(told.text) == ""
    assert await asked(guided, "Bash git push") == Gated()
    assert path in (await asked(guided, "Edit", "/w/shop/tests/test_a.py")).text
    exchange = await guided.record("mend it", "Mended.", session="s", project="shop")
    await guided.score("worked", exchange=exchange.id, memories={push: "worked"})
    assert (await guided.show(push)).outcomes.worked == 1
    await guided.context("again", session="s", project="shop")
    assert push in (await asked(guided, "Bash git push")).text


async def test_the_same_call_asked_of_twice_is_shown_to_once(guided):
    await guided.remember("On push: run make check", kind="directive", project="shop")
    await guided.context("mend it", session="s", project="shop")
    await asked(guided, "Bash git push", call="c1")
    await asked(guided, "Bash git push", call="c1")
    shown = [one for one in await guided.events() if isinstance(one.draft.event, ContextInjected)]
    assert len(shown) == 1


async def test_claude_code_reads_it_before_it_uses_the_tool(guided, tmp_path):
    rule = await guided.remember("On push: run make check", kind="directive", project=tmp_path)
    said = json.loads(CLAUDE.read_text()) | {"cwd": str(tmp_path), "session_id": "s", "hook_event_name": "PreToolUse"}
    said |= {"tool_name": "Bash", "tool_input": {"command": "git push"}}
    await guided.context("mend it", session="s", project=tmp_path)
    payload = json.dumps(said).encode()
    answer = await guided.ask(Deliver(client="claude-code", event="gate", payload=payload, directory=str(tmp_path)))
    told = json.loads(answer.text)["hookSpecificOutput"]
    assert rule in told["additionalContext"]
    assert "permissionDecision" not in told


async def test_a_gate_that_can_deadlock_rules_hold_nothing_back_and_a_paused_project_shows_none(guided):
    await guided.remember("Never push", kind="directive", project="shop", tags=["on:push"])
    await guided.context("mend it", session="s", project="shop")
    assert (await asked(guided, "Bash git push")).verdict == "remind"
    await guided.context("again", session="s", project="shop")
    await guided.pause("shop")
    with pytest.raises(OffLimits):
        await asked(guided, "Bash git push")


async def test_where_nobody_wants_it_no_rule_is_looked_for(memory):
    await memory.remember("On push: run make check", kind="directive", project="shop")
    await memory.context("mend it", session="s", project="shop")
    assert await memory.ask(AskGate(session="s", project="shop", doing="Bash git push")) == Gated()
