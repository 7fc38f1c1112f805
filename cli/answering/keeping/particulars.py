"""What is said of memories' particulars, and what is due."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import assert_never

from msgspec import structs

from aftermind.cli.answering.filing import scopes_of
from aftermind.cli.answering.fit import cleaned, in_utc, said
from aftermind.cli.answering.learning.heirs import heirs
from aftermind.cli.answering.learning.in_time import ended, ended_anew, until_then
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import Remembered, remembered
from aftermind.cli.language.keeping import (
    Attention,
    Dating,
    Detailing,
    Due,
    Finishing,
    Keep,
    Planning,
    Reminding,
    Reopening,
    Resolving,
    Reviewing,
    Saying,
    Snoozing,
    Unreminding,
)
from aftermind.engine import memory as life
from aftermind.engine.errors import Unusable
from aftermind.engine.event_forms.particulars import MemoryDated
from aftermind.engine.events import Known, MemoryArchived
from aftermind.engine.log import Draft
from aftermind.engine.logs.transact import Histories
from aftermind.engine.memories import keeping
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.memories.recurring import EVERY, following
from aftermind.engine.memory import Memory
from aftermind.engine.names import EventId, StreamName, memory_stream
from aftermind.engine.policy import Lifecycle
from aftermind.engine.stamp import numbered
from aftermind.engine.stored import storable
from aftermind.engine.zones import zone_of
from aftermind.projections.recalling.candidate import Candidate
from aftermind.projections.recalling.shown.attention import attention
from aftermind.projections.views.particulars import of as particulars_of
from aftermind.projections.views.projects import names

LONGEST_AHEAD = timedelta(days=36_500)


async def keep(store: Opened, asked: Keep) -> Remembered:
    """All that is said of one memory, in one append."""
    says = tuple(map(_fit, asked.says))
    first, done = await store.first_id()
    if not done:
        await _kept(store, await store.memory(asked.id), says, first)
    return await whole(store, asked.id)


async def say(store: Opened, known: Candidate, says: Sequence[Saying], first: EventId) -> None:
    """The same of one that is known, beginning with the event `first`."""
    await _kept(store, known, tuple(map(_fit, says)), first)


async def _kept(store: Opened, known: Candidate, says: Sequence[Saying], first: EventId) -> None:
    now, rules = store.stamp.now(), store.policy.lifecycle
    stream = memory_stream(known.memory)
    dated = any(isinstance(one, Dating) for one in says)
    shortened = await store.read(lambda c: ended(c, [known.memory], now)) if dated else {}
    replaced = await store.read(lambda c: heirs(c, [known.memory])) if dated else {}

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        found: list[Draft] = []
        others: dict[StreamName, list[Draft]] = {}
        memory = life.fold(known.memory, histories[stream])
        for number, event in enumerate(decided(memory, says, now, rules), 1):
            because = found[-1].id if isinstance(event, MemoryArchived) else None  # it follows from what it reminds of
            found.append(store.stamp.draft(event, id=numbered(first, number), because=because))
            if isinstance(event, MemoryDated) and event.since != memory.particulars.since:
                begins, by = event.since or now, (known.memory,)
                others = ended_anew(shortened, by, histories, store.stamp, found[-1].id, begins)
                if begins > now:
                    others |= until_then(replaced, known.memory, begins, histories, store.stamp, rules, found[-1].id)
        return {stream: found, **others}

    await store.transact([stream, *map(memory_stream, {**shortened, **replaced})], drafts)


async def whole(store: Opened, id: str) -> Remembered:
    """A memory with all its particulars."""
    found = remembered(await store.memory(id))
    return structs.replace(found, particulars=await store.read(lambda c: particulars_of(c, found.id)))


def decided(memory: Memory, says: Sequence[Saying], now: datetime, rules: Lifecycle) -> tuple[Known, ...]:
    """What follows from saying all of that, one after the other."""
    found: list[Known] = []
    for one in says:
        for event in _decided(memory, one, now, rules):
            found.append(event)
            after = life.evolve(memory, event)
            assert after is not None
            memory = after
    return tuple(found)


def _decided(memory: Memory, says: Saying, now: datetime, rules: Lifecycle) -> tuple[Known, ...]:
    known = memory.particulars
    match says:
        case Detailing():
            return keeping.detail(memory, says.what, says.why, says.learned)
        case Dating():
            since = known.since if "since" in says.keeps else says.since
            until = known.until if "until" in says.keeps else says.until
            return keeping.date(memory, since, until)
        case Planning():
            return keeping.plan_review(memory, says.at, timedelta(days=says.every))
        case Reviewing():
            return keeping.review(memory, now, rules, says.next)
        case Reminding():
            return keeping.remind(memory, says.due, says.said, says.every, says.zone)
        case Snoozing():
            return keeping.snooze(memory, says.until)
        case Finishing():
            first = known.first or known.due
            again = None if first is None else following(first, known.again, zone_of(known.zone), now)
            return keeping.done(memory, again)
        case Unreminding():
            return keeping.unremind(memory)
        case Resolving():
            return keeping.resolve(memory, says.how, now, rules)
        case Reopening():
            return keeping.reopen(memory, now, rules)
        case _:
            assert_never(says)


def sayings_of(told: Particulars) -> tuple[Saying, ...]:
    """What has to be said of a new memory, so that these are its particulars."""
    says: list[Saying] = []
    if told.in_words:
        says.append(Detailing(what=told.what, why=told.why, learned=told.learned))
    if told.since is not None or told.until is not None:
        says.append(Dating(since=told.since, until=told.until))
    if told.planned:
        says.append(Planning(at=told.review, every=told.every))
    if told.due is not None:
        says.append(Reminding(due=told.due, said=told.said, every=told.again, zone=told.zone))
    return tuple(map(_fit, says))


def _fit(says: Saying) -> Saying:
    """The same, its times in UTC and its texts such as can be kept; `Unusable` otherwise."""
    match says:
        case Detailing():
            return Detailing(what=_text(says.what), why=_text(says.why), learned=_text(says.learned))
        case Dating():
            return structs.replace(says, since=in_utc(says.since), until=in_utc(says.until))
        case Planning():
            if not 0 <= says.every <= LONGEST_AHEAD.days:
                raise Unusable(f"reviews are 1 to {LONGEST_AHEAD.days:,} days apart", says.every)
            return structs.replace(says, at=in_utc(says.at))
        case Reviewing():
            return structs.replace(says, next=in_utc(says.next))
        case Reminding():
            if says.every and says.every not in EVERY:
                raise Unusable("a reminder does not come back so", says.every, hint=f"one of: {', '.join(EVERY)}")
            zone_of(says.zone)
            return structs.replace(says, due=in_utc(says.due) or says.due)
        case Snoozing():
            return structs.replace(says, until=in_utc(says.until) or says.until)
        case Resolving():
            return structs.replace(says, how=_text(says.how) or "")
        case Finishing() | Unreminding() | Reopening():
            return says
        case _:
            assert_never(says)


def _text(text: str | None) -> str | None:
    return None if text is None else storable(cleaned(said(text, "what is said of it", may_be_empty=True)).strip())


async def due(store: Opened, asked: Due) -> tuple[Attention, ...]:
    """What asks for attention now, or will within the time ahead."""
    if asked.ahead < 0 or asked.ahead > LONGEST_AHEAD.total_seconds():
        raise Unusable("nobody looks so far ahead", asked.ahead)
    scopes = None if asked.all else await scopes_of(store, asked.project)
    now, rules = store.stamp.now(), store.policy.lifecycle
    until = now + timedelta(seconds=asked.ahead)
    found = await store.read(lambda c: attention(c, scopes, until, rules.review_after, asked.limit))
    called = await store.read(names) if found else {}
    return tuple(
        Attention(
            what=one.what,
            id=one.memory,
            text=one.text,
            kind=one.kind,
            at=one.at,
            overdue=int((now - one.at).total_seconds()),
            again=one.again,
            zone=one.zone,
            scope=one.scope,
            project=called.get(one.scope, ""),
        )
        for one in found
    )
