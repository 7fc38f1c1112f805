"""Which of a client's events are hooks of ours, and at which moment each is told. Data."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Hook(Struct, frozen=True, kw_only=True):
    """`on` is the client's own name of the event; `seconds` after which it goes on without us."""

    on: str
    moment: str
    seconds: float = 10


HOOKS: Mapping[str, tuple[Hook, ...]] = {
    "claude-code": (
        Hook(on="SessionStart", moment="start"),
        Hook(on="UserPromptSubmit", moment="prompt", seconds=5),
        Hook(on="PostToolUse", moment="tool"),
        Hook(on="PostToolUseFailure", moment="tool"),
        Hook(on="Stop", moment="turn"),
        Hook(on="SubagentStop", moment="subagent"),
        Hook(on="PreCompact", moment="compact"),
        Hook(on="PostCompact", moment="compacted"),
        Hook(on="SessionEnd", moment="end"),
    ),
    "cursor": (
        Hook(on="sessionStart", moment="start"),
        Hook(on="beforeSubmitPrompt", moment="prompt", seconds=5),
        Hook(on="postToolUse", moment="tool"),
        Hook(on="postToolUseFailure", moment="tool"),
        Hook(on="afterAgentResponse", moment="turn"),
        Hook(on="preCompact", moment="compact"),
        Hook(on="sessionEnd", moment="end"),
    ),
    "codex": (
        Hook(on="SessionStart", moment="start"),
        Hook(on="UserPromptSubmit", moment="prompt", seconds=5),
        Hook(on="PostToolUse", moment="tool"),
        Hook(on="Stop", moment="turn"),
        Hook(on="SubagentStop", moment="subagent"),
        Hook(on="PreCompact", moment="compact"),
        Hook(on="PostCompact", moment="compacted"),
    ),
    "gemini": (
        Hook(on="SessionStart", moment="start"),
        Hook(on="BeforeAgent", moment="prompt", seconds=5),
        Hook(on="AfterTool", moment="tool"),
        Hook(on="AfterAgent", moment="turn"),
        Hook(on="PreCompress", moment="compact"),
        Hook(on="SessionEnd", moment="end"),
    ),
    "vscode": (
        Hook(on="SessionStart", moment="start"),
        Hook(on="UserPromptSubmit", moment="prompt", seconds=5),
        Hook(on="PostToolUse", moment="tool"),
        Hook(on="Stop", moment="turn"),
        Hook(on="PreCompact", moment="compact"),
    ),
}

GATES: Mapping[str, tuple[Hook, ...]] = {
    "claude-code": (Hook(on="PreToolUse", moment="gate", seconds=5),),
    "cursor": (Hook(on="preToolUse", moment="gate", seconds=5),),
}
"""Before a tool is used: where the user's policy wants a checkpoint now and then (`gate.hold_after`), and else not at
all, for each of them takes some milliseconds."""
PATIENCE = "1"
"""Seconds for which the daemon is waited for there: then the tool is used."""


def hooks_of(client: str, *, gate: bool) -> tuple[Hook, ...]:
    """The hooks of a client, with those of the gate where it is wanted."""
    return (*HOOKS[client], *(GATES.get(client, ()) if gate else ()))
