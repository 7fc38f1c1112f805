"""Exchanges and the verdicts they wait for: the judge's queue is a table. It holds ids and times only; the text is in
the log.

A verdict reads what was said next. That is the first thing the user said in the session, in the same scope, after the
exchange's own prompt: by the time it was said, not by the order in which it arrived. What is told while it happens
(`at` is `noted`) is in its order whatever the clock does meanwhile; what arrives late takes its place by its time.
What was forgotten keeps its place, so that no later word is taken for an answer to what came before it.
"""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.events import (
    ContextInjected,
    Erased,
    ExchangeJudged,
    ExchangeRecorded,
    ExchangeRevised,
    JudgementAbandoned,
    JudgementRequested,
    MemoryForgotten,
    MemoryRecorded,
    ModelAnswered,
    PromptReceived,
    SessionEnded,
    WordsForgotten,
)
from aftermind.engine.log import Recorded
from aftermind.engine.moments import microseconds
from aftermind.engine.names import Scope, named_by
from aftermind.engine.sqlite import Write
from aftermind.engine.views.projection import Projection

EXTRACT = "extract"
"""Why a verdict is asked for on what was imported."""
NEVER = 2**63 - 1
"""Later than any time."""
MINUTE = 60_000_000
BACKOFF = (1 * MINUTE, 10 * MINUTE, 60 * MINUTE)
"""How long an exchange rests after its first, second and any further attempt that came to nothing."""
NEXT = f"? + CASE attempts {' '.join(f'WHEN {n} THEN {rest}' for n, rest in enumerate(BACKOFF))} ELSE {BACKOFF[-1]} END"
"""When one is tried again that failed at a moment, by how often it was tried before."""
RESTED = f"(w.not_before IS NULL OR w.not_before <= :now OR w.not_before > :now + {BACKOFF[-1]})"
"""Further away than any rest, it was written by a clock that went ahead."""
OF_THE_EXCHANGE = ("unreadable", "too-long", "rejected")
"""What speaks against the exchange; all else is the endpoint's fault."""
SCHEMA = f"""
CREATE TABLE utterance (   -- prompts, and exchanges whose prompt nobody saw
  id TEXT PRIMARY KEY, session TEXT NOT NULL, said INTEGER NOT NULL, position INTEGER NOT NULL,
  live INTEGER NOT NULL, prompt INTEGER NOT NULL,
  scope TEXT               -- none: forgotten
) STRICT;
CREATE INDEX utterance_session ON utterance (session, said, position);
CREATE INDEX utterance_live ON utterance (session, live, said);
CREATE TABLE shown_for (injection TEXT PRIMARY KEY, prompt TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE session_end (session TEXT PRIMARY KEY, said INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE extracted (   -- the requests that imported history be judged
  id TEXT PRIMARY KEY, at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX extracted_at ON extracted (at);
CREATE TABLE worklist (
  exchange TEXT PRIMARY KEY, session TEXT NOT NULL, scope TEXT NOT NULL, memory TEXT NOT NULL,
  at INTEGER NOT NULL,                          -- when it was over
  said INTEGER NOT NULL, place INTEGER NOT NULL,   -- when its prompt was said, and that prompt's position
  revised TEXT,                                 -- the event with its fuller answer
  queued INTEGER NOT NULL DEFAULT 1,            -- 0: imported, and nobody asked
  follow_up TEXT, follow_said INTEGER NOT NULL DEFAULT {NEVER}, follow_place INTEGER NOT NULL DEFAULT {NEVER},
  heard INTEGER NOT NULL DEFAULT 0,             -- whether the follow-up can be read
  verdict TEXT, judge TEXT, model TEXT,         -- a judge without a name: its words were forgotten
  judged_by TEXT,                               -- the follow-up it had read
  asked TEXT, wanted TEXT NOT NULL DEFAULT '',  -- the request that is open, and of which judge
  attempts INTEGER NOT NULL DEFAULT 0, not_before INTEGER,
  abandoned INTEGER NOT NULL DEFAULT 0,
  waiting INTEGER NOT NULL AS (queued AND NOT abandoned AND (judge IS NULL OR asked IS NOT NULL)),
  open INTEGER NOT NULL AS (queued AND NOT abandoned AND (judge IS NULL OR asked IS NOT NULL
    OR (judge IN ('cues', 'model') AND heard AND follow_up IS NOT judged_by)))
) STRICT;
CREATE INDEX worklist_open ON worklist (open, said, place);
CREATE INDEX worklist_abandoned ON worklist (exchange) WHERE abandoned = 1;
CREATE INDEX worklist_imported ON worklist (exchange) WHERE queued = 0 AND judge IS NULL;
CREATE INDEX worklist_follow ON worklist (session, follow_said);
CREATE INDEX worklist_place ON worklist (session, place);
CREATE INDEX worklist_verdict ON worklist (verdict) WHERE verdict IS NOT NULL
"""
_OWN = """FROM utterance WHERE prompt AND session = ?
  AND (id = ? OR id = (SELECT prompt FROM shown_for WHERE injection = ?))"""
_SAID = """max(?, ifnull((SELECT max(said) FROM utterance WHERE session = ? AND live = 1 AND ?), ?))"""
"""What is told while it happens is not said before what was told before it."""
UTTER = f"INSERT OR IGNORE INTO utterance SELECT ?, ?, {_SAID}, ?, ?, 1, ?"
UTTER_UNASKED = f"""INSERT OR IGNORE INTO utterance SELECT ?, ?, {_SAID}, ?, ?, 0, ?
  WHERE NOT EXISTS (SELECT 1 {_OWN})"""
FOLLOWED = """UPDATE worklist SET follow_up = u.id, follow_said = u.said, follow_place = u.position,
  heard = u.scope IS NOT NULL
  FROM utterance u WHERE u.id = ? AND worklist.session = u.session AND worklist.follow_said >= u.said
  AND (worklist.said, worklist.place) < (u.said, u.position)
  AND (worklist.follow_said, worklist.follow_place) > (u.said, u.position)
  AND (u.scope IS NULL OR u.scope = worklist.scope)"""
_FOLLOW = """(SELECT {} FROM utterance u WHERE u.session = worklist.session
  AND (u.said, u.position) > (worklist.said, worklist.place)
  AND (u.scope IS NULL OR u.scope = worklist.scope) ORDER BY u.said, u.position LIMIT 1)"""
FOLLOW = f"""UPDATE worklist SET follow_up = {_FOLLOW.format("u.id")},
  follow_said = ifnull({_FOLLOW.format("u.said")}, {NEVER}),
  follow_place = ifnull({_FOLLOW.format("u.position")}, {NEVER}),
  heard = ifnull({_FOLLOW.format("u.scope IS NOT NULL")}, 0)"""
WAIT = f"""INSERT OR IGNORE INTO worklist (exchange, session, scope, memory, at, said, place)
  SELECT ?, ?, ?, ?, ?, said, position FROM (SELECT said, position FROM utterance WHERE id = ?
  UNION ALL SELECT said, position {_OWN}) LIMIT 1"""
END = f"""INSERT INTO session_end SELECT ?, {_SAID}
  WHERE true ON CONFLICT DO UPDATE SET said = max(said, excluded.said)"""
JUDGED = """UPDATE worklist SET verdict = ?, judge = ?, model = ?, judged_by = ?, asked = NULL, wanted = '',
  attempts = 0, not_before = NULL, abandoned = 0 WHERE exchange = ?"""
UNHEARD = "UPDATE worklist SET verdict = NULL, judge = '', model = '', judged_by = NULL WHERE verdict = ?"
ABANDONED = "UPDATE worklist SET abandoned = 1, asked = NULL, wanted = '' WHERE exchange = ?"
REQUESTED = """UPDATE worklist SET queued = 1, asked = ?, wanted = ?, attempts = 0, not_before = NULL, abandoned = 0
  WHERE exchange = ?"""
FAILED = f"""UPDATE worklist SET attempts = attempts + 1,
  not_before = {NEXT}
  WHERE exchange = ?"""
UNQUEUE = "UPDATE worklist SET queued = 0 WHERE exchange = ? AND memory = ? AND asked IS NULL"
TAKES = (
    *(PromptReceived, Erased, ExchangeRecorded, ContextInjected, SessionEnded, ExchangeRevised, MemoryRecorded),
    *(ExchangeJudged, JudgementAbandoned, JudgementRequested, ModelAnswered, MemoryForgotten, WordsForgotten),
)


def writes(recorded: Recorded) -> Iterable[Write]:
    event, id, because = recorded.draft.event, recorded.draft.id, recorded.draft.because
    session = named_by(recorded.stream, "session")
    match event:
        case MemoryRecorded():  # which most events are
            if event.kind == "exchange" and event.collection != "working":
                yield UNQUEUE, (event.exchange, event.memory)
        case PromptReceived() | Erased(tag="prompt-received"):
            yield UTTER, _uttered(recorded, session, _scope(event))
            yield FOLLOWED, (id,)
        case ExchangeRecorded() | Erased(tag="exchange-recorded"):
            own = (session, because, because)
            yield UTTER_UNASKED, (*_uttered(recorded, session, _scope(event)), *own)
            yield FOLLOWED, (id,)
            if isinstance(event, ExchangeRecorded):
                at = microseconds(recorded.draft.at)
                yield WAIT, (id, event.session, event.scope, event.memory, at, id, *own)
                yield f"{FOLLOW} WHERE exchange = ?", (id,)
        case ContextInjected() | Erased(tag="context-injected"):
            if because is not None:
                yield "INSERT OR IGNORE INTO shown_for VALUES (?, ?)", (id, because)
        case SessionEnded():
            at = microseconds(recorded.draft.at)
            yield END, (session, at, session, _live(recorded), at)
        case ExchangeRevised():
            yield "UPDATE worklist SET revised = ? WHERE exchange = ?", (id, event.exchange)
        case ExchangeJudged():
            yield JUDGED, (id, event.judge, event.model, event.follow_up, event.exchange)
        case Erased(tag="exchange-judged"):
            yield JUDGED, (None, "", "", None, because)
        case JudgementAbandoned():
            yield ABANDONED, (event.exchange,)
        case JudgementRequested():
            yield REQUESTED, (id, event.judge, event.exchange)
            if event.why == EXTRACT:
                yield "INSERT OR IGNORE INTO extracted VALUES (?, ?)", (id, microseconds(recorded.draft.at))
        case ModelAnswered() if event.failed in OF_THE_EXCHANGE:
            yield FAILED, (microseconds(recorded.draft.at), event.exchange)
        case MemoryForgotten() | WordsForgotten():
            for quoted in event.quoted_in:
                yield "DELETE FROM worklist WHERE exchange = ?", (quoted,)
                yield "UPDATE utterance SET scope = NULL WHERE id = ?", (quoted,)
                yield f"{FOLLOW} WHERE session = (SELECT session FROM utterance WHERE id = ?)", (quoted,)
                yield UNHEARD, (quoted,)
                yield "DELETE FROM extracted WHERE id = ?", (quoted,)
        case _:
            return


def _scope(event: PromptReceived | ExchangeRecorded | Erased) -> Scope | None:
    return None if isinstance(event, Erased) else event.scope


def _live(recorded: Recorded) -> int:
    """Whether it was told when it happened."""
    return int(recorded.draft.at == recorded.draft.noted)


def _uttered(recorded: Recorded, session: str, scope: Scope | None) -> tuple[str | int | None, ...]:
    at, live = microseconds(recorded.draft.at), _live(recorded)
    return (recorded.draft.id, session, at, session, live, at, recorded.position, live, scope)


WORKLIST = Projection(name="worklist", revision=4, schema=SCHEMA, takes=TAKES, writes=writes)
