"""books: what was ingested, a row a book."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import add_everything, project_or_all

if TYPE_CHECKING:
    from aftermind.cli.language.answers import Book


LONGEST_TITLE = 40


def configure(parser: ArgumentParser) -> None:
    parser.epilog = "`aftermind remove BOOK` takes one out of recall."
    add_everything(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.terminal.tables import say, show_json, show_table

    project, everything = project_or_all(arguments)
    async with opened(arguments, make=False) as memory:
        await say_when_unknown(memory, project)
        found = await memory.books(project, all=everything)
        if arguments.project is None and project is not None:  # what is visible from the current folder
            found = (*await memory.books(), *found)
    if arguments.json:
        show_json(found)
    elif found:
        show_table(("ID", "CHUNKS", "SIZE", "WHEN", "PROJECT", "TITLE", "FILE"), [_row(book) for book in found])
    else:
        elsewhere = "" if everything else " `--all` lists every project's."
        say(f"There are no books here yet. `aftermind ingest PATH` reads some.{elsewhere}")
    return 0


def _row(book: Book) -> tuple[str, ...]:
    from aftermind.cli.terminal.tables import when
    from aftermind.projections.recalling.shown.wording import shortened

    title, project = shortened(book.title, LONGEST_TITLE), book.project or book.scope
    return book.id, f"{book.chunks:,}", sized(book.size), when(book.at)[:16], project, title, book.path


def sized(size: int) -> str:
    """Bytes as a person reads them."""
    for unit, of in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= of:
            return f"{size / of:.1f} {unit}"
    return f"{size} B"
