"""Events in words a person can read."""

from __future__ import annotations

from aftermind.cli.language import explaining_kinds
from aftermind.cli.language.answers import Step
from aftermind.cli.language.explaining_items import short
from aftermind.cli.language.stopping import who
from aftermind.engine.event_forms.sharing import ProjectShared, SharingEnded
from aftermind.engine.events import (
    BookIngested,
    BookRemoved,
    CapturePaused,
    CaptureResumed,
    CheckpointWritten,
    ContextInjected,
    Erased,
    Event,
    ExchangeJudged,
    ExchangeRecorded,
    ExchangeRevised,
    JudgementAbandoned,
    JudgementRequested,
    MemoriesLinked,
    MemoriesUnlinked,
    MemoryArchived,
    MemoryCorrected,
    MemoryDemoted,
    MemoryExpired,
    MemoryForgotten,
    MemoryLocked,
    MemoryPromoted,
    MemoryRecorded,
    MemoryRestored,
    MemoryScored,
    MemorySummarized,
    MemorySuperseded,
    MemoryUnlocked,
    ModelAnswered,
    ModelAsked,
    ProjectAliased,
    ProjectSeen,
    PromptReceived,
    ScoringResumed,
    ScoringStopped,
    SessionContinued,
    SessionEnded,
    SessionStarted,
    SummaryRequested,
    ToolHeld,
    ToolUsed,
    Unknown,
    WordsForgotten,
)
from aftermind.engine.log import Recorded
from aftermind.engine.memories.particulars import is_behind
from aftermind.engine.memories.undoing import UNDO, undoing_of
from aftermind.engine.moments import to_the_minute
from aftermind.engine.names import GLOBAL, MemoryId, Scope
from aftermind.engine.stored import tag_of
from aftermind.projections.recalling.candidate import was_asked_for
from aftermind.projections.recalling.shown.wording import said_by


def in_words(recorded: Recorded, memory: MemoryId | None = None, *, hidden: str = "", is_live: bool = True) -> Step:
    """The event as one step of a story; of one memory's, where `memory` is given, which `is_live` or not. `hidden`
    stands for words that must not be told there."""
    return Step(
        event=recorded.draft.id,
        type=tag_of(recorded.draft.event),
        at=recorded.draft.at,
        what=hidden
        or _what(recorded.draft.event, memory).removesuffix(f" ({UNDO})")
        + _undo(recorded, memory if is_live else None),
        because=recorded.draft.because,
    )


def _undo(recorded: Recorded, memory: MemoryId | None) -> str:
    """That it only takes something back, which is not what it reads as by itself; and how what a memory did to another
    is taken back."""
    event, because = recorded.draft.event, recorded.draft.because
    if isinstance(event, MemorySuperseded) and event.by == memory:
        return f"; `aftermind undo {recorded.position}` keeps both"
    if because is None or recorded.draft.id != undoing_of(because):
        return ""
    return f", by undoing {because}"


def _chunks(number: int) -> str:
    return f"{number:,} chunk{'' if number == 1 else 's'}"


_RELATION = {
    "same-entity": "is about the same as",
    "seen-again": "seen again in",
    "contradicts": "contradicts",
    "corrects": "was corrected by",
}
_THE_OTHER_WAY = {
    "seen-again": "said again what is known as",
    "contradicts": "contradicts",
    "corrects": "corrects",
    "supports": "is supported by",
    "follows": "is followed by",
    "same-entity": "is about the same as",
}


def _what(event: Event, memory: MemoryId | None) -> str:
    match event:
        case SessionStarted():
            return f"session {event.session} started{f' in {event.client}' if event.client else ''}"
        case PromptReceived():
            return f"asked: {short(event.text)}"
        case ToolUsed():
            used = short(" ".join([event.tool.name, *event.tool.paths]))
            return f"used {used}{'' if event.tool.ok else ', which failed'}"
        case CheckpointWritten():
            return _checkpoint(event)
        case SessionContinued():
            return f"session {event.session} goes on"
        case ToolHeld():
            return f"a tool was held back after {event.uses:,} uses without a checkpoint"
        case ContextInjected():
            return _injected(event, memory)
        case ExchangeRecorded():
            return f"exchange in session {event.session}: {short(event.prompt)} → {short(event.answer)}"
        case ExchangeRevised():
            return f"the exchange's answer grew: {short(event.answer)}"
        case ExchangeJudged():
            words = f" (on the words “{short(event.evidence)}”)" if event.evidence else ""
            return f"{who(event.judge, event.model)} judged the exchange: {event.outcome}{words}"
        case JudgementAbandoned():
            return f"{who(event.judge)} gave the exchange up after {event.attempts} attempts ({event.why})"
        case JudgementRequested():
            return f"a verdict was asked for ({event.why})"
        case SessionEnded():
            return f"session {event.session} ended ({event.reason})"
        case MemoryRecorded():
            source = f" from {short(said_by(event.speaker, event.place))}" if event.book is not None else ""
            by = f" by {who(event.judge)}" if event.judge else ""
            words = f" (on the words “{short(event.evidence)}”)" if event.evidence else ""
            return f"recorded as {event.kind} in {event.collection}{source}{by}: {short(event.text)}{words}"
        case MemoryScored():
            return f"{who(event.judge)} scored it: {event.outcome}"
        case MemoryPromoted():
            return f"promoted to {event.to} ({event.reason})"
        case MemoryDemoted():
            return f"demoted to {event.to} ({event.reason})"
        case MemoryCorrected():
            now = event.text if not event.answer or is_behind(event.answer) else event.answer
            return f"corrected: {short(now)}{f' ({short(event.reason)})' if event.reason else ''}"
        case MemorySuperseded():
            both = f"; both are about “{short(event.evidence)}”" if event.evidence else ""
            how = f"took the place of {event.memory}" if event.by == memory else f"superseded by {event.by}"
            return f"{how}{f' ({short(event.reason)}{both})' if event.reason else ''}"
        case MemoriesLinked():
            return _linked(event, memory)
        case MemoriesUnlinked():
            return "what a link said of it was taken back"
        case MemorySummarized(summary=""):
            return "its shorter wording was taken back"
        case MemorySummarized():
            return f"shortened{f' by {event.model}' if event.model else ''}: {short(event.summary)}"
        case SummaryRequested():
            return f"a shorter wording was asked for, of at most {event.most:,} characters"
        case MemoryLocked():
            return "locked"
        case MemoryUnlocked():
            return "unlocked"
        case MemoryArchived():
            return f"archived{f' ({short(event.reason)})' if event.reason else ''}"
        case MemoryRestored():
            return "restored"
        case MemoryExpired():
            return f"expired: {event.reason}"
        case MemoryForgotten():
            return f"{event.memory} was forgotten"
        case WordsForgotten():
            count = len(event.quoted_in)
            return f"the words of {count:,} {'event' if count == 1 else 'events'} were forgotten"
        case BookIngested():
            return f"book {event.book} ingested: {short(event.title)}, {_chunks(len(event.chunks))} from {event.path}"
        case BookRemoved():
            return f"book {event.book} removed"
        case ProjectSeen():
            return f"project {event.name} seen: {', '.join(event.aliases)}"
        case ProjectAliased():
            return f"project also known as {', '.join(event.aliases)}"
        case ProjectShared():
            return f"from now on it also sees the memories of project {event.sees}"
        case SharingEnded():
            return f"it sees the memories of project {event.sees} no more"
        case CapturePaused():
            until = f" until {to_the_minute(event.until)}" if event.until is not None else ""
            return f"paused {_where(event.scope)}{until}: nothing is captured or shown"
        case CaptureResumed():
            return f"resumed {_where(event.scope)}"
        case ModelAsked():
            return f"{event.model} was asked to {event.purpose}; {event.tokens:,} tokens set aside"
        case ModelAnswered():
            how = f"failed ({event.failed})" if event.failed else "answered"
            return f"the model {how}: {event.tokens_in + event.tokens_out:,} tokens, ${event.dollars:.4f}"
        case ScoringStopped():
            return f"scoring stopped: {short(event.said) or event.why}"
        case ScoringResumed():
            return "scoring goes on"
        case Erased():
            return "its text was erased"
        case Unknown():
            return "written by a newer program"
        case _:
            return explaining_kinds.what(event)


def _checkpoint(event: CheckpointWritten) -> str:
    """The strongest of what it says."""
    when = "checkpoint" if event.moment == "now" else f"{event.moment} a compaction"
    when = "checkpoint at the end" if event.moment == "end" else when
    by = event.by or event.trigger
    said = event.goal or event.text or "; ".join((*event.pending, *event.done, *event.decisions, *event.files))
    return f"{when}{f' ({by})' if by else ''}{f': {short(said)}' if said else ''}"


def _linked(event: MemoriesLinked, memory: MemoryId | None) -> str:
    """Of the memory the story is about, whichever end it is."""
    words = f" (on the words “{short(event.evidence)}”)" if event.evidence else ""
    if event.other == memory:
        return f"{_THE_OTHER_WAY.get(event.relation, event.relation)} {event.memory}{words}"
    return f"{_RELATION.get(event.relation, event.relation)} {event.other}{words}"


def _injected(event: ContextInjected, memory: MemoryId | None) -> str:
    asked_for = was_asked_for(shown.reasons for shown in event.shown)
    query = f"for “{short(event.query)}”" if event.query else "on request" if asked_for else "at the start"
    for shown in event.shown:
        if shown.memory == memory:
            return f"shown at place {shown.rank} of {len(event.shown)} {query}: {'; '.join(shown.reasons)}"
    count = "1 memory" if len(event.shown) == 1 else f"{len(event.shown)} memories"
    return f"{count} shown {query}"


def _where(scope: Scope) -> str:
    return "everywhere" if scope == GLOBAL else f"in project {scope}"
