"""A desk in memory with the promises of the real one, and a loop in which waiting takes no time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import anyio
from msgspec import structs

from aftermind.engine.errors import Refused
from aftermind.engine.names import EventId
from aftermind.projections.views.worklist import OF_THE_EXCHANGE
from aftermind.sidecar.ports import (
    Case,
    Failed,
    Findings,
    Nothing,
    Price,
    Said,
    Signature,
    Spent,
    Ticket,
    Usage,
    Work,
)

T = TypeVar("T")
ATTEMPTS = 3


class Hastened(asyncio.SelectorEventLoop):
    """Where everybody sleeps, it is later at once."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]
            self.ahead += max(self._scheduled[0]._when - self.time(), 0.0)  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]


def hastened(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    return anyio.run(work, backend_options={"loop_factory": Hastened})


class ListDesk:
    """`cases` wait. `spent` never passes `calls`. `told` is what users would see, with the time."""

    def __init__(self, cases: list[Case], *, calls: int = 10**9, lease: float = 120.0) -> None:
        self.cases = {case.exchange: case for case in cases}
        self.calls, self.lease = calls, lease
        self.verdicts: dict[EventId, Findings] = {}
        self.abandoned: list[EventId] = []
        self.told: list[tuple[str | None, float | None]] = []
        self.faults: list[str] = []
        self.set_aside: set[EventId] = set()
        self.usage: list[Usage] = []
        self._held: dict[EventId, tuple[Ticket, float]] = {}
        self._count = 0

    async def take(self, judge: Signature) -> Work:
        now = anyio.current_time()
        for exchange, case in self.cases.items():
            held = self._held.get(exchange)
            if exchange not in self.verdicts and exchange not in self.abandoned and (held is None or held[1] <= now):
                self._count += 1
                ticket = Ticket(f"{exchange} {self._count}")
                self._held[exchange] = (ticket, now + self.lease)
                return structs.replace(case, ticket=ticket)
        return Nothing()

    async def reserve(self, ticket: Ticket, judge: Signature, price: Price) -> EventId | Spent:
        if not self._claims(ticket):
            raise Refused("the ticket is void")
        if len(self.set_aside) + sum(usage.calls for usage in self.usage) >= self.calls:
            return Spent(limit="calls", seconds=3600)
        id = EventId(f"asked {ticket} {len(self.usage)} {len(self.set_aside)}")
        self.set_aside.add(id)
        return id

    async def put(
        self, ticket: Ticket, judge: Signature, said: Said, usage: Usage, reserved: EventId | None = None
    ) -> bool:
        if reserved in self.set_aside:
            self.set_aside.discard(reserved)
            self.usage.append(usage)
        if not self._claims(ticket):
            return False
        exchange = EventId(ticket.split(" ")[0])
        del self._held[exchange]
        if isinstance(said, Findings):
            assert exchange not in self.verdicts
            self.verdicts[exchange] = said
        elif isinstance(said, Failed):
            self.faults.append(said.fault)
            if said.fault in OF_THE_EXCHANGE:
                case = self.cases[exchange]
                self.cases[exchange] = structs.replace(case, attempt=case.attempt + 1)
                if case.attempt >= ATTEMPTS:
                    self.abandoned.append(exchange)
        return True

    async def tell(self, why: str | None, said: str, seconds: float | None) -> None:
        self.told.append((why, seconds))

    def _claims(self, ticket: Ticket) -> bool:
        held = self._held.get(EventId(ticket.split(" ")[0]))
        return held is not None and held[0] == ticket
