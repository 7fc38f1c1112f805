"""Which events a command's options ask for."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aftermind.engine.names import KINDS

if TYPE_CHECKING:
    from aftermind.cli.past.choosing import Choice
    from aftermind.engine.logs.sqlite_log import SqliteLogReader


def add_filters(parser: ArgumentParser) -> None:
    from aftermind.cli.past.moments import HELP

    group = parser.add_argument_group("which events (all of what is given must hold)")
    many: dict[str, Any] = {"action": "append", "default": []}
    group.add_argument("--project", metavar="PROJECT", help="of this project, repeatable", **many)
    group.add_argument("--global", dest="everywhere", action="store_true", help="of what is visible in every project")
    group.add_argument("--kind", choices=KINDS, metavar="KIND", help="of memories of this kind, repeatable", **many)
    group.add_argument("--from", dest="since", metavar="MOMENT", help=f"recorded since: {HELP}")
    group.add_argument("--to", dest="until", metavar="MOMENT", help="recorded until")
    group.add_argument("--session", metavar="SESSION", help="of this session, repeatable", **many)
    group.add_argument("--type", metavar="TYPE", help="of this type, repeatable", **many)


async def chosen(arguments: Namespace, log: SqliteLogReader) -> tuple[Choice, Mapping[str, str]]:
    """What is meant, and in which words it was asked for."""
    from aftermind.cli.language.ids import session_id
    from aftermind.cli.past.choosing import Choice, types_of
    from aftermind.cli.past.moments import moment, since, until
    from aftermind.cli.past.places import projects
    from aftermind.cli.terminal.arguments import known_place
    from aftermind.cli.terminal.tables import note
    from aftermind.engine.names import GLOBAL, session_stream
    from aftermind.engine.stamp import Stamp

    now = Stamp().now()
    scopes = {GLOBAL} if arguments.everywhere else set()
    for project in arguments.project:
        scopes.add((await projects(log)).scope(known_place(project)))
    for session in arguments.session:
        if not await log.stream(session_stream(session_id(session))):
            note(f"there is no session {session!r}: `aftermind session list --all` lists them")
    choice = Choice(
        since=since(moment(arguments.since, now)) if arguments.since is not None else None,
        until=until(moment(arguments.until, now)) if arguments.until is not None else None,
        sessions=frozenset(map(session_id, arguments.session)),
        types=types_of(arguments.type),
        scopes=frozenset(scopes),
        kinds=frozenset(arguments.kind),
    )
    said = {
        "project": ", ".join([*arguments.project, *(["global"] if arguments.everywhere else [])]),
        "kind": ", ".join(arguments.kind),
        "from": str(choice.since) if choice.since is not None else "",
        "to": str(choice.until) if choice.until is not None else "",
        "session": ", ".join(arguments.session),
        "type": ", ".join(arguments.type),
    }
    return choice, {name: value for name, value in said.items() if value}
