"""agentmemory: beliefs, one database a project, the project's folder in a file beside it.

What it holds is taken as it stands: a belief with a successor is superseded, one whose time is over and has none was
deleted. How sure it is of a belief (alpha, beta) starts from a prior by source, which is no evidence; what somebody
said of one when it was used (`tests`) is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import structs

from aftermind.cli.config import of_others
from aftermind.cli.importing.exchange import Advance, Unreadable
from aftermind.cli.importing.lines import text_in
from aftermind.cli.importing.peers.tables import Row, Tables, tables
from aftermind.cli.importing.peers.told import (
    RELATED,
    Item,
    Left,
    Peer,
    Source,
    at_text,
    kind_of,
    named,
    own_id,
    paragraphs,
    text_of,
)
from aftermind.cli.language.importing import Ended, Tie, Told, Word
from aftermind.engine.names import Kind, Outcome

NAME = "agentmemory"
NEEDED = {"beliefs": ("id", "content", "belief_type", "created_at")}
KINDS: dict[str, Kind] = {
    "factual": "fact",
    "relational": "fact",
    "causal": "fact",
    "correction": "fact",
    "preference": "preference",
    "procedural": "procedure",
    "requirement": "directive",
    "speculative": "idea",
}
STEPS: dict[str, Kind] = {
    "decision": "decision",
    "task_state": "plan",
    "goal": "plan",
    "context_summary": "conversation",
    "error": "event",
    "file_change": "event",
}
OUTCOMES: dict[str, Outcome] = {
    "confirmed": "worked",
    "used": "partial",
    "harmful": "failed",
    "contradicted": "failed",
    "ignored": "unknown",
    "weak": "unknown",
}
BELIEF = (
    *("id", "content", "belief_type", "source_type", "locked", "valid_to", "superseded_by", "created_at"),
    *("event_time", "session_id", "scope", "lock_level", "rigor_tier", "activation_condition"),
)
READ = ("beliefs", "edges", "tests", "checkpoints", "observations", "evidence")
LEFT = {
    "sessions": ("sessions' counters and quality", "a session is known by its memories here"),
    "audit_log": ("audit rows", "the log of this store is its audit"),
    "graph_edges": ("edges of the code graph", "files and commits are no memories; the code says them"),
    "confidence_history": ("past confidences", "numbers that follow from priors; the verdicts are imported"),
    "onboarding_runs": ("runs of its scanner", "how beliefs were found, not what they say"),
    "pending_feedback": ("shown beliefs nothing was said of", "no outcome is known"),
    "hrr_neighbors": ("computed neighbours", "similarity is computed when somebody asks"),
    "belief_clusters": ("computed clusters", "similarity is computed when somebody asks"),
}


def sources(path: Path | None) -> list[Source]:
    """A database, or all below its own folder."""
    root = path or _usual()
    if root.is_file():
        return [_source(root)]
    found = [root / "memory.db", *sorted(root.glob("*/memory.db")), *sorted(root.glob("projects/*/memory.db"))]
    found += sorted(root.glob("shared/*/memory.db"))
    return [_source(file) for file in dict.fromkeys(found) if file.is_file()]


def _usual() -> Path:
    return of_others("AGENTMEMORY_DB") or Path.home() / ".agentmemory"


def _source(file: Path) -> Source:
    """Beside each project's database a file tells its folder; what is shared is for all."""
    folder = text_in(file.parent / "project.txt").strip()
    return Source(path=file, project=folder or None)


def read(source: Source, advance: Advance) -> Iterator[Item]:
    with tables(source.path, NAME, NEEDED) as found:
        problems: list[Unreadable] = []
        words, ties = _words(found, problems), _ties(found, problems)
        size = source.path.stat().st_size / max(1, found.count("beliefs"))
        for row in found.read("beliefs", BELIEF, problems, "created_at, id"):
            advance(size)
            id = text_of(row["id"])
            told = _belief(row, source)
            yield structs.replace(told, words=tuple(words.get(id, ())), ties=tuple(ties.get(id, ())))
        yield from _steps(found, source, problems)
        yield from _observed(found, source, problems)
        yield from problems
        yield from found.left(READ, LEFT)
        if weighed := found.count("beliefs"):
            why = "alpha and beta begin as priors by source; a record here is made of verdicts"
            yield Left("beliefs' confidences", why, weighed)


def _belief(row: Row, source: Source) -> Told:
    id, kind = text_of(row["id"]), kind_of(row["belief_type"], KINDS, "fact")
    ended = None
    if (over := at_text(row["valid_to"])) is not None or row["superseded_by"]:
        by = text_of(row["superseded_by"])
        successor = own_id(NAME, by) if by else None
        ended = Ended(reason="superseded" if by else "deleted", at=over, by=successor)
    tags = [*kind[1], *_said_tags(row)]
    return Told(
        id=own_id(NAME, id),
        text=paragraphs(text_of(row["content"]), named("When", row["activation_condition"])),
        kind=kind[0],
        project=source.project,
        tags=(NAME, *tags),
        session=text_of(row["session_id"]) or None,
        at=at_text(row["event_time"]) or at_text(row["created_at"]),
        ended=ended,
        locked=bool(row["locked"]),
    )


def _said_tags(row: Row) -> Iterator[str]:
    """By whom it was said, and how well it is founded, where that is more than its default."""
    if source := text_of(row["source_type"]):
        yield source.replace("_", "-")
    if (tier := text_of(row["rigor_tier"])) not in ("", "hypothesis"):
        yield tier.replace("_", "-")
    if (scope := text_of(row["scope"])) not in ("", "project"):
        yield scope


def _words(found: Tables, problems: list[Unreadable]) -> dict[str, list[Word]]:
    """What was said of each belief. What its machine guessed from common words moves nothing here."""
    words: dict[str, list[Word]] = {}
    columns = ("id", "belief_id", "outcome", "detection_layer", "created_at")
    for row in found.read("tests", columns, problems):
        outcome = OUTCOMES.get(text_of(row["outcome"]).lower(), "unknown")
        if text_of(row["detection_layer"]) == "implicit" and outcome == "partial":
            outcome = "unknown"
        occasion = f"{text_of(row['id'])} {text_of(row['created_at'])}"
        word = Word(outcome=outcome, occasion=occasion, at=at_text(row["created_at"]))
        words.setdefault(text_of(row["belief_id"]), []).append(word)
    return words


def _ties(found: Tables, problems: list[Unreadable]) -> dict[str, list[Tie]]:
    """Its graph. It is computed from common words, so no edge makes a belief untrue here."""
    ties: dict[str, list[Tie]] = {}
    columns = ("from_id", "to_id", "edge_type", "reason", "pruned_at")
    for row in found.read("edges", columns, problems):
        if row["pruned_at"] or row["from_id"] == row["to_id"]:
            continue
        evidence = ": ".join(filter(None, (text_of(row["edge_type"]).lower(), text_of(row["reason"]))))
        tie = Tie(other=own_id(NAME, text_of(row["to_id"])), relation=RELATED, evidence=evidence)
        ties.setdefault(text_of(row["from_id"]), []).append(tie)
    return ties


def _steps(found: Tables, source: Source, problems: list[Unreadable]) -> Iterator[Told]:
    columns = ("id", "session_id", "checkpoint_type", "content", "created_at")
    for row in found.read("checkpoints", columns, problems):
        kind, tags = kind_of(row["checkpoint_type"], STEPS, "event")
        yield Told(
            id=own_id(NAME, "checkpoint", row["id"], row["created_at"]),
            text=text_of(row["content"]),
            kind=kind,
            collection="memory_bank" if kind == "decision" else "history",
            project=source.project,
            tags=(NAME, "checkpoint", *tags),
            session=text_of(row["session_id"]) or None,
            at=at_text(row["created_at"]),
        )


def _observed(found: Tables, source: Source, problems: list[Unreadable]) -> Iterator[Item]:
    """What a user said that no belief was made of; the rest is what beliefs were made from."""
    evidence = {text_of(row["observation_id"]) for row in found.read("evidence", ("observation_id",), problems)}
    columns = ("id", "content", "observation_type", "source_type", "source_path", "session_id", "created_at")
    raw = 0
    for row in found.read("observations", columns, problems):
        if text_of(row["id"]) in evidence or text_of(row["source_type"]) != "user":
            raw += 1
            continue
        kind, tags = kind_of(row["observation_type"], {"decision": "decision"}, "event")
        yield Told(
            id=own_id(NAME, "observation", text_of(row["id"])),
            text=text_of(row["content"]),
            kind=kind,
            collection="history",
            project=source.project,
            tags=(NAME, "observation", *tags),
            session=text_of(row["session_id"]) or None,
            at=at_text(row["created_at"]),
        )
    if raw:
        yield Left("observations", "the raw text beliefs were made from; the beliefs are imported", raw)


PEER = Peer(name=NAME, title="agentmemory", sources=sources, usual=_usual, read=read)
