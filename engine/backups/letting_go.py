"""What was held when a backup was made is nobody's when it is restored: it may have been released since and held by
others, whose claims are in no log any more. An old number that held again would be the one thing a number is to
prevent."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aftermind.engine.event_forms.items import ClaimReleased, ItemClaimed
from aftermind.engine.items.life import Item, fold
from aftermind.engine.log import Append, Recorded
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.logs.sqlite_pen import Tail
from aftermind.engine.logs.verify import tail_of
from aftermind.engine.names import ItemId, Label, Scope, StreamName, named_by
from aftermind.engine.sqlite import database
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.lasting import flushed

RESTORED = Label("restored")


async def let_go(path: Path, stamp: Stamp) -> tuple[Tail, int]:
    """Appends to a log, which nobody else has open, that its claims are over; how it ends then, and how many that
    were."""
    async with sqlite_log(path, stamp) as log:
        taken: dict[StreamName, Scope] = {}
        for one in await log.tagged("item-claimed"):
            if isinstance(one.draft.event, ItemClaimed):
                taken[one.stream] = one.draft.event.scope
        over = [_over(stream, scope, await log.stream(stream), stamp) for stream, scope in taken.items()]
        appends = [append for append in over if append is not None]
        if appends:
            await log.append(*appends)
    flushed(path)
    async with database(path, "read") as reader:
        return await reader.run(tail_of), len(appends)


def _over(stream: StreamName, scope: Scope, history: Sequence[Recorded], stamp: Stamp) -> Append | None:
    item: Item = fold(ItemId(named_by(stream, "item")), history)
    if item.claim is None or not item.claim.holds(stamp.now()):
        return None
    event = ClaimReleased(item=item.id, scope=scope, fence=item.claim.fence, why=RESTORED)
    return Append(stream=stream, drafts=(stamp.draft(event),))
