"""What a thin door forwarded unread is understood here. A client has its forms; this file knows the plain one, `json`:
the object `aftermind record --help` shows, at each of three moments of a turn."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from aftermind.cli.arguments import Misused
from aftermind.cli.delivered import delivered
from aftermind.cli.filing import session_id
from aftermind.cli.requests import Brief, Deliver, EndSession, Record
from aftermind.cli.wire import NotUnderstood
from aftermind.engine.errors import Unusable

Moment: TypeAlias = Literal["prompt", "turn", "end"]
"""A prompt was sent, an answer is complete, a session is over."""
AWAITED = ("prompt", "start")
"""Those whose answer the client waits for."""


def meant(asked: Deliver) -> Brief | Record | EndSession:
    """The request a delivery amounts to; `Unusable` or `NotUnderstood` for what no client sends."""
    if asked.client != "json":
        raise Unusable("no such client", asked.client, hint="json is the one there is")
    if asked.event not in get_args(Moment):
        raise Unusable("no such event", asked.event, hint=f"one of: {', '.join(get_args(Moment))}")
    try:
        said = delivered(asked.payload.decode("utf-8", "replace"))
    except Misused as error:
        raise NotUnderstood(str(error)) from error
    project = said.project or asked.directory or None
    session = session_id(said.session or "")
    client = said.client or asked.client
    match asked.event:
        case "prompt":
            return Brief(prompt=said.prompt, session=session, project=project, client=client)
        case "turn":
            return Record(
                prompt=said.prompt,
                answer=said.answer,
                session=session,
                project=project,
                id=said.id,
                tools=said.tools,
                client=client,
                at=said.at,
            )
        case _:
            return EndSession(session=session)
