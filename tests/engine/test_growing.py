"""A generation is grown whole, or some of its views anew beside the others; either way it is what the log says. And
what is not is found, by its view, table, key and both values."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.errors import DiskFull, Unusable
from aftermind.engine.log import Append
from aftermind.engine.logs.list_log import ListLog
from aftermind.engine.sqlite import Connection, Write, run_all
from aftermind.engine.views.comparing import compared
from aftermind.engine.views.generations import views
from aftermind.engine.views.growing import Growth, Told, create, current, owner, together
from aftermind.engine.views.projection import Projection, Source
from aftermind.projections.catalog import ALL
from tests.given import ON_DISK, dump
from tests.histories import History, histories

pytestmark = pytest.mark.anyio
NAMES = tuple(projection.name for projection in ALL)


def told(n: int = 3) -> list[Append]:
    steps = (
        "exchange",
        "context",
        "score",
        "correct",
        "judge",
        "revise",
        "ingest",
        "lock",
        "link",
        "verdict",
        "shorten",
    )
    words = ("deploy with make", "漢字のメモ", "the port is 5432")
    return History().told([(step, k, k + 1, words[k % 3]) for k in range(n) for step in steps] + [("forget", 1, 0, "")])


async def filled(appends: Sequence[Append]) -> ListLog:
    log = ListLog()
    for append in appends:
        await log.append(append)
    return log


def silent(done: int, total: int) -> None:
    """Nobody looks."""


def straight(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(current(folder) or "")) as connection, connection:
        for statement in statements:
            connection.execute(statement)


# --- some views anew ------------------------------------------------------------------------------------------


@ON_DISK
@given(histories(), st.sets(st.sampled_from(NAMES), min_size=1), st.integers(0, 30))
async def test_views_grown_anew_beside_the_others_are_what_they_were(
    appends: list[Append], names: set[str], later: int
) -> None:
    log = await filled(appends[:-later] if later else appends)
    with TemporaryDirectory() as name:
        async with views(Path(name), log, ALL) as seen:
            for append in appends[len(appends) - later :]:
                await log.append(append)
            await seen.regrow(sorted(names))
            anew = await seen.read(dump)
            await seen.rebuild("to compare")
            assert await seen.read(dump) == anew


async def test_only_the_named_views_are_grown_anew_and_what_they_look_into(tmp_path: Path) -> None:
    log = await filled(told())
    async with views(tmp_path, log, ALL) as seen:
        right = await seen.read(dump)
    straight(tmp_path, "UPDATE tally SET events = 99", "UPDATE session SET client = 'x'", "DELETE FROM judged")
    async with views(tmp_path, log, ALL) as seen:
        assert await seen.regrow(["tally"]) == ("tally",)
        after = await seen.read(dump)
        assert after["tally"] == right["tally"]
        assert after["session"] != right["session"], "views that were not named are taken over"
        assert await seen.regrow(["verdicts"]) == ("outcomes", "verdicts")
        assert (await seen.read(dump))["judged"] == right["judged"]
        assert seen.mended == ""
        await seen.regrow()
        assert await seen.read(dump) == right
    assert len(list(tmp_path.glob("views-*.db"))) == 1


async def test_a_name_that_is_no_views_is_refused_with_those_that_are() -> None:
    with pytest.raises(Unusable) as error:
        together(ALL, ["tally", "shelve"])
    assert all(name in error.value.hint for name in NAMES)


async def test_views_name_the_others_they_look_into_and_the_tables_they_make(tmp_path: Path) -> None:
    """Seen by what SQLite asks leave for, so that a view that is grown anew alone never meets another's old rows."""
    log = await filled(told(4))
    events = await log.after(0, limit=10_000)  # type: ignore[arg-type]
    looked: dict[str, set[str]] = {projection.name: set() for projection in ALL}
    with closing(sqlite3.connect(":memory:")) as connection:
        create(connection, ALL)
        for recorded in events:
            for projection in ALL:
                touched = looked[projection.name]
                connection.set_authorizer(
                    lambda action, table, *_, seen=touched: seen.add(str(table)) or sqlite3.SQLITE_OK
                )
                run_all(connection, [(sql, [values]) for sql, values in projection.writes(recorded)])
                connection.set_authorizer(None)
        tables = {
            name: owner(ALL, name)
            for (name,) in connection.execute(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'"
            )
            if not name.startswith("sqlite_")
        }
    assert [name for name, view in tables.items() if not view] == ["checkpoint"]
    for projection in ALL:
        others = {tables[name] for name in looked[projection.name] & tables.keys()} - {projection.name}
        assert others <= set(projection.reads), projection.name


# --- what cannot be finished ----------------------------------------------------------------------------------


async def test_half_a_generation_is_thrown_away_and_the_one_before_serves_on(tmp_path: Path) -> None:
    log = await filled(told())

    async def full(growth: Growth, log: Source, projections: Sequence[Projection], told: Told) -> None:
        growth.path.write_bytes(b"half of it")
        raise DiskFull(growth.path)

    async with views(tmp_path, log, ALL) as seen:
        before = await seen.read(dump)
    async with views(tmp_path, log, ALL, full) as seen:
        with pytest.raises(DiskFull):
            await seen.regrow()
        assert await seen.read(dump) == before
        assert len(list(tmp_path.glob("views-*.db"))) == 1
        assert seen.growing is None


# --- comparing ------------------------------------------------------------------------------------------------

WRONG = {
    "a value": (
        "UPDATE shelf SET speaker = 'altered' WHERE position = (SELECT min(position) FROM shelf)",
        "shelf",
        "shelf",
        "speaker",
    ),
    "a row too few": ("DELETE FROM tally WHERE tag = 'memory-recorded'", "tally", "tally", ""),
    "a row too many": ("INSERT INTO tally VALUES ('zz', 1, 1, 1)", "tally", "tally", ""),
    "a table too few": ("DROP TABLE locking", "verdicts", "locking", ""),
    "an index too few": ("DROP INDEX shelf_newest", "shelf", "shelf", ""),
    "a word of the text": (
        "UPDATE words_global_content SET c1 = 'x' WHERE id = (SELECT max(id) FROM words_global_content)",
        "words",
        "words_global",
        "assistant",
    ),
    "what is counted of texts": ("DELETE FROM words_global_docsize", "words", "words_global", ""),
}


@pytest.mark.parametrize("wrong", WRONG)
async def test_the_first_row_that_differs_is_named(tmp_path: Path, wrong: str) -> None:
    log = await filled(told())
    async with views(tmp_path, log, ALL):
        pass
    assert (await compared(tmp_path, log, ALL, silent)).differs is None
    sql, view, table, column = WRONG[wrong]
    straight(tmp_path, sql)
    found = (await compared(tmp_path, log, ALL, silent)).differs
    assert found is not None
    assert (found.view, found.table, found.column) == (view, table, column)
    assert found.live != found.log
    assert len(list(tmp_path.iterdir())) == 2, "nothing is left behind"


def counting(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM shelf").fetchone()[0])


async def test_a_table_that_keeps_no_rows_is_compared_word_by_word(tmp_path: Path) -> None:
    def writes(recorded: object) -> list[Write]:
        return [("INSERT INTO bare (rowid, text) VALUES (?, ?)", (recorded.position, "one two"))]  # type: ignore[attr-defined]

    schema = "CREATE VIRTUAL TABLE bare USING fts5(text, content='')"
    bare = [Projection(name="bare", revision=1, schema=schema, writes=writes)]  # type: ignore[arg-type]
    log = await filled(told(1))
    async with views(tmp_path, log, bare):
        pass
    assert (await compared(tmp_path, log, bare, silent)).differs is None
    straight(tmp_path, "INSERT INTO bare (bare, rowid, text) VALUES ('delete', 2, 'one two')")
    found = (await compared(tmp_path, log, bare, silent)).differs
    assert found is not None
    assert (found.view, found.key) == ("bare", "term='one', doc=2, col='text', offset=0")


async def test_views_of_another_version_and_no_views_are_not_compared(tmp_path: Path) -> None:
    log = await filled(told())
    assert (await compared(tmp_path, log, ALL, silent)).file == ""
    async with views(tmp_path, log, ALL[:2]):
        pass
    found = await compared(tmp_path, log, ALL, silent)
    assert (found.another, found.differs) == (True, None)
