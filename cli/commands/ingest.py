"""ingest: documents into the collection books. What did not change since the last time is not read again."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import add_project, named_path, project_of

if TYPE_CHECKING:
    from aftermind.cli.ingesting.report import Report
    from aftermind.cli.ingesting.walking import File, OutOfReach
    from aftermind.cli.open_memory import OpenMemory

EXPLAINED = """\
Markdown, plain text, reStructuredText, HTML, DOCX, and with
`pip install 'aftermind[books]'` PDF. Of folders everything below them, without
what git ignores and what is hidden; what is named itself is taken. Source code
is no book unless a glob asks for it. A disk or a home is not read as a whole:
name what is meant in it, or say which files with a glob.

A file is one book. Ingested again it is read if it changed: chunks that are
still in it keep their ids and their record, those that are not leave recall.

examples:
  aftermind ingest README.md docs
  aftermind ingest ~/papers --global
  aftermind ingest . --glob '*.md' --glob '!drafts/'
"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("paths", metavar="PATH", nargs="+", type=named_path, help="a file, or a folder of them")
    parser.add_argument(
        "--glob",
        metavar="PATTERN",
        action="append",
        default=[],
        help="of folders only what matches, as in .gitignore; may be repeated",
    )
    parser.add_argument("--dry-run", action="store_true", help="read and count; write nothing")
    add_project(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.ingesting.breadth import must_be_narrow
    from aftermind.cli.ingesting.report import lines
    from aftermind.cli.terminal.tables import say, show_json

    paths = [_there(path) for path in arguments.paths]
    if not arguments.glob and not arguments.dry_run:
        must_be_narrow(paths)
    report = await _ingested(paths, arguments)
    if arguments.json:
        show_json(report)
    else:
        for line in lines(report):
            say(line)
    return 2 if report.failed and not report.read else 0


def _there(path: Path) -> Path:
    """The path, absolute. What is not there is a slip of the keyboard, and nothing is begun."""
    from aftermind.engine.errors import Unusable

    try:
        found = path.expanduser().absolute()
        found.lstat()
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Unusable(f"nothing to ingest there ({why})", str(path), hint=_meant(path)) from error
    return found


def _meant(path: Path) -> str:
    """What to name instead: what is called like it there, if there is such a thing."""
    from difflib import get_close_matches

    from aftermind.cli.terminal.tables import one_line

    try:
        beside = [one.name for one in path.expanduser().absolute().parent.iterdir() if not one.name.startswith(".")]
    except (OSError, RuntimeError, ValueError):
        return "name a file or a folder that is there"
    if close := get_close_matches(path.name, beside, n=1):
        return f"did you mean {one_line(str(path.with_name(close[0])))}?"
    return "name a file or a folder that is there"


async def _ingested(paths: Sequence[Path], arguments: Namespace) -> Report:
    from contextlib import AsyncExitStack, suppress

    from anyio import get_cancelled_exc_class, to_thread

    from aftermind.cli.ingesting.intake import Intake
    from aftermind.cli.ingesting.reader import reader
    from aftermind.cli.ingesting.report import Report
    from aftermind.cli.ingesting.walking import Ways
    from aftermind.cli.interrupting import CTRL_C
    from aftermind.cli.opening import NoStore, opened
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.terminal.tables import counted, note
    from aftermind.cli.this_folder import meant
    from aftermind.engine.errors import AftermindError

    project, ways = project_of(arguments), Ways()
    files = await to_thread.run_sync(_found, paths, arguments.glob, ways)
    report = Report(dry_run=arguments.dry_run)
    report.left_out(ways)
    total = sum(getattr(one, "size", 0) for one in files)
    async with AsyncExitStack() as stack:
        advance = stack.enter_context(bar("Ingesting", total, hidden=arguments.json))
        read = await stack.enter_async_context(reader())
        memory: OpenMemory | None = None
        with suppress(NoStore):
            if not arguments.dry_run:
                memory = await stack.enter_async_context(opened(arguments, make=bool(files)))
        intake = Intake(memory, read, await meant(memory, project), report, advance)
        try:
            await intake.take(files, paths, every=not arguments.glob)
        except (AftermindError, OSError, get_cancelled_exc_class()) as error:
            how = "ended early" if isinstance(error, Exception) else "interrupted"
            CTRL_C.told = CTRL_C.told or how == "interrupted"
            if arguments.dry_run:
                note(f"{how} while it counted; nothing was written")
            else:
                taken = counted(report.new + report.changed, "book")
                note(f"{how}: at least {taken} taken whole, none by half; run it again to go on")
            raise
    return report


def _found(paths: Sequence[Path], globs: Sequence[str], ways: object) -> list[File | OutOfReach]:
    from aftermind.cli.ingesting.walking import Ways, files

    assert isinstance(ways, Ways)
    return list(files(paths, globs, ways))
