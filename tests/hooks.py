"""What clients' hooks are handed on standard input: one file each in `golden/hooks/<client>/<event>.json`, written
after the clients' documentation. `<event>.<what for>` is the same event on another occasion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from aftermind.cli.clients.hooks import HOOKS

FOLDER = Path(__file__).parent / "golden" / "hooks"
PROMPT = "How do I deploy the billing service? 部署"
ANSWER = "Run make release-billing.\n\nThen check the logs."
HERE = "/home/ada/billing"
MORE = {
    ("claude-code", "PreToolUse"): "gate",
    ("cursor", "preToolUse"): "gate",
    ("claude-code", "StopFailure"): "failed",
    ("cursor", "stop"): "failed",
    ("cursor", "UserPromptSubmit"): "prompt",
    ("cursor", "Stop"): "turn",
    ("codex", "notify"): "turn",
    ("vscode", "SessionStart"): "start",
    ("vscode", "UserPromptSubmit"): "prompt",
    ("vscode", "PostToolUse"): "tool",
    ("vscode", "Stop"): "turn",
    ("vscode", "PreCompact"): "compact",
}
"""Events that are understood, and are not registered by every installation."""
MOMENTS = {(client, hook.on): hook.moment for client, hooks in HOOKS.items() for hook in hooks} | MORE
ORDER = ("start", "prompt", "gate", "tool", "turn", "subagent", "compact", "compacted", "failed", "end")


def stdin(client: str, event: str, **changes: Any) -> bytes:
    """What the client's hook is handed, with other values of some fields."""
    raw = (FOLDER / client / f"{event}.json").read_bytes()
    return json.dumps({**json.loads(raw), **changes}).encode() if changes else raw


def moment(client: str, event: str) -> str:
    """The EVENT the client's configuration passes with it."""
    return MOMENTS[client, event.partition(".")[0]]


RECORDED = sorted(
    ((file.parent.name, file.stem) for file in FOLDER.glob("*/*.json")),
    key=lambda one: (one[0], ORDER.index(moment(*one)), one[1]),
)
"""Client by client, as a session goes."""
