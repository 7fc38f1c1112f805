"""An old answer stands below the newer statement that says otherwise, and says so. Pure.

What was said stays what was said: nothing of a conversation is superseded. But who asks which port production uses is
not to read the old one first. Only what is in one answer is compared, and of talk only what cannot be about anything
else: an exchange whose question names nothing but what its answer, of one sentence, or the statement names, or in which
the user stated one sentence and the answer only agreed; and of an answer that is a value alone, one whose question
names all that the statement is about. Whether that gives the same thing another value is decided by
the rule by which a statement takes the place of another (`reading/statements/current.py`).
"""

from __future__ import annotations

import re
from operator import attrgetter

from msgspec import structs

from aftermind.engine.names import MemoryId
from aftermind.projections.reading.statements.current import TYPED, Said, another_value
from aftermind.projections.reading.statements.inflected import stem
from aftermind.projections.reading.statements.statement import frames
from aftermind.projections.reading.terms import STOP_WORDS
from aftermind.projections.recalling.candidate import Candidate, Hit, Ranked
from aftermind.projections.recalling.ranking.said_once import tells_nothing

LONGEST = 200
"""Characters of a question, and of an answer of one sentence."""
_ASKS = re.compile(r"[?？؟]\s*$")
_WORD = re.compile(r"\w+")
_MORE = re.compile(r"[\n:;`]|[.!?。！？]\s|^\W|[?？؟]\W*$")
"""What an answer has that is more than one plain sentence: a second one, a label, a list, code, a quotation, a
question."""
_BARE = re.compile(r"`?(?P<value>[\w./:@-]*\w)`?\.?")
_WHICH = re.compile(r"(?:which|what|what['’]s)\b")
_BESIDE = frozenset(
    ("which", "what", "s", "is", "are", "was", "does", "do", "the", "our", "of", "for", "in", "on", "at", "to", "we")
)
"""What asks for a value itself: beside what it is about there are none but these words, so that it is not the value
above it, another one, or since when it is that."""
_OBJECTS = re.compile(r"\d|\b(?:no|not|nope|never)\b|n['’]t\b", re.IGNORECASE)
"""What an answer has that does not only agree."""
_SELF = frozenset({"i", "my", "me", "mine", "myself"})


def settled_since(answer: Ranked) -> Ranked:
    """The same hits, each old answer that a live statement among them settles otherwise below that at the best."""
    stated = [hit for hit in answer.hits if hit.candidate.kind in TYPED and hit.candidate.status == "live"]
    stated.sort(key=attrgetter("candidate.at", "candidate.position"), reverse=True)
    by: dict[MemoryId, Hit] = {}
    for hit in answer.hits if stated else ():
        newer = next((one for one in stated if _says_otherwise(one.candidate, hit.candidate)), None)
        if newer is not None:
            by[hit.candidate.memory] = newer
    if not by:
        return answer
    hits = [_below(hit, by[hit.candidate.memory]) if hit.candidate.memory in by else hit for hit in answer.hits]
    hits.sort(key=lambda hit: (-round(hit.score, 9), hit.candidate.memory in by))
    return structs.replace(answer, hits=tuple(structs.replace(hit, rank=rank) for rank, hit in enumerate(hits, 1)))


def _below(hit: Hit, newer: Hit) -> Hit:
    note = f"{newer.candidate.memory} says otherwise since"
    memory = structs.replace(hit.candidate, notes=(*hit.candidate.notes, note))
    return structs.replace(hit, candidate=memory, score=min(hit.score, newer.score), reasons=(*hit.reasons, note))


def _says_otherwise(newer: Candidate, talk: Candidate) -> bool:
    if talk.kind != "exchange" or newer.scope != talk.scope or newer.at <= talk.at:
        return False
    asked, said = talk.text.strip(), talk.answer.strip()
    if max(len(asked), len(said)) > LONGEST:
        return False
    if not _ASKS.search(asked):  # it was stated there, and the answer only agreed
        if not tells_nothing(said) or _OBJECTS.search(said):
            return False
        asked, said = "", asked
    if _MORE.search(said) and _BARE.fullmatch(said) is None:
        return False
    named = _named(said) | _named(newer.text)
    if _SELF & named or not _named(asked) <= named:
        return False
    whole = said if (value := _BARE.fullmatch(said)) is None else _in_its_place(newer.text, asked, value["value"])
    return bool(another_value(_said(newer, newer.text), _said(talk, whole)))


def _in_its_place(text: str, asked: str, value: str) -> str:
    """What an answer of a value alone says, by the statement that says it of what was asked for: that, with this value
    in the place of its own. Empty where it is asked for something else."""
    stated, said = frames(text, ""), _WORD.findall(asked.lower())
    if len(stated) != 1 or len(stated[0].value) != 1 or not _WHICH.match(asked.lower()):
        return ""
    raw, about = stated[0].value[0].raw, set(map(stem, stated[0].about))
    verb = {stem(word) for word in _WORD.findall(stated[0].relation)}
    more = {stem(word) for word in said if word not in _BESIDE} - verb
    if text.count(raw) != 1 or more != about:
        return ""
    return text.replace(raw, value)


def _said(one: Candidate, text: str) -> Said:
    return Said(memory=one.memory, text=text, at=one.at, position=one.position)


def _named(text: str) -> frozenset[str]:
    """Its words by their stems, numbers and single letters among them."""
    words = (word for word in _WORD.findall(text.lower()) if word in _SELF or word not in STOP_WORDS)
    return frozenset(word if word in _SELF else stem(word) for word in words)
