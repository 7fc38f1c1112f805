"""Which memories have vectors, and of what texts: what the shelf says of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from aftermind.engine.event_forms.particulars import MemoryDetailed
from aftermind.engine.events import (
    BookIngested,
    BookRemoved,
    ExchangeRevised,
    MemoryCorrected,
    MemoryForgotten,
    MemoryRecorded,
)
from aftermind.engine.log import Recorded
from aftermind.engine.names import GLOBAL, MemoryId, Position, Scope
from aftermind.engine.sqlite import Connection, as_json
from aftermind.projections.meaning.passages import ANSWERED, Passage, passages

_FORMS = (MemoryRecorded, MemoryCorrected, ExchangeRevised, MemoryDetailed, MemoryForgotten)
_THERE = "ifnull(standing, 'in') <> 'out'"
"""What its book does not hold any more nothing finds, so it may not stand before what is."""
_THESE = f"""SELECT memory, position, scope,
  iif({_THERE}, text, ''), iif({_THERE}, answer, ''), iif({_THERE}, speaker, '')
  FROM json_each(?) JOIN shelf ON memory = value"""
_NEXT = f"""SELECT memory, position, scope, text, answer, speaker FROM shelf
  WHERE position > ? AND position <= ? AND {_THERE} AND own_status <> 'corrected' ORDER BY position LIMIT ?"""
"""A past wording has no vector."""
_BLANK = "".join(filter(str.isspace, map(chr, range(0x3001))))
_STAND = f"""SELECT memory, position, scope FROM shelf
  WHERE position > ? AND position <= ? AND {_THERE} AND own_status <> 'corrected'
  AND (speaker <> '' OR ltrim(text || answer, ?) <> '') ORDER BY position LIMIT ?"""
_LEFT = "SELECT memory FROM shelf WHERE book = ? AND standing = 'out'"
Stands: TypeAlias = tuple[str, int, str]
"""A memory, its position and its scope."""


class Shelved(Struct, frozen=True, kw_only=True):
    """A memory as its vectors see it. Without passages it has none."""

    memory: MemoryId
    position: int
    scope: Scope = GLOBAL
    passages: tuple[Passage, ...] = ()

    @property
    def answered(self) -> int:
        """How many of the passages, the last ones, are its answer's."""
        if not self.passages or self.passages[-1].part < ANSWERED:  # and so none of those before it
            return 0
        return sum(one.part >= ANSWERED for one in self.passages)


def touched_by(connection: Connection, events: Sequence[Recorded]) -> tuple[list[Shelved], list[MemoryId]]:
    """The memories whose texts may be others after those events, those of books they left included; and which of them
    are not on the shelf any more."""
    told = [recorded.draft.event for recorded in events]
    books = dict.fromkeys(event.book for event in told if isinstance(event, BookIngested | BookRemoved))
    left = [MemoryId(row[0]) for book in books for row in connection.execute(_LEFT, (book,))]
    touched = dict.fromkeys([*(event.memory for event in told if isinstance(event, _FORMS)), *left])
    found = these(connection, list(touched))
    there = {one.memory for one in found}
    return found, [memory for memory in touched if memory not in there]


def these(connection: Connection, memories: Sequence[str]) -> list[Shelved]:
    """Those of the memories that are on the shelf, as it has them."""
    return [_shelved(*row) for row in connection.execute(_THESE, (as_json(memories),))]


def standing(connection: Connection, after: Position, until: Position, limit: int) -> list[Shelved]:
    """The next memories with texts that began in that stretch of the log, in their order."""
    return [_shelved(*row) for row in connection.execute(_NEXT, (after, until, limit))]


def stand(connection: Connection, after: Position, until: Position, limit: int) -> list[Stands]:
    """The same without their texts."""
    return connection.execute(_STAND, (after, until, _BLANK, limit)).fetchall()


def _shelved(memory: str, position: int, scope: str, text: str, answer: str, speaker: str) -> Shelved:
    said = passages(text, answer, speaker)
    return Shelved(memory=MemoryId(memory), position=position, scope=Scope(scope), passages=said)
