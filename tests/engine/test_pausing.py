"""What a row of pauses and resumptions amounts to."""

from __future__ import annotations

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.events import CapturePaused, CaptureResumed, MemoryLocked
from aftermind.engine.names import GLOBAL, MemoryId, Scope
from aftermind.engine.permitting.pausing import as_of, in_force, pauses
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


@given(steps, st.floats(0.1, 20))
def test_now_is_paused_where_the_last_word_says_so_however_far_the_clock_was_set_back(told, back: float):
    happened = []
    for number, (where, what) in enumerate(told):
        until = at(number / 2 + 100) if what == "for an hour" else None
        event = CaptureResumed(scope=where) if what == "resume" else CapturePaused(scope=where, until=until)
        happened.append((at(number / 2), event))
    now = at(len(told) / 2 - back)
    last = {event.scope: event for _, event in happened}
    open_now = {where for where, event in last.items() if isinstance(event, CapturePaused)}
    assert {one.scope for one in as_of(pauses(happened), now) if one.holds(now)} == open_now
    resumed = [*happened, *((now, CaptureResumed(scope=where)) for where in open_now)]
    assert not any(one.holds(later) for one in as_of(pauses(resumed), now) for later in (now, at(200)))
