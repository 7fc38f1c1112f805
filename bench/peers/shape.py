"""What the harness and a peer's file say to each other. Standard library only: it is read in both processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypedDict

QUALITY = ("R@1", "R@5", "R@10", "MRR", "NDCG@10", "session R@5")
COSTS = (
    "p50 ms",
    "p95 ms",
    "first ms",
    "CPU ms",
    "prompt ms",
    "RSS MB",
    "peak MB",
    "store MB",
    "install MB",
    "keeping s",
)
"""The columns of a row: what it found, and what that took."""


class Memory(TypedDict):
    """One thing to keep. `said` is speaker and date in front of the text, for who has no place for them."""

    id: str
    project: str
    session: str
    speaker: str
    text: str
    said: str
    at: str
    stated: bool
    """Whether it is a fact somebody wants kept, and not conversation."""


class Question(TypedDict):
    project: str
    text: str


class Job(TypedDict):
    peer: str
    version: str
    folder: str
    embedder: str
    """The folder of the model that can be lent; empty without one."""
    limit: int
    memories: list[Memory]
    questions: list[Question]
    only_time: bool
    """What is found does not count: so the memories' vectors may be any, and each question is asked as at a prompt,
    too."""
    first: bool
    """Questions go before whatever else runs on the machine."""


class Done(TypedDict, total=False):
    """What a run inside a peer's environment found; `failed` says why there is nothing else."""

    failed: str
    remarks: list[str]
    rankings: list[list[str]]
    milliseconds: list[float]
    prompted: list[float]
    """Milliseconds of each question as at a prompt; empty where that was not asked."""
    processor: float
    """Milliseconds of processor time a question, the asker's included."""
    keeping: float
    resident: float
    peak: float
    store: float


class Embedder(Protocol):
    """A model that was lent to a peer: texts to vectors of length one."""

    folder: str

    def __call__(self, texts: Sequence[str]) -> list[list[float]]: ...


class Running(Protocol):
    """A peer at work, in its own process."""

    remarks: list[str]
    """What must be known about its figures."""
    pid: int
    """The process whose memory counts, its children's included."""

    async def keep(self, memories: Sequence[Memory]) -> None: ...

    async def search(self, project: str, text: str, limit: int) -> Sequence[str]:
        """Ids of memories, best first, as its own retrieval orders them."""

    async def prompted(self, project: str, text: str) -> None:
        """Does what it does when a user sends that as a prompt, to find what is shown beside it."""

    async def close(self) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Taken:
    """Figures that were measured elsewhere, for a peer that cannot run here."""

    recall_ms: float
    p95_ms: float | None
    resident_mb: float | None
    install_mb: float | None
    of: str


@dataclass(frozen=True, kw_only=True)
class Version:
    version: str
    requirements: tuple[str, ...]
    """For pip, pinned."""
    python: tuple[int, int] = (3, 11)
    """The oldest Python it runs on."""
    environment: dict[str, str] = field(default_factory=dict)
    taken: Taken | None = None


class CannotRun(Exception):
    """What it needs is not there, and it has nothing to fall back on."""
