"""What a thin door forwarded unread is understood here: one file a client. Pure."""

from __future__ import annotations

from typing import Literal, TypeAlias, cast, get_args

from aftermind import __version__
from aftermind.cli.forms import claude_code, codex, cursor, gemini, opencode, plain, vscode
from aftermind.cli.forms.form import AWAITED, CHECK, MOMENTS, Form, Meant, Moment, word
from aftermind.cli.language.requests import Deliver
from aftermind.cli.language.sessions import Gated

__all__ = [
    "AWAITED",
    "CHECK",
    "CLIENTS",
    "FORMS",
    "MOMENTS",
    "Client",
    "Meant",
    "Moment",
    "checked",
    "gated",
    "meant",
    "notifies",
    "printed",
]

Client: TypeAlias = Literal["json", "claude-code", "cursor", "codex", "gemini", "vscode", "opencode"]
"""The CLIENT a configuration names."""
CLIENTS: tuple[Client, ...] = get_args(Client)
FORMS: dict[Client, Form] = {
    "json": plain.FORM,
    "claude-code": claude_code.FORM,
    "cursor": cursor.FORM,
    "codex": codex.FORM,
    "gemini": gemini.FORM,
    "vscode": vscode.FORM,
    "opencode": opencode.FORM,
}


def meant(asked: Deliver) -> Meant:
    """The request a delivery amounts to; `Unusable` or `NotUnderstood` for what no client sends."""
    form, moment = _form(asked)
    return form.meant(moment, asked.payload, asked.directory)


def printed(asked: Deliver, text: str, notice: str = "") -> str:
    """What the client reads on the hook's standard output when the answer's text is this, and its user is to be given
    a notice, where the client `notifies`."""
    form, moment = _form(asked)
    if notice and form.noticed is not None:
        return form.noticed(moment, asked.payload, text, notice)
    return form.printed(moment, asked.payload, text)


def gated(asked: Deliver, found: Gated) -> str:
    """What the client reads that asked whether a tool may be used."""
    form, _ = _form(asked)
    return form.gated(asked.payload, found) if form.gated is not None else ""


def notifies(asked: Deliver) -> bool:
    """Whether the client would show its user something at this moment."""
    form, moment = _form(asked)
    return moment == "start" and form.noticed is not None


def checked(asked: Deliver) -> str | None:
    """What is printed to who asks whether the daemon answers that client; None where something else is asked."""
    if asked.event != CHECK:
        return None
    return f"aftermind {__version__} answers {word('client', asked.client, CLIENTS)}"


def _form(asked: Deliver) -> tuple[Form, Moment]:
    form = FORMS[cast("Client", word("client", asked.client, CLIENTS))]
    return form, cast("Moment", word("event", asked.event, form.moments))
