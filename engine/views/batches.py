"""What a batch of events writes into the views, apart from the file it goes into: it may be computed elsewhere.

Pure, but for `apply_batch`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import TypeAlias

from anyio import to_thread
from msgspec import Struct

from aftermind.engine.events import Event
from aftermind.engine.log import Recorded
from aftermind.engine.names import Position
from aftermind.engine.sqlite import Connection, Value, Write, run_all
from aftermind.engine.views.projection import Projection, Source

BATCH = 1_000
"""Events whose writes are one transaction, at most."""
Run: TypeAlias = tuple[int, list[Sequence[Value]]]
"""The number of a statement, and its rows of parameters."""
_MAKES = "CREATE VIRTUAL TABLE IF NOT EXISTS"


class Batch(Struct, frozen=True, array_like=True, gc=False):
    """The statements, each once, and the order in which they run. `position` is that of the last event."""

    position: Position
    statements: list[str]
    runs: list[Run]


Ahead: TypeAlias = Callable[[Sequence[Projection], Position, Position], AsyncGenerator[Batch]]
"""What the events behind one position, up to another, write into those views, a batch at a time."""


def computed(log: Source) -> Ahead:
    """Computed in this process."""

    async def batches(projections: Sequence[Projection], position: Position, goal: Position) -> AsyncGenerator[Batch]:
        while position < goal and (events := await log.after(position, limit=min(BATCH, goal - position))):
            position = events[-1].position
            yield await to_thread.run_sync(batch_of, projections, events)

    return batches


def batch_of(projections: Sequence[Projection], events: Sequence[Recorded]) -> Batch:
    """What those events write, one view after the other. At least one event."""
    of: dict[type[Event], list[Recorded]] = {}
    for recorded in events:
        of.setdefault(type(recorded.draft.event), []).append(recorded)
    numbers: dict[str, int] = {}
    runs: list[Run] = []
    for projection in projections:
        _add(runs, numbers, [write for one in _named(projection, events, of) for write in projection.writes(one)])
    return Batch(position=events[-1].position, statements=list(numbers), runs=runs)


def apply_batch(connection: Connection, batch: Batch) -> Position:
    """The writes and the checkpoint; where that is then."""
    run_all(connection, ((batch.statements[number], rows) for number, rows in batch.runs))
    connection.execute("UPDATE checkpoint SET position = ?", (batch.position,))
    return batch.position


def _named(
    projection: Projection, events: Sequence[Recorded], of: Mapping[type[Event], Sequence[Recorded]]
) -> Sequence[Recorded]:
    """Of those events what the projection has something to write for, in their order."""
    if not projection.takes:
        return events
    forms = {form for form in projection.takes if form in of}
    if len(forms) < 2:
        return of[forms.pop()] if forms else ()
    return [one for one in events if type(one.draft.event) in forms]


def _add(runs: list[Run], numbers: dict[str, int], writes: Sequence[Write]) -> None:
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
