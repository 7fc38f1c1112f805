"""import: exchanges of another program, or of an earlier time. The same source twice changes nothing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import count, known_place, named_path

if TYPE_CHECKING:
    from datetime import datetime

    from aftermind.cli.importing.report import Report
    from aftermind.cli.importing.source import Format

EXPLAINED = """\
PATH is an OpenCode database (`opencode` is this user's own), a Claude Code
transcript or a folder of them (`claude-code` are this user's own), or a file of
JSON lines:

  {"prompt": "how do we deploy?", "answer": "make deploy", "session": "s1"}

or a file that `aftermind export` wrote, which comes back event by event.

The source is only read. What is imported is filed under the project it was said
in, with the time it was said, in the collection history. Importing a source
again adds what is new in it and nothing else.

--follow goes on with what OpenCode's database gets, until Ctrl-C; what its
plugin told of already is not recorded again:

  aftermind import opencode --follow

What another memory of assistants holds is imported by that program's name, from
where it keeps its data, or from a PATH: roampal, opencode-semantic-memory, ocm,
agentmemory, claude-mem; `rules` are CLAUDE.md, AGENTS.md, .cursorrules and
.cursor/rules of a folder, or one such file:

  aftermind import agentmemory --dry-run
  aftermind import claude-mem --map webshop=~/code/webshop
  aftermind import rules ~/code/webshop

Exported events keep their ids, so a file twice changes nothing; into an empty
store they are copied as they were. A colleague's are best kept apart:

  aftermind import theirs.jsonl --scope webshop
"""


_EVER = 365_000
"""Days; before that there is no date."""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument(
        "path", metavar="PATH|PROGRAM", type=named_path, help="a file, a folder of transcripts, or a program"
    )
    parser.add_argument("of", metavar="PATH", type=named_path, nargs="?", help="of a program: its data, elsewhere")
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        choices=("auto", "jsonl", "opencode", "claude", "events"),
        default="auto",
        help="what PATH is: jsonl, opencode, claude or events (default: auto, what is in it says)",
    )
    parser.add_argument("--project", metavar="PROJECT", help="file everything there is under this project")
    parser.add_argument(
        "--map",
        metavar="NAME=FOLDER",
        action="append",
        default=[],
        help="where a project is that a program knows by a name; may be given again",
    )
    parser.add_argument("--days", metavar="N", type=count, help="only what was said in the last N days")
    parser.add_argument("-f", "--follow", action="store_true", help="go on with what comes (OpenCode), until Ctrl-C")
    parser.add_argument("--scope", metavar="PROJECT", help="events: all under this project, with ids of their own")
    parser.add_argument("--edited", action="store_true", help="events: also lines that were changed after the export")
    parser.add_argument("--dry-run", action="store_true", help="read and count; write nothing")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.commands import importing_peers
    from aftermind.cli.commands.following import follow, is_own, source
    from aftermind.cli.importing.report import Report, sentence
    from aftermind.cli.importing.source import TITLES, detected
    from aftermind.cli.terminal.tables import note, say, show_json
    from aftermind.engine.errors import Unusable

    own = is_own(arguments.path)
    path = source(arguments.path, arguments.of).expanduser()
    if arguments.format in ("auto", "events"):
        from aftermind.cli.carrying.reading import is_events
        from aftermind.cli.commands.importing_events import bring

        if arguments.format == "events" or is_events(path):
            return await bring(path, arguments)
    if arguments.scope is not None or arguments.edited:
        raise Misused("--scope and --edited are for exported events", hint="--project files exchanges under a project")
    if arguments.project is not None and not known_place(arguments.project).strip():
        raise Misused("--project needs a name or a folder")
    if importing_peers.is_named(arguments.path):
        if arguments.follow:
            raise Misused(f"{arguments.path} cannot be followed", hint="import it again: only what is new is added")
        return await importing_peers.run(arguments, _earliest(arguments))
    if arguments.of is not None and not own:
        hint = f"one of: {', '.join(importing_peers.NAMES)}; of anything else name the path alone"
        raise Misused(f"{arguments.path} is no program whose memories can be imported", hint=hint)
    if arguments.follow and arguments.dry_run:
        raise Misused("--follow writes, and --dry-run does not", hint="leave one of them out")
    named: Format | None = None if arguments.format == "auto" else arguments.format
    try:
        format = detected(path, named)
    except Unusable as error:
        if path.is_dir() and not error.hint:
            error.hint = f"name the file: `aftermind import {path / 'FILE.jsonl'}`"
        elif own and not error.hint:
            error.hint = f"`aftermind import {arguments.path} PATH` names where it is"
        elif not path.exists() and not error.hint:
            error.hint = importing_peers.programs()
        raise
    if arguments.follow:
        return await follow(path, arguments, _earliest(arguments))
    if format == "opencode" and named is None and (program := importing_peers.recognised(path)) is not None:
        hint = f"`aftermind import {program} {path}` imports it"
        raise Unusable(f"a database of {program}, and not of OpenCode", str(path), hint=hint)
    if format is None:
        report = Report(format=None, dry_run=arguments.dry_run)
    else:
        if not arguments.json:
            note(f"{path}: {TITLES[format]}")
        report = await imported(path, format, arguments)
    if arguments.json:
        show_json(report)
    else:
        say(sentence(report, path))
    return 2 if report.unreadable and not report.found and not report.older else 0


async def imported(path: Path, format: Format, arguments: Namespace, *, under: Path | None = None) -> Report:
    """What became of a source, or of what was said in it in a folder `under` that one. Of `arguments`: `project`,
    `days`, `dry_run`, and where the store is."""
    from itertools import chain

    from msgspec import structs

    from aftermind.cli.importing.exchange import LeftOut, lately, within
    from aftermind.cli.importing.intake import taken_in
    from aftermind.cli.importing.report import counted, recorded
    from aftermind.cli.importing.source import exchanges, size
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.this_folder import meant

    left_out = LeftOut()
    with bar("Importing", size(path, format), hidden=arguments.json) as advance:
        items = exchanges(path, format, advance)
        if (earliest := _earliest(arguments)) is not None:
            items = lately(items, earliest, left_out)
        if under is not None:
            items = within(items, under)
        first = next(items, None)  # what is no source of this format shows here, before a store is opened or made
        if arguments.dry_run or first is None:
            report = counted(chain([] if first is None else [first], items), format, dry_run=arguments.dry_run)
        else:
            async with opened(arguments) as memory:
                project = await meant(memory, arguments.project)
                report = recorded(await taken_in(memory, chain([first], items), project), format)
    return structs.replace(report, older=left_out.older)


def _earliest(arguments: Namespace) -> datetime | None:
    """The time since when things are wanted."""
    from datetime import timedelta

    from aftermind.engine.stamp import Stamp

    if arguments.days is None:
        return None
    return Stamp().now() - timedelta(days=min(arguments.days, _EVER))
