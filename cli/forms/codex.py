"""Codex's hooks, which are of Claude Code's family, and its `notify`, which tells a whole turn at once. Pure.

Standard output is a JSON object of a strict schema, or nothing.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from aftermind.cli.forms.claude_code import understood
from aftermind.cli.forms.form import NOWHERE, Form, Meant, Moment
from aftermind.cli.forms.hooked import hooked, in_context
from aftermind.cli.importing.exchange import folder
from aftermind.cli.language.requests import EndTurn
from aftermind.cli.language.wire import NotUnderstood
from aftermind.engine.stored import from_json

CLIENT = "codex"
EVENTS = {"start": "SessionStart", "prompt": "UserPromptSubmit"}


class Notified(Struct, frozen=True, rename="kebab"):
    """What `notify` hands over, as the last word of its command line."""

    type: str = ""
    thread_id: str = ""
    turn_id: str = ""
    cwd: str = ""
    input_messages: list[str] = []
    last_assistant_message: str | None = None


def meant(moment: Moment, payload: bytes, directory: str) -> Meant:
    if moment == "turn" and (notified := _notified(payload)) is not None:
        if not notified.thread_id.strip():
            raise NotUnderstood("it names no session", hint="the key is thread-id", logged="no session")
        project = folder(notified.cwd)
        return EndTurn(
            prompt="\n".join(notified.input_messages),
            answer=notified.last_assistant_message or "",
            session=notified.thread_id,
            project=str(project) if project is not None else directory or NOWHERE,
            client=CLIENT,
            message=notified.turn_id or None,
        )
    return understood(moment, hooked(payload), directory, CLIENT, "turn_id")


def printed(moment: Moment, payload: bytes, text: str) -> str:
    return in_context(EVENTS[moment], text) if moment in EVENTS else ""


def _notified(payload: bytes) -> Notified | None:
    try:
        found = from_json(_decode, payload.decode("utf-8-sig", "replace").encode())
    except (msgspec.DecodeError, RecursionError):
        return None
    return found if found.type == "agent-turn-complete" else None


_decode = msgspec.json.Decoder(Notified).decode
FORM = Form(
    moments=("start", "prompt", "tool", "turn", "subagent", "compact", "compacted", "end", "failed"),
    meant=meant,
    printed=printed,
)
