"""export: the events of the store as lines of JSON, losing nothing, or what it knows as a tree of Markdown."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.cli.carrying.chosen import add_filters, chosen
from aftermind.cli.terminal.arguments import named_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from aftermind.cli.carrying.exporting import Exported
    from aftermind.cli.past.choosing import Choice
    from aftermind.engine.logs.sqlite_log import SqliteLogReader

STDOUT = "-"
_OF_PAGES = (".md", ".markdown", ".html", ".txt")
"""Endings by which something to read was expected."""
EXPLAINED = """\
examples:
  aftermind export events.jsonl          all; `aftermind import` takes it in
  aftermind export events.jsonl.gz       the same, packed
  aftermind export --project . | gzip >mine.gz
  aftermind export --from 2026-05-01 --kind decision decisions.jsonl
  aftermind export --markdown notes/     a page a memory, book and session;
                                         again, only what changed is written
"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("file", metavar="FILE", nargs="?", default=STDOUT, help="default: -, standard output")
    parser.add_argument("--markdown", metavar="FOLDER", type=named_path, help="write pages there instead of events")
    add_filters(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.carrying.target import target
    from aftermind.cli.opening import opened_log

    if arguments.markdown is not None:
        return await _pages(arguments)
    async with opened_log(arguments) as log:
        choice, filters = await chosen(arguments, log)
        if arguments.file == STDOUT or _is_stdout(Path(arguments.file)):
            await _written(log, choice, filters, sys.stdout.buffer.write, None, arguments)
            return 0
        path = Path(arguments.file)
        with target(path) as write:
            before = _written_at(path.expanduser())
            done = await _written(log, choice, filters, write, path, arguments)
    _tell(done, path, before, as_json=arguments.json)
    return 0


def _is_stdout(path: Path) -> bool:
    """Whether that is a name of standard output: what is told would come among the events."""
    import os

    try:
        return os.path.samestat(path.expanduser().stat(), os.fstat(sys.stdout.fileno()))
    except (OSError, ValueError):
        return False


def _written_at(path: Path) -> datetime | None:
    """When the export was written that is there; None where there is none."""
    from aftermind.engine.moments import moment

    if not path.exists() or path.stat().st_size == 0:
        return None
    return moment(path.stat().st_mtime_ns // 1_000)


async def _pages(arguments: Namespace) -> int:
    from aftermind.cli.carrying.pages.making import Making
    from aftermind.cli.carrying.pages.tree import Tree
    from aftermind.cli.language.misused import Misused
    from aftermind.cli.opening import home_of, opened, opened_log
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.terminal.tables import counted, say, show_json
    from aftermind.engine.sqlite import database
    from aftermind.engine.views.growing import current

    if arguments.file != STDOUT or arguments.type:
        raise Misused("--markdown FOLDER is all that is written, and a page is of no type", hint="leave the rest out")
    async with opened(arguments, make=False) as memory, opened_log(arguments) as log:
        choice, filters = await chosen(arguments, log)
        await memory.caught_up()
        path = current(home_of(arguments))
        assert path is not None, "the views were just read"
        tree = Tree(arguments.markdown)
        total = (await memory.stats()).events
        async with database(path, "read") as seen:
            with bar("Writing pages", total, hidden=arguments.json) as advance:
                await Making(seen, log, choice, tree).all(advance)
        done = tree.finish(all_of_it=not filters)
    if arguments.json:
        show_json(done)
        return 0
    same = f"{done.same:,} stayed as {'it was' if done.same == 1 else 'they were'}"
    gone = f"{done.removed:,} of what is gone {'was' if done.removed == 1 else 'were'} taken away"
    say(f"Wrote {counted(done.written, 'page')} to {tree.folder.resolve()}; {same}, {gone}.")
    if done.left:
        say(f"Left alone, because somebody else wrote or edited them: {', '.join(done.left[:5])}")
    return 0


async def _written(
    log: SqliteLogReader,
    choice: Choice,
    filters: Mapping[str, str],
    write: Callable[[bytes], object],
    path: Path | None,
    arguments: Namespace,
) -> Exported:
    from aftermind.cli.carrying.exporting import exported
    from aftermind.cli.terminal.progress import bar

    with bar("Exporting", log.head.position, hidden=arguments.json) as advance:
        return await exported(log, choice, filters, write, advance, path)


def _tell(done: Exported, path: Path, before: datetime | None, *, as_json: bool) -> None:
    """`before`: when the export was written that was there under the same name."""
    from aftermind.cli.terminal.tables import counted, say, show_json, when

    if as_json:
        show_json(done)
        return
    of = f" of {done.of:,}" if done.events != done.of else ""
    erased = f", {done.erased:,} of them erased" if done.erased else ""
    say(f"Exported {counted(done.events, 'event')}{of}{erased} to {path}, up to position {done.head:,}.")
    if done.filters:
        say("It is a part of the log: a `because` in it may name an event that is not.")
    if before is not None:
        say(f"It has taken the place of the export of {when(before)}.")
    if path.suffix.lower() in _OF_PAGES:
        say("Events are lines of JSON, however the file is called; `--markdown FOLDER` writes pages to read.")
