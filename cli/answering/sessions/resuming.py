"""A session told whole, and the briefing by which somebody goes on where it was left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from msgspec import structs

from aftermind.cli.answering.filing import begun, known_scope, own_scope
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.recalling.injecting import appended_anew, for_once_more
from aftermind.cli.answering.sessions.changed_files import changed_files
from aftermind.cli.answering.sessions.checkpoints import before_compaction, history_of
from aftermind.cli.answering.sessions.living import QUIET, continued
from aftermind.cli.answering.sessions.quoting import below, files_of, open_prompt, said_in
from aftermind.cli.answering.sessions.rows import known_session, listed, seen_scopes, told_in
from aftermind.cli.language.answers import Context, Remembered, remembered
from aftermind.cli.language.ids import session_id
from aftermind.cli.language.requests import Brief
from aftermind.cli.language.sessions import LIST, Listed, Resumed, ResumeSession, ShowSession, Told, Turn
from aftermind.engine.errors import NotFound, Unusable
from aftermind.engine.events import ContextInjected, Shown
from aftermind.engine.log import Append
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import GLOBAL, EventId, Scope, SessionId, session_stream
from aftermind.engine.sqlite import Connection, as_json_or_none
from aftermind.projections.reading.work import together
from aftermind.projections.recalling.recall import COLUMNS, candidate
from aftermind.projections.recalling.shown.other_sessions import NO_SUBAGENTS, TERMINAL
from aftermind.projections.recalling.shown.resuming import Left, resumed
from aftermind.projections.recalling.shown.wording import age, tokens
from aftermind.projections.views.seen import EXCHANGES, in_scopes_or_all, live
from aftermind.projections.views.stands import stands

BUDGET = 1_500
"""Tokens of the briefing, where nobody says otherwise."""
TURNS, LEARNED, ASKED = 200, 20, 5


async def show(store: Opened, asked: ShowSession) -> Told:
    session = await known_session(store, asked.session, asked.within)
    return await told(store, session, await seen_scopes(store, asked.within), git=asked.git)


async def told(store: Opened, session: SessionId, scopes: Sequence[Scope] | None, *, git: bool = True) -> Told:
    """What there is of it in these scopes; None: all."""
    rows = await store.read(lambda c: listed(c, store, scopes, ids=[session]))
    if not rows:
        raise NotFound("session", session, hint=LIST)
    own = rows[0]
    said = (await store.read(lambda c: stands(c, [session], scopes))).get(session, [])
    history = said_in(await history_of(store, session), scopes)
    files, work = files_of(history), together(said)
    changed: tuple[str, ...] = files.changed
    by_git = False
    if git and not changed and not work.files:
        changed = await changed_files(store, session, own.directory, own.started, _until(store, own))
        by_git = bool(changed)
    return Told(
        session=own,
        work=work,
        stands=tuple(said),
        turns=await store.read(lambda c: _turns(c, session, scopes)),
        open=open_prompt(history) if own.client != TERMINAL else "",
        changed=tuple(dict.fromkeys(below(own.directory, path) for path in (*work.files, *changed))),
        looked=files.looked,
        by_git=by_git,
        learned=await store.read(lambda c: _learned(c, store, session, scopes)),
    )


def _until(store: Opened, own: Listed) -> datetime:
    """How long its tools may have written: while it is alive; one that fell silent, as long as it was heard of."""
    if own.active:
        return store.stamp.now()
    return own.last if own.ended is None or own.reason == QUIET else own.ended


async def at_the_start(store: Opened, asked: Brief, shown: Context) -> Context:
    """A client told that a session begins, or goes on: then it does. Where it compacts the conversation, where the work
    stands is written down before, and is part of what whoever sums it up is told."""
    session = session_id(asked.session)
    await continued(store, session)
    if not asked.compacting:
        return shown
    await before_compaction(store, session)
    there = await told(store, session, None, git=False)
    text = resumed(left_of(store, there), BUDGET)
    return structs.replace(shown, text="\n\n".join(filter(None, (shown.text, text))))


async def resume(store: Opened, asked: ResumeSession) -> Resumed:
    first = store.stamp.new_id()
    budget = BUDGET if asked.budget is None else asked.budget
    if budget < 0:
        raise Unusable("a budget must be at least 0", budget)
    scopes = await seen_scopes(store, asked.within)
    into = session_id(asked.into) if asked.into is not None else None
    if asked.session is not None:
        session = await known_session(store, asked.session, asked.within)
    else:
        own = await (known_scope if asked.within is None else own_scope)(store, asked.project)
        last = await store.read(lambda c: _left(c, own, into))
        if last is None:
            return Resumed(session=None, text="", tokens=0)
        session = last
    if scopes is None:  # a person, who goes on with what was said here, and reads of the rest by its id
        scopes = await told_in(store, session, asked.project)
    there = await told(store, session, scopes)
    text = resumed(left_of(store, there), budget)
    if text and into is not None:
        await _shown(store, asked, into, [one for one in there.learned if f"[{one.id}]" in text], tokens(text), first)
    return Resumed(session=session, text=text, tokens=tokens(text))


def left_of(store: Opened, told: Told) -> Left:
    """What there is to go on with."""
    own, now = told.session, store.stamp.now()
    state = f"ended {age(now - own.ended)}{own.why}" if own.ended is not None else "not ended"
    said = f"{own.exchanges} exchange{'' if own.exchanges == 1 else 's'}"
    facts = (own.id, own.client, f"begun {age(now - own.started)}", f"last used {age(now - own.last)}", said, state)
    failed = told.turns[-1] if told.turns and told.turns[-1].outcome == "failed" else None
    return Left(
        session=", ".join(filter(None, facts)),
        goal=own.goal,
        open=tuple(_open(told, failed)),
        decisions=told.work.decisions,
        done=told.work.done,
        changed=told.changed,
        read=told.looked if not told.changed else (),
        learned=tuple(f"[{one.id}] ({one.kind}, {age(now - one.at)}) {one.text}" for one in told.learned),
        summary=told.work.summary,
        asked=tuple(f"{turn.prompt}{f' ({turn.outcome})' if turn.outcome else ''}" for turn in told.turns[-ASKED:]),
        references=told.work.references,
    )


def _open(told: Told, failed: Turn | None) -> Iterator[str]:
    yield from (one.text for one in told.learned if one.kind == "blocker")
    yield from told.work.pending
    if failed is not None:
        yield f"this did not work: {failed.prompt}"
    if told.open:
        yield f"asked, and not answered: {told.open}"


def _left(connection: Connection, scope: Scope, into: SessionId | None) -> SessionId | None:
    """The last session of a project in which there is something to go on with."""
    sql = f"""SELECT id FROM session WHERE id IS NOT :into AND {NO_SUBAGENTS}
      AND (id IN (SELECT session FROM stand WHERE stand.scope = :scope)
        OR id IN (SELECT session FROM shelf WHERE shelf.scope = :scope AND {EXCHANGES})
        OR (scope = :scope AND (
          EXISTS (SELECT 1 FROM stand WHERE stand.session = session.id AND stand.scope = :everywhere)
          OR EXISTS (
            SELECT 1 FROM shelf WHERE shelf.session = session.id AND shelf.scope = :everywhere AND {EXCHANGES}))))
      ORDER BY last DESC, id LIMIT 1"""
    row = connection.execute(sql, {"scope": scope, "into": into, "everywhere": GLOBAL}).fetchone()
    return SessionId(row[0]) if row is not None else None


def _turns(connection: Connection, session: SessionId, scopes: Sequence[Scope] | None) -> tuple[Turn, ...]:
    """The last ones, oldest first; of those that were corrected the newest wording."""
    sql = f"""SELECT exchange, at, text, answer, (SELECT outcome FROM judged WHERE judged.exchange = shelf.exchange
        ORDER BY judged.position DESC LIMIT 1) FROM shelf
      WHERE session = :session AND {EXCHANGES} AND {in_scopes_or_all()} ORDER BY at DESC, position DESC LIMIT :most"""
    asked = {"session": session, "scopes": as_json_or_none(scopes), "most": TURNS}
    rows = connection.execute(sql, asked).fetchall()
    return tuple(
        Turn(exchange=EventId(exchange), at=moment(at), prompt=prompt, answer=answer, outcome=outcome)
        for exchange, at, prompt, answer, outcome in reversed(rows)
    )


def _learned(
    connection: Connection, store: Opened, session: SessionId, scopes: Sequence[Scope] | None
) -> tuple[Remembered, ...]:
    """What is known by this session and still so, oldest first."""
    sql = f"""SELECT {COLUMNS} FROM shelf WHERE session = :session AND kind NOT IN ('exchange', 'chunk')
      AND {live()} AND {in_scopes_or_all()} ORDER BY at DESC, position DESC LIMIT :most"""
    asked = {"session": session, "scopes": as_json_or_none(scopes), "most": LEARNED}
    rows = connection.execute(sql, {**asked, "now": microseconds(store.stamp.now())}).fetchall()
    return tuple(remembered(candidate(row)) for row in reversed(rows))


async def _shown(
    store: Opened, asked: ResumeSession, into: SessionId, learned: Sequence[Remembered], cost: int, first: EventId
) -> None:
    """What was shown there is recorded before it is given out, so that it can be credited."""
    scope, session = await begun(store, into, asked.project, asked.client)
    if not learned:
        return
    shown = tuple(
        Shown(memory=one.id, rank=rank, score=0.0, reasons=("learned in a session that is gone on with",))
        for rank, one in enumerate(learned, 1)
    )
    event = ContextInjected(session=session, scope=scope, query="", shown=shown, tokens=cost)
    stream = session_stream(session)
    if not await appended_anew(store, Append(stream=stream, drafts=(store.stamp.draft(event, id=first),))):
        again = for_once_more(store).stamp.draft(event)
        await store.log.append(Append(stream=stream, drafts=(again,)))
