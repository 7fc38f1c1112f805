"""What the user said next is told beside an answer that failed: who is shown the answer reads what was wrong with it.

The words are those the verdict rests on, read where they were said: what was forgotten, or is private, is not told.
"""

from __future__ import annotations

from msgspec import structs

from aftermind.cli.answering.judging.cases import prompt_of
from aftermind.cli.answering.opened import Opened
from aftermind.engine.events import ExchangeJudged
from aftermind.engine.names import EventId
from aftermind.engine.sqlite import Connection, as_json
from aftermind.projections.recalling.candidate import Candidate, Ranked
from aftermind.projections.recalling.shown.wording import quoted, shortened

LONGEST = 120
"""Characters of what was said next."""
_JUDGED = """SELECT exchange, verdict, follow_up FROM worklist WHERE exchange IN (SELECT value FROM json_each(?))
  AND verdict IS NOT NULL AND follow_up = judged_by"""


async def with_afterwords(store: Opened, answer: Ranked) -> Ranked:
    """The same answer; what failed more than it worked says what the user said of it."""
    failed = [hit.candidate.exchange for hit in answer.hits if _failed(hit.candidate) and hit.candidate.exchange]
    rows = await store.read(lambda c: _judged(c, failed)) if failed else []
    said: dict[EventId, str] = {}
    for exchange, verdict, follow_up in rows:
        judged, after = await store.log.find(verdict), await store.log.find(follow_up)
        event = judged.draft.event if judged is not None else None
        words = prompt_of(after) or ""
        if isinstance(event, ExchangeJudged) and event.evidence and event.evidence.rstrip("…") in words:
            said[exchange] = f"the user then said “{shortened(quoted(words), LONGEST)}”"
    if not said:
        return answer
    hits = [
        structs.replace(hit, candidate=structs.replace(hit.candidate, notes=(*hit.candidate.notes, note)))
        if (note := said.get(hit.candidate.exchange or EventId("")))
        else hit
        for hit in answer.hits
    ]
    return structs.replace(answer, hits=tuple(hits))


def _failed(one: Candidate) -> bool:
    return one.kind == "exchange" and one.outcomes.mostly_failed


def _judged(connection: Connection, exchanges: list[EventId]) -> list[tuple[EventId, EventId, EventId]]:
    """Of those that were judged by what was said next: the verdict, and what that was."""
    return connection.execute(_JUDGED, (as_json(exchanges),)).fetchall()
