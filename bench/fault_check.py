"""What must be true of a store after whatever was done to its processes: nothing acknowledged is lost, nothing is there
twice or altered, the chain holds, views equal their rebuild, the spool is empty."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import msgspec
from msgspec import Struct
from tests.daemons import processes

from aftermind.cli.language.requests import Deliver, EndSession, Record, Remember, Report, Stop
from aftermind.cli.language.wire import Call, NotUnderstood, Silent, Unreachable, call_of
from aftermind.cli.reaching import joining, starting
from aftermind.engine.errors import AftermindError
from aftermind.engine.events import Erased
from aftermind.engine.logs.sqlite_log import SqliteLog, sqlite_log
from aftermind.engine.names import EventId, Position
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import Stamp
from aftermind.engine.store import spool
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.generations import views
from aftermind.projections.catalog import ALL
from bench.fault_notes import TOKEN, Acked, Asked, Note, Refused, mark_of, marks_of

Rows = dict[str, list[tuple[Any, ...]]]


class Found(Struct, kw_only=True):
    """What came of a campaign. Every list should be empty."""

    acknowledged: dict[str, int] = {}
    """By the way it was acknowledged."""
    unanswered: int = 0
    """Begun, and whoever asked does not know what became of it."""
    of_those_done: int = 0
    events: int = 0
    lost: list[str] = []
    doubled: list[str] = []
    garbled: list[str] = []
    refused: dict[str, int] = {}
    """Errors that are none of a lost connection, as every request here is one that can be done."""
    wrong: list[str] = []
    """A broken chain, differing views, files in the spool, processes left."""

    @property
    def failed(self) -> bool:
        return bool(self.lost or self.doubled or self.garbled or self.refused or self.wrong)


def compared(notes: Iterable[Note], marks: Counter[str], found: Found) -> None:
    """What was noted against what the log holds."""
    asked: dict[str, Asked] = {}
    acked: dict[str, Acked] = {}
    refused: Counter[str] = Counter()
    for note in notes:
        match note:
            case Asked():
                asked[note.token] = note
            case Acked():
                acked[note.token] = note
            case Refused():
                refused[f"{note.error} of {note.token[-1:] or 'a read'}: {note.what}"] += 1
    expected = {mark: note for note in asked.values() for mark in marks_of(note.token, note.old)}
    found.acknowledged = dict(sorted(Counter(ack.way for ack in acked.values()).items()))
    for token, ack in acked.items():
        note = asked[token]
        missing = sorted(mark for mark in marks_of(token, note.old) if not marks[mark])
        if missing and not _was_forgotten(note, marks):
            found.lost.append(f"{', '.join(missing)} (acknowledged by the {ack.way} at {ack.at:.3f}, key {note.key})")
    open = [note for note in asked.values() if note.token not in acked]
    found.unanswered = len(open)
    found.of_those_done = sum(all(marks[mark] for mark in marks_of(note.token, note.old)) for note in open)
    found.doubled = sorted(f"{mark}: {count} times" for mark, count in marks.items() if count > 1 and mark in expected)
    found.garbled = sorted(mark for mark in marks if mark.startswith("garbled") or _unasked(mark, expected))
    found.refused = dict(refused.most_common())


def _was_forgotten(note: Asked, marks: Counter[str]) -> bool:
    """Whether an event it led to was emptied: somebody forgot what it says, and only its id is left."""
    stamp = Stamp().keyed(EventId(note.key))
    return bool(note.key) and any(marks[f"erased {stamp.new_id()}"] for _ in range(3))


def _unasked(mark: str, expected: dict[str, Asked]) -> bool:
    return TOKEN.fullmatch(mark.split(" ")[-1]) is not None and mark not in expected


async def marks_in(log: SqliteLog) -> Counter[str]:
    marks: Counter[str] = Counter()
    position = Position(0)
    while events := await log.after(position, limit=2000):
        position = events[-1].position
        marks.update(mark for event in events if (mark := mark_of(event.draft.event)))
        marks.update(f"erased {event.draft.id}" for event in events if isinstance(event.draft.event, Erased))
    return marks


def spooled_marks(store: Path) -> set[str]:
    """What the spool's files will become. What cannot be read becomes nothing."""
    found: set[str] = set()
    for file in spool.spooled(store).waiting:
        payload = spool.read(file)
        if payload is not None:
            with suppress(NotUnderstood):
                found |= _becomes(call_of(payload))
    return found


def _becomes(call: Call) -> set[str]:
    match call.request:
        case Deliver(event="end", payload=payload):
            return {f"ended {msgspec.json.decode(payload)['session']}"}
        case EndSession(session=session):
            return {f"ended {session}"}
        case Deliver(payload=payload):
            text, old = msgspec.json.decode(payload)["prompt"], ""
        case Remember(text=text):
            old = call.request.supersedes or ""
        case Record(prompt=text):
            old = ""
        case other:
            raise AssertionError(f"nobody spooled {other}")
    return marks_of(text.split(" ")[0], old)


async def checked_as_it_lies(store: Path, scratch: Path, notes: Callable[[], Iterable[Note]]) -> Found:
    """What is on the disk between two processes, told from a copy, so that looking mends nothing. What the spool holds
    is not lost. Writers go on meanwhile: what was acknowledged before must be there, what is there was begun by now."""
    before = list(notes())
    waiting = spooled_marks(store)
    found = Found()
    if (store / LOG).exists():
        scratch.mkdir(exist_ok=True)
        for old in scratch.iterdir():
            old.unlink()
        for name in (LOG, f"{LOG}-wal", f"{LOG}-journal"):
            if (store / name).exists():
                shutil.copyfile(store / name, scratch / name)
        try:
            async with sqlite_log(scratch / LOG, Stamp()) as log:
                marks = await marks_in(log)
                found.events = (await log.verify()).events
        except AftermindError as error:
            found.wrong.append(str(error))
            return found
    else:
        marks = Counter()
    begun = [note for note in notes() if isinstance(note, Asked)]
    compared([*begun, *before], marks + Counter(mark for mark in waiting if not marks[mark]), found)
    return found


async def drained_and_stopped(store: Path, found: Found, seconds: float = 300.0) -> None:
    """One more daemon, until it has nothing left to do. One that was started at the same moment may come after it."""
    try:
        with anyio.fail_after(seconds):
            connection = await starting.started(store, joining.FOUND)
            while connection is not None:
                joined = joining.Joined(store, connection)
                with suppress(Unreachable):  # then it was on its way out already
                    while (await joined.ask(Report())).spooled:
                        await anyio.sleep(0.05)
                    await joined.ask(Stop())
                await joined.close()
                connection = await _another(store)
    except (AftermindError, TimeoutError) as error:
        found.wrong.append(f"the last daemon: {error!r}")


async def _another(store: Path) -> joining.Connection | None:
    while processes(store):
        await anyio.sleep(0.05)
        try:
            return await joining.connected(store, joining.WELCOMED)
        except (Unreachable, Silent):
            continue
    return None


async def checked(store: Path, again: Path, notes: Iterable[Note], found: Found) -> None:
    """Everything, of a store nobody holds. `again` is an empty folder for views that are built anew."""
    try:
        async with sqlite_log(store / LOG, Stamp()) as log:
            compared(notes, await marks_in(log), found)
            found.events = (await log.verify()).events
            async with views(store, log, ALL) as live, views(again, log, ALL) as rebuilt:
                if live.mended:
                    found.wrong.append(f"the views had to be mended: {live.mended}")
                await live.reached(None)
                kept, anew = await live.read(rows), await rebuilt.read(rows)
                differing = [table for table in kept.keys() | anew.keys() if kept.get(table) != anew.get(table)]
                found.wrong += [f"the live view {table} is not the one rebuilt" for table in sorted(differing)]
    except AftermindError as error:
        found.wrong.append(f"{type(error).__name__}: {error}")
    spooled = spool.spooled(store)
    found.wrong += [f"{file.name} is still spooled" for file in spooled.waiting]
    found.wrong += [f"{file.name} was set aside as broken" for file in spooled.broken]


def rows(connection: Connection) -> Rows:
    """Every row of every table, in an order of its own; of full-text tables what was indexed, not how."""
    found: Rows = {}
    for name, kind in connection.execute("SELECT name, type FROM pragma_table_list WHERE schema = 'main'").fetchall():
        if kind != "shadow" and not name.startswith("sqlite_"):
            columns = "rowid, *" if kind == "virtual" else "*"
            found[name] = sorted(connection.execute(f'SELECT {columns} FROM "{name}"').fetchall(), key=repr)
    return found
