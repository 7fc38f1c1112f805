"""What somebody says that two memories have to do with each other, decided on their histories. Pure.

A link is a `memories-linked` event in the history of the memory that it is said of; that one memory `supersedes`
another is no word beside it, but the end of the other, as where a statement replaces one. Said again it is said once,
and what is `contradicts` or `same-entity` holds from both sides, whichever it was said from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, get_args

from aftermind.engine import memory as life
from aftermind.engine.errors import Refused
from aftermind.engine.events import Known, MemoriesLinked, MemoriesUnlinked
from aftermind.engine.log import Recorded
from aftermind.engine.memory import Memory
from aftermind.engine.names import EventId, Label, MemoryId

Stated: TypeAlias = Literal["supports", "contradicts", "supersedes", "follows", "same-entity"]
STATED_RELATIONS: tuple[Stated, ...] = get_args(Stated)
MUTUAL = frozenset({"contradicts", "same-entity", "related"})
"""What holds from both sides."""
BY_HAND, BY_ASSISTANT = "said by hand", "said by an assistant"
"""Why a memory took another's place, where a person or an assistant said so."""


def in_force(history: Sequence[Recorded]) -> Mapping[EventId, MemoriesLinked]:
    """What a memory's history says of others and does not take back, by the event that says it."""
    found: dict[EventId, MemoriesLinked] = {}
    for one in history:
        event = one.draft.event
        if isinstance(event, MemoriesLinked):
            found[one.draft.id] = event
        elif isinstance(event, MemoriesUnlinked):
            found.pop(event.link, None)
    return found


def said_already(
    relation: str, memory: MemoryId, other: MemoryId, own: Sequence[Recorded], others: Sequence[Recorded]
) -> tuple[tuple[MemoryId, EventId], ...]:
    """The links that say it: in whose history each stands, and as which event. `own`, `others`: both histories."""
    sides = [(memory, other, own)] + ([(other, memory, others)] if relation in MUTUAL else [])
    return tuple(
        (source, id)
        for source, target, history in sides
        for id, link in in_force(history).items()
        if link.relation == relation and link.other == target
    )


def link(memory: Memory, other: Memory, relation: Stated, evidence: str, why: str = BY_HAND) -> tuple[Known, ...]:
    """What says it; of `supersedes` an event of the other memory, of all else one of the first. `Refused` where one of
    them is itself, is put away, or cannot take the other's place."""
    if memory.id == other.id:
        raise Refused(f"{memory.id} is one memory, and is linked with another", hint="name another one")
    for one in (memory, other):
        if one.status != "superseded" or relation == "supersedes":
            life.must_be_live(one)
    if relation == "supersedes":
        if memory.scope != other.scope:
            hint = "a memory takes the place of one of its own scope"
            raise Refused(f"{other.id} belongs to another project", hint=hint)
        return life.supersede(other, memory.id, why, evidence)
    return (MemoriesLinked(memory=memory.id, other=other.id, relation=Label(relation), evidence=evidence),)
