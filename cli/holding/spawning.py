"""The process that asks a model is started while there is something for it, one at a time, and ended with the daemon.

Looked at when something was written, and every half minute: what becomes ready by itself (a session went quiet, a rest
is over) waits no longer than that. It is not started while scoring is stopped, unless the configuration says something
else than when it stopped; one that finds nothing, or dies, is started again after pauses that grow. Only its own child
is ever ended, and at once where the configuration has changed: what it had taken is handed out again.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import anyio
from msgspec import Struct, structs

from aftermind.cli.judge import hindrance
from aftermind.cli.keys import BY_SIDECAR
from aftermind.cli.language.asked import Ask
from aftermind.cli.language.judging import ResumeScoring, ScoringState, Stopped, StopScoring
from aftermind.cli.language.requests import Beyond
from aftermind.cli.logbook import LOGS, Logbook
from aftermind.cli.settings import Sidecar
from aftermind.cli.sidecar_ends import CANNOT, DID, HAD_NOTHING
from aftermind.engine.names import Label

OUTPUT = "sidecar.out"
IDLE = 120.0
"""Seconds it stays without work: starting it takes seconds of computing."""
PATIENCE = 200.0
"""A pause of the model's endpoint that is longer is not waited for by a process of its size."""
EVERY, GATHER = 30.0, 1.0
"""Seconds between two looks, and after a write before one."""
REST, LONGEST = 30.0, 900.0
"""Seconds of the first pause after one that came to nothing, and of the longest."""
CRASHES = 3
"""Of them in a row the user is told."""
UNSTARTED = 71
"""The status of one that could not be started (EX_OSERR)."""
ENDED = 5.0
"""Seconds it has to end in."""
JUDGE = Label("model")
"""Who it is that judges there."""
HINDRANCES = ("unconfirmed", "not-installed")


class Tries(Struct, frozen=True, kw_only=True):
    """How many of the last ones came to nothing, how many by dying, and when the next may start."""

    vain: int = 0
    crashes: int = 0
    not_before: float = 0.0
    probing: bool = False
    """The endpoint did not answer at the end: one question will show whether it does."""

    def ended(self, status: int, now: float) -> Tries:
        if status == DID:
            return Tries()
        vain = self.vain + 1
        rest = min(REST * 2 ** min(vain - 1, 10), LONGEST)
        crashed = status not in (HAD_NOTHING, CANNOT)
        return Tries(
            vain=vain,
            crashes=self.crashes + 1 if crashed else 0,
            not_before=now + rest,
            probing=status == CANNOT,
        )


def may_start(stopped: Stopped | None, tries: Tries, now: datetime, passed: float, *, changed: bool) -> bool:
    """Whether it makes sense to start one. What hindered it and does not any more stops nothing."""
    if changed or (tries.probing and stopped is None):  # somebody said that it is mended
        return True
    if passed < tries.not_before:
        return False
    if stopped is None or stopped.why in HINDRANCES or stopped.why == "crashed":
        return True
    return stopped.until is not None and stopped.until <= now


class Spawning:
    """`wanted` says which model is to judge now; None where none is."""

    def __init__(
        self, folder: Path, ask: Ask, wanted: Callable[[], Sidecar | None], now: Callable[[], datetime], book: Logbook
    ) -> None:
        self._folder, self._ask, self._wanted, self._now, self._book = folder, ask, wanted, now, book
        self._tried: Sidecar | None = None
        self._tries = Tries()
        self._child: asyncio.subprocess.Process | None = None

    @property
    def runs(self) -> bool:
        return self._child is not None

    async def going(self) -> None:
        """For as long as the store is held."""
        position, unwanted = 0, False
        while True:
            with anyio.move_on_after(EVERY):
                position = await self._ask(Beyond(position=position))
                await anyio.sleep(GATHER)
            if (sidecar := self._wanted()) is None:
                if not unwanted:
                    await self._ask(ResumeScoring())  # what stopped a model stops nobody else
                unwanted = True
                continue
            unwanted = False
            if await self._has_work(sidecar):
                status = await self._ran(sidecar)
                await self._judge(status)

    async def _has_work(self, sidecar: Sidecar) -> bool:
        state = await self._ask(ScoringState(limit=0, judge=JUDGE))
        if not state.work:
            return False
        if (hindered := hindrance(sidecar)) is not None:
            await self._ask(StopScoring(why=hindered.why, said=hindered.said))
            return False
        changed = sidecar != self._tried
        if changed:
            self._tries = Tries()
        return may_start(state.stopped, self._tries, self._now(), anyio.current_time(), changed=changed)

    async def _judge(self, status: int | None) -> None:
        """What comes of how it ended; None where we ended it."""
        if status is None:
            return
        self._tries = self._tries.ended(status, anyio.current_time())
        self._book.note("sidecar", ended=status)
        if self._tries.crashes == CRASHES:
            ended = f"ended with {status} (logs/{OUTPUT} tells more)" if status != UNSTARTED else "could not be started"
            said = f"the process that asks the model {ended}, {CRASHES} times in a row"
            await self._ask(StopScoring(why=Label("crashed"), said=said))

    async def _ran(self, sidecar: Sidecar) -> int | None:
        """Starts one and returns its status when it ended; None where we ended it."""
        self._tried = sidecar
        patience = 0.0 if self._tries.probing else PATIENCE
        try:
            self._child = await self._started(patience)
        except OSError as error:  # no more processes, a full disk, this interpreter is gone
            self._book.note("sidecar", unstarted=type(error).__name__)
            return UNSTARTED
        self._book.note("sidecar", started=self._child.pid)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._watch, self._child, sidecar)
                status = await self._child.wait()
                tasks.cancel_scope.cancel()
            return None if self._wanted() != sidecar else status
        finally:
            with anyio.CancelScope(shield=True):
                await _ended(self._child)
            self._child = None

    async def _watch(self, child: asyncio.subprocess.Process, sidecar: Sidecar) -> None:
        """Ends it where another model is wanted, or none."""
        while self._wanted() == sidecar:
            await anyio.sleep(GATHER)
        await _ended(child)

    async def _started(self, patience: float) -> asyncio.subprocess.Process:
        logs = self._folder / LOGS
        logs.mkdir(mode=0o700, exist_ok=True)
        output = os.open(logs / OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            return await asyncio.create_subprocess_exec(
                sys.executable, "-I", "-m", "aftermind.cli.sidecar", str(self._folder), str(IDLE), str(patience),
                stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output,
                cwd=self._folder,  # not where the user works, whose `.env` is not ours to read
            )  # fmt: skip
        finally:
            os.close(output)


async def _ended(child: asyncio.subprocess.Process) -> None:
    """It is gone, by force where it has to be."""
    if child.returncode is not None:
        return
    with suppress(ProcessLookupError):
        child.terminate()
    with anyio.move_on_after(ENDED):
        await child.wait()
    with suppress(ProcessLookupError):
        if child.returncode is None:
            child.kill()
            await child.wait()


def wanted_of(scoring: str, sidecar: Sidecar) -> Sidecar | None:
    """The model that is to judge, where one is. How often history is asked for is nothing to it."""
    return structs.replace(sidecar, extract_every_hours=0.0) if scoring == BY_SIDECAR and sidecar.model else None
