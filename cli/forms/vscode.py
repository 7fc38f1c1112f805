"""VS Code's hooks, its own and Claude Code's, which it runs as well. Standard output is a JSON object or nothing. Pure.

A briefing is shown at the start of a session; at a prompt nothing can be. The end of a turn does not tell the answer:
that comes by the MCP tool, or by a client that does tell it.
"""

from __future__ import annotations

from aftermind.cli.forms.form import Form, Meant, Moment
from aftermind.cli.forms.hooked import LONGEST, hooked, in_context
from aftermind.cli.language.requests import Brief, Checkpoint, EndTurn, NoteTool

CLIENT = "vscode"


def meant(moment: Moment, payload: bytes, directory: str) -> Meant:
    said = hooked(payload)
    session, project, at = said.session("sessionId", "session_id"), said.project(directory), said.said("timestamp")
    match moment:
        case "start":
            return Brief(session=session, project=project, client=CLIENT, message="start", longest=LONGEST)
        case "prompt":
            return Brief(
                prompt=said.asked(),
                session=session,
                project=project,
                client=CLIENT,
                message=f"at {at}" if at else None,
                show=False,
            )
        case "tool":
            call = said.said("tool_use_id") or None
            return NoteTool(tool=said.tool(), session=session, project=project, client=CLIENT, call=call)
        case "turn":
            answer = said.said("last_assistant_message")
            return EndTurn(answer=answer, session=session, project=project, client=CLIENT)
        case "compact":
            return Checkpoint(
                session=session,
                moment="before",
                trigger=said.said("trigger"),
                project=project,
                client=CLIENT,
                message=at or None,
            )
        case _:
            return None


def printed(moment: Moment, payload: bytes, text: str) -> str:
    return in_context("SessionStart", text) if moment == "start" else ""


FORM = Form(
    moments=("start", "prompt", "tool", "turn", "subagent", "compact", "compacted", "end", "failed"),
    meant=meant,
    printed=printed,
)
