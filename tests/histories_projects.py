"""What hypothesis may have said of projects and of items of work; part of `histories.py`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from aftermind.engine.event_forms.items import (
    ClaimReleased,
    ClaimRenewed,
    ItemBlocked,
    ItemClaimed,
    ItemDeferred,
    ItemFinished,
    ItemNamed,
    ItemNoted,
    ItemPlanned,
    ItemQueued,
    ItemUnblocked,
)
from aftermind.engine.event_forms.sharing import ProjectShared, SharingEnded
from aftermind.engine.events import Known, ProjectAliased, ProjectSeen
from aftermind.engine.log import Append
from aftermind.engine.names import (
    EventId,
    ItemId,
    Label,
    ProjectId,
    Scope,
    SessionId,
    StreamName,
    item_stream,
    project_stream,
    sharing_stream,
)
from tests.given import NOON

WITH_TEXT = (ItemNamed, ItemBlocked, ItemNoted)
"""Of an item, what somebody's words are in."""


def told_of_projects(step: str, one: int, two: int, text: str) -> tuple[StreamName, Known]:
    """Of a `project` what it is known by, of a `share` whom it sees or sees no more."""
    if step == "share":
        pair = ProjectId(f"p{one % 2}"), ProjectId(f"p{2 + two % 2}")
        said = SharingEnded if text else ProjectShared
        return sharing_stream(pair[0]), said(project=pair[0], sees=pair[1])
    aliases, project = (f"path:/{one}", f"name:{two}"), ProjectId("p1")
    form = ProjectSeen(project=project, name=text, aliases=aliases) if one % 2 else None
    return project_stream(project), form or ProjectAliased(project=project, aliases=aliases)


def told_of_items(one: int, two: int, text: str, before: Sequence[Append]) -> tuple[StreamName, Known]:
    """Of one of two items anything, whether it follows or not."""
    item, scope = ItemId(f"i{len(text) % 2}"), Scope(("global", "p1")[len(text) % 2])
    then, fence = NOON + timedelta(minutes=10 * two), one % 3 + 1
    own: dict[str, Any] = {"item": item, "scope": scope}
    in_the_way = [append.drafts[0].id for append in before if isinstance(append.drafts[0].event, ItemBlocked)]
    said: tuple[Known, ...] = (
        ItemClaimed(**own, fence=fence, until=then, by=Label("ada"), session=SessionId("s0") if two % 2 else None),
        ItemNamed(**own, text=text),
        ClaimRenewed(**own, fence=fence, until=then),
        ClaimReleased(**own, fence=fence, why=Label("released")),
        ItemQueued(**own, priority=two, due=then if two % 2 else None),
        ItemPlanned(**own, priority=one),
        ItemDeferred(**own, until=then if two % 2 else None),
        ItemBlocked(**own, by=text, on=ItemId("i1") if two % 2 else None),
        ItemUnblocked(**own, blocker=in_the_way[-1] if in_the_way else EventId("b")),
        ItemFinished(**own, how=Label("done")),
        ItemNoted(**own, text=text),
    )
    return item_stream(item), said[(one + 3 * two + len(text)) % len(said)]
