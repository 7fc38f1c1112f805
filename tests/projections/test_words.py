"""Full text as the log tells it: each memory once, in the tables of its own scope."""

from __future__ import annotations

from pathlib import Path

import pytest

from aftermind.engine.events import Event, ExchangeRevised, MemoryCorrected, MemoryForgotten, MemoryRecorded
from aftermind.engine.log import Append
from aftermind.engine.names import GLOBAL, EventId, MemoryId, Scope, SessionId
from tests.given import append, draft, given_appends

pytestmark = pytest.mark.anyio
OTHER = Scope("project-other")
TEXT = "Staging listens on port 8081, and so does 開発."


def told(id: str, scope: Scope, text: str) -> Append:
    event = MemoryRecorded(
        memory=MemoryId("m"), kind="fact", collection="working", scope=scope, text=text, speaker="user"
    )
    return append("memory-m", draft(id, event))


def again(id: str, event: Event) -> Append:
    return append("memory-m", draft(id, event))


async def test_a_memory_begins_once_whatever_the_log_says(tmp_path: Path) -> None:
    again, elsewhere = told("e2", GLOBAL, "Something else, 試験"), told("e3", OTHER, "Of another project, 試験")
    async with given_appends(tmp_path, told("e1", GLOBAL, TEXT), again, elsewhere) as known:
        assert await known.rows("SELECT rowid, user FROM words_global") == [
            (1, "Staging listens on port 8081, and so does  .")
        ]
        assert await known.rows("SELECT rowid, user FROM glyphs_global") == [(1, "開発")]
        assert await known.rows(f'SELECT rowid FROM "words_{OTHER}" UNION SELECT rowid FROM "glyphs_{OTHER}"') == []
        assert await known.rows("SELECT memory, position, scope FROM word_row") == [("m", 1, GLOBAL)]
        assert await known.rows("SELECT scope, documents FROM word_count WHERE documents") == [(GLOBAL, 1)]
        assert await known.rows("SELECT rowid FROM words_global WHERE words_global MATCH 'something'") == []


async def test_a_scope_has_a_table_for_what_is_written_without_spaces_only_where_that_is_said(tmp_path: Path) -> None:
    """Each table more is read again by every connection whenever any scope begins."""
    revised = ExchangeRevised(
        memory=MemoryId("m"),
        exchange=EventId("e1"),
        session=SessionId("s"),
        scope=GLOBAL,
        answer="Of nothing else.",
    )
    corrected = MemoryCorrected(memory=MemoryId("m"), scope=GLOBAL, text="Production does.")
    plain = told("e1", GLOBAL, "Staging does.")
    async with given_appends(tmp_path, plain, again("e2", revised), again("e3", corrected)) as known:
        assert await known.rows("SELECT name FROM pragma_table_list WHERE name LIKE 'glyphs%'") == []
        assert await known.rows("SELECT rowid, user FROM words_global") == [
            (1, "Production does."),
            (3, "Staging does."),
        ]


async def test_what_comes_to_be_said_without_spaces_is_there_and_goes_again(tmp_path: Path) -> None:
    said = MemoryCorrected(memory=MemoryId("m"), scope=GLOBAL, text="開発 does.")
    unsaid = MemoryCorrected(memory=MemoryId("m"), scope=GLOBAL, text="Staging does.")
    plain = told("e1", GLOBAL, "Production does.")
    async with given_appends(tmp_path, plain, again("e2", said), again("e3", unsaid)) as known:
        assert await known.rows("SELECT rowid, user FROM glyphs_global") == [(1, ""), (3, "開発")]


async def test_what_is_forgotten_leaves_the_same_tables_whether_it_is_in_the_log_or_not(tmp_path: Path) -> None:
    gone = MemoryForgotten(memory=MemoryId("m"), scope=GLOBAL)
    async with given_appends(tmp_path, again("e1", gone)) as known:
        assert await known.rows("SELECT rowid FROM glyphs_global") == []
