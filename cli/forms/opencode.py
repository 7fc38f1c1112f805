"""OpenCode's form: what the plugin (`clients/opencode.js`) hands over. Pure.

    start      {"session": "ses_…", "message": "msg_…"}
    prompt     {"session": "ses_…", "message": "msg_…", "prompt": "…"}
    tool       {"session": "ses_…", "message": "msg_…", "call": "…", "tool": {"tool": "bash", "state": …}}
    turn       {"session": "ses_…", "messages": [{"info": …, "parts": […]}, …]}
    compact    {"session": "ses_…"}
    compacted  {"session": "ses_…", "message": "msg_…", "trigger": "auto", "text": "…"}

`message` is OpenCode's id of the prompt (of the summary, where there is one); a session starts with its first prompt.
The messages of a turn are OpenCode's own, cut to what an exchange is made of: the prompt and all that answers it.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from aftermind.cli.forms.form import NOWHERE, Form, Meant, Moment, as_it_is
from aftermind.cli.importing.exchange import from_milliseconds
from aftermind.cli.importing.opencode_turns import Message, Part, State, Turns, tool_use
from aftermind.cli.language.ids import session_id
from aftermind.cli.language.requests import Brief, Checkpoint, NoteTool, Record
from aftermind.cli.language.wire import NotUnderstood
from aftermind.engine.stored import from_json

CLIENT = "opencode"


class _Info(Message, frozen=True):
    id: str = ""


class _Said(Struct, frozen=True):
    info: _Info
    parts: tuple[Part, ...] = ()


class _Payload(Struct, frozen=True):
    session: str
    message: str | None = None
    prompt: str = ""
    call: str | None = None
    tool: Part | None = None
    messages: tuple[_Said, ...] = ()
    trigger: str = ""
    text: str = ""


_decode = msgspec.json.Decoder(_Payload).decode


def meant(moment: Moment, payload: bytes, directory: str) -> Meant:
    try:
        said = from_json(_decode, payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotUnderstood(f"not what the plugin sends: {error}", logged="no plugin's JSON") from None
    if not said.session.strip():
        raise NotUnderstood("it names no session", logged="no session")
    project, session = directory or NOWHERE, session_id(said.session)
    match moment:
        case "start":
            message = f"start {said.message}" if said.message else None
            return Brief(session=session, project=project, client=CLIENT, message=message)
        case "prompt":
            if not said.prompt.strip():
                raise NotUnderstood("a prompt without a text", logged="no prompt")
            return Brief(
                prompt=said.prompt, session=session, project=project, client=CLIENT, message=said.message or None
            )
        case "tool":
            if said.tool is None or not said.tool.tool:
                raise NotUnderstood("a tool without a name", logged="no tool")
            return NoteTool(
                tool=tool_use(said.tool.tool, said.tool.state or State()),
                session=session,
                project=project,
                client=CLIENT,
                message=said.message or None,
                call=said.call or None,
            )
        case "turn":
            return _turn(said.messages, session, project)
        case "compacted":
            return Checkpoint(
                session=session,
                moment="after",
                trigger=said.trigger,
                text=said.text,
                project=project,
                client=CLIENT,
                message=said.message or None,
            )
        case _:
            return Brief(session=session, project=project, client=CLIENT, compacting=True)


def _turn(messages: tuple[_Said, ...], session: str, project: str) -> Record | None:
    """The exchange; None where nothing in it was answered."""
    turns = Turns()
    for message in messages:
        turns.begin(message.info.id, message.info)
        for part in message.parts:
            turns.add(message.info.id, message.info, part)
    turn = next(turns.ended(), None)
    if turn is None:
        return None
    prompt, answer = turn.whole()
    tools = tuple(turn.tools)
    return Record(
        prompt=prompt,
        answer=answer,
        session=session,
        project=project,
        id=turn.id,
        tools=tools,
        client=CLIENT,
        prompted=from_milliseconds(turn.at),
    )


FORM = Form(moments=("start", "prompt", "tool", "turn", "compact", "compacted"), meant=meant, printed=as_it_is)
