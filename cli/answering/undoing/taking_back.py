"""Undo: what happened to memories by a decision is taken back, with what followed from it at once.

What brings it about has an id that follows from what it undoes, so that twice is once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import structs

from aftermind.cli.answering.filing import must_be_known, scopes_of
from aftermind.cli.answering.keeping.restoring import contradicting, opposed
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.undoing.grouping import Group, grouped, is_undoing, is_undone, last_undoing
from aftermind.cli.answering.undoing.opposites import nothing_left, opposites, refuse_what_is_gone
from aftermind.cli.language.books import PROJECT_FORMS
from aftermind.cli.language.explaining import in_words
from aftermind.cli.language.undoing import Step, Taken, Undo, Undoable
from aftermind.engine.errors import NotFound, Refused
from aftermind.engine.event_forms.particulars import MemoriesTidied, MemoryDated, ReminderDone
from aftermind.engine.events import (
    BookIngested,
    BookRemoved,
    Event,
    ExchangeJudged,
    MemoriesLinked,
    MemoryArchived,
    MemoryDemoted,
    MemoryForgotten,
    MemoryPromoted,
    MemoryRecorded,
    MemoryRestored,
    MemoryScored,
    MemorySuperseded,
)
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.logs.transact import Histories
from aftermind.engine.memories import undoing, undoing_particulars
from aftermind.engine.names import (
    MACHINES,
    EventId,
    MemoryId,
    Position,
    Scope,
    StreamName,
    memory_stream,
    named_by,
)
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import storable
from aftermind.projections.recalling.recall import by_id
from aftermind.projections.recalling.shown.wording import shortened

PAGE, FARTHEST = 500, 20_000
"""Events that are read at once, and how far back what can be undone is looked for."""
MOST_TRIED = 200
"""Things that cannot be undone, before it is given up to find one that can be."""
LONGEST = 80
_TOGETHER = (
    (MemoryRecorded, (MemoriesLinked, *undoing_particulars.FORMS)),
    (ReminderDone, MemoryArchived),
    (MemoryRestored, MemoriesLinked),
)
"""What follows from what in the history of one memory, and is no step of its own."""
_FINAL = (MemoryForgotten, BookRemoved)


async def undoable(store: Opened, asked: Undoable) -> tuple[Step, ...]:
    await store.views.reached(None)
    if asked.what:
        return tuple([await _step(store, await _meant(store, what)) for what in dict.fromkeys(asked.what)])
    return tuple((await _happened(store, asked))[0])


async def _happened(store: Opened, asked: Undoable, *, beyond: bool = False) -> tuple[list[Step], Recorded | None]:
    """The newest first; and what cannot be undone, where that ended the search, unless it goes `beyond`: who wants back
    what was just forgotten does not mean what he did before."""
    found: list[Step] = []
    left, back = MOST_TRIED, set[str]()
    end = int(store.log.head.position)
    if not asked.all:
        await must_be_known(store, asked.project)
    seen = None if asked.all else await scopes_of(store, asked.project)
    while len(found) < asked.limit and left and end > 0 and store.log.head.position - end < FARTHEST:
        start = max(0, end - PAGE)
        page = [one for one in await store.log.after(Position(start), limit=PAGE) if one.position <= end]
        ids = {one.draft.id for one in page if _is_listed(one)}
        for one in reversed(page):
            event = one.draft.event
            if isinstance(event, BookIngested):
                back.add(event.book)
            came_back = isinstance(event, BookRemoved) and event.book in back
            ends = asked.open and not beyond and isinstance(event, _FINAL) and not came_back
            listed = _is_listed(one) and one.draft.because not in ids and len(found) < asked.limit and left
            if not ends and not listed:
                continue
            scope = await _scope(store, one)
            if seen is not None and scope is not None and scope not in seen:
                continue
            if ends:
                return found, one
            step = await _step(store, one)
            if asked.open and step.why_not:
                left -= 1
            else:
                found.append(structs.replace(step, scope=scope))
        end = start
    return found, None


async def undo(store: Opened, asked: Undo) -> tuple[Taken, ...]:
    meant = (
        [await _meant(store, what) for what in dict.fromkeys(asked.what)] if asked.what else [await _last(store, asked)]
    )
    groups = [await grouped(store, one) for one in meant]
    streams = dict.fromkeys(one.stream for group in groups for one in group.all)
    known = {stream: list(await store.log.stream(stream)) for stream in streams}
    for group in groups:  # one that cannot be undone keeps the others as they are
        refuse_what_is_gone(group.first, known[group.first.stream])
        if not await is_undone(store, group.first) and not opposites(store, group, known):
            raise nothing_left(store, group, known)
    taken: list[Taken] = []
    for group in groups:
        step = _told(group.first, await _text(store, group.first))
        if await is_undone(store, group.first):
            taken.append(Taken(step=step, already=True))
            continue
        taken.append(await _taken(store, group, step))
    await store.views.reached(None)
    return tuple(taken)


async def _taken(store: Opened, group: Group, step: Step) -> Taken:
    by: list[EventId] = []
    streams = list(dict.fromkeys(one.stream for one in group.all))
    trial = opposites(store, group, {stream: list(await store.log.stream(stream)) for stream in streams})
    back = [event.memory for event in _events(trial) if isinstance(event, MemoryRestored)]
    if isinstance(group.first.draft.event, MemorySuperseded):  # who takes that back says that both are so
        back = []
    others = await store.read(lambda c: opposed(c, back, store.stamp.now()))

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        found = opposites(store, group, {stream: list(history) for stream, history in histories.items()})
        by[:] = [draft.id for some in found.values() for draft in some]
        if not by:
            raise nothing_left(store, group, {stream: list(history) for stream, history in histories.items()})
        away = {event.memory for event in _events(found) if isinstance(event, MemoryArchived | MemorySuperseded)}
        linked = {_ends(event) for event in _events(found)} - {None}
        for some in found.values():
            links = [link for draft in some for link in _objections(store, draft, others, away)]
            some += [link for link in links if _ends(link.event) not in linked]
        return found

    await store.transact(streams, drafts)
    return Taken(step=step, by=tuple(by))


def _events(found: Mapping[StreamName, Sequence[Draft]]) -> list[Event]:
    return [draft.event for some in found.values() for draft in some]


def _ends(event: Event) -> tuple[MemoryId, MemoryId] | None:
    return (event.memory, event.other) if isinstance(event, MemoriesLinked) else None


def _objections(
    store: Opened, draft: Draft, others: Mapping[MemoryId, Mapping[MemoryId, str]], away: Collection[MemoryId]
) -> list[Draft]:
    """What a memory that comes back contradicts, of what holds then."""
    if not isinstance(draft.event, MemoryRestored):
        return []
    against = {id: words for id, words in others.get(draft.event.memory, {}).items() if id not in away}
    links = contradicting(draft.event.memory, against)
    ids = [derive_id(draft.id, f"{link.relation} {link.other}") for link in links]
    return [store.stamp.draft(link, id=id, because=draft.id) for link, id in zip(links, ids, strict=True)]


# --- what is meant --------------------------------------------------------------------------------------------


async def _meant(store: Opened, what: str) -> Recorded:
    if what.isdecimal() and len(what) < 19:
        position = Position(int(what))
        found = await store.log.after(Position(max(position - 1, 0)), limit=1)
        if not found or found[0].position != position:
            raise NotFound("event", what, hint="`aftermind undo --list` shows what can be undone")
        return found[0]
    if (event := await store.log.find(EventId(storable(what)))) is not None:
        return event
    memory = await store.memory(what)
    whole = memory.successor if memory.status == "corrected" and memory.successor else memory.memory
    history = await store.log.stream(memory_stream(whole))
    causes = {one.draft.id: one.draft.event for one in history}
    for one in reversed(history):
        said, cause = one.draft.event, causes.get(one.draft.because) if one.draft.because is not None else None
        if any(isinstance(cause, one) and isinstance(said, other) for one, other in _TOGETHER):
            continue
        if _is_a_step(one) and await _is_open(store, one):
            return await _elsewhere(store, one) or one
    raise Refused(f"nothing happened to {whole} that can be undone", hint="`aftermind undo --list` shows what can be")


async def _elsewhere(store: Opened, one: Recorded) -> Recorded | None:
    """What gave a memory its end anew, where that happened to another one: half of it is not taken back."""
    if not isinstance(one.draft.event, MemoryDated) or one.draft.because is None:
        return None
    cause = await store.log.find(one.draft.because)
    elsewhere = cause is not None and isinstance(cause.draft.event, MemoryArchived | MemoryDated)
    return cause if elsewhere and cause is not None and cause.stream != one.stream else None


async def _last(store: Opened, asked: Undo) -> Recorded:
    wanted = Undoable(limit=1, project=asked.project, all=asked.all, open=True)
    steps, final = await _happened(store, wanted)
    for step in steps:
        if (found := await store.log.find(step.event)) is not None:
            return found
    if final is not None:
        before, _ = await _happened(store, wanted, beyond=True)
        hint = f"`aftermind undo {before[0].position}` takes back what was before: {before[0].what}" if before else ""
        if isinstance(final.draft.event, BookRemoved):
            again = await _takes_in(store, final)
            raise Refused(f"the last thing here took a book out: `aftermind {again}` takes it in again", hint=hint)
        raise Refused("the last thing here was a forgetting, and what was forgotten is gone", hint=hint)
    hint = "`aftermind undo --list` shows what happened, and why that is so"
    raise Refused("there is nothing to undo" if asked.all else "there is nothing to undo here", hint=hint)


async def _takes_in(store: Opened, removed: Recorded) -> str:
    """The command that reads what the book was made of."""
    editions = [one.draft.event for one in await store.log.stream(removed.stream)]
    form = next((one.form for one in reversed(editions) if isinstance(one, BookIngested)), "")
    return "onboard" if form in PROJECT_FORMS else "ingest"


async def _is_open(store: Opened, one: Recorded) -> bool:
    return not (await _step(store, one)).why_not


def _is_a_step(one: Recorded) -> bool:
    """Whether it is something that can be wished undone, and no undoing itself."""
    event = one.draft.event
    if is_undoing(one):
        return False
    if isinstance(event, MemoryRecorded):
        return event.book is None and event.kind != "exchange"
    return isinstance(event, (*undoing.FORMS, ExchangeJudged, MemoryForgotten, MemoriesTidied))


def _is_listed(one: Recorded) -> bool:
    """Whether it is a step, and no machine's verdict nor what rose or sank by one: these are replaced by another
    verdict. What a verdict taught is a step."""
    event = one.draft.event
    verdict = isinstance(event, (ExchangeJudged, MemoryScored)) and event.judge in MACHINES
    moved = isinstance(event, (MemoryPromoted, MemoryDemoted)) and one.draft.because is not None
    return _is_a_step(one) and not verdict and not moved


# --- what is told ---------------------------------------------------------------------------------------------


async def _step(store: Opened, one: Recorded) -> Step:
    """Whether it can be undone, found by trying."""
    step = _told(one, await _text(store, one))
    try:
        if await is_undone(store, one):
            by = await last_undoing(store, one)
            return structs.replace(step, why_not="it is undone", hint=f"`aftermind undo {by}` undoes that")
        group = await grouped(store, one)
        histories = {each.stream: list(await store.log.stream(each.stream)) for each in group.all}
        refuse_what_is_gone(one, histories[one.stream])
        if not opposites(store, group, histories):
            raise nothing_left(store, group, histories)
    except (Refused, NotFound) as error:
        return structs.replace(step, why_not=str(error), hint=error.hint)
    return step


def _told(one: Recorded, text: str) -> Step:
    memory = MemoryId(named_by(one.stream, "memory"))
    what = in_words(one, memory).what
    return Step(event=one.draft.id, position=one.position, at=one.draft.at, what=what, memory=memory or None, text=text)


async def _scope(store: Opened, one: Recorded) -> Scope | None:
    """Of the event, its exchange, or its memory."""
    event = one.draft.event
    if isinstance(event, ExchangeJudged):
        found = await store.log.find(event.exchange)
        return None if found is None else getattr(found.draft.event, "scope", None)
    if (own := getattr(event, "scope", None)) is not None:
        return Scope(own)
    if isinstance(event, MemoriesTidied):  # of the first of them
        following = await store.log.after(one.position, limit=1)
        return await _scope(store, following[0]) if following and following[0].draft.because == one.draft.id else None
    row = await store.read(lambda c: by_id(c, named_by(one.stream, "memory")))
    return None if row is None else row.scope


async def _text(store: Opened, one: Recorded) -> str:
    memory = named_by(one.stream, "memory")
    found = await store.read(lambda c: by_id(c, memory))
    return "" if found is None else shortened(" ".join((found.text or found.answer).split()), LONGEST)
