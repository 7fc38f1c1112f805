"""What is wrong with a store's files, and what would be done about each. Reads, and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Literal, TypeAlias, TypeVar

from anyio import to_thread
from msgspec import Struct

from aftermind.cli.examining.listed import ENTER, backups_found
from aftermind.cli.keeping.choosing import all_of
from aftermind.engine.backups.backup import Backup, rows_of
from aftermind.engine.backups.registry import REGISTRY, highest_seen, registered
from aftermind.engine.backups.restoring import left_empty, under_way
from aftermind.engine.backups.salvaging import Mending, as_far_as_whole, highest, readable
from aftermind.engine.backups.segment import Row
from aftermind.engine.erasing import erased
from aftermind.engine.erasing.emptying import hollow
from aftermind.engine.erasing.erased import ERASED
from aftermind.engine.errors import AftermindError, FileDamaged, LogDamaged
from aftermind.engine.logs.sqlite_log import LOOKS, PAUSE
from aftermind.engine.logs.sqlite_pen import FORMAT, SCHEMA
from aftermind.engine.logs.verify import schema_fault, shortened, verified
from aftermind.engine.names import EventId
from aftermind.engine.sqlite import Connection, foreign, with_first_page
from aftermind.engine.store.derived import CACHE, POINTER
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.generations import witnessed
from aftermind.engine.views.growing import current

T = TypeVar("T")
Part: TypeAlias = Literal["restore", "log", "views", "cache", "erased", "registry"]
BEYOND = 1_000
"""Positions behind all that are known of, up to which a damaged log is looked through."""
NAMED = 4
"""Ranges and events that are named to a person; a program gets all of them."""
_ID = re.compile(r"[!-~]{1,400}")


class Fault(Struct, frozen=True, kw_only=True):
    """One thing that is wrong."""

    part: Part
    found: str
    mend: str
    """What `aftermind repair` does about it."""


class Plan(Struct, frozen=True, kw_only=True):
    """What the log would be after it was mended."""

    events: int
    head: int
    backup: str
    """The backup that adds to it; empty where none does."""
    taken: tuple[tuple[int, int], ...]
    """First and last positions of what comes from there."""
    emptied: tuple[int, ...]
    """Positions of events whose text is damaged and in no backup: they stay, without it."""
    damaged: tuple[str, ...]
    """What these are, in words: position, type, stream and id of each."""
    memories: tuple[str, ...]
    """Ids of the memories whose texts these are."""
    lost: int
    """Positions after its end that something has seen, and no log has whole; `readable`: how many of these events can
    still be read from the damaged one."""
    readable: int
    highest: int
    """The highest position that anything has seen."""


class Diagnosis(Struct, frozen=True, kw_only=True):
    faults: tuple[Fault, ...]
    plan: Plan | None
    """For a log that is damaged."""
    notes: tuple[str, ...]


async def diagnosed(store: Path, only: Backup | None) -> Diagnosis:
    """All of it. `only`: the one backup to go by."""
    if under_way(store):
        found = "another log was about to take the store's place, and that was interrupted"
        return Diagnosis(faults=(Fault(part="restore", found=found, mend="it is ended"),), plan=None, notes=())
    faults: list[Fault] = []
    seen_by_views = await witnessed(store)
    why = await to_thread.run_sync(_log_fault, store, seen_by_views)
    plan = None
    if why:
        plan = await to_thread.run_sync(planned, store, only, seen_by_views)
        faults.append(Fault(part="log", found=why, mend=_said(plan)))
    else:
        faults += _list_faults(store)
    if (found := _views_fault(store)) and not why:
        faults.append(Fault(part="views", found=found, mend="they are taken away, and grow back from the log"))
    if found := _broken(store / CACHE):
        faults.append(Fault(part="cache", found=found, mend="it is taken away, and fills again"))
    if registered(store) is None:
        mend = f"it is kept as {REGISTRY}.damaged, and begun anew with the backups that are in the store"
        found = f"{store / REGISTRY} cannot be read: it says where the backups are"
        mend += f"; {ENTER}"
        faults.append(Fault(part="registry", found=found, mend=mend))
    return Diagnosis(faults=tuple(faults), plan=plan, notes=tuple(_notes(store)))


def sources(store: Path, only: Backup | None) -> Iterator[Backup | None]:
    """What may add to a damaged log: nothing, and the backups that are no part of a later one."""
    yield None
    if only is not None:
        yield only
        return
    taken: set[str] = set()
    for backup in sorted(all_of(store)[0], key=lambda backup: backup.manifest.head, reverse=True):
        names = {str(path) for path, _ in backup.segments}
        if not names <= taken:
            yield backup
            taken |= names


def planned(store: Path, only: Backup | None, seen: int) -> Plan:
    """The best that can be made of the log, and of one backup."""
    backup_saw = highest_seen(store)
    given_away = max(_read(store / LOG, lambda connection: iter([highest(connection)])), default=0)
    known = max(seen, backup_saw.position if backup_saw else 0, given_away)
    best: tuple[Mending, Backup | None] | None = None
    for backup in sources(store, only):
        mending = mending_of(store, backup, known)
        for _ in mending.rows():
            pass
        if best is None or _worth(mending) > _worth(best[0]):
            best = mending, backup
    assert best is not None
    mended, backup = best
    head = mended.tail.position
    after = [row[0] for row in rest(store / LOG, head, known)]
    last = max([known, head, *after])
    return Plan(
        events=mended.events,
        head=head,
        backup="" if backup is None else str(backup.path),
        taken=tuple(mended.taken),
        emptied=tuple(row.position for row in mended.emptied),
        damaged=tuple(f"position {row.position:,}: {row.tag} in {row.stream}, {row.id}" for row in mended.emptied),
        memories=tuple(dict.fromkeys(row.memory for row in mended.emptied if row.memory)),
        lost=last - head,
        readable=len(after),
        highest=last,
    )


def _worth(mending: Mending) -> tuple[int, int]:
    return mending.events, -len(mending.emptied)


def mending_of(store: Path, backup: Backup | None, known: int) -> Mending:
    spare: Iterator[Row] = iter(()) if backup is None else as_far_as_whole(rows_of(backup))
    return Mending(live(store / LOG, known), spare)


def live(log: Path, known: int) -> Iterator[Row]:
    """What can be read of a log, whatever became of it."""
    return _read(log, lambda connection: readable(connection, known + BEYOND))


def _read(log: Path, work: Callable[[Connection], Iterator[T]]) -> Iterator[T]:
    if not log.is_file():
        return
    try:
        with foreign(log) as connection:
            if not schema_fault(connection):
                yield from work(connection)
                return
    except AftermindError:
        pass  # it says that it is no database: then its first page may be all that is lost
    try:
        with with_first_page(log, f"{SCHEMA}PRAGMA user_version={FORMAT}") as connection:
            yield from work(connection)
    except AftermindError:  # nothing can be read of it
        return


def rest(log: Path, head: int, known: int) -> Iterator[Row]:
    """What can be read beyond a position."""
    return (row for row in live(log, known) if row[0] > head)


def _log_fault(store: Path, seen: int) -> str:
    log = store / LOG
    if not log.is_file() or not log.stat().st_size:
        began = (store / POINTER).exists() or highest_seen(store) is not None
        return "it is missing or empty, but views or backups were made from it" if began else ""
    try:
        with foreign(log) as connection:
            if "event" not in {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}:
                return "there is no log in it"
            found = verified(connection, log)
        if why := _length_fault(log):
            return f"its file {why}"
    except (FileDamaged, LogDamaged) as error:
        return error.why
    if found.head < seen:
        return f"it ends at position {found.head:,}, and views have seen {seen:,}: its end is missing"
    if (backup_saw := highest_seen(store)) is not None and found.head < backup_saw.position:
        where = f"the backups in {backup_saw.where} have seen {backup_saw.position:,}"
        return f"it ends at position {found.head:,}, and {where}: its end is missing"
    return ""


def _length_fault(log: Path) -> str:
    """What is wrong with the file's length, for longer than somebody who writes to it needs."""
    for _ in range(LOOKS - 1):
        if not shortened(log):
            return ""
        Event().wait(PAUSE)
    return shortened(log)


def _said(plan: Plan) -> str:
    """The plan as a sentence."""
    parts: list[str] = []
    if plan.taken:
        ranges = ", ".join(f"{first:,}" if first == last else f"{first:,}–{last:,}" for first, last in plan.taken[:4])
        is_one = len(plan.taken) == 1 and plan.taken[0][0] == plan.taken[0][1]
        which = f"position {ranges} is" if is_one else f"positions {ranges}{' …' if len(plan.taken) > 4 else ''} are"
        parts.append(f"{which} taken from {plan.backup}")
    if plan.emptied:
        stay = "event stays without its text" if len(plan.emptied) == 1 else "events stay without their texts"
        whose = "; ".join(plan.damaged[:NAMED]) + (" …" if len(plan.damaged) > NAMED else "")
        parts.append(f"{len(plan.emptied):,} {stay}, damaged and in no backup ({whose}){_where(plan)}")
    if plan.lost:
        lost = "1 position after it is lost" if plan.lost == 1 else f"{plan.lost:,} positions after it are lost"
        readable = f"{plan.readable:,} of these events can" if plan.readable else "none of these events can"
        kept = " and is kept in a file" if plan.readable == 1 else " and are kept in a file" if plan.readable else ""
        parts.append(f"it is cut after position {plan.head:,}, and {lost}: {readable} be read{kept}")
    return "; ".join(parts) or "it is written anew, with every event"


def _where(plan: Plan) -> str:
    """How a text that the log has lost may be read before it is mended."""
    if not plan.memories:
        return ""
    what = "this memory's text" if len(plan.memories) == 1 else "these memories' texts"
    return f"; the views may still have {what}: `aftermind show {plan.memories[0]}` prints it, and they are kept aside"


def _list_faults(store: Path) -> Iterator[Fault]:
    if missing := unlisted(store):
        events = "1 event of the log that was" if len(missing) == 1 else f"{len(missing):,} events of the log that were"
        found = f"{store / ERASED} does not name {events} erased"
        yield Fault(part="erased", found=found, mend="they are put on the list, so that no backup brings them back")


def unlisted(store: Path) -> list[EventId]:
    """What is empty in the log, was not emptied by an earlier repair, and is not on the list."""
    if not (store / LOG).is_file():
        return []
    known = erased.noted(store) | left_empty(store)
    with foreign(store / LOG) as connection:
        if "event" not in {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}:
            return []
        return [id for id in hollow(connection) if id not in known and _ID.fullmatch(id)]


def _views_fault(store: Path) -> str:
    path = current(store)
    if path is None:
        return f"{store / POINTER} names no file" if (store / POINTER).exists() else ""
    return _broken(path)


def _broken(path: Path) -> str:
    """Why a database that can grow back is not whole; empty where it is, or there is none."""
    if not path.exists():
        return ""
    try:
        with foreign(path) as connection:
            (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except AftermindError as error:
        return str(error)
    return "" if said == "ok" else f"{path} is not whole ({said})"


def _notes(store: Path) -> Iterator[str]:
    if registered(store) is not None:
        yield from (f"{one.found}; {one.mend}" for one in backups_found(store))
    for other in all_of(store)[1]:
        yield f"{other.path}: {other.why}"
    if (seen := highest_seen(store)) is not None and _seal_at(store / LOG, seen.position) not in ("", seen.seal):
        yield f"the log is another than the one the backups in {seen.where} were made of"
    if broken := list(store.glob("spool/broken/*.json")):
        many = len(broken)
        files = "1 spooled file nobody understood is" if many == 1 else f"{many:,} spooled files nobody understood are"
        yield f"{files} in {store / 'spool' / 'broken'}"


def _seal_at(log: Path, position: int) -> str:
    """The seal of an event, hex; empty where it cannot be read."""
    if not log.is_file():
        return ""
    try:
        with foreign(log) as connection:
            row = connection.execute("SELECT hex(seal) FROM event WHERE position = ?", (position,)).fetchone()
    except AftermindError:
        return ""
    return str(row[0]).lower() if row else ""
