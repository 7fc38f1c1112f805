"""Which item is meant, what is known of it, and one more thing said of it in its own stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import reduce

from msgspec import Struct

from aftermind.cli.answering.filing import scope_of, scopes_of
from aftermind.cli.answering.opened import Opened
from aftermind.engine.errors import Unusable
from aftermind.engine.item_events import ItemNamed, OfItems
from aftermind.engine.items import Item, evolve, fold, item_of, name_of
from aftermind.engine.log import Draft
from aftermind.engine.names import GLOBAL, EventId, ItemId, Scope, StreamName, item_stream
from aftermind.engine.private import is_private, without_private
from aftermind.engine.secrets import mask
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import storable
from aftermind.engine.transact import Histories

MOST = 24
"""Events that one thing said of an item leads to, at most."""


class Meant(Struct, frozen=True, kw_only=True):
    """An item by its name, in its project."""

    name: str
    id: ItemId
    scope: Scope

    @property
    def stream(self) -> StreamName:
        return item_stream(self.id)


async def meant(store: Opened, text: str, project: str | None, *, seen: bool = False) -> Meant:
    """The item that is meant. To be written to, its project is known from now on; to be `seen`, an unknown one has an
    item that nobody holds."""
    name = name_of(mask(without_private(storable(text))))
    if is_private(name):
        raise Unusable("an item cannot be private", name, hint="others have to know what is meant")
    if seen:
        known = (await scopes_of(store, project))[-1]
        scope = Scope("nowhere") if known == GLOBAL and project is not None else known
    else:
        scope = await scope_of(store, project)
    return Meant(name=name, id=item_of(scope, name), scope=scope)


class Became(Struct, frozen=True, kw_only=True):
    """An item before and after what was said of it."""

    before: Item
    after: Item


async def said(
    store: Opened,
    item: Meant,
    decision: Callable[[Item, datetime], Sequence[OfItems]],
    first: EventId | None = None,
) -> Became:
    """Appends what the item's state leads to now, only if nobody said anything of it meanwhile; raises what `decision`
    raises. The same request delivered again appends nothing, and tells what it led to; a `first` id that is given is
    known to be new."""
    first, done = (first, False) if first is not None else await store.first_id()
    if not done:

        def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
            state = fold(item.id, histories[item.stream])
            events = decision(state, store.stamp.now())
            ids = [first, *(derive_id(first, f"event {n}") for n in range(2, len(events) + 1))]
            found = [store.stamp.draft(event, id=id) for event, id in zip(events, ids, strict=False)]
            if found and not state.named:
                name = ItemNamed(item=item.id, scope=item.scope, text=item.name)
                found.insert(0, store.stamp.draft(name, id=derive_id(first, "named")))
            return {item.stream: found}

        await store.transact([item.stream], drafts)
    known = await store.log.stream(item.stream)
    place = next((place for place, one in enumerate(known) if one.draft.id == first), len(known))
    if done and place == len(known):
        raise Unusable("the key is that of another request", first, hint="each request has a key of its own")
    before = fold(item.id, known[:place])
    own = [one for one in known[place:] if one.draft.id == first or one.draft.id in _ids(first)]
    after = reduce(lambda state, one: evolve(state, one.draft.event, one.draft.at, one.draft.id), own, before)
    return Became(before=before, after=after)


def _ids(first: EventId) -> frozenset[EventId]:
    return frozenset(derive_id(first, f"event {n}") for n in range(2, MOST + 1))
