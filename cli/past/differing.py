"""What became of the memories between two moments: the shelf as it was at one, beside the shelf as it was at the other.

Of what was forgotten there is the id and nothing else, and of what was forgotten later not even that it was there: it
is in no moment any more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path
from shutil import copytree
from typing import Any

from msgspec import Struct

from aftermind.cli.past.aside import aside
from aftermind.cli.past.moments import Moment
from aftermind.cli.past.opening import Point, forgotten, point_of
from aftermind.engine.erasing.emptying import FORGOTTEN
from aftermind.engine.errors import Unusable
from aftermind.engine.events import MemoryForgotten
from aftermind.engine.logs.past_log import PastLog
from aftermind.engine.moments import microseconds
from aftermind.engine.names import Kind, MemoryId, Scope
from aftermind.engine.sqlite import Connection
from aftermind.engine.store.beside import read_log
from aftermind.engine.views.generations import views
from aftermind.engine.views.growing import current
from aftermind.projections.recalling.candidate import Outcomes
from aftermind.projections.views.seen import status_at
from aftermind.projections.views.shelf import SHELF

ORDER = (
    *("appeared", "changed", "moved", "rose", "sank", "came back", "locked", "unlocked"),
    *("superseded", "expired", "archived", "removed", "forgotten"),
)
"""What may become of a memory, in the order in which it is told. `changed`: it has another wording or a fuller answer;
`rose` and `sank`: its record of outcomes; `removed`: its book does not hold it any more."""
_SIDE = f"""{{0}}.collection, {status_at("{0}", "{1}")}, {{0}}.locked,
  {{0}}.worked, {{0}}.partial, {{0}}.failed, {{0}}.unknown, {{0}}.text, {{0}}.answer, {{0}}.successor"""
_BOTH = f"""SELECT b.position, b.memory, b.scope, b.kind, a.memory IS NULL,
  {_SIDE.format("a", ":since")}, {_SIDE.format("b", ":until")}
  FROM main.shelf b LEFT JOIN past.shelf a ON a.memory = b.memory
  WHERE b.own_status <> 'corrected' AND (a.memory IS NULL
    OR (a.collection, a.status, a.locked, a.worked, a.partial, a.failed, a.text, a.answer)
      <> (b.collection, b.status, b.locked, b.worked, b.partial, b.failed, b.text, b.answer)
    OR (b.status = 'live' AND b.ends > :since AND b.ends <= :until))
  ORDER BY b.position"""


class Standing(Struct, frozen=True, kw_only=True):
    """A memory at a moment; what had expired by then is expired, whether somebody had noted it or not."""

    collection: str
    status: str
    locked: bool
    outcomes: Outcomes
    text: str
    answer: str
    successor: MemoryId | None = None


class Change(Struct, frozen=True, kw_only=True):
    """A memory of which something is otherwise. One that was not there before has no `before`; what is forgotten has
    neither."""

    id: MemoryId
    what: tuple[str, ...]
    scope: Scope
    kind: Kind | None = None
    before: Standing | None = None
    after: Standing | None = None


class Difference(Struct, frozen=True, kw_only=True):
    """Between two moments, in the order in which the memories began."""

    since: Point
    until: Point
    changes: tuple[Change, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many memories each thing happened to."""
        found = {name: sum(name in change.what for change in self.changes) for name in ORDER}
        return {name: number for name, number in found.items() if number}


async def difference(
    folder: Path,
    one: Moment,
    other: Moment | None,
    now: Callable[[], datetime],
    scopes: Collection[Scope] = (),
    told: Callable[[float], None] = lambda _: None,
) -> Difference:
    """What became of the memories of a store (of those scopes, where some are given) from `one` moment to the `other`,
    or to the end of its log. `Unusable` where the other is the earlier one. Reads beside whoever writes the store."""
    async with read_log(folder) as whole:
        since, until = [await point_of(whole, moment, now()) for moment in (one, other)]
        if until.position < since.position:
            raise Unusable("the second moment is before the first", f"{until.position} < {since.position}")
        log = PastLog(whole, since.position, await forgotten(folder, whole), told=told)
        with aside(folder) as place:
            before, after = place / "one", place / "other"
            before.mkdir(mode=0o700)
            async with views(before, log, (SHELF,)):
                pass
            copytree(before, after)
            log.move_on(until.position)
            async with views(after, log, (SHELF,)) as seen:
                await seen.reached(None)
                path = current(before)
                assert path is not None
                changes = await seen.read(lambda c: _changes(c, path, since, until))
        for recorded in await whole.tagged(FORGOTTEN):
            event = recorded.draft.event
            if since.position < recorded.position <= until.position and isinstance(event, MemoryForgotten):
                changes.append(Change(id=event.memory, what=("forgotten",), scope=event.scope))
    kept = tuple(change for change in changes if not scopes or change.scope in scopes)
    return Difference(since=since, until=until, changes=kept)


def _changes(connection: Connection, before: Path, since: Point, until: Point) -> list[Change]:
    connection.execute("ATTACH ? AS past", (f"{before.absolute().as_uri()}?mode=ro",))
    try:
        asked = {"since": microseconds(since.time), "until": microseconds(until.time)}
        rows = connection.execute(_BOTH, asked).fetchall()
    finally:
        connection.execute("DETACH past")
    found = []
    for _, memory, scope, kind, new, *sides in rows:
        one, other = None if new else _standing(sides[:10]), _standing(sides[10:])
        if what := _what(one, other):
            found.append(Change(id=memory, what=what, scope=scope, kind=kind, before=one, after=other))
    return found


def _standing(row: list[Any]) -> Standing:
    collection, status, locked, worked, partial, failed, unknown, text, answer, successor = row
    outcomes = Outcomes(worked=worked, partial=partial, failed=failed, unknown=unknown)
    return Standing(
        collection=collection,
        status=status,
        locked=bool(locked),
        outcomes=outcomes,
        text=text,
        answer=answer,
        successor=successor if status == "superseded" else None,
    )


def _what(one: Standing | None, other: Standing) -> tuple[str, ...]:
    """What became of it, in order; nothing where nobody would see a difference."""
    found = set()
    if one is None:
        found |= {"appeared"} | ({other.status} - {"live"})
        return tuple(name for name in ORDER if name in found)
    reworded = (one.text, one.answer) != (other.text, other.answer)
    if reworded:
        found.add("changed")
    elif one.outcomes.expected != other.outcomes.expected:
        found.add("rose" if other.outcomes.expected > one.outcomes.expected else "sank")
    if one.collection != other.collection:
        found.add("moved")
    if one.status != other.status:
        found.add("came back" if other.status == "live" else other.status)
    if one.locked != other.locked:
        found.add("locked" if other.locked else "unlocked")
    return tuple(name for name in ORDER if name in found)
