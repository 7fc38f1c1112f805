"""What the options of commands that look back mean: the moment, the events, the store as it was."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct

from aftermind.cli.language.ids import session_id
from aftermind.cli.opening import home_of, must_be_there
from aftermind.cli.past.choosing import Choice, in_order, types_of
from aftermind.cli.past.moments import Moment, moment, since, until
from aftermind.cli.past.opening import Past, forgotten, open_past, point_of
from aftermind.cli.past.places import projects
from aftermind.cli.settings import configuration, policy_of
from aftermind.cli.terminal.arguments import known_place
from aftermind.cli.terminal.progress import bar
from aftermind.engine.errors import NotFound
from aftermind.engine.events import ContextInjected, ExchangeRecorded, PromptReceived
from aftermind.engine.log import Recorded
from aftermind.engine.logs.past_log import PastLog
from aftermind.engine.logs.sqlite_log import SqliteLogReader
from aftermind.engine.names import START, BookId, EventId, Position, StreamName, book_stream, named_by, session_stream
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.beside import read_log
from aftermind.engine.stored import storable, tag_of

BATCH = 1_000


class Named(Struct, frozen=True, kw_only=True):
    """What an id or a position is of: a briefing or prompt, a memory, or neither."""

    briefing: EventId | None = None
    memory: str | None = None
    position: Position = START


async def named(arguments: Namespace, id: str) -> Named:
    """What somebody means by the id of an event, or by its position in digits."""
    async with read_log(store_of(arguments)) as log:
        if id.isdecimal() and len(id) < 19:
            found = await log.before(Position(int(id)))
            if found is None or found.position != int(id):
                raise NotFound("event", id, hint="`aftermind log --limit 5` prints the newest positions")
        else:
            found = await log.find(EventId(storable(id)))
        if found is None:
            await no_book(log, id)
            return Named()
        event = found.draft.event
        if isinstance(event, ContextInjected | PromptReceived):
            return Named(briefing=found.draft.id, position=found.position)
        if isinstance(event, ExchangeRecorded):
            return Named(memory=event.memory)
        about: str | None = getattr(event, "exchange", None) or getattr(event, "memory", None)
        about = about or named_by(found.stream, "memory") or None
        if about is None:
            tag = tag_of(event)
            hint = f"that is {'an' if tag[0] in 'aeiou' else 'a'} {tag}: `aftermind log` shows it"
            raise NotFound("memory, exchange or briefing", id, hint=hint)
        return Named(memory=about)


async def no_book(log: SqliteLogReader, id: str) -> None:
    """`NotFound` for the id of a book, which has no life of its own: its chunks have."""
    if await log.stream(book_stream(BookId(storable(id)))):
        raise NotFound("memory, exchange or briefing", id, hint="that is a book: `aftermind books` lists them")


def moment_of(text: str | None) -> Moment | None:
    """The moment an option names, if it was given."""
    return None if text is None else moment(text, Stamp().now())


def store_of(arguments: Namespace) -> Path:
    """The folder of a store that is there."""
    home = home_of(arguments)
    must_be_there(home)
    return home


async def choice_of(arguments: Namespace, log: SqliteLogReader) -> Choice:
    """The events that are meant."""
    first, last = moment_of(arguments.since), moment_of(arguments.to)
    project = arguments.project
    for session in arguments.session:
        if not await log.stream(session_stream(session_id(session))):
            raise NotFound("session", session, hint="`aftermind session list --all` lists them")
    return in_order(
        Choice(
            since=None if first is None else since(first),
            until=None if last is None else until(last),
            sessions=frozenset(map(session_id, arguments.session)),
            streams=frozenset(map(StreamName, arguments.stream)),
            types=types_of(arguments.type),
            scopes=frozenset([] if project is None else [(await projects(log)).scope(known_place(project))]),
        )
    )


@asynccontextmanager
async def replayed(arguments: Namespace, *, hidden: bool) -> AsyncIterator[Past]:
    """The store as it was at `--until`, of the events the other options leave."""
    home, config = store_of(arguments), configuration()
    asked = moment_of(arguments.until)
    async with read_log(home) as log:
        choice = await choice_of(arguments, log)
        end = (await point_of(log, asked, Stamp().now())).position
    with bar("Replaying", end, hidden=hidden) as told:
        policy, model = policy_of(config), config.model.name
        async with open_past(home, asked, policy=policy, model=model, choice=choice, told=told) as past:
            yield past


async def events_of(home: Path, whole: SqliteLogReader, end: Position) -> AsyncIterator[Recorded]:
    """Every event up to a position, as it may be told today: what was forgotten since is erased."""
    log = PastLog(whole, end, await forgotten(home, whole))
    seen = START
    while events := await log.after(seen, limit=BATCH):
        for recorded in events:
            yield recorded
        seen = events[-1].position
