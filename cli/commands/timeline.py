"""timeline: the life of a memory, of a session, or of a name that is mentioned, event by event."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Literal, TypeAlias

from aftermind.cli.terminal.arguments import add_everything, count, is_memory_id, plain_id, project_or_all

if TYPE_CHECKING:
    from aftermind.cli.past.choosing import Choice
    from aftermind.cli.past.living import Lived
    from aftermind.engine.logs.sqlite_log import SqliteLogReader

MOST, STRIDE = 200, 1_000
"""Lines by default, and positions between two steps of the progress bar."""
Subject: TypeAlias = Literal["memory", "session", "entity"]
SUBJECTS: tuple[Subject, ...] = ("memory", "session", "entity")


def configure(parser: ArgumentParser) -> None:
    parser.epilog = (
        "WHAT is a memory's or an exchange's id, a session's id, or a name: of a file,\n"
        "a function, a person. Of a name it is every memory, exchange, prompt and tool\n"
        "that mentions it, and what became of these memories, in this project and in\n"
        "none. `<- 12` is what it came of: the line of that number.\n\n"
        "examples:\n"
        "  aftermind timeline m0123456789abcdef\n"
        "  aftermind timeline deploy.sh --all\n"
        "  aftermind timeline --as session cli-4fb20a23b635 --json"
    )
    parser.add_argument("what", metavar="WHAT", type=plain_id, help="whose life it is")
    parser.add_argument("--as", dest="subject", choices=SUBJECTS, help="what WHAT is (default: what there is of that)")
    parser.add_argument("--limit", metavar="N", type=count, default=MOST, help=f"the newest N (default: {MOST})")
    add_everything(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.past.asked import store_of
    from aftermind.engine.store.beside import read_log

    home = store_of(arguments)
    async with read_log(home) as log:
        subject = arguments.subject or await _subject(log, arguments.what)
        found = None if subject == "memory" else await _found(arguments, log, subject)
    if found is None:
        found = await _of_memory(arguments)
    _tell(arguments, found)
    return 0


async def _subject(log: SqliteLogReader, what: str) -> Subject:
    """What there is of that id or name."""
    from aftermind.cli.language.ids import session_id
    from aftermind.cli.past.asked import no_book
    from aftermind.engine.events import ExchangeRecorded
    from aftermind.engine.names import EventId, session_stream
    from aftermind.engine.stored import storable

    if is_memory_id(what):
        return "memory"
    await no_book(log, what)
    event = await log.find(EventId(storable(what)))
    if event is not None and isinstance(event.draft.event, ExchangeRecorded):
        return "memory"
    return "session" if await log.stream(session_stream(session_id(what))) else "entity"


async def _of_memory(arguments: Namespace) -> list[Lived]:
    """With what led to it, wherever that happened."""
    from aftermind.cli.opening import opened
    from aftermind.cli.past.living import numbered

    async with opened(arguments, make=False) as memory:
        why = await memory.why(arguments.what)
    return numbered([(step, None) for step in why.steps], arguments.limit)


async def _found(arguments: Namespace, log: SqliteLogReader, subject: Subject) -> list[Lived]:
    from aftermind.cli.language.explaining import in_words
    from aftermind.cli.language.ids import session_id
    from aftermind.cli.past.asked import events_of, store_of
    from aftermind.cli.past.choosing import Choosing
    from aftermind.cli.past.living import memory_of, numbered, of_entity, of_session
    from aftermind.cli.terminal.progress import bar
    from aftermind.engine.errors import NotFound, Unusable

    what: str = arguments.what
    if not what:
        raise Unusable("a timeline is of something", what)
    life = of_session(session_id(what)) if subject == "session" else of_entity(what)
    choosing = Choosing(await _choice(arguments, log, subject))
    found = []
    seen, end = 0, log.head.position
    with bar("Reading", end, hidden=arguments.json) as told:
        async for recorded in events_of(store_of(arguments), log, end):
            if recorded.position - seen >= STRIDE:
                told(recorded.position - seen)
                seen = recorded.position
            if choosing.wants(recorded) and life.has(recorded):
                found.append((in_words(recorded), memory_of(recorded)))
    if not found:
        raise NotFound(
            "session" if subject == "session" else "memory, session or mention", what, hint="`--all` asks every project"
        )
    return numbered(found, arguments.limit)


async def _choice(arguments: Namespace, log: SqliteLogReader, subject: Subject) -> Choice:
    """The projects that are meant; a session is named, and asked for wherever it was."""
    from aftermind.cli.past.choosing import Choice
    from aftermind.cli.past.places import projects
    from aftermind.engine.errors import NotFound
    from aftermind.engine.names import GLOBAL

    project, all = project_or_all(arguments)
    if all or subject == "session":
        return Choice()
    scopes = {GLOBAL}
    if project is not None:
        try:
            scopes.add((await projects(log)).scope(str(project)))
        except NotFound:
            if arguments.project is not None:
                raise
    return Choice(scopes=frozenset(scopes))


def _tell(arguments: Namespace, lived: list[Lived]) -> None:
    from aftermind.cli.terminal.tables import one_line, show_hanging, show_json, when
    from aftermind.engine.stamp import Stamp
    from aftermind.projections.recalling.shown.wording import age

    if arguments.json:
        show_json(lived)
        return
    now = Stamp().now()
    wide = len(str(lived[-1].number)) if lived else 0
    for one in lived:
        about = f"{one.memory}  " if one.memory is not None else ""
        cause = f" <- {one.came_of}" if one.came_of is not None else ""
        head = f"{one.number:>{wide}}  {when(one.at)}  {age(now - one.at):>14}  "
        show_hanging(head, f"{about}{one.type}: {one_line(one.what)}{cause}")
