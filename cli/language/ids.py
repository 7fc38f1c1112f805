"""Ids of ours for what clients call by names of their own: the same name is the same id,
whoever asks and wherever. Pure but for `session_of`, which looks at a project's folder."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from aftermind.cli.places import place_of
from aftermind.engine.errors import Unusable
from aftermind.engine.masking.private import without_private
from aftermind.engine.masking.secrets import mask
from aftermind.engine.names import EventId, Label, Scope, SessionId
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import storable

LONGEST_ID = 200
UNTOLD = "window-"
"""Before the id of a session that no client told: a window of its own."""


def session_id(session: str) -> SessionId:
    """The client's own id where it is one; anything else (spaces, control characters, overlong) becomes one."""
    if not session.strip():
        raise Unusable("a session needs an id", session)
    plain = (
        mask(without_private(session)) == session
        and session.isascii()
        and session.isprintable()
        and " " not in session
        and len(session) <= LONGEST_ID
    )
    return SessionId(session if plain else "s" + derive_id(session, "session"))


def session_of(session: str | None, project: str | Path | None) -> str:
    """The session that is meant: without one, always the same for the same project."""
    if session is not None:
        return session
    if project is None:
        return "cli-global"
    place = place_of(project)
    return f"cli-{sha256((place.name or place.directory).encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def client_label(client: str) -> Label:
    """The client's name, short and without anything that is not one."""
    return Label(mask(without_private(storable(client)))[:60])


def exchange_id(scope: Scope, session: SessionId, message: str) -> EventId:
    """The exchange's id from the id the client gives its message: the same message of the same session is the same
    exchange. Two projects may use one session id."""
    return derive_id(session, f"exchange {scope} {message}")


def turn_id(session: SessionId, message: str) -> EventId:
    """What holds a turn's pieces together, wherever they were said: the assistant may change its folder meanwhile."""
    return derive_id(session, f"turn {message}")
