"""Which prompt an exchange answers that its client tells as a whole: the one that its client names; else the session's
last one of the same words that names no other turn and that no other exchange answers.

Where the client names a prompt that nobody told, and says when that was said, it is told now, in its place: else the
exchange would be taken for what was said last, after the prompts that came meanwhile.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from msgspec import Struct

from aftermind.cli.answering.filing import scope_of, started
from aftermind.cli.answering.fit import at_the_latest
from aftermind.cli.answering.opened import Opened, not_yet
from aftermind.cli.language.ids import exchange_id, session_id, turn_id
from aftermind.cli.language.requests import Record
from aftermind.engine.events import PromptReceived
from aftermind.engine.log import Append, Recorded
from aftermind.engine.masking.secrets import mask
from aftermind.engine.memories.exchange import AT_ONCE, is_near
from aftermind.engine.moments import microseconds, microseconds_or_none
from aftermind.engine.names import EventId, Position, Scope, SessionId, session_stream
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import storable

MICROSECOND = timedelta(microseconds=1)
LAST_PROMPTS = 5
"""In which the one that is answered is looked for by its words: some more may have been said meanwhile."""


class Answered(Struct, frozen=True, kw_only=True):
    """A prompt that is answered; `until`: where the one that was said next was told, if there is one."""

    prompt: EventId
    until: Position | None


async def must_know_its_prompt(store: Opened, asked: Record) -> None:
    """What a client tells as it happens answers a prompt that was told before. One that is not known by its name may
    still wait in the spool: without it, the exchange would be taken for what was said after the prompts that came
    meanwhile, or for the answer to one of the same words."""
    if asked.at is not None or not store.may_wait():
        return
    session, scope = session_id(asked.session), await scope_of(store, asked.project)
    told = asked.id is not None and await store.log.find(exchange_id(scope, session, asked.id)) is not None
    if not told and await _named(store, session, scope, asked.id) is None:
        raise not_yet("prompt")


async def answers_forgotten(store: Opened, asked: Record, scope: Scope) -> bool:
    """Whether the prompt that a client names was forgotten, as `exchange.answers_forgotten` says of turns in pieces."""
    session = session_id(asked.session)
    ids = _names(session, scope, asked.id)
    return any(map(store.is_gone, ids)) and await _named(store, session, scope, asked.id) is None


async def told_late(store: Opened, asked: Record, scope: Scope, text: str) -> None:
    """The prompt of an exchange that its client names, where it says when that was said, and nobody told of it."""
    if asked.id is None or asked.prompted is None:
        return
    session = await started(store, asked.session, scope, asked.client, asked.project)
    if await answered(store, session, scope, text, asked.id) is not None:
        return
    turn = turn_id(session, asked.id)
    received = PromptReceived(session=session, scope=scope, text=text, turn=turn)
    at = min(at_the_latest(asked.prompted), store.stamp.asked or store.stamp.now())
    draft = store.stamp.draft(received, id=derive_id(turn, "prompt received"), at=at)
    await store.log.append(Append(stream=session_stream(session), drafts=(draft,)))


async def answered(store: Opened, session: SessionId, scope: Scope, text: str, message: str | None) -> Answered | None:
    """The prompt that an exchange answers; `message` is its client's id of it."""
    found = await _named(store, session, scope, message) or await _of_words(store, session, scope, text, message)
    return None if found is None else await store.read(lambda c: _until(c, session, found))


async def brought_for(
    store: Opened, session: SessionId, scope: Scope, text: str, asked: Record, at: datetime
) -> Answered | None:
    """The prompt that an exchange answers which is brought from elsewhere and was said `at` a time, where that was told
    when it was said: both are one. It is known by one of its ids, else by the same words within a minute."""
    if not await store.read(lambda c: _was_told(c, session)):
        return None
    for message in (asked.id, *asked.also):
        if (found := await _named(store, session, scope, message)) is not None:
            return await store.read(lambda c: _until(c, session, found))
    wording = mask(storable(text))
    for id in await store.read(lambda c: _unanswered_near(c, session, scope, at)):
        known = await store.log.find(id)
        told = _says(known, scope)
        if known is not None and told is not None and told.text == wording and is_near(known, at):
            return await store.read(partial(_until, session=session, prompt=id))
    return None


async def _named(store: Opened, session: SessionId, scope: Scope, message: str | None) -> EventId | None:
    for id in _names(session, scope, message):
        if not store.is_gone(id) and _says(await store.log.find(id), scope) is not None:
            return id
    return None


def _names(session: SessionId, scope: Scope, message: str | None) -> tuple[EventId, ...]:
    """Two projects may use one session's name, and then a prompt is named by its project as well."""
    if message is None:
        return ()
    turn = turn_id(session, message)
    return derive_id(turn, f"prompt received {scope}"), derive_id(turn, "prompt received")


async def _of_words(store: Opened, session: SessionId, scope: Scope, text: str, message: str | None) -> EventId | None:
    until = microseconds_or_none(store.stamp.asked)
    found = await store.read(lambda c: _unanswered(c, session, scope, until))
    wording = mask(storable(text)).split()
    for id in found if wording else ():
        told = _says(await store.log.find(id), scope)
        if told is not None and told.text.split() == wording and (message is None or told.turn is None):
            return id
    return None


def _says(recorded: Recorded | None, scope: Scope) -> PromptReceived | None:
    event = None if recorded is None else recorded.draft.event
    return event if isinstance(event, PromptReceived) and event.scope == scope else None


def _unanswered(connection: Connection, session: SessionId, scope: Scope, until: int | None) -> tuple[EventId, ...]:
    """The session's last prompts that no exchange answers, newest first."""
    sql = """SELECT id FROM (SELECT id, session, position FROM utterance WHERE session = ? AND prompt AND scope = ?
      AND (? IS NULL OR said <= ?) ORDER BY said DESC, position DESC LIMIT ?) u
      WHERE NOT EXISTS (SELECT 1 FROM worklist w WHERE w.session = u.session AND w.place = u.position)"""
    rows = connection.execute(sql, (session, scope, until, until, LAST_PROMPTS))
    return tuple(EventId(row[0]) for row in rows)


def _was_told(connection: Connection, session: SessionId) -> bool:
    """Whether any prompt of a session was told when it was said."""
    return connection.execute("SELECT 1 FROM prompt WHERE session = ?", (session,)).fetchone() is not None


def _unanswered_near(connection: Connection, session: SessionId, scope: Scope, at: datetime) -> tuple[EventId, ...]:
    """The session's prompts within a minute of a time that no exchange answers, the nearest first."""
    sql = """SELECT id FROM utterance u WHERE session = :session AND prompt AND scope = :scope
      AND said BETWEEN :at - :near AND :at + :near
      AND NOT EXISTS (SELECT 1 FROM worklist w WHERE w.session = u.session AND w.place = u.position)
      ORDER BY abs(said - :at), position"""
    wanted = {"session": session, "scope": scope, "at": microseconds(at), "near": AT_ONCE // MICROSECOND}
    return tuple(EventId(row[0]) for row in connection.execute(sql, wanted))


def _until(connection: Connection, session: SessionId, prompt: EventId) -> Answered:
    sql = """SELECT later.position FROM utterance own JOIN utterance later ON later.session = own.session
      AND later.prompt AND (later.said, later.position) > (own.said, own.position)
      WHERE own.id = ? AND own.session = ? ORDER BY later.said, later.position LIMIT 1"""
    row = connection.execute(sql, (prompt, session)).fetchone()
    return Answered(prompt=prompt, until=None if row is None else Position(row[0]))
