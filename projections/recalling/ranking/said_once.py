"""What was learned of an exchange is not shown a second time as that exchange, where it says nothing more. Pure."""

from __future__ import annotations

from msgspec import structs

from aftermind.engine.names import EventId
from aftermind.projections.reading.plain_words import PLAIN
from aftermind.projections.reading.terms import stem, words_of
from aftermind.projections.recalling.candidate import Candidate, LeftOut, Ranked

LONGEST = 400
"""Characters of an exchange, its answer among them: a longer one says more."""
ASIDE = 2
"""Telling words by which an answer only agrees."""


def said_once(answer: Ranked) -> Ranked:
    """The same without the exchanges that only say what is shown as learned of them."""
    learned: dict[EventId, Candidate] = {}
    for hit in answer.hits:
        one = hit.candidate
        if one.exchange is not None and one.kind != "exchange":
            learned.setdefault(one.exchange, one)
    again = {
        hit.candidate.memory: learned[hit.candidate.exchange].memory
        for hit in answer.hits
        if hit.candidate.kind == "exchange"
        and hit.candidate.exchange in learned
        and _says_no_more(hit.candidate, learned[hit.candidate.exchange].text)
    }
    if not again:
        return answer
    hits = [hit for hit in answer.hits if hit.candidate.memory not in again]
    left = [
        LeftOut(
            memory=hit.candidate.memory, score=hit.score, why=f"is what {again[hit.candidate.memory]} was learned of"
        )
        for hit in answer.hits
        if hit.candidate.memory in again
    ]
    return Ranked(
        hits=tuple(structs.replace(hit, rank=rank) for rank, hit in enumerate(hits, 1)),
        left_out=(*left, *answer.left_out),
    )


def is_small_talk(exchange: Candidate) -> bool:
    """Whether nothing in it tells anything: `Works, thanks! → Good.`"""
    return tells_nothing(exchange.text) and tells_nothing(exchange.answer)


def tells_nothing(text: str) -> bool:
    """Whether its words are all small talk and grammar."""
    return not _telling(text)


def _says_no_more(exchange: Candidate, text: str) -> bool:
    if len(exchange.text) + len(exchange.answer) > LONGEST:
        return False
    known = _telling(text)
    return _telling(exchange.text) <= known and len(_telling(exchange.answer) - known) <= ASIDE


def _telling(text: str) -> set[str]:
    return {stem(word.text) for word in words_of(text)} - PLAIN
