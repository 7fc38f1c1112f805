"""The process that computes what events write into the views, beside the one that writes it:
`python -I -m aftermind.cli.writing_ahead FOLDER VIEWS FINGERPRINT FROM TO`.

Nobody types that; who grows or compares views asks for it. Half of that is Python and half is SQLite: in one process
they take turns, in two each has a processor. A batch is a frame of MessagePack, an error is one; it ends when who
asked for it does.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from pathlib import Path

import anyio
import msgspec

from aftermind.cli.child_process import belongs_to_parent, started
from aftermind.cli.language.wire import Failed, error_of, failed
from aftermind.engine.errors import AftermindError
from aftermind.engine.logs.sqlite_log import sqlite_log_reader
from aftermind.engine.machine import processors
from aftermind.engine.names import Position
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.batches import BATCH, Ahead, Batch, computed
from aftermind.engine.views.growing import fingerprint
from aftermind.engine.views.projection import Projection, Source
from aftermind.projections.catalog import ALL

WORTH_IT = 20_000
"""Events from which on a second process is started."""
AHEAD, FRAME = 8 * 1024 * 1024, 1024 * 1024
"""Bytes that are kept of what is not written yet, beside the batch that is read: who computes waits then. And bytes of
a batch, about: behind one of long texts come shorter ones."""
_SIZE = 8


def ahead(folder: Path, log: Source) -> Ahead:
    """What the events of the store write, computed in a process of its own where that is worth its start and there is a
    processor for it. Where that process is lost, or cannot be started, the rest is computed here."""

    async def batches(projections: Sequence[Projection], position: Position, goal: Position) -> AsyncGenerator[Batch]:
        if goal - position >= WORTH_IT and processors() > 1:
            async with aclosing(_elsewhere(folder, projections, position, goal)) as found:
                async for batch in found:
                    position = batch.position
                    yield batch
        async with aclosing(computed(log)(projections, position, goal)) as rest:
            async for batch in rest:
                yield batch

    return batches


async def _elsewhere(
    folder: Path, projections: Sequence[Projection], position: Position, goal: Position
) -> AsyncGenerator[Batch]:
    """Raises the other process's error; ends early where it ends without one."""
    words = [
        str(folder),
        ",".join(view.name for view in projections),
        fingerprint(projections),
        str(position),
        str(goal),
    ]
    child = await started(
        "aftermind.cli.writing_ahead", *words, folder=folder, errors=DEVNULL, limit=AHEAD // 2, detached=True
    )
    if child is None or child.stdout is None:
        return
    ended = False
    try:
        while True:
            size = int.from_bytes(await child.stdout.readexactly(_SIZE), "big")
            said = msgspec.msgpack.decode(await child.stdout.readexactly(size))
            if isinstance(said, dict):
                raise error_of(msgspec.convert(said, Failed))
            yield Batch(*said)
    except asyncio.IncompleteReadError:
        ended = True
    finally:
        with anyio.CancelScope(shield=True):
            if not ended:
                with suppress(ProcessLookupError):
                    child.kill()
            await child.communicate()  # `wait` would wait for ever where nobody reads what it has written


def main(words: list[str]) -> int:
    """Status 0 when all was handed over, or when this program is another one than who asked."""
    belongs_to_parent()
    folder, views, by, position, goal = words
    projections = [view for view in ALL if view.name in views.split(",")]
    if fingerprint(projections) != by:
        return 0
    try:
        anyio.run(_compute, Path(folder), projections, Position(int(position)), Position(int(goal)))
    except AftermindError as error:
        _put(msgspec.msgpack.encode(failed(error)))
        return error.status
    return 0


async def _compute(folder: Path, projections: Sequence[Projection], position: Position, goal: Position) -> None:
    events = BATCH
    async with sqlite_log_reader(folder / LOG) as log:
        while position < goal:
            upto = Position(min(goal, position + events))
            async with aclosing(computed(log)(projections, position, upto)) as batches:
                async for batch in batches:
                    frame = msgspec.msgpack.encode(batch)
                    events = fitting(events, len(frame))
                    _put(frame)
            position = upto


def fitting(events: int, size: int) -> int:
    """How many events the next batch has, where so many took so many bytes."""
    return max(1, min(BATCH, events * FRAME // size))


def _put(payload: bytes) -> None:
    sys.stdout.buffer.write(len(payload).to_bytes(_SIZE, "big"))
    sys.stdout.buffer.write(payload)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
