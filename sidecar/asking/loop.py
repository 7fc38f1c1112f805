"""The loop of a judge: take a piece of work, set its price aside, ask, put what was said; until there is none.

Guarantees. Nothing is asked before its price is set aside durably, so that no limit is passed, whatever dies when.
Nothing is lost: what was taken and not put is handed out again when its ticket is void, and asked a second time; that
second charge is within the limits, too, as a price that was set aside and never settled counts in full
(docs/decisions/0023-a-second-charge.md). An endpoint that fails is asked one thing at a time, after growing pauses;
who looks is told once that it stopped and once that it goes on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal, TypeAlias, assert_never

import anyio
from msgspec import Struct

from aftermind.engine.errors import AftermindError, Refused
from aftermind.engine.names import Label
from aftermind.sidecar.asking.questions import REVISION, findings_of, question_of, shortened_of, shortening_of
from aftermind.sidecar.models import probing
from aftermind.sidecar.models.probing import Gate
from aftermind.sidecar.ports import (
    Case,
    Desk,
    Failed,
    Fault,
    Long,
    Model,
    NoReply,
    Nothing,
    Question,
    Said,
    Signature,
    Spent,
    Usage,
)

Why: TypeAlias = Fault | Literal["calls", "tokens", "dollars"]
"""Why no verdicts come in: the endpoint's fault, or the limit that is reached."""
End: TypeAlias = Literal["idle", "spent", "closed"]
"""There is no work; a limit of the day is reached; the endpoint does not answer until something is changed."""
Tell: TypeAlias = Callable[[Why | None, str, float | None], Awaitable[None]]
"""Told why none come in, in words for a person, and for how many seconds; with None, that they come in again."""
SOON, LATE = 1.0, 10.0
"""Seconds between two looks for work, growing."""


class Habits(Struct, frozen=True, kw_only=True):
    """`idle`: seconds without work after which it ends. `parallel`: how many are asked at one time. `pause`: for how
    many seconds an endpoint that failed is left alone at first; one longer than `patience` is not waited for."""

    idle: float = 60.0
    parallel: int = 1
    pause: float = probing.FIRST
    patience: float = 200.0


class Judged(Struct, frozen=True, kw_only=True):
    """What a run of the loop came to."""

    end: End
    why: str = ""
    """Why it did not go on: the endpoint's fault, or the limit."""
    said: str = ""
    put: int = 0
    failed: int = 0


class _Spent(Exception):
    def __init__(self, spent: Spent) -> None:
        self.spent = spent


class Loop:
    def __init__(self, desk: Desk, model: Model, tell: Tell, habits: Habits) -> None:
        self._desk, self._model, self._tell, self._habits = desk, model, tell, habits
        self.judge = Signature(judge=Label("model"), model=model.name, revision=REVISION)
        self._gate = Gate()
        self._told: Fault | Literal["nothing"] | None = "nothing"
        self.put = self.failed = 0

    async def until_idle(self) -> Judged:
        """Works as long as there is work. Raises what the desk raises."""
        spare, pause = self._habits.idle, SOON
        while True:
            wait = self._gate.waits(anyio.current_time())
            if self._gate.is_closed or wait > self._habits.patience:
                return self._over("closed", self._gate.said, self._gate.why or "")
            await anyio.sleep(wait)
            took, nothing = await self._round(self._habits.parallel if self._gate.is_open else 1)
            if isinstance(nothing, Spent):
                said = f"the {nothing.limit} of the day are spent"
                await self._tell(nothing.limit, said, nothing.seconds)
                return self._over("spent", said, nothing.limit)
            if took:
                spare, pause = self._habits.idle, SOON
                continue
            if spare <= 0:
                return self._over("idle", "")
            wait = min(pause, spare)
            await anyio.sleep(wait)
            spare, pause = spare - wait, min(pause * 2, LATE)

    async def _round(self, most: int) -> tuple[int, Nothing | Spent | None]:
        """Takes as many pieces as may be asked at one time, and does them. How many there were, and why no more."""
        taken: list[Case | Long] = []
        none: Nothing | Spent | None = None
        while len(taken) < most and none is None:
            match await self._desk.take(self.judge):
                case Nothing() as nothing:
                    none = nothing
                case Case() | Long() as work:
                    taken.append(work)
                case other:
                    assert_never(other)
        spent: list[Spent] = []
        broke: list[AftermindError] = []

        async def do(work: Case | Long) -> None:
            try:
                await self._piece(work)
            except _Spent as error:
                spent.append(error.spent)
            except Refused:  # its ticket is void: somebody else has it
                pass
            except AftermindError as error:
                broke.append(error)

        async with anyio.create_task_group() as tasks:
            for work in taken:
                tasks.start_soon(do, work)
        if broke:
            raise broke[0]
        return len(taken), spent[0] if spent else none

    async def _piece(self, work: Case | Long) -> None:
        question = question_of(work) if isinstance(work, Case) else shortening_of(work)
        reserved = await self._desk.reserve(work.ticket, self.judge, self._model.price(question))
        if isinstance(reserved, Spent):
            raise _Spent(reserved)
        said, usage = await self._asked(work, question)
        await self._desk.put(work.ticket, self.judge, said, usage, reserved)
        self.put += 1
        self.failed += isinstance(said, Failed)
        await self._tell_if_changed()

    async def _asked(self, work: Case | Long, question: Question) -> tuple[Said, Usage]:
        try:
            reply = await self._model.ask(question)
        except NoReply as error:
            self._gate = probing.failed(
                self._gate,
                error.fault,
                error.said,
                error.retry_after,
                anyio.current_time(),
                first=self._habits.pause,
            )
            return Failed(fault=error.fault, said=error.said), error.usage
        self._gate = probing.answered(self._gate)
        read = findings_of(work, reply.text) if isinstance(work, Case) else shortened_of(work, reply.text)
        return read, reply.usage

    async def _tell_if_changed(self) -> None:
        """Also after the first answer: who was here before may have said that none comes in."""
        if self._gate.why == self._told:
            return
        self._told = self._gate.why
        if self._gate.why is None:
            await self._tell(None, "", None)
        else:
            wait = None if self._gate.is_closed else self._gate.waits(anyio.current_time())
            await self._tell(self._gate.why, self._gate.said, wait)

    def _over(self, end: End, said: str, why: str = "") -> Judged:
        return Judged(end=end, why=why, said=said, put=self.put, failed=self.failed)
