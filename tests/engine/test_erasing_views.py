"""A full-text index keeps the words of deleted rows until its segments are merged; here that happens in small steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from aftermind.engine.erasing import emptying
from aftermind.engine.erasing.emptying import full_text_tables, levels, merged, truncated
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


async def test_however_often_something_is_forgotten_an_index_keeps_to_few_levels(tmp_path: Path, monkeypatch) -> None:
    """With SQLite 3.40 a merge to the end adds a level, and 2,000 are too many for it."""
    monkeypatch.setattr(emptying, "MOST_LEVELS", 20)
    table = '"words_a"'

    async with database(tmp_path / "views-1.db", "view") as views:
        await views.transaction(filled)
        most = 0
        for n in range(2900, 3000):
            await views.run(lambda c, n=n: c.execute(f"DELETE FROM {table} WHERE rowid = ?", (n,)))
            await views.run(
                lambda c, n=n: c.execute(f"INSERT INTO {table} (rowid, text) VALUES (?, 'new')", (n + 999,))
            )
            more = await views.run(lambda c: merged(c, table, 8, first=True))
            while more:
                more = await views.run(lambda c: merged(c, table, 8))
            most = max(most, await views.run(lambda c: levels(c, table)))
        assert 1 < most <= 22

        def found(connection: Connection, word: str) -> int:
            sql = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"
            return int(connection.execute(sql, (word,)).fetchone()[0])

        assert [await views.run(lambda c, w=w: found(c, w)) for w in ("memory", "new", "n2950")] == [2899, 100, 0]
        await views.run(lambda c: c.execute(f"DELETE FROM {table} WHERE rowid = 1500"))
        monkeypatch.setattr(emptying, "MOST_LEVELS", 0)
        assert not await views.run(lambda c: merged(c, table, 8, first=True))
        assert await views.run(truncated)
        whole = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert WORDS[0].encode() in whole, "the other table was not merged"
        await views.run(lambda c: c.execute('DELETE FROM "glyphs_a" WHERE rowid = 1500'))
        assert not await views.run(lambda c: merged(c, '"glyphs_a"', 8, first=True))
        assert await views.run(truncated)
        whole = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert [word for word in WORDS if word.encode() in whole] == []


async def test_a_wal_that_somebody_reads_is_not_cut(tmp_path: Path) -> None:
    async with database(tmp_path / "a.db", "view") as writer, database(tmp_path / "a.db", "read") as reader:
        await writer.transaction(filled)
        await reader.run(lambda c: [c.execute("BEGIN"), c.execute("SELECT count(*) FROM words_a").fetchone()])
        await writer.run(lambda c: c.execute("DELETE FROM words_a WHERE rowid = 1500"))
        assert not await writer.run(truncated)
        await reader.run(lambda c: c.execute("COMMIT"))
        assert await writer.run(truncated)
        assert not (tmp_path / "a.db-wal").stat().st_size
