"""search_memory and explain_memory: what is remembered, and why."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, structs

from aftermind.cli.language.requests import Explain, Recall, Search
from aftermind.cli.offering.own_session import its_session
from aftermind.cli.offering.shown import COMPACT, FULL, NOTE, WHOLE, Shown, data, hit
from aftermind.cli.offering.tool import Tool
from aftermind.cli.offering.window import Window
from aftermind.cli.unanswered import FEW, empty_time, replaced
from aftermind.engine.names import Collection, EventId, Kind
from aftermind.projections.recalling.ranking.order import record
from aftermind.projections.recalling.shown.wording import shortened

STEPS, LONGEST_STEP = 60, 400


class Searched(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    query: Annotated[str, Meta(description="what to look for, in plain words; empty lists the newest")] = ""
    ids: Annotated[tuple[str, ...], Meta(description="instead of a query: these memories, whole", max_length=20)] = ()
    form: Annotated[Literal["full", "compact"], Meta(description="compact: one line each, to choose ids from")] = "full"
    limit: Annotated[int, Meta(ge=1, le=50)] = 5
    collections: tuple[Collection, ...] = ()
    kinds: tuple[Kind, ...] = ()
    history: Annotated[bool, Meta(description="also what was superseded, corrected or has expired")] = False


class Memories(Struct, frozen=True, kw_only=True, omit_defaults=True):
    note: str
    memories: tuple[Shown, ...]
    missing: Annotated[tuple[str, ...], Meta(description="ids that nothing here has")] = ()
    next: str = ""


class Named(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str


class Told(Struct, frozen=True, kw_only=True, omit_defaults=True):
    at: str
    what: str


class Story(Struct, frozen=True, kw_only=True, omit_defaults=True):
    note: str
    id: str
    text: str
    answer: str = ""
    collection: str
    status: str
    record: str
    steps: Annotated[tuple[Told, ...], Meta(description="oldest first")]
    earlier: Annotated[int, Meta(description="steps left out")] = 0


async def search(window: Window, key: EventId, asked: Searched) -> Memories:
    found = await window.ask(
        Search(
            session=await its_session(window),
            query=asked.query,
            ids=tuple(id.strip() for id in asked.ids),
            project=window.directory,
            client=window.client,
            limit=asked.limit,
            collections=asked.collections,
            kinds=asked.kinds,
            history=asked.history,
        ),
        key,
    )
    by_id = bool(asked.ids) and not asked.query.strip()
    most = COMPACT if asked.form == "compact" else WHOLE if by_id else FULL
    now = window.now()
    memories = tuple(hit(one, now, most) for one in found.memories)
    if memories or by_id:
        next = "ids gives these whole" if any(one.cut for one in memories) and not by_id else ""
    else:
        next = await _unanswered(window, asked)
    return Memories(note=NOTE, memories=memories, missing=found.missing, next=next)


async def _unanswered(window: Window, asked: Searched) -> str:
    """What the model may do now that nothing answers it. What it is shown it has to ask for: that is credited."""
    if empty := empty_time(asked.query, window.now()):
        return f"{empty} Name another time, or go on without."
    again = Recall(
        asked_by="assistant",
        query=asked.query,
        project=window.directory,
        limit=asked.limit,
        collections=asked.collections,
        kinds=asked.kinds,
        history=asked.history,
    )
    if asked.query.strip() and not asked.history:
        past = structs.replace(again, history=True)
        if newer := await replaced(window.ask, await window.ask(past), window.directory):
            which = ", ".join(one.newer.id for one in newer)
            return f"Only what was replaced answers that. ids gives what took its place: {which}"
    wider = "leave out collections and kinds" if asked.collections or asked.kinds else "use other words"
    if asked.query.strip():
        nearest = await window.ask(structs.replace(again, perhaps=True, limit=min(FEW, asked.limit)))
        if nearest:
            which = ", ".join(one.id for one in nearest)
            return f"Nothing here answers that for certain: ids gives what perhaps does ({which}); or {wider}."
    return f"Nothing here answers that: {wider}, or go on without."


async def explain(window: Window, key: EventId, asked: Named) -> Story:
    why = await window.ask(Explain(id=asked.id.strip(), within=window.directory))
    steps = [
        Told(at=step.at.isoformat(timespec="seconds"), what=shortened(data(step.what), LONGEST_STEP))
        for step in why.steps
    ]
    return Story(
        note=NOTE,
        id=why.id,
        text=shortened(data(why.memory.text), FULL),
        answer=shortened(data(why.memory.answer), FULL),
        collection=why.memory.collection,
        status=f"{why.memory.status}, locked" if why.memory.locked else why.memory.status,
        record=record(why.memory.outcomes),
        steps=tuple(steps[-STEPS:]),
        earlier=max(0, len(steps) - STEPS),
    )


SEARCH = Tool(
    name="search_memory",
    title="Search memory",
    about="What this project's earlier sessions learned, decided and tried. Use it before answering what the past may "
    "know: how things are done here, what failed, what the user prefers.",
    takes=Searched,
    gives=Memories,
    does=search,
    reads=True,
)
EXPLAIN = Tool(
    name="explain_memory",
    title="Explain a memory",
    about="Where a memory came from, where it was shown, how it did, how it changed.",
    takes=Named,
    gives=Story,
    does=explain,
    reads=True,
)
