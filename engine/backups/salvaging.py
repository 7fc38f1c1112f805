"""What can be had of a damaged log, and what a backup adds to it.

The chain of seals says of any event, wherever it comes from, whether it is the one that follows: so what a damaged page
has lost is taken from a backup of the same history, and then the log goes on where it can be read again. Where only a
text was damaged, the event is kept without it, as if it had been erased. Where nobody has the next event, the log ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from aftermind.engine.backups.segment import Row, without_text
from aftermind.engine.errors import FileDamaged
from aftermind.engine.logs import seal
from aftermind.engine.logs.sqlite_pen import ROWS, Tail
from aftermind.engine.logs.verify import LINKS, fault
from aftermind.engine.names import START, Position, named_by
from aftermind.engine.sqlite import Connection, Unreadable

_SOME = 500
_FIELDS = 12


class Emptied(Struct, frozen=True):
    """An event that is kept without its text."""

    position: int
    id: str
    stream: str
    tag: str

    @property
    def memory(self) -> str:
        """The memory it is of; empty where it is of something else."""
        return named_by(self.stream, "memory")


class Mending:
    """One log of two sources, each in order of positions. `rows` once; what came of it is known when they are over."""

    def __init__(self, live: Iterator[Row], spare: Iterator[Row]) -> None:
        self._live, self._spare = _Ahead(live), _Ahead(spare)
        self.tail = Tail(START, seal.FIRST)
        self.events = 0
        self.taken: list[tuple[int, int]] = []
        """First and last positions of what the spare had."""
        self.emptied: list[Emptied] = []
        """Events whose text was damaged, and nobody has it."""

    def rows(self) -> Iterator[list[Row]]:
        some: list[Row] = []
        while (row := self._next()) is not None:
            self.tail = Tail(Position(row[0]), row[-1])
            self.events += 1
            some.append(row)
            if len(some) == _SOME:
                yield some
                some = []
        if some:
            yield some

    def _next(self) -> Row | None:
        """The event that follows, from whichever has it whole; what the log says comes first."""
        own, other = self._live.beyond(self.tail.position), self._spare.beyond(self.tail.position)
        if own is not None and not fault(own, self.tail.seal):
            return own
        if other is not None and not fault(other, self.tail.seal):
            if self.taken and self.taken[-1][1] == self.tail.position:
                self.taken[-1] = (self.taken[-1][0], other[0])
            else:
                self.taken.append((other[0], other[0]))
            return other
        for row in (own, other):
            if row is not None and len(row) == _FIELDS and not fault(bare := without_text(row), self.tail.seal):
                self.emptied.append(Emptied(row[0], row[1], row[2], row[4]))
                return bare
        return None


class _Ahead:
    """The next of some rows, looked at before it is taken."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows, self._next = rows, next(rows, None)

    def beyond(self, position: int) -> Row | None:
        while self._next is not None and self._next[0] <= position:
            self._next = next(self._rows, None)
        return self._next


def highest(connection: Connection) -> int:
    """The highest position that the log has given away, as far as it can still tell: 0 where it cannot."""
    found = 0
    for sql in ("SELECT max(position) FROM event", "SELECT max(seq) FROM sqlite_sequence WHERE name = 'event'"):
        try:
            (position,) = connection.execute(sql).fetchone()
        except Unreadable:
            continue
        if isinstance(position, int):
            found = max(found, position)
    return found


def readable(connection: Connection, upto: int) -> Iterator[Row]:
    """Every row of a log that can be read, in order; what cannot is stepped over, up to a position."""
    position = 0
    while True:
        try:
            for row in connection.execute(LINKS, (position,)):
                if not isinstance(row[0], int) or row[0] <= position:
                    raise Unreadable("its order is lost")
                position = row[0]
                yield row
            return
        except Unreadable:
            found = _after(connection, position, upto)
            if found is None:
                return
            position = found[0]
            yield found


def _after(connection: Connection, position: int, upto: int) -> Row | None:
    """The next row that can be read, beyond one whose next cannot: by growing steps, and then back between two."""
    bad, step = position, 1
    while bad < upto:
        good = min(bad + step, upto)
        if (found := _row(connection, good)) is not None:
            while good - bad > 1:
                middle = (good + bad) // 2
                if (between := _row(connection, middle)) is not None:
                    good, found = middle, between
                else:
                    bad = middle
            return found
        bad, step = good, min(step * 2, 64)
    return None


def _row(connection: Connection, position: int) -> Row | None:
    try:
        row: Row | None = connection.execute(f"{ROWS}WHERE position = ?", (position,)).fetchone()
    except Unreadable:
        return None
    return row if row is not None and row[0] == position else None


def as_far_as_whole(rows: Iterator[Sequence[Row]]) -> Iterator[Row]:
    """One by one, until what they come from is damaged: there they end."""
    try:
        for some in rows:
            yield from some
    except FileDamaged:
        return
