"""The shelf: every memory with its text, collection, scope, status and record of outcomes.

A row is keyed by the position of the event it began with. A past wording is a row of its own, `<memory>@<position>`
with the status `corrected`, so that history is searched like anything else.

A chunk that its book does not hold (any more, or yet) keeps its row, so that what was shown can still be explained,
judged and forgotten, and is `removed` for whoever asks for a status: nothing that looks for live memories finds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from aftermind.engine.event_forms.particulars import BlockerReopened, BlockerResolved, MemoryDated, MemoryDetailed
from aftermind.engine.events import (
    BookIngested,
    BookRemoved,
    Erased,
    ExchangeRevised,
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
    WordsForgotten,
)
from aftermind.engine.log import Recorded
from aftermind.engine.memories.particulars import in_words
from aftermind.engine.moments import microseconds, microseconds_or_none
from aftermind.engine.names import named_by
from aftermind.engine.sqlite import Write, as_json
from aftermind.engine.views.numbers import whole
from aftermind.engine.views.projection import Projection
from aftermind.projections.reading import manner
from aftermind.projections.views.seen import reworded

STATED = frozenset({"fact", "preference", "configuration", "procedure"})
STANDING = f"""own_status = 'live' AND (kind = 'preference' OR kind = 'directive'
  OR manner & {manner.RULE | manner.TASTE | manner.SELF} AND kind IN ('fact', 'configuration', 'procedure')
  OR instr(tags, '"identity"') > 0)"""
"""What holds whatever is asked, as far as the shelf can tell: what is stated as that, what is worded like a rule or a
preference, and who the user is. Raw conversation is none of it."""
FOREMOST = f"""(locked OR manner & {manner.SELF} > 0 OR instr(tags, '"identity"') > 0)"""
"""Which of them goes before all others, however many there are."""
SCHEMA = f"""
CREATE TABLE shelf (
  position INTEGER PRIMARY KEY,
  memory TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  collection TEXT NOT NULL,
  scope TEXT NOT NULL,
  own_status TEXT NOT NULL,
  locked INTEGER NOT NULL DEFAULT 0,
  session TEXT,
  exchange TEXT,
  at INTEGER NOT NULL,
  noted INTEGER NOT NULL,
  expires INTEGER,
  since INTEGER,          -- from when on, and until when, somebody says it is so
  until INTEGER,
  ends INTEGER AS (iif(locked, until, min(ifnull(expires, until), ifnull(until, expires)))) STORED,
  worked INTEGER NOT NULL DEFAULT 0,
  partial INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  unknown INTEGER NOT NULL DEFAULT 0,
  successor TEXT,         -- what superseded it; of a past wording, the memory it belongs to
  book TEXT,
  standing TEXT,          -- of a chunk: coming, in or out of its book
  sightings INTEGER NOT NULL DEFAULT 0,       -- how often it was seen again
  said INTEGER NOT NULL AS (length(text)) STORED,       -- characters, known without reading them
  answered INTEGER NOT NULL AS (length(answer)) STORED,
  status TEXT NOT NULL AS (iif(ifnull(standing, 'in') = 'in', own_status, 'removed')),
  page INTEGER NOT NULL DEFAULT 0,
  last_page INTEGER NOT NULL DEFAULT 0,
  turns TEXT NOT NULL DEFAULT '[]',           -- where in its text each page after the first begins
  place TEXT NOT NULL DEFAULT '',
  speaker TEXT NOT NULL,
  tags TEXT NOT NULL,
  summarized TEXT,                            -- the event that says the summary
  summary TEXT NOT NULL DEFAULT '',           -- a shorter wording of this wording
  manner INTEGER NOT NULL,                    -- of its text, as bits: see manner.py
  text TEXT NOT NULL,     -- what is long comes last: a row is read no further than it is asked
  answer TEXT NOT NULL
) STRICT;
CREATE INDEX shelf_session ON shelf (session, position) WHERE session IS NOT NULL;
CREATE INDEX shelf_scope ON shelf (scope, collection);
CREATE INDEX shelf_newest ON shelf (scope, kind, at, position);
CREATE INDEX shelf_standing ON shelf (scope, {FOREMOST}, position) WHERE {STANDING};
CREATE INDEX shelf_expires ON shelf (expires) WHERE expires IS NOT NULL;
CREATE INDEX shelf_successor ON shelf (successor) WHERE successor IS NOT NULL;
CREATE INDEX shelf_summarized ON shelf (summarized) WHERE summarized IS NOT NULL;
CREATE INDEX shelf_book ON shelf (book, standing) WHERE book IS NOT NULL;
CREATE INDEX shelf_learned ON shelf (exchange) WHERE exchange IS NOT NULL AND kind <> 'exchange';
CREATE TABLE link (
  event TEXT PRIMARY KEY, memory TEXT NOT NULL, other TEXT NOT NULL, relation TEXT NOT NULL, at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX link_memory ON link (memory, relation);
CREATE INDEX link_other ON link (other, relation);
CREATE TABLE score (
  memory TEXT NOT NULL, occasion TEXT NOT NULL, outcome TEXT NOT NULL, PRIMARY KEY (memory, occasion)
) STRICT, WITHOUT ROWID;
CREATE TABLE gone (memory TEXT PRIMARY KEY) STRICT, WITHOUT ROWID   -- forgotten: a book does not bring it back
"""
INSERT = """INSERT INTO shelf (position, memory, kind, collection, scope, own_status, text, answer, speaker, tags,
  session, exchange, at, noted, expires, manner) VALUES (?, ?, ?, ?, ?, 'live', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (memory) DO NOTHING"""
"""A memory begins once, whatever another log says."""
CHUNK = """INSERT INTO shelf (position, memory, kind, collection, scope, own_status, text, answer, speaker, tags,
  session, exchange, at, noted, expires, manner, book, place, standing)
  VALUES (?, ?, ?, ?, ?, 'live', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'coming')
  ON CONFLICT (memory) DO UPDATE SET speaker = excluded.speaker, place = excluded.place,
  standing = iif(standing = 'out', 'coming', standing)"""
"""Recorded again, a chunk keeps its row and what became of it."""
LEAVE = """UPDATE shelf SET standing = 'out' WHERE book = ? AND standing IN ('coming', 'in')
  AND memory NOT IN (SELECT value FROM json_each(?))"""
ENTER = """UPDATE shelf SET standing = 'in', page = listed.page, last_page = listed.last_page,
  turns = iif(EXISTS (SELECT 1 FROM shelf past WHERE past.successor = shelf.memory AND past.status = 'corrected'),
    '[]', listed.turns)
  FROM (SELECT json_extract(value, '$[0]') AS memory, json_extract(value, '$[1]') AS page,
    json_extract(value, '$[2]') AS last_page, json_extract(value, '$[3]') AS turns FROM json_each(?)) listed
  WHERE shelf.memory = listed.memory AND shelf.book IS NOT NULL"""
"""Where pages turn is told of the text as it was read, and not of what somebody made of it."""
PAST_WORDING = """INSERT INTO shelf (position, memory, kind, collection, scope, own_status, text, answer, speaker, tags,
  session, exchange, at, noted, manner, worked, partial, failed, unknown, successor)
  SELECT ?, memory || '@' || ?, kind, collection, scope, 'corrected', text, answer, speaker, tags,
  session, exchange, at, noted, manner, worked, partial, failed, unknown, memory FROM shelf WHERE memory = ?"""
REWORD = (
    "UPDATE shelf SET text = ?, manner = ?, answer = ?, at = ?, summary = '', summarized = NULL, turns = '[]', "
    "worked = 0, partial = 0, failed = 0, unknown = 0 "
    "WHERE memory = ?"
)
SCORE = "INSERT OR REPLACE INTO score VALUES (?, ?, ?)"
COUNT = """UPDATE shelf SET (worked, partial, failed, unknown) = (SELECT
  count(*) FILTER (WHERE outcome = 'worked'), count(*) FILTER (WHERE outcome = 'partial'),
  count(*) FILTER (WHERE outcome = 'failed'), count(*) FILTER (WHERE outcome = 'unknown')
  FROM score WHERE score.memory = shelf.memory) WHERE memory = ?"""
UNSCORE = "DELETE FROM score WHERE memory = ?"
MOVE = "UPDATE shelf SET collection = ?, expires = ? WHERE memory = ?"
STATUS = "UPDATE shelf SET own_status = ? WHERE memory = ?"
SUPERSEDE = "UPDATE shelf SET own_status = 'superseded', successor = ? WHERE memory = ?"
RESTORE = "UPDATE shelf SET own_status = 'live', successor = NULL, expires = ? WHERE memory = ?"
LOCK = "UPDATE shelf SET locked = ? WHERE memory = ?"
REVISE = f"""UPDATE shelf SET answer = ?, summary = '', summarized = NULL
  WHERE memory = ? AND NOT {reworded("shelf.memory")}"""
"""A client's fuller answer; what somebody corrected stays corrected."""
DETAIL = "UPDATE shelf SET answer = ?, summary = '', summarized = NULL WHERE memory = ?"
DATE = "UPDATE shelf SET since = ?, until = ? WHERE memory = ?"
KEEP_UNTIL = "UPDATE shelf SET expires = ? WHERE memory = ?"
SUMMARIZE = "UPDATE shelf SET summary = ?, summarized = ? WHERE memory = ?"
UNSUMMARIZE = """UPDATE shelf SET summary = '', summarized = NULL
  WHERE summarized IN (SELECT value FROM json_each(?))"""
LINK = "INSERT OR IGNORE INTO link VALUES (?, ?, ?, ?, ?)"
SEEN = """UPDATE shelf SET sightings = (SELECT count(*) FROM link
  WHERE link.memory = shelf.memory AND relation = 'seen-again') WHERE memory = ?"""
UNSEEN = """UPDATE shelf SET sightings = (SELECT count(*) FROM link
  WHERE link.memory = shelf.memory AND relation = 'seen-again' AND {kept})
  WHERE memory IN (SELECT memory FROM link WHERE NOT {kept})""".format(
    kept="(other <> ?1 AND event NOT IN (SELECT value FROM json_each(?2)))"
)
TAKE_BACK = "UPDATE link SET relation = 'taken-back' WHERE event = ?"
"""It counts for nothing, and is still known: its words go with what they are about."""
UNLINK = "DELETE FROM link WHERE ?1 IN (memory, other) OR event IN (SELECT value FROM json_each(?2))"
FORGET = "DELETE FROM shelf WHERE memory = ? OR (successor = ? AND status = 'corrected')"
TAKES = (
    *(MemoryRecorded, ExchangeRevised, MemoryScored, MemoryPromoted, MemoryDemoted, MemoryCorrected),
    *(MemorySuperseded, MemoriesLinked, MemoriesUnlinked, MemorySummarized, Erased, MemoryDetailed),
    *(MemoryDated, BlockerResolved, BlockerReopened, MemoryLocked, MemoryUnlocked, MemoryArchived),
    *(MemoryExpired, MemoryRestored, MemoryForgotten, WordsForgotten, BookIngested, BookRemoved),
)


def writes(recorded: Recorded) -> Iterable[Write]:
    event, position = recorded.draft.event, recorded.position
    match event:
        case MemoryRecorded():
            said, learned = recorded.draft.at, recorded.draft.noted
            row = (
                position,
                event.memory,
                event.kind,
                event.collection,
                event.scope,
                event.text,
                event.answer,
                event.speaker,
                msgspec.json.encode(event.tags).decode() if event.tags else "[]",
                event.session,
                event.exchange,
                at := microseconds(said),
                at if learned is said else microseconds(learned),
                microseconds_or_none(event.expires),
                manner.noted(event.text, stated=event.kind in STATED),
            )
            yield (INSERT, row) if event.book is None else (CHUNK, (*row, event.book, event.place))
        case ExchangeRevised():
            yield REVISE, (event.answer, event.memory)
        case MemoryScored():
            yield SCORE, (event.memory, event.occasion, event.outcome)
            yield COUNT, (event.memory,)
        case MemoryPromoted() | MemoryDemoted():
            yield MOVE, (event.to, microseconds_or_none(event.expires), event.memory)
        case MemoryCorrected():
            yield PAST_WORDING, (position, position, event.memory)
            yield (
                REWORD,
                (
                    event.text,
                    manner.noted(event.text, stated=True),
                    event.answer,
                    microseconds(recorded.draft.at),
                    event.memory,
                ),
            )
            yield UNSCORE, (event.memory,)
        case MemorySuperseded():
            yield SUPERSEDE, (event.by, event.memory)
        case MemoriesLinked():
            at = microseconds(recorded.draft.at)
            yield LINK, (recorded.draft.id, event.memory, event.other, event.relation, at)
            yield SEEN, (event.memory,)
        case MemoriesUnlinked():
            yield TAKE_BACK, (event.link,)
            yield SEEN, (event.memory,)
        case MemorySummarized():
            yield SUMMARIZE, (event.summary, recorded.draft.id, event.memory)
        case Erased(tag="memory-summarized"):
            yield SUMMARIZE, ("", None, named_by(recorded.stream, "memory"))
        case MemoryDetailed():
            yield DETAIL, (in_words(event.what, event.why, event.learned), event.memory)
        case MemoryDated():
            yield DATE, (microseconds_or_none(event.since), microseconds_or_none(event.until), event.memory)
        case BlockerResolved() | BlockerReopened():
            yield KEEP_UNTIL, (microseconds_or_none(event.expires), event.memory)
        case MemoryLocked():
            yield LOCK, (1, event.memory)
        case MemoryUnlocked():
            yield LOCK, (0, event.memory)
        case MemoryArchived():
            yield STATUS, ("archived", event.memory)
        case MemoryExpired():
            yield STATUS, ("expired", event.memory)
        case MemoryRestored():
            yield RESTORE, (microseconds_or_none(event.expires), event.memory)
        case MemoryForgotten():
            yield FORGET, (event.memory, event.memory)
            yield UNSCORE, (event.memory,)
            yield "INSERT OR IGNORE INTO gone VALUES (?)", (event.memory,)
            yield from _unsaid(event.memory, event.quoted_in)
        case WordsForgotten():
            yield from _unsaid("", event.quoted_in)
        case BookIngested():
            begins, ends = (dict(zip(event.chunks, one, strict=False)) for one in (event.pages, event.ends))
            turns = dict(zip(event.chunks, event.turns, strict=False))
            listed = [
                (one, whole(begins.get(one, 0)), whole(ends.get(one, 0)), [*map(whole, turns.get(one, ()))])
                for one in event.chunks
            ]
            yield LEAVE, (event.book, as_json(event.chunks))
            yield ENTER, (as_json(listed),)
        case BookRemoved():
            yield LEAVE, (event.book, "[]")
        case _:
            return


def _unsaid(memory: str, quoted_in: Sequence[str]) -> Iterable[Write]:
    """What was said in those events of memories that stay."""
    yield UNSEEN, (memory, as_json(quoted_in))
    yield UNLINK, (memory, as_json(quoted_in))
    yield UNSUMMARIZE, (as_json(quoted_in),)


SHELF = Projection(name="shelf", revision=17, schema=SCHEMA, takes=TAKES, writes=writes)
