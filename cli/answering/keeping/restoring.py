"""What says otherwise than a memory that is brought back: both hold then, and each is shown with what it contradicts,
until somebody says which of them is so. Those that say the same (`same_saying.py`) do not contradict each other."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from datetime import datetime

from aftermind.cli.answering.learning.lessons import CONTRADICTS
from aftermind.cli.answering.learning.superseding import Live
from aftermind.engine import memory as life
from aftermind.engine.events import Known, MemoriesLinked
from aftermind.engine.memories.keeping import STATED_KINDS
from aftermind.engine.names import MemoryId, Scope
from aftermind.engine.policy import Lifecycle
from aftermind.engine.sqlite import Connection
from aftermind.projections.reading.statements.current import TYPED, Said, settled
from aftermind.projections.reading.statements.same_saying import grouped, keys
from aftermind.projections.recalling.candidate import Candidate
from aftermind.projections.recalling.lookups.stated import beside
from aftermind.projections.recalling.recall import by_id

MOST = 8
"""Of what a memory contradicts, the last so many: more would say nothing else."""
RESTORED = "restored beside what had taken its place"
_LINKED = """SELECT other FROM link WHERE memory = :one AND relation = :relation
  UNION SELECT memory FROM link WHERE other = :one AND relation = :relation"""


def opposed(connection: Connection, ids: Sequence[MemoryId], now: datetime) -> dict[MemoryId, Mapping[MemoryId, str]]:
    """Of each memory that is to be brought back what holds, or comes back before it, and gives the same thing another
    value or had taken its place; with the words for what both are about. What is linked already, or says the same, is
    left out."""
    found: dict[MemoryId, dict[MemoryId, str]] = {}
    words_of: dict[MemoryId, list[Hashable]] = {}
    live: dict[Scope, Live] = {}
    for id in ids:
        one = by_id(connection, id)
        if one is None or one.status == "live":
            continue
        others: dict[MemoryId, str] = {}
        if one.kind in TYPED and one.book is None:
            near = live.setdefault(one.scope, Live())
            for other in beside(connection, one.scope, [(one.text, one.speaker)], now):
                near.add(other)
            said = Said(memory=id, text=one.text, at=one.at, position=one.position, speaker=one.speaker)
            decision = settled(said, near.beside(said))
            near.add(said)
            others |= dict([*decision.replaced, *decision.contradicted, *((decision.by,) if decision.by else ())])
        if (instead := _instead(connection, one)) is not None:
            others.setdefault(instead, RESTORED)
        known = {row[0] for row in connection.execute(_LINKED, {"one": id, "relation": CONTRADICTS})}
        found[id] = {other: words for other, words in others.items() if other not in known}
        words_of[id] = _words(one)
        words_of |= {other: _words(by_id(connection, other)) for other in found[id] if other not in words_of}
    same = grouped(words_of)
    return {
        id: dict([(other, words) for other, words in others.items() if other not in same[id]][-MOST:])
        for id, others in found.items()
    }


def _words(one: Candidate | None) -> list[Hashable]:
    """What a statement has in common with one that says the same."""
    if one is None or one.kind not in STATED_KINDS or one.book is not None:
        return []
    return list(keys(one.text, one.speaker, typed=one.kind in TYPED))


def restored(
    memory: life.Memory, now: datetime, rules: Lifecycle, opposed: Mapping[MemoryId, str]
) -> tuple[Known, ...]:
    """That it is back, and what it contradicts. `Refused` for what is locked."""
    if memory.status != "live":
        life.must_be_open(memory)
    if not (events := life.restore(memory, now, rules)):
        return ()
    return (*events, *contradicting(memory.id, opposed))


def contradicting(memory: MemoryId, opposed: Mapping[MemoryId, str]) -> tuple[MemoriesLinked, ...]:
    return tuple(
        MemoriesLinked(memory=memory, other=other, relation=CONTRADICTS, evidence=words)
        for other, words in opposed.items()
    )


def _instead(connection: Connection, one: Candidate | None) -> MemoryId | None:
    """What holds now in place of a superseded memory, however often that was replaced in turn; None where nothing."""
    seen = set[MemoryId]()
    while one is not None and one.status == "superseded" and one.successor is not None and one.memory not in seen:
        seen.add(one.memory)
        one = by_id(connection, one.successor)
    return one.memory if one is not None and one.status == "live" and seen else None
