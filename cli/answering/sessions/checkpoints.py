"""Checkpoints are written: by whoever says where the work stands, and by the daemon where nobody does, before a
compaction and at a session's end. What the daemon writes quotes the session, and goes when that is forgotten."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from aftermind.cli.answering.capturing.private_turns import is_wholly_private
from aftermind.cli.answering.filing import own_scopes, scope_of, started
from aftermind.cli.answering.fit import cleaned, said
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.sessions.changed_files import changed_files
from aftermind.cli.answering.sessions.quoting import files_of, quoted_since, said_in, scopes_in
from aftermind.cli.language.ids import client_label, session_id, session_of
from aftermind.cli.language.sessions import WriteCheckpoint, Written
from aftermind.engine.errors import OffLimits, Unusable
from aftermind.engine.events import CheckpointWritten, SessionContinued
from aftermind.engine.log import Append, Draft, Recorded
from aftermind.engine.masking.private import MARKED, is_private
from aftermind.engine.moments import microseconds
from aftermind.engine.names import EventId, Label, Scope, SessionId, session_stream
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.projections.reading.work import BEFORE, DAEMON, END, NOW, Work, together
from aftermind.projections.recalling.shown.other_sessions import ALIVE, LOOKED_UP, NO_SUBAGENTS
from aftermind.projections.views.stands import stands

MOST_ITEMS = 100
_NOTHING = Label("")


async def write(store: Opened, asked: WriteCheckpoint) -> Written:
    first, done = await store.first_id()
    told = _told(asked)
    scope = await scope_of(store, asked.project)
    client = client_label(asked.client)
    alive = None if asked.session is not None else await store.read(lambda c: _alive(c, store, scope, client))
    session = alive or session_id(session_of(asked.session, asked.project))
    if not done:
        session = await started(store, session, scope, asked.client, asked.project)
        event = structs.replace(told, session=session, scope=scope)
        drafts = [store.stamp.draft(event, id=first)]
        if asked.session is None and await store.read(lambda c: _is_over(c, session)):  # who types has but this one
            goes_on = SessionContinued(session=session)
            drafts.insert(0, store.stamp.draft(goes_on, id=derive_id(first, "continued")))
        await store.log.append(Append(stream=session_stream(session), drafts=tuple(drafts)))
    else:
        known = await store.log.find(first)
        session = SessionId(known.stream.removeprefix("session-")) if known is not None else session
    return Written(id=first, session=session, work=await work_of(store, session, own_scopes(scope)))


async def work_of(store: Opened, session: SessionId, scopes: Sequence[Scope]) -> Work:
    """Where the work of a session stands in these scopes."""
    found = await store.read(lambda c: stands(c, [session], scopes))
    return together(found.get(session, ()))


def _told(asked: WriteCheckpoint) -> CheckpointWritten:
    """What is said, as it may be kept; `Unusable` where that is nothing."""
    raw = (asked.text, asked.goal, *asked.decisions, *asked.done, *(asked.pending or ()), *asked.files)
    finished = asked.pending is not None and not any(map(str.strip, asked.pending))
    if not any(text.strip() for text in (*raw, *asked.references)) and not finished:
        hint = "say a goal, what is done, what is pending, a decision, a file, a reference, or a text"
        raise Unusable("a checkpoint has nothing to say", "", hint=hint)
    event = CheckpointWritten(
        session=SessionId(""),
        scope=Scope(""),
        moment=NOW,
        trigger=Label(""),
        text=_clean(asked.text, "a summary"),
        goal=_clean(asked.goal, "a goal"),
        decisions=_cleaned(asked.decisions, "decisions"),
        done=_cleaned(asked.done, "things done"),
        pending=_cleaned(asked.pending or (), "things pending"),
        finished=finished,
        files=_cleaned(asked.files, "files"),
        references=_cleaned(asked.references, "references"),
        by=Label(asked.by),
    )
    kept = (event.text, event.goal, *event.decisions, *event.done, *event.pending, *event.files, *event.references)
    if not finished and not any(kept):
        raise OffLimits("all of the checkpoint is private", hint=MARKED)
    return event


def _cleaned(texts: Sequence[str], what: str) -> tuple[str, ...]:
    if len(texts) > MOST_ITEMS:
        raise Unusable(f"a checkpoint holds {MOST_ITEMS} {what} at most", f"{len(texts)}")
    return tuple(filter(None, (_clean(text, what) for text in texts)))


def _clean(text: str, what: str) -> str:
    clean = cleaned(said(text, what, may_be_empty=True)).strip()
    return "" if is_private(clean) else clean


def _alive(connection: Connection, store: Opened, scope: Scope, client: Label) -> SessionId | None:
    """The session of a project that was last alive; of an assistant that said who it is, its own before another's; and
    what a person only looked up at a terminal after any."""
    now, lease = store.stamp.now(), store.policy.lifecycle.quiet_after
    asked = {"scope": scope, "client": client, "since": microseconds(now - lease), "soon": microseconds(now + lease)}
    sql = f"""SELECT id FROM session WHERE scope = :scope AND {ALIVE} AND {NO_SUBAGENTS}
      ORDER BY {LOOKED_UP}, :client <> '' AND client <> :client, last DESC, id LIMIT 1"""
    row = connection.execute(sql, asked).fetchone()
    return SessionId(row[0]) if row is not None else None


def _is_over(connection: Connection, session: SessionId) -> bool:
    sql = "SELECT 1 FROM session WHERE id = ? AND ended IS NOT NULL"
    return connection.execute(sql, (session,)).fetchone() is not None


# --- where nobody says ----------------------------------------------------------------------------------------


async def of_the_session(
    store: Opened,
    session: SessionId,
    moment: Label,
    trigger: Label = _NOTHING,
    text: str = "",
    within: Scope | None = None,
) -> tuple[CheckpointWritten, ...]:
    """What the session itself says of where its work stands since its last checkpoint, one for each project it went on
    in, each of what was said there. With somebody's `text`: that stands in the first, of the project it was said in
    (`within`), or where the session began."""
    known = await store.read(lambda c: _life(c, session))
    if known is None or not known[0]:  # nobody knows it, or what it was is forgotten
        return ()
    began, directory, active = known
    history = await history_of(store, session)
    first = within or began
    found = []
    for scope in dict.fromkeys((first, *(scopes_in(history) if active else ()))):
        own = said_in(history, (scope,))
        said = text if scope == first else ""
        quoted = quoted_since(own, await work_of(store, session, (scope,))) if active else None
        if quoted is None and not said:
            continue
        event = quoted or CheckpointWritten(session=session, scope=scope, moment=moment, trigger=trigger)
        told_none = quoted is not None and not quoted.files and not files_of(own).changed
        if told_none and scope == began and not any(map(is_wholly_private, history)):  # git cannot tell those apart
            last, now = history[-1].draft.at, store.stamp.now()
            until = now if now - last < store.policy.lifecycle.quiet_after else last  # who fell silent wrote nothing
            files = await changed_files(store, session, directory, history[0].draft.at, until)
            event = structs.replace(event, files=files)
        by = DAEMON if quoted else event.by
        kept = structs.replace(event, session=session, scope=scope, moment=moment, trigger=trigger, text=said, by=by)
        found.append(kept)
    return tuple(found)


async def before_compaction(store: Opened, session: SessionId) -> None:
    """Written down where the session says anything since the last one."""
    async with store.meanwhile.closing:
        events = await of_the_session(store, session, BEFORE)
        if events:
            drafts = tuple(map(store.stamp.draft, events))
            await store.log.append(Append(stream=session_stream(session), drafts=drafts))


def drafted(store: Opened, events: Sequence[CheckpointWritten], id: EventId) -> tuple[Draft, ...]:
    """The first of them is the event `id`."""
    ids = [id if number == 0 else derive_id(id, f"in {event.scope}") for number, event in enumerate(events)]
    return tuple(store.stamp.draft(event, id=own) for event, own in zip(events, ids, strict=True))


async def history_of(store: Opened, session: SessionId) -> list[Recorded]:
    """The events of a session, but for what is being erased."""
    whole, erasing = await store.log.stream(session_stream(session)), store.erasing
    return [one for one in whole if erasing is None or not erasing.knows(one.draft.id)]


async def at_the_end(store: Opened, session: SessionId, summary: str = "") -> tuple[CheckpointWritten, ...]:
    """The last checkpoints of a session."""
    return await of_the_session(store, session, END, text=summary)


_LIVED = """SELECT scope, directory, EXISTS (SELECT 1 FROM tool_call WHERE session = :id)
  OR EXISTS (SELECT 1 FROM utterance WHERE session = :id AND prompt) FROM session WHERE id = :id"""


def _life(connection: Connection, session: SessionId) -> tuple[Scope, str, bool] | None:
    """A session's scope and folder, and whether anything was told of it as it happened: what was imported is over."""
    row = connection.execute(_LIVED, {"id": session}).fetchone()
    return None if row is None else (Scope(row[0]), str(row[1]), bool(row[2]))
