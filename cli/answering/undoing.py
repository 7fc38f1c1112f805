"""Undo: what happened to memories by a decision is taken back, with what followed from it at once.

What brings it about has an id that follows from what it undoes, so that twice is once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from msgspec import Struct, structs

from aftermind.cli.answering.filing import must_be_known, scopes_of
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.explaining import in_words
from aftermind.cli.language.stopping import who
from aftermind.cli.language.undoing import Step, Taken, Undo, Undoable
from aftermind.engine.errors import NotFound, Refused
from aftermind.engine.event_forms.particulars import MemoriesTidied, ReminderDone
from aftermind.engine.event_forms.sharing import ProjectShared, SharingEnded
from aftermind.engine.events import (
    BookIngested,
    BookRemoved,
    CapturePaused,
    CaptureResumed,
    Erased,
    ExchangeJudged,
    Known,
    MemoriesLinked,
    MemoryArchived,
    MemoryCorrected,
    MemoryDemoted,
    MemoryForgotten,
    MemoryPromoted,
    MemoryRecorded,
    MemoryRestored,
    MemoryScored,
    WordsForgotten,
)
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.logs.transact import Histories
from aftermind.engine.memories import undoing, undoing_particulars
from aftermind.engine.memories.undoing import undoing_of
from aftermind.engine.names import MACHINES, EventId, Label, MemoryId, Position, Scope, StreamName, memory_stream
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import storable
from aftermind.projections.recalling.briefing import shortened
from aftermind.projections.recalling.recall import by_id

PAGE, FARTHEST = 500, 20_000
"""Events that are read at once, and how far back what can be undone is looked for."""
MOST_TRIED = 200
"""Things that cannot be undone, before it is given up to find one that can be."""
MOST_OF_ONE = 4
"""Events of one memory, at most, of those that were tidied at once."""
AT_ONCE = 60
"""Events of one append, at most, that follow from its first."""
LONGEST = 80
_LEAD = (MemoryRecorded, MemoryRestored, MemoryCorrected, MemoryScored, ExchangeJudged, ReminderDone, MemoriesTidied)
"""With what follows from one of these at once it is taken back."""
_TOGETHER = (
    (MemoryRecorded, (MemoriesLinked, *undoing_particulars.FORMS)),
    (ReminderDone, MemoryArchived),
    (MemoryRestored, MemoriesLinked),
)
"""What follows from what in the history of one memory, and is no step of its own."""
_WAYS = {
    "book-ingested": ("a book is taken away by hand", "`aftermind remove BOOK`"),
    "book-removed": ("a book is read in again", "`aftermind ingest PATH`"),
    "capture-paused": ("a pause is ended by hand", "`aftermind resume`"),
    "capture-resumed": ("a pause is begun by hand", "`aftermind pause`"),
    "project-shared": ("sharing is ended by hand", "`aftermind project unshare PROJECT`"),
    "sharing-ended": ("a project is shared by hand", "`aftermind project share PROJECT`"),
}


class _Group(Struct, frozen=True):
    """Something that happened, and what followed from it in the same append, in order."""

    first: Recorded
    after: tuple[Recorded, ...]

    @property
    def all(self) -> tuple[Recorded, ...]:
        return (self.first, *self.after)


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
    groups = [await _group(store, one) for one in meant]
    streams = dict.fromkeys(one.stream for group in groups for one in group.all)
    known = {stream: list(await store.log.stream(stream)) for stream in streams}
    for group in groups:  # one that cannot be undone keeps the others as they are
        _refuse_what_is_gone(group.first, known[group.first.stream])
        if not await _is_undone(store, group.first) and not _opposites(store, group, known):
            raise _nothing_left(group, known)
    taken: list[Taken] = []
    for group in groups:
        step = _told(group.first, await _text(store, group.first))
        if await _is_undone(store, group.first):
            taken.append(Taken(step=step, already=True))
            continue
        taken.append(await _taken(store, group, step))
    await store.views.reached(None)
    return tuple(taken)


async def _taken(store: Opened, group: _Group, step: Step) -> Taken:
    by: list[EventId] = []

    def drafts(histories: Histories) -> dict[StreamName, list[Draft]]:
        found = _opposites(store, group, {stream: list(history) for stream, history in histories.items()})
        by[:] = [draft.id for some in found.values() for draft in some]
        if not by:
            raise _nothing_left(group, {stream: list(history) for stream, history in histories.items()})
        return found

    await store.transact(list(dict.fromkeys(one.stream for one in group.all)), drafts)
    return Taken(step=step, by=tuple(by))


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
            return one
    raise Refused(f"nothing happened to {whole} that can be undone", hint="`aftermind undo --list` shows what can be")


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
            raise Refused("the last thing here took a book out: `aftermind ingest` takes it in again", hint=hint)
        raise Refused("the last thing here was a forgetting, and what was forgotten is gone", hint=hint)
    hint = "`aftermind undo --list` shows what happened, and why that is so"
    raise Refused("there is nothing to undo" if asked.all else "there is nothing to undo here", hint=hint)


async def _is_open(store: Opened, one: Recorded) -> bool:
    return not (await _step(store, one)).why_not


def _is_a_step(one: Recorded) -> bool:
    """Whether it is something that can be wished undone, and no undoing itself."""
    event = one.draft.event
    if one.draft.because is not None and one.draft.id == undoing_of(one.draft.because):
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


async def _is_undone(store: Opened, one: Recorded) -> bool:
    """Whether it is; `Refused` where that was undone in turn, and it is there again by another event."""
    last, turns = one.draft.id, 0
    while await store.log.find(undoing_of(last)) is not None:
        last, turns = undoing_of(last), turns + 1
    if turns and turns % 2 == 0:
        raise Refused("it was undone, and that was undone as well", hint=f"`aftermind undo {last}`")
    return turns % 2 == 1


async def _group(store: Opened, first: Recorded) -> _Group:
    known = {first.draft.id}
    after: list[Recorded] = []
    so_many = first.draft.event.memories * MOST_OF_ONE if isinstance(first.draft.event, MemoriesTidied) else 0
    following = await store.log.after(first.position, limit=max(AT_ONCE, so_many))
    if isinstance(first.draft.event, MemoriesTidied) and first.draft.event.undone:
        own = takewhile(lambda one: one.draft.id == undoing_of(one.draft.because or EventId("")), following)
        return _Group(first, tuple(own))
    for one in following:
        is_one = one.draft.because in known and isinstance(one.draft.event, undoing.FORMS)
        if one.stream == first.stream and isinstance(first.draft.event, MemoryRecorded):
            is_one = is_one and not isinstance(one.draft.event, undoing_particulars.FORMS)  # they go with the statement
        if is_one and one.draft.id != undoing_of(one.draft.because or EventId("")):
            after.append(one)
            known.add(one.draft.id)
    return _Group(first, tuple(after) if isinstance(first.draft.event, _LEAD) else ())


# --- how it is taken back -------------------------------------------------------------------------------------


def _opposites(store: Opened, group: _Group, known: dict[StreamName, list[Recorded]]) -> dict[StreamName, list[Draft]]:
    """The newest first, each on what those before it left; `known` holds the histories, and these as well then."""
    found: dict[StreamName, list[Draft]] = {}
    for one in reversed(group.all):
        if one is not group.first and any(o.draft.id == undoing_of(one.draft.id) for o in known[one.stream]):
            continue  # somebody undid that alone
        _refuse_what_has_no_opposite(one)
        if isinstance(tidied := one.draft.event, MemoriesTidied):
            if found:
                back = structs.replace(tidied, memories=len(found), undone=not tidied.undone)
                root = store.stamp.draft(back, id=undoing_of(one.draft.id), because=one.draft.id)
                found = {one.stream: [root], **found}
            continue
        try:
            events = _opposite(store, one, known[one.stream])
        except (Refused, NotFound):  # of many at once, what became another since stays as it is
            if not isinstance(group.first.draft.event, MemoriesTidied):
                raise
            continue
        for number, event in enumerate(events):
            id = undoing_of(one.draft.id) if number == 0 else derive_id(one.draft.id, f"undone {number}")
            draft = store.stamp.draft(event, id=id, because=one.draft.id)
            found.setdefault(one.stream, []).append(draft)
            known[one.stream].append(structs.replace(known[one.stream][-1], draft=draft))
    return found


def _opposite(store: Opened, one: Recorded, history: Sequence[Recorded]) -> tuple[Known, ...]:
    event = one.draft.event
    if isinstance(event, ExchangeJudged):
        return _unjudged(event, one, history)
    memory = MemoryId(one.stream.removeprefix("memory-"))
    return undoing.undone(memory, history, one.draft.id, store.stamp.now(), store.policy.lifecycle)


def _unjudged(event: ExchangeJudged, one: Recorded, history: Sequence[Recorded]) -> tuple[Known, ...]:
    """The verdict before, with what its judge had read, or the exchange would wait for that judge again; without one,
    that it is unknown."""
    if event.judge in MACHINES:
        hint = f"`aftermind score OUTCOME --exchange {event.exchange}` gives another verdict"
        raise Refused(
            f"it was judged by {who(event.judge, event.model)}, whose word another verdict replaces", hint=hint
        )
    same = [
        o for o in history if isinstance(o.draft.event, ExchangeJudged) and o.draft.event.exchange == event.exchange
    ]
    place = [o.draft.id for o in same].index(one.draft.id)
    if same[place + 1 :]:
        last = same[-1].draft.id
        raise Refused("the exchange was judged again after that", hint=f"`aftermind undo {last}` first")
    before = same[place - 1].draft.event if place else None
    if not isinstance(before, ExchangeJudged):
        before = structs.replace(event, outcome="unknown", judge=Label("person"))
    return (structs.replace(before, memories=(), evidence="", asked=None),)


def _refuse_what_is_gone(one: Recorded, history: Sequence[Recorded]) -> None:
    """Also where it was undone before: then it is forgotten, and that is what there is to know."""
    about = one.stream.startswith("memory-") and any(isinstance(o.draft.event, MemoryForgotten) for o in history)
    if about or isinstance(one.draft.event, Erased):
        raise Refused("what was forgotten is gone", hint="nothing brings it back")


def _nothing_left(group: _Group, known: Mapping[StreamName, Sequence[Recorded]]) -> Refused:
    """Why there is nothing to do, of what nobody undid."""
    first = group.first
    if isinstance(first.draft.event, MemoryRecorded):
        id = first.stream.removeprefix("memory-")
        return Refused(f"{id} is archived, which is all that undoing it does", hint=f"`aftermind restore {id}`")
    for one in reversed(known[first.stream]):
        if one.position > first.position:
            what = in_words(one, MemoryId(first.stream.removeprefix("memory-"))).what
            return Refused(f"it holds no more since {one.position}: {what}", hint=f"`aftermind undo {one.position}`")
    return Refused("it changed nothing")


def _refuse_what_has_no_opposite(one: Recorded) -> None:
    event = one.draft.event
    match event:
        case MemoryForgotten() | WordsForgotten() | Erased():
            raise Refused("what was forgotten is gone", hint="nothing brings it back")
        case BookIngested() | BookRemoved() | CapturePaused() | CaptureResumed() | ProjectShared() | SharingEnded():
            why, hint = _WAYS[str(event.__struct_config__.tag)]
            raise Refused(why, hint=hint)
        case _ if not isinstance(event, (*undoing.FORMS, ExchangeJudged, MemoriesTidied)):
            raise Refused(
                "that was said or done, and cannot be unsaid", hint="`aftermind undo --list` shows what can be"
            )
        case _:
            pass


# --- what is told ---------------------------------------------------------------------------------------------


async def _step(store: Opened, one: Recorded) -> Step:
    """Whether it can be undone, found by trying."""
    step = _told(one, await _text(store, one))
    try:
        if await _is_undone(store, one):
            return structs.replace(step, why_not="it is undone")
        group = await _group(store, one)
        histories = {each.stream: list(await store.log.stream(each.stream)) for each in group.all}
        _refuse_what_is_gone(one, histories[one.stream])
        if not _opposites(store, group, histories):
            raise _nothing_left(group, histories)
    except (Refused, NotFound) as error:
        return structs.replace(step, why_not=str(error), hint=error.hint)
    return step


def _told(one: Recorded, text: str) -> Step:
    memory = MemoryId(one.stream.removeprefix("memory-")) if one.stream.startswith("memory-") else None
    what = in_words(one, memory).what if memory is not None else in_words(one, MemoryId("")).what
    return Step(event=one.draft.id, position=one.position, at=one.draft.at, what=what, memory=memory, text=text)


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
    row = await store.read(lambda c: by_id(c, one.stream.removeprefix("memory-")))
    return None if row is None else row.scope


async def _text(store: Opened, one: Recorded) -> str:
    memory = one.stream.removeprefix("memory-")
    found = await store.read(lambda c: by_id(c, memory))
    return "" if found is None else shortened(" ".join((found.text or found.answer).split()), LONGEST)
