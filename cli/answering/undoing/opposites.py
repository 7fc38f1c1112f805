"""What has to be appended so that something that happened has no effect any more, or why it cannot be taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import structs

from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.undoing.grouping import Group
from aftermind.cli.language.explaining import in_words
from aftermind.cli.language.stopping import who
from aftermind.engine.errors import NotFound, Refused
from aftermind.engine.event_forms.particulars import MemoriesTidied
from aftermind.engine.event_forms.sharing import ProjectShared, SharingEnded
from aftermind.engine.events import (
    BookIngested,
    BookRemoved,
    CapturePaused,
    CaptureResumed,
    Erased,
    ExchangeJudged,
    Known,
    MemoryForgotten,
    MemoryRecorded,
    WordsForgotten,
)
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.memories import undoing
from aftermind.engine.memories.undoing import undoing_of
from aftermind.engine.names import (
    MACHINES,
    Label,
    MemoryId,
    StreamName,
    named_by,
)
from aftermind.engine.stamp import derive_id

_WAYS = {
    "book-ingested": ("a book is taken away by hand", "`aftermind remove BOOK`"),
    "book-removed": ("a book is read in again", "`aftermind ingest PATH`, or `aftermind onboard` what that made"),
    "capture-paused": ("a pause is ended by hand", "`aftermind resume`"),
    "capture-resumed": ("a pause is begun by hand", "`aftermind pause`"),
    "project-shared": ("sharing is ended by hand", "`aftermind project unshare PROJECT`"),
    "sharing-ended": ("a project is shared by hand", "`aftermind project share PROJECT`"),
}


def opposites(store: Opened, group: Group, known: dict[StreamName, list[Recorded]]) -> dict[StreamName, list[Draft]]:
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
    memory = MemoryId(named_by(one.stream, "memory"))
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


def refuse_what_is_gone(one: Recorded, history: Sequence[Recorded]) -> None:
    """Also where it was undone before: then it is forgotten, and that is what there is to know."""
    about = one.stream.startswith("memory-") and any(isinstance(o.draft.event, MemoryForgotten) for o in history)
    if about or isinstance(one.draft.event, Erased):
        raise Refused("what was forgotten is gone", hint="nothing brings it back")


def nothing_left(store: Opened, group: Group, known: Mapping[StreamName, Sequence[Recorded]]) -> Refused:
    """Why there is nothing to do, of what nobody undid."""
    first = group.first
    if isinstance(first.draft.event, MemoryRecorded):
        id = named_by(first.stream, "memory")
        return Refused(f"{id} is archived, which is all that undoing it does", hint=f"`aftermind restore {id}`")
    if isinstance(first.draft.event, MemoriesTidied):  # what became of each stands in the stream of that one
        return Refused("something else became of each of them after that", hint="`aftermind why ID` tells what")
    history = known[first.stream]
    for place, one in enumerate(history, 1):
        if one.position > first.position and not _has_effect(store, first, history[:place]):
            what = in_words(one, MemoryId(named_by(first.stream, "memory"))).what
            return Refused(f"it holds no more since {one.position}: {what}", hint=f"`aftermind undo {one.position}`")
    return Refused("it changed nothing")


def _has_effect(store: Opened, one: Recorded, history: Sequence[Recorded]) -> bool:
    """Whether at the end of that history there was something to undo."""
    try:
        return bool(_opposite(store, one, history))
    except (Refused, NotFound):
        return True


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
