"""How far anybody has seen the log, and what was to be erased from it: what its own chain cannot tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from aftermind.cli.examining.finding import Finding, Values, fault, note, ok
from aftermind.cli.terminal.tables import counted
from aftermind.engine.backups.registry import highest_seen
from aftermind.engine.backups.restoring import left_empty
from aftermind.engine.erasing import emptying, erased
from aftermind.engine.errors import DiskFailed, FileDamaged, LogDamaged
from aftermind.engine.names import Position
from aftermind.engine.sqlite import Connection, database, foreign
from aftermind.engine.store.derived import CACHE, generations
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.growing import checkpoint

_HEX = re.compile("[0-9a-f]{64}")


class Sight(Struct, frozen=True):
    """Who has seen which position, and its seal where that is known too (hex)."""

    who: str
    position: int
    seal: str = ""


def sights(folder: Path) -> Iterator[Sight]:
    """Everybody who can tell; who cannot be read tells nothing here."""
    for path in generations(folder).values():
        yield from _told(path, path.name, lambda c: [checkpoint(c)])
    if (cache := folder / CACHE).exists():
        sql = "SELECT position FROM followed"
        yield from _told(cache, CACHE, lambda c: [row[0] for row in c.execute(sql)])
    if (backup := highest_seen(folder)) is not None:
        yield Sight(f"the backup in {backup.where}", backup.position, backup.seal)


def _told(path: Path, who: str, asked: Callable[[Connection], Sequence[object]]) -> Iterator[Sight]:
    try:
        with foreign(path) as connection:
            positions = asked(connection)
    except (FileDamaged, DiskFailed):
        return
    yield from (Sight(who, position) for position in positions if isinstance(position, int))


async def seen_found(folder: Path, seen: tuple[Sight, ...], head: Position) -> Finding:
    """Whether the log reaches as far as it was seen, and is the one that was. Raises `LogDamaged` where it does not, or
    is not: its end was cut off at a commit, or another log was put in its place. `seen` was read before the log."""
    path = folder / LOG
    values: Values = {"head": head, "seen": sorted(f"{one.who}: {one.position}" for one in seen)}
    farthest = max(seen, key=lambda one: one.position, default=None)
    if farthest is None:
        return note("seen", "nobody can tell how far the log went: there are no views, vectors or backups yet", values)
    if farthest.position > head:
        why = f"{farthest.who} has seen position {farthest.position:,}, so its end is missing"
        raise LogDamaged(path, head, why)
    for one in seen:
        if _HEX.fullmatch(one.seal):
            async with database(path, "read") as log:
                seal = await log.run(partial(_seal, position=one.position))
            if seal != one.seal:
                why = f"what stands at position {one.position:,} is not what {one.who} has seen there"
                raise LogDamaged(path, max(one.position - 1, 0), why)
    told = f"its end is there: the farthest that was seen of it is position {farthest.position:,} (by {farthest.who})"
    return ok("seen", told, values)


def _seal(connection: Connection, position: int) -> str:
    row = connection.execute("SELECT seal FROM event WHERE position = ?", (position,)).fetchone()
    return bytes(row[0]).hex() if row else ""


async def damaged_in(folder: Path) -> int:
    """How many events of the log are without a text because a repair had to leave it out."""
    if not (damaged := left_empty(folder) - erased.noted(folder)):
        return 0
    async with database(folder / LOG, "read") as log:
        return len(damaged.intersection(await log.run(emptying.hollow)))


async def erased_found(folder: Path) -> Finding:
    """Whether what was to be erased is, and the list of it is whole."""
    noted, open = erased.noted(folder), erased.unfinished(folder)
    async with database(folder / LOG, "read") as log:
        left = await log.run(lambda c: emptying.still_there(c, noted))
        hollow = await log.run(emptying.hollow)
    values: Values = {"noted": len(noted), "unfinished": len(open), "still_there": [*left], "erased": len(hollow)}
    finish = "`aftermind stats` finishes it"
    if left and not open.issuperset(left):
        was, still = ("was", "is") if len(left) == 1 else ("were", "are")
        found = f"{counted(len(left), 'event')} that {was} to be erased {still} in the log: {', '.join(left[:3])}"
        return fault("erased", found, values, mend=finish)
    if left:
        return note("erased", f"{counted(len(left), 'event')} to be erased still in the log", values, finish)
    damaged = left_empty(folder)
    if missing := [id for id in hollow if id not in noted and id not in damaged]:
        found = f"{counted(len(missing), 'event')} without a text, not in {erased.ERASED}: a backup may bring it back"
        return note("erased", found, values)
    if lost := [id for id in hollow if id in damaged and id not in noted]:
        found = f"{counted(len(lost), 'event')} without a text, because it was damaged: {', '.join(lost[:3])}"
        return note("erased", found, values)
    return ok("erased", f"{counted(len(noted), 'event')} to be erased, none of them left in the log", values)
