"""What the options of commands that look back mean: the moment, the events, the store as it was."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from aftermind.cli.answering.filing import session_id
from aftermind.cli.opening import home_of, must_be_there
from aftermind.cli.past.choosing import Choice, types_of
from aftermind.cli.past.moments import Moment, moment, since, until
from aftermind.cli.past.opening import Past, forgotten, open_past, point_of, read_log
from aftermind.cli.past.places import projects
from aftermind.cli.settings import configuration, policy_of
from aftermind.cli.terminal.arguments import known_place
from aftermind.cli.terminal.progress import bar
from aftermind.engine.log import Recorded
from aftermind.engine.names import START, Position, StreamName
from aftermind.engine.past_log import PastLog
from aftermind.engine.sqlite_log import SqliteLogReader
from aftermind.engine.stamp import Stamp

BATCH = 1_000


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
    return Choice(
        since=None if first is None else since(first),
        until=None if last is None else until(last),
        sessions=frozenset(map(session_id, arguments.session)),
        streams=frozenset(map(StreamName, arguments.stream)),
        types=types_of(arguments.type),
        scopes=frozenset([] if project is None else [(await projects(log)).scope(known_place(project))]),
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
