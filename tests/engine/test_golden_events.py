"""The stored format, form by form: one file each, as it stands in somebody's log. A file here never changes. A form
that got more fields has another file, `<tag>.<what for>`."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path
from shutil import which
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from msgspec import Raw, Struct, structs

from aftermind.engine.event_forms.sharing import ProjectShared, SharingEnded
from aftermind.engine.events import (
    BookIngested,
    BookRemoved,
    CapturePaused,
    CaptureResumed,
    CheckpointWritten,
    ContextInjected,
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
    MemoryVerdict,
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
    Shown,
    SummaryRequested,
    ToolHeld,
    ToolUse,
    ToolUsed,
    Unknown,
    WordsForgotten,
)
from aftermind.engine.names import GLOBAL, BookId, Digest, EventId, Label, MemoryId, ProjectId, Scope, SessionId
from aftermind.engine.stored import FORMS, from_bytes, tag_of, to_bytes
from tests.golden_items import ITEMS
from tests.golden_kinds import KINDS

FOLDER = Path(__file__).parents[1] / "golden" / "events"
BEFORE_THEY_HELD = {f"tests/golden/events/{name}.json" for name in ("project-seen", "session-started")}
"""Files that were changed before any store was kept by anybody."""
FUTURE = "from-the-future"
S, M, OTHER, PROJECT = SessionId("s-1"), MemoryId("m-1"), MemoryId("m-2"), Scope("p-1")
EXCHANGE, INJECTION, BOOK = EventId("exchange-1"), EventId("injection-1"), BookId("b-1")
INGESTED = BookIngested(
    book=BOOK,
    scope=PROJECT,
    path="/home/ada/billing/runbook.pdf",
    title="Billing runbook",
    form=Label("pdf"),
    digest=Digest("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
    size=20480,
    chunks=(M, OTHER),
    pages=(1, 3),
    cut=2,
)
ASKED = EventId("asked-1")
WHEN = datetime(2026, 6, 1, 8, 30, 15, 250000, tzinfo=UTC)
TOOLS = (
    ToolUse(name="bash", paths=("Makefile",), ok=False, error="make: *** No rule to make target 'deploy'"),
    ToolUse(name="read"),
)

GOLDEN: dict[str, Event] = {
    "session-started": SessionStarted(
        session=S, scope=PROJECT, client=Label("claude-code"), directory="/home/ada/billing"
    ),
    "prompt-received": PromptReceived(session=S, scope=PROJECT, text="How do we deploy billing? 部署"),
    "prompt-received.turn": PromptReceived(session=S, scope=PROJECT, text="How do we deploy billing?", turn=EXCHANGE),
    "tool-used": ToolUsed(session=S, scope=PROJECT, tool=TOOLS[0], turn=EXCHANGE),
    "checkpoint-written": CheckpointWritten(
        session=S, scope=PROJECT, moment=Label("after"), trigger=Label("auto"), text="Billing is deployed. 部署"
    ),
    "checkpoint-written.work": CheckpointWritten(
        session=S,
        scope=PROJECT,
        moment=Label("now"),
        trigger=Label(""),
        text="Half of it is there.",
        goal="Deploy billing to staging 部署",
        decisions=("Blue and green: a rollback is one switch",),
        done=("The image is built",),
        pending=("The health check",),
        files=("deploy/billing.yaml",),
        references=("https://example.com/runbook",),
        by=Label("assistant"),
    ),
    "checkpoint-written.finished": CheckpointWritten(
        session=S, scope=PROJECT, moment=Label("now"), trigger=Label(""), done=("The health check",), finished=True
    ),
    "session-continued": SessionContinued(session=S),
    "tool-held": ToolHeld(session=S, scope=PROJECT, uses=30),
    "context-injected": ContextInjected(
        session=S,
        scope=PROJECT,
        query="How do we deploy billing?",
        shown=(
            Shown(memory=M, rank=1, score=0.75, reasons=("says deploy (0.75)",)),
            Shown(memory=OTHER, rank=2, score=0.5),
        ),
        tokens=120,
    ),
    "exchange-recorded": ExchangeRecorded(
        session=S,
        scope=PROJECT,
        memory=M,
        prompt="How do we deploy billing?",
        answer="Run `make deploy`.",
        tools=TOOLS,
        injections=(INJECTION,),
        client=Label("claude-code"),
    ),
    "exchange-revised": ExchangeRevised(
        session=S,
        scope=PROJECT,
        exchange=EXCHANGE,
        memory=M,
        answer="Run `make deploy`. Then check the logs.",
        tools=TOOLS,
    ),
    "exchange-judged": ExchangeJudged(
        session=S,
        exchange=EXCHANGE,
        outcome="worked",
        memories=(MemoryVerdict(memory=OTHER, outcome="partial", occasion=INJECTION),),
        judge=Label("cues"),
        evidence="thanks, that did it",
    ),
    "exchange-judged.signed": ExchangeJudged(
        session=S,
        exchange=EXCHANGE,
        outcome="failed",
        memories=(
            MemoryVerdict(memory=OTHER, outcome="failed", occasion=INJECTION, used=True),
            MemoryVerdict(memory=M, outcome="unknown", occasion=EXCHANGE, used=False),
        ),
        judge=Label("model"),
        evidence="still failing 部署",
        model=Label("ollama/qwen3:4b"),
        revision=3,
        follow_up=EventId("prompt-2"),
        asked=ASKED,
    ),
    "judgement-abandoned": JudgementAbandoned(
        session=S, exchange=EXCHANGE, judge=Label("model"), why=Label("unreadable"), attempts=3
    ),
    "judgement-requested": JudgementRequested(session=S, exchange=EXCHANGE, why=Label("retry")),
    "judgement-requested.of": JudgementRequested(
        session=S, exchange=EXCHANGE, why=Label("rescore"), judge=Label("model")
    ),
    "session-ended": SessionEnded(session=S, reason=Label("logout")),
    "memory-recorded": MemoryRecorded(
        memory=M,
        kind="exchange",
        collection="working",
        scope=PROJECT,
        text="How do we deploy billing?",
        answer="Run `make deploy`.",
        speaker="Ada",
        tags=("deploy", "billing"),
        session=S,
        exchange=EXCHANGE,
        expires=WHEN,
    ),
    "memory-scored": MemoryScored(memory=M, outcome="failed", occasion=INJECTION, judge=Label("person")),
    "memory-promoted": MemoryPromoted(memory=M, to="history", reason="2 of 2 worked, lower bound 0.34", expires=WHEN),
    "memory-demoted": MemoryDemoted(memory=M, to="working", reason="by hand", expires=WHEN),
    "memory-corrected": MemoryCorrected(memory=M, scope=PROJECT, text="Deploy with `make release`.", reason="renamed"),
    "memory-corrected.answer": MemoryCorrected(
        memory=M, scope=PROJECT, text="How do we deploy billing?", answer="Run `make release`. 部署", reason="renamed"
    ),
    "memory-superseded": MemorySuperseded(memory=M, by=OTHER, reason="a newer decision"),
    "memory-superseded.evidence": MemorySuperseded(
        memory=M, by=OTHER, reason="a newer value was learned", evidence="port staging 部署"
    ),
    "memories-linked": MemoriesLinked(
        memory=M, other=OTHER, relation=Label("seen-again"), evidence="the endpoint is still /v2 部署"
    ),
    "memory-summarized": MemorySummarized(
        memory=M, summary="Deploy with `make deploy`. 部署", model=Label("ollama/qwen3:4b"), revision=2
    ),
    "memory-locked": MemoryLocked(memory=M),
    "memory-unlocked": MemoryUnlocked(memory=M),
    "memory-archived": MemoryArchived(memory=M, reason="no longer used"),
    "memory-restored": MemoryRestored(memory=M, expires=WHEN),
    "memory-expired": MemoryExpired(memory=M, reason="its time in working was over"),
    "memory-forgotten": MemoryForgotten(memory=M, scope=PROJECT),
    "memories-unlinked": MemoriesUnlinked(memory=M, link=EXCHANGE),
    "words-forgotten": WordsForgotten(scope=PROJECT, quoted_in=(EXCHANGE, INJECTION)),
    "memory-forgotten.quoted": MemoryForgotten(memory=M, scope=PROJECT, quoted_in=(EXCHANGE, INJECTION)),
    "memory-recorded.chunk": MemoryRecorded(
        memory=M,
        kind="chunk",
        collection="books",
        scope=PROJECT,
        text="Roll back with `make rollback`. 回滚",
        speaker="Billing runbook",
        book=BOOK,
        place="Deploying › Rollback",
    ),
    "memory-recorded.learned": MemoryRecorded(
        memory=M,
        kind="directive",
        collection="memory_bank",
        scope=PROJECT,
        text="Never commit .env",
        tags=("git",),
        session=S,
        exchange=EXCHANGE,
        evidence="and never commit .env. 部署",
        judge=Label("cues"),
        revision=2,
    ),
    "summary-requested": SummaryRequested(memory=M, most=200),
    "book-ingested": INGESTED,
    "book-ingested.ends": structs.replace(INGESTED, ends=(1, 4)),
    "book-ingested.turns": structs.replace(INGESTED, ends=(1, 4), turns=((), (120,))),
    "book-removed": BookRemoved(book=BOOK, scope=PROJECT),
    "project-seen": ProjectSeen(
        project=ProjectId("p-1"), name="billing", aliases=("remote:github.com/acme/billing", "path:/home/ada/billing")
    ),
    "project-aliased": ProjectAliased(project=ProjectId("p-1"), aliases=("path:/home/ada/billing",)),
    "project-shared": ProjectShared(project=ProjectId("p-1"), sees=ProjectId("p-2")),
    "sharing-ended": SharingEnded(project=ProjectId("p-1"), sees=ProjectId("p-2")),
    "capture-paused": CapturePaused(scope=PROJECT, until=WHEN),
    "capture-paused.everywhere": CapturePaused(scope=GLOBAL),
    "capture-resumed": CaptureResumed(scope=PROJECT),
    "model-asked": ModelAsked(
        model=Label("ollama/qwen3:4b"), purpose=Label("judge"), tokens=4096, dollars=0.0125, exchange=EXCHANGE
    ),
    "model-asked.memory": ModelAsked(model=Label("ollama/qwen3:4b"), purpose=Label("shorten"), tokens=2048, memory=M),
    "model-answered": ModelAnswered(
        asked=ASKED,
        calls=1,
        tokens_in=1210,
        tokens_out=96,
        dollars=0.00125,
        milliseconds=2350,
        exchange=EXCHANGE,
    ),
    "model-answered.failed": ModelAnswered(asked=ASKED, calls=2, failed=Label("unreadable"), memory=M),
    "scoring-stopped": ScoringStopped(
        why=Label("limited"), said="429 from api.example.com: slow down 部署", until=WHEN
    ),
    "scoring-resumed": ScoringResumed(),
    **KINDS,
    **ITEMS,
    FUTURE: Unknown(tag=FUTURE, raw=Raw(b'{ "type": "from-the-future", "memory": "m-1", "dream": {"depth": 3.0} }')),
}


def tag(name: str) -> str:
    return name.partition(".")[0]


@pytest.mark.parametrize("name", GOLDEN)
def test_the_file_reads_as_the_event(name: str) -> None:
    assert from_bytes(tag(name), stored(name)) == GOLDEN[name]


@pytest.mark.parametrize("name", GOLDEN)
def test_the_event_writes_as_the_file(name: str) -> None:
    assert tag_of(GOLDEN[name]) == tag(name)
    assert to_bytes(GOLDEN[name]) == stored(name)


def test_every_form_has_a_file_and_every_file_a_form() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(GOLDEN)
    assert set(map(tag, GOLDEN)) == {*FORMS, FUTURE}


def stored(name: str) -> bytes:
    """The payload: the file without the line's end."""
    return (FOLDER / f"{name}.json").read_bytes().removesuffix(b"\n")


def test_every_field_of_every_form_stands_in_a_file():
    """A field that is new needs a file of its own: what is written today has to be read for ever."""
    missing = []
    for form_tag, form in FORMS.items():
        files = [msgspec.json.decode(stored(name)) for name in GOLDEN if tag(name) == form_tag]
        missing += [f"{form_tag}: {field}" for field in fields_of(form) - set().union(*map(fields_in, files))]
    assert not missing


def fields_of(form: type[Struct]) -> set[str]:
    """Its fields, and those of what it is made of: `tools.name`."""
    found: set[str] = set()
    for name, hint in get_type_hints(form).items():
        found.add(name)
        for inner in (hint, *get_args(hint)):
            if isinstance(inner, type) and issubclass(inner, Struct):
                found |= {f"{name}.{below}" for below in fields_of(inner)}
    return found


def fields_in(told: dict[str, Any]) -> set[str]:
    found: set[str] = set()
    for name, value in told.items():
        found.add(name)
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict):
                found |= {f"{name}.{below}" for below in fields_in(inner)}
    return found


def test_no_file_was_ever_changed():
    """Neither in this checkout's history nor in what is not committed yet. One that is gone was another form's."""
    if not (FOLDER.parents[2] / ".git").exists():
        pytest.skip("this is no checkout")
    if which("git") is None:
        pytest.skip("not installed: git")
    git = ["git", "-c", "safe.directory=*"]
    changed = [*git, "log", "--diff-filter=MDT", "--format=%h", "--name-only", "--", str(FOLDER)]
    history = subprocess.run(changed, cwd=FOLDER, capture_output=True, text=True, check=True, timeout=60).stdout
    now = [*git, "diff", "HEAD", "--diff-filter=MDT", "--name-only", "--", str(FOLDER)]
    uncommitted = subprocess.run(now, cwd=FOLDER, capture_output=True, text=True, check=True, timeout=60).stdout
    assert {line for line in f"{history}{uncommitted}".splitlines() if line.endswith(".json")} <= BEFORE_THEY_HELD
