"""Full text as the log tells it: each memory once, in the tables of its own scope."""

from __future__ import annotations

from pathlib import Path

import pytest

from aftermind.engine.events import MemoryRecorded
from aftermind.engine.log import Append
from aftermind.engine.names import GLOBAL, MemoryId, Scope
from tests.given import append, draft, given_appends

pytestmark = pytest.mark.anyio
OTHER = Scope("project-other")
TEXT = "Staging listens on port 8081, and so does 開発."


def told(id: str, scope: Scope, text: str) -> Append:
    event = MemoryRecorded(
        memory=MemoryId("m"), kind="fact", collection="working", scope=scope, text=text, speaker="user"
    )
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
