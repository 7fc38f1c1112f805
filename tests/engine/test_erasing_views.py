"""A full-text index keeps the words of deleted rows until its segments are merged; here that happens in small steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from aftermind.engine.erasing.emptying import full_text_tables, merged, truncated
from aftermind.engine.sqlite import Connection, database

pytestmark = pytest.mark.anyio
WORDS = ("okkaparad", "ebrafinc", "漢字秘")
"""What is left of the words in an index: a term may stand behind a letter it shares with the one before."""


def filled(connection: Connection) -> None:
    connection.execute("""CREATE VIRTUAL TABLE "words_a" USING fts5(text, tokenize='porter unicode61')""")
    connection.execute("""CREATE VIRTUAL TABLE "glyphs_a" USING fts5(text, tokenize='trigram')""")
    for n in range(3000):
        said = "quokkaparade zebrafinch 漢字秘密" if n == 1500 else f"memory {n * 7919} is about n{n}"
        for table in ("words_a", "glyphs_a"):
            connection.execute(f"INSERT INTO {table} (rowid, text) VALUES (?, ?)", (n, said))


async def test_merged_to_the_end_an_index_holds_no_word_of_a_deleted_row(tmp_path: Path) -> None:
    def said() -> list[str]:
        whole = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        return [word for word in WORDS if word.encode() in whole]

    async with database(tmp_path / "views-1.db", "view") as views:
        await views.transaction(filled)
        assert await views.run(full_text_tables) == ['"words_a"', '"glyphs_a"']
        for table in ("words_a", "glyphs_a"):
            await views.run(lambda c, t=table: c.execute(f"DELETE FROM {t} WHERE rowid = 1500"))  # type: ignore[misc]
        assert await views.run(truncated)
        assert said(), "or there is nothing to merge for"
        for table in await views.run(full_text_tables):
            more = await views.run(lambda c, t=table: merged(c, t, 8, first=True))  # type: ignore[misc]
            while more:
                more = await views.run(lambda c, t=table: merged(c, t, 8))  # type: ignore[misc]
        assert await views.run(truncated)
        assert said() == []


async def test_a_wal_that_somebody_reads_is_not_cut(tmp_path: Path) -> None:
    async with database(tmp_path / "a.db", "view") as writer, database(tmp_path / "a.db", "read") as reader:
        await writer.transaction(filled)
        await reader.run(lambda c: [c.execute("BEGIN"), c.execute("SELECT count(*) FROM words_a").fetchone()])
        await writer.run(lambda c: c.execute("DELETE FROM words_a WHERE rowid = 1500"))
        assert not await writer.run(truncated)
        await reader.run(lambda c: c.execute("COMMIT"))
        assert await writer.run(truncated)
        assert not (tmp_path / "a.db-wal").stat().st_size
