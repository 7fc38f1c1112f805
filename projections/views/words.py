"""Full text. Each scope has tables of its own: a search opens those of its scopes and can meet nothing else, and
how rare a word is, is counted where it is asked.

`words_<scope>` holds what the user and what the assistant said in separate columns, and when and by whom it was
said in a third, so that "in May" and a name can be asked for; of a chunk its book's title and its headings.
`glyphs_<scope>` holds three-letter windows of scripts written without spaces, which a word index cannot cut. Few
scopes have any, and the table is made where one does: what makes a table has every connection read all of the schema
again, which takes four times as long where there are twice as many (decision 1).

Chunks that a book does not hold any more are taken out of the tables. They keep their row in `word_row`, and with it
their place, for when they come back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache, partial

from aftermind.engine.event_forms.particulars import MemoryDetailed
from aftermind.engine.events import (
    BookIngested,
    BookRemoved,
    ExchangeRevised,
    MemoryCorrected,
    MemoryForgotten,
    MemoryRecorded,
)
from aftermind.engine.log import Recorded
from aftermind.engine.memories.particulars import in_words
from aftermind.engine.names import BookId, MemoryId, Scope
from aftermind.engine.quoting import quoted
from aftermind.engine.sqlite import Connection, Write, as_json, there_is, where_there_is
from aftermind.engine.views.projection import Projection
from aftermind.projections.reading.terms import composed, glyphs, indexed

SCHEMA = """
CREATE TABLE word_row (
  memory TEXT PRIMARY KEY,
  position INTEGER NOT NULL,   -- the rowid in the scope's tables, and the key of the shelf
  scope TEXT NOT NULL,
  past_of TEXT,                -- of a past wording: the memory it belongs to
  book TEXT,
  held INTEGER NOT NULL        -- 0 of a chunk that is not in the scope's tables now
) STRICT, WITHOUT ROWID;
CREATE INDEX word_row_past ON word_row (past_of) WHERE past_of IS NOT NULL;
CREATE INDEX word_row_book ON word_row (book) WHERE book IS NOT NULL;
CREATE TABLE word_count (scope TEXT PRIMARY KEY, documents INTEGER NOT NULL) STRICT, WITHOUT ROWID
"""

CUT = "porter unicode61"
"""How SQLite cuts and stems the words."""
LONGEST = 200_000
"""Characters of a text that are indexed: the rest of a very long one is kept, and not found by its words."""


@lru_cache(1_000)
def table(kind: str, scope: Scope) -> str:
    """The quoted name of a scope's table of one kind, `words` or `glyphs`."""
    return quoted(f"{kind}_{scope}")


def has_glyphs(connection: Connection, scope: Scope) -> bool:
    """Whether the table for them was made; else it must not be asked."""
    return there_is(connection, f"glyphs_{scope}")


def said(at: datetime, speaker: str, tags: Iterable[str]) -> str:
    """When, by whom and under which tags, as words: `2023-05-08` and `8 May 2023 Monday`."""
    return " ".join([composed(" ".join([speaker, *tags])), _day(at.date())]).strip()


@lru_cache(1_000)
def _day(day: date) -> str:
    return f"{day:%Y-%m-%d} {day.day} {day:%B %Y %A}"


TAKES = (MemoryRecorded, ExchangeRevised, MemoryDetailed, MemoryCorrected, MemoryForgotten, BookIngested, BookRemoved)


def writes(recorded: Recorded) -> Iterable[Write]:
    event, position = recorded.draft.event, recorded.position
    match event:
        case MemoryRecorded():
            yield _words_made(event.scope)
            if event.book is not None:
                yield from _chunk(event, position)
                return
            yield from _insert(event, position, said(recorded.draft.at, event.speaker, event.tags))
        case ExchangeRevised():
            yield _words_made(event.scope)
            yield from _reword(event.scope, event.memory, "assistant", event.answer, unless_corrected=True)
        case MemoryDetailed():
            yield _words_made(event.scope)
            behind = in_words(event.what, event.why, event.learned)
            yield from _reword(event.scope, event.memory, "assistant", behind)
        case MemoryCorrected():
            yield _words_made(event.scope)
            yield from _keep_past(event.scope, event.memory, position)
            yield from _reword(event.scope, event.memory, "user", event.text)
            yield from _reword(event.scope, event.memory, "assistant", event.answer)
        case MemoryForgotten():
            yield _words_made(event.scope)
            yield _glyphs_made(event.scope)  # nobody knows any more whether it had some
            yield from _delete(event.scope, event.memory)
        case BookIngested():
            yield _words_made(event.scope)
            yield from _leave(event.scope, event.book, event.chunks)
        case BookRemoved():
            yield _words_made(event.scope)
            yield from _leave(event.scope, event.book, ())
        case _:
            return


@lru_cache(1_000)
def _words_made(scope: Scope) -> Write:
    columns = f"user, assistant, said, tokenize='{CUT}'"
    return f"CREATE VIRTUAL TABLE IF NOT EXISTS {table('words', scope)} USING fts5({columns})", ()


@lru_cache(1_000)
def _glyphs_made(scope: Scope) -> Write:
    columns = "user, assistant, tokenize='trigram'"
    return f"CREATE VIRTUAL TABLE IF NOT EXISTS {table('glyphs', scope)} USING fts5({columns})", ()


@lru_cache(1_000)
def _if_glyphs(scope: Scope, sql: str) -> str:
    return where_there_is(f"glyphs_{scope}", sql)


def _insert(event: MemoryRecorded, position: int, said: str) -> Iterable[Write]:
    """A memory begins once, whatever another log says: what is not its beginning goes again at once. No statement here
    takes its rows from a SELECT: SQLite prepares such a one for being undone alone, and before that FTS5 writes all it
    holds in memory, at three times the cost."""
    scope, text, answer = event.scope, event.text[:LONGEST], event.answer[:LONGEST]
    into_words, into_glyphs, out_of_words, out_of_glyphs = _by_hand(scope)
    yield _COUNT_NEW, (scope, event.memory)
    yield into_words, (position, indexed(text), indexed(answer), said)
    user, assistant = glyphs(text), glyphs(answer)
    if user or assistant:
        yield _glyphs_made(scope)
        yield into_glyphs, (position, user, assistant)
    yield _NEW_ROW, (event.memory, position, scope)
    yield out_of_words, (position, event.memory, position)
    if user or assistant:
        yield out_of_glyphs, (position, event.memory, position)


@lru_cache(1_000)
def _by_hand(scope: Scope) -> tuple[str, str, str, str]:
    """How a row comes into a scope's tables, and how one goes that is not a memory's beginning."""
    words, glyphs = table("words", scope), table("glyphs", scope)
    is_not = "rowid = ? AND NOT EXISTS (SELECT 1 FROM word_row WHERE memory = ? AND position = ?)"
    return (
        f"INSERT INTO {words} (rowid, user, assistant, said) VALUES (?, ?, ?, ?)",
        f"INSERT INTO {glyphs} (rowid, user, assistant) VALUES (?, ?, ?)",
        f"DELETE FROM {words} WHERE {is_not}",
        f"DELETE FROM {glyphs} WHERE {is_not}",
    )


def _chunk(event: MemoryRecorded, position: int) -> Iterable[Write]:
    """A chunk at the place it has, or at this one when it is new. Its book has no date and no other speaker."""
    words, glyph_table, text = table("words", event.scope), table("glyphs", event.scope), event.text[:LONGEST]
    new = "INSERT OR IGNORE INTO word_row VALUES (?, ?, ?, NULL, ?, 0)"
    yield new, (event.memory, position, event.scope, event.book)
    yield (
        f"INSERT OR REPLACE INTO {words} (rowid, user, assistant, said) VALUES ({_ROW}, ?, '', ?)",
        (event.memory, indexed(text), composed(f"{event.speaker} {event.place}".strip())),
    )
    if user := glyphs(text):
        yield _glyphs_made(event.scope)
        yield (
            f"INSERT OR REPLACE INTO {glyph_table} (rowid, user, assistant) VALUES ({_ROW}, ?, '')",
            (event.memory, user),
        )
    yield (
        f"""INSERT INTO word_count VALUES ((SELECT scope FROM {_OWN}), (SELECT NOT held FROM {_OWN}))
          ON CONFLICT (scope) DO UPDATE SET documents = documents + excluded.documents""",
        (event.memory, event.memory),
    )
    yield "UPDATE word_row SET held = 1 WHERE memory = ?", (event.memory,)


def _leave(scope: Scope, book: BookId, listed: Sequence[MemoryId]) -> Iterable[Write]:
    """All chunks of a book that are not listed."""
    rest = "word_row WHERE book = ? AND held AND memory NOT IN (SELECT value FROM json_each(?))"
    values = (book, as_json(listed))
    leave = f"WHERE rowid IN (SELECT position FROM {rest})"
    yield f"DELETE FROM {table('words', scope)} {leave}", values
    yield _if_glyphs(scope, f"DELETE FROM {table('glyphs', scope)} {leave}"), values
    yield (
        f"UPDATE word_count SET documents = documents - (SELECT count(*) FROM {rest}) WHERE scope = ?",
        (*values, scope),
    )
    yield f"UPDATE word_row SET held = 0 WHERE memory IN (SELECT memory FROM {rest})", values
    yield _NO_EMPTY_COUNT, ()


_IS_NEW = "NOT EXISTS (SELECT 1 FROM word_row WHERE memory = ?)"
_COUNT_NEW = f"""INSERT INTO word_count VALUES (?, {_IS_NEW})
  ON CONFLICT (scope) DO UPDATE SET documents = documents + excluded.documents"""
_NEW_ROW = "INSERT OR IGNORE INTO word_row VALUES (?, ?, ?, NULL, NULL, 1)"
_NO_PAST = "NOT EXISTS (SELECT 1 FROM word_row WHERE past_of = w.memory)"
_OWN = "word_row WHERE memory = ?"
_ALL = "word_row WHERE ? IN (memory, past_of)"
_ROW = f"(SELECT position FROM {_OWN})"
_UNCORRECTED = f"(SELECT position FROM word_row w WHERE memory = ? AND {_NO_PAST})"
_ROWS = f"(SELECT position FROM {_ALL})"


def _reword(scope: Scope, memory: str, column: str, text: str, *, unless_corrected: bool = False) -> Iterable[Write]:
    row = _UNCORRECTED if unless_corrected else _ROW
    words, glyph_table, text = table("words", scope), table("glyphs", scope), text[:LONGEST]
    yield f"UPDATE {words} SET {column} = ? WHERE rowid = {row}", (indexed(text), memory)
    if said := glyphs(text):
        yield _glyphs_made(scope)
        make_row = f"""INSERT INTO {glyph_table} (rowid, user, assistant) SELECT position, '', '' FROM word_row
          WHERE memory = ? AND held AND position NOT IN (SELECT rowid FROM {glyph_table})"""
        yield make_row, (memory,)  # where the memory had no glyphs so far
    yield _if_glyphs(scope, f"UPDATE {glyph_table} SET {column} = ? WHERE rowid = {row}"), (said, memory)


def _keep_past(scope: Scope, memory: str, position: int) -> Iterable[Write]:
    for name, columns, written in (
        (table("words", scope), "user, assistant, said", str),
        (table("glyphs", scope), "user, assistant", partial(_if_glyphs, scope)),
    ):
        copy = f"INSERT INTO {name} (rowid, {columns}) SELECT ?, {columns} FROM {name} WHERE rowid = {_ROW}"
        yield written(copy), (position, memory)
    yield (
        "INSERT INTO word_row SELECT memory || '@' || ?, ?, scope, memory, NULL, held FROM word_row WHERE memory = ?",
        (position, position, memory),
    )
    yield (
        f"UPDATE word_count SET documents = documents + (SELECT count(*) FROM {_OWN} AND held) WHERE scope = ?",
        (memory, scope),
    )


def _delete(scope: Scope, memory: str) -> Iterable[Write]:
    yield (
        f"UPDATE word_count SET documents = documents - (SELECT count(*) FROM {_ALL} AND held) WHERE scope = ?",
        (memory, scope),
    )
    for name in (table("words", scope), table("glyphs", scope)):
        yield f"DELETE FROM {name} WHERE rowid IN {_ROWS}", (memory,)
    yield f"DELETE FROM {_ALL}", (memory,)
    yield _NO_EMPTY_COUNT, ()


_NO_EMPTY_COUNT = "DELETE FROM word_count WHERE documents <= 0"

WORDS = Projection(name="words", revision=6, schema=SCHEMA, takes=TAKES, writes=writes, makes=("words_", "glyphs_"))
