"""What verdicts made of a memory that was shown: their words, the summary of the exchange, what it taught.

The judge reads what was shown beside the exchange, and what is known of the same things in its project and globally.
Where its words say a word of the memory that the exchange does not say itself, it has it from there, and that goes when
the memory is forgotten. A lesson is a memory of its own: it goes only where a judge may have read the memory before it
learned the lesson, and for a word that nothing else on the shelf says but such lessons. What any judge says of anything
("the user prefers …") is no such word.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from aftermind.cli.answering.forgetting.heard import Heard, exchange_of, texts
from aftermind.cli.answering.opened import Opened
from aftermind.engine.events import ExchangeJudged, ExchangeRecorded, MemorySummarized
from aftermind.engine.names import GLOBAL, EventId, MemoryId, memory_stream
from aftermind.engine.sqlite import Connection, as_json
from aftermind.projections.reading.terms import Term, stem, words_of

_LEARNED_BESIDE = """exchange IS NOT NULL AND kind <> 'exchange' AND memory <> :memory AND position > :since
  AND (:scope IN (:global, scope, (SELECT e.scope FROM exchange e WHERE e.id = shelf.exchange))
    OR exchange IN (SELECT value FROM json_each(:exchanges)))"""
"""Of a lesson, in whatever wording: whoever learned it may have had the memory before him."""
_ANY_JUDGES = frozenset(
    stem(word)
    for word in """user prefer like want wish need use project assistant always never should must say ask answer
    """.split()
)
"""What judges say of anything."""


async def retold(store: Opened, memory: MemoryId) -> Heard:
    """The lessons and the events that have words of a memory."""
    exchanges = await store.read(lambda c: _shown_in(c, memory))
    said = set(words_of("\n".join([texts(one) for one in await store.log.stream(memory_stream(memory))])))
    telling = {term.text for term in said if stem(term.text) not in _ANY_JUDGES}
    memories, by_rare_words = await store.read(lambda c: _of_rare_words(c, memory, telling, exchanges))
    events = dict.fromkeys(by_rare_words)
    for exchange in exchanges:
        told = await store.log.find(exchange)
        if told is None or not isinstance(told.draft.event, ExchangeRecorded) or told.draft.event.memory == memory:
            continue
        history = await store.log.stream(told.stream)
        verdicts = {
            one.draft.id: one.draft.event
            for one in history
            if isinstance(one.draft.event, ExchangeJudged) and one.draft.event.exchange == exchange
        }
        read = {verdict.follow_up for verdict in verdicts.values()}
        own = [one for one in history if exchange_of(one) == exchange and one.draft.id not in verdicts]
        own += [one for one in history if one.draft.id in read or exchange_of(one) in read]
        only = said - set(words_of("\n".join(map(texts, own))))
        events |= {id: None for id, verdict in verdicts.items() if _says(verdict.evidence, only)}
        for one in await store.log.stream(memory_stream(told.draft.event.memory)):
            event = one.draft.event
            if isinstance(event, MemorySummarized) and _says(event.summary, only):
                events[one.draft.id] = None
    return Heard(memories, tuple(events))


def _says(text: str, words: Collection[Term]) -> bool:
    return bool(text) and not set(words).isdisjoint(words_of(text))


def _shown_in(connection: Connection, memory: MemoryId) -> list[EventId]:
    sql = """SELECT DISTINCT i.exchange FROM shown s JOIN injection i ON i.id = s.injection
      WHERE s.memory = ? AND i.exchange IS NOT NULL ORDER BY i.position"""
    return [EventId(id) for (id,) in connection.execute(sql, (memory,))]


def _of_rare_words(
    connection: Connection, memory: MemoryId, said: Collection[str], exchanges: Collection[EventId]
) -> tuple[tuple[MemoryId, ...], list[EventId]]:
    """The lessons, and the events with a summary, that a judge may have had it before it for (`exchanges`: those it was
    shown in), and that say a word of it which nothing else on the shelf says."""
    row = connection.execute("SELECT scope, position FROM shelf WHERE memory = ?", (memory,)).fetchone()
    scope, since = row if row is not None else (GLOBAL, 0)
    asked = {"memory": memory, "scope": scope, "since": since, "exchanges": as_json(exchanges), "global": GLOBAL}
    sql = f"""SELECT memory, text, '', NULL FROM shelf WHERE {_LEARNED_BESIDE} AND status <> 'corrected'
      UNION ALL SELECT memory, '', summary, summarized FROM shelf WHERE summarized IS NOT NULL AND memory <> :memory
        AND :scope IN (:global, scope)"""
    rare: dict[str, bool] = {}
    memories: list[MemoryId] = []
    events: list[EventId] = []
    for other, text, summary, event in connection.execute(sql, asked).fetchall():
        if _has_rare(connection, asked, said, text, rare):
            memories.append(MemoryId(other))
        elif event is not None and _has_rare(connection, asked, said, summary, rare):
            events.append(EventId(event))
    return tuple(memories), events


def _has_rare(
    connection: Connection, asked: Mapping[str, object], said: Collection[str], text: str, rare: dict[str, bool]
) -> bool:
    if not text:
        return False
    sql = f"""SELECT 1 FROM shelf WHERE :memory NOT IN (memory, ifnull(successor, '')) AND NOT ({_LEARNED_BESIDE})
      AND instr(lower(text || ' ' || answer), :word) LIMIT 1"""
    for word in {term.text for term in words_of(text)}.intersection(said):
        if word not in rare:
            rare[word] = connection.execute(sql, {**asked, "word": word}).fetchone() is None
        if rare[word]:
            return True
    return False
