"""What verdicts made of what was said next: when that is forgotten, it goes with it.

A verdict reads an exchange and what followed. Its summary and its lessons stand in the histories of other memories
than those of what followed, and may say the same words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial

import msgspec
from msgspec import Struct

from aftermind.cli.answering.opened import Opened
from aftermind.engine.events import (
    Erased,
    ExchangeJudged,
    ExchangeRecorded,
    ExchangeRevised,
    MemoriesLinked,
    MemoryRecorded,
    MemorySummarized,
    Unknown,
)
from aftermind.engine.log import Recorded
from aftermind.engine.names import EventId, MemoryId, memory_stream
from aftermind.engine.sqlite import Connection, as_json
from aftermind.projections.reading.terms import Term, composed, words_of


class Heard(Struct, frozen=True):
    """The memories that were learned of it, and the events of others that say it."""

    memories: tuple[MemoryId, ...] = ()
    events: tuple[EventId, ...] = ()


async def heard(store: Opened, history: Sequence[Recorded], said: Collection[EventId]) -> Heard:
    """What the verdicts of a session made of the prompts among the events that were `said`."""
    memories: dict[MemoryId, None] = {}
    events: dict[EventId, None] = {}
    verdicts: dict[EventId, list[Recorded]] = {}
    for one in history:
        if isinstance(one.draft.event, ExchangeJudged) and one.draft.event.follow_up in said:
            verdicts.setdefault(one.draft.event.exchange, []).append(one)
    for exchange, found in verdicts.items():
        told = next((one.draft.event for one in history if one.draft.id == exchange), None)
        if not isinstance(told, ExchangeRecorded):
            continue
        own = "\n".join(texts(one) for one in history if exchange_of(one) == exchange)
        later = {one.draft.event.follow_up for one in found if isinstance(one.draft.event, ExchangeJudged)}
        after = "\n".join(texts(one) for one in history if one.draft.id in later)
        follow_up = _FollowUp({one.draft.id for one in found}, after, own)
        learned = await store.read(partial(texts_learned_of, exchange=exchange))
        for memory in learned:
            birth = (await store.log.stream(memory_stream(memory)))[0]
            if follow_up.is_in(birth):
                memories[memory] = None
        links = await store.read(partial(_links, memories=(told.memory, *learned)))
        linked = [link for id in links if (link := await store.log.find(id)) is not None]
        events |= dict.fromkeys(link.draft.id for link in linked if follow_up.is_in(link))
        own_history = await store.log.stream(memory_stream(told.memory))
        shorter = [one for one in own_history if isinstance(one.draft.event, MemorySummarized)]
        made = {_wording(one) for one in shorter if one.draft.because in follow_up.verdicts} - {""}
        events |= dict.fromkeys(one.draft.id for one in shorter if _wording(one) in made)
    return Heard(tuple(memories), tuple(events))


def _wording(recorded: Recorded) -> str:
    event = recorded.draft.event
    return event.summary if isinstance(event, MemorySummarized) else ""


class _FollowUp:
    """What was said next, beside the exchange it follows."""

    def __init__(self, verdicts: Collection[EventId], after: str, own: str) -> None:
        self.verdicts = verdicts
        self._after, self._own = folded(after), folded(own)
        self._words: set[Term] = set(words_of(after)) - set(words_of(own))

    def is_in(self, learned: Recorded) -> bool:
        """Whether something that was learned says what only the follow-up says: by its evidence, by a word, or because
        a verdict that read the follow-up says so without words of the exchange."""
        event = learned.draft.event
        if not isinstance(event, MemoryRecorded | MemoriesLinked):
            return False
        evidence = folded(event.evidence)
        by_exchange = bool(evidence) and evidence in self._own
        if learned.draft.because not in self.verdicts:
            return bool(evidence) and evidence in self._after and not by_exchange
        said = f"{event.text} {' '.join(event.tags)}" if isinstance(event, MemoryRecorded) else ""
        return not by_exchange or not self._words.isdisjoint(words_of(f"{said} {event.evidence}"))


def texts_learned_of(connection: Connection, exchange: EventId) -> dict[MemoryId, str]:
    """The memories that were learned of an exchange, and are on the shelf, with their texts."""
    sql = """SELECT memory, text FROM shelf WHERE exchange = ? AND kind <> 'exchange' AND status <> 'corrected'
      ORDER BY position"""
    return {MemoryId(memory): text for memory, text in connection.execute(sql, (exchange,))}


def _links(connection: Connection, memories: Sequence[MemoryId]) -> list[EventId]:
    sql = """SELECT event FROM link WHERE memory IN (SELECT value FROM json_each(:ids))
      OR other IN (SELECT value FROM json_each(:ids)) ORDER BY event"""
    rows = connection.execute(sql, {"ids": as_json(memories)})
    return [EventId(row[0]) for row in rows]


# --- texts ----------------------------------------------------------------------------------------------------


def texts(recorded: Recorded) -> str:
    """Every text of an event."""
    event = recorded.draft.event
    return "" if isinstance(event, Erased | Unknown) else "\n".join(_strings(msgspec.to_builtins(event)))


def folded(text: str) -> str:
    """As it is compared: in whatever case and spacing, its accents one with their letters or not, without what ends a
    sentence."""
    return " ".join(composed(text).casefold().split()).strip(" .!。！")


def exchange_of(recorded: Recorded) -> EventId | None:
    """Which exchange an event tells."""
    event = recorded.draft.event
    match event:
        case ExchangeRecorded():
            return recorded.draft.id
        case ExchangeRevised():
            return event.exchange
        case _:
            return None


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            yield from _all_strings(value.values())
        case tuple() | list():
            yield from _all_strings(value)
        case _:
            return


def _all_strings(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        yield from _strings(value)
