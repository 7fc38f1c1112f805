"""What a thin door forwarded unread is understood here. A client has its forms; this file knows the plain one, `json`:
the object `aftermind record --help` shows, at each of three moments of a turn."""

from __future__ import annotations

from typing import Literal, TypeAlias, cast, get_args

from aftermind.cli.answering.filing import session_id
from aftermind.cli.language.delivered import Delivered, delivered, told
from aftermind.cli.language.requests import Brief, Deliver, EndSession, Record
from aftermind.cli.language.wire import NotUnderstood
from aftermind.cli.terminal.arguments import Misused
from aftermind.cli.terminal.arguments import meant as alike

Client: TypeAlias = Literal["json"]
Moment: TypeAlias = Literal["prompt", "turn", "end"]
"""A prompt was sent, an answer is complete, a session is over. A hook's events are these words."""
MOMENTS: tuple[Moment, ...] = get_args(Moment)
NOWHERE = "unknown folder"
"""The project of what was said in a folder that cannot be told: never the global scope, which everybody sees."""
AWAITED: tuple[Moment, ...] = ("prompt",)
"""Those whose answer the client waits for."""


def meant(asked: Deliver) -> Brief | Record | EndSession:
    """The request a delivery amounts to; `Unusable` or `NotUnderstood` for what no client sends."""
    _word("client", asked.client, get_args(Client))
    moment = cast("Moment", _word("event", asked.event, MOMENTS))
    said = _said(asked.payload)
    if said.session is None or not said.session.strip():
        raise NotUnderstood("it names no session", hint="the key is session", logged="no session")
    project = said.project or asked.directory or NOWHERE
    session = session_id(said.session)
    client = said.client or asked.client
    match moment:
        case "prompt":
            if not said.prompt.strip():
                raise NotUnderstood("a prompt without a text", hint="the key is prompt", logged="no prompt")
            return Brief(prompt=said.prompt, session=session, project=project, client=client)
        case "turn":
            if not said.prompt.strip() and not said.answer.strip():
                hint = "the keys are prompt and answer"
                raise NotUnderstood("a turn without prompt and answer", hint=hint, logged="no prompt, no answer")
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
        case "end":
            return EndSession(session=session)


def _word(what: str, word: str, known: tuple[str, ...]) -> str:
    if word in known:
        return word
    close = alike(word, known)
    hint = f"did you mean {' or '.join(close)}?" if close else f"one of: {', '.join(known)}"
    raise NotUnderstood(f"there is no {what} {word!r}", hint=hint, logged=f"{what} {told(word, known)}")


def _said(payload: bytes) -> Delivered:
    try:
        return delivered(payload.decode("utf-8-sig", "replace"))
    except Misused as error:
        raise NotUnderstood(str(error), hint=error.hint, logged=error.logged) from error
