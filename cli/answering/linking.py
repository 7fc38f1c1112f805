"""What memories have to do with each other: said, taken back, and walked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import structs

from aftermind.cli.answering.filing import scopes_of, seen_by, seen_of
from aftermind.cli.answering.fit import as_stored, at_least_one
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.telling.whole_life import meant
from aftermind.cli.language.answers import Recalled, remembered
from aftermind.cli.language.closed import all_of, one_of
from aftermind.cli.language.linking import (
    CountLinks,
    Hub,
    Link,
    LinkCounts,
    Linked,
    Links,
    Neighbour,
    Neighbourhood,
    Unlink,
)
from aftermind.engine import memory as life
from aftermind.engine.entities.shapes import entities
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.events import Known, MemoriesLinked, MemoriesUnlinked
from aftermind.engine.log import Draft
from aftermind.engine.logs.transact import Histories
from aftermind.engine.memories import linking
from aftermind.engine.memories.linking import STATED_RELATIONS
from aftermind.engine.names import GLOBAL, MemoryId, Scope, StreamName, memory_stream
from aftermind.engine.stamp import numbered
from aftermind.engine.stored import storable
from aftermind.projections.recalling.candidate import Candidate
from aftermind.projections.recalling.lookups import neighbours
from aftermind.projections.recalling.recall import by_id
from aftermind.projections.recalling.shown.wording import shortened
from aftermind.projections.views.called import spelled

LONGEST, TEXT = 2_000, 2_000
"""Characters of what is said for a link, and of a neighbour's text."""
WIDEST = 500
"""Links that anybody may ask for."""
TOO_DEEP = f"a walk is 1 to {neighbours.DEPTH} links deep"


async def link(store: Opened, asked: Link) -> Linked:
    """Says it, once: what is said already stays as it is."""
    one_of(asked.relation, STATED_RELATIONS, "relation")
    words = as_stored(asked.evidence).strip()
    if len(words) > LONGEST:
        raise Unusable(f"what is said for a link is longer than {LONGEST:,} characters", f"{len(words):,} characters")
    first, done = await store.first_id()
    memory, other = await _ends(store, asked)
    told = Linked(id=memory.memory, relation=asked.relation, other=other.memory, events=(first,))
    if done:
        return told
    known: list[Linked] = []

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        known.clear()
        if asked.relation == "supersedes" and other.successor == memory.memory and other.status == "superseded":
            known.append(structs.replace(told, events=(), already=True))
            return {}
        own, others = (histories[memory_stream(one.memory)] for one in (memory, other))
        said = linking.said_already(asked.relation, memory.memory, other.memory, own, others)
        if said:
            known.append(structs.replace(told, events=tuple(id for _, id in said), already=True))
            return {}
        one, two = life.fold(memory.memory, own), life.fold(other.memory, others)
        who = linking.BY_HAND if asked.within is None else linking.BY_ASSISTANT
        (event,) = linking.link(one, two, asked.relation, words, who)
        stream = memory_stream(other.memory if asked.relation == "supersedes" else memory.memory)
        return {stream: [store.stamp.draft(event, id=first)]}

    await store.transact([memory_stream(memory.memory), memory_stream(other.memory)], drafts)
    return known[0] if known else told


async def unlink(store: Opened, asked: Unlink) -> Linked:
    """Takes it back, whoever said it; `NotFound` where nobody did."""
    one_of(asked.relation, STATED_RELATIONS, "relation")
    first, done = await store.first_id()
    memory, other = await _ends(store, asked)
    told = Linked(id=memory.memory, relation=asked.relation, other=other.memory, events=(first,))
    if done:
        return told

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        found: dict[StreamName, list[Draft]] = {}
        for source, event in _opposite(store, asked, memory, other, histories):
            draft = store.stamp.draft(event, id=numbered(first, sum(map(len, found.values())) + 1))
            found.setdefault(memory_stream(source), []).append(draft)
        if not found:
            what = f"{memory.memory} {asked.relation} {other.memory}"
            raise NotFound("link", what, hint=f"`aftermind links {memory.memory}` tells what there is")
        return found

    await store.transact([memory_stream(memory.memory), memory_stream(other.memory)], drafts)
    return told


def _opposite(
    store: Opened, asked: Unlink, memory: Candidate, other: Candidate, histories: Histories
) -> Sequence[tuple[MemoryId, Known]]:
    own, others = (histories[memory_stream(one.memory)] for one in (memory, other))
    if asked.relation != "supersedes":
        said = linking.said_already(asked.relation, memory.memory, other.memory, own, others)
        return [(source, MemoriesUnlinked(memory=source, link=event)) for source, event in said]
    if other.status != "superseded" or other.successor != memory.memory:
        return []
    events = life.restore(life.fold(other.memory, others), store.stamp.now(), store.policy.lifecycle)
    return [(other.memory, event) for event in events]


async def _ends(store: Opened, asked: Link | Unlink) -> tuple[Candidate, Candidate]:
    """Both memories, as whole ones. What one is said of belongs to who says it, and one of them sees the other."""
    memory, other = [await _whole(store, id) for id in (asked.id, asked.other)]
    if asked.within is not None and memory.scope not in await scopes_of(store, asked.within):
        hint = "it is linked from where it belongs"
        raise Refused(f"{memory.memory} belongs to another project, and is only seen here", hint=hint)
    if memory.scope not in await seen_by(store, other.scope) and other.scope not in await seen_by(store, memory.scope):
        hint = "`aftermind project share` lets one project see another's memories"
        raise Refused(f"{memory.memory} and {other.memory} are of projects that do not see each other", hint=hint)
    return memory, other


async def _whole(store: Opened, id: str) -> Candidate:
    found = await store.memory(await meant(store, id))
    past = found.status == "corrected" and found.successor
    return await store.memory(found.successor) if past and found.successor else found


# --- the walk -------------------------------------------------------------------------------------------------


async def links(store: Opened, asked: Links) -> Neighbourhood:
    if not 1 <= asked.depth <= neighbours.DEPTH:
        raise Unusable(TOO_DEEP, asked.depth, hint="begin again where it ends")
    breadth = neighbours.BREADTH if asked.breadth is None else asked.breadth
    limit = neighbours.MOST if asked.limit is None else asked.limit
    if not (1 <= breadth <= WIDEST and 1 <= limit <= WIDEST):
        raise Unusable(f"so many links are not told: 1 to {WIDEST}", f"{breadth} of one memory, {limit} in all")
    relations = all_of(asked.relations, neighbours.RELATIONS, "relation")
    starts, scopes = await _starts(store, asked)
    now = store.stamp.now()
    found = await store.read(
        lambda c: neighbours.walk(
            c, starts, scopes, now, depth=asked.depth, breadth=breadth, most=limit, relations=relations
        )
    )
    return Neighbourhood(starts=starts, links=await told(store, found), more=found.more)


async def behind(
    store: Opened, hits: Sequence[Recalled], scopes: tuple[Scope, ...], depth: int
) -> tuple[Recalled, ...]:
    """What is linked with what was found and is in force, each once, with what links it."""
    if not 1 <= depth <= neighbours.DEPTH:
        raise Unusable(TOO_DEEP, depth, hint="begin again where it ends")
    now, starts = store.stamp.now(), [hit.id for hit in hits]
    found = await store.read(lambda c: neighbours.walk(c, starts, scopes, now, depth=depth))
    known, told = set(starts), list[Recalled]()
    for step in found.steps:
        memory = await store.read(lambda c, id=step.memory: by_id(c, id, scopes))  # type: ignore[misc]
        if memory is not None and step.memory not in known and step.status == "live":
            known.add(step.memory)
            about = f" ({step.edge.entity})" if step.edge.entity else ""
            reason = f"{step.of} {step.edge.words(step.of)}{about}"
            told.append(
                Recalled(
                    id=step.memory,
                    text=memory.text,
                    rank=len(hits) + len(told) + 1,
                    score=0.0,
                    reasons=(reason,),
                    memory=remembered(memory),
                )
            )
    return tuple(told)


async def told(store: Opened, walk: neighbours.Walk) -> tuple[Neighbour, ...]:
    """With the words that were said for each."""
    return tuple(
        [
            Neighbour(
                relation=step.edge.words(step.of),
                of=step.of,
                id=step.memory,
                text=shortened(step.text, TEXT),
                kind=step.kind,
                status=step.status,
                depth=step.depth,
                evidence=await _evidence(store, step.edge),
                entity=step.edge.entity,
                event=step.edge.event,
            )
            for step in walk.steps
        ]
    )


async def _evidence(store: Opened, edge: neighbours.Edge) -> str:
    found = await store.log.find(edge.event) if edge.event is not None else None
    event = found.draft.event if found is not None else None
    return event.evidence if isinstance(event, MemoriesLinked) else ""


async def _starts(store: Opened, asked: Links) -> tuple[tuple[MemoryId, ...], tuple[Scope, ...]]:
    """Where the walk begins, and what may be seen on it."""
    id = storable(await meant(store, asked.what))
    memory = await store.read(lambda c: by_id(c, id, store.sees))
    here = await seen_of(store, asked.project)
    if memory is not None:
        own = memory.successor if memory.status == "corrected" and memory.successor else memory.memory
        scopes = await seen_by(store, memory.scope) if memory.scope != GLOBAL else here
        return (own,), scopes if store.sees is None else store.sees
    scopes = here if store.sees is None else store.sees
    words = spelled(asked.what)
    keys = [(key, key) for key in entities(asked.what)] + ([(words[0], " ".join(words))] if words else [])
    named = await store.read(lambda c: neighbours.naming(c, keys, scopes, store.stamp.now()))
    if not named:
        hint = "no memory here has that id or names that; `aftermind search` finds them"
        raise NotFound("memory", asked.what, hint=hint)
    return tuple(named), scopes


async def counts(store: Opened, asked: CountLinks) -> LinkCounts:
    scopes = store.sees or (None if asked.all else await seen_of(store, asked.project))
    now, most = store.stamp.now(), at_least_one(asked.limit) or asked.limit
    relations: Mapping[str, int] = await store.read(lambda c: neighbours.counted(c, scopes))
    hubs = await store.read(lambda c: neighbours.hubs(c, scopes, now, most))
    return LinkCounts(
        relations=dict(relations),
        most=tuple(Hub(id=id, text=shortened(text, TEXT), links=links) for id, text, links in hubs),
    )
