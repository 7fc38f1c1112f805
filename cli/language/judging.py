"""What judges ask, and who watches over them; it is part of `requests.py`. What work is, and what is said of it, is the
sidecar's own (`sidecar/ports.py`)."""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from msgspec import Struct

from aftermind.cli.language.asked import NoAssistants
from aftermind.cli.language.shortening import RequestSummaries as RequestSummaries
from aftermind.engine.names import EventId, Label
from aftermind.projections.views.waiting import Queue, Why
from aftermind.sidecar.ports import Price, Said, Signature, Spent, Ticket, Usage, Work

LEASE = 180.0
"""Seconds for which work is its judge's alone."""


class TakeWork(NoAssistants[Work], tag="take-work", frozen=True, kw_only=True):
    """What this judge may judge now; nobody else is given it for so many `seconds`."""

    judge: Signature
    seconds: float = LEASE
    named: bool = False
    """Only what was asked of this judge by its name: somebody else judges otherwise."""


class Reserve(NoAssistants[EventId | Spent], tag="reserve", frozen=True, kw_only=True):
    """Sets aside what a call may cost at most; `Spent` where that would pass a limit of the day. `Refused` where the
    ticket is void: what the model would say could not be recorded."""

    ticket: Ticket
    judge: Signature
    price: Price


class PutSaid(NoAssistants[bool], tag="put-said", frozen=True, kw_only=True):
    """What a judge said, with what it cost; False where its ticket is void, and only the cost was recorded."""

    ticket: Ticket
    judge: Signature
    said: Said
    usage: Usage = Usage()
    reserved: EventId | None = None


class Requested(Struct, frozen=True, kw_only=True):
    """The exchanges a verdict was asked for, newest first; or would have been. `summaries`: memories for which a
    shorter wording was asked for again."""

    count: int
    exchanges: tuple[EventId, ...]
    summaries: int = 0


class RequestJudgement(NoAssistants[Requested], tag="request-judgement", frozen=True, kw_only=True):
    """Asks for verdicts: on what was given up (`retry`: shorter wordings, too, unless some exchanges are meant), was
    judged (`rescore`), or was imported (`extract`). `judge`: who is to judge it, anybody where that is empty.
    `judged_by`: whose verdicts are to be replaced, machines' where that is empty. `since` and `until`: when the prompts
    were said."""

    why: Why
    judge: str = ""
    judged_by: tuple[str, ...] = ()
    exchanges: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    session: str | None = None
    project: str | None = None
    limit: int | None = None
    dry_run: bool = False


class Stopped(Struct, frozen=True, kw_only=True):
    """Since when no verdicts come in, and why."""

    since: datetime
    why: str
    said: str = ""
    until: datetime | None = None


class Spending(Struct, frozen=True, kw_only=True):
    """What models were asked on one day (UTC), and may be. `failures` by their name."""

    day: str
    calls: int
    tokens: int
    dollars: float
    most_calls: int
    most_tokens: int
    most_dollars: float
    open: int = 0
    """Calls that were set aside and have no answer yet."""
    failures: dict[str, int] = {}


class Judged(Struct, frozen=True, kw_only=True):
    """One verdict. `prompt` is how the exchange begins; empty where it was forgotten."""

    exchange: EventId
    at: datetime
    outcome: str
    judge: str
    model: str = ""
    prompt: str = ""


class Scoring(Struct, frozen=True, kw_only=True):
    """How judging goes. `out`: exchanges that are in a judge's hands now; `work`: whether there is anything for the
    judge that is named, which what is paused, off limits or in somebody's hands is not."""

    queue: Queue
    out: int
    spending: Spending
    stopped: Stopped | None
    last: tuple[Judged, ...]
    extracted: datetime | None = None
    """When verdicts on imported history were last asked for."""
    work: bool = False


class ScoringState(NoAssistants[Scoring], tag="scoring-state", frozen=True, kw_only=True):
    """With the last so many verdicts, and whether there is work for a judge, where one is named."""

    limit: int = 5
    judge: Label | None = None


class StopScoring(NoAssistants[bool], tag="stop-scoring", frozen=True, kw_only=True):
    """A judge cannot go on: why, in words for a person, and until when. Whether that is new: the same said again is
    not recorded again."""

    why: Label
    said: str = ""
    until: datetime | None = None


class ResumeScoring(NoAssistants[bool], tag="resume-scoring", frozen=True, kw_only=True):
    """It can; whether it could not before."""


Judging: TypeAlias = (
    TakeWork | Reserve | PutSaid | RequestJudgement | ScoringState | StopScoring | ResumeScoring | RequestSummaries
)
