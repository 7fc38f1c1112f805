"""Gemini CLI's hooks. Standard output is a JSON object or nothing. Pure.

It has no id for a turn: what it tells twice it tells with the same time. An answer comes with its prompt.
"""

from __future__ import annotations

from aftermind.cli.forms.form import Form, Meant, Moment
from aftermind.cli.forms.hooked import LONGEST, hooked, in_context
from aftermind.cli.language.requests import Brief, Checkpoint, EndSession, EndTurn, NoteTool

CLIENT = "gemini"
EVENTS = {"start": "SessionStart", "prompt": "BeforeAgent"}


def meant(moment: Moment, payload: bytes, directory: str) -> Meant:
    said = hooked(payload)
    session, project, at = said.session("session_id"), said.project(directory), said.said("timestamp")
    match moment:
        case "start":
            source = f"start {said.said('source', 'trigger')}"
            return Brief(session=session, project=project, client=CLIENT, message=source, longest=LONGEST)
        case "prompt":
            return Brief(
                prompt=said.asked(),
                session=session,
                project=project,
                client=CLIENT,
                message=f"at {at}" if at else None,
                longest=LONGEST,
            )
        case "tool":
            tool = said.tool()
            call = f"{at} {tool.name} {tool.paths}" if at else None
            return NoteTool(tool=tool, session=session, project=project, client=CLIENT, call=call)
        case "turn":
            return EndTurn(
                prompt=said.said("prompt"),
                answer=said.said("prompt_response"),
                session=session,
                project=project,
                client=CLIENT,
            )
        case "compact":
            return Checkpoint(
                session=session,
                moment="before",
                trigger=said.said("trigger"),
                project=project,
                client=CLIENT,
                message=at or None,
            )
        case "end":
            return EndSession(session=session, project=project, reason=said.said("reason", "trigger") or "ended")
        case _:
            return None


def printed(moment: Moment, payload: bytes, text: str) -> str:
    return in_context(EVENTS[moment], text) if moment in EVENTS else ""


FORM = Form(moments=("start", "prompt", "tool", "turn", "compact", "end"), meant=meant, printed=printed)
