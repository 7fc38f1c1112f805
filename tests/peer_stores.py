"""Small files of the shapes in which other memories keep their data, written by us: the tables and columns a reader
needs, with words of our own. `bench/peers/importing.py` has the programs themselves write theirs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

Rows = Iterable[Mapping[str, object]]


def database(path: Path, tables: Mapping[str, tuple[str, Rows]]) -> Path:
    """Each table by its columns and its rows; what a row does not say is NULL."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    for table, (columns, rows) in tables.items():
        connection.execute(f"CREATE TABLE {table} ({columns})")
        for row in rows:
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))
    connection.commit()
    connection.close()
    return path


def agentmemory(root: Path, project: Path, *, outcomes: Sequence[str] = ("confirmed",)) -> Path:
    """Two beliefs of which one replaced the other, a locked requirement, a deleted one, a decision of a session."""
    beliefs = [
        {"id": "b1", "content": "The API runs on port 8080", "valid_to": "2026-02-01T00:00:00+00:00"},
        {"id": "b2", "content": "The API runs on port 9090", "locked": 0},
        {"id": "b3", "content": "Never force push to main", "belief_type": "requirement", "locked": 1},
        {"id": "b4", "content": "A thing somebody deleted", "valid_to": "2026-02-02T00:00:00+00:00"},
    ]
    shared: dict[str, object] = {"belief_type": "factual", "source_type": "user_stated"}
    shared |= {"created_at": "2026-01-31T12:00:00+00:00"}
    beliefs[0]["superseded_by"] = "b2"
    columns = "id, content, belief_type, source_type, locked, valid_to, superseded_by, created_at, alpha"
    words = [
        {"id": n, "belief_id": "b2", "outcome": word, "detection_layer": "explicit", "created_at": f"2026-02-0{n}"}
        for n, word in enumerate(outcomes, 3)
    ]
    steps = [{"id": 1, "session_id": "s1", "checkpoint_type": "decision", "content": "Chose SQLite"}]
    path = database(
        root / "projects" / "0a1b" / "memory.db",
        {
            "beliefs": (columns, [{**shared, **one} for one in beliefs]),
            "edges": ("from_id, to_id, edge_type, reason", [{"from_id": "b2", "to_id": "b3", "edge_type": "CITES"}]),
            "tests": ("id, belief_id, outcome, detection_layer, created_at", words),
            "checkpoints": ("id, session_id, checkpoint_type, content, created_at", steps),
            "observations": ("id, content, source_type", [{"id": "o1", "content": "raw", "source_type": "document"}]),
            "audit_log": ("id", [{"id": 1}]),
            "of_a_later_version": ("id", [{"id": 1}, {"id": 2}]),
        },
    )
    (path.parent / "project.txt").write_text(f"{project}\n", encoding="utf-8")
    return path


def semantic_memory(folder: Path) -> Path:
    columns = "id INTEGER PRIMARY KEY, project, category, content, what, why, learned, created_at, expires_at, "
    columns += "resolved_at, pinned, reminder_at, recurrence, review_interval_days"
    at = "2026-01-31T12:00:00+00:00"
    memories = [
        {"id": 1, "category": "decision", "content": "Postgres it is", "why": "JSONB", "project": "acme/webshop"},
        {"id": 2, "category": "blocker", "content": "The runner is down", "resolved_at": "2026-02-01T00:00:00+00:00"},
        {
            "id": 3,
            "category": "boot_gate",
            "content": "Ask before deploying",
            "pinned": 1,
            "reminder_at": at,
            "recurrence": "weekly:sat",
            "review_interval_days": 30,
        },
    ]
    archived = [{"id": 4, "category": "fact", "content": "An old fact", "archived_at": at, "archive_reason": "stale"}]
    links = [{"source_memory_id": 3, "target_memory_id": 1, "link_type": "supersedes", "reason": "alike"}]
    ref = "!12"
    return database(
        folder / "memory.db",
        {
            "memories": (columns, [{"created_at": at, **one} for one in memories]),
            "archived_memories": (
                "id INTEGER PRIMARY KEY, category, content, created_at, archived_at, archive_reason",
                [{"created_at": at, **one} for one in archived],
            ),
            "memory_links": ("source_memory_id, target_memory_id, link_type, reason", links),
            "entities": ("id, type, ref", [{"id": 1, "type": "mr", "ref": ref}]),
            "entity_memories": ("entity_id, memory_id", [{"entity_id": 1, "memory_id": 1}]),
        },
    )


def semantic_export(path: Path) -> Path:
    memories = [
        {
            "id": 1,
            "category": "decision",
            "content": "Postgres it is",
            "why": "JSONB",
            "project": "acme/webshop",
            "created_at": "2026-01-31T12:00:00+00:00",
            "entities": ["!12"],
        },
        "no object",
    ]
    path.write_text(json.dumps({"version": "1.0", "memories": memories, "entities": [], "links": []}), "utf-8")
    return path


def ocm(project: Path) -> Path:
    """One session in a project's own folder."""
    session = {"id": "5e55-a", "project": "webshop", "tool": "cursor", "started_at": 1769860800, "goal": "Ship it"}
    items = {"decision": "**Store:** SQLite", "work_pending": "- write the docs\n- tag it", "diff_summary": "1 file"}
    items["reference"] = json.dumps({"title": "WAL", "url": "https://sqlite.org/wal.html"})
    chunks = [
        {"id": n, "session_id": "5e55-a", "chunk_type": kind, "content": content, "created_at": 1769860900}
        for n, (kind, content) in enumerate(items.items())
    ]
    files = [{"session_id": "5e55-a", "file_path": "app.py", "change_type": "modified"}]
    return database(
        project / ".openCodeMemory" / "memory.db",
        {
            "sessions": ("id, project, tool, started_at, goal", [session]),
            "session_chunks": ("id, session_id, chunk_type, content, created_at", chunks),
            "session_files": ("session_id, file_path, change_type", files),
        },
    )


OCM_MARKDOWN = """\
---
session_id: 5e55-a
tool: cursor
project: webshop
started_at: 2026-01-31T12:00:00
git_sha_start: null
---

## Goal
Ship it

---

## Todos

### ✅ Work Completed

### 🔲 Work To Be Completed
- write the docs
- tag it

---

## Files Touched

### Modified
- `app.py`

---

## Git Diff Summary
1 file

## Work Done

---

## Plan Files

| File | Description |
|------|-------------|

---

## Architecture Decisions

- **Store:** SQLite

---

## References

- [WAL](https://sqlite.org/wal.html)
"""
"""The session of `ocm`, as its Markdown tells it."""


def claude_mem(folder: Path, cwd: str = "") -> Path:
    session = {"id": 1, "content_session_id": "c1", "memory_session_id": "m1", "project": "webshop", "status": "active"}
    shared = {"memory_session_id": "m1", "project": "webshop", "created_at_epoch": 1769860800000}
    seen = {
        "id": 1,
        "type": "discovery",
        "title": "The cache is keyed by tenant",
        "facts": '["keys begin with the tenant"]',
        "concepts": '["caching"]',
        "files_read": '["cache.py"]',
    }
    fixed = {"id": 2, "type": "bugfix", "title": "Fixed the parser", "files_modified": "parser.py"}
    summary = {"id": 1, "request": "make it faster", "learned": "the cache was cold", "next_steps": "measure"}
    used = {"id": 1, "project": "webshop", "cwd": cwd}
    columns = "id, memory_session_id, project, created_at_epoch, "
    return database(
        folder / "claude-mem.db",
        {
            "sdk_sessions": ("id, content_session_id, memory_session_id, project, status", [session]),
            "observations": (
                f"{columns} type, title, facts, concepts, files_read, files_modified",
                [{**shared, **seen}, {**shared, **fixed}],
            ),
            "session_summaries": (f"{columns} request, learned, next_steps", [{**shared, **summary}]),
            "user_prompts": ("id, prompt_text", [{"id": 1, "prompt_text": "make it faster"}]),
            "tool_uses": ("id, project, cwd", [used] if cwd else []),
        },
    )


def roampal(data: Path, entries: Mapping[str, Mapping[str, object]]) -> Path:
    """Chroma's file with these entries: by their ids, which begin with their collection."""
    names = ("working", "history", "patterns", "memory_bank", "books")
    metadata = []
    for number, values in enumerate(entries.values()):
        for key, value in values.items():
            column = {str: "string_value", int: "int_value", float: "float_value"}[type(value)]
            metadata.append({"id": number, "key": key, column: value})
    embeddings = [
        {"id": n, "segment_id": f"s-{name}", "embedding_id": id}
        for n, id in enumerate(entries)
        for name in names
        if id.startswith(f"{name}_")
    ]
    return database(
        data / "chromadb" / "chroma.sqlite3",
        {
            "collections": ("id, name", [{"id": f"c-{name}", "name": f"roampal_{name}"} for name in names]),
            "segments": (
                "id, scope, collection",
                [{"id": f"s-{name}", "scope": "METADATA", "collection": f"c-{name}"} for name in names],
            ),
            "embeddings": ("id INTEGER, segment_id, embedding_id", embeddings),
            "embedding_metadata": ("id INTEGER, key, string_value, int_value, float_value", metadata),
        },
    )
