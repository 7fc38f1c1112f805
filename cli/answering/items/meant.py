"""Which item is meant, what is known of it, and one more thing said of it in its own stream."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import reduce

from msgspec import Struct

from aftermind.cli.answering.filing import NOWHERE, own_scope, scope_of, scopes_of
from aftermind.cli.answering.opened import Opened
from aftermind.engine.errors import Unusable
from aftermind.engine.event_forms.items import ItemNamed, OfItems
from aftermind.engine.items.life import Item, evolve, fold, item_as_typed, item_of, name_of
from aftermind.engine.log import Draft
from aftermind.engine.logs.transact import Histories
from aftermind.engine.masking.private import is_private, without_private
from aftermind.engine.masking.secrets import mask
from aftermind.engine.names import EventId, ItemId, Scope, StreamName, item_stream
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import storable

MOST = 24
"""Events that one thing said of an item leads to, at most."""


_ID = re.compile(r"i[0-9a-f]{20}")
_KNOWN = """SELECT 1 FROM queued WHERE item = ?1 AND scope = ?2
  UNION ALL SELECT 1 FROM claim WHERE item = ?1 AND scope = ?2
  UNION ALL SELECT 1 FROM item WHERE id = ?1 AND scope = ?2"""
_WAITS = "SELECT 1 FROM queued WHERE item = ? AND scope = ? AND how = ''"


class Meant(Struct, frozen=True, kw_only=True):
    """An item by its name, in its project."""

    name: str
    id: ItemId
    scope: Scope
    by_its_id: bool = False

    @property
    def stream(self) -> StreamName:
        return item_stream(self.id)


async def meant(store: Opened, text: str, project: str | None) -> Meant:
    """The item that is to be taken or queued; its project is known from now on."""
    return await _meant(store, _name(text), await scope_of(store, project))


async def meant_already(store: Opened, text: str, project: str | None) -> Meant:
    """The item that something was said of, by its name, or by its id: one whose name was forgotten has no other.
    Writes nothing; a project that nobody knows has none."""
    return await _meant(store, _name(text), await _scope_known(store, project) or NOWHERE)


async def _meant(store: Opened, name: str, scope: Scope) -> Meant:
    if _ID.fullmatch(name) and await store.read(lambda c: c.execute(_KNOWN, (name, scope)).fetchone()) is not None:
        return Meant(name=name, id=ItemId(name), scope=scope, by_its_id=True)
    id, typed = item_of(scope, name), item_as_typed(scope, name)
    if typed != id and await _waits(store, typed, scope) and not await _waits(store, id, scope):
        id = typed  # what is listed by this name can be done by it
    return Meant(name=name, id=id, scope=scope)


async def _waits(store: Opened, id: ItemId, scope: Scope) -> bool:
    return await store.read(lambda c: c.execute(_WAITS, (id, scope)).fetchone()) is not None


async def scopes_listed(
    store: Opened, project: str | None, *, all: bool, within: str | None
) -> tuple[Scope, ...] | None:
    """Of which scopes items are listed: a project's own, or with `all` every one (None), of these those an assistant
    sees `within` a project. None at all where nobody knows the project."""
    own = await _scope_known(store, project)
    scopes = None if all else () if own is None else (own,)
    if within is None:
        return scopes
    seen = await scopes_of(store, within)
    return seen if scopes is None else tuple(scope for scope in scopes if scope in seen)


async def _scope_known(store: Opened, project: str | None) -> Scope | None:
    """What is said of a project has this scope alone; None where nobody knows it."""
    scope = await own_scope(store, project)
    return None if scope == NOWHERE else scope


def _name(text: str) -> str:
    name = name_of(mask(without_private(storable(text))))
    if is_private(name):
        raise Unusable("an item cannot be private", name, hint="others have to know what is meant")
    return name


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
            if not state.named and not item.by_its_id and (found or histories[item.stream]):
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
