"""What is appended when something was learned: given the histories of the memories concerned, decided on them, in one
append with the verdict or the exchange that taught it. Pure.

Each id follows from its cause, and what is there already is left out: the same again appends nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from aftermind.engine import memory as life
from aftermind.engine.errors import NotFound, Refused
from aftermind.engine.events import (
    Event,
    Known,
    MemoriesLinked,
    MemoryArchived,
    MemoryRecorded,
    MemoryRestored,
    MemoryScored,
    MemorySummarized,
    MemorySuperseded,
    SummaryRequested,
)
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.logs.transact import Histories
from aftermind.engine.names import EventId, Label, MemoryId, StreamName, memory_stream
from aftermind.engine.policy import Lifecycle
from aftermind.engine.stamp import Stamp, derive_id
from aftermind.sidecar.distilling import Contradicts, Decision, New, Newer, Older, Same

Decide = Callable[[Histories], dict[StreamName, list[Draft]]]
CUES = Label("cues")
SEEN_AGAIN, CONTRADICTS, CORRECTS = Label("seen-again"), Label("contradicts"), Label("corrects")
REPLACED = "the verdict it was learned by was replaced"
A_NEWER_VALUE, SAID_BEFORE = "a newer value was learned", "it was said before that"
BY_ITSELF = (A_NEWER_VALUE, SAID_BEFORE)
"""Why a memory took another's place without anybody's saying so."""
_BY_ITSELF = (MemoryRecorded, MemoryScored, MemoriesLinked, MemorySummarized, MemorySuperseded, SummaryRequested)
"""What happens to a memory without anybody's touching it, besides what happens for the reason above."""


class Lesson(Struct, frozen=True, kw_only=True):
    """What is to be appended with a verdict or an exchange: decided on the histories of these streams, in the same
    append."""

    streams: tuple[StreamName, ...] = ()
    drafts: Decide = lambda _: {}


class Thing(Struct, frozen=True, kw_only=True):
    """Something that was learned, and what becomes of it. `id` is its first event's; `corrects` what it says was
    wrong of a memory that it does not take the place of."""

    id: EventId
    event: MemoryRecorded
    at: datetime
    decision: Decision
    corrects: MemoryId | None = None
    said_again: bool = False
    """Of what is known already: whether this is another word for it."""
    opposed: tuple[tuple[MemoryId, str], ...] = ()
    """Of a rule, those that say the opposite and of which nobody can tell which goes before, with what both are of."""

    @property
    def about(self) -> tuple[MemoryId, ...]:
        others = (*(() if self.corrects is None else (self.corrects,)), *(other for other, _ in self.opposed))
        match self.decision:
            case Same(memory, outdated):
                return (self.event.memory, *others, memory, *outdated)
            case Older(memory):
                return (self.event.memory, *others, memory)
            case Newer(memories):
                return (self.event.memory, *others, *memories)
            case Contradicts(memories, replaced):
                return (self.event.memory, *others, *memories, *replaced)
            case New():
                return (self.event.memory, *others)


class Taught(Struct, frozen=True, kw_only=True):
    """All there is to be decided: of the exchange whose own memory is `born`, because of an event."""

    exchange: EventId
    born: MemoryId
    because: EventId
    things: tuple[Thing, ...]
    summary: MemorySummarized | None = None
    said_before: tuple[MemoryId, ...] = ()
    """What earlier verdicts taught."""


class Consequences:
    """What is appended, given the histories. `replaced`: what each memory that was taught before took the place of."""

    def __init__(
        self,
        stamp: Stamp,
        rules: Lifecycle,
        taught: Taught,
        replaced: Mapping[MemoryId, Sequence[MemoryId]],
        histories: Histories,
    ) -> None:
        self._stamp, self._rules, self._taught = stamp, rules, taught
        self._replaced, self._histories = replaced, histories
        self._known = {recorded.draft.id for history in histories.values() for recorded in history}
        self._found: dict[StreamName, list[Draft]] = {}
        self._ended: set[MemoryId] = set()

    def all(self) -> dict[StreamName, list[Draft]]:
        taught = self._taught
        said_now = {thing.event.memory for thing in taught.things}
        for memory in taught.said_before:
            if memory not in said_now:
                self._take_back(memory)
        for thing in taught.things:
            self._learn(thing)
        if taught.summary is not None and (born := self._memory(taught.born)) is not None:
            summary = taught.summary
            for event in life.summarize(born, summary.summary, summary.model, summary.revision):
                self._add(taught.born, event, derive_id(taught.because, "summarized"))
        return self._found

    def _learn(self, thing: Thing) -> None:
        own, because = thing.event.memory, self._taught.because
        if self._histories[memory_stream(own)]:
            if self._was_taken_back(own):
                self._add(own, MemoryRestored(memory=own), derive_id(because, f"restored {own}"))
                self._settle(thing, because)
            return
        if isinstance(thing.decision, Same):
            self._see_again(thing.decision.memory, thing)
            self._confirm(thing.decision, thing)
            return
        self._add(own, thing.event, thing.id, at=thing.at)
        self._settle(thing, thing.id)

    def _settle(self, thing: Thing, cause: EventId) -> None:
        """What it means for the memories beside it."""
        own, words = thing.event.memory, thing.event.evidence
        match thing.decision:
            case Newer(memories):
                self._supersede(memories, own, cause)
            case Contradicts(memories, replaced):
                self._supersede(replaced, own, cause)
                for other in memories:
                    link = MemoriesLinked(memory=own, other=other, relation=CONTRADICTS, evidence=words)
                    self._add(own, link, derive_id(thing.id, f"contradicts {other}"), because=thing.id)
            case Older(by):
                event = MemorySuperseded(memory=own, by=by, reason=SAID_BEFORE)
                self._add(own, event, derive_id(cause, f"superseded {own}"), because=thing.id)
            case Same() | New():
                pass
        for other, about in thing.opposed:
            if other not in self._ended and self._memory(other) is not None:
                link = MemoriesLinked(memory=own, other=other, relation=CONTRADICTS, evidence=about)
                self._add(own, link, derive_id(thing.id, f"contradicts {other}"), because=thing.id)
        if (wrong := thing.corrects) is not None and self._memory(wrong) is not None:
            link = MemoriesLinked(memory=wrong, other=own, relation=CORRECTS, evidence=words)
            self._add(wrong, link, derive_id(thing.id, f"corrects {wrong}"), because=thing.id)

    def _supersede(self, memories: Sequence[MemoryId], by: MemoryId, cause: EventId) -> None:
        for old in memories:
            memory = self._memory(old)
            if memory is None or old in self._ended:
                continue
            try:
                events = life.supersede(memory, by, A_NEWER_VALUE)
            except Refused:  # somebody locked it, or put it away, in the meantime
                continue
            self._ended.add(old)
            for event in events:
                self._add(old, event, derive_id(cause, f"supersedes {old} {by}"), because=cause)

    def _see_again(self, memory: MemoryId, thing: Thing) -> None:
        known = self._memory(memory)
        if known is None or not thing.said_again or self._birth(memory).exchange == self._taught.exchange:
            return
        link = MemoriesLinked(
            memory=memory, other=self._taught.born, relation=SEEN_AGAIN, evidence=thing.event.evidence
        )
        self._add(memory, link, derive_id(self._taught.exchange, f"seen {memory}"), at=thing.at)

    def _confirm(self, same: Same, thing: Thing) -> None:
        """What signs captured in this session takes the place it was kept from, once a verdict says it, too."""
        if (known := self._memory(same.memory)) is None or known.status != "live":
            return
        birth = self._birth(same.memory)
        if birth.judge == CUES != thing.event.judge and birth.session == thing.event.session:
            self._supersede(same.outdated, same.memory, self._taught.because)

    def _take_back(self, memory: MemoryId) -> None:
        known, because = self._memory(memory), self._taught.because
        if known is None or known.status != "live" or self._is_captured(memory) or self._is_kept(memory):
            return
        archived = MemoryArchived(memory=memory, reason=REPLACED)
        self._add(memory, archived, derive_id(because, f"archived {memory}"))
        for old in self._replaced.get(memory, ()):
            before = self._memory(old)
            if before is not None and before.status == "superseded":
                for event in life.restore(before, self._stamp.now(), self._rules):
                    self._add(old, event, derive_id(because, f"restored {old}"))

    def _is_captured(self, memory: MemoryId) -> bool:
        """Whether the user's own words said it, whatever a verdict says."""
        return self._histories[memory_stream(memory)][0].draft.because == self._taught.exchange

    def _is_kept(self, memory: MemoryId) -> bool:
        """Whether somebody or something else speaks for it."""
        for recorded in self._histories[memory_stream(memory)]:
            event = recorded.draft.event
            seen = isinstance(event, MemoriesLinked) and event.relation == SEEN_AGAIN
            worked = isinstance(event, MemoryScored) and event.outcome in ("worked", "partial")
            if seen or worked or not (isinstance(event, _BY_ITSELF) or self._is_ours(recorded)):
                return True
        return False

    def _was_taken_back(self, memory: MemoryId) -> bool:
        moved = [one for one in self._histories[memory_stream(memory)] if not isinstance(one.draft.event, _BY_ITSELF)]
        return bool(moved) and _is_taking_back(moved[-1].draft.event)

    def _is_ours(self, recorded: Recorded) -> bool:
        """Whether a verdict took it back, or said it again."""
        event, because = recorded.draft.event, recorded.draft.because
        return _is_taking_back(event) or (isinstance(event, MemoryRestored) and because is not None)

    def _birth(self, memory: MemoryId) -> MemoryRecorded:
        event = self._histories[memory_stream(memory)][0].draft.event
        assert isinstance(event, MemoryRecorded)
        return event

    def _memory(self, memory: MemoryId) -> life.Memory | None:
        """As it is now; None where it was forgotten, or is not recorded yet."""
        try:
            return life.fold(memory, self._histories.get(memory_stream(memory), ()))
        except NotFound:
            return None

    def _add(
        self,
        memory: MemoryId,
        event: Known,
        id: EventId,
        *,
        because: EventId | None = None,
        at: datetime | None = None,
    ) -> None:
        if id not in self._known:
            draft = self._stamp.draft(event, id=id, because=because or self._taught.because, at=at)
            self._found.setdefault(memory_stream(memory), []).append(draft)


def _is_taking_back(event: Event) -> bool:
    return isinstance(event, MemoryArchived) and event.reason == REPLACED
