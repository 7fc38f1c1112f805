"""What a row of pauses and resumptions amounts to."""

from __future__ import annotations

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.events import CapturePaused, CaptureResumed, MemoryLocked
from aftermind.engine.names import GLOBAL, MemoryId, Scope
from aftermind.engine.permitting.pausing import in_force, pauses
from tests.given import NOON

SCOPES = (GLOBAL, Scope("p1"), Scope("p2"))


def at(hours: float) -> datetime:
    return NOON + timedelta(hours=hours)


steps = st.lists(
    st.tuples(st.sampled_from(SCOPES), st.sampled_from(["pause", "for an hour", "resume", "other"])), max_size=20
)


@given(steps, st.floats(0, 20), st.sampled_from(SCOPES))
def test_a_moment_is_paused_where_the_last_word_before_it_says_so(told: list[tuple[Scope, str]], hour: float, scope):
    """Said half an hour apart, one after the other."""
    happened = []
    for number, (where, what) in enumerate(told):
        until = at(number / 2 + 1) if what == "for an hour" else None
        event = {
            "resume": CaptureResumed(scope=where),
            "other": MemoryLocked(memory=MemoryId("m")),
        }.get(what, CapturePaused(scope=where, until=until))
        happened.append((at(number / 2), event))

    def holds(where: Scope) -> bool:
        before = [event for said, event in happened if said <= at(hour) and getattr(event, "scope", None) == where]
        last = before[-1] if before else None
        return isinstance(last, CapturePaused) and (last.until is None or at(hour) < last.until)

    found = in_force(pauses(happened), [at(hour)], [scope])
    assert (found is not None) == (holds(scope) or holds(GLOBAL))


def test_any_of_several_moments_is_enough_and_another_scope_is_not():
    known = pauses([(at(1), CapturePaused(scope=SCOPES[1])), (at(2), CaptureResumed(scope=SCOPES[1]))])
    assert in_force(known, [at(3), at(1.5)], [SCOPES[1]]) is not None
    assert in_force(known, [at(3), at(0)], [SCOPES[1]]) is None
    assert in_force(known, [at(1.5)], [SCOPES[2]]) is None
