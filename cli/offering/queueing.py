"""queue: what waits to be done here, as a model adds to it, is given the next, and says how it went."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct, structs

from aftermind.cli.dating.phrases import reminded
from aftermind.cli.language.queueing import Arrange, ListQueue, NextItem, Queue, Waiting, What
from aftermind.cli.offering.own_session import as_holder, its_session
from aftermind.cli.offering.shown import by_the_clock, data
from aftermind.cli.offering.tool import Tool
from aftermind.cli.offering.window import Window
from aftermind.engine.names import EventId
from aftermind.engine.zones import HERE

LISTED = 20


class Asked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    action: Literal["add", "next", "list", "done", "skip", "defer", "block", "unblock", "plan"]
    item: str = ""
    priority: Annotated[int | None, Meta(description="add, plan: 1 (first) to 5")] = None
    when: Annotated[str, Meta(description="add, plan: due. defer: until. ISO, +2d, next monday")] = ""
    by: Annotated[str, Meta(description="block, unblock: what stands in the way, or another item")] = ""
    note: str = ""
    fence: Annotated[int | None, Meta(description="of what you hold")] = None


class Line(Struct, frozen=True, kw_only=True, omit_defaults=True):
    item: str
    state: str
    priority: int = 3
    due: str = ""
    by: Annotated[tuple[str, ...], Meta(description="who holds it, or what blocks it")] = ()
    fence: int = 0
    notes: tuple[str, ...] = ()


class Lines(Struct, frozen=True, kw_only=True, omit_defaults=True):
    items: tuple[Line, ...]


async def queue(window: Window, key: EventId, asked: Asked) -> Lines:
    place = window.directory
    at = reminded(asked.when, window.now(), HERE)[0] if asked.when.strip() else None
    match asked.action:
        case "list":
            found = await window.ask(ListQueue(project=place, within=place, limit=LISTED))
        case "add":
            add = Queue(
                items=(asked.item,), project=place, priority=asked.priority, due=at, note=asked.note, within=place
            )
            found = await window.ask(add, key)
        case "next":
            session = await its_session(window)
            following = NextItem(
                project=place, take=True, by=window.client, client=window.client, session=session, within=place
            )
            one = await window.ask(following, key)
            found = () if one is None else (one,)
        case _:
            arrange = _arrange(asked, asked.action, at, place)
            by = lambda own: window.ask(structs.replace(arrange, session=own), key)  # noqa: E731
            found = (await as_holder(window, await its_session(window), asked.fence, by),)
    return Lines(items=tuple(map(_line, found)))


def _arrange(asked: Asked, what: What, at: datetime | None, place: str) -> Arrange:
    return Arrange(
        item=asked.item,
        what=what,
        project=place,
        priority=asked.priority,
        due=at if asked.action == "plan" else None,
        until=at if asked.action == "defer" else None,
        by=asked.by,
        note=asked.note,
        fence=asked.fence,
        within=place,
    )


def _line(one: Waiting) -> Line:
    by = (one.lease.by,) if one.lease is not None else tuple(data(blocker.by) for blocker in one.blockers)
    return Line(
        item=data(one.item),
        state=one.state,
        priority=one.priority,
        due="" if one.due is None else by_the_clock(one.due),
        by=by,
        fence=0 if one.lease is None else one.lease.fence,
        notes=tuple(map(data, one.notes)),
    )


QUEUE = Tool(
    name="queue",
    title="What waits to be done",
    about="The project's open work. next: what goes first, held for you from now on as by claim take. done, skip, "
    "defer, block: what became of it. add and plan: more, or in another order. list: all that waits.",
    takes=Asked,
    gives=Lines,
    does=queue,
    adds=True,
)
