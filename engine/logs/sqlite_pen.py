"""How an append becomes rows of `log.db`: the schema, the places behind the tail, the chain.

Everything here runs in the writer's thread inside its transaction. What the pen remembers of the tail changes only
after the commit, so a transaction that fails leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from aftermind.engine.errors import FileDamaged, HalfRepeated, StreamMoved
from aftermind.engine.log import Append, Draft, Recorded
from aftermind.engine.logs import seal
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import EventId, Position, StreamName
from aftermind.engine.sqlite import Connection, as_json
from aftermind.engine.stored import from_bytes

FORMAT = 1
SCHEMA = """
CREATE TABLE event (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  tag TEXT NOT NULL,
  at INTEGER NOT NULL,        -- microseconds since 1970, UTC: when it happened
  noted INTEGER NOT NULL,     -- the same: when this store learned of it
  because TEXT,               -- the event that led to this one
  salt BLOB,
  payload BLOB,               -- JSON; NULL, with its salt, once it is erased
  digest BLOB NOT NULL,
  seal BLOB NOT NULL,
  UNIQUE (stream, version)
) STRICT;
CREATE TABLE erasing (position INTEGER PRIMARY KEY) STRICT;   -- what an UPDATE may empty, while it runs
CREATE TRIGGER event_stays BEFORE DELETE ON event BEGIN
  SELECT raise(ABORT, 'an event cannot be deleted');
END;
CREATE TRIGGER event_is_immutable BEFORE UPDATE ON event WHEN NOT (
  NEW.payload IS NULL AND NEW.salt IS NULL
  AND EXISTS (SELECT 1 FROM erasing WHERE position = OLD.position)
  AND (NEW.position, NEW.id, NEW.stream, NEW.version, NEW.tag, NEW.at, NEW.noted, NEW.digest, NEW.seal)
    = (OLD.position, OLD.id, OLD.stream, OLD.version, OLD.tag, OLD.at, OLD.noted, OLD.digest, OLD.seal)
  AND NEW.because IS OLD.because
) BEGIN
  SELECT raise(ABORT, 'an event cannot be changed');
END;
"""
INSERT = "INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"
ROWS = "SELECT position, id, stream, version, tag, at, noted, because, salt, payload, digest, seal FROM event "
"""Whole rows, as `INSERT` takes them: for whoever looks at the chain."""
SELECT = "SELECT position, id, stream, version, tag, at, noted, because, payload, salt, digest FROM event "

_VERSIONS_KEPT, _PLACES_KEPT = 20_000, 4_096

Row: TypeAlias = tuple[Any, ...]
Answer: TypeAlias = Position | Exception


class Request(Struct, frozen=True, gc=False):
    """One append, encoded: a tag and a payload for each of its drafts, in order."""

    appends: Sequence[Append]
    payloads: Sequence[tuple[str, bytes | None]]


class Tail(Struct, frozen=True, gc=False):
    """Where the log ends: the last position and its seal."""

    position: Position
    seal: bytes


class Pen:
    """Places appends behind the tail."""

    def __init__(self, random: Callable[[int], bytes], tail: Tail) -> None:
        self.tail = tail
        self._random = random
        self._versions: dict[StreamName, int] = {}
        self._places: dict[EventId, Position] = {}

    def known(self, appends: Sequence[Append]) -> Position | None:
        """Where the last of these events is, if all of them were placed a short while ago: a session that is begun at
        every prompt takes no transaction for that."""
        if len(appends) == 1 and len(appends[0].drafts) == 1:  # as nearly always
            return self._places.get(appends[0].drafts[0].id)
        ids = [draft.id for append in appends for draft in append.drafts]
        return max(map(self._places.__getitem__, ids), default=None) if self._places.keys() >= set(ids) else None

    def write(self, connection: Connection, batch: Sequence[Request]) -> Page:
        """Inserts the batch; the page holds an answer for each request. `turn` it after the commit."""
        page = Page(tail=self.tail, placed=_recorded_already(connection, batch))
        for request in batch:
            answer = _known(request, page.placed) or self._moved(connection, request, page)
            if answer is None:
                self._place(request, page)
                answer = page.tail.position
            page.answers.append(answer)
        connection.executemany(INSERT, page.rows)
        return page

    def turn(self, page: Page) -> None:
        """The page is committed: this is the tail now."""
        self.tail = page.tail
        if len(self._versions) > _VERSIONS_KEPT:
            self._versions.clear()
        self._versions.update(page.versions)
        if len(self._places) > _PLACES_KEPT:
            self._places.clear()
        self._places.update(page.placed)

    def _moved(self, connection: Connection, request: Request, page: Page) -> StreamMoved | None:
        for append in request.appends:
            found = self._version(connection, append.stream, page)
            if append.expected is not None and append.expected != found:
                return StreamMoved(append.stream, append.expected, found)
        return None

    def _version(self, connection: Connection, stream: StreamName, page: Page) -> int:
        version = page.versions.get(stream)
        if version is None:
            version = self._versions.get(stream)
            if version is None:
                sql = "SELECT coalesce(max(version), 0) FROM event WHERE stream = ?"
                version = int(connection.execute(sql, (stream,)).fetchone()[0])
            page.versions[stream] = version
        return version

    def _place(self, request: Request, page: Page) -> None:
        payloads = iter(request.payloads)
        salts = self._random(seal.SALT_BYTES * len(request.payloads))
        position, link, used = page.tail.position, page.tail.seal, 0
        for append in request.appends:
            stream, version = append.stream, page.versions[append.stream]
            for draft in append.drafts:
                tag, payload = next(payloads)
                position, version = Position(position + 1), version + 1
                fresh, used = salts[used : used + seal.SALT_BYTES], used + seal.SALT_BYTES
                salt, digest = _sealed(draft, payload, fresh)
                noted = microseconds(draft.noted)
                at = noted if draft.at is draft.noted else microseconds(draft.at)
                facts = (position, draft.id, stream, version, tag, at, noted, draft.because)
                link = seal.seal(link, *facts, digest)
                page.rows.append((*facts, salt, payload, digest, link))
                page.placed[draft.id] = position
            page.versions[stream] = version
        page.tail = Tail(position, link)


class Page(Struct):
    """What one transaction writes, and what will be true once it is committed."""

    tail: Tail
    answers: list[Answer] = []
    rows: list[Row] = []
    placed: dict[EventId, Position] = {}
    versions: dict[StreamName, int] = {}


def _sealed(draft: Draft, payload: bytes | None, salt: bytes) -> tuple[bytes | None, bytes]:
    """Salt and digest: those it has where it comes from, as long as it is the same."""
    carried = draft.carried
    if payload is None:
        return None, carried.digest if carried is not None and carried.digest else seal.digest(salt, b"")
    if carried is not None and carried.salt and seal.digest(carried.salt, payload) == carried.digest:
        return carried.salt, carried.digest
    return salt, seal.digest(salt, payload)


def _recorded_already(connection: Connection, batch: Sequence[Request]) -> dict[EventId, Position]:
    """Where those events of the batch are that the log has."""
    ids = [draft.id for request in batch for append in request.appends for draft in append.drafts]
    if len(ids) == 1:
        return dict(connection.execute("SELECT id, position FROM event WHERE id = ?", ids).fetchall())
    sql = "SELECT id, position FROM event WHERE id IN (SELECT value FROM json_each(?))"
    return dict(connection.execute(sql, (as_json(ids),)).fetchall())


def _known(request: Request, placed: Mapping[EventId, Position]) -> Answer | None:
    """The old position where all events are recorded, an error where some are, None where none is."""
    known: EventId | None = None
    missing: EventId | None = None
    for append in request.appends:
        for draft in append.drafts:
            if draft.id in placed:
                known = known or draft.id
            else:
                missing = missing or draft.id
    if known is None:
        return None
    if missing is not None:
        return HalfRepeated(known, missing)
    return max(placed[draft.id] for append in request.appends for draft in append.drafts)


def recorded(row: Row, path: Path) -> Recorded:
    """A row of `SELECT` as what was recorded; `FileDamaged` when it is not that any more."""
    position, id, stream, version, tag, at, noted, because, payload, salt, digest = row
    try:
        if payload is not None and seal.digest(salt, payload) != digest:
            raise FileDamaged(path, f"position {position} is not what was recorded")
        event = from_bytes(tag, payload)
        said = moment(at)
        draft = Draft(id=id, at=said, noted=said if noted == at else moment(noted), because=because, event=event)
    except (TypeError, ValueError, OverflowError) as error:
        raise FileDamaged(path, f"position {position} cannot be read ({error})") from error
    return Recorded(position=position, stream=stream, version=version, draft=draft)
