"""The process that computes what events write into the views, beside the one that writes it:
`python -I -m aftermind.cli.writing_ahead FOLDER VIEWS FROM TO`.

Nobody types that; `growing.py` asks for it. Half of a rebuild is Python and half is SQLite: in one process
they take turns, in two each has a processor. A batch is a frame of MessagePack, or an error is one; it ends when who
asked for it does.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from pathlib import Path
from threading import Thread

import anyio
import msgspec

from aftermind.cli.language.wire import Failed, error_of, failed
from aftermind.engine.errors import AftermindError
from aftermind.engine.logs.sqlite_log import sqlite_log_reader
from aftermind.engine.names import Position
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.batches import Ahead, Batch
from aftermind.engine.views.growing import Projection, Source, computed
from aftermind.projections.catalog import ALL

WORTH_IT = 20_000
"""Events from which on a second process is started."""
AHEAD = 8 * 1024 * 1024
"""Bytes that are kept of what is not written yet; who computes waits then. A batch has a megabyte or so."""
ORPHANED = 9
_SIZE = 4


def ahead(folder: Path, log: Source) -> Ahead:
    """What the events of the store write, computed in a process of its own where that is worth its start and there is a
    processor for it. Where that process is lost, the rest is computed here."""

    async def batches(projections: Sequence[Projection], position: Position, goal: Position) -> AsyncGenerator[Batch]:
        if goal - position >= WORTH_IT and (os.cpu_count() or 1) > 1:
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
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-m", "aftermind.cli.writing_ahead",
        str(folder), ",".join(view.name for view in projections), str(position), str(goal),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=AHEAD,
        cwd=folder,  # not where the user works: that folder may be unmounted
        start_new_session=True,  # a Ctrl-C is for who asked
    )  # fmt: skip
    assert child.stdout is not None
    try:
        with suppress(asyncio.IncompleteReadError):
            while True:
                size = int.from_bytes(await child.stdout.readexactly(_SIZE), "big")
                said = msgspec.msgpack.decode(await child.stdout.readexactly(size))
                if isinstance(said, dict):
                    raise error_of(msgspec.convert(said, Failed))
                yield Batch(*said)
    finally:
        with anyio.CancelScope(shield=True):
            if child.returncode is None:
                with suppress(ProcessLookupError):
                    child.kill()
                await child.wait()


def main(words: list[str]) -> int:
    """Status 0 when all was handed over."""
    Thread(target=end_with_parent, daemon=True).start()
    folder, views, position, goal = words
    projections = [view for view in ALL if view.name in views.split(",")]
    try:
        anyio.run(_compute, Path(folder), projections, Position(int(position)), Position(int(goal)))
    except AftermindError as error:
        _put(msgspec.msgpack.encode(failed(error)))
        return error.status
    return 0


async def _compute(folder: Path, projections: Sequence[Projection], position: Position, goal: Position) -> None:
    async with (
        sqlite_log_reader(folder / LOG) as log,
        aclosing(computed(log)(projections, position, goal)) as batches,
    ):
        async for batch in batches:
            _put(msgspec.msgpack.encode(batch))


def _put(payload: bytes) -> None:
    sys.stdout.buffer.write(len(payload).to_bytes(_SIZE, "big"))
    sys.stdout.buffer.write(payload)
    sys.stdout.buffer.flush()


def end_with_parent() -> None:
    """Standard input is a pipe nobody writes to: it ends when its other end does."""
    while os.read(0, 1):  # not by `sys.stdin`, whose lock would be held while the interpreter ends
        pass
    os._exit(ORPHANED)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
