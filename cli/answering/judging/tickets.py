"""Which work is handed out, to whom it belongs, and for how long. In memory only: who begins anew hands it out again.

What is handed out under a ticket is nobody else's until its time is over; then it may be handed out once more, and
only from then on the first ticket is void. Times are monotonic seconds, so that no clock moves them.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from aftermind.engine.names import EventId, MemoryId
from aftermind.projections.views.waiting import Row
from aftermind.projections.views.wordy import Waiting
from aftermind.sidecar.ports import Ticket

MOST = 1000
"""Tickets that are remembered, the last ones."""


class Claim(Struct, frozen=True, kw_only=True):
    """One exchange, as it was when it was handed out; and on which occasion each memory was shown in it. `handed`: all
    memories whose words were handed out with it, shown or known."""

    ticket: Ticket
    row: Row
    occasions: Mapping[MemoryId, EventId]
    handed: frozenset[MemoryId] = frozenset()
    until: float

    @property
    def what(self) -> str:
        return self.row.exchange


class LongClaim(Struct, frozen=True, kw_only=True):
    """One memory that is to be said in fewer words, as it waited when it was handed out."""

    ticket: Ticket
    row: Waiting
    until: float

    @property
    def what(self) -> str:
        return self.row.memory


class Tickets:
    def __init__(self) -> None:
        self._claims: dict[Ticket, Claim | LongClaim] = {}
        self._holders: dict[str, Ticket] = {}
        self._done: dict[Ticket, bool] = {}

    def hand_out(self, claim: Claim | LongClaim) -> None:
        """From now on it is under this ticket, and the ticket for nothing else."""
        self._drop(claim.ticket)
        self._claims[claim.ticket] = claim
        self._holders[claim.what] = claim.ticket
        for old in list(self._claims)[:-MOST]:
            self._drop(old)

    def out(self, now: float) -> list[str]:
        """What is in somebody's hands."""
        return [one for one, ticket in self._holders.items() if self._claims[ticket].until > now]

    def claim(self, ticket: Ticket) -> Claim | None:
        """The exchange that was handed out under it; None where it is void."""
        claim = self._held(ticket)
        return claim if isinstance(claim, Claim) else None

    def long(self, ticket: Ticket) -> LongClaim | None:
        """The memory that was handed out under it; None where it is void."""
        claim = self._held(ticket)
        return claim if isinstance(claim, LongClaim) else None

    def _held(self, ticket: Ticket) -> Claim | LongClaim | None:
        claim = self._claims.get(ticket)
        return claim if claim is not None and self._holders.get(claim.what) == ticket else None

    def done(self, ticket: Ticket, *, taken: bool) -> None:
        """It was answered, and that was `taken`."""
        self._drop(ticket)
        self._done[ticket] = taken
        for old in list(self._done)[:-MOST]:
            del self._done[old]

    def was_taken(self, ticket: Ticket) -> bool | None:
        """What became of its answer, if there was one."""
        return self._done.get(ticket)

    def _drop(self, ticket: Ticket) -> None:
        claim = self._claims.pop(ticket, None)
        if claim is not None and self._holders.get(claim.what) == ticket:
            del self._holders[claim.what]
