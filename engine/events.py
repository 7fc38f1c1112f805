"""Everything that can have happened. The tags are the stored format: never rename one, never reuse one.

A new fact is a new event or a new field with a default. A field of plain `str` is somebody's text (it is masked
before it is stored); ids and words of closed lists have types of their own (`names.py`). Pure.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from msgspec import Raw, Struct

from aftermind.engine.event_forms.books import BookIngested as BookIngested
from aftermind.engine.event_forms.books import BookRemoved as BookRemoved
from aftermind.engine.event_forms.forges import ForgeEvent
from aftermind.engine.event_forms.forgetting import WordsForgotten as WordsForgotten
from aftermind.engine.event_forms.items import OfItems
from aftermind.engine.event_forms.particulars import OfKinds
from aftermind.engine.event_forms.parts import Happened
from aftermind.engine.event_forms.parts import MemoryVerdict as MemoryVerdict
from aftermind.engine.event_forms.parts import Shown as Shown
from aftermind.engine.event_forms.parts import ToolUse as ToolUse
from aftermind.engine.event_forms.sessions import CheckpointWritten as CheckpointWritten
from aftermind.engine.event_forms.sessions import SessionContinued as SessionContinued
from aftermind.engine.event_forms.sessions import ToolHeld as ToolHeld
from aftermind.engine.event_forms.sharing import Sharing
from aftermind.engine.event_forms.spending import ModelAnswered as ModelAnswered
from aftermind.engine.event_forms.spending import ModelAsked as ModelAsked
from aftermind.engine.event_forms.spending import ScoringResumed as ScoringResumed
from aftermind.engine.event_forms.spending import ScoringStopped as ScoringStopped
from aftermind.engine.event_forms.spending import SummaryRequested as SummaryRequested
from aftermind.engine.event_forms.undone import MemoriesUnlinked as MemoriesUnlinked
from aftermind.engine.names import (
    BookId,
    Collection,
    EventId,
    Kind,
    Label,
    MemoryId,
    Outcome,
    ProjectId,
    Scope,
    SessionId,
)

# --- session-… ------------------------------------------------------------------------------------------------


class SessionStarted(Happened, frozen=True, tag="session-started"):
    session: SessionId
    scope: Scope
    client: Label = Label("")
    directory: str = ""


class PromptReceived(Happened, frozen=True, tag="prompt-received"):
    """What the user said. `turn` follows from the client's own id of it, where it has one. It is open until an exchange
    answers it; one that was broken off stays so, and the next prompt takes its place."""

    session: SessionId
    scope: Scope
    text: str
    turn: EventId | None = None


class ToolUsed(Happened, frozen=True, tag="tool-used"):
    """Told when it was used, not when the turn was over: what a turn did survives whatever ends it."""

    session: SessionId
    scope: Scope
    tool: ToolUse
    turn: EventId | None = None


class ContextInjected(Happened, frozen=True, tag="context-injected"):
    """A briefing that was shown. Its event id is the injection's id."""

    session: SessionId
    scope: Scope
    query: str
    shown: tuple[Shown, ...]
    tokens: int


class ExchangeRecorded(Happened, frozen=True, tag="exchange-recorded"):
    """One prompt and its answer. Its event id is the exchange's id; `memory` is the memory born from it."""

    session: SessionId
    scope: Scope
    memory: MemoryId
    prompt: str
    answer: str
    tools: tuple[ToolUse, ...] = ()
    injections: tuple[EventId, ...] = ()
    client: Label = Label("")


class ExchangeRevised(Happened, frozen=True, tag="exchange-revised"):
    """The same exchange came again with a fuller answer."""

    session: SessionId
    scope: Scope
    exchange: EventId
    memory: MemoryId
    answer: str
    tools: tuple[ToolUse, ...] = ()


class ExchangeJudged(Happened, frozen=True, tag="exchange-judged"):
    """A verdict. A later one on the same exchange takes the place of the earlier one in every view.

    A machine signs with what it went by: `model` and the `revision` of its question or rules, the `follow_up` (a prompt
    or an exchange) it had read, and what was `asked` and paid for it.
    """

    session: SessionId
    exchange: EventId
    outcome: Outcome
    memories: tuple[MemoryVerdict, ...]
    judge: Label
    evidence: str = ""
    model: Label = Label("")
    revision: int = 0
    follow_up: EventId | None = None
    asked: EventId | None = None


class JudgementAbandoned(Happened, frozen=True, tag="judgement-abandoned"):
    """No verdict could be had of an exchange; it waits no more, until one is requested."""

    session: SessionId
    exchange: EventId
    judge: Label
    why: Label
    attempts: int


class JudgementRequested(Happened, frozen=True, tag="judgement-requested"):
    """An exchange waits for a verdict again, whatever was said of it before: of the `judge`, where one is named."""

    session: SessionId
    exchange: EventId
    why: Label
    judge: Label = Label("")


class SessionEnded(Happened, frozen=True, tag="session-ended"):
    session: SessionId
    reason: Label


# --- memory-… -------------------------------------------------------------------------------------------------


class MemoryRecorded(Happened, frozen=True, tag="memory-recorded"):
    """A memory begins. `text` is what was said (for an exchange the prompt), `answer` what the assistant said.

    A chunk of a `book` is said by the book (its title is the `speaker`) at a `place` in it, its headings. It is
    recorded again where it comes back into its book or stands under another heading, and keeps its id and its record.
    What was learned of an `exchange` says by which words there (`evidence`), and which `judge` found them by which
    `revision` of its rules; the memory born from the exchange has none of these.
    """

    memory: MemoryId
    kind: Kind
    collection: Collection
    scope: Scope
    text: str
    answer: str = ""
    speaker: str = ""
    tags: tuple[str, ...] = ()
    session: SessionId | None = None
    exchange: EventId | None = None
    expires: datetime | None = None
    book: BookId | None = None
    place: str = ""
    evidence: str = ""
    judge: Label = Label("")
    revision: int = 0


class MemoryScored(Happened, frozen=True, tag="memory-scored"):
    """One verdict's word on one memory. The same occasion scored again replaces the earlier word."""

    memory: MemoryId
    outcome: Outcome
    occasion: EventId
    judge: Label


class MemoryPromoted(Happened, frozen=True, tag="memory-promoted"):
    memory: MemoryId
    to: Collection
    reason: str
    expires: datetime | None = None


class MemoryDemoted(Happened, frozen=True, tag="memory-demoted"):
    memory: MemoryId
    to: Collection
    reason: str
    expires: datetime | None = None


class MemoryCorrected(Happened, frozen=True, tag="memory-corrected"):
    """The memory keeps its id and gets another wording; the one before stays in history. Of an exchange the answer is
    another; what was asked stays."""

    memory: MemoryId
    scope: Scope
    text: str
    answer: str = ""
    reason: str = ""


class MemorySuperseded(Happened, frozen=True, tag="memory-superseded"):
    """Another memory took its place: it is recalled only when history is asked for. `evidence`: what both are about."""

    memory: MemoryId
    by: MemoryId
    reason: str = ""
    evidence: str = ""


class MemoriesLinked(Happened, frozen=True, tag="memories-linked"):
    """What one memory has to do with another, in words of a closed list: it was `seen-again` in that one, it
    `contradicts`, `supports` or `follows` it, has the `same-entity`, that one `corrects` it, or they are `related`."""

    memory: MemoryId
    other: MemoryId
    relation: Label
    evidence: str = ""


class MemorySummarized(Happened, frozen=True, tag="memory-summarized"):
    """A shorter wording, to be shown in its place. The memory itself stays as it is."""

    memory: MemoryId
    summary: str
    model: Label = Label("")
    revision: int = 0


class MemoryLocked(Happened, frozen=True, tag="memory-locked"):
    memory: MemoryId


class MemoryUnlocked(Happened, frozen=True, tag="memory-unlocked"):
    memory: MemoryId


class MemoryArchived(Happened, frozen=True, tag="memory-archived"):
    memory: MemoryId
    reason: str = ""


class MemoryRestored(Happened, frozen=True, tag="memory-restored"):
    """Back from the archive, from expiry or from supersession, with a fresh lifetime."""

    memory: MemoryId
    expires: datetime | None = None


class MemoryExpired(Happened, frozen=True, tag="memory-expired"):
    memory: MemoryId
    reason: str


class MemoryForgotten(Happened, frozen=True, tag="memory-forgotten"):
    """No view may know it any more. `quoted_in`: the events that hold its text besides its own stream: the exchange
    it was born from with its revisions and verdicts, the prompts and injections before it, and what verdicts on the
    exchange before made of them. They go out of the views with it."""

    memory: MemoryId
    scope: Scope
    quoted_in: tuple[EventId, ...] = ()


# --- project-… ------------------------------------------------------------------------------------------------


class ProjectSeen(Happened, frozen=True, tag="project-seen"):
    project: ProjectId
    name: str
    aliases: tuple[str, ...]


class ProjectAliased(Happened, frozen=True, tag="project-aliased"):
    """The same project is known by one more path, remote or name."""

    project: ProjectId
    aliases: tuple[str, ...]


# --- pause-… --------------------------------------------------------------------------------------------------


class CapturePaused(Happened, frozen=True, tag="capture-paused"):
    """From now on (`at`) nothing is captured or shown in a project, or with the global scope everywhere, `until` then
    or until it is resumed. It takes the place of an earlier pause of the same scope."""

    scope: Scope
    until: datetime | None = None


class CaptureResumed(Happened, frozen=True, tag="capture-resumed"):
    """The pause of this very scope is over."""

    scope: Scope


# --- any stream -----------------------------------------------------------------------------------------------


class Erased(Struct, frozen=True, kw_only=True, gc=False):
    """What is left of an event whose text was forgotten: that something of this tag happened here."""

    tag: str


class Unknown(Struct, frozen=True, kw_only=True, gc=False):
    """An event of a newer program, kept byte for byte."""

    tag: str
    raw: Raw


Known: TypeAlias = (
    SessionStarted
    | PromptReceived
    | ToolUsed
    | ContextInjected
    | ExchangeRecorded
    | ExchangeRevised
    | ExchangeJudged
    | JudgementAbandoned
    | JudgementRequested
    | CheckpointWritten
    | SessionContinued
    | ToolHeld
    | SessionEnded
    | MemoryRecorded
    | MemoryScored
    | MemoryPromoted
    | MemoryDemoted
    | MemoryCorrected
    | MemorySuperseded
    | MemoriesLinked
    | MemoriesUnlinked
    | MemorySummarized
    | SummaryRequested
    | MemoryLocked
    | MemoryUnlocked
    | MemoryArchived
    | MemoryRestored
    | MemoryExpired
    | MemoryForgotten
    | WordsForgotten
    | BookIngested
    | BookRemoved
    | ProjectSeen
    | ProjectAliased
    | CapturePaused
    | CaptureResumed
    | ModelAsked
    | ModelAnswered
    | ScoringStopped
    | ScoringResumed
    | OfKinds
    | Sharing
    | OfItems
    | ForgeEvent
)
Event: TypeAlias = Known | Erased | Unknown
