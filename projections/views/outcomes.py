"""Which memory was shown for which query, in which exchange, and how that ended."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.events import (
    ContextInjected,
    Erased,
    ExchangeJudged,
    ExchangeRecorded,
    MemoryForgotten,
    MemoryScored,
    PromptReceived,
    WordsForgotten,
)
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds
from aftermind.engine.names import named_by
from aftermind.engine.sqlite import Write, as_json
from aftermind.engine.views.numbers import whole
from aftermind.engine.views.projection import Projection

SCHEMA = """
CREATE TABLE injection (
  id TEXT PRIMARY KEY, position INTEGER NOT NULL, session TEXT NOT NULL, scope TEXT NOT NULL, query TEXT NOT NULL,
  tokens INTEGER NOT NULL, at INTEGER NOT NULL, exchange TEXT,
  prompt TEXT   -- what it was shown for; none at the start of a session
) STRICT;
CREATE INDEX injection_session ON injection (session, position);
CREATE INDEX injection_exchange ON injection (exchange) WHERE exchange IS NOT NULL;
CREATE TABLE shown (
  injection TEXT NOT NULL, memory TEXT NOT NULL, rank INTEGER NOT NULL, score REAL NOT NULL, reasons TEXT NOT NULL,
  PRIMARY KEY (injection, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX shown_memory ON shown (memory);
CREATE TABLE exchange (
  id TEXT PRIMARY KEY, position INTEGER NOT NULL, session TEXT NOT NULL, scope TEXT NOT NULL, memory TEXT NOT NULL,
  at INTEGER NOT NULL, outcome TEXT, judge TEXT, verdict TEXT
) STRICT;
CREATE INDEX exchange_verdict ON exchange (verdict) WHERE verdict IS NOT NULL;
CREATE INDEX exchange_session ON exchange (session, position);
CREATE INDEX exchange_memory ON exchange (memory);
CREATE INDEX exchange_scope ON exchange (scope, position);
CREATE TABLE prompt (session TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID;   -- the last one
CREATE TABLE forgotten (event TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE verdict (
  memory TEXT NOT NULL, occasion TEXT NOT NULL, outcome TEXT NOT NULL, judge TEXT NOT NULL, at INTEGER NOT NULL,
  position INTEGER NOT NULL, PRIMARY KEY (memory, occasion)
) STRICT, WITHOUT ROWID;
CREATE INDEX verdict_occasion ON verdict (occasion);
CREATE INDEX verdict_newest ON verdict (at, position)
"""


UNJUDGED = "UPDATE exchange SET outcome = NULL, judge = NULL, verdict = NULL"
"""How it went is not known from a verdict whose words were forgotten."""
TAKES = (
    *(ContextInjected, PromptReceived, Erased, ExchangeRecorded, ExchangeJudged, MemoryScored, MemoryForgotten),
    *(WordsForgotten,),
)


def writes(recorded: Recorded) -> Iterable[Write]:
    event, id, because = recorded.draft.event, recorded.draft.id, recorded.draft.because
    at = microseconds(recorded.draft.at)
    match event:
        case ContextInjected():
            yield (
                "INSERT INTO injection VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?)",
                (
                    id,
                    recorded.position,
                    event.session,
                    event.scope,
                    event.query,
                    whole(event.tokens),
                    at,
                    because,
                ),
            )
            for shown in event.shown:
                yield (
                    "INSERT OR REPLACE INTO shown VALUES (?, ?, ?, ?, ?)",
                    (id, shown.memory, whole(shown.rank), shown.score, as_json(shown.reasons)),
                )
        case PromptReceived() | Erased(tag="prompt-received"):
            session = named_by(recorded.stream, "session")
            yield "INSERT OR REPLACE INTO prompt VALUES (?, ?)", (session, recorded.position)
        case ExchangeRecorded():
            yield (
                "INSERT INTO exchange VALUES (?, ?, ?, ?, ?, ?, NULL, NULL, NULL)",
                (id, recorded.position, event.session, event.scope, event.memory, at),
            )
            for injection in event.injections:
                yield "UPDATE injection SET exchange = ? WHERE id = ?", (id, injection)
        case ExchangeJudged():
            yield (
                "UPDATE exchange SET outcome = ?, judge = ?, verdict = ? WHERE id = ?",
                (event.outcome, event.judge, id, event.exchange),
            )
        case Erased(tag="exchange-judged"):
            yield f"{UNJUDGED} WHERE id = ?", (because,)
        case MemoryScored():
            yield (
                "INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?, ?, ?)",
                (event.memory, event.occasion, event.outcome, event.judge, at, recorded.position),
            )
        case MemoryForgotten() | WordsForgotten():
            if isinstance(event, MemoryForgotten):
                yield "DELETE FROM shown WHERE memory = ?", (event.memory,)
                yield "DELETE FROM verdict WHERE memory = ?", (event.memory,)
            for id in event.quoted_in:
                yield "INSERT OR IGNORE INTO forgotten VALUES (?)", (id,)
                yield "DELETE FROM exchange WHERE id = ?", (id,)
                yield f"{UNJUDGED} WHERE verdict = ?", (id,)
                yield "DELETE FROM injection WHERE id = ?", (id,)
                yield "DELETE FROM shown WHERE injection = ?", (id,)
        case _:
            return


OUTCOMES = Projection(name="outcomes", revision=6, schema=SCHEMA, takes=TAKES, writes=writes)
