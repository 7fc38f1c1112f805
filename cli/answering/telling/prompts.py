"""The last prompts, and what was shown for each or why nothing was. Read from the log: what it does not say (why
nothing was relevant) is asked again, of what was known then: what was learned since, of the very exchange that began
with the prompt first of all, cannot have been shown."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from aftermind.cli.answering.filing import scopes_of, seen_by
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import Prompted, Remembered, remembered
from aftermind.cli.language.requests import Prompts
from aftermind.engine import memory as life
from aftermind.engine.events import ContextInjected, PromptReceived, Shown
from aftermind.engine.log import Recorded
from aftermind.engine.masking.private import is_private, unmarked
from aftermind.engine.names import START, EventId, MemoryId, Position, Scope, memory_stream
from aftermind.engine.sqlite import Connection, as_json
from aftermind.projections.reading.terms import terms
from aftermind.projections.recalling.recall import Query, by_id
from aftermind.projections.recalling.shown.briefing import briefing
from aftermind.projections.views.projects import name_of

WINDOW, DEEPEST = 500, 10_000
"""Events that are read at once, looking backwards, and in all."""


async def last(store: Opened, asked: Prompts) -> tuple[Prompted, ...]:
    """The newest prompts among the last ten thousand events, newest first."""
    scopes = None if asked.all else await scopes_of(store, asked.project)
    events: list[Recorded] = []
    end = store.log.head.position
    while end > START and len(events) < DEEPEST and len(_prompts(events, scopes)) < asked.limit:
        start = Position(max(START, end - WINDOW))
        events = [*(e for e in await store.log.after(start, limit=WINDOW) if e.position <= end), *events]
        end = start
    shown = {e.draft.because: e for e in events if isinstance(e.draft.event, ContextInjected)}
    newest = list(reversed(_prompts(events, scopes)))[: asked.limit]
    return tuple([await _prompted(store, prompt, shown) for prompt in newest])


def _prompts(events: Sequence[Recorded], scopes: Sequence[Scope] | None) -> list[Recorded]:
    return [
        recorded
        for recorded in events
        if isinstance(event := recorded.draft.event, PromptReceived) and (scopes is None or event.scope in scopes)
    ]


async def _prompted(store: Opened, prompt: Recorded, shown: dict[EventId | None, Recorded]) -> Prompted:
    event = prompt.draft.event
    assert isinstance(event, PromptReceived)
    injected = shown.get(prompt.draft.id)
    memories: list[Remembered] = []
    for one in _shown(injected):
        found = await store.read(lambda c, id=one.memory: by_id(c, id))  # type: ignore[misc]
        if found is not None and injected is not None:  # it may have been forgotten
            memories.append(await _worded(store, remembered(found), injected.position))
    why = "" if injected else await _why_nothing(store, prompt, event)
    return Prompted(
        id=prompt.draft.id,
        at=prompt.draft.at,
        session=event.session,
        text=event.text,
        memories=tuple(memories),
        why=why,
        project=await store.read(lambda c: name_of(c, event.scope)),
    )


def _shown(injected: Recorded | None) -> tuple[Shown, ...]:
    event = injected.draft.event if injected is not None else None
    return event.shown if isinstance(event, ContextInjected) else ()


async def _worded(store: Opened, memory: Remembered, at: Position) -> Remembered:
    """The memory in the words it had then, the shorter ones among them."""
    was: life.Memory | None = None
    for recorded in await store.log.stream(memory_stream(memory.id)):
        if recorded.position < at:
            was = life.evolve(was, recorded.draft.event)
    if was is None:
        return memory
    return structs.replace(memory, text=was.text, answer=was.answer, summary=was.summary)


async def _why_nothing(store: Opened, asked: Recorded, prompt: PromptReceived) -> str:
    if is_private(prompt.text):
        return "it is wholly private"
    text = unmarked(prompt.text)
    if not terms(text):
        return "it has only common words or signs, nothing to look for"
    scopes = await seen_by(store, prompt.scope)
    query = Query(text=text, scopes=scopes, prompt=True, left_out=True, at=asked.draft.at)
    now, ranking = store.stamp.now(), store.policy.ranking
    ranked = await store.recalled(query, now, ranking)
    if hits := [hit for hit in ranked.hits if hit.candidate.position < asked.position]:
        first = hits[0].candidate.memory
        if not briefing(hits, (), now, ranking).hits:
            return f"the best match, {first}, does not fit ranking.budget ({ranking.budget} tokens)"
        return f"nothing was relevant or answered in time; asked now, {first} would be shown"
    known = await store.read(lambda c: _known(c, [one.memory for one in ranked.left_out], asked.position))
    best = max((one for one in ranked.left_out if one.memory in known), key=lambda one: one.score, default=None)
    if best is None:
        return "nothing known here then has a telling word in common with it"
    return f"the best match, {best.memory}, {best.why} (score {best.score:.2f})"


def _known(connection: Connection, memories: Sequence[MemoryId], before: Position) -> set[MemoryId]:
    """Those of the memories that were there before that position."""
    sql = "SELECT memory FROM shelf WHERE memory IN (SELECT value FROM json_each(?)) AND position < ?"
    return {MemoryId(row[0]) for row in connection.execute(sql, (as_json(memories), before))}
