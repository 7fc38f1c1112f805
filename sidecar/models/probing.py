"""Whether a model's endpoint is asked now. Pure; times are seconds of a clock that only goes forward.

An endpoint that answers is open. One that fails is left alone for a while that doubles, or for as long as it asked,
and then asked one thing; it is open again with its first answer, also one that is no verdict. One that will not answer
until somebody changes something (a key, a model's name) is closed. What happens to the exchange is another question:
only faults of its own count as its attempts (`OF_THE_EXCHANGE`).
"""

from __future__ import annotations

from msgspec import Struct, structs

from aftermind.projections.views.worklist import OF_THE_EXCHANGE
from aftermind.sidecar.ports import Fault

UNTIL_CHANGED: frozenset[Fault] = frozenset({"denied", "missing"})
FIRST, LONGEST = 30.0, 900.0
"""Seconds of the first pause, and of the longest that nobody asked for."""


class Gate(Struct, frozen=True, kw_only=True):
    """`until`: not before then. `why` is what it is shut for; None while it is open."""

    failures: int = 0
    until: float = 0.0
    why: Fault | None = None
    said: str = ""

    @property
    def is_open(self) -> bool:
        return self.why is None

    @property
    def is_closed(self) -> bool:
        """For good, as far as this process can tell."""
        return self.why in UNTIL_CHANGED

    def waits(self, now: float) -> float:
        """Seconds until it may be asked."""
        return 0.0 if self.is_open else max(self.until - now, 0.0)


def answered(gate: Gate) -> Gate:
    """After an answer, or a fault that only an endpoint that works can find."""
    return gate if gate.is_open and not gate.failures else Gate()


def failed(gate: Gate, fault: Fault, said: str, retry_after: float | None, now: float, *, first: float = FIRST) -> Gate:
    """After no answer; the `first` pause is so long. One of 0 that was asked for is none, and no failure either; what
    was asked before the gate shut and fails, too, is no further one."""
    if fault in OF_THE_EXCHANGE:
        return answered(gate)
    if retry_after == 0 or (gate.waits(now) > 0 and fault not in UNTIL_CHANGED):
        return gate
    failures = gate.failures + 1
    pause = retry_after if retry_after is not None else min(first * 2 ** min(failures - 1, 10), LONGEST)
    return structs.replace(gate, failures=failures, until=now + pause, why=fault, said=said)
