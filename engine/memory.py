"""One memory's life: what it is after its events (`evolve`), and what may happen next (the decisions).

Pure: no clock, no database, no await. A decision returns the events that follow from it, or raises `Refused`.
Nothing here removes anything: expiry, archive and supersession are states a memory can come back from, and a
demotion gives a fresh lifetime, so that it never ends a memory in the same breath.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from math import sqrt

from msgspec import Struct, structs

from aftermind.engine.errors import NotFound, Refused
from aftermind.engine.event_forms.particulars import BlockerReopened, BlockerResolved, MemoryDetailed
from aftermind.engine.events import (
    Erased,
    Event,
    Known,
    MemoryArchived,
    MemoryCorrected,
    MemoryDemoted,
    MemoryExpired,
    MemoryForgotten,
    MemoryLocked,
    MemoryPromoted,
    MemoryRecorded,
    MemoryRestored,
    MemoryScored,
    MemorySummarized,
    MemorySuperseded,
    MemoryUnlocked,
    MemoryVerdict,
)
from aftermind.engine.log import Recorded
from aftermind.engine.memories import particulars
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.names import Collection, EventId, Kind, Label, MemoryId, Outcome, Scope, Status
from aftermind.engine.policy import Lifecycle

Z = 1.96
"""Two-sided 95 % of a normal distribution."""

WEIGHT: dict[Outcome, float] = {"worked": 1.0, "partial": 0.5, "failed": 0.0}
"""What a verdict counts as a success. `unknown` is not in it: it moves nothing."""

LADDER: tuple[Collection, ...] = ("working", "history", "patterns")
"""The collections a memory climbs by evidence. memory_bank and books are permanent and outside of it."""


class Memory(Struct, frozen=True, kw_only=True):
    """What a memory is now."""

    id: MemoryId
    collection: Collection
    kind: Kind
    scope: Scope
    text: str
    answer: str = ""
    status: Status = "live"
    locked: bool = False
    expires: datetime | None = None
    scores: Mapping[EventId, Outcome] = {}
    """The last word on each occasion since the memory has this wording."""
    summary: str = ""
    """A shorter wording of this wording; where it is an exchange's, one that a fuller answer may have taken away."""
    particulars: Particulars = Particulars()
    forgotten: bool = False

    @property
    def uses(self) -> int:
        return sum(outcome in WEIGHT for outcome in self.scores.values())

    @property
    def successes(self) -> float:
        return sum(WEIGHT.get(outcome, 0.0) for outcome in self.scores.values())


def evolve(memory: Memory | None, event: Event) -> Memory | None:
    """The memory after one more event. Events of others, and forms this program does not know, change nothing."""
    if memory is None:
        if not isinstance(event, MemoryRecorded):
            return None
        return Memory(
            id=event.memory,
            collection=event.collection,
            kind=event.kind,
            scope=event.scope,
            text=event.text,
            answer=event.answer,
            expires=event.expires,
        )
    match event:
        case MemoryScored():
            return structs.replace(memory, scores={**memory.scores, event.occasion: event.outcome})
        case MemoryPromoted() | MemoryDemoted():
            return structs.replace(memory, collection=event.to, expires=event.expires)
        case MemoryCorrected():
            return structs.replace(memory, text=event.text, answer=event.answer, scores={}, summary="")
        case MemorySummarized():
            return structs.replace(memory, summary=event.summary)
        case Erased(tag="memory-summarized"):
            return structs.replace(memory, summary="")
        case MemorySuperseded():
            return structs.replace(memory, status="superseded")
        case MemoryLocked():
            return structs.replace(memory, locked=True)
        case MemoryUnlocked():
            return structs.replace(memory, locked=False)
        case MemoryArchived():
            return structs.replace(memory, status="archived")
        case MemoryExpired():
            return structs.replace(memory, status="expired")
        case MemoryRestored():
            return structs.replace(memory, status="live", expires=event.expires)
        case MemoryForgotten():
            return structs.replace(memory, forgotten=True)
        case _:
            return _in_particular(memory, event)


def _in_particular(memory: Memory, event: Event) -> Memory:
    known = particulars.evolve(memory.particulars, event)
    if known is memory.particulars:
        return memory
    memory = structs.replace(memory, particulars=known)
    match event:
        case MemoryDetailed() | Erased():
            return structs.replace(memory, answer=known.in_words, summary="")
        case BlockerResolved() | BlockerReopened():
            return structs.replace(memory, expires=event.expires)
        case _:
            return memory


def fold(id: MemoryId, history: Iterable[Recorded]) -> Memory:
    """The memory after its whole stream; `NotFound` when it never began, was forgotten or erased."""
    memory = folded(history)
    if memory is None or memory.forgotten:
        raise NotFound("memory", id)
    return memory


def folded(history: Iterable[Recorded]) -> Memory | None:
    """The memory after a part of its stream, from the beginning; None before it begins."""
    memory: Memory | None = None
    for recorded in history:
        memory = evolve(memory, recorded.draft.event)
    return memory


def lower_bound(successes: float, uses: int) -> float:
    """The share of successes that `uses` verdicts speak for, with 95 % confidence: 0 without any.

    Wilson's score interval, lower end (E. B. Wilson, JASA 22, 1927).
    """
    if successes == 0:
        return 0.0
    share, z2 = successes / uses, Z * Z
    spread = Z * sqrt(share * (1 - share) / uses + z2 / (4 * uses * uses))
    return (share + z2 / (2 * uses) - spread) / (1 + z2 / uses)


# --- decisions ------------------------------------------------------------------------------------------------


def score(memory: Memory, verdict: MemoryVerdict, judge: Label, now: datetime, rules: Lifecycle) -> tuple[Known, ...]:
    """A verdict's word on this memory, and the step up or down that the evidence now speaks for."""
    scored = MemoryScored(memory=memory.id, outcome=verdict.outcome, occasion=verdict.occasion, judge=judge)
    after = evolve(memory, scored)
    assert after is not None
    return (scored, *_step(after, verdict.outcome, now, rules))


def _step(memory: Memory, outcome: Outcome, now: datetime, rules: Lifecycle) -> tuple[Known, ...]:
    if memory.status != "live" or outcome not in WEIGHT:
        return ()
    bound, uses = lower_bound(memory.successes, memory.uses), memory.uses
    record = f"{memory.successes:g} of {uses} worked, lower bound {bound:.2f}"
    match memory.collection:
        case "working" if uses >= rules.history_uses and bound >= rules.history_bound:
            return (_moved(MemoryPromoted, memory, "history", record, now, rules),)
        case "history" if uses >= rules.patterns_uses and bound >= rules.patterns_bound:
            return (_moved(MemoryPromoted, memory, "patterns", record, now, rules),)
        case "patterns" if outcome == "failed" and bound < rules.patterns_floor and not memory.locked:
            return (_moved(MemoryDemoted, memory, "history", record, now, rules),)
        case "history" if outcome == "failed" and bound < rules.history_floor and not memory.locked:
            return (_moved(MemoryDemoted, memory, "working", record, now, rules),)
        case _:
            return ()


def _moved(
    form: type[MemoryPromoted] | type[MemoryDemoted],
    memory: Memory,
    to: Collection,
    reason: str,
    now: datetime,
    rules: Lifecycle,
) -> Known:
    resolved = memory.particulars.resolved
    return form(memory=memory.id, to=to, reason=reason, expires=rules.expiry(to, memory.kind, now, resolved=resolved))


def promote(memory: Memory, now: datetime, rules: Lifecycle) -> tuple[Known, ...]:
    """One step up the ladder, because somebody says so."""
    must_be_live(memory)
    must_be_open(memory)
    if memory.collection not in LADDER[:-1]:
        why = f"{memory.id} is in {memory.collection}; only working and history memories can be promoted"
        raise Refused(why, hint=f"it stays there as it is; `aftermind lock {memory.id}` protects it from changes")
    to = LADDER[LADDER.index(memory.collection) + 1]
    return (_moved(MemoryPromoted, memory, to, "by hand", now, rules),)


def demote(memory: Memory, now: datetime, rules: Lifecycle) -> tuple[Known, ...]:
    """One step down the ladder, with a fresh lifetime."""
    must_be_live(memory)
    must_be_open(memory)
    if memory.collection not in LADDER[1:]:
        why = f"{memory.id} is in {memory.collection}; only history and patterns memories can be demoted"
        raise Refused(why, hint=f"`aftermind archive {memory.id}` puts it away")
    to = LADDER[LADDER.index(memory.collection) - 1]
    return (_moved(MemoryDemoted, memory, to, "by hand", now, rules),)


def correct(memory: Memory, text: str, reason: str) -> tuple[Known, ...]:
    """Another wording: of an exchange another answer, as what was asked stays. The verdicts so far were on the old one,
    so the record starts anew."""
    must_be_live(memory)
    must_be_open(memory)
    now = (memory.text, text) if memory.kind == "exchange" else (text, memory.answer)
    if now == (memory.text, memory.answer):
        return ()
    return (MemoryCorrected(memory=memory.id, scope=memory.scope, text=now[0], answer=now[1], reason=reason),)


def supersede(memory: Memory, by: MemoryId, reason: str, evidence: str = "") -> tuple[Known, ...]:
    must_be_live(memory)
    must_be_open(memory)
    if memory.id == by:
        raise Refused(f"{memory.id} cannot take its own place", hint=f"`aftermind correct {memory.id} TEXT`")
    return (MemorySuperseded(memory=memory.id, by=by, reason=reason, evidence=evidence),)


def summarize(memory: Memory, summary: str, model: Label, revision: int) -> tuple[Known, ...]:
    """A shorter wording to be shown in its place, also where it is the one that was: a fuller answer took that away,
    which is in another history. What is locked is shown as it is."""
    if memory.status != "live" or memory.locked or not summary:
        return ()
    return (MemorySummarized(memory=memory.id, summary=summary, model=model, revision=revision),)


def lengthen(memory: Memory) -> tuple[Known, ...]:
    """Its shorter wording is taken back: it is shown as it is."""
    return (MemorySummarized(memory=memory.id, summary=""),) if memory.summary else ()


def lock(memory: Memory) -> tuple[Known, ...]:
    return () if memory.locked else (MemoryLocked(memory=memory.id),)


def unlock(memory: Memory) -> tuple[Known, ...]:
    return (MemoryUnlocked(memory=memory.id),) if memory.locked else ()


def archive(memory: Memory, reason: str) -> tuple[Known, ...]:
    must_be_open(memory)
    if memory.status == "archived":
        return ()
    must_be_live(memory)
    return (MemoryArchived(memory=memory.id, reason=reason),)


def restore(memory: Memory, now: datetime, rules: Lifecycle) -> tuple[Known, ...]:
    if memory.status == "live":
        return ()
    return (MemoryRestored(memory=memory.id, expires=lifetime(memory, now, rules)),)


def lifetime(memory: Memory, now: datetime, rules: Lifecycle) -> datetime | None:
    """When the memory's lifetime is over, if it begins now."""
    return rules.expiry(memory.collection, memory.kind, now, resolved=memory.particulars.resolved)


def expire(memory: Memory, now: datetime) -> tuple[Known, ...]:
    """The end of a lifetime, once it is over. A locked memory does not expire."""
    over = memory.expires is not None and memory.expires <= now
    if memory.status != "live" or memory.locked or not over:
        return ()
    return (MemoryExpired(memory=memory.id, reason=_over(memory)),)


def _over(memory: Memory) -> str:
    """Which of its lifetimes that was: its kind's, where its collection keeps it for good, or longer."""
    if memory.particulars.resolved:
        return "its time as a resolved blocker was over"
    if memory.kind == "conversation" and memory.collection != "working":
        return "its time as a conversation was over"
    return f"its time in {memory.collection} was over"


def forget(memory: Memory, quoted_in: tuple[EventId, ...] = ()) -> tuple[Known, ...]:
    must_be_open(memory)
    return (MemoryForgotten(memory=memory.id, scope=memory.scope, quoted_in=quoted_in),)


def must_be_live(memory: Memory) -> None:
    if memory.status != "live":
        raise Refused(f"{memory.id} is {memory.status}", hint=f"`aftermind restore {memory.id}` brings it back")


def must_be_open(memory: Memory) -> None:
    if memory.locked:
        raise Refused(f"{memory.id} is locked", hint=f"`aftermind unlock {memory.id}` first")
