"""What recall finds and hands on: what a memory's place in an answer is decided by, the memories that may be shown, and
the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.engine.memories.book import Pages, Spread
from aftermind.engine.names import BookId, Collection, EventId, Kind, MemoryId, Scope, SessionId, Status
from aftermind.projections.reading.manner import PLAIN, Manner

BY_ID, OF_THE_NEWEST = "asked for by its id", "one of the newest"
"""Why something was shown that was asked for without words: in the log, what tells that from a session's beginning."""
Floor: TypeAlias = Literal["relevant", "perhaps", "none"]
"""What a memory has to be to be in an answer: relevant; perhaps meant, for who found nothing that was and can tell by a
glance; or anything at all, and then also what says the same as another."""
TALK: tuple[Kind, ...] = ("exchange", "conversation")
"""Kinds that are what was said, as it was said."""


class Outcomes(Struct, frozen=True, gc=False):
    """The record of a memory: how often each verdict was its last word on an occasion."""

    worked: int = 0
    partial: int = 0
    failed: int = 0
    unknown: int = 0

    @property
    def uses(self) -> int:
        return self.worked + self.partial + self.failed

    @property
    def mostly_failed(self) -> bool:
        """Whether it failed more often than it worked, in part or whole."""
        return self.failed > self.worked + self.partial

    @property
    def expected(self) -> float:
        """The share of successes to expect next, a partial counting half: Laplace's rule of succession."""
        return (self.worked + 0.5 * self.partial + 1) / (self.uses + 2)


UNTRIED = Outcomes()


class Lesson(Struct, frozen=True):
    """What like questions say of a memory. `leaning` goes from -1, it surely fails now, to 1."""

    leaning: float
    alike: float
    """Of the likest question it was judged for."""
    worked: int
    judged: int


class Weighed(Struct, frozen=True, gc=False):
    """A memory that says some of the query or means the like, and what its place in an answer is decided by."""

    parts: Mapping[str, float]
    """The words of the query that it says, and what share of the query each is."""
    said: float
    """The sum of these."""
    near: float = 0.0
    """The cosine of its vector and the query's; 0 without a model."""
    lent: float = 0.0
    """The cosine it scores with: its own, or that of a fact of the same words."""
    around: float = 0.0
    """What is added for what was said around it in its session."""
    manner: Manner = PLAIN
    lesson: Lesson | None = None
    """How it did for like questions."""
    called: tuple[str, ...] = ()
    """Its names that the query says."""
    things: float = 0.0
    """What both name by its shape (a file, an error code), as the share of the query that a word so rare would be."""
    other: bool = False
    """It has names of its own, and the query calls others by theirs."""
    together: float = 0.0
    """What the words weigh, as a share of the query, that it says as close together as the query does."""
    in_full: float = 0.0
    """How much of a name that the query says it says in full: 1, a half within a longer one, or 0."""


class Candidate(Struct, frozen=True, kw_only=True, gc=False):
    """A memory as it stands on the shelf."""

    memory: MemoryId
    position: int
    kind: Kind
    collection: Collection
    scope: Scope
    status: Status
    session: SessionId | None
    at: datetime
    outcomes: Outcomes
    locked: bool = False
    text: str = ""
    answer: str = ""
    speaker: str = ""
    tags: tuple[str, ...] = ()
    exchange: EventId | None = None
    expires: datetime | None = None
    successor: MemoryId | None = None
    book: BookId | None = None
    place: str = ""
    page: int = 0
    last_page: int = 0
    turns: tuple[int, ...] = ()
    summary: str = ""
    sightings: int = 0
    """How often it was seen again."""
    since: datetime | None = None
    until: datetime | None = None
    """The bounds of when it is so, where it has any."""
    disputed: tuple[MemoryId, ...] = ()
    """Live memories that say something else of the same thing."""
    corrected: tuple[MemoryId, ...] = ()
    """Live memories that say what was wrong with it."""
    about: str = ""
    """Of a mere reaction the question it follows, which is another memory."""
    notes: tuple[str, ...] = ()
    """What else its line in a briefing says of it."""

    @property
    def pages(self) -> Pages:
        """Those it stands on, as a chunk of a book that has some."""
        return self.page, self.last_page

    @property
    def spread(self) -> Spread:
        return Spread(self.page, self.last_page, self.turns)


class Hit(Struct, frozen=True, kw_only=True):
    """A memory that was recalled. `rank` counts from 1."""

    candidate: Candidate
    rank: int
    score: float
    reasons: tuple[str, ...]
    says: Mapping[str, float] = {}
    """The words of the query that it says, and what share of the query each is."""


def was_asked_for(shown: Iterable[tuple[str, ...]]) -> bool:
    """Whether what was shown for these reasons was asked for without words."""
    return any(reasons[:1] in ((BY_ID,), (OF_THE_NEWEST,)) for reasons in shown)


class LeftOut(Struct, frozen=True, kw_only=True, gc=False):
    memory: MemoryId
    score: float
    why: str


class Ranked(Struct, frozen=True, kw_only=True):
    hits: tuple[Hit, ...]
    left_out: tuple[LeftOut, ...]
