"""remove: books out of recall. Asks first; without a terminal to ask at, `--yes` has to say so."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from shlex import join, quote
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import add_project, named, plain_id, project_of

if TYPE_CHECKING:
    from aftermind.cli.language.answers import Book
    from aftermind.engine.names import BookId

EXPLAINED = """\
No answer shows a removed book's chunks any more. A file or a folder means what
was read from there into the current project; without that, what is global; and
without that, what another project read. An id, --project and --global mean what
they name.

The log still holds the words. `aftermind ingest` brings a book back while its
file is there (with --global or --project, as it was read), `aftermind onboard`
what it made of a project's layout, history, manifests and pipelines.
"""
MADE = "a project's layout, history, manifests and pipelines"
"""What `onboard` makes books of, and no ingestion reads."""
SHOWN = 20
"""Books that are named before it is asked."""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument(
        "books", metavar="BOOK", nargs="+", type=named, help="its id, the file it was read from, or a folder of those"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    add_project(parser, "the current folder's before any other")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.terminal.stdin import agreed, somebody_to_ask
    from aftermind.cli.terminal.tables import counted, note, say, show_json

    option = _option(arguments)
    async with opened(arguments, make=False) as memory:
        here = {book.id for folder in _here() for book in await memory.books(folder)}
        project = project_of(arguments) if option else None
        await say_when_unknown(memory, project)
        known = await memory.books(project, all=not option)
    found = {word: _found(word, known, f"`aftermind books{option}`") for word in arguments.books}
    doomed = {book.id: book for books in found.values() for book in _meant(books, here)}
    if not arguments.yes:
        hint = f"`aftermind remove --yes{option} {join(arguments.books)}` does not ask"
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
            for line in (*_staying(found, doomed), _back(gone, here)):
                say(line)
    return 0


def _option(arguments: Namespace) -> str:
    """What the command line says of whose books are meant, as it is written there."""
    if arguments.everywhere:
        return " --global"
    return "" if arguments.project is None else f" --project {quote(arguments.project)}"


def _here() -> list[Path]:
    try:
        return [Path.cwd()]
    except FileNotFoundError:  # it was removed
        return []


def _whose(book: Book, here: Collection[BookId]) -> str:
    if book.id in here:
        return ""
    return f", of the project {book.project or book.scope}" if not _is_global(book) else ", of every project (global)"


def _is_global(book: Book) -> bool:
    from aftermind.engine.names import GLOBAL

    return book.scope == GLOBAL


def _found(word: str, known: Sequence[Book], listing: str) -> list[Book]:
    """The book of an id, or all that were read from a file or a folder."""
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
        raise NotFound("book", word, hint=f"{listing} lists them; a book is an id, a file, or a folder of files")
    return found


def _meant(found: Sequence[Book], here: Collection[BookId]) -> Sequence[Book]:
    """Those of the current project; without them those that every project sees, and without them all there are."""
    return [book for book in found if book.id in here] or [book for book in found if _is_global(book)] or found


def _staying(found: dict[str, list[Book]], doomed: Collection[BookId]) -> Iterator[str]:
    """That what is global was not meant by a file, and how it would be."""
    stay = {
        word: [book for book in books if _is_global(book) and book.id not in doomed] for word, books in found.items()
    }
    if many := len({book.id for books in stay.values() for book in books}):
        told = "The global book of the same file stays" if many == 1 else f"{many:,} global books from there stay"
        words = join([word for word, books in stay.items() if books])
        yield f"{told}: `aftermind remove --global {words}` takes {'it' if many == 1 else 'them'} out."


def _back(gone: Sequence[Book], here: Collection[BookId]) -> str:
    """What brings back each kind of what is gone."""
    from aftermind.cli.language.books import PROJECT_FORMS

    read = [book for book in gone if book.form not in PROJECT_FORMS]
    options = {"" if book.id in here else _as_read(book) for book in read}
    option = options.pop() if len(options) == 1 else ""
    ways = [f"while its file is there, `aftermind ingest{option}` brings a book back"] if read else []
    if len(read) < len(gone):
        ways.append(f"`aftermind onboard` {'' if read else 'brings back '}{MADE}")
    return f"The log still holds their words; {', and '.join(ways)}."


def _as_read(book: Book) -> str:
    return " --global" if _is_global(book) else f" --project {quote(book.project or book.scope)}"
