"""What a user is told where a session begins: that no verdicts come in, once for each time judging stopped."""

from __future__ import annotations

from aftermind.cli.answering.judging.requesting import stopped_now
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.ids import client_label, session_id
from aftermind.cli.language.requests import Brief
from aftermind.cli.language.stopping import mend_of, sentence
from aftermind.engine.moments import microseconds

_FIRST = """SELECT id FROM session WHERE client = ? AND started > ? ORDER BY started, id LIMIT 1"""


async def notice(store: Opened, asked: Brief) -> str:
    """For the first session of a client that began since judging stopped, and as long as it has; else empty. Asked
    again of the same session it is the same, so that a hook that is run twice tells it."""
    if asked.prompt is not None:
        return ""
    stopped = await store.read(stopped_now)
    if stopped is None:
        return ""
    since = (client_label(asked.client), microseconds(stopped.since))
    first = await store.read(lambda c: c.execute(_FIRST, since).fetchone())
    if first is None or first[0] != session_id(asked.session):
        return ""
    return f"Aftermind: {sentence(stopped, store.stamp.zone)} → {mend_of(stopped.why)}"
