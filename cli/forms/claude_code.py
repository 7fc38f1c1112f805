"""Claude Code's hooks. Standard output is plain text where it becomes context, and empty everywhere else. Pure.

Other editors run these hooks too: Cursor and VS Code load Claude Code's settings. They say who they are by fields of
their own, and are answered in their own form.
"""

from __future__ import annotations

from aftermind.cli.forms import cursor, vscode
from aftermind.cli.forms.form import Form, Meant, Moment
from aftermind.cli.forms.gated import before_tool, doing, writes_checkpoint
from aftermind.cli.forms.hooked import LONGEST, Hooked, hooked, in_context
from aftermind.cli.importing.claude import is_said
from aftermind.cli.importing.exchange import paths
from aftermind.cli.language.requests import Brief, Checkpoint, EndSession, EndTurn, NoteTool
from aftermind.cli.language.sessions import AskGate, Gated

CLIENT = "claude-code"


def meant(moment: Moment, payload: bytes, directory: str) -> Meant:
    said = hooked(payload)
    form = _other(said)
    return form.meant(moment, payload, directory) if form is not None else understood(moment, said, directory)


def understood(moment: Moment, said: Hooked, directory: str, client: str = CLIENT, turn: str = "prompt_id") -> Meant:
    """What a client of this family means; `turn` names the field of its id of a turn."""
    session, project, message = said.session("session_id"), said.project(directory), said.said(turn) or None
    match moment:
        case "start":
            source = f"start {said.said('source')}"
            return Brief(session=session, project=project, client=client, message=source, longest=LONGEST)
        case "prompt":
            prompt = said.asked()
            if not is_said(prompt):  # by the client itself, of a task that went on meanwhile
                return Brief(prompt="", session=session, project=project, client=client, message=message, show=False)
            return Brief(
                prompt=prompt, session=session, project=project, client=client, message=message, longest=LONGEST
            )
        case "gate":
            if said.said("agent_id"):
                return None  # a subagent is not held back: it cannot say where the work stands
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
                session=_own(session, said),
                project=project,
                client=client,
                message=said.said("agent_id") or message,
                call=said.said("tool_use_id") or None,
            )
        case "turn" | "subagent":
            agent = said.said("agent_id")
            if moment == "subagent" and not agent:
                return None
            return EndTurn(
                answer=said.said("last_assistant_message"),
                session=_own(session, said),
                project=project,
                client=client,
                message=agent or message,
            )
        case "compact" | "compacted":
            before = moment == "compact"
            return Checkpoint(
                session=session,
                moment="before" if before else "after",
                trigger=said.said("trigger"),
                text=said.said("custom_instructions" if before else "compact_summary"),
                project=project,
                client=client,
                message=message,
            )
        case "end":
            return EndSession(session=session, project=project, reason=said.said("reason") or "ended")
        case "failed" | "checkpoint":
            return None  # its prompt stays open, and the next one takes its place


def printed(moment: Moment, payload: bytes, text: str) -> str:
    form = _other(hooked(payload)) if text else None
    return form.printed(moment, payload, text) if form is not None else text


def noticed(moment: Moment, payload: bytes, text: str, notice: str) -> str:
    """Only Claude Code itself is known to show it: other editors that run its hooks read what they always read."""
    if _other(hooked(payload)) is not None:
        return printed(moment, payload, text)
    return in_context("SessionStart", text, notice)


def gated(payload: bytes, found: Gated) -> str:
    form = _other(hooked(payload))
    if form is not None:
        return form.gated(payload, found) if form.gated is not None else ""
    return before_tool(found)


def _own(session: str, said: Hooked) -> str:
    """A subagent works in a session of its own: what it says and does is not the assistant's answer to the user."""
    agent = said.said("agent_id")
    return f"{session}.{agent}" if agent else session


def _other(said: Hooked) -> Form | None:
    """The form of an editor that runs these hooks as its own."""
    if said.conversation_id is not None or said.cursor_version is not None:
        return cursor.FORM
    if said.sessionId is not None or said.hookEventName is not None:
        return vscode.FORM
    return None


FORM = Form(
    moments=("start", "prompt", "gate", "tool", "turn", "subagent", "compact", "compacted", "end", "failed"),
    meant=meant,
    printed=printed,
    noticed=noticed,
    gated=gated,
)
