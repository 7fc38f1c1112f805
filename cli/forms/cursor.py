"""Cursor's hooks, its own and Claude Code's, which it runs as well. Standard output is a JSON object or nothing. Pure.

A briefing is shown at the start of a session, where Cursor takes one; at a prompt it takes none, so the prompt is
received and nothing said to be shown. An answer comes message by message, all of them of one generation.
"""

from __future__ import annotations

import msgspec

from aftermind.cli.forms.form import Form, Meant, Moment
from aftermind.cli.forms.gated import before_cursors_tool, doing, writes_checkpoint
from aftermind.cli.forms.hooked import LONGEST, hooked
from aftermind.cli.importing.exchange import paths
from aftermind.cli.language.requests import Brief, Checkpoint, EndSession, EndTurn, NoteTool
from aftermind.cli.language.sessions import AskGate

CLIENT = "cursor"


def meant(moment: Moment, payload: bytes, directory: str) -> Meant:
    said = hooked(payload)
    session, project = said.session("conversation_id", "session_id"), said.project(directory)
    message = said.said("generation_id") or None
    match moment:
        case "start":
            return Brief(session=session, project=project, client=CLIENT, message="start", longest=LONGEST)
        case "prompt":
            return Brief(
                prompt=said.asked(), session=session, project=project, client=CLIENT, message=message, show=False
            )
        case "gate":
            writes = writes_checkpoint(said.said("tool_name"), said.tool_input)
            return AskGate(
                session=session,
                project=project,
                writes=writes,
                call=said.said("tool_use_id") or None,
                doing=doing(said.said("tool_name"), said.tool_input),
                paths=paths(said.tool_input),
            )
        case "tool":
            return NoteTool(
                tool=said.tool(),
                session=session,
                project=project,
                client=CLIENT,
                message=message,
                call=said.said("tool_use_id") or None,
            )
        case "turn":
            answer = said.said("text", "last_assistant_message")
            return EndTurn(answer=answer, session=session, project=project, client=CLIENT, message=message)
        case "compact":
            return Checkpoint(
                session=session,
                moment="before",
                trigger=said.said("trigger"),
                project=project,
                client=CLIENT,
                message=message,
            )
        case "end":
            return EndSession(session=session, project=project, reason=said.said("reason") or "ended")
        case _:
            return None


def printed(moment: Moment, payload: bytes, text: str) -> str:
    return msgspec.json.encode({"additional_context": text}).decode() if text and moment == "start" else ""


FORM = Form(
    moments=("start", "prompt", "gate", "tool", "turn", "subagent", "compact", "compacted", "end", "failed"),
    meant=meant,
    printed=printed,
    gated=lambda _, found: before_cursors_tool(found),
)
