"""What is shortened on its way in says no part of a secret: it is masked before it is cut."""

from __future__ import annotations

import json

import pytest

from aftermind.cli.forms import meant
from aftermind.cli.forms.hooked import LONGEST_NAME
from aftermind.cli.language.requests import Deliver, NoteTool
from aftermind.engine.events import ExchangeJudged
from aftermind.sidecar.ports import Findings, Learned
from tests.desks import case, put
from tests.spooling import recorded

pytestmark = pytest.mark.anyio
TOKEN = "ghp_" + "a1B2" * 9
PART = TOKEN[:12]


async def test_the_words_of_a_verdict_and_the_tags_of_what_was_learned(memory):
    await memory.record("which port?", "5432", session="s")
    await memory.context("thanks", session="s")
    thing = Learned(text="The port is 5432", kind="fact", tags=(f"{'t' * 20} {TOKEN}",), evidence="5432")
    said = Findings(outcome="worked", evidence=f"{'x' * 380} {TOKEN}", learned=(thing,), summary=f"{'y' * 380} {TOKEN}")
    assert await put(memory, await case(memory), said)
    (judged,) = await recorded(memory, ExchangeJudged)
    assert PART not in repr(judged)
    (found,) = await memory.latest(collections=["memory_bank"])
    assert found.tags
    assert PART not in found.tags[0]


def test_the_name_of_a_tool():
    told = {
        "hook_event_name": "PostToolUse",
        "session_id": "s",
        "cwd": "/work",
        "tool_name": f"{'n' * (LONGEST_NAME - 20)} {TOKEN}",
        "tool_input": {},
    }
    asked = meant(Deliver(client="claude-code", event="tool", payload=json.dumps(told).encode()))
    assert isinstance(asked, NoteTool)
    assert PART not in asked.tool.name
