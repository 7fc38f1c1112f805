"""roampal: its collections are ours; they lie in Chroma's SQLite file, read as that. Beside it lie the sessions as
they were said, and for each profile a folder of its own.

Its record of a memory is the list of its last ten outcomes. The counters beside it (`uses`, `success_count`) are not
taken: a promotion there sets one of them back and not the other, and who was merely shown is counted as used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

from aftermind.cli.config import of_others
from aftermind.cli.importing.exchange import Advance, Unreadable
from aftermind.cli.importing.lines import text_in
from aftermind.cli.importing.peers.roampal_sessions import exchanges
from aftermind.cli.importing.peers.tables import DAMAGED, Tables, tables
from aftermind.cli.importing.peers.told import (
    Item,
    Left,
    Peer,
    Source,
    ToldBook,
    at_text,
    listed,
    of_one_whole,
    own_id,
    parsed,
    text_of,
)
from aftermind.cli.language.importing import Ended, Told, Word
from aftermind.engine.errors import Unusable
from aftermind.engine.memories.book import Chunk
from aftermind.engine.names import COLLECTIONS, OUTCOMES, Collection, Kind, Outcome
from aftermind.engine.zones import HERE

NAME, CHROMA, FILE = "roampal", "chromadb", "chroma.sqlite3"
NEEDED = {
    "collections": ("id", "name"),
    "segments": ("id", "scope", "collection"),
    "embeddings": ("id", "segment_id", "embedding_id"),
    "embedding_metadata": ("id", "key", "string_value", "int_value", "float_value"),
}
BY_TAG: dict[str, Kind] = {"preference": "preference", "goal": "plan"}
_UNKNOWN_SESSIONS = ("", "unknown", "default")
_GHOSTS = "ghost_ids.json"
Values: TypeAlias = Mapping[str, object]


def sources(path: Path | None) -> list[Source]:
    """A data folder, Chroma's folder or its file; or all profiles."""
    path = path or of_others("ROAMPAL_DATA_PATH")
    if path is not None:
        return [Source(path=path)] if path.exists() else []
    base = _base()
    profiles = parsed(text_in(_config() / "profiles.json"))
    found = [Source(path=base)] if _chroma(base) is not None else []
    for name, place in profiles.items() if isinstance(profiles, dict) else ():
        folder = Path(place) if isinstance(place, str) and place else base / name.lower().replace(" ", "-")
        if name and not name.startswith("_") and _chroma(folder) is not None and folder != base:
            found.append(Source(path=folder, project=name))
    return found


def _usual() -> Path:
    return of_others("ROAMPAL_DATA_PATH") or _base()


def _base() -> Path:
    if os.name == "nt":
        return (of_others("APPDATA") or Path.home()) / "Roampal" / "data"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Roampal" / "data"
    return (of_others("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "roampal" / "data"


def _config() -> Path:
    if os.name == "nt" or sys.platform == "darwin":
        return _base().parent
    return (of_others("XDG_CONFIG_HOME") or Path.home() / ".config") / "roampal"


def _chroma(path: Path) -> Path | None:
    """Chroma's file, in each of the layouts there have been."""
    if path.is_file():
        return path
    places = (path, path / CHROMA, path / "data" / CHROMA, path / "data")
    return next((file for place in places if (file := place / FILE).is_file()), None)


def read(source: Source, advance: Advance) -> Iterator[Item]:
    file = _chroma(source.path)
    if file is None:
        older = any(source.path.rglob("*.parquet")) if source.path.is_dir() else False
        hint = "Chroma before 0.4 kept parquet files: start that roampal once with a newer chromadb" if older else ""
        raise Unusable(f"no {FILE} in it, so no data of {NAME}", str(source.path), hint=hint)
    data = file.parent.parent if file.parent.name == CHROMA else file.parent
    ghosts = parsed(text_in(data / _GHOSTS))
    removed = set(listed_ids(ghosts.get("ghost_ids"))) if isinstance(ghosts, dict) else set[str]()
    with tables(file, NAME, NEEDED) as found:
        yield from _memories(found, source, removed, advance)
    yield from exchanges(data / "mcp_sessions", source.project)
    for name in ("knowledge_graph.json", "content_graph.json", "memory_relationships.json"):
        if (data / name).is_file():
            yield Left(f"its {name}", "edges between words that its newer versions gave up")


def _memories(found: Tables, source: Source, removed: set[str], advance: Advance) -> Iterator[Item]:
    size = found.path.stat().st_size / max(1, found.count("embeddings"))
    books: dict[str, list[Values]] = {}
    ghosts, strangers, counters = 0, 0, 0
    try:
        for collection, id, values in _rows(found):
            advance(size)
            if id in removed:
                ghosts += 1
            elif collection == "books":
                books.setdefault(id.partition("_chunk_")[0], []).append(values)
            elif collection in COLLECTIONS:
                counters += bool(values.get("uses")) and not listed_words(values)
                yield _told(collection, id, values, source)
            else:
                strangers += 1
    except DAMAGED as error:
        yield Unreadable(f"Chroma's file {found.path.name}", f"damaged from there on ({error})")
    for chunks in books.values():
        yield _book(chunks, source)
    for left in (
        Left("chunks of removed books", "removed in roampal, which only hides them", ghosts),
        Left("entries of other collections", "not roampal's own", strangers),
        Left("counters of uses", "how they went is not kept with them", counters),
    ):
        if left.count:
            yield left


def _rows(found: Tables) -> Iterator[tuple[str, str, Values]]:
    """Collection, id and values of each entry."""
    truth = "m.bool_value" if "bool_value" in found.columns["embedding_metadata"] else "NULL"
    sql = f"""SELECT c.name, e.id, e.embedding_id, m.key, m.string_value, m.int_value, m.float_value, {truth}
      FROM collections c JOIN segments s ON s.collection = c.id JOIN embeddings e ON e.segment_id = s.id
      LEFT JOIN embedding_metadata m ON m.id = e.id WHERE s.scope = 'METADATA' ORDER BY c.name, e.id"""
    for (name, _, id), rows in groupby(found.joined(sql), key=lambda row: (row[0], row[1], row[2])):
        values = {text_of(key): next((one for one in rest if one is not None), None) for _, _, _, key, *rest in rows}
        yield text_of(name).removeprefix(f"{NAME}_"), text_of(id), values


def _told(collection: str, id: str, values: Values, source: Source) -> Told:
    at = _time(values.get("created_at")) or _time(values.get("timestamp"))
    session = text_of(values.get("conversation_id")).strip()
    tags = listed(values.get("tags"))
    to: Collection = "history" if collection == "working" else collection  # type: ignore[assignment]
    ended = None
    if text_of(values.get("status")) == "archived":
        why = text_of(values.get("archive_reason")).replace("_", " ") or "archived"
        ended = Ended(reason=why, at=_time(values.get("archived_at")))
    return Told(
        id=own_id(NAME, id.rpartition("_")[2], text_of(values.get("created_at")) or text_of(values.get("timestamp"))),
        text=text_of(values.get("text")) or text_of(values.get("content")) or text_of(values.get("chroma:document")),
        kind=_kind(text_of(values.get("memory_type")), to, tags),
        collection=to,
        project=source.project,
        tags=(NAME, *tags, *listed(values.get("noun_tags"))),
        session=None if session in _UNKNOWN_SESSIONS else session,
        at=at,
        words=_words(values),
        ended=ended,
    )


def _kind(memory_type: str, collection: Collection, tags: Sequence[str]) -> Kind:
    if memory_type == "fact" or collection == "memory_bank":
        return next((BY_TAG[tag] for tag in tags if tag in BY_TAG), "fact")
    return "conversation"


def _words(values: Values) -> tuple[Word, ...]:
    """The outcomes it lists; without a list, the last one it names."""
    told = listed_words(values)
    if not told and (last := _outcome(values.get("last_outcome"))) and values.get("uses"):
        return (Word(outcome=last, occasion="last", at=_time(values.get("last_used"))),)
    words = []
    for number, one in enumerate(told):
        if outcome := _outcome(one.get("outcome")):
            when = text_of(one.get("timestamp"))
            words.append(Word(outcome=outcome, occasion=when or f"number {number}", at=_time(when)))
    return tuple(words)


def listed_words(values: Values) -> list[Mapping[str, object]]:
    found = parsed(values.get("outcome_history"))
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def listed_ids(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _outcome(word: object) -> Outcome | None:
    said = text_of(word)
    return said if said in OUTCOMES else None


def _book(chunks: list[Values], source: Source) -> ToldBook:
    """In the order of its chunks. The file it was made of names it, so that ingesting that file is its next edition."""
    chunks.sort(key=_place)
    title = text_of(chunks[0].get("title")) or "Untitled"
    origin = text_of(chunks[0].get("source"))
    texts = of_one_whole(text_of(one.get("text")) or text_of(one.get("chroma:document")) for one in chunks)
    return ToldBook(
        path=origin if Path(origin).is_absolute() else f"{NAME}/{title}",
        title=title,
        chunks=tuple(Chunk(text=text) for text in texts if text.strip()),
        project=source.project,
    )


def _place(values: Values) -> int:
    place = values.get("chunk_index")
    return place if isinstance(place, int) else 0


def _time(value: object) -> datetime | None:
    return at_text(value, HERE)


PEER = Peer(name=NAME, title="roampal", sources=sources, usual=_usual, read=read)
