"""What a memory had taken the place of by itself, when it is forgotten: it is true again, or what took the place of
the forgotten one takes its place, too. Nothing stays replaced by a memory that is no more, or (`in_time.py`) is not so
yet. What a person put in another's place, and what was in the archive, is left as it is. Pure but for the look at the
shelf.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from aftermind.cli.answering.learning.lessons import A_NEWER_VALUE, BY_ITSELF
from aftermind.engine import memory as life
from aftermind.engine.errors import NotFound
from aftermind.engine.events import Known, MemoryCorrected, MemoryRecorded, MemorySuperseded
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.logs.transact import Histories
from aftermind.engine.names import EventId, MemoryId, StreamName, memory_stream
from aftermind.engine.policy import Lifecycle
from aftermind.engine.sqlite import Connection, as_json
from aftermind.engine.stamp import Stamp, derive_id
from aftermind.projections.reading.statements.current import Said, another_value

Heirs = Mapping[MemoryId, MemoryId | None]
"""Memories whose successor goes, and what takes its place; None where nothing does."""


def heirs(connection: Connection, gone: Collection[MemoryId]) -> Heirs:
    """Of the memories that are about to go, what each had taken the place of and stays."""
    sql = """SELECT memory, successor FROM shelf WHERE own_status = 'superseded'
      AND successor IN (SELECT value FROM json_each(?)) ORDER BY position"""
    ids = as_json(gone)
    found: dict[MemoryId, MemoryId | None] = {}
    for memory, successor in connection.execute(sql, (ids,)).fetchall():
        heir, is_current = _heir(connection, successor, gone)
        if memory not in gone and (heir is not None or is_current):
            found[memory] = heir
    return found


def _heir(connection: Connection, memory: MemoryId, gone: Collection[MemoryId]) -> tuple[MemoryId | None, bool]:
    """What took the place of a memory and stays; without that, whether what goes was what is true now."""
    passed: set[MemoryId] = set()
    while memory in gone and memory not in passed:
        passed.add(memory)
        sql = "SELECT own_status, successor FROM shelf WHERE memory = ?"
        status, successor = connection.execute(sql, (memory,)).fetchone() or ("", None)
        if status != "superseded" or successor is None:
            return None, status == "live"
        memory = successor
    return (None, False) if memory in gone else (memory, False)


def freed(
    found: Heirs, gone: Collection[MemoryId], histories: Histories, stamp: Stamp, rules: Lifecycle, because: EventId
) -> Iterator[tuple[StreamName, list[Draft]]]:
    """What becomes of each of them, because of the event that forgets. Of several values of one thing the newest is
    true again, and takes the place of the others."""
    current: list[tuple[Said, str]] = []
    for old in sorted(found, key=lambda one: _when(histories[memory_stream(one)]), reverse=True):
        heir, history = found[old], histories[memory_stream(old)]
        replacing = [one.draft.event for one in history if isinstance(one.draft.event, MemorySuperseded)]
        last = replacing[-1] if replacing else None
        try:
            memory = life.fold(old, history)
        except NotFound:
            continue
        if last is None or memory.status != "superseded" or last.by not in gone or last.reason not in BY_ITSELF:
            continue
        events: tuple[Known, ...]
        if heir is not None:
            events = (MemorySuperseded(memory=old, by=heir, reason=last.reason),)
        elif (newer := _newer(memory, _when(history), last.evidence, current)) is not None:
            events = (MemorySuperseded(memory=old, by=newer, reason=A_NEWER_VALUE, evidence=last.evidence),)
        else:
            events = life.restore(memory, stamp.now(), rules)
            at, position = _when(history)
            current.append((Said(memory=old, text=memory.text, at=at, position=position), last.evidence))
        yield (
            memory_stream(old),
            [stamp.draft(event, id=derive_id(because, f"frees {old}"), because=because) for event in events],
        )


def _newer(
    memory: life.Memory, when: tuple[datetime, int], about: str, current: Sequence[tuple[Said, str]]
) -> MemoryId | None:
    """What is true again and says another value of the same thing: as it reads, or as both were replaced for the same
    words."""
    own = Said(memory=memory.id, text=memory.text, at=when[0], position=when[1])
    for one, words in current:
        if (about and words == about) or another_value(one, own) is not None:
            return one.memory
    return None


def _when(history: Sequence[Recorded]) -> tuple[datetime, int]:
    """When what a memory says now was said; of one that is not there, long ago."""
    said = [one for one in history if isinstance(one.draft.event, MemoryRecorded | MemoryCorrected)]
    return (said[-1].draft.at, said[-1].position) if said else (datetime.min.replace(tzinfo=UTC), 0)
