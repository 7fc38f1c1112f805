"""Views are grown in a process of their own, where that is worth its start: recall goes on meanwhile.

Guarantee: when this returns the file is filled, when it raises it is worth nothing, and either way the process is gone,
and the one that computes for it a moment later.
Where the process cannot be started, is another program's (an upgrade in the middle) or dies, the work is done here.
"""

from __future__ import annotations

import os
from asyncio.subprocess import Process
from collections.abc import Sequence
from contextlib import suppress

import anyio
import msgspec

from aftermind.cli.child_process import started
from aftermind.cli.growing import Word
from aftermind.cli.language.wire import Failed, error_of
from aftermind.cli.logbook import LOGS
from aftermind.engine.views.growing import Growth, Told, fingerprint, grown, thrown_away
from aftermind.engine.views.projection import Projection, Source

OUTPUT = "growing.out"
"""What it prints when it breaks."""
WORTH_IT = 5_000
"""Events from which on a process is started: fewer are done while it would be starting."""


async def grown_apart(growth: Growth, log: Source, projections: Sequence[Projection], told: Told) -> None:
    """As `grown`, of the views that the catalog has."""
    if log.head.position < WORTH_IT:
        await grown(growth, log, projections, told)
        return
    child = await _started(growth, projections)
    if child is None or child.stdout is None:
        await grown(growth, log, projections, told)
        return
    try:
        why: Failed | None = None
        while line := await child.stdout.readline():
            with suppress(msgspec.DecodeError):  # half a line, of one that was killed
                word = _decode(line)
                if isinstance(word, Failed):
                    why = word
                else:
                    told(word.done, word.total)
        status = await child.wait()
    finally:
        with anyio.CancelScope(shield=True):
            if child.returncode is None:
                with suppress(ProcessLookupError):
                    child.kill()
                await child.wait()
    if why is not None:
        raise error_of(why)
    if status:
        thrown_away(growth.path)
        await grown(growth, log, projections, told)


_decode = msgspec.json.Decoder(Word).decode


async def _started(growth: Growth, projections: Sequence[Projection]) -> Process | None:
    folder = growth.path.parent
    words = [str(folder), str(growth.path), fingerprint(projections)]
    if growth.current is not None and growth.views:
        words += [str(growth.current), *growth.views]
    (folder / LOGS).mkdir(mode=0o700, exist_ok=True)
    output = os.open(folder / LOGS / OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        return await started("aftermind.cli.growing", *words, folder=folder, errors=output)
    finally:
        os.close(output)
