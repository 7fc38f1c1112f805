"""What a batch of events writes into the views, apart from the file it is written into: it may be computed elsewhere.

Pure, but for `taken`, which runs it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from aftermind.engine.events import Event
from aftermind.engine.log import Recorded
from aftermind.engine.names import Position
from aftermind.engine.sqlite import Connection, Value, Write, run_all

if TYPE_CHECKING:
    from aftermind.engine.views.growing import Projection

_MAKES = "CREATE VIRTUAL TABLE IF NOT EXISTS"


class Batch(Struct, frozen=True, array_like=True, gc=False):
    """The statements, and in which order they run: the number of each, with as many rows of parameters as stood one
    behind the other. `position` is that of the last event."""

    position: Position
    statements: list[str]
    runs: list[tuple[int, list[tuple[Value, ...]]]]


Ahead: TypeAlias = "Callable[[Sequence[Projection], Position, Position], AsyncGenerator[Batch]]"
"""What the events behind one position, up to another, write into those views, a batch at a time."""


def written(projections: Sequence[Projection], events: Sequence[Recorded]) -> Batch:
    """What those events write, one view after the other. At least one event."""
    of: dict[type[Event], list[Recorded]] = {}
    for recorded in events:
        of.setdefault(type(recorded.draft.event), []).append(recorded)
    numbers: dict[str, int] = {}
    runs: list[tuple[int, list[tuple[Value, ...]]]] = []
    for projection in projections:
        writes = [write for one in _taken(projection, events, of) for write in projection.writes(one)]
        _put(runs, numbers, writes)
    return Batch(position=events[-1].position, statements=list(numbers), runs=runs)


def taken(connection: Connection, batch: Batch) -> Position:
    """The writes and the checkpoint; where that is then."""
    run_all(connection, ((batch.statements[number], rows) for number, rows in batch.runs))
    connection.execute("UPDATE checkpoint SET position = ?", (batch.position,))
    return batch.position


def _taken(
    projection: Projection, events: Sequence[Recorded], of: Mapping[type[Event], Sequence[Recorded]]
) -> Sequence[Recorded]:
    """Of those events what the projection has something to write for, in their order."""
    if not projection.takes:
        return events
    forms = {form for form in projection.takes if form in of}
    if len(forms) < 2:
        return of[forms.pop()] if forms else ()
    return [one for one in events if type(one.draft.event) in forms]


def _put(runs: list[tuple[int, list[tuple[Value, ...]]]], numbers: dict[str, int], writes: Sequence[Write]) -> None:
    """Neighbours with the same statement become one run, and what makes a table where there is none runs once."""
    last, made = -1, set[str]()
    for sql, parameters in writes:
        if sql.startswith(_MAKES):
            if sql in made:
                continue
            made.add(sql)
        number = numbers.setdefault(sql, len(numbers))
        if number == last:
            runs[-1][1].append(parameters)
        else:
            runs.append((number, [parameters]))
            last = number
