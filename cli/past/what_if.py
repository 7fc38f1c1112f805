"""What if another policy, or another model, had ranked: every recorded prompt asked again, at its own moment.

The log is folded once, forward, and stopped before each prompt, so that each is answered with what was known then and
the clock of then. How a memory did is what the log says of it where it was shown for that very prompt. Of one that was
not shown nobody can say how it would have done: it is counted apart, and never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct, structs

from aftermind.cli.answering.filing import seen_by
from aftermind.cli.answering.opened import Opened
from aftermind.cli.past.aside import aside
from aftermind.cli.past.choosing import Choice, Choosing
from aftermind.cli.past.meaning import meant
from aftermind.cli.past.opening import Point, forgotten, past_at
from aftermind.engine.events import ContextInjected, Erased, MemoryScored, PromptReceived
from aftermind.engine.log import Recorded
from aftermind.engine.logs.past_log import PastLog
from aftermind.engine.masking.private import is_private, unmarked
from aftermind.engine.names import START, EventId, MemoryId, Position, Scope, SessionId
from aftermind.engine.policy import Policy, Ranking
from aftermind.engine.store.beside import read_log
from aftermind.projections.recalling.recall import Query
from aftermind.projections.recalling.shown.briefing import briefing

Fate: TypeAlias = Literal["worked", "partial", "failed", "unknown", "not_judged", "not_shown"]
"""How a memory did in an exchange; `not_judged` where it was shown and nobody said; `not_shown` where it was not."""
BATCH, LONGEST = 1_000, 500
"""Events that are read at once, and characters of a prompt that are told of one that differs."""


class Tally(Struct, kw_only=True):
    """What was, or would have been, shown: in how many prompts, how many memories, at how many tokens; and how those
    memories did there."""

    prompts: int = 0
    memories: int = 0
    tokens: int = 0
    worked: int = 0
    partial: int = 0
    failed: int = 0
    unknown: int = 0
    not_judged: int = 0
    not_shown: int = 0

    def add(self, memories: Collection[MemoryId], tokens: int, fates: Mapping[MemoryId, Fate]) -> None:
        self.prompts += bool(memories)
        self.memories += len(memories)
        self.tokens += tokens
        for memory in memories:
            fate = fates.get(memory, "not_shown")
            setattr(self, fate, getattr(self, fate) + 1)


class Asked(Struct, frozen=True, kw_only=True):
    """One prompt. `fates`: how each memory did that was really shown for it."""

    id: EventId
    at: datetime
    session: SessionId
    scope: Scope
    text: str
    shown: tuple[MemoryId, ...]
    present: tuple[MemoryId, ...]
    other: tuple[MemoryId, ...]
    fates: dict[MemoryId, Fate]


class Compared(Struct, frozen=True, kw_only=True):
    """What was `shown`, what the `present` policy and model would show, and what the `other` would; and against the
    present ones what the other adds and drops. `differing`: prompts for which it is not the same.

    Not asked again are prompts that are forgotten or private by now (`withheld`), what sessions began with and what
    assistants looked for themselves (`unasked`): the log does not hold all that these depended on."""

    prompts: int
    differing: int
    shown: Tally
    present: Tally
    other: Tally
    added: Tally
    dropped: Tally
    same_as_shown: int
    """Prompts for which the present policy and model show what was shown."""
    withheld: int
    unasked: int
    each: tuple[Asked, ...] = ()
    """Those that differ, oldest first."""


class _Prompt(Struct, frozen=True):
    """Where one is in the log, and before which event it was answered."""

    id: EventId
    before: Position
    time: datetime
    shown: tuple[MemoryId, ...]
    tokens: int
    fates: dict[MemoryId, Fate]


class _Recorded(Struct):
    """What a log says of its prompts."""

    prompts: list[_Prompt]
    withheld: int = 0
    unasked: int = 0


async def what_if(
    folder: Path,
    policy: Policy,
    model: str,
    other: Ranking,
    other_model: str,
    *,
    choice: Choice | None = None,
    last: int | None = None,
    each: bool = False,
    told: Callable[[float], None] = lambda _: None,
) -> Compared:
    """Every prompt of a store that is chosen, or the `last` of these, asked again by the present policy and model,
    and by the `other` ones. Writes nothing to the store, and reads beside whoever does. `told` hears how many
    positions more were folded. `NoModel` where the other one cannot be had."""
    async with read_log(folder) as whole:
        hidden = await forgotten(folder, whole)
        found = await _recorded(PastLog(whole, whole.head.position, hidden), Choosing(choice or Choice()))
        prompts = sorted(found.prompts, key=lambda one: one.before)[-last if last is not None else 0 :]
        sums = _Sums(found)
        if not prompts:
            return sums.compared(each=each)
        first = Point(prompts[0].before, prompts[0].time)
        with aside(folder) as place:
            async with AsyncExitStack() as stack:
                past = await stack.enter_async_context(past_at(folder, whole, place, first, policy, model, told=told))
                means, store = past.meant, past.opened
                if other_model != model:
                    another = meant(folder, place, past.log, store.views, store.stamp, other_model, must=True)
                    means = await stack.enter_async_context(another)
                asked = (store, policy.ranking), (structs.replace(store, near=means.near), other)
                for prompt in prompts:
                    past.move_on(Point(prompt.before, prompt.time))
                    await past.meant.level()
                    await means.level()
                    recorded = await whole.find(prompt.id)
                    event = recorded.draft.event if recorded is not None else None
                    if not isinstance(event, PromptReceived):  # it was emptied just now
                        sums.withheld += 1
                        continue
                    one, two = [await _shown(by, event, past.now(), ranking) for by, ranking in asked]
                    sums.add(prompt, event, one, two)
        return sums.compared(each=each)


async def _recorded(log: PastLog, choosing: Choosing) -> _Recorded:
    """Every prompt that is chosen, with what was shown for it and how that did, by the log's last word."""
    found = _Recorded([])
    prompts: dict[EventId, Recorded] = {}
    shown: dict[EventId, Recorded] = {}
    outcomes: dict[tuple[EventId, MemoryId], Fate] = {}
    seen = START
    while events := await log.after(seen, limit=BATCH):
        seen = events[-1].position
        for recorded in events:
            wanted = choosing.wants(recorded)
            match recorded.draft.event:
                case PromptReceived(text=text) if wanted:
                    if is_private(text):
                        found.withheld += 1
                    else:
                        prompts[recorded.draft.id] = _without_text(recorded)
                case Erased(tag="prompt-received") if wanted:
                    found.withheld += 1
                case ContextInjected():
                    because = recorded.draft.because
                    if because in prompts:
                        shown[because] = recorded
                    else:
                        found.unasked += wanted and because is None
                case MemoryScored() as event:
                    outcomes[event.occasion, event.memory] = event.outcome
                case _:
                    pass
    found.prompts = [_prompt(prompt, shown.get(id), outcomes) for id, prompt in prompts.items()]
    return found


def _without_text(prompt: Recorded) -> Recorded:
    """There may be many, and long ones."""
    event = structs.replace(prompt.draft.event, text="")
    return structs.replace(prompt, draft=structs.replace(prompt.draft, event=event))


def _prompt(prompt: Recorded, injected: Recorded | None, outcomes: Mapping[tuple[EventId, MemoryId], Fate]) -> _Prompt:
    event = injected.draft.event if injected is not None else None
    if injected is None or not isinstance(event, ContextInjected):
        before = Position(prompt.position - 1)
        return _Prompt(prompt.draft.id, before, prompt.draft.noted, (), 0, {})
    memories = tuple(one.memory for one in event.shown)
    fates: dict[MemoryId, Fate] = {m: outcomes.get((injected.draft.id, m), "not_judged") for m in memories}
    before = Position(injected.position - 1)
    return _Prompt(prompt.draft.id, before, injected.draft.at, memories, event.tokens, fates)


async def _shown(
    store: Opened, prompt: PromptReceived, now: datetime, ranking: Ranking
) -> tuple[tuple[MemoryId, ...], int]:
    """The memories a briefing for the prompt would hold, and its tokens."""
    query = Query(text=unmarked(prompt.text), scopes=await seen_by(store, prompt.scope), prompt=True)
    answer = await store.recalled(query, now, ranking)
    block = briefing(answer.hits, answer.left_out, now, ranking)
    return tuple(hit.candidate.memory for hit in block.hits), block.tokens


class _Sums:
    def __init__(self, found: _Recorded) -> None:
        self.withheld, self._unasked = found.withheld, found.unasked
        self._prompts = self._same = 0
        self._tallies = {name: Tally() for name in ("shown", "present", "other", "added", "dropped")}
        self._differing: list[Asked] = []

    def add(
        self,
        prompt: _Prompt,
        event: PromptReceived,
        present: tuple[tuple[MemoryId, ...], int],
        other: tuple[tuple[MemoryId, ...], int],
    ) -> None:
        self._prompts += 1
        self._same += sorted(present[0]) == sorted(prompt.shown)  # they stood in another order once
        told = {
            "shown": (prompt.shown, prompt.tokens),
            "present": present,
            "other": other,
            "added": (_beyond(other[0], present[0]), 0),
            "dropped": (_beyond(present[0], other[0]), 0),
        }
        for name, (memories, tokens) in told.items():
            self._tallies[name].add(memories, tokens, prompt.fates)
        if present[0] != other[0]:
            self._differing.append(
                Asked(
                    id=prompt.id,
                    at=prompt.time,
                    session=event.session,
                    scope=event.scope,
                    text=event.text[:LONGEST],
                    shown=prompt.shown,
                    present=present[0],
                    other=other[0],
                    fates=prompt.fates,
                )
            )

    def compared(self, *, each: bool) -> Compared:
        return Compared(
            prompts=self._prompts,
            differing=len(self._differing),
            same_as_shown=self._same,
            withheld=self.withheld,
            unasked=self._unasked,
            each=tuple(self._differing) if each else (),
            **self._tallies,
        )


def _beyond(these: Sequence[MemoryId], those: Sequence[MemoryId]) -> tuple[MemoryId, ...]:
    return tuple(memory for memory in these if memory not in those)
