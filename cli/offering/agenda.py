"""agenda: what asks for somebody, as a model lists and keeps it: reminders, reviews, blockers."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Literal, assert_never

from msgspec import Meta, Struct

from aftermind.cli.dating.phrases import reminded
from aftermind.cli.language.answers import Remembered
from aftermind.cli.language.keeping import (
    Due,
    Finishing,
    Keep,
    Reminding,
    Resolving,
    Reviewing,
    Saying,
    Snoozing,
    Unreminding,
)
from aftermind.cli.language.requests import Remember
from aftermind.cli.offering.shown import COMPACT, by_the_clock, data
from aftermind.cli.offering.tool import Tool
from aftermind.cli.offering.window import Window
from aftermind.engine.errors import Unusable
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.names import EventId, Label
from aftermind.engine.zones import HERE
from aftermind.projections.recalling.shown.wording import shortened

AHEAD = timedelta(days=7)
Action = Literal["list", "remind", "snooze", "done", "drop", "reviewed", "resolved"]
Back = Literal["", "day", "weekday", "week", "month", "year"]


class Asked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    action: Action
    id: Annotated[str, Meta(description="of the memory; to remind of something new, leave it out and say text")] = ""
    text: Annotated[str, Meta(description="remind: what is to be done. resolved: what solved it")] = ""
    on: Annotated[str, Meta(description="remind, snooze: ISO, +2d, tomorrow 9:00, next monday, in 2 weeks")] = ""
    every: Annotated[Back, Meta(description="remind: it comes back")] = ""


class Item(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    text: str
    what: str = ""
    on: str = ""
    due: Annotated[bool, Meta(description="now")] = False
    every: str = ""


class Agenda(Struct, frozen=True, kw_only=True, omit_defaults=True):
    items: tuple[Item, ...]
    note: str = ""


async def agenda(window: Window, key: EventId, asked: Asked) -> Agenda:
    if asked.action == "list":
        return await _listed(window)
    says, note = _says(window, asked)
    if asked.action == "remind" and not asked.id.strip():
        return await _new(window, key, asked, says, note)
    if not asked.id.strip():
        raise Unusable(f"{asked.action} needs the id of a memory", asked.id, hint="action list shows them")
    found = await window.ask(Keep(id=asked.id.strip(), says=says, within=window.directory), key)
    return Agenda(items=(_item(found),), note=note)


async def _new(window: Window, key: EventId, asked: Asked, says: tuple[Saying, ...], note: str) -> Agenda:
    if not asked.text.strip():
        raise Unusable("remind needs a text, or the id of a memory", asked.text)
    (reminding,) = says
    assert isinstance(reminding, Reminding)
    told = Particulars(due=reminding.due, said=reminding.said, again=reminding.every)
    new = Remember(
        text=asked.text,
        kind="plan",
        project=window.directory,
        asked_by="assistant",
        within=window.directory,
        particulars=told,
    )
    id = await window.ask(new, key)
    text = shortened(data(asked.text), COMPACT)
    return Agenda(items=(Item(id=id, text=text, on=by_the_clock(reminding.due), every=reminding.every),), note=note)


def _says(window: Window, asked: Asked) -> tuple[tuple[Saying, ...], str]:
    """What is said of the memory, and what has to be told of the time."""
    match asked.action:
        case "remind" | "snooze":
            due, told = reminded(asked.on, window.now(), HERE)
            if asked.action == "snooze":
                return (Snoozing(until=due),), told
            return (Reminding(due=due, said=asked.on, every=Label(asked.every)),), told
        case "done":
            return (Finishing(),), ""
        case "drop":
            return (Unreminding(),), ""
        case "reviewed":
            return (Reviewing(),), ""
        case "resolved":
            return (Resolving(how=asked.text),), ""
        case "list":
            return (), ""
        case _:
            assert_never(asked.action)


async def _listed(window: Window) -> Agenda:
    ahead = int(AHEAD.total_seconds())
    found = await window.ask(Due(project=window.directory, ahead=ahead, limit=20, within=window.directory))
    return Agenda(
        items=tuple(
            Item(
                id=one.id,
                text=shortened(data(one.text), COMPACT),
                what=one.what,
                on=by_the_clock(one.at),
                due=one.overdue >= 0,
                every=one.again,
            )
            for one in found
        )
    )


def _item(found: Remembered) -> Item:
    told = found.particulars or Particulars()
    what = "resolved" if told.resolved else "put away" if found.status == "archived" else ""
    on = told.due or told.review
    text = shortened(data(found.text), COMPACT)
    return Item(id=found.id, text=text, what=what, on="" if on is None else by_the_clock(on), every=told.again)


AGENDA = Tool(
    name="agenda",
    title="What is due",
    about="Reminders, memories to be reviewed, blockers: list what is due now or within a week, remind of something, "
    "snooze, say that it is done, drop it, was reviewed and still holds, or is resolved.",
    takes=Asked,
    gives=Agenda,
    does=agenda,
    adds=True,
)
