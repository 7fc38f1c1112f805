"""What was spooled goes in, oldest first, beside whatever is asked meanwhile.

A file is removed when what it asks for is durable, set aside when it can never be, and left when it may be later:
the disk is full, or a newer program wrote it. Each is asked for under the key it carries, so that twice is once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

from anyio import to_thread

from aftermind.cli.language.requests import Request, Spoolable
from aftermind.cli.language.wire import Call, Newer, NotUnderstood, call_of
from aftermind.cli.logbook import Logbook
from aftermind.engine.errors import AftermindError, DiskFailed, DiskFull, LogDamaged, OffLimits, StoreUnusable
from aftermind.engine.moments import moment
from aftermind.engine.names import EventId
from aftermind.engine.stamp import Stamp
from aftermind.engine.store import spool

LATER = (DiskFull, DiskFailed, StoreUnusable)
"""What says nothing of the file: it and those after it are tried again."""
OLDEST = datetime(2020, 1, 1, tzinfo=UTC)
"""A time before this is that of a clock that was never set."""
Answer = Callable[[Request, EventId, datetime], Awaitable[Any]]


async def drain(
    folder: Path, stamp: Stamp, answer: Answer, logbook: Logbook, goes_on: Callable[[], bool] = lambda: True
) -> None:
    """Everything that waits now, for as long as it `goes_on`."""
    if cleared := spool.clear_halves(folder, stamp.now()):
        logbook.note("spool-cleared", halves=cleared)
    for file in spool.spooled(folder).waiting:
        if not goes_on():
            return
        try:
            payload = await to_thread.run_sync(spool.read, file)
            if payload is None:
                continue
            call = _spoolable(payload)
            await answer(call.request, call.key, _asked(call.key, stamp.now()))
            spool.drained(file)
            logbook.note("spooled", file=file.name, bytes=len(payload))
        except OffLimits:  # it was said during a pause, or where nothing is captured
            spool.drained(file)
            logbook.note("spooled-off-limits", file=file.name)
        except (Newer, OSError, LogDamaged) as error:  # says nothing of the next one
            logbook.once("spooled-left", file=file.name, why=type(error).__name__)
        except LATER as error:
            logbook.once("spooled-later", file=file.name, failed=type(error).__name__)
            return
        except (AftermindError, ValueError) as error:
            why = {"why": error.logged} if isinstance(error, NotUnderstood) and error.logged else {}
            logbook.once("spooled-broken", file=file.name, failed=type(error).__name__, **why)
            _set_aside(file, logbook)
        except Exception as error:  # nobody foresaw it, and it must not stop what comes after it
            logbook.broke("spooled-broken", error)
            _set_aside(file, logbook)


def _set_aside(file: Path, logbook: Logbook) -> None:
    try:
        spool.set_aside(file)
    except OSError as error:
        logbook.once("spooled-stuck", file=file.name, failed=type(error).__name__)


def _spoolable(payload: bytes) -> Call:
    call = call_of(payload)
    if not isinstance(call.request, get_args(Spoolable)):
        raise NotUnderstood("it asks for something whose answer nobody waits for")
    return call


def _asked(key: EventId, now: datetime) -> datetime:
    """When it was said: a key begins with its time, to the millisecond. Not believed when that is still to come."""
    try:
        at = moment(int(key[:12], 16) * 1000) + timedelta(milliseconds=1)  # not before what was said in that one
    except (ValueError, OverflowError):
        return now
    return min(at, now) if at >= OLDEST else now
