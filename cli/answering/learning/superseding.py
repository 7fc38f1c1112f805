"""What becomes of typed memories when another is stated: one that gives the same thing another value takes their place,
in the same append. Decided by `projections/reading/statements/current.py`, by the process that holds the store, whoever
says it: a person, an import, an assistant.

Each event follows from the one that states the memory, and is derived from it, so that twice is once; undoing the
statement brings back what it replaced. What somebody locked or put away in the meantime is left as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from aftermind.cli.answering.learning.lessons import A_NEWER_VALUE, CONTRADICTS, SAID_BEFORE
from aftermind.engine import memory as life
from aftermind.engine.errors import NotFound, Refused
from aftermind.engine.events import Known, MemoriesLinked, MemoryRecorded, MemorySuperseded
from aftermind.engine.log import Draft
from aftermind.engine.logs.transact import Histories
from aftermind.engine.names import MemoryId, Scope, StreamName, memory_stream
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import Stamp, derive_id
from aftermind.projections.reading.statements.current import TYPED, Said, settled
from aftermind.projections.reading.statements.keys import asks_for, found_by
from aftermind.projections.recalling.lookups.stated import beside

LAST = 2**62
"""A place in the log behind all there are: of what is about to be said."""


class Stated(Struct, frozen=True, kw_only=True):
    """A memory that is about to begin, and when it was said."""

    born: Draft
    event: MemoryRecorded
    at: datetime | None = None
    """When it was said, where that is known of more than one of an append alike."""
    locked: bool = False

    @property
    def said(self) -> Said:
        event, at = self.event, self.at or self.born.at
        return Said(
            memory=event.memory, text=event.text, at=at, position=LAST, speaker=event.speaker, locked=self.locked
        )


class Beside(Struct, frozen=True, kw_only=True):
    """What is known beside what is about to be said, by its scope."""

    known: Mapping[Scope, Sequence[Said]] = {}

    def without(self, memory: MemoryId | None) -> Beside:
        """Without one of them, of which somebody says himself what becomes of it."""
        known = {scope: [one for one in some if one.memory != memory] for scope, some in self.known.items()}
        return Beside(known=known) if memory is not None else self

    @property
    def streams(self) -> tuple[StreamName, ...]:
        return tuple(memory_stream(one.memory) for some in self.known.values() for one in some)


def is_typed(event: MemoryRecorded) -> bool:
    return event.kind in TYPED and event.book is None


class Live:
    """The live statements of one scope, by the keys they are found by."""

    def __init__(self, known: Sequence[Said] = ()) -> None:
        self._by_key: dict[int, dict[MemoryId, Said]] = {}
        self.gone: set[MemoryId] = set()
        for one in known:
            self.add(one)

    def add(self, one: Said) -> None:
        for key in found_by(one.text, one.speaker):
            self._by_key.setdefault(key, {})[one.memory] = one

    def beside(self, said: Said) -> list[Said]:
        """Those that it may give another value."""
        found: dict[MemoryId, Said] = {}
        for key in asks_for(said.text, said.speaker):
            found.update(self._by_key.get(key, {}))
        return [one for one in found.values() if one.memory not in self.gone]


def known_beside(connection: Connection, events: Sequence[MemoryRecorded], now: datetime) -> Beside:
    """What the typed ones of them may give another value."""
    texts: dict[Scope, list[tuple[str, str]]] = {}
    for event in events:
        if is_typed(event):
            texts.setdefault(event.scope, []).append((event.text, event.speaker))
    known = {scope: beside(connection, scope, said, now) for scope, said in texts.items()}
    return Beside(known={scope: some for scope, some in known.items() if some})


def follows(
    stated: Sequence[Stated], around: Beside, histories: Histories, stamp: Stamp
) -> dict[StreamName, list[Draft]]:
    """What follows from stating them, oldest first: those of one append are compared with each other, too."""
    found: dict[StreamName, list[Draft]] = {}
    live = {scope: Live(some) for scope, some in around.known.items()}
    for one in sorted(stated, key=lambda one: one.at or one.born.at):
        if not is_typed(one.event):
            continue
        said, there = one.said, live.setdefault(one.event.scope, Live())
        decision = settled(said, there.beside(said))
        there.add(said)

        def add(memory: MemoryId, event: Known, purpose: str, born: Draft = one.born) -> None:
            draft = stamp.draft(event, id=derive_id(born.id, purpose), because=born.id)
            found.setdefault(memory_stream(memory), []).append(draft)

        for old, words in decision.replaced:
            for event in superseded(old, said.memory, words, histories):
                add(old, event, f"supersedes {old} {said.memory}")
                there.gone.add(old)
        for other, words in decision.contradicted:
            link = MemoriesLinked(memory=said.memory, other=other, relation=CONTRADICTS, evidence=words)
            add(said.memory, link, f"contradicts {other}")
        if decision.by is not None:
            by, words = decision.by
            before = MemorySuperseded(memory=said.memory, by=by, reason=SAID_BEFORE, evidence=words)
            add(said.memory, before, f"superseded {said.memory}")
            there.gone.add(said.memory)
    return found


def superseded(old: MemoryId, by: MemoryId, words: str, histories: Histories) -> Sequence[Known]:
    """Of what began in the same append there is no history: it is live."""
    history = histories.get(memory_stream(old), ())
    if not history:
        return (MemorySuperseded(memory=old, by=by, reason=A_NEWER_VALUE, evidence=words),)
    try:
        return life.supersede(life.fold(old, history), by, A_NEWER_VALUE, words)
    except (NotFound, Refused):
        return ()
