"""What is meant by a word, where it is asked."""

from __future__ import annotations

from aftermind.cli.answering.filing import seen_of
from aftermind.cli.answering.fit import said
from aftermind.cli.answering.opened import Opened
from aftermind.engine.errors import Unusable
from aftermind.engine.names import Scope
from aftermind.engine.stored import storable
from aftermind.projections.recalling.lookups import entity
from aftermind.projections.recalling.lookups.entity import Thing

LONGEST = 300


async def meant_in(store: Opened, text: str, project: str | None) -> tuple[Thing, tuple[Scope, ...]]:
    """What is meant in a project, and the scopes that are seen there."""
    text = storable(said(text, "what is asked about").strip())
    if len(text) > LONGEST:
        raise Unusable(f"what is asked about has more than {LONGEST} characters", f"{len(text):,} characters")
    scopes = await seen_of(store, project)
    return await store.read(lambda c: entity.meant(text, entity.home(c, scopes[-1]))), scopes
