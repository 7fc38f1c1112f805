"""Another program's SQLite database, whatever its version: columns it lacks are empty, tables it lacks have no rows,
and what is damaged costs what it holds, not the rest. It may be in use; it is only read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from aftermind.cli.importing.exchange import Unreadable
from aftermind.cli.importing.peers.told import Left
from aftermind.engine.errors import AftermindError, FileDamaged, Unusable
from aftermind.engine.quoting import quoted
from aftermind.engine.sqlite import Connection, Value, foreign
from aftermind.engine.sqlite import Unreadable as Damaged

Row: TypeAlias = Mapping[str, Value]
SQLITE = b"SQLite format 3\x00"
DAMAGED = (Damaged, UnicodeDecodeError)
"""The second is what the words of SQLite's own error come as, where they quote a damaged name."""
UNKNOWN = "a table this program does not know: of another version of it"


def is_database(path: Path) -> bool:
    """Whether a file begins as one."""
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except OSError:
        return False


class Tables:
    """One open database."""

    def __init__(self, connection: Connection, path: Path) -> None:
        self._connection, self.path = connection, path
        sql = "SELECT name, sql LIKE 'CREATE VIRTUAL%' FROM sqlite_master WHERE type = 'table'"
        rows = connection.execute(sql).fetchall()
        names = [str(name) for name, _ in rows]
        self._indexes = tuple(str(name) for name, is_virtual in rows if is_virtual)
        self.columns = {
            name: tuple(str(row[1]) for row in connection.execute(f"PRAGMA table_info({quoted(name)})"))
            for name in names
        }

    def rows(self, table: str, columns: Sequence[str], order: str = "rowid") -> Iterator[Row]:
        """Each row's values by their columns. Raises one of `DAMAGED` in the middle where the file is."""
        if table not in self.columns:
            return
        has = self.columns[table]
        fields = ", ".join(quoted(column) if column in has else "NULL" for column in columns)
        for row in self._connection.execute(f"SELECT {fields} FROM {quoted(table)} ORDER BY {order}"):
            yield dict(zip(columns, row, strict=True))

    def joined(self, sql: str) -> Iterator[tuple[Value, ...]]:
        """The rows of a query over several tables. Raises one of `DAMAGED` where the file is."""
        return iter(self._connection.execute(sql))

    def read(
        self, table: str, columns: Sequence[str], problems: list[Unreadable], order: str = "rowid"
    ) -> Iterator[Row]:
        """The same; what is damaged ends the table, and is told in `problems`."""
        try:
            yield from self.rows(table, columns, order)
        except DAMAGED as error:
            problems.append(Unreadable(f"table {table}", f"damaged from there on ({error})"))

    def count(self, table: str, where: str = "1") -> int:
        """How many rows there are; none of a table that is missing or cannot be counted."""
        try:
            row = self._connection.execute(f"SELECT count(*) FROM {quoted(table)} WHERE {where}").fetchone()
        except DAMAGED:
            return 0
        return int(row[0])

    def left(self, read: Collection[str], why: Mapping[str, tuple[str, str]]) -> Iterator[Left]:
        """Every table with rows that was not `read`. `why`: what is in those that are known, and why it stays there."""
        for table in sorted(self.columns):
            if table in read or table.startswith("sqlite_") or self._is_index(table):
                continue
            if count := self.count(table):
                what, reason = why.get(table, (f"rows of `{table}`", UNKNOWN))
                yield Left(what, reason, count)

    def _is_index(self, table: str) -> bool:
        """A full-text index, or what SQLite keeps it in: it says again what another table says."""
        return any(table == index or table.startswith(f"{index}_") for index in self._indexes)

    def lacking(self, needed: Mapping[str, Sequence[str]]) -> str:
        """The first table or column that is missing of those that are `needed`; empty where none is."""
        for table, columns in needed.items():
            if table not in self.columns:
                return f"it has no table `{table}`"
            for column in columns:
                if column not in self.columns[table]:
                    return f"its table `{table}` has no column `{column}`"
        return ""


@contextmanager
def tables(path: Path, title: str, needed: Mapping[str, Sequence[str]]) -> Iterator[Tables]:
    """The database, open while the block lasts. Raises `Unusable` for what is none, or not this program's."""
    if not path.is_file():
        raise Unusable("no such file", str(path))
    if path.stat().st_size == 0:
        raise Unusable("empty: that program has not kept anything yet, or was interrupted at once", str(path))
    if not is_database(path):
        raise Unusable(f"no SQLite database, so not {title}'s", str(path))
    try:
        with foreign(path) as connection:
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            try:
                found = Tables(connection, path)
            except DAMAGED as error:
                raise Unusable(f"not a database that can be read ({error})", str(path), hint=_repair(path)) from error
            if why := found.lacking(needed):
                raise Unusable(f"not {title}'s database, or of a version that is not known here: {why}", str(path))
            yield found
    except FileDamaged as error:
        raise Unusable(f"not a database that can be read ({error})", str(path), hint=_repair(path)) from error
    except AftermindError:
        raise
    except OSError as error:
        raise Unusable(f"cannot be read ({error.strerror or error})", str(path)) from error


def _repair(path: Path) -> str:
    return f"`sqlite3 {path} .recover` may save what is left into a new file, which can be imported"
