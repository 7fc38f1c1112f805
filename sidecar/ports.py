"""What a judge is given and what it says, and the two doors it works between: the `Desk` that hands out work and takes
verdicts, and the `Model` that is asked. Pure, but for the waiting at both.

A judge never says an id of its own making: the desk knows which exchange was handed out under which `Ticket`, and which
memories belong to it, so that no verdict can land on anything else.
"""

from __future__ import annotations

from typing import Literal, NewType, Protocol, TypeAlias

from msgspec import Struct

from aftermind.engine.events import ToolUse
from aftermind.engine.names import EventId, Kind, Label, MemoryId, Outcome

Ticket = NewType("Ticket", str)
"""What a piece of work is handed out under. It is void when its time is over, or the desk began anew."""
Effect: TypeAlias = Literal["helped", "misled", "neutral"]
Fault: TypeAlias = Literal[
    "unreachable",  # nobody listens, or the connection broke before an answer began
    "timeout",
    "broken",  # a connection that broke in the middle, HTML, a 5xx
    "limited",  # 429
    "denied",  # 401, 403, no key
    "missing",  # 404: no such model or path
    "too-long",
    "rejected",  # any other 4xx
    "unreadable",  # an answer that is not what was asked for, a refusal among them
]


# --- work -----------------------------------------------------------------------------------------------------


class Known(Struct, frozen=True, kw_only=True):
    """A memory, as a judge reads it."""

    id: MemoryId
    kind: Kind
    text: str
    answer: str = ""


class Case(Struct, frozen=True, kw_only=True, tag="case"):
    """One exchange, and all it may be judged by. `shown`: the memories of its own injections. `known`: stated memories
    of its scope that may say the same as it, or something else of the same thing."""

    ticket: Ticket
    exchange: EventId
    prompt: str
    answer: str
    tools: tuple[ToolUse, ...] = ()
    shown: tuple[Known, ...] = ()
    known: tuple[Known, ...] = ()
    follow_up: str | None = None
    attempt: int = 1


class Long(Struct, frozen=True, kw_only=True, tag="long"):
    """One memory that is to be said in fewer words: at most so many characters."""

    ticket: Ticket
    memory: Known
    most: int
    attempt: int = 1


class Nothing(Struct, frozen=True, kw_only=True, tag="nothing"):
    """No work now."""


Work: TypeAlias = Case | Long | Nothing


# --- what is said of it ---------------------------------------------------------------------------------------


class Part(Struct, frozen=True, kw_only=True):
    """What one shown memory had to do with the answer and with how that turned out."""

    memory: MemoryId
    used: bool
    effect: Effect


class Learned(Struct, frozen=True, kw_only=True):
    """Something worth knowing later. `replaces` is one of the case's `known` or `shown`, of which it says something
    newer; `wrong` the words that are no more true, where they were said. `everywhere`: what a person wants in all
    projects, and nothing else."""

    text: str
    kind: Kind
    tags: tuple[str, ...] = ()
    everywhere: bool = False
    replaces: MemoryId | None = None
    wrong: str = ""
    evidence: str = ""


class Findings(Struct, frozen=True, kw_only=True, tag="findings"):
    """A verdict on a case: its outcome with the words that show it, the part of each memory, what was learned."""

    outcome: Outcome
    evidence: str = ""
    parts: tuple[Part, ...] = ()
    learned: tuple[Learned, ...] = ()
    summary: str = ""


class Shortened(Struct, frozen=True, kw_only=True, tag="shortened"):
    summary: str


class Failed(Struct, frozen=True, kw_only=True, tag="failed"):
    """No findings. `said`: what the endpoint or the parser said, for a person, without any text of the exchange."""

    fault: Fault
    said: str = ""


Said: TypeAlias = Findings | Shortened | Failed


class Usage(Struct, frozen=True, kw_only=True):
    """What one asking cost. Where a model was reached and did not say, what was set aside is taken as spent."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float = 0.0
    milliseconds: int = 0


class Signature(Struct, frozen=True, kw_only=True):
    """Who judges: `cues` or `model`, which one, and the revision of its rules or of its question."""

    judge: Label
    model: Label = Label("")
    revision: int


class Price(Struct, frozen=True, kw_only=True):
    """The most one asking can cost."""

    tokens: int
    dollars: float = 0.0


class Spent(Struct, frozen=True, kw_only=True):
    """A limit of the day is reached; the day ends in so many seconds."""

    limit: Literal["calls", "tokens", "dollars"]
    seconds: float


class Desk(Protocol):
    """Hands out each piece of work to one judge at a time, and appends what it says."""

    async def take(self, judge: Signature) -> Work: ...

    async def reserve(self, ticket: Ticket, judge: Signature, price: Price) -> EventId | Spent:
        """Sets the price aside, durably, before the model is asked; `Spent` where that would pass a limit. `Refused`
        where the ticket is void."""

    async def put(
        self, ticket: Ticket, judge: Signature, said: Said, usage: Usage, reserved: EventId | None = None
    ) -> bool:
        """Records it, with everything that follows. False where the ticket is void: somebody else has the work, and
        only what it cost is recorded. The same again changes nothing."""


# --- a model --------------------------------------------------------------------------------------------------


class Question(Struct, frozen=True, kw_only=True):
    """What a model is asked: rules, then data, then the shape (JSON Schema) of the answer, and how long that may be."""

    rules: str
    data: str
    shape: bytes
    most_tokens: int


class Reply(Struct, frozen=True, kw_only=True):
    text: str
    usage: Usage


class NoReply(Exception):
    """There is none. `usage` is what it cost all the same; `retry_after` what the server asked for, in seconds."""

    def __init__(self, fault: Fault, said: str, usage: Usage, retry_after: float | None = None) -> None:
        super().__init__(said)
        self.fault, self.said, self.usage, self.retry_after = fault, said, usage, retry_after


class Model(Protocol):
    """One model at one endpoint."""

    name: Label

    def price(self, question: Question) -> Price: ...

    async def ask(self, question: Question) -> Reply:
        """One request, never repeated here. Raises `NoReply`."""
