"""Books go on the shelf and off it, in the process that holds the store.

An edition comes as any number of `Shelve`, a part of its chunks each, and one `Ingest` with the last of them, which
alone makes it current: whoever breaks off before leaves the edition before as it was, and what he shelved is found
again when he comes back. Each of them is one append.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from aftermind.cli.answering.books.library import (
    Next,
    Shelf,
    facts,
    forgotten,
    locked_in,
    scope_of_book,
    shelf_of,
    shelved,
)
from aftermind.cli.answering.filing import scope_of
from aftermind.cli.answering.fit import as_stored, said
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import Ingested
from aftermind.cli.language.ids import client_label
from aftermind.cli.language.requests import Edition, Ingest, RemoveBook, Shelve
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.events import BookIngested, BookRemoved, Known
from aftermind.engine.log import Append
from aftermind.engine.masking.private import is_private, without_private
from aftermind.engine.masking.secrets import mask
from aftermind.engine.memories.book import Chunk, Spread, book_of, chunk_of, to_record
from aftermind.engine.names import BookId, Digest, EventId, MemoryId, Scope, StreamName, book_stream, memory_stream
from aftermind.engine.stored import storable

LONGEST_NAME = 300
"""Characters of a title, and of the headings above a chunk."""
LONGEST_DIGEST = 128
MOST = 2**53
"""Sizes and page numbers are below."""


async def shelve(store: Opened, asked: Shelve) -> dict[MemoryId, Spread]:
    """The ids of a part of a book's chunks in their order, with their pages. Each is recorded by now, unless it was
    forgotten."""
    ids, done = await _ids(store, len(asked.chunks))
    scope = await scope_of(store, asked.project)
    one = _next(scope, Edition(path=asked.path, title=asked.title, chunks=asked.chunks))
    async with store.turn:
        if not done:
            known, gone = await store.read(lambda c: (shelved(c, one), forgotten(c, one)))
            events = to_record(one.event.book, scope, one.event.title, one.chunks, known, gone)
            await _append(store, [(memory_stream(event.memory), event) for event in events], ids)
    return dict(one.pages)


async def ingest(store: Opened, asked: Ingest) -> tuple[Ingested, ...]:
    """The editions are current when this returns."""
    ids, done = await _ids(store, sum(len(edition.chunks) + 1 for edition in asked.editions))
    scope = await scope_of(store, asked.project)
    next_ones = [_next(scope, edition) for edition in asked.editions]
    if len({one.event.book for one in next_ones}) < len(next_ones):
        raise Unusable("one book twice in one request", asked.editions[-1].path)
    async with store.turn:
        known = await store.read(lambda c: [shelf_of(c, one) for one in next_ones])
        events: list[tuple[StreamName, Known]] = []
        told = []
        for one, before in zip(next_ones, known, strict=True):
            if before.missing and not done:
                path, missing = one.event.path, before.missing
                why = f"{missing} of the chunks of {path} are not shelved: it was ingested otherwise at the same time"
                raise Refused(why, hint="run it again")
            event = _listing(one, before)
            recordings = to_record(event.book, scope, event.title, one.chunks, before.chunks, before.forgotten)
            unchanged = done or (not recordings and before.edition == facts(event))
            if not unchanged:
                events += [
                    *((memory_stream(each.memory), each) for each in recordings),
                    (book_stream(event.book), event),
                ]
            told.append(
                Ingested(
                    id=event.book,
                    delivery="unchanged" if unchanged else "changed" if before.edition else "new",
                    chunks=len(event.chunks),
                    forgotten=sum(id in before.forgotten for id in one.pages),
                )
            )
        await _append(store, events, ids)
    return tuple(told)


async def remove(store: Opened, asked: RemoveBook) -> None:
    """Its chunks are in no answer any more; refused while one of them is locked."""
    first, done = await store.first_id()
    if done:
        return
    id = BookId(storable(asked.id))
    async with store.turn:
        scope = await store.read(lambda c: scope_of_book(c, id))
        if scope is None:
            raise NotFound("book", asked.id, hint="`aftermind books` lists them")
        if locked := list(await store.read(lambda c: locked_in(c, id, ()))):
            hint = f"`aftermind unlock {' '.join(locked[:5])}{' …' if len(locked) > 5 else ''}` first"
            raise Refused(f"{len(locked)} of its chunks {'is' if len(locked) == 1 else 'are'} locked", hint=hint)
        draft = store.stamp.draft(BookRemoved(book=id, scope=scope), id=first)
        await store.log.append(Append(stream=book_stream(id), drafts=(draft,)))


async def _ids(store: Opened, count: int) -> tuple[list[EventId], bool]:
    """An id for each event a request may lead to, taken before anything is read, so that the same request delivered
    again has the same ones; and whether it was delivered before."""
    ids = [store.stamp.new_id() for _ in range(max(1, count))]
    return ids, store.stamp.ids is not None and await store.log.find(ids[0]) is not None


async def _append(store: Opened, events: Sequence[tuple[StreamName, Known]], ids: Sequence[EventId]) -> None:
    """The events in their order, if there are any: the first id is there exactly if something was written."""
    if events:
        drafts = [(stream, store.stamp.draft(event, id=id)) for (stream, event), id in zip(events, ids, strict=False)]
        await store.log.append(*(Append(stream=stream, drafts=(draft,)) for stream, draft in drafts))


def _next(scope: Scope, edition: Edition) -> Next:
    """An edition as it is kept; its event lists nothing yet."""
    source = said(storable(edition.path), "a book's source")
    book = book_of(scope, source)
    chunks = _chunks(book, edition.chunks)
    event = BookIngested(
        book=book,
        scope=scope,
        path=source,
        title=_name(said(edition.title, "a title")),
        form=client_label(edition.form),
        digest=_digest(edition.digest),
        size=_whole(edition.size, "size"),
        chunks=(),
        cut=_whole(edition.cut, "revision"),
    )
    pages = {**edition.shelved, **{id: one.spread for id, one in chunks.items()}}
    return Next(event=event, chunks=chunks, shelved=tuple(edition.shelved), pages=pages)


def _listing(one: Next, known: Shelf) -> BookIngested:
    """The event, with what it lists: what was forgotten stays so, and nobody takes out what is locked."""
    listed = {id: pages for id, pages in {**one.pages, **known.locked}.items() if id not in known.forgotten}
    event = structs.replace(one.event, chunks=tuple(listed))
    if not any(one.page or one.last for one in listed.values()):
        return event
    begins = tuple(_whole(one.page, "page") for one in listed.values())
    ends = tuple(_whole(one.last, "page") for one in listed.values())
    turns = tuple(tuple(_whole(turn, "place in a text") for turn in one.turns) for one in listed.values())
    return structs.replace(event, pages=begins, ends=ends, turns=turns if any(turns) else ())


def _chunks(book: BookId, chunks: Sequence[Chunk]) -> dict[MemoryId, Chunk]:
    """The chunks as they are kept, by their ids."""
    clean = [_chunk(one) for one in chunks]
    return {chunk_of(book, one): one for one in clean if one.text}


def _chunk(one: Chunk) -> Chunk:
    """Where pages turn is told of what is left of its text; not at all where one turns in what was taken out."""
    text, turns = _text(one.text), one.turns
    if text != one.text:
        before = [_text(one.text[:turn]) for turn in turns]
        turns = tuple(map(len, before)) if all(map(text.startswith, before)) else ()
    return structs.replace(one, text=text, place=_name(one.place), turns=turns)


def _text(text: str) -> str:
    clean = as_stored(said(text, "a chunk", may_be_empty=True)).strip()
    return "" if is_private(clean) else clean


def _name(text: str) -> str:
    """A title or headings, on one line."""
    return mask(storable(without_private(" ".join(text.split()))))[:LONGEST_NAME]


def _digest(text: str) -> Digest:
    if len(text) > LONGEST_DIGEST or not (text.isalnum() or text == ""):
        raise Unusable(f"a digest has up to {LONGEST_DIGEST} letters and digits", text)
    return Digest(text)


def _whole(number: int, what: str) -> int:
    if not 0 <= number < MOST:
        raise Unusable(f"a {what} is a whole number", number)
    return number
