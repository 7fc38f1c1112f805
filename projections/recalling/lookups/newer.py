"""What a prompt is shown of talk and of documents stands beside the newer statement that gives the same thing another
value, also where that did not answer the prompt by itself.

Nothing is said of the older text: it may mean another thing, or tell of the change a sentence later. So it is not
marked, and keeps its place; who reads both can tell. What is short and of one thing is marked as well
(`ranking/settled_since.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from msgspec import structs

from aftermind.engine.names import Kind, MemoryId
from aftermind.engine.sqlite import Connection
from aftermind.projections.reading.statements.current import Said, another_value
from aftermind.projections.recalling.candidate import Candidate, Hit, Ranked
from aftermind.projections.recalling.lookups.stated import beside
from aftermind.projections.recalling.recall import Query, by_id, with_objections

TOLD: tuple[Kind, ...] = ("exchange", "conversation", "chunk")
"""Kinds of what nothing takes the place of, whatever is so since."""
READ, SENTENCES, LONGEST = 3, 3, 200
"""Of what is shown, the best that are looked at; sentences of each; characters of such a sentence."""
MOST = 2
"""Statements that are shown beside it."""
_SENTENCES = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_VALUE = re.compile(
    r"(?!\W*(?:it|this|that|they|these|those|he|she|i|we|you|es|das|er|sie|il|elle|ça|eso)\b).*\d", re.IGNORECASE
)
"""What names something and has a number says a value by its form: of other sentences most are none, and each is a
search."""


def with_newer(connection: Connection, query: Query, now: datetime, answer: Ranked) -> Ranked:
    """The same hits, each newer statement right before the first one that it gives another value than."""
    there = {hit.candidate.memory for hit in answer.hits}
    before: dict[MemoryId, list[Hit]] = {}
    told = [hit for hit in answer.hits if hit.candidate.kind in TOLD][:READ]
    for hit in told:
        for id in _newer(connection, hit.candidate, now):
            if id in there or len(there) - len(answer.hits) >= MOST:
                continue
            if (found := by_id(connection, id, query.scopes)) is None or found.at > now:
                continue
            there.add(id)
            (whole,) = with_objections(connection, [found], query.scopes, now)
            reason = f"gives another value than {hit.candidate.memory}, and is newer"
            newer = Hit(candidate=whole, rank=0, score=hit.score, reasons=(reason,))
            before.setdefault(hit.candidate.memory, []).append(newer)
    if not before:
        return answer
    hits = [one for hit in answer.hits for one in (*before.get(hit.candidate.memory, ()), hit)]
    return Ranked(
        hits=tuple(structs.replace(hit, rank=rank) for rank, hit in enumerate(hits, 1)),
        left_out=tuple(one for one in answer.left_out if one.memory not in there),
    )


def _newer(connection: Connection, told: Candidate, now: datetime) -> Iterator[MemoryId]:
    text = told.answer if told.kind == "exchange" else told.text
    sentences = [one for one in _SENTENCES.split(text.strip()) if len(one) <= LONGEST and _VALUE.match(one)]
    for said in (
        Said(memory=told.memory, text=one, at=told.at, position=told.position) for one in sentences[:SENTENCES]
    ):
        for other in beside(connection, told.scope, [(said.text, "")], now):
            if other.at > told.at and another_value(other, said):
                yield other.memory
