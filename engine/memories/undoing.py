"""How what happened to a memory is taken back: by events that bring about what was before. Pure.

Nothing is removed: what was undone stays in history, and so does that it was undone, which can be undone in turn. An
event is undone as long as its effect is what holds now; where something came after it, that is undone first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from aftermind.engine import memory as life
from aftermind.engine.errors import Refused
from aftermind.engine.events import (
    Erased,
    Event,
    Known,
    MemoriesLinked,
    MemoriesUnlinked,
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
)
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.memories import undoing_particulars as particulars
from aftermind.engine.memory import Memory
from aftermind.engine.names import MACHINES, EventId, MemoryId
from aftermind.engine.policy import Lifecycle
from aftermind.engine.stamp import derive_id

UNDO = "undone"
"""Why something happened, where that is asked."""
FORMS = (
    *(MemoryRecorded, MemoryScored, MemoryPromoted, MemoryDemoted, MemoryCorrected, MemorySuperseded, MemoriesLinked),
    *(MemoriesUnlinked, MemorySummarized, MemoryLocked, MemoryUnlocked, MemoryArchived, MemoryRestored, MemoryExpired),
    *particulars.FORMS,
)
"""Of what there is an opposite."""


def undone(
    id: MemoryId, history: Sequence[Recorded], event: EventId, now: datetime, rules: Lifecycle
) -> tuple[Known, ...]:
    """What has to be appended to the memory's stream, `history`, so that the effect of one of its events is gone.
    `Refused`, with why and what helps, where it cannot be, or something came after it."""
    place = next(n for n, one in enumerate(history) if one.draft.id == event)
    said = history[place].draft.event
    if isinstance(said, MemoryForgotten | Erased):
        raise Refused(f"{id} was forgotten, and what was forgotten is gone", hint="nothing brings it back")
    current = life.fold(id, history)
    before = life.folded(history[:place])
    if before is None:
        later = in_effect(history[place + 1 :])
        _newest(later, lambda event: isinstance(event, MemoryCorrected), "it was corrected")
        return _unrecorded(current, said)
    if current.locked and not isinstance(said, MemoryLocked | MemoryUnlocked):
        raise Refused(f"{id} is locked", hint=f"`aftermind unlock {id}` first")
    return _opposite(current, before, history, place, now, rules)


def _unrecorded(current: Memory, said: Event) -> tuple[Known, ...]:
    """Of a statement that it was made: it goes to the archive."""
    if not isinstance(said, MemoryRecorded):
        raise Refused(f"{current.id} is not whole: what came before that is unknown")
    if said.book is not None:
        raise Refused(f"{current.id} is part of a book", hint=f"`aftermind remove {said.book}` takes the book away")
    if said.kind == "exchange":
        hint = f"`aftermind archive {current.id}` takes it out of recall, `aftermind forget {current.id}` for good"
        raise Refused("what was said in an exchange was said", hint=hint)
    if current.status == "archived":
        return ()
    return life.archive(current, UNDO)


def _opposite(
    current: Memory, before: Memory, history: Sequence[Recorded], place: int, now: datetime, rules: Lifecycle
) -> tuple[Known, ...]:
    said, id, later = history[place].draft.event, current.id, in_effect(history[place + 1 :])
    match said:
        case MemoryCorrected():
            _newest(later, lambda event: isinstance(event, MemoryCorrected), "it was corrected again")
            answer = before.answer if before.kind == "exchange" else current.answer  # of what behind it, the last word
            wording = MemoryCorrected(memory=id, scope=current.scope, text=before.text, answer=answer, reason=UNDO)
            return (wording, *_scores(before, history[:place]))
        case MemoryScored():
            if said.judge in MACHINES:
                hint = "`aftermind score` gives another verdict, `aftermind sidecar rescore` has it judged anew"
                raise Refused("a machine judged it, whose word another verdict replaces", hint=hint)
            same = lambda event: isinstance(event, MemoryScored) and event.occasion == said.occasion  # noqa: E731
            _newest(later, same, "it was scored again on that occasion")
            outcome = before.scores.get(said.occasion, "unknown")
            return (MemoryScored(memory=id, outcome=outcome, occasion=said.occasion, judge=said.judge),)
        case MemoryPromoted() | MemoryDemoted():
            _newest(later, lambda event: isinstance(event, MemoryPromoted | MemoryDemoted), "it was moved again")
            form = MemoryDemoted if isinstance(said, MemoryPromoted) else MemoryPromoted
            to, resolved = before.collection, current.particulars.resolved
            expires = rules.expiry(to, before.kind, now, resolved=resolved)
            return (form(memory=id, to=to, reason=UNDO, expires=expires),)
        case MemorySuperseded() | MemoryArchived() | MemoryExpired() | MemoryRestored():
            _newest(later, _of_status, "something else became of it")
            return _status(current, before, history[:place], now, rules)
        case MemoryLocked():
            return life.unlock(current)
        case MemoryUnlocked():
            return life.lock(current)
        case MemorySummarized():
            _newest(later, lambda event: isinstance(event, MemorySummarized), "it has another shorter wording")
            return () if current.summary == before.summary else (MemorySummarized(memory=id, summary=before.summary),)
        case MemoriesLinked():
            return (MemoriesUnlinked(memory=id, link=history[place].draft.id),)
        case MemoriesUnlinked():
            link = next((one.draft.event for one in history if one.draft.id == said.link), None)
            if not isinstance(link, MemoriesLinked):
                raise Refused("what it said was forgotten", hint="nothing brings it back")
            return (link,)
        case _ if forms := particulars.alike(said):
            _newest(later, lambda event: isinstance(event, forms), "it was said anew")
            return particulars.as_before(said, current, before, now, rules)
        case MemoryRecorded():
            raise Refused("that is a new edition of a book", hint="`aftermind ingest` makes another")
        case _:
            raise Refused("there is no opposite of that", hint="`aftermind undo --list` shows what can be undone")


def undoing_of(event: EventId) -> EventId:
    """The id of what undoes an event."""
    return derive_id(event, UNDO)


def in_effect(history: Sequence[Recorded]) -> list[Draft]:
    """What of a history was not undone; of what was undone and that undone in turn, the last word."""
    drafts = {one.draft.id: one.draft for one in history}
    undoings = {undoing_of(id) for id in drafts}
    found = []
    for id in drafts:
        if id in undoings:
            continue
        last, turns = id, 0
        while undoing_of(last) in drafts:
            last, turns = undoing_of(last), turns + 1
        if turns % 2 == 0:
            found.append(drafts[last])
    return found


def _newest(later: Sequence[Draft], same: Callable[[Event], bool], why: str) -> None:
    """Nothing of the kind came later."""
    for draft in later:
        if same(draft.event):
            raise Refused(f"{why} after that", hint=f"`aftermind undo {draft.id}` first")


def _of_status(event: Event) -> bool:
    return isinstance(event, MemorySuperseded | MemoryArchived | MemoryExpired | MemoryRestored)


def _status(
    current: Memory, before: Memory, history: Sequence[Recorded], now: datetime, rules: Lifecycle
) -> tuple[Known, ...]:
    """The status as it was before."""
    if current.status == before.status:
        return ()
    match before.status:
        case "live":
            return life.restore(current, now, rules)
        case "archived":
            return (MemoryArchived(memory=current.id, reason=UNDO),)
        case "expired":
            return (MemoryExpired(memory=current.id, reason=UNDO),)
        case "superseded":
            by = next(one.draft.event.by for one in reversed(history) if isinstance(one.draft.event, MemorySuperseded))
            return (MemorySuperseded(memory=current.id, by=by, reason=UNDO),)
        case _:
            raise Refused(f"{current.id} was {before.status} before")


def _scores(before: Memory, history: Sequence[Recorded]) -> tuple[Known, ...]:
    """The record of the wording that comes back."""
    said = {event.occasion: event for one in history if isinstance(event := one.draft.event, MemoryScored)}
    return tuple(said[occasion] for occasion in before.scores)
