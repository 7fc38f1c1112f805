"""remove: books out of recall. Asks first; without a terminal to ask at, `--yes` has to say so."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import named, plain_id

if TYPE_CHECKING:
    from aftermind.cli.language.answers import Book
    from aftermind.engine.names import BookId

LEFT = "The log still holds their words; while its file is there, `aftermind ingest`\nbrings a book back."
SHOWN = 20
"""Books that are named before it is asked."""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = (
        "No answer shows a removed book's chunks any more. A file or a folder means what\n"
        "was read from there into the current project; without that, into another one.\n"
        f"{LEFT}"
    )
    parser.add_argument(
        "books", metavar="BOOK", nargs="+", type=named, help="its id, the file it was read from, or a folder of those"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")


async def run(arguments: Namespace) -> int:
    from shlex import join

    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.stdin import agreed, somebody_to_ask
    from aftermind.cli.terminal.tables import counted, note, say, show_json

    async with opened(arguments, make=False) as memory:
        known = await memory.books(all=True)
        here = {book.id for project in (None, *_here()) for book in await memory.books(project)}
    doomed = {book.id: book for word in arguments.books for book in _meant(word, known, here)}
    if not arguments.yes:
        hint = f"`aftermind remove --yes {join(arguments.books)}` does not ask"
        somebody_to_ask("remove asks before it removes", hint)
        for book in list(doomed.values())[:SHOWN]:
            note(f"{book.id}  {book.title}, {counted(book.chunks, 'chunk')}, {book.path}{_whose(book, here)}")
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
                say(f"Removed {book.id}: {book.title}, {counted(book.chunks, 'chunk')}{_whose(book, here)}.")
            if len(gone) > SHOWN:
                say(f"… and {len(gone) - SHOWN:,} more.")
            say(LEFT)
    return 0


def _here() -> list[Path]:
    try:
        return [Path.cwd()]
    except FileNotFoundError:  # it was removed
        return []


def _whose(book: Book, here: Collection[BookId]) -> str:
    return "" if book.id in here else f", of the project {book.project or book.scope}"


def _meant(word: str, known: Sequence[Book], here: Collection[BookId]) -> list[Book]:
    """The books that are meant by an id, a file or a folder: those that are seen from here, or else all there are of
    that file."""
    from aftermind.cli.reaching.editions import file_of
    from aftermind.engine.errors import NotFound

    id = plain_id(word)
    if found := [book for book in known if book.id == id]:
        return found
    try:
        path = Path(word).expanduser()
        paths = {str(path.absolute()), str(path.resolve())}
    except (OSError, RuntimeError, ValueError):
        paths = set()
    inside = tuple(f"{path.rstrip('/')}/" for path in paths)
    files = {book: file_of(book.path) for book in known}
    found = [book for book, file in files.items() if file in paths or (inside and file.startswith(inside))]
    if not found:
        raise NotFound("book", word, hint="`aftermind books` lists them; a book is an id, a file, or a folder of files")
    return [book for book in found if book.id in here] or found
