"""What becomes due without anybody asking: lifetimes that are over, sessions that went quiet.

Nobody waits for these events. What is over is not recalled anyway, and a quiet session's last exchange is ready for its
verdict at reading time; so nothing is wrong while no process runs. They are evaluated when a store is opened and then
every half minute, and not while the clock cannot be trusted.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct

from aftermind.cli.answering.capturing import recording
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.sessions.checkpoints import at_the_end
from aftermind.cli.answering.sessions.living import QUIET
from aftermind.engine.events import SessionEnded
from aftermind.engine.log import Append
from aftermind.engine.moments import microseconds
from aftermind.engine.names import SessionId, session_stream
from aftermind.engine.stamp import derive_id
from aftermind.projections.views import sessions

EVERY = 30.0
"""Seconds between two looks."""
AT_ONCE = 500
JUMP, TRUST = timedelta(hours=1), timedelta(minutes=10)
"""A clock that moved this much against the time that passed is believed after so long: a suspended machine looks the
same as a clock set wrong, and an expiry, once recorded, stays until somebody restores it."""


class Watch(Struct, frozen=True, kw_only=True):
    """What was read at the last look. `passed` counts real seconds; `doubted` is when the clock last jumped, in
    them."""

    now: datetime
    passed: float
    doubted: float | None = None

    def looked(self, now: datetime, passed: float) -> Watch:
        """The watch after one more look."""
        off = (now - self.now) - timedelta(seconds=passed - self.passed)
        if abs(off) > JUMP:
            return Watch(now=now, passed=passed, doubted=passed)
        over = self.doubted is not None and passed - self.doubted >= TRUST.total_seconds()
        return Watch(now=now, passed=passed, doubted=None if over else self.doubted)

    @property
    def trusted(self) -> bool:
        return self.doubted is None


async def due(store: Opened) -> int:
    """Records what is due now; how many things were."""
    return await recording.sweep(store) + await _quiet(store)


async def _quiet(store: Opened) -> int:
    """Ends the sessions in which nothing was said for long. One that goes on later begins again by itself."""
    since = microseconds(store.stamp.now() - store.policy.lifecycle.quiet_after)
    rows = await store.read(lambda c: sessions.quiet(c, since, AT_ONCE))
    for id, last, exchanges in rows:  # each alone: one that is recorded already must not refuse the others
        session = SessionId(id)
        event = SessionEnded(session=session, reason=QUIET)
        cause = f"quiet since {last} after {exchanges}"
        drafts = [store.stamp.draft(event, id=derive_id(id, cause))]
        for number, work in enumerate(await at_the_end(store, session)):
            purpose = f"work {cause}" if number == 0 else f"work {cause} in {work.scope}"
            drafts.insert(number, store.stamp.draft(work, id=derive_id(id, purpose)))
        await store.log.append(Append(stream=session_stream(session), drafts=tuple(drafts)))
    return len(rows)
