"""The gate: whether a tool may be used now, as the user's policy and the log say.

A hold is recorded before it is given out: where nothing can be recorded no checkpoint can be written either, and the
tool is used. A session nobody knows is not held back.
"""

from __future__ import annotations

from datetime import datetime
from shlex import quote

from aftermind.cli.answering.directives.at_tools import rules_at_a_tool
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.ids import session_id
from aftermind.cli.language.sessions import AskGate, Gated
from aftermind.engine.events import ToolHeld
from aftermind.engine.log import Append
from aftermind.engine.names import Scope, SessionId, session_stream
from aftermind.engine.permitting.gating import verdict
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.projections.views.stands import since_the_last

OPEN = Gated()
SINCE = "tools were used since where the work stands was last written down"
TOOL = """aftermind's tool `session` with action "checkpoint" (goal, done, pending, decisions) where you have it"""
STATE = "--done 'WHAT IS DONE' --pending 'WHAT IS NOT'"


async def ask(store: Opened, asked: AskGate) -> Gated:
    rules = store.policy.gate
    if asked.writes or not (rules.remind_after or rules.hold_after or rules.rules):
        return OPEN
    session = session_id(asked.session)
    found = await store.read(lambda c: _counted(c, session))
    if found is None:
        return OPEN
    scope, used, held = found
    standing = await rules_at_a_tool(store, asked, session, scope) if rules.rules else ""
    match verdict(used, held, store.stamp.now(), rules):
        case "hold":
            event = ToolHeld(session=session, scope=scope, uses=used)
            id = derive_id(session, f"held {asked.call}") if asked.call else None
            await store.log.append(Append(stream=session_stream(session), drafts=(store.stamp.draft(event, id=id),)))
            then = "Then go on with this. Any checkpoint of this project will do."
            why = f"{used} {SINCE}. Write it down first: {_how(store, session)}. {then}"
            return Gated(verdict="hold", text=_together(why, standing))
        case "remind":
            why = f"{used} {SINCE}. At the next good moment write it down: {_how(store, session)}."
            return Gated(verdict="remind", text=_together(why, standing))
        case _:
            return Gated(verdict="remind", text=standing) if standing else OPEN


def _how(store: Opened, session: SessionId) -> str:
    """Into this session of this store; of an id that a shell would have to have quoted nothing is said."""
    own = f" --session {session}" if quote(session) == session else ""
    command = f"aftermind --home {quote(str(store.folder))} checkpoint{own} {STATE}"
    return f"{TOOL}, else this command alone in a shell: {command}"


def _together(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))


def _counted(connection: Connection, session: SessionId) -> tuple[Scope, int, list[datetime]] | None:
    row = connection.execute("SELECT scope FROM session WHERE id = ?", (session,)).fetchone()
    return None if row is None else (Scope(row[0]), *since_the_last(connection, session, Scope(row[0])))
