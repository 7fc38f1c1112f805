"""The vocabulary. Every id is a type of its own, so that the checker refuses one for another. Pure.

Guarantee the masking relies on: in an event, a field of one of these types is an id or a word of a closed
list; a field of plain `str` is somebody's text and may hold a secret.
"""

from __future__ import annotations

from datetime import date
from typing import Literal, NewType, TypeAlias, get_args

EventId = NewType("EventId", str)
MemoryId = NewType("MemoryId", str)
SessionId = NewType("SessionId", str)
ProjectId = NewType("ProjectId", str)
BookId = NewType("BookId", str)
ItemId = NewType("ItemId", str)
StreamName = NewType("StreamName", str)
"""One thing's history: `memory-<id>`, `session-<id>`, `project-<id>`, `book-<id>`, `item-<id>`, `pause-<scope>`,
`sharing-<id>`, `spending-<day>`, `entity-<scope>-<digest>`, `forge-<digest>`, `scoring`, `forgetting`,
`tidying`."""
Version = NewType("Version", int)
"""Place of an event in its stream: 1, 2, 3, …"""
Position = NewType("Position", int)
"""Place of an event in the whole log. Positions only grow; there may be gaps."""
Scope = NewType("Scope", str)
"""Who may see a memory: `global`, or the id of one project."""
Label = NewType("Label", str)
"""A short word for something that happened (a reason, a client, a judge), never somebody's text."""
MACHINES = (Label("cues"), Label("model"))
"""The judges whose verdict a later one replaces by itself. What anybody else says stands until it is asked for anew."""
Digest = NewType("Digest", str)
"""SHA-256 of a file's bytes, in hex."""

SCORING = StreamName("scoring")
"""Whether verdicts come in."""
FORGETTING = StreamName("forgetting")
"""What was forgotten besides memories."""
TIDYING = StreamName("tidying")
"""What was decided about many memories at once."""
GLOBAL = Scope("global")
START = Position(0)
FIRST = Version(1)

Collection: TypeAlias = Literal["working", "history", "patterns", "memory_bank", "books"]
Outcome: TypeAlias = Literal["worked", "partial", "failed", "unknown"]
Kind: TypeAlias = Literal[
    "exchange",
    "fact",
    "preference",
    "configuration",
    "decision",
    "blocker",
    "procedure",
    "event",
    "directive",
    "plan",
    "idea",
    "conversation",
    "chunk",
]
Status: TypeAlias = Literal["live", "superseded", "archived", "expired", "corrected", "removed"]
"""`corrected` marks a past wording, `removed` a chunk that its book does not hold any more, or yet; a forgotten memory
has no status, it has no row."""

COLLECTIONS: tuple[Collection, ...] = get_args(Collection)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
KINDS: tuple[Kind, ...] = get_args(Kind)


def project_scope(project: ProjectId | None) -> Scope:
    """The scope of a project; without one, what is visible everywhere."""
    return Scope(project) if project is not None else GLOBAL


def memory_stream(memory: MemoryId) -> StreamName:
    return StreamName(f"memory-{memory}")


def named_by(stream: str, sort: Literal["memory", "session", "item"]) -> str:
    """The id of the memory, session or item whose stream that is, which an erased event keeps; empty of another's."""
    return stream.removeprefix(f"{sort}-") if stream.startswith(f"{sort}-") else ""


def session_stream(session: SessionId) -> StreamName:
    return StreamName(f"session-{session}")


def project_stream(project: ProjectId) -> StreamName:
    return StreamName(f"project-{project}")


def sharing_stream(project: ProjectId) -> StreamName:
    """Which others a project sees."""
    return StreamName(f"sharing-{project}")


def pause_stream(scope: Scope) -> StreamName:
    """What was paused and resumed in one project; in the global scope, everywhere."""
    return StreamName(f"pause-{scope}")


def spending_stream(day: date) -> StreamName:
    """What models were asked on one day (UTC), and what that cost."""
    return StreamName(f"spending-{day.isoformat()}")


def book_stream(book: BookId) -> StreamName:
    return StreamName(f"book-{book}")


def item_stream(item: ItemId) -> StreamName:
    """Who claimed something to work on, and how it stands in the queue."""
    return StreamName(f"item-{item}")


def entity_stream(scope: Scope, digest: str) -> StreamName:
    """What forges said of one thing that a project refers to."""
    return StreamName(f"entity-{scope}-{digest}")
