"""Are the views what the log says? They are grown aside and compared with a copy of those that serve, row by row.

Works beside whoever writes, holds nobody up and leaves nothing behind: the files it makes have no name from the moment
on they are open, where the system allows that. Of a full-text table the rows are compared, and its index is checked
against them; of one that keeps no rows, every place of every word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import Any

from anyio import to_thread
from msgspec import Struct

from aftermind.engine.names import START, Position
from aftermind.engine.quoting import quoted
from aftermind.engine.sqlite import Connection, Database, Unreadable, copied, database
from aftermind.engine.stamp import Stamp
from aftermind.engine.views.batches import Ahead, computed
from aftermind.engine.views.growing import Told, aside, create, current, filled, fingerprint, owner, thrown_away
from aftermind.engine.views.projection import Projection, Source

LONGEST = 120
"""Characters of a value that are told, around the first that differs."""
_NOTHING = "no row"


class Difference(Struct, frozen=True, kw_only=True):
    """The first row of the views that is not the one the log says. `column` is empty where a row is missing; `live` and
    `log` are what the views have and what they should have."""

    view: str
    table: str
    key: str = ""
    column: str = ""
    live: str = ""
    log: str = ""

    def __str__(self) -> str:
        where = " ".join(part for part in (f"table {self.table}", self.key and f"row {self.key}", self.column) if part)
        return f"view {self.view or '?'}, {where}: it holds {self.live}, the log says {self.log}"


class Compared(Struct, frozen=True, kw_only=True):
    """Views up to a position, and the log. Nothing was compared where there are no views, or `another` version's."""

    position: Position = START
    file: str = ""
    rows: int = 0
    another: bool = False
    differs: Difference | None = None


async def compared(
    folder: Path,
    log: Source,
    projections: Sequence[Projection],
    told: Told,
    ahead: Ahead | None = None,
    *,
    place: Path | None = None,
) -> Compared:
    """The current generation as it is now. `FileDamaged` where it cannot be read. `ahead` computes elsewhere what the
    log says; `place`: another folder than the store's, to grow them in."""
    path = current(folder)
    if path is None:
        return Compared()
    live, fresh = aside(place or folder, Stamp()), aside(place or folder, Stamp())
    try:
        await to_thread.run_sync(copied, path, live)
        async with database(fresh, "scratch") as both:
            await both.run(lambda c: _attached(c, live))
            for file in (live, fresh):
                with suppress(PermissionError):  # where an open file keeps its name, it goes at the end
                    file.unlink(missing_ok=True)
            catalog, seen = await both.run(_of_live)
            found = Compared(position=seen, file=path.name)
            if catalog != fingerprint(projections):
                return Compared(position=seen, file=path.name, another=True)
            await both.transaction(lambda c: create(c, projections))
            says = (ahead or computed(log))(projections, START, seen)
            if await filled(both, says, seen, told) < seen:
                return found
            return await _compared(both, projections, found)
    finally:
        for file in (live, fresh):
            thrown_away(file)


def _attached(connection: Connection, live: Path) -> None:
    connection.execute("ATTACH ? AS live", (str(live),))
    connection.execute("PRAGMA live.journal_mode=OFF")


def _of_live(connection: Connection) -> tuple[str, Position]:
    row = connection.execute("SELECT catalog, position FROM live.checkpoint").fetchone()
    return (str(row[0]), Position(row[1])) if row else ("", START)


async def _compared(both: Database, projections: Sequence[Projection], found: Compared) -> Compared:
    rows, differs = await both.run(lambda c: difference(c, projections))
    return Compared(position=found.position, file=found.file, rows=rows, differs=differs)


def difference(connection: Connection, projections: Sequence[Projection]) -> tuple[int, Difference | None]:
    """Rows compared, and the first that differs, of what is attached as `live` and what is `main`."""
    rows = 0
    try:
        for (fault,) in connection.execute("PRAGMA live.integrity_check(1)"):
            if fault != "ok":
                return rows, Difference(view="", table="(the file)", live=fault, log="a whole file")
        if differs := _of_shape(connection, projections):
            return rows, differs
        for table, kind, sql in _tables(connection):
            view = owner(projections, table)
            for count, differs in _of_rows(connection, view, table, kind, sql):
                rows += count
                if differs is not None:
                    return rows, differs
    except Unreadable as error:
        return rows, Difference(view="", table="(the file)", live=f"what cannot be read ({error})", log="a whole file")
    return rows, None


def _of_shape(connection: Connection, projections: Sequence[Projection]) -> Difference | None:
    """Tables and indexes one has and the other has not, or has in another form."""
    sql = "SELECT type || ' ' || name, tbl_name, sql FROM {}.sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY 1"
    live, log = ({name: (t, s) for name, t, s in connection.execute(sql.format(db))} for db in ("live", "main"))
    for name in sorted(live.keys() | log.keys()):
        if live.get(name) != log.get(name):
            table = (live.get(name) or log[name])[0]
            held, should = (str(of[name][1]) if name in of else f"no {name}" for of in (live, log))
            return Difference(view=owner(projections, table), table=table, live=_told(held), log=_told(should))
    return None


def _tables(connection: Connection) -> list[tuple[str, str, str]]:
    sql = """SELECT t.name, t.type, s.sql FROM pragma_table_list t JOIN main.sqlite_schema s ON s.name = t.name
      WHERE t.schema = 'main' AND t.type IN ('table', 'virtual') ORDER BY t.name"""
    return [(str(name), str(kind), str(text)) for name, kind, text in connection.execute(sql)]


def _of_rows(
    connection: Connection, view: str, table: str, kind: str, sql: str
) -> Iterator[tuple[int, Difference | None]]:
    """How many rows were the same, and then the one that is not."""
    named = quoted(table)
    if kind == "table":
        yield _stretch(connection, view, table, _key(connection, table), "*")
        return
    if "fts5(" not in sql.replace(" ", "").casefold():
        return  # it shows what another table holds
    if not _keeps_no_rows(sql):
        yield _stretch(connection, view, table, ["rowid"], "rowid, *")
    try:
        connection.execute(f"INSERT INTO live.{named} ({named}) VALUES ('integrity-check')")
    except Unreadable as error:
        yield 0, Difference(view=view, table=table, live=f"an index that is damaged ({error})", log="a whole one")
    if _keeps_no_rows(sql):
        for db in ("live", "main"):
            connection.execute(f"CREATE VIRTUAL TABLE temp.{db}_vocabulary USING fts5vocab({db}, {named}, instance)")
        yield _stretch(connection, view, table, ["term", "doc", "col", "offset"], "*", vocabulary=True)
        for db in ("live", "main"):
            connection.execute(f"DROP TABLE temp.{db}_vocabulary")


def _keeps_no_rows(sql: str) -> bool:
    bare = sql.replace(" ", "").casefold()
    return "content=''" in bare or 'content=""' in bare


def _key(connection: Connection, table: str) -> list[str]:
    """The columns by which rows are told apart: the primary key's, or all."""
    columns = connection.execute("SELECT name, pk FROM pragma_table_xinfo(?) ORDER BY cid", (table,)).fetchall()
    key = [name for name, place in sorted(columns, key=lambda column: column[1]) if place]
    return key or [name for name, _ in columns]


def _stretch(
    connection: Connection,
    view: str,
    table: str,
    key: Sequence[str],
    what: str,
    *,
    vocabulary: bool = False,
) -> tuple[int, Difference | None]:
    order = ", ".join(map(quoted, key))

    def rows(db: str) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
        source = f"temp.{db}_vocabulary" if vocabulary else f"{db}.{quoted(table)}"
        cursor = connection.execute(f"SELECT {what} FROM {source} ORDER BY {order}")
        return [column[0] for column in cursor.description], iter(cursor)

    names, live = rows("live")
    _, log = rows("main")
    places = [names.index(name) for name in key]
    count = 0
    for held, should in zip_longest(live, log):
        if held != should:
            return count, _first(view, table, names, places, held, should)
        count += not vocabulary  # places of words are no rows
    return count, None


def _first(
    view: str,
    table: str,
    names: Sequence[str],
    places: Sequence[int],
    held: tuple[Any, ...] | None,
    should: tuple[Any, ...] | None,
) -> Difference:
    """In the order of keys the first pair that is not the same: another value, or a row that only one has."""

    def key(row: tuple[Any, ...]) -> str:
        return ", ".join(f"{names[place]}={_told(row[place])}" for place in places)

    if held is None or should is None or [held[p] for p in places] != [should[p] for p in places]:
        row = held if should is None or (held is not None and _before(held, should, places)) else should
        assert row is not None
        is_live = row is held
        return Difference(
            view=view,
            table=table,
            key=key(row),
            live=_told(row) if is_live else _NOTHING,
            log=_NOTHING if is_live else _told(row),
        )
    at = next(place for place, pair in enumerate(zip(held, should, strict=True)) if pair[0] != pair[1])
    one, other = _around(held[at], should[at])
    return Difference(view=view, table=table, key=key(held), column=names[at], live=one, log=other)


def _before(one: tuple[Any, ...], other: tuple[Any, ...], places: Sequence[int]) -> bool:
    """Whether a row comes first in SQLite's order: nothing, numbers, texts by their bytes."""

    def sortable(row: tuple[Any, ...]) -> list[tuple[int, Any]]:
        return [_sortable(row[place]) for place in places]

    return sortable(one) < sortable(other)


def _sortable(value: Any) -> tuple[int, Any]:
    if value is None:
        return 0, 0
    if isinstance(value, int | float):
        return 1, value
    return (2, value.encode("utf-8", "surrogatepass")) if isinstance(value, str) else (3, value)


def _around(one: Any, other: Any) -> tuple[str, str]:
    """Both values, of long texts the part where they begin to differ."""
    if isinstance(one, str) and isinstance(other, str):
        same = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
        if (start := max(same - LONGEST // 2, 0)) > 0:
            return f"…{_told(one[start:])}", f"…{_told(other[start:])}"
    return _told(one), _told(other)


def _told(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
