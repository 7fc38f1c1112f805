"""What the hooks of Claude Code's family say on standard input, as far as it is of use here. Pure.

Fields nobody knows are passed over, for clients add some with every version; a field of another type than it has to be
is `NotUnderstood`, where it is looked at. Missing ones are empty.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from aftermind.cli.forms.form import NOWHERE
from aftermind.cli.importing.exchange import error_end, folder, paths
from aftermind.cli.language.wire import NotUnderstood
from aftermind.engine.events import ToolUse
from aftermind.engine.stored import clean_text, from_json

LONGEST = 9_900
"""Characters of a briefing. Clients put what is longer than 10,000 into a file and show the model its name."""
LONGEST_NAME = 200


class Hooked(Struct, frozen=True):
    """One hook's payload. What a client calls its own is in a comment beside it."""

    session_id: object = None
    sessionId: object = None  # noqa: N815 - VS Code
    conversation_id: object = None  # Cursor
    cursor_version: object = None
    prompt_id: object = None  # Claude Code
    turn_id: object = None  # Codex
    generation_id: object = None  # Cursor
    hook_event_name: object = None
    hookEventName: object = None  # noqa: N815 - VS Code
    timestamp: object = None  # Gemini, VS Code
    cwd: object = None
    workspace_roots: object = None  # Cursor
    source: object = None
    trigger: object = None
    reason: object = None
    prompt: object = None
    prompt_response: object = None  # Gemini
    text: object = None  # Cursor
    last_assistant_message: object = None
    agent_id: object = None
    custom_instructions: object = None
    compact_summary: object = None
    tool_name: object = None
    tool_input: object = None
    tool_use_id: object = None
    tool_response: object = None
    error: object = None
    error_message: object = None  # Cursor

    def said(self, *names: str) -> str:
        """The first of some fields that has a text; empty when none has."""
        for name in names:
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise NotUnderstood(f"the value of {name} is no text", logged=f"the value of {name}")
            if value and value.strip():
                return str(value)
        return ""

    def session(self, *names: str) -> str:
        """The session's id, from the first of some fields; `NotUnderstood` without one."""
        found = self.said(*names)
        if not found:
            raise NotUnderstood("it names no session", hint=f"the key is {names[0]}", logged="no session")
        return found

    def asked(self) -> str:
        """The prompt; `NotUnderstood` without one."""
        found = self.said("prompt")
        if not found:
            raise NotUnderstood("a prompt without a text", hint="the key is prompt", logged="no prompt")
        return found

    def project(self, directory: str) -> str:
        """Where it was said: what the payload names, or else the folder the hook ran in."""
        roots = self.workspace_roots
        first = roots[0] if isinstance(roots, list) and roots else None
        named = self.said("cwd") or (first if isinstance(first, str) else "")
        found = folder(named)
        return str(found) if found is not None else directory or NOWHERE

    def tool(self) -> ToolUse:
        """The tool that was used; `NotUnderstood` without its name."""
        name = self.said("tool_name")
        if not name:
            raise NotUnderstood("a tool without a name", hint="the key is tool_name", logged="no tool")
        response = self.tool_response
        within = response.get("error") if isinstance(response, dict) else None
        error = self.said("error", "error_message") or _printed(within)
        return ToolUse(
            name=clean_text(name)[:LONGEST_NAME],
            paths=paths(self.tool_input),
            ok=not (error or self.event.endswith("Failure")),
            error=error_end(error),
        )

    @property
    def event(self) -> str:
        """What the client calls the event."""
        return self.said("hook_event_name", "hookEventName")


def hooked(payload: bytes) -> Hooked:
    """`NotUnderstood` when it is no JSON object."""
    text = payload.decode("utf-8-sig", "replace").strip()
    if not text:
        raise NotUnderstood("standard input was empty", hint="a hook is handed a JSON object", logged="empty")
    try:
        return from_json(_decode, text.encode())
    except (msgspec.DecodeError, RecursionError) as error:
        raise NotUnderstood(f"it is no JSON object: {error}", logged="no JSON") from None


def in_context(event: str, text: str, notice: str = "") -> str:
    """A briefing as most clients take it on standard output, with a notice for the user; nothing where there is none of
    both."""
    answer: dict[str, object] = {}
    if text:
        answer["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": text}
    if notice:
        answer["systemMessage"] = notice
    return msgspec.json.encode(answer).decode() if answer else ""


def _printed(error: object) -> str:
    """An error, which is text or has one."""
    if isinstance(error, dict):
        error = error.get("message")
    return error if isinstance(error, str) else ""


_decode = msgspec.json.Decoder(Hooked).decode
