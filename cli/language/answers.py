"""What is answered: plain immutable structs with `id` and `text` on every memory, ready for JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.engine.events import Erased
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.memories.book import Pages, Spread
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.names import (
    BookId,
    Collection,
    EventId,
    Kind,
    MemoryId,
    Outcome,
    Position,
    Scope,
    SessionId,
    Status,
    StreamName,
    Version,
)
from aftermind.engine.stored import from_bytes, tag_of, to_bytes
from aftermind.projections.recalling.candidate import Candidate, Hit, LeftOut, Outcomes


class Remembered(Struct, frozen=True, kw_only=True):
    """One memory as it is now."""

    id: MemoryId
    text: str
    answer: str
    kind: Kind
    collection: Collection
    scope: Scope
    status: Status
    locked: bool
    speaker: str
    tags: tuple[str, ...]
    session: SessionId | None
    exchange: EventId | None
    at: datetime
    expires: datetime | None
    outcomes: Outcomes
    successor: MemoryId | None
    book: BookId | None = None
    place: str = ""
    page: int = 0
    last_page: int = 0
    turns: tuple[int, ...] = ()
    """Of a chunk: its book (whose title is the speaker), the headings above it, the first and the last page it stands
    on, and where in its text each page after the first begins, if that is known."""
    summary: str = ""
    """A shorter wording, shown in the place of a long one."""
    about: str = ""
    """Of what is only a reaction, the question it follows, as it is shown before it."""
    sightings: int = 0
    """How often it was seen again after it was learned."""
    since: datetime | None = None
    until: datetime | None = None
    """When it is so, where that has bounds."""
    particulars: Particulars | None = None
    """What is known besides, where one memory is asked for."""

    @property
    def pages(self) -> Pages:
        """Those it stands on, as a chunk of a book that has some."""
        return self.page, self.last_page

    @property
    def spread(self) -> Spread:
        return Spread(self.page, self.last_page, self.turns)


class Recalled(Struct, frozen=True, kw_only=True):
    """One memory that answers a query. `score` orders the hits of this query: the share of it that the memory says,
    with what speaks for it added, so that it may exceed 1. `reasons` say what it is made of."""

    id: MemoryId
    text: str
    rank: int
    score: float
    reasons: tuple[str, ...]
    memory: Remembered
    says: dict[str, float] = {}
    """The words of the query that it says, and what share of the query each is."""


class Context(Struct, frozen=True, kw_only=True):
    """A briefing, and its memories as they are read in it. With nothing relevant, `text` is empty and there is no
    injection."""

    text: str
    tokens: int
    injection: EventId | None
    memories: tuple[Recalled, ...]
    left_out: tuple[LeftOut, ...]
    withheld: str = ""
    """Why nothing may be shown here, if that is so."""


class Found(Struct, frozen=True, kw_only=True):
    """What a search showed. Where that is nothing, there is no injection; `missing` are ids that nothing has."""

    injection: EventId | None
    memories: tuple[Recalled, ...]
    missing: tuple[str, ...] = ()
    text: str = ""
    """The briefing of them, where one was asked for."""


class Exchange(Struct, frozen=True, kw_only=True):
    """A recorded exchange, the memory born from it, and what this delivery was."""

    id: EventId
    memory: MemoryId
    delivery: str
    """`new`, `repeated` or `revised`."""


class Moved(Struct, frozen=True, kw_only=True):
    """What a verdict did to one memory. `to` is set when it rose or sank; `corrected`, when it did nothing: what was
    judged is a wording that is no more."""

    id: MemoryId
    text: str
    outcome: Outcome
    collection: Collection
    to: Collection | None
    corrected: bool = False


class Verdict(Struct, frozen=True, kw_only=True):
    id: EventId
    exchange: EventId | None
    memories: tuple[Moved, ...]


class Step(Struct, frozen=True, kw_only=True):
    """One event in the life of a memory, in words. `because` is the event that led to it."""

    event: EventId
    type: str
    at: datetime
    what: str
    because: EventId | None


Relation: TypeAlias = Literal[
    "replaced",
    "replaced by",
    "contradicts",
    "corrects",
    "corrected by",
    "learned there",
    "supports",
    "supported by",
    "follows",
    "followed by",
    "same entity",
]


class Related(Struct, frozen=True, kw_only=True):
    """Another memory, and what this one has to do with it: this one `replaced` it, or was `corrected by` it."""

    relation: Relation
    id: MemoryId
    text: str
    status: Status


class Judgement(Struct, frozen=True, kw_only=True):
    """What a judge said of an exchange, and of memories in it. It `stands` until a later one takes its place."""

    id: EventId
    at: datetime
    outcome: Outcome
    judge: str
    model: str
    evidence: str
    stands: bool
    memories: dict[MemoryId, Outcome]


class Why(Struct, frozen=True, kw_only=True):
    """A memory and everything that happened to it, oldest first; of one that was born from an exchange, what was said
    of that."""

    id: MemoryId
    text: str
    memory: Remembered
    steps: tuple[Step, ...]
    related: tuple[Related, ...] = ()
    verdicts: tuple[Judgement, ...] = ()


class Retained(Struct, frozen=True, kw_only=True):
    """Memories that are kept for so many days, and then expire: how many there are, and when the next one does. What is
    locked stays, and what expired can be restored."""

    days: float
    live: int
    next: datetime | None = None


class Stats(Struct, frozen=True, kw_only=True):
    """Counts of the whole store, or of what one project sees."""

    folder: str
    events: int
    head: int
    collections: dict[str, int]
    statuses: dict[str, int]
    verdicts: dict[str, int]
    sessions: int
    projects: dict[Scope, str]
    """Project id → name."""
    waiting: int
    """Exchanges without a verdict."""
    views_mended: str
    due: dict[str, int] = {}
    """What asks for somebody now: `reminders`, `reviews`, `open blockers`; none of what there is none."""
    kept: dict[str, Retained] = {}
    """What is kept for a time of its own, by its name."""
    links: dict[str, int] = {}
    """How many links were said or found between memories, by their relation."""
    heard: dict[str, datetime] = {}
    """Client → when the last session went on in which its hooks handed over a prompt."""


class Prompted(Struct, frozen=True, kw_only=True):
    """A prompt, and what was shown for it; `why` says why nothing was, where nothing was."""

    id: EventId
    at: datetime
    session: SessionId
    text: str
    memories: tuple[Remembered, ...]
    why: str
    project: str = ""
    """Its name; empty where it was asked in none."""


class Paused(Struct, frozen=True, kw_only=True):
    """A pause that holds now. `project` is a name, empty where it holds everywhere."""

    scope: Scope
    project: str
    since: datetime
    until: datetime | None


class Limited(Struct, frozen=True, kw_only=True):
    """What is paused now; `why` nothing is captured or shown in the place that was asked about, with what changes that,
    both empty where it is."""

    paused: tuple[Paused, ...]
    why: str
    hint: str


class Said(Struct, frozen=True, kw_only=True):
    """What a door prints for its client; empty when there is nothing to say."""

    text: str = ""


class Book(Struct, frozen=True, kw_only=True):
    """A book and its newest edition. `project` is a name, empty for a book that is visible everywhere."""

    id: BookId
    title: str
    path: str
    form: str
    size: int
    at: datetime
    scope: Scope
    project: str
    chunks: int


class Ingested(Struct, frozen=True, kw_only=True):
    """What became of an edition. `forgotten` counts chunks that were forgotten before, and stay so."""

    id: BookId
    delivery: Literal["new", "changed", "unchanged"]
    chunks: int
    forgotten: int = 0


class Kept(Struct, frozen=True, kw_only=True):
    """One event of the log, its payload as it is stored; None where it was erased."""

    position: Position
    stream: StreamName
    version: Version
    id: EventId
    at: datetime
    noted: datetime
    because: EventId | None
    tag: str
    payload: bytes | None


def kept(recorded: Recorded) -> Kept:
    draft = recorded.draft
    return Kept(
        position=recorded.position,
        stream=recorded.stream,
        version=recorded.version,
        id=draft.id,
        at=draft.at,
        noted=draft.noted,
        because=draft.because,
        tag=tag_of(draft.event),
        payload=None if isinstance(draft.event, Erased) else to_bytes(draft.event),
    )


def recorded(kept: Kept) -> Recorded:
    event = from_bytes(kept.tag, kept.payload)
    draft = Draft(id=kept.id, at=kept.at, noted=kept.noted, because=kept.because, event=event)
    return Recorded(position=kept.position, stream=kept.stream, version=kept.version, draft=draft)


def remembered(candidate: Candidate) -> Remembered:
    return Remembered(
        id=candidate.memory,
        text=candidate.text,
        answer=candidate.answer,
        kind=candidate.kind,
        collection=candidate.collection,
        scope=candidate.scope,
        status=candidate.status,
        locked=candidate.locked,
        speaker=candidate.speaker,
        tags=candidate.tags,
        session=candidate.session,
        exchange=candidate.exchange,
        at=candidate.at,
        expires=candidate.expires,
        outcomes=candidate.outcomes,
        successor=candidate.successor,
        book=candidate.book,
        place=candidate.place,
        page=candidate.page,
        last_page=candidate.last_page,
        turns=candidate.turns,
        summary=candidate.summary,
        about=candidate.about,
        sightings=candidate.sightings,
        since=candidate.since,
        until=candidate.until,
    )


def recalled(hit: Hit) -> Recalled:
    return Recalled(
        id=hit.candidate.memory,
        text=hit.candidate.text,
        rank=hit.rank,
        score=round(hit.score, 4),
        reasons=hit.reasons,
        memory=remembered(hit.candidate),
        says=dict(hit.says),
    )
