"""The plain form, `json`: the object `aftermind record --help` shows, at each of three moments of a turn, and
the one of `aftermind checkpoint --help`. Pure."""

from __future__ import annotations

from aftermind.cli.forms.form import NOWHERE, Form, Moment, as_it_is
from aftermind.cli.language.checkpointed import checkpointed
from aftermind.cli.language.delivered import Delivered, delivered
from aftermind.cli.language.ids import session_id
from aftermind.cli.language.misused import Misused
from aftermind.cli.language.requests import Brief, EndSession, EndTurn, Record
from aftermind.cli.language.sessions import WriteCheckpoint
from aftermind.cli.language.wire import NotUnderstood


def meant(moment: Moment, payload: bytes, directory: str) -> Brief | EndTurn | Record | WriteCheckpoint | EndSession:
    if moment == "checkpoint":
        return _checkpoint(payload, directory)
    said = _said(moment, payload)
    if said.session is None or not said.session.strip():
        raise NotUnderstood("it names no session", hint="the key is session", logged="no session")
    project = said.project or directory or NOWHERE
    session = session_id(said.session)
    client = said.client or "json"
    match moment:
        case "prompt":
            if not said.prompt.strip():
                raise NotUnderstood("a prompt without a text", hint="the key is prompt", logged="no prompt")
            return Brief(prompt=said.prompt, session=session, project=project, client=client)
        case "turn":
            if not said.prompt.strip() and not said.answer.strip():
                hint = "the keys are prompt and answer"
                raise NotUnderstood("a turn without prompt and answer", hint=hint, logged="no prompt, no answer")
            if said.answer.strip() and said.id is None and said.at is None:  # it answers the session's last prompt
                return EndTurn(
                    prompt=said.prompt,
                    answer=said.answer,
                    session=session,
                    project=project,
                    tools=said.tools,
                    client=client,
                    once=True,
                )
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


def _checkpoint(payload: bytes, directory: str) -> WriteCheckpoint:
    """Without a session it is the project's that was last alive."""
    try:
        text = payload.decode("utf-8-sig", "replace")
        return checkpointed(text, session=None, project=directory or NOWHERE, client="")
    except Misused as error:
        raise NotUnderstood(str(error), hint=error.hint, logged=error.logged) from error


def _said(moment: Moment, payload: bytes) -> Delivered:
    text = payload.decode("utf-8-sig", "replace")
    if text.strip() and not text.lstrip().startswith("{"):  # prompt and answer as plain text name no session
        keys = {"prompt": ("prompt", "session"), "turn": ("prompt", "answer", "session")}.get(moment, ("session",))
        form = ", ".join(f'"{key}": …' for key in keys)
        raise NotUnderstood("it is no JSON object", hint=f"the form is `{{{form}}}`", logged="no JSON")
    try:
        return delivered(text)
    except Misused as error:
        raise NotUnderstood(str(error), hint=error.hint, logged=error.logged) from error


FORM = Form(moments=("prompt", "turn", "checkpoint", "end"), meant=meant, printed=as_it_is)
