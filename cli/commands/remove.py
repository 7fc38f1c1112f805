"""remove: books out of recall. Asks first; without a terminal to ask at, `--yes` has to say so."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import plain_id

if TYPE_CHECKING:
    from aftermind.cli.language.answers import Book

LEFT = "The log still holds their words; while its file is there, `aftermind ingest`\nbrings a book back."
SHOWN = 20
"""Books that are named before it is asked."""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = f"No answer shows a removed book's chunks any more.\n{LEFT}"
    parser.add_argument(
        "books", metavar="BOOK", nargs="+", help="a book's id, the file it was read from, or a folder of such files"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.stdin import agreed, somebody_to_ask
    from aftermind.cli.terminal.tables import counted, note, say, show_json

    async with opened(arguments, make=False) as memory:
        known = await memory.books(all=True)
    doomed = {book.id: book for word in arguments.books for book in _meant(word, known)}
    if not arguments.yes:
        hint = f"`aftermind remove --yes {' '.join(arguments.books)}` does not ask"
        somebody_to_ask("remove asks before it removes", hint)
        for book in list(doomed.values())[:SHOWN]:
            note(f"{book.id}  {book.title}, {counted(book.chunks, 'chunk')}, {book.path}")
        if len(doomed) > SHOWN:
            note(f"… and {len(doomed) - SHOWN:,} more")
        if not await agreed(f"Remove {'it' if len(doomed) == 1 else f'these {len(doomed):,} books'} from recall?"):
            show_json({"removed": []}) if arguments.json else say("Nothing was removed.")
            return 0
    gone: list[Book] = []
    try:
        async with opened(arguments) as memory:
            for book in doomed.values():
                await memory.remove(book.id)
                gone.append(book)
    finally:  # also when a later one was refused: what is gone is said
        if arguments.json and gone:
            show_json({"removed": [book.id for book in gone]})
        elif gone:
            for book in gone[:SHOWN]:
                say(f"Removed {book.id}: {book.title}, {counted(book.chunks, 'chunk')}.")
            if len(gone) > SHOWN:
                say(f"… and {len(gone) - SHOWN:,} more.")
            say(LEFT)
    return 0


def _meant(word: str, known: Sequence[Book]) -> list[Book]:
    """The books that are meant by an id, a file or a folder; all there are of that file, whatever their project."""
    from aftermind.engine.errors import NotFound

    id = plain_id(word)
    if found := [book for book in known if book.id == id]:
        return found
    try:
        paths = {str(Path(word).expanduser().absolute()), str(Path(word).expanduser().resolve())}
    except (OSError, RuntimeError, ValueError):
        paths = set()
    inside = tuple(f"{path.rstrip('/')}/" for path in paths)
    found = [book for book in known if book.path in paths or (inside and book.path.startswith(inside))]
    if not found:
        raise NotFound("book", word, hint="`aftermind books` lists them; a book is an id, a file, or a folder of files")
    return found
