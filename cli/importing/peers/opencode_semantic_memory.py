"""opencode-semantic-memory: its `memory.db`, or the JSON its export writes.

What was resolved or archived there is in the archive here. Its links are computed from likeness, `supersedes` as well,
and both ends are recalled there: so no link makes a memory untrue here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from msgspec import structs

from aftermind.cli.config import of_others
from aftermind.cli.importing.exchange import Advance, Unreadable
from aftermind.cli.importing.peers.tables import Row, Tables, is_database, tables
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
    parsed,
    text_of,
)
from aftermind.cli.language.importing import Ended, Tie, Told
from aftermind.engine.errors import Unusable
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.names import EventId, Kind, Label

NAME, DATABASE = "opencode-semantic-memory", "memory.db"
NEEDED = {"memories": ("id", "category", "content", "created_at")}
KINDS: dict[str, Kind] = {
    **{word: word for word in ("decision", "blocker", "procedure", "fact", "event", "directive", "plan", "idea")},
    "conversation": "conversation",
    "conversation_summary": "conversation",
    "reminder": "plan",
    "boot_gate": "directive",
    "goal": "plan",
    "achievement": "event",
}
RECURS = {"daily": "day", "weekly": "week", "monthly": "month"}
"""By the clock of UTC, which is the only one there."""
MOST_DAYS = 36_500
PASSING = ("conversation", "event")
"""Kinds of what happened, which is history."""
MEMORY = (
    *("id", "source_file", "project", "category", "content", "what", "why", "learned", "created_at", "expires_at"),
    *("resolved_at", "archived_at", "archive_reason", "pinned", "reminder_at", "recurrence", "review_interval_days"),
    "last_reviewed_at",
)
READ = ("memories", "archived_memories", "memory_links", "entity_memories")
_ITSELF = "of the program itself"
LEFT = {
    "entities": ("facts on entities", "the memories that name one are tagged with it"),
    "entity_relationships": ("edges between entities", "there are no entities here"),
    "sessions": ("sessions and their claims", "who works on what now is not memory"),
    "enrichment_queue": ("memories that wait for a vector", "vectors are computed anew"),
    "ingest_state": ("places up to which sources were read", _ITSELF),
    "indexed_files": ("indexed files", "the code says it"),
    "schema_version": ("versions of its schema", _ITSELF),
    "schema_migrations": ("versions of its schema", _ITSELF),
    "schema_init_marker": ("marks of its schema", _ITSELF),
    "queue_items": ("items of its queue", "there is no queue of work here"),
    "archived_queue_items": ("items of its queue that are done", "there is no queue of work here"),
    **dict.fromkeys(
        (
            *("recall_events", "missed_opportunities", "session_metrics", "background_activity_log", "tool_metrics"),
            *("context_injections", "context_events", "injection_effectiveness", "injection_metrics_daily"),
        ),
        ("recorded uses and numbers", "on how it was used, not what it knows"),
    ),
    **dict.fromkeys(
        (
            *("cron_state", "background_jobs", "job_metrics", "model_prices", "model_price_history"),
            *("predicate_policies", "circuit_breakers", "rules", "epochs", "project_paths", "spider_queue"),
        ),
        ("settings and jobs", _ITSELF),
    ),
}


def sources(path: Path | None) -> list[Source]:
    folder = path or _usual()
    file = folder / DATABASE if folder.is_dir() else folder
    return [Source(path=file)] if file.exists() else []


def _usual() -> Path:
    return _configured() or Path.home() / ".local" / "share" / "opencode-memory"


def _configured() -> Path | None:
    """The folder its configuration names."""
    configs = of_others("XDG_CONFIG_HOME") or Path.home() / ".config"
    try:
        said = tomllib.loads((configs / "opencode-memory" / "config.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    storage = said.get("storage")
    named = storage.get("path") if isinstance(storage, dict) else None
    return Path(named).expanduser() if isinstance(named, str) and named.strip() else None


def read(source: Source, advance: Advance) -> Iterator[Item]:
    if source.path.is_file() and source.path.stat().st_size and not is_database(source.path):
        yield from _exported(source, advance)
        return
    with tables(source.path, NAME, NEEDED) as found:
        problems: list[Unreadable] = []
        ids = _ids(found, problems)
        ties, tags = _ties(found, ids, problems), _entities(found, problems)
        folders = _folders(found, problems)
        size = source.path.stat().st_size / max(1, len(ids))
        for table in ("memories", "archived_memories"):
            for row in found.read(table, MEMORY, problems, "id"):
                advance(size)
                told = _told(row, tags.get(row["id"], ()), folders)
                yield structs.replace(told, ties=tuple(ties.get(row["id"], ())))
        yield from problems
        yield from found.left(READ, LEFT)


def _told(row: Row, tags: Sequence[str], folders: Mapping[str, str]) -> Told:
    kind, own = kind_of(row["category"], KINDS, "fact")
    project = text_of(row["project"]).strip()
    return Told(
        id=_id(row["id"], row["created_at"]),
        text=paragraphs(
            text_of(row["content"]),
            text_of(row["what"]),
            named("Why", row["why"]),
            named("Learned", row["learned"]),
            named("From", row["source_file"]),
        ),
        kind=kind,
        collection="history" if kind in PASSING else "memory_bank",
        project=folders.get(project) or project or None,
        tags=(NAME, *own, *tags),
        at=at_text(row["created_at"]),
        expires=at_text(row["expires_at"]),
        ended=_ended(row),
        locked=bool(row["pinned"]),
        particulars=_particulars(row),
    )


def _ended(row: Row) -> Ended | None:
    if row["archived_at"]:
        return Ended(reason=text_of(row["archive_reason"]) or "archived", at=at_text(row["archived_at"]))
    if row["resolved_at"]:
        return Ended(reason="resolved", at=at_text(row["resolved_at"]))
    return None


def _id(id: object, created: object) -> EventId:
    """Its rows are counted, so the time tells two stores' apart."""
    return own_id(NAME, id, created)


def _ids(found: Tables, problems: list[Unreadable]) -> dict[object, EventId]:
    ids: dict[object, EventId] = {}
    for table in ("archived_memories", "memories"):
        ids |= {row["id"]: _id(row["id"], row["created_at"]) for row in found.read(table, MEMORY, problems, "id")}
    problems.clear()  # they show again when the rows are read
    return ids


def _ties(found: Tables, ids: Mapping[object, EventId], problems: list[Unreadable]) -> dict[object, list[Tie]]:
    columns = ("source_memory_id", "target_memory_id", "link_type", "reason")
    ties: dict[object, list[Tie]] = {}
    for row in found.read("memory_links", columns, problems):
        _tie(ties, row, ids)
    return ties


def _tie(ties: dict[object, list[Tie]], row: Mapping[str, object], ids: Mapping[object, EventId]) -> None:
    own, other = row.get("source_memory_id"), ids.get(row.get("target_memory_id"))
    if own in ids and other is not None and ids[own] != other:
        said = filter(None, (text_of(row.get("link_type")), text_of(row.get("reason"))))
        ties.setdefault(own, []).append(Tie(other=other, relation=RELATED, evidence=": ".join(said)))


def _entities(found: Tables, problems: list[Unreadable]) -> dict[object, list[str]]:
    """What each memory is about, as tags: `!12`, `#7`, a file, a person."""
    refs = {row["id"]: text_of(row["ref"]) for row in found.read("entities", ("id", "ref"), problems)}
    tags: dict[object, list[str]] = {}
    for row in found.read("entity_memories", ("memory_id", "entity_id"), problems, "memory_id, entity_id"):
        if ref := refs.get(row["entity_id"], ""):
            tags.setdefault(row["memory_id"], []).append(ref)
    return tags


def _folders(found: Tables, problems: list[Unreadable]) -> dict[str, str]:
    """The folder of each project a newer version knows."""
    folders: dict[str, str] = {}
    for row in found.read("project_paths", ("project", "local_path"), problems, "id"):
        name, folder = text_of(row["project"]), text_of(row["local_path"])
        if name and Path(folder).is_absolute():
            folders.setdefault(name, folder)
    return folders


def _particulars(row: Row) -> Particulars:
    """Its reminder, and when it is to be looked at again."""
    days, since = row["review_interval_days"], at_text(row["last_reviewed_at"]) or at_text(row["created_at"])
    every = days if isinstance(days, int) and 0 < days < MOST_DAYS else 0
    again = RECURS.get(text_of(row["recurrence"]).partition(":")[0], "")
    return Particulars(
        due=at_text(row["reminder_at"]),
        again=Label(again),
        zone=Label("UTC" if again else ""),
        planned=bool(every and since),
        review=since + timedelta(days=every) if every and since else None,
        every=every,
    )


def _exported(source: Source, advance: Advance) -> Iterator[Item]:
    """The JSON of its `export_memories`: no archive, no expiry, no reminders are in it."""
    try:
        whole = parsed(source.path.read_bytes())
    except OSError as error:
        raise Unusable(f"cannot be read ({error.strerror or error})", str(source.path)) from error
    memories = whole.get("memories") if isinstance(whole, dict) else None
    if not isinstance(whole, dict) or not isinstance(memories, list):
        raise Unusable(f"neither {NAME}'s database nor its export", str(source.path))
    rows = [{**dict.fromkeys(MEMORY), **one} for one in memories if isinstance(one, dict)]
    ids = {row["id"]: _id(row["id"], row["created_at"]) for row in rows}
    ties: dict[object, list[Tie]] = {}
    links = whole.get("links")
    for link in links if isinstance(links, list) else ():
        if isinstance(link, dict):
            _tie(ties, link, ids)
    for number, one in enumerate(memories, 1):
        if not isinstance(one, dict) or not isinstance(one.get("content"), str):
            yield Unreadable(f"memory {number} of the export", "no object with a `content`")
    for row in rows:
        advance(source.path.stat().st_size / len(rows))
        if isinstance(row["content"], str):
            refs = row.get("entities")
            tags = [ref for ref in refs if isinstance(ref, str)] if isinstance(refs, list) else []
            told = _told(row, tags, {})
            yield structs.replace(told, ties=tuple(ties.get(row["id"], ())))
    entities = whole.get("entities")
    if isinstance(entities, list) and entities:
        yield Left(*LEFT["entities"], len(entities))


PEER = Peer(name=NAME, title="opencode-semantic-memory", sources=sources, usual=_usual, read=read)
