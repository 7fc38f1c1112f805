"""Everything that is kept, looked at in the order in which one thing vouches for the next, beside whoever writes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Literal, TypeAlias

from aftermind.cli.examining.finding import Finding, ok
from aftermind.cli.examining.listed import backups_found
from aftermind.cli.terminal.progress import filling
from aftermind.cli.terminal.tables import counted
from aftermind.cli.verifying.seen import damaged_in, erased_found, seen_found, sights
from aftermind.cli.verifying.spooled import spool_found
from aftermind.cli.verifying.vectors import vectors_found
from aftermind.cli.verifying.views import views_as_they_lie, views_found
from aftermind.engine.errors import AftermindError
from aftermind.engine.logs.sqlite_log import SqliteLogReader

Depth: TypeAlias = Literal["quick", "sensible", "views"]
"""Whether the views are grown aside and compared: never, where that takes a moment, always."""
A_MOMENT = 200_000
"""Events from which on growing the views aside takes more than some fifteen seconds."""


class Unsound(AftermindError):
    """Something that is kept beside the log is not what it should be."""

    status = 8

    def __init__(self, looked_at: str, found: str, hint: str) -> None:
        self.looked_at, self.found, self.hint = looked_at, found, hint
        super().__init__(f"{looked_at}: {found}")


async def looked_through(folder: Path, log: SqliteLogReader, depth: Depth, *, hidden: bool) -> AsyncIterator[Finding]:
    """One finding after the other, the log first; `LogDamaged` where that is not sound: nothing else counts then."""
    seen = tuple(sights(folder))  # before the log: who writes meanwhile is not taken for a log that lost its end
    head = await log.refresh()
    with filling("the log's events", hidden=hidden) as told:
        verified = await log.verify(lambda done: told(done, head))
    values = {"events": verified.events, "erased": verified.erased, "head": verified.head}
    lost = await damaged_in(folder)
    damaged = f", {lost:,} without a damaged text" if lost else ""
    said = f"{counted(verified.events, 'event')}, {verified.erased - lost:,} erased{damaged}, head {verified.head}"
    yield ok("log", f"{said}: every link holds.", values)
    yield await seen_found(folder, seen, verified.head)
    for found in backups_found(folder):
        yield found
    yield await erased_found(folder)
    yield spool_found(folder)
    if depth == "views" or (depth == "sensible" and verified.events <= A_MOMENT):
        with filling("views", hidden=hidden) as told:
            yield await views_found(folder, log, told)
    else:
        yield views_as_they_lie(folder, "which --quick leaves out" if depth == "quick" else "which takes a while")
    yield vectors_found(folder)
