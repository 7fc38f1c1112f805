"""What is known of the books: which there are, which files have to be read, what a next edition finds on the shelf."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, json

from aftermind.cli.answering.filing import scopes_of
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import Book
from aftermind.cli.language.requests import Books, Unread
from aftermind.engine.events import BookIngested
from aftermind.engine.memories.book import Chunk, Shelved, Spread, book_of
from aftermind.engine.moments import moment
from aftermind.engine.names import GLOBAL, BookId, MemoryId, Scope
from aftermind.engine.sqlite import Connection, as_json, as_json_or_none
from aftermind.engine.stored import storable
from aftermind.projections.views.seen import in_scopes_or_all

_LISTED = "SELECT value FROM json_each(?)"


class Next(Struct, frozen=True, kw_only=True):
    """A book's next edition: what comes with its text, what was shelved before, and the pages of each."""

    event: BookIngested
    chunks: Mapping[MemoryId, Chunk]
    shelved: tuple[MemoryId, ...] = ()
    pages: Mapping[MemoryId, Spread] = {}


class Shelf(Struct, frozen=True, kw_only=True):
    """What the shelf has of a book before its next edition."""

    edition: tuple[object, ...] | None
    """What the newest one was made of, if there is one."""
    chunks: Mapping[MemoryId, Shelved]
    """Of those that come with their text."""
    forgotten: frozenset[MemoryId]
    """Of all of them."""
    missing: int
    """How many of those that should have been shelved are not."""
    locked: Mapping[MemoryId, Spread]
    """Chunks the edition does not list and nobody may take out, with their pages."""


async def unread(store: Opened, asked: Unread) -> tuple[int, ...]:
    """Which of the sources are not what their newest edition was made of. Writes nothing."""
    scope = (await scopes_of(store, asked.project))[-1]
    if asked.project is not None and scope == GLOBAL:  # nothing was ever filed there
        return tuple(range(len(asked.sources)))
    books = [book_of(scope, storable(source.path)) for source in asked.sources]
    sql = f"SELECT id, digest, cut FROM book WHERE id IN ({_LISTED})"
    rows = await store.read(lambda c: c.execute(sql, (as_json(books),)).fetchall())
    known = {id: (digest, cut) for id, digest, cut in rows}
    both = zip(books, asked.sources, strict=True)
    return tuple(n for n, (book, source) in enumerate(both) if known.get(book) != (source.digest, asked.cut))


async def books(store: Opened, asked: Books) -> tuple[Book, ...]:
    scopes = None if asked.all else [(await scopes_of(store, asked.project))[-1]]
    if scopes == [GLOBAL] and asked.project is not None:
        return ()
    sql = f"""SELECT b.id, b.title, b.path, b.form, b.size, b.at, b.scope, ifnull(p.name, ''),
      (SELECT count(*) FROM shelf WHERE book = b.id AND standing = 'in')
      FROM book b LEFT JOIN project p ON p.id = b.scope
      WHERE {in_scopes_or_all("b.scope")} AND b.id = ifnull(:id, b.id) ORDER BY 8, b.path, b.id"""
    of = {"scopes": as_json_or_none(scopes), "id": None if asked.id is None else storable(asked.id)}
    rows = await store.read(lambda c: c.execute(sql, of).fetchall())
    return tuple(
        Book(id=id, title=title, path=path, form=form, size=size, at=moment(at), scope=scope, project=name, chunks=n)
        for id, title, path, form, size, at, scope, name, n in rows
    )


def shelved(connection: Connection, one: Next) -> dict[MemoryId, Shelved]:
    """Those of its chunks that are on the shelf, of the ones that come with their text."""
    sql = f"SELECT memory, text, speaker, place, standing FROM shelf WHERE memory IN ({_LISTED}) AND book = ?"
    rows = connection.execute(sql, (as_json(one.chunks), one.event.book))
    return {
        memory: Shelved(text=text, title=title, place=place, standing=standing)
        for memory, text, title, place, standing in rows
    }


def forgotten(connection: Connection, one: Next) -> frozenset[MemoryId]:
    rows = connection.execute(f"SELECT memory FROM gone WHERE memory IN ({_LISTED})", (as_json(list(one.pages)),))
    return frozenset(MemoryId(row[0]) for row in rows)


def shelf_of(connection: Connection, one: Next) -> Shelf:
    book, before = one.event.book, as_json(one.shelved)
    sql = f"""{_LISTED} WHERE value NOT IN (SELECT memory FROM shelf WHERE book = ? AND standing IN ('coming', 'in'))
      AND value NOT IN (SELECT memory FROM gone)"""
    missing = connection.execute(f"SELECT count(*) FROM ({sql})", (before, book)).fetchone()[0] if one.shelved else 0
    sql = "SELECT title, form, digest, size, cut FROM book WHERE id = ?"
    edition = connection.execute(sql, (book,)).fetchone()
    rows = connection.execute("SELECT memory FROM shelf WHERE book = ? AND standing = 'in'", (book,))
    return Shelf(
        edition=(*edition, frozenset(row[0] for row in rows)) if edition is not None else None,
        chunks=shelved(connection, one),
        forgotten=forgotten(connection, one),
        missing=missing,
        locked=locked_in(connection, book, list(one.pages)),
    )


def facts(event: BookIngested) -> tuple[object, ...]:
    """What makes an edition another one. That its pages are others needs another digest, too."""
    return event.title, event.form, event.digest, event.size, event.cut, frozenset(event.chunks)


def locked_in(connection: Connection, book: BookId, but: Sequence[MemoryId]) -> dict[MemoryId, Spread]:
    """The locked chunks a book holds, without some, and their pages."""
    sql = f"""SELECT memory, page, last_page, turns FROM shelf WHERE book = ? AND standing = 'in' AND locked
      AND memory NOT IN ({_LISTED}) ORDER BY position"""
    rows = connection.execute(sql, (book, as_json(but)))
    return {MemoryId(memory): Spread(page, last, tuple(json.decode(turns))) for memory, page, last, turns in rows}


def scope_of_book(connection: Connection, book: BookId) -> Scope | None:
    """Of a book there is."""
    row = connection.execute("SELECT scope FROM book WHERE id = ?", (book,)).fetchone()
    return Scope(row[0]) if row else None
