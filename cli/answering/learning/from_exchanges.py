"""What an exchange taught: facts, preferences, rules and decisions become memories of their own, each beside what is
known (`sidecar/distilling.py`).

Ids follow from the exchange and the words, so that the same verdict twice teaches once, and a verdict that takes the
place of another keeps what both say. What only the replaced one said goes to the archive, and what it had superseded
comes back; unless a person has touched it, or it was seen again or has worked elsewhere. What a memory of ours says,
said again by an assistant who was shown it, was not seen again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import structs

from aftermind.cli.answering.directives.directing import opposed_to
from aftermind.cli.answering.filing import own_scopes
from aftermind.cli.answering.fit import as_stored
from aftermind.cli.answering.forgetting.reach import learned_of
from aftermind.cli.answering.judging.cases import prompt_of
from aftermind.cli.answering.learning.lessons import CUES, SEEN_AGAIN, Consequences, Lesson, Taught, Thing
from aftermind.cli.answering.opened import Opened
from aftermind.engine.events import ExchangeRecorded, MemoryRecorded, MemorySummarized
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.logs.transact import Histories
from aftermind.engine.masking.private import is_private
from aftermind.engine.memories.exchange import memory_of
from aftermind.engine.moments import microseconds, microseconds_or_none, moment
from aftermind.engine.names import GLOBAL, EventId, Kind, MemoryId, Scope, StreamName, memory_stream
from aftermind.engine.sqlite import Connection, as_json
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import clean_text, masked
from aftermind.projections.reading.statements.clauses import beginnings, says_is_over
from aftermind.projections.reading.statements.current import Said, another_value
from aftermind.projections.reading.statements.ordered import another_order
from aftermind.projections.recalling.candidate import Candidate
from aftermind.projections.recalling.lookups.stated import beside
from aftermind.projections.recalling.recall import Query, by_id
from aftermind.projections.recalling.shown.wording import shortened
from aftermind.projections.recalling.standing.clashes import Clash
from aftermind.projections.recalling.standing.directives import in_force
from aftermind.sidecar.captures import messages
from aftermind.sidecar.cues.comparing.corrected import corrected, named_right, set_right, speaks_of_it
from aftermind.sidecar.distilling import LEARNED_KINDS, New, Newer, Same, Stated, decided, key_of
from aftermind.sidecar.ports import Findings, Learned, Signature

MOST, LONGEST, NEAR = 8, 400, 30
"""Things that are learned at once; characters of one; memories it is compared with."""
MOST_TAGS, LONGEST_TAG = 8, 40
EVERYWHERE: tuple[Kind, ...] = ("preference", "directive")
"""Kinds of what somebody may want in all projects."""
_BY_SIGNS = Signature(judge=CUES, revision=messages.REVISION)


async def learn(
    store: Opened,
    about: Recorded,
    findings: Findings,
    verdict: EventId,
    judge: Signature,
    follow_up: EventId | None = None,
) -> Lesson:
    """What an exchange taught, by the verdict that will be recorded as the event `verdict`. What was said in the
    follow-up was said then."""
    told = about.draft.event
    assert isinstance(told, ExchangeRecorded)
    after = await store.log.find(follow_up) if follow_up is not None else None
    theirs = prompt_of(after) or ""
    things = []
    for one in findings.learned[:MOST]:
        later = after is not None and bool(one.evidence.strip()) and one.evidence in theirs
        at = after.draft.at if after is not None and later else about.draft.at
        spoken = f"{told.prompt}\n{theirs}"
        id = derive_id(about.draft.id, f"learned {key_of(one.text)}")
        if (thing := await _thing(store, one, id, about.draft.id, told, at, judge, spoken)) is not None:
            things.append(thing)
    learned = await store.read(lambda c: learned_of(c, about.draft.id)) if judge.judge != CUES else ()
    summary = " ".join(as_stored(findings.summary).split())
    taught = Taught(
        exchange=about.draft.id,
        born=told.memory,
        because=verdict,
        things=_each_once(things),
        summary=MemorySummarized(memory=told.memory, summary=summary, model=judge.model, revision=judge.revision)
        if summary and not is_private(summary)
        else None,
        said_before=learned,
    )
    return await _lesson(store, taught)


async def captured(
    store: Opened, told: ExchangeRecorded, id: EventId, at: datetime, *, by: datetime | None = None
) -> Lesson:
    """What the user's own words of an exchange that is about to be recorded say to keep: where signs say so, and where
    they say something else than what is known. What is told later than it was said answers what was said `by` then."""
    if store.scoring == "assistant" or not told.prompt.strip():
        return Lesson()
    question, before = await store.read(lambda c: _said_before(c, told, by))
    prompt, now = as_stored(told.prompt), store.stamp.now()
    found: Sequence[Learned] = messages.captured(prompt, before)
    if corrected(before, prompt) or any(map(speaks_of_it, found)):
        about = Learned(text=f"{question} {prompt}", kind="configuration")
        near = await store.read(lambda c: _near(c, about, (told.scope,), now, store))
        known = [one.text for one in near if one.status == "live"]
        right = set_right(question, before, prompt, known)
        found = [named_right(one, question, before, known) for one in found]
        if right is not None:  # said whole, it is not kept in part
            found = (
                right,
                *(one for one in found if one.text not in right.evidence and right.evidence not in one.text),
            )
    plain = [more for one in messages.told(prompt, before) for more in _beside(one, found)]
    more = [one for one in found if one.kind in ("configuration", "fact") and beginnings(one.text)]
    looked = [*plain, *more]
    changed = await store.read(lambda c: _of_what_is_known(c, looked, told.scope, now)) if looked else ()
    found = [one for one in found if not any(_overlap(one, other) for other in changed)]
    things = []
    for number, one in enumerate((*found, *changed)[:MOST], 1):
        own = derive_id(id, f"captured {number}")
        if (thing := await _thing(store, one, own, id, told, at, _BY_SIGNS, told.prompt)) is not None:
            things.append(thing)
    taught = Taught(exchange=id, born=told.memory, because=id, things=_each_once(things))
    return await _lesson(store, taught) if things else Lesson()


async def _thing(
    store: Opened,
    learned: Learned,
    id: EventId,
    exchange: EventId,
    told: ExchangeRecorded,
    at: datetime,
    judge: Signature,
    spoken: str,
) -> Thing | None:
    """One thing that was learned, beside what is known; None where nothing is left of it. `spoken`: the user's own
    words."""
    text = shortened(as_stored(learned.text).strip(), LONGEST)
    if not text or is_private(text):
        return None
    learned = structs.replace(learned, text=text, kind=learned.kind if learned.kind in LEARNED_KINDS else "fact")
    scope = GLOBAL if learned.everywhere and learned.kind in EVERYWHERE else told.scope
    event = masked(
        MemoryRecorded(
            memory=memory_of(id),
            kind=learned.kind,
            collection="memory_bank",
            scope=scope,
            text=text,
            tags=tuple(
                dict.fromkeys(shortened(clean_text(" ".join(tag.split())), LONGEST_TAG) for tag in learned.tags)
            )[:MOST_TAGS],
            session=told.session,
            exchange=exchange,
            evidence=shortened(as_stored(learned.evidence).strip(), LONGEST),
            judge=judge.judge,
            revision=judge.revision,
        )
    )
    now, seen = store.stamp.now(), own_scopes(scope)
    known = await store.read(lambda c: _near(c, learned, seen, now, store))
    replaced = next((one for one in known if one.memory == learned.replaces), None)
    others = [one for one in known if one.kind in LEARNED_KINDS and one.memory != event.memory]
    again = await store.read(lambda c: _said_again(c, [one.memory for one in others]))
    by_hand = await store.read(lambda c: _by_hand(c, others)) if judge.judge == CUES else set()
    stated = [_stated(one, again.get(one.memory, one.at), one.memory in by_hand) for one in others]
    decision = decided(learned, scope, at, stated)
    known_as = decision.memory if isinstance(decision, Same) else None
    opposed: tuple[Clash, ...] = ()
    if event.kind == "directive" and isinstance(decision, New | Newer):
        opposed = await store.read(lambda c: opposed_to(c, event, now))
    return Thing(
        id=id,
        event=event,
        at=at,
        decision=decision,
        corrects=replaced.memory if replaced is not None and replaced.kind not in LEARNED_KINDS else None,
        said_again=known_as is not None and not await _is_the_same_word(store, known_as, told, spoken, learned),
        opposed=tuple((one.other if one.one == event.memory else one.one, one.about) for one in opposed),
    )


async def _is_the_same_word(
    store: Opened, memory: MemoryId, told: ExchangeRecorded, spoken: str, learned: Learned
) -> bool:
    """Whether what says the same as a memory is no second word for it: an assistant repeats what it was shown, or the
    same words of a session are read twice, as a prompt and as the follow-up of what was before it."""
    words = _folded(learned.evidence or learned.text)
    if words not in _folded(spoken) and await store.read(lambda c: _was_shown(c, told, memory)):
        return True
    history = await store.log.stream(memory_stream(memory))
    birth = history[0].draft.event if history else None
    if not isinstance(birth, MemoryRecorded) or birth.session != told.session:
        return False
    before = _folded(birth.evidence or birth.text)
    return before in _folded(spoken) or words in before


def _each_once(things: Iterable[Thing]) -> tuple[Thing, ...]:
    return tuple({key_of(thing.event.text): thing for thing in reversed(list(things))}.values())[::-1]


async def _lesson(store: Opened, taught: Taught) -> Lesson:
    corrects = any(thing.corrects for thing in taught.things)
    born = [taught.born] if taught.summary is not None or corrects else []
    involved = [*born, *taught.said_before, *(memory for thing in taught.things for memory in thing.about)]
    replaced = await store.read(lambda c: {memory: _superseded_by(c, memory) for memory in taught.said_before})
    involved += [memory for memories in replaced.values() for memory in memories]

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        return Consequences(store.stamp, store.policy.lifecycle, taught, replaced, histories).all()

    return Lesson(streams=tuple(map(memory_stream, dict.fromkeys(involved))), drafts=drafts)


# --- what is known --------------------------------------------------------------------------------------------


def _near(
    connection: Connection, learned: Learned, scopes: Sequence[Scope], now: datetime, store: Opened
) -> list[Candidate]:
    """What is stated in words like these or of the same thing, and what a judge says it replaces."""
    from aftermind.projections.recalling import finding  # and numpy: where somebody learns something

    query = Query(
        text=learned.text,
        scopes=tuple(scopes),
        collections=("memory_bank",),
        kinds=LEARNED_KINDS,
        limit=NEAR,
        history=True,
        floor="none",
    )
    ranking = store.policy.ranking
    hits = finding.answered(connection, query, now, ranking).hits
    found = [hit.candidate for hit in hits if hit.candidate.status in ("live", "superseded")]
    about = [one.memory for scope in scopes for one in beside(connection, scope, [(learned.text, "")], now)]
    named = [*about, learned.replaces] if learned.replaces is not None else about
    if learned.kind == "directive":
        rules = in_force(connection, scopes, now)
        named += [rule.id for rule in rules if another_order(learned.text, rule.memory.text)]
    for id in dict.fromkeys(named):
        one = by_id(connection, id, scopes)
        if one is not None and one.status == "live" and one.memory not in {other.memory for other in found}:
            found.append(one)
    later = _to_come(connection, found, now)
    return [one for one in found if one.memory not in later]


def _to_come(connection: Connection, memories: Sequence[Candidate], now: datetime) -> set[MemoryId]:
    """What is so from a time to come on: nothing that is so now says the same, or takes its place."""
    sql = "SELECT memory FROM shelf WHERE since > ? AND memory IN (SELECT value FROM json_each(?))"
    rows = connection.execute(sql, (microseconds(now), as_json(one.memory for one in memories)))
    return {MemoryId(id) for (id,) in rows}


def _said_again(connection: Connection, memories: Sequence[MemoryId]) -> dict[MemoryId, datetime]:
    """When each of them was said last, of those that were said more than once."""
    sql = """SELECT memory, max(at) FROM link WHERE relation = ?
      AND memory IN (SELECT value FROM json_each(?)) GROUP BY memory"""
    rows = connection.execute(sql, (SEEN_AGAIN, as_json(memories)))
    return {MemoryId(memory): moment(at) for memory, at in rows}


def _by_hand(connection: Connection, memories: Sequence[Candidate]) -> set[MemoryId]:
    """What was stated for its own sake, and what somebody put in other words: of no exchange's words any more."""
    sql = """SELECT successor FROM shelf WHERE status = 'corrected'
      AND successor IN (SELECT value FROM json_each(?))"""
    ids = as_json(one.memory for one in memories)
    return {one.memory for one in memories if one.exchange is None} | {id for (id,) in connection.execute(sql, (ids,))}


def _stated(memory: Candidate, last: datetime, by_hand: bool) -> Stated:
    return Stated(
        memory=memory.memory,
        kind=memory.kind,
        text=memory.text,
        scope=memory.scope,
        at=max(memory.at, last),
        locked=memory.locked,
        stands=by_hand,
        live=memory.status == "live",
        speaker=memory.speaker,
    )


def _beside(one: Learned, found: Sequence[Learned]) -> list[Learned]:
    """What is told and not found anyway; of what is found in part, that what was so before is over."""
    if not any(_overlap(one, other) for other in found):
        return [one]
    over = [structs.replace(one, text=text) for text in beginnings(one.text) if says_is_over(text)]
    return [part for part in over if not any(_overlap(part, other) for other in found)]


def _of_what_is_known(
    connection: Connection, said: Sequence[Learned], scope: Scope, now: datetime
) -> tuple[Learned, ...]:
    """Of each of those the least that gives something that is known another value, as the kind of that: its beginning,
    after which more is said, or all of it."""
    found = []
    for one in said:
        parts = (structs.replace(one, text=text) for text in (*reversed(beginnings(one.text)), one.text))
        if (
            changed := next((more for part in parts if (more := _changes(connection, part, scope, now))), None)
        ) is not None:
            found.append(changed)
    return tuple(found)


def _changes(connection: Connection, one: Learned, scope: Scope, now: datetime) -> Learned | None:
    said = Said(memory=MemoryId(""), text=one.text, at=now, position=sys.maxsize)
    known = (other for other in beside(connection, scope, [(one.text, "")], now) if another_value(said, other))
    if (other := next(known, None)) is None or (memory := by_id(connection, other.memory, (scope,))) is None:
        return None
    return structs.replace(one, kind=memory.kind)


def _overlap(one: Learned, other: Learned) -> bool:
    return one.text in other.text or other.text in one.text


def _said_before(connection: Connection, told: ExchangeRecorded, by: datetime | None) -> tuple[str, str]:
    """What was asked last in the session, by then where that is given, and what the assistant said."""
    sql = """SELECT s.text, s.answer FROM exchange e JOIN shelf s ON s.memory = e.memory
      WHERE e.session = ? AND e.scope = ? AND (? IS NULL OR e.at <= ?) ORDER BY e.at DESC, e.position DESC LIMIT 1"""
    last = microseconds_or_none(by)
    row = connection.execute(sql, (told.session, told.scope, last, last)).fetchone()
    return (str(row[0]), str(row[1])) if row else ("", "")


def _was_shown(connection: Connection, told: ExchangeRecorded, memory: MemoryId) -> bool:
    sql = "SELECT 1 FROM shown WHERE memory = ? AND injection = ?"
    return any(connection.execute(sql, (memory, injection)).fetchone() for injection in told.injections)


def _superseded_by(connection: Connection, memory: MemoryId) -> list[MemoryId]:
    sql = "SELECT memory FROM shelf WHERE successor = ? AND own_status = 'superseded'"
    return [MemoryId(row[0]) for row in connection.execute(sql, (memory,))]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
