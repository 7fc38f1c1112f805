"""What a model keeps: a fact, another wording of one, the end of one, an exchange its client does not hand over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from aftermind.cli.language.answers import Related
from aftermind.cli.language.requests import Correct, Explain, Forget, Record, Remember
from aftermind.cli.offering.own_session import begun_session
from aftermind.cli.offering.shown import COMPACT, FULL, data
from aftermind.cli.offering.tool import Tool
from aftermind.cli.offering.window import Window
from aftermind.engine.errors import NotFound
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.names import EventId, MemoryId
from aftermind.projections.recalling.shown.wording import quoted, shortened

Stated = Literal["fact", "preference", "configuration", "decision", "blocker", "procedure", "plan", "idea"]


class Kept(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(description="one statement that makes sense alone, with names and values")]
    kind: Stated = "fact"
    tags: Annotated[tuple[str, ...], Meta(max_length=8)] = ()
    why: str = ""
    learned: str = ""
    everywhere: Annotated[bool, Meta(description="true in all projects")] = False
    replaces: Annotated[str, Meta(description="id of a memory that this makes untrue")] = ""


class Added(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`replaced`: the ids of what is history now. `note`: what that said, and what else this has to do with."""

    id: str
    replaced: tuple[str, ...] = ()
    note: str = ""


class Reworded(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    text: Annotated[str, Meta(description="the whole new wording")]
    reason: str = ""


class Now(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`note`: what it takes the place of now, and what else it has to do with."""

    id: str
    text: str
    note: str = ""


class Gone(Struct, frozen=True, kw_only=True):
    deleted: str


class Deleted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str


class Responded(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    prompt: Annotated[str, Meta(description="what the user asked, in the user's words")]
    response: Annotated[str, Meta(description="what you answered or did, and how it came out")]


class Recorded(Struct, frozen=True, kw_only=True):
    exchange: str
    memory: str


async def add(window: Window, key: EventId, asked: Kept) -> Added:
    memory: MemoryId = await window.ask(
        Remember(
            text=asked.text,
            kind=asked.kind,
            project=None if asked.everywhere else window.directory,
            tags=asked.tags,
            supersedes=asked.replaces.strip() or None,
            asked_by="assistant",
            within=window.directory,
            particulars=Particulars(why=asked.why, learned=asked.learned),
        ),
        key,
    )
    related = await _related(window, memory)
    replaced = tuple(one.id for one in related if one.relation == "replaced")
    return Added(id=memory, replaced=replaced, note=_note(related))


async def _related(window: Window, memory: MemoryId) -> Sequence[Related]:
    """What it has to do with others, now that it says what it says."""
    try:
        return (await window.ask(Explain(id=memory, within=window.directory))).related
    except NotFound:  # kept before under this key, and forgotten since
        return ()


def _note(related: Sequence[Related]) -> str:
    told = {"replaced": "It takes the place of", "replaced by": "History: newer is", "contradicts": "It contradicts"}
    return "\n".join(
        f"{told[one.relation]} {one.id}: {shortened(quoted(one.text), COMPACT)}"
        for one in related
        if one.relation in told
    )


async def update(window: Window, key: EventId, asked: Reworded) -> Now:
    correct = Correct(id=asked.id.strip(), text=asked.text, reason=asked.reason, within=window.directory)
    memory = await window.ask(correct, key)
    note = _note(await _related(window, memory.id))
    return Now(id=memory.id, text=shortened(data(memory.text), FULL), note=note)


async def delete(window: Window, key: EventId, asked: Deleted) -> Gone:
    id = asked.id.strip()
    await window.ask(Forget(id=id, within=window.directory), key)
    return Gone(deleted=id)


async def record(window: Window, key: EventId, asked: Responded) -> Recorded:
    exchange = await window.ask(
        Record(
            prompt=asked.prompt,
            answer=asked.response,
            session=await begun_session(window),
            project=window.directory,
            client=window.client,
        ),
        key,
    )
    return Recorded(exchange=exchange.id, memory=exchange.memory)


ADD = Tool(
    name="add_to_memory_bank",
    title="Keep in memory",
    about="Keeps one lasting statement: what the user asks to remember, a preference, a decision and why, a "
    "value hard to find. Not the course of work, which is recorded anyway.",
    takes=Kept,
    gives=Added,
    does=add,
)
UPDATE = Tool(
    name="update_memory",
    title="Correct a memory",
    about="Rewords a memory that is wrong or out of date. What it said stays in history.",
    takes=Reworded,
    gives=Now,
    does=update,
    destroys=True,
)
DELETE = Tool(
    name="delete_memory",
    title="Delete a memory",
    about="Forgets a memory for good, in every answer. Only when the user wants it gone; what is merely wrong is "
    "for update_memory.",
    takes=Deleted,
    gives=Gone,
    does=delete,
    destroys=True,
)
RECORD = Tool(
    name="record_response",
    title="Record an exchange",
    about="Records what was asked and what came of it. Only where memory_status says that this client does not "
    "hand over its exchanges by itself.",
    takes=Responded,
    gives=Recorded,
    does=record,
    adds=True,
)
