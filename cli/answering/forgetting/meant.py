"""What is meant to be forgotten, as a selection names it: memories, books and events, before anything is followed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from aftermind.cli.answering.filing import NOWHERE, own_scope, unknown
from aftermind.cli.answering.forgetting.aside_meant import aside_of_events, aside_of_streams
from aftermind.cli.answering.forgetting.heard import exchange_of
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.erasing import Selection
from aftermind.cli.language.ids import session_id
from aftermind.cli.language.sessions import LIST
from aftermind.engine.errors import NotFound, Unusable
from aftermind.engine.event_forms.forges import ForgeLimited, ReferenceEnriched
from aftermind.engine.event_forms.items import ItemBlocked, ItemNamed, ItemNoted
from aftermind.engine.events import (
    BookIngested,
    CheckpointWritten,
    ContextInjected,
    Erased,
    ExchangeJudged,
    ExchangeRecorded,
    ExchangeRevised,
    MemoriesLinked,
    MemorySummarized,
    ProjectAliased,
    ProjectSeen,
    PromptReceived,
    ScoringStopped,
    SessionStarted,
    ToolUsed,
    Unknown,
)
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds_or_none
from aftermind.engine.names import (
    START,
    BookId,
    EventId,
    ItemId,
    MemoryId,
    ProjectId,
    Scope,
    SessionId,
    book_stream,
    item_stream,
    memory_stream,
    project_stream,
    session_stream,
)
from aftermind.engine.sqlite import Connection
from aftermind.engine.stored import storable
from aftermind.projections.recalling.recall import by_id

SAYING = (
    *(SessionStarted, PromptReceived, ToolUsed, ContextInjected, ExchangeRecorded, ExchangeRevised, ExchangeJudged),
    *(CheckpointWritten, ProjectSeen, ProjectAliased, ScoringStopped, MemoriesLinked, MemorySummarized, Unknown),
    *(ItemNamed, ItemBlocked, ItemNoted),
    *(ReferenceEnriched, ForgeLimited),
)
"""Forms that may say something, and of which a view keeps nothing once they are forgotten."""


PAGE = 2_000
"""Events that are read at once."""


class Meant:
    """What a selection names, before anything is followed."""

    def __init__(self) -> None:
        self.memories: dict[MemoryId, None] = {}
        self.events: dict[EventId, None] = {}
        self.books: dict[BookId, Scope] = {}
        self.whole: set[SessionId] = set()
        """Sessions of which everything goes: what quotes a memory there needs not be looked for."""

    def says(self, one: Recorded) -> None:
        """An event that says something goes; of an exchange, as it was told or went on, all of it."""
        self.events[one.draft.id] = None
        if isinstance(event := one.draft.event, ExchangeRecorded | ExchangeRevised):
            self.memories[event.memory] = None

    def narrow(self, other: Meant) -> None:
        """Only what the other means as well."""
        self.memories = {memory: None for memory in self.memories if memory in other.memories}
        self.events = {event: None for event in self.events if event in other.events}
        self.books = {book: scope for book, scope in self.books.items() if book in other.books}
        self.whole = set()


async def narrowed(store: Opened, selection: Selection) -> Meant:
    """What all that is given means alike: what ids name; or what is in one of the sessions, and of one of the projects,
    and among the events, where any of these are given. `Unusable` for ids with anything else."""
    if selection.ids and (selection.sessions or selection.projects or selection.events):
        why = "an id names what goes, and --session, --project, --text and --pattern narrow one another"
        raise Unusable(f"{why}: not both", " ".join(selection.ids[:5]), hint="forget them one after the other")
    parts: list[Meant] = []
    if selection.ids:
        parts.append(Meant())
        for id in selection.ids:
            await _named(store, id, parts[-1])
    if selection.sessions:
        parts.append(Meant())
        for session in selection.sessions:
            await _session(store, session_id(session), selection, parts[-1])
    if selection.projects:
        parts.append(Meant())
        for project in selection.projects:
            await _project(store, project, selection, parts[-1])
    if selection.events:
        parts.append(Meant())
        for event in selection.events:
            await _event(store, event, parts[-1])
    meant = parts[0]
    for other in parts[1:]:
        meant.narrow(other)
    if selection.events:
        scopes = {await own_scope(store, project) for project in selection.projects}
        streams = {session_stream(session_id(session)) for session in selection.sessions}
        for id in await aside_of_events(store, selection.events, streams, scopes, lambda at: _within(at, selection)):
            meant.events[id] = None
    return meant


async def _named(store: Opened, id: str, meant: Meant) -> None:
    plain = storable(id).partition("@")[0]
    if await store.read(lambda c: by_id(c, plain, store.sees)) is not None:
        meant.memories[MemoryId(plain)] = None
        return
    history = await store.log.stream(book_stream(BookId(plain)))
    if not any(isinstance(one.draft.event, BookIngested) for one in history):
        if not (besides := await aside_of_streams(store, (memory_stream(MemoryId(plain)),))):
            raise NotFound("memory or book", id)
        meant.events |= dict.fromkeys(besides)
        return
    await _book(store, BookId(plain), history, meant)


async def _book(store: Opened, book: BookId, history: Sequence[Recorded], meant: Meant) -> None:
    """Every chunk it ever had, and what names it."""
    rows = await store.read(lambda c: c.execute("SELECT memory FROM shelf WHERE book = ?", (book,)).fetchall())
    meant.memories |= {MemoryId(memory): None for (memory,) in rows}
    for one in history:
        if isinstance(one.draft.event, BookIngested):
            meant.events[one.draft.id] = None
            meant.books[book] = one.draft.event.scope


async def _session(store: Opened, session: SessionId, selection: Selection, meant: Meant) -> None:
    history = await store.log.stream(session_stream(session))
    besides = () if selection.since or selection.until else await aside_of_streams(store, (session_stream(session),))
    if not history and not besides:
        raise NotFound("session", session, hint=LIST)
    meant.events |= dict.fromkeys(besides)
    meant.memories |= await store.read(lambda c: _shelved(c, "session", session, selection))
    for one in history:
        if _says(one) and _then(one, selection):
            meant.says(one)
    if selection.since is None and selection.until is None:
        meant.whole.add(session)


async def _project(store: Opened, project: str, selection: Selection, meant: Meant) -> None:
    scope = await own_scope(store, project)
    if scope == NOWHERE:
        raise await unknown(store, project)
    meant.memories |= await store.read(lambda c: _shelved(c, "scope", scope, selection))
    known = await store.read(lambda c: _sessions(c, scope))
    for session in dict.fromkeys((*known, *await _at_work(store, scope))):
        history = await store.log.stream(session_stream(session))
        own = {one.draft.id for one in history if getattr(one.draft.event, "scope", None) == scope}
        for one in history:
            of_it = one.draft.id in own or exchange_of(one) in own
            if of_it and _says(one) and _then(one, selection):
                meant.says(one)
    if selection.since is not None or selection.until is not None:
        return
    said = await store.read(lambda c: c.execute("SELECT event FROM enriched WHERE scope = ?", (scope,)).fetchall())
    meant.events |= {EventId(event): None for (event,) in said}
    naming = await store.log.stream(project_stream(ProjectId(scope)))
    meant.events |= {one.draft.id: None for one in naming if _says(one)}
    items = "SELECT id FROM item WHERE scope = ?1 UNION SELECT item FROM queued WHERE scope = ?1"
    for (item,) in await store.read(lambda c: c.execute(items, (scope,)).fetchall()):
        history = await store.log.stream(item_stream(ItemId(item)))
        meant.events |= {one.draft.id: None for one in history if _says(one)}
    sql = "SELECT id FROM book WHERE scope = ? UNION SELECT book FROM shelf WHERE scope = ? AND book IS NOT NULL"
    for (book,) in await store.read(lambda c: c.execute(sql, (scope, scope)).fetchall()):
        await _book(store, BookId(book), await store.log.stream(book_stream(BookId(book))), meant)


async def _event(store: Opened, id: EventId, meant: Meant) -> None:
    """What says something there: the memory whose own words they are, or else the event alone."""
    one = await store.log.find(id)
    if one is None or isinstance(one.draft.event, Erased):
        return None
    event, memory = one.draft.event, one.stream.removeprefix("memory-")
    if isinstance(event, BookIngested):
        return await _book(store, event.book, await store.log.stream(one.stream), meant)
    if isinstance(event, ExchangeRecorded | ExchangeRevised):
        memory = event.memory
    elif isinstance(event, PromptReceived | ContextInjected | ToolUsed):
        memory = await _answered(store, one) or ""
    elif memory == one.stream or isinstance(event, SAYING):
        memory = ""
    if memory and await store.read(lambda c: by_id(c, memory)) is not None:
        meant.memories[MemoryId(memory)] = None
    elif _says(one):
        meant.events[id] = None
    return None


async def _answered(store: Opened, one: Recorded) -> MemoryId | None:
    """The memory of the exchange that something belongs to which was said before it."""
    history = await store.log.stream(one.stream)
    injections = [other.draft for other in history if isinstance(other.draft.event, ContextInjected)]
    shown_for = {draft.id: draft.because for draft in injections}
    for other in history:
        event = other.draft.event
        if isinstance(event, ExchangeRecorded):
            before = {other.draft.because, *event.injections, *(shown_for.get(id) for id in event.injections)}
            before |= {shown_for.get(other.draft.because)} if other.draft.because is not None else set()
            if one.draft.id in before:
                return event.memory
    return None


def _says(one: Recorded) -> bool:
    return isinstance(one.draft.event, SAYING)


def _then(one: Recorded, selection: Selection) -> bool:
    return _within(one.draft.at, selection)


def _within(at: datetime, selection: Selection) -> bool:
    since, until = selection.since, selection.until
    return (since is None or at >= since) and (until is None or at < until)


def _shelved(connection: Connection, column: str, value: str, selection: Selection) -> dict[MemoryId, None]:
    """Those of which some wording was said then."""
    sql = f"""SELECT iif(status = 'corrected', successor, memory) AS whole FROM shelf WHERE {column} = ?
      AND (? IS NULL OR at >= ?) AND (? IS NULL OR at < ?) GROUP BY whole ORDER BY min(position)"""
    since = microseconds_or_none(selection.since)
    until = microseconds_or_none(selection.until)
    return {MemoryId(row[0]): None for row in connection.execute(sql, (value, since, since, until, until))}


def _sessions(connection: Connection, scope: Scope) -> list[SessionId]:
    """Those in which something was said in that scope."""
    sql = """SELECT id FROM session WHERE scope = ?1 UNION SELECT session FROM exchange WHERE scope = ?1
      UNION SELECT session FROM injection WHERE scope = ?1 UNION SELECT session FROM utterance WHERE scope = ?1
      UNION SELECT session FROM stand WHERE scope = ?1
      UNION SELECT session FROM shelf WHERE scope = ?1 AND session IS NOT NULL"""
    return [SessionId(row[0]) for row in connection.execute(sql, (scope,))]


async def _at_work(store: Opened, scope: Scope) -> list[SessionId]:
    """Those in which a tool was used in that scope, which no view tells: the whole log is looked through."""
    found: dict[SessionId, None] = {}
    position = START
    while page := await store.log.after(position, limit=PAGE):
        used = [one.draft.event for one in page if isinstance(one.draft.event, ToolUsed)]
        found |= {event.session: None for event in used if event.scope == scope}
        position = page[-1].position
    return list(found)
