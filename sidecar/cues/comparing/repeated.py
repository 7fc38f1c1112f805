"""What a follow-up says in the words of the exchange: the question once more, that what was not so is so now, or that
what was made works. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.sidecar.cues.clauses.heard import Heard
from aftermind.sidecar.utterances.grammar import (
    ANAPHORA,
    CONDITIONS,
    HOPES,
    MODALS,
    NEGATIONS,
    POLITE,
    REQUESTS,
    SINCE,
    WANTING,
    WHENS,
)
from aftermind.sidecar.utterances.languages import SMALL_WORDS
from aftermind.sidecar.utterances.phrases import words

_TERM = re.compile(r"[\w@#$](?:[\w@#$./:+-]*[\w@#$])?")
_NAMED = re.compile(r"[\d_@#$./:+-]|[a-z][A-Z]|^[A-Z]{2,}")
"""A number, an identifier, a path: it counts to the letter."""
_PIECES = re.compile(r"[.,;:!?\n]")
_ASSENTS = frozenset("yes yep yeah yay ja jawohl thanks thank danke".split())
_ORDERED = MODALS | WANTING | REQUESTS | CONDITIONS | {"make", "ensure", "so", "that", "please", "let", "dass"}
"""In a clause with one of these, what is not so may be what is wanted: "make sure it does not show"."""
_OPEN = NEGATIONS | HOPES | MODALS | WHENS | CONDITIONS | {"only", "again", "too", "theory", "think"}
_ALL = POLITE | {"the", "all", "both", "these", "those"}
_NO_THINGS = frozenset("needs takes requires makes does always sometimes less means causes saves wants".split())
"""Before "work" as a thing: "the header needs work"."""
LONGEST = 2_000
"""Characters of a prompt in which somebody says what is not so."""


def asked_again(prompt: str, follow_up: str) -> bool:
    """The same question once more: nothing was solved. Any other word, number or name makes it another."""
    before, again = _terms(prompt), _terms(follow_up)
    if len(again) < 4 or len(before) < 4 or {t for t in before ^ again if _NAMED.search(t)}:
        return False
    return again <= before and len(before - again) <= 0.4 * len(before)


def comes_true(prompt: str, heard: Sequence[Heard]) -> str:
    """The part of a follow-up that says, gladly, that what the prompt says is not so is so now: "yes! the mails arrive
    in the inbox now"; else nothing. Any other name in it may be what went wrong: "the mails arrive in spam now"."""
    said = {word.text for part in heard for word in part.words[:1]}
    if said.isdisjoint(_ASSENTS) or not all(map(_is_glad, heard)):
        return ""
    denied = _denied(prompt[:LONGEST])
    return next((part.text for part in heard if _is_so(part, denied)), "")


def works_by_name(heard: Sequence[Heard], about: set[str]) -> str:
    """The part that says that several things of the exchange work, "presigned URLs work", where nothing else is said
    of how anything is; else nothing. Of a single thing the last word is a thing itself: "team work"."""
    if all(map(_is_glad, heard)):
        return next((part.text for part in heard if _work(part, about)), "")
    return ""


def _work(part: Heard, about: set[str]) -> bool:
    *names, last = [word.text for word in part.words if word.text not in _ALL] or [""]
    if part.asks or last != "work" or not 0 < len(names) < 4 or names[-1][-1] != "s" or names[-1] in _NO_THINGS:
        return False
    return all(word[:5] in about for word in names)


def _is_glad(part: Heard) -> bool:
    """Whether a part neither takes anything back nor leaves it open."""
    if part.contrasts or any(hit.sign not in ("praise", "perfect") for hit in part.hits):
        return False
    return part.asks or _OPEN.isdisjoint(word.text for word in part.words)


def _is_so(part: Heard, denied: Sequence[tuple[str, set[str]]]) -> bool:
    said = {word.text for word in part.words}
    if part.asks or said.isdisjoint(SINCE):
        return False
    named = {word[:5] for word in said - SMALL_WORDS - POLITE - SINCE - ANAPHORA}
    return len(named) > 1 and any(verb in {word[:5] for word in said} and named <= names for verb, names in denied)


def _denied(prompt: str) -> list[tuple[str, set[str]]]:
    """Of each clause that says that something is not so: the beginnings of the word after its "not", and of all."""
    found = []
    for piece in _PIECES.split(prompt):
        said = [word.text for word in words(piece)]
        nots = [at for at, word in enumerate(said) if word in NEGATIONS]
        if len(nots) == 1 and 1 < nots[0] < len(said) - 1 and _ORDERED.isdisjoint(said):
            found.append((said[nots[0] + 1][:5], {word[:5] for word in said}))
    return found


def _terms(text: str) -> set[str]:
    """The words of a question, but for the small ones, and each name in one piece, as it is written."""
    found = set()
    for match in _TERM.finditer(text[:4000]):
        term = match[0] if _NAMED.search(match[0]) else match[0].casefold()
        if term.casefold() not in SMALL_WORDS | POLITE:
            found.add(term)
    return found
