"""What can be asked of a store: one struct a question, with the type of its answer. `answering/answer.py` answers
them, in the process that holds the store; `wire.py` carries them there.
A project is written as a name, an id or an absolute path.

The names of the fields and the tags are what older and newer programs speak to each other: a new field needs a default.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any, Literal, TypeAlias, get_args

from msgspec import field

from aftermind.cli.language.answers import (
    Context,
    Exchange,
    Kept,
    Limited,
    Paused,
    Prompted,
    Recalled,
    Remembered,
    Said,
    Stats,
    Verdict,
    Why,
)
from aftermind.cli.language.asked import Asked as Asked
from aftermind.cli.language.asked import Asker, ByEither, Harmless, InSession, NoAssistants, Within
from aftermind.cli.language.assessed import Assess as Assess
from aftermind.cli.language.books import Books as Books
from aftermind.cli.language.books import Edition as Edition
from aftermind.cli.language.books import Ingest as Ingest
from aftermind.cli.language.books import RemoveBook as RemoveBook
from aftermind.cli.language.books import Shelve as Shelve
from aftermind.cli.language.books import Source as Source
from aftermind.cli.language.books import Unread as Unread
from aftermind.cli.language.carrying import Carry as Carry
from aftermind.cli.language.entities import Entities
from aftermind.cli.language.erasing import Forgetting
from aftermind.cli.language.importing import Importing
from aftermind.cli.language.items import Items
from aftermind.cli.language.judging import Judging
from aftermind.cli.language.keeping import Keeping
from aftermind.cli.language.linking import Linking
from aftermind.cli.language.process import Modelled, State
from aftermind.cli.language.projects import Directing
from aftermind.cli.language.queueing import Queueing
from aftermind.cli.language.rebuilding import Rebuilding
from aftermind.cli.language.sessions import Sessions
from aftermind.cli.language.undoing import Undoing
from aftermind.cli.language.windows import Converse as Converse
from aftermind.cli.language.windows import Search as Search
from aftermind.engine.events import ToolUse
from aftermind.engine.logs.verify import Verified
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.names import Collection, Kind, MemoryId, Outcome, Position
from aftermind.engine.policy import Ranking

# --- what writes ----------------------------------------------------------------------------------------------


class Record(InSession[Exchange], tag="record", frozen=True, kw_only=True):
    prompt: str
    answer: str
    session: str
    project: str | None = None
    id: str | None = None
    tools: tuple[ToolUse, ...] = ()
    client: str = ""
    at: datetime | None = None
    collection: Collection = "working"
    also: tuple[str, ...] = ()
    """Other ids the same message may be known by. Told with a time, it is also known by that and its text."""
    answered: tuple[datetime, ...] = ()
    """When the pieces of its answer were said, where an import knows."""
    elsewhere: tuple[str, ...] = ()
    """Where else some of it was said: none of it is recorded where nothing is captured there."""
    prompted: datetime | None = None
    """When its prompt was said, where who tells it as it happens knows: its place, if nobody told of that."""


class Remember(Within[MemoryId], tag="remember", frozen=True, kw_only=True):
    text: str
    kind: Kind = "fact"
    collection: Collection = "memory_bank"
    project: str | None = None
    tags: tuple[str, ...] = ()
    speaker: str = ""
    session: str | None = None
    at: datetime | None = None
    supersedes: str | None = None
    asked_by: Asker = "person"
    particulars: Particulars = Particulars()
    """What stands behind it, how long it is so, its review and reminder."""


class EndSession(InSession[None], tag="end-session", frozen=True, kw_only=True):
    session: str
    reason: str = "ended"
    project: str | None = None
    """Where its client says it worked: its session is filed by its id alone."""


class Brief(InSession[Context], tag="brief", frozen=True, kw_only=True):
    """Also writes: the prompt, and what was shown. Without `ranking` the holder's own; `budget` (tokens) and `limit`
    (memories) go before either's."""

    session: str
    prompt: str | None = None
    project: str | None = None
    client: str = ""
    budget: int | None = None
    limit: int | None = None
    ranking: Ranking | None = None
    message: str | None = None
    """The client's own id of the prompt, or of what began: told of twice, it is shown to once."""
    longest: int | None = None
    """Characters the client can take, which may be fewer than the budget allows."""
    show: bool = True
    """False where the client can show nothing: then only the prompt is received."""
    compacting: bool = False
    """The client compacts the conversation: where the work stands is written down first, and shown as well."""
    left_out: bool = True
    """Whether it is told what else was looked at, and why that is not shown."""


class NoteTool(InSession[None], tag="note-tool", frozen=True, kw_only=True):
    """A tool was used in a turn that goes on. `message` is the client's id of the turn, `call` its id of the use."""

    session: str
    tool: ToolUse
    project: str | None = None
    client: str = ""
    message: str | None = None
    call: str | None = None


class EndTurn(InSession[None], tag="end-turn", frozen=True, kw_only=True):
    """A turn is over, told by a client that need not say what was asked: that is the prompt `message` names, or the
    session's last one. Tools noted since then are part of it, and those told here. Ended again, with more to say, its
    answer grows."""

    answer: str
    session: str
    prompt: str = ""
    project: str | None = None
    tools: tuple[ToolUse, ...] = ()
    client: str = ""
    message: str | None = None
    once: bool = False
    """Its client tells each turn once: another answer than the last prompt has, or one without a prompt, is another
    turn, and the same answer said again is one as well where no prompt was told."""


class Checkpoint(InSession[None], tag="checkpoint", frozen=True, kw_only=True):
    """The conversation is, or was, compacted."""

    session: str
    moment: Literal["before", "after"]
    trigger: str = ""
    text: str = ""
    project: str | None = None
    client: str = ""
    message: str | None = None


class Pause(NoAssistants[Paused], tag="pause", frozen=True, kw_only=True):
    """From now on nothing is captured or shown in a project, without one everywhere; `until` then, or until resumed."""

    project: str | None = None
    until: datetime | None = None


class Resume(NoAssistants[bool], tag="resume", frozen=True, kw_only=True):
    """Ends the pause of a project, without one that of everywhere; whether there was one."""

    project: str | None = None


class Score(Within[Verdict], tag="score", frozen=True, kw_only=True):
    outcome: Outcome | None = None
    exchange: str | None = None
    session: str | None = None
    project: str | None = None
    memories: dict[str, Outcome] = field(default_factory=dict)
    judge: str = "person"
    evidence: str = ""


class Correct(Within[Remembered], tag="correct", frozen=True, kw_only=True):
    id: str
    text: str
    reason: str = ""


class Become(NoAssistants[Remembered], tag="become", frozen=True, kw_only=True):
    id: str
    step: Literal["promote", "demote", "lock", "unlock", "archive", "restore", "lengthen"]
    reason: str = ""


class Forget(Within[None], tag="forget", frozen=True, kw_only=True):
    id: str


class Sweep(NoAssistants[int], tag="sweep", frozen=True, kw_only=True):
    pass


class Deliver(NoAssistants[Said], tag="deliver", frozen=True, kw_only=True):
    """What a client handed to a door that understands none of it: `payload` is its standard input as it was."""

    client: str
    event: str
    payload: bytes
    directory: str = ""


# --- what reads -----------------------------------------------------------------------------------------------


class Recall(ByEither[tuple[Recalled, ...]], tag="recall", frozen=True, kw_only=True):
    query: str
    project: str | None = None
    limit: int | None = None
    collections: tuple[Collection, ...] = ()
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    history: bool = False
    at: datetime | None = None
    floor: bool = True
    perhaps: bool = False
    """What is only perhaps meant, for who found nothing."""
    prompt: bool = False
    timed: bool = False
    """What asks for a time is answered in the order of time (`what did we do last week`)."""
    linked: int = 0
    """Behind what is found also what is linked with it, so many links deep."""
    ranking: Ranking | None = None


class Latest(ByEither[tuple[Remembered, ...]], tag="latest", frozen=True, kw_only=True):
    project: str | None = None
    limit: int = 20
    collections: tuple[Collection, ...] = ()
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    session: str | None = None
    history: bool = False
    at: datetime | None = None


class Show(Within[Remembered], tag="show", frozen=True, kw_only=True):
    id: str


class Explain(Within[Why], tag="explain", frozen=True, kw_only=True):
    id: str


class Count(Harmless[Stats], tag="count", frozen=True, kw_only=True):
    project: str | None = None


class Prompts(NoAssistants[tuple[Prompted, ...]], tag="prompts", frozen=True, kw_only=True):
    """The last prompts, newest first, with what was shown for them or why nothing was: all there are, or those that
    were asked in a project, or in none."""

    limit: int = 5
    project: str | None = None
    all: bool = True


class Limits(NoAssistants[Limited], tag="limits", frozen=True, kw_only=True):
    """What is paused now, and why nothing is captured or shown in a project, if that is so."""

    project: str | None = None
    directory: str = ""


class Embed(NoAssistants[Modelled], tag="embed", frozen=True, kw_only=True):
    """Loads the configured model where it is not, and waits until every memory has its vectors, so many seconds."""

    seconds: float = 0.0


class CatchUp(Harmless[Position], tag="catch-up", frozen=True, kw_only=True):
    pass


class Events(NoAssistants[tuple[Kept, ...]], tag="events", frozen=True, kw_only=True):
    after: int = 0
    limit: int = 1000


class Beyond(Harmless[Position], tag="beyond", frozen=True, kw_only=True):
    """Waits until something stands behind a position, at most so many seconds; where the log ends then."""

    position: int
    seconds: float = 20.0


class Verify(NoAssistants[Verified], tag="verify", frozen=True, kw_only=True):
    pass


# --- of the process itself ------------------------------------------------------------------------------------


class Report(Harmless[State], tag="report", frozen=True, kw_only=True):
    """How the process that holds the store is; answered while it is still opening it."""


class Stop(NoAssistants[State], tag="stop", frozen=True, kw_only=True):
    """It finishes what it accepted and ends. Only a daemon does; of another program this is refused."""


Request: TypeAlias = (
    Record
    | Remember
    | EndSession
    | Brief
    | Pause
    | Resume
    | NoteTool
    | EndTurn
    | Checkpoint
    | Search
    | Score
    | Correct
    | Become
    | Forget
    | Shelve
    | Ingest
    | RemoveBook
    | Sweep
    | Deliver
    | Converse
    | Recall
    | Latest
    | Unread
    | Books
    | Show
    | Explain
    | Count
    | Assess
    | Prompts
    | Limits
    | Embed
    | CatchUp
    | Events
    | Beyond
    | Verify
    | Importing
    | Carry
    | Forgetting
    | Undoing
    | Sessions
    | Items
    | Queueing
    | Judging
    | Directing
    | Entities
    | Keeping
    | Linking
    | Rebuilding
    | Report
    | Stop
)
Spoolable: TypeAlias = Record | Remember | EndSession | Deliver
"""What makes sense later, when nobody waits for the answer."""


@cache
def answer_type(asked: type[Asked[Any]]) -> Any:
    """The type of a question's answer."""
    bases: tuple[Any, ...] = asked.__orig_bases__  # type: ignore[attr-defined]  # typing keeps what was written there
    return get_args(bases[0])[0]
