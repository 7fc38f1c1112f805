"""What is asked of sessions and of where their work stands; it is part of `requests.py`.

`within` is the project an assistant asks from: what is of another one is not there for it. A person asks from nowhere.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.cli.language.answers import Remembered
from aftermind.cli.language.asked import InSession, NoAssistants, Within
from aftermind.engine.names import EventId, Outcome, Scope, SessionId
from aftermind.projections.reading.work import Stand, Work

Author: TypeAlias = Literal["person", "assistant", "hook"]
"""Who writes a checkpoint. The daemon, who writes some too, asks nobody."""
SAY_NOTHING = ("", "ended", "other", "exit", "prompt_input_exit")
"""Reasons of assistants that say no more of a session than that it ended."""
LIST = "`aftermind session list --all` lists them"
"""What helps who names a session that is not there."""


class Listed(Struct, frozen=True, kw_only=True):
    """One session. `active`: it has not ended, and its lease is not over; `reason`: why it ended. `goal` is what its
    work is for: as a checkpoint says, or else what was asked first."""

    id: SessionId
    scope: Scope
    project: str
    client: str
    directory: str
    started: datetime
    last: datetime
    exchanges: int
    checkpoints: int
    active: bool
    ended: datetime | None = None
    reason: str = ""
    goal: str = ""
    answering: bool = False
    """Whether what was asked last in it has no answer yet."""

    @property
    def why(self) -> str:
        """Why it ended, in brackets behind that it did; empty where nobody says."""
        return "" if self.reason in SAY_NOTHING else f" ({self.reason})"

    score: float = 0.0
    """Of a search: the share of what is looked for that it says."""


class Turn(Struct, frozen=True, kw_only=True):
    """What was asked in a session, what was answered, and how that went."""

    exchange: EventId
    at: datetime
    prompt: str
    answer: str
    outcome: Outcome | None = None


class Told(Struct, frozen=True, kw_only=True):
    """All there is of one session. `open` is the prompt nobody answered; `changed` and `looked` are the files its tools
    wrote and read, or where no tool told any, those git says were changed meanwhile (`by_git`). `learned`: what was
    made of it by whoever judged it."""

    session: Listed
    work: Work
    stands: tuple[Stand, ...]
    turns: tuple[Turn, ...]
    open: str
    changed: tuple[str, ...]
    looked: tuple[str, ...]
    by_git: bool
    learned: tuple[Remembered, ...]


class Resumed(Struct, frozen=True, kw_only=True):
    """The briefing by which an assistant goes on where a session was left; empty text where there is nothing to go on
    with."""

    session: SessionId | None
    text: str
    tokens: int


class Written(Struct, frozen=True, kw_only=True):
    """A checkpoint that was written, into which session, and where the work stands with it."""

    id: EventId
    session: SessionId
    work: Work


class Gated(Struct, frozen=True, kw_only=True):
    """Whether a tool may be used now: it may, it may and somebody is reminded, or it may not until a checkpoint is
    written. `text` is for the assistant."""

    verdict: Literal["open", "remind", "hold"] = "open"
    text: str = ""


class ListSessions(Within[tuple[Listed, ...]], tag="list-sessions", frozen=True, kw_only=True):
    """The sessions of a project (None: of none), or all, the last used first: those that are `active`, of a client, or
    that say something of a `query`, best first."""

    project: str | None = None
    all: bool = False
    active: bool = False
    client: str = ""
    query: str | None = None
    limit: int = 20


class ShowSession(Within[Told], tag="show-session", frozen=True, kw_only=True):
    """By its id, or as much of it as no other one begins with."""

    session: str
    git: bool = True


class ResumeSession(InSession[Resumed], tag="resume-session", frozen=True, kw_only=True):
    """Where a session's work stands; without one, the last of the project's that has any, but not the one that asks
    (`into`). What it shows there was shown to that one. `budget` is in tokens and hard."""

    session: str | None = None
    project: str | None = None
    into: str | None = None
    client: str = ""
    budget: int | None = None
    within: str | None = None


class BeginSession(InSession[SessionId], tag="begin-session", frozen=True, kw_only=True):
    """The same one begun twice is one, and goes on where it had ended."""

    session: str
    project: str | None = None
    client: str = ""


class KeepAlive(Within[None], tag="keep-alive", frozen=True, kw_only=True):
    """`NotFound` for a session nobody knows, `Refused` for one that was ended."""

    session: str


class CloseSession(Within[SessionId], tag="close-session", frozen=True, kw_only=True):
    """A session is over, with what there is to say of it. Said twice it ended once; `NotFound` for one nobody knows."""

    session: str
    reason: str = "ended"
    summary: str = ""


class WriteCheckpoint(InSession[Written], tag="write-checkpoint", frozen=True, kw_only=True):
    """Where the work stands. Without a session it is the project's that was last alive. `pending` is all that is; None
    says nothing of it, an empty one that nothing is."""

    session: str | None = None
    project: str | None = None
    client: str = ""
    text: str = ""
    goal: str = ""
    decisions: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    pending: tuple[str, ...] | None = None
    files: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    by: Author = "person"


class AskGate(InSession[Gated], tag="ask-gate", frozen=True, kw_only=True):
    """Whether a tool may be used now in a session. `writes`: it is one that writes a checkpoint, which always may."""

    session: str
    project: str | None = None
    writes: bool = False
    call: str | None = None
    """The client's id of the use: asked of twice, it is held back once."""
    doing: str = ""
    """What it is about to do, in its name and the command it runs, and which files it touches: only looked at."""
    paths: tuple[str, ...] = ()


class Grown(Struct, frozen=True, kw_only=True):
    """How many pages there are, and where."""

    pages: int
    folder: str


class RegrowPages(NoAssistants[Grown], tag="regrow-pages", frozen=True, kw_only=True):
    """The store's own pages of sessions are written anew: of all that have a checkpoint."""


Sessions: TypeAlias = (
    ListSessions
    | ShowSession
    | ResumeSession
    | BeginSession
    | KeepAlive
    | CloseSession
    | WriteCheckpoint
    | AskGate
    | RegrowPages
)
