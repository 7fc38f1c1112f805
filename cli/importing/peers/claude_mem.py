"""claude-mem: what a model observed of sessions, and its summaries of them, in one database.

A project is called there by its folder's name; where a row of its tool uses tells the folder itself, that is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from aftermind.cli.config import of_others
from aftermind.cli.importing.exchange import Advance, Unreadable, from_milliseconds
from aftermind.cli.importing.peers.tables import Row, Tables, tables
from aftermind.cli.importing.peers.told import (
    Item,
    Left,
    Peer,
    Source,
    at_text,
    kind_of,
    listed,
    named,
    own_id,
    paragraphs,
    text_of,
)
from aftermind.cli.language.importing import Told
from aftermind.engine.names import Kind

NAME, DATABASE = "claude-mem", "claude-mem.db"
NEEDED = {"observations": ("id", "memory_session_id", "type", "created_at_epoch")}
KINDS: dict[str, Kind] = {
    "decision": "decision",
    "discovery": "fact",
    "bugfix": "event",
    "feature": "event",
    "refactor": "event",
    "change": "event",
}
LASTING = ("decision", "fact", "blocker", "directive", "preference")
"""Kinds that stay true until somebody says otherwise; what happened is history."""
OBSERVATION = (
    *("id", "memory_session_id", "project", "merged_into_project", "type", "title", "subtitle", "narrative", "text"),
    *("facts", "concepts", "files_read", "files_modified", "created_at", "created_at_epoch"),
)
SUMMARY = (
    *("id", "memory_session_id", "project", "merged_into_project", "request", "investigated", "learned", "completed"),
    *("next_steps", "notes", "created_at", "created_at_epoch"),
)
READ = ("observations", "session_summaries", "sdk_sessions")
_QUEUE = ("messages that wait for its model", "nothing was made of them yet")
_SYNC = ("rows of its sync", "of the program itself")
LEFT = {
    "user_prompts": ("prompts", "without their answers; `aftermind import ~/.claude/projects` brings both"),
    "tool_uses": ("uses of tools", "raw input and output; `aftermind import ~/.claude/projects` brings the exchanges"),
    "pending_messages": _QUEUE,
    "observation_queue": _QUEUE,
    "schema_versions": ("versions of its schema", "of the program itself"),
    "telegram_wrapups": ("messages it sent", "of the program itself"),
    **dict.fromkeys(
        ("sync_state", "sync_outbox", "sync_entity_heads", "sync_content_outbox", "sync_dead_letter"), _SYNC
    ),
    "sync_launch_exclusions": _SYNC,
}


def sources(path: Path | None) -> list[Source]:
    folder = path or _usual()
    file = folder / DATABASE if folder.is_dir() else folder
    return [Source(path=file)] if file.exists() else []


def _usual() -> Path:
    return of_others("CLAUDE_MEM_DATA_DIR") or Path.home() / ".claude-mem"


def read(source: Source, advance: Advance) -> Iterator[Item]:
    with tables(source.path, NAME, NEEDED) as found:
        problems: list[Unreadable] = []
        sessions, places = _sessions(found, problems), _places(found, problems)
        size = source.path.stat().st_size / max(1, found.count("observations") + found.count("session_summaries"))
        for row in found.read("observations", OBSERVATION, problems, "id"):
            advance(size)
            yield _observation(row, sessions, places)
        for row in found.read("session_summaries", SUMMARY, problems, "id"):
            advance(size)
            yield _summary(row, sessions, places)
        yield from problems
        if failed := found.count("sdk_sessions", "status = 'failed'"):
            yield Left("sessions its model failed on", "nothing was made of them", failed)
        yield from found.left(READ, LEFT)


def _sessions(found: Tables, problems: list[Unreadable]) -> Mapping[str, str]:
    """The client's own session of each of its own."""
    rows = found.read("sdk_sessions", ("memory_session_id", "content_session_id"), problems)
    return {text_of(row["memory_session_id"]): text_of(row["content_session_id"]) for row in rows}


def _places(found: Tables, problems: list[Unreadable]) -> Mapping[str, str]:
    """The folder of each project that a use of a tool tells, where it is called as the project is."""
    places: dict[str, str] = {}
    for row in found.read("tool_uses", ("project", "cwd"), problems):
        name, folder = text_of(row["project"]), text_of(row["cwd"])
        if name and name not in places and Path(folder).is_absolute() and Path(folder).name == name:
            places[name] = folder
    return places


def _observation(row: Row, sessions: Mapping[str, str], places: Mapping[str, str]) -> Told:
    kind, tags = kind_of(row["type"], KINDS, "event")
    facts = [f"- {fact}" for fact in listed(row["facts"])]
    changed, seen = listed(row["files_modified"]), listed(row["files_read"])
    return Told(
        id=own_id(NAME, "observation", row["id"], row["created_at_epoch"]),
        text=paragraphs(
            *(text_of(row[part]) for part in ("title", "subtitle", "narrative", "text")),
            *facts,
            named("Files changed", ", ".join(changed)),
            named("Files read", ", ".join(seen)),
        ),
        kind=kind,
        collection="memory_bank" if kind in LASTING else "history",
        project=_project(row, places),
        tags=(NAME, *tags, *listed(row["concepts"])),
        session=_session(row, sessions),
        at=_at(row),
    )


def _summary(row: Row, sessions: Mapping[str, str], places: Mapping[str, str]) -> Told:
    parts = {"Request": "request", "Investigated": "investigated", "Learned": "learned", "Completed": "completed"}
    parts |= {"Next steps": "next_steps", "Notes": "notes"}
    return Told(
        id=own_id(NAME, "summary", row["id"], row["created_at_epoch"]),
        text=paragraphs(*(named(label, row[part]) for label, part in parts.items())),
        kind="conversation",
        collection="history",
        project=_project(row, places),
        tags=(NAME, "summary"),
        session=_session(row, sessions),
        at=_at(row),
    )


def _project(row: Row, places: Mapping[str, str]) -> str | None:
    name = text_of(row["merged_into_project"]) or text_of(row["project"])
    return places.get(name) or name.strip() or None


def _session(row: Row, sessions: Mapping[str, str]) -> str | None:
    own = text_of(row["memory_session_id"])
    return sessions.get(own) or own or None


def _at(row: Row) -> datetime | None:
    epoch = row["created_at_epoch"]
    return (from_milliseconds(epoch) if isinstance(epoch, int | float) else None) or at_text(row["created_at"])


PEER = Peer(name=NAME, title="claude-mem", sources=sources, usual=_usual, read=read)
