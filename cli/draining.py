"""What was spooled goes in, oldest first, beside whatever is asked meanwhile.

A file is removed when what it asks for is durable, set aside when it can never be, and left when it may be later:
the disk is full, or a newer program wrote it. Each is asked for under the key it carries, so that twice is once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

from anyio import to_thread

from aftermind.cli.logbook import Logbook
from aftermind.cli.requests import Request, Spoolable
from aftermind.cli.wire import Call, Newer, NotUnderstood, call_of
from aftermind.engine import spool
from aftermind.engine.errors import AftermindError, DiskFailed, DiskFull, LogDamaged, StoreUnusable
from aftermind.engine.moments import moment
from aftermind.engine.names import EventId
from aftermind.engine.stamp import Stamp

LATER = (DiskFull, DiskFailed, LogDamaged, StoreUnusable, Newer)
"""What says nothing of the file: it is tried again."""
Answer = Callable[[Request, EventId, datetime], Awaitable[Any]]


async def drain(folder: Path, stamp: Stamp, answer: Answer, logbook: Logbook) -> bool:
    """Everything that waits now; False when something has to wait on."""
    done = True
    for file in spool.spooled(folder).waiting:
        try:
            payload = await to_thread.run_sync(spool.read, file)
            if payload is None:
                continue
            call = _spoolable(payload)
            await answer(call.request, call.key, _asked(call.key, stamp.now()))
        except LATER as error:
            logbook.note("spooled-later", file=file.name, failed=type(error).__name__)
            done = False
        except (AftermindError, ValueError) as error:
            spool.set_aside(file)
            logbook.note("spooled-broken", file=file.name, failed=type(error).__name__)
        else:
            spool.drained(file)
            logbook.note("spooled", file=file.name, bytes=len(payload))
    return done


def _spoolable(payload: bytes) -> Call:
    call = call_of(payload)
    if not isinstance(call.request, get_args(Spoolable)):
        raise NotUnderstood("it asks for something whose answer nobody waits for")
    return call


def _asked(key: EventId, now: datetime) -> datetime:
    """When it was said: a key begins with its time, and is not believed when that is still to come."""
    try:
        at = moment(int(key[:12], 16) * 1000)
    except (ValueError, OverflowError, OSError):
        return now
    return min(at.astimezone(UTC), now)
