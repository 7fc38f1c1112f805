"""Talk that says what a newer statement beside it says otherwise stands below that, and says so. Pure.

What was said stays what was said: nothing of a conversation is superseded. But who asks which port production uses is
not to read the old one first. Only what is in one answer is compared, by the rule by which a statement takes the place
of another (`reading/statements/current.py`). Talk that has the new value as well tells of the change, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import structs

from aftermind.engine.names import MemoryId
from aftermind.projections.reading.statements.current import TYPED, Said, another_value
from aftermind.projections.recalling.candidate import TALK, Candidate, Hit, Ranked
from aftermind.projections.recalling.matching import words_of
from aftermind.projections.views.asked import stem

READ, SENTENCES = 2_000, 12
"""Characters of a question and of an answer that are read, and sentences of both."""
SHARED = 2
"""Telling words that a sentence has in common with a statement, to be compared with it."""
_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")


def settled_since(answer: Ranked) -> Ranked:
    """The same hits, each talk that a live statement among them settles otherwise right below it at the best."""
    stated = [hit for hit in answer.hits if hit.candidate.kind in TYPED and hit.candidate.status == "live"]
    if not stated:
        return answer
    by: dict[MemoryId, Hit] = {}
    for hit in answer.hits:
        if hit.candidate.kind in TALK:
            newer = next((one for one in stated if _says_otherwise(one.candidate, hit.candidate)), None)
            if newer is not None:
                by[hit.candidate.memory] = newer
    if not by:
        return answer
    hits = [_below(hit, by[hit.candidate.memory]) if hit.candidate.memory in by else hit for hit in answer.hits]
    hits.sort(key=lambda hit: (-hit.score, hit.candidate.memory in by))
    return structs.replace(answer, hits=tuple(structs.replace(hit, rank=rank) for rank, hit in enumerate(hits, 1)))


def _below(hit: Hit, newer: Hit) -> Hit:
    note = f"{newer.candidate.memory} says otherwise since"
    memory = structs.replace(hit.candidate, notes=(*hit.candidate.notes, note))
    return structs.replace(hit, candidate=memory, score=min(hit.score, newer.score), reasons=(*hit.reasons, note))


def _says_otherwise(newer: Candidate, talk: Candidate) -> bool:
    if newer.scope != talk.scope or newer.at <= talk.at:
        return False
    statement = Said(memory=newer.memory, text=newer.text, at=newer.at, position=newer.position, speaker=newer.speaker)
    told, whole = _telling(newer.text), _telling(f"{talk.text[:READ]} {talk.answer[:READ]}")
    for said in _sentences(talk):
        words = _telling(said)
        if len(words & told) < SHARED or (told - words and told - words <= whole):
            continue
        if another_value(statement, Said(memory=talk.memory, text=said, at=talk.at, position=talk.position)):
            return True
    return False


def _sentences(talk: Candidate) -> Iterator[str]:
    found = [said.strip() for text in (talk.text, talk.answer) for said in _END.split(text[:READ])]
    yield from [said for said in found if said][:SENTENCES]


def _telling(text: str) -> set[str]:
    return {stem(word.text) for word in words_of(text)}
