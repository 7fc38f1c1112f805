"""What a user typed, clause by clause: what was found in each, and what kind of clause it is. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from aftermind.sidecar.captures.for_good import after_when
from aftermind.sidecar.captures.words.grammar import ORDERS, REMINDING
from aftermind.sidecar.cues.clauses.going_on import orders_to_go_on
from aftermind.sidecar.cues.clauses.negated import heard_in
from aftermind.sidecar.cues.clauses.spoilt import only_shows
from aftermind.sidecar.utterances.grammar import (
    ALWAYS_ASKING,
    ANAPHORA,
    ASKING,
    CONTRAST,
    MODALS,
    OWN,
    PERSONS,
    POLITE,
    REQUESTED,
    REQUESTS,
    SEES,
    STANDING,
    WANTING,
)
from aftermind.sidecar.utterances.languages import SMALL_WORDS
from aftermind.sidecar.utterances.phrases import Hit, Table, Word, words
from aftermind.sidecar.utterances.voice import Clause, Message

TROUBLE = ("fault", "weak")
MILD = ("weak", "hush", "praise", "perfect")
GOOD = ("work",)
_REMEMBER = REMINDING - {"daran", "dran", "dir", "euch"}

_TROUBLE_WANTED = frozenset({"throw", "raise"})
"""They order what elsewhere is trouble: "throw an error when it is empty"."""
_MAY = frozenset("can could kannst könntest können könnten peux pourrais".split())
_MAY_YOU = frozenset("puedes podrías podés pode poderia podes puoi potresti możesz можешь".split())
"""They ask somebody for something; these without saying whom."""


class Heard(Struct, frozen=True):
    """A clause, or a part of one after a "but", with what was found in it."""

    text: str
    words: Sequence[Word]
    hits: Sequence[Hit]
    asks: bool
    contrasts: bool
    first: bool
    sentence: int
    introduced: bool = False
    """After a colon."""

    def says_surely(self, hit: Hit) -> bool:
        """A single word for failure in a long clause may be of anything."""
        return hit.sign == "fail" and (hit.first != hit.last or hit.first <= 1 or len(self.words) < 5)

    def has(self, *signs: str) -> bool:
        return any(hit.sign in signs for hit in self.hits)


def hear(follow_up: str, message: Message, table: Table) -> list[Heard]:
    heard: list[Heard] = []
    asking_from: dict[int, int] = {}
    for at, clause in enumerate(message.clauses):
        if clause.asks and clause.sentence not in asking_from and _asks(clause):
            asking_from[clause.sentence] = at
    for at, clause in enumerate(message.clauses):
        pieces = _split(clause)
        turns = next((place for place, piece in enumerate(pieces) if piece[3] and _asks_for_more(piece[2])), 0)
        told = clause.asks and turns > 0 and clause.sentence not in asking_from
        asks = clause.asks and at >= asking_from.get(clause.sentence, 0) and not told
        leads = clause.mark in (":", "：") or (clause.mark.startswith("\n") and bool(message.pasted))
        for place, (begin, text, said, contrasts) in enumerate(pieces):
            start = clause.start + begin
            heard.append(
                Heard(
                    text=follow_up[start : start + len(text)],
                    words=said,
                    hits=_hits(table, text, said, contrasts, leads and place + 1 == len(pieces)),
                    asks=asks
                    or (clause.asks and place > 0 and not (told and place < turns))
                    or (not clause.asks and _begins(said) in ALWAYS_ASKING)
                    or (len(said) > 1 and said[-1].text == "then"),
                    contrasts=contrasts,
                    first=at == 0 and place == 0,
                    sentence=clause.sentence,
                    introduced=at > 0 and message.clauses[at - 1].mark in (":", "："),
                )
            )
    return heard


def _hits(table: Table, text: str, said: Sequence[Word], contrasts: bool, leads: bool) -> Sequence[Hit]:
    """What is found in a part, without what says that something lasts where it orders to go on; where it leads to what
    comes next, without a success that is but that this is shown."""
    found = heard_in(table, text, said)
    if leads:
        found = tuple(hit for hit in found if not only_shows(said, hit))
    if contrasts or not orders_to_go_on(said, found):
        return found
    return [hit for hit in found if hit.sign != "still"]


def _split(clause: Clause) -> list[tuple[int, str, list[Word], bool]]:
    """A clause, cut before each word of contrast. One at the end is of the whole."""
    said = clause.words
    cuts = [at for at, word in enumerate(said) if word.text in CONTRAST]
    if not cuts:
        return [(0, clause.text, said, False)]
    if cuts == [len(said) - 1]:
        return [(0, clause.text, said[:-1], True)]
    found = []
    for begin, end in zip([0, *cuts], [*cuts, len(said)], strict=True):
        part = said[begin:end]
        contrasts = begin in cuts
        part = part[1:] if contrasts else part
        if part:
            start = part[0].start
            text = clause.text[start : part[-1].end]
            moved = [Word(word.text, word.start - start, word.end - start) for word in part]
            found.append((start, text, moved, contrasts))
    return found


def _asks(clause: Clause) -> bool:
    said = [word.text for word in clause.words if word.text not in POLITE]
    if clause.words and clause.words[0].text in CONTRAST:
        return _asks_for_more(clause.words[1:])
    return bool(said) and said[0] in ASKING


def _asks_for_more(said: Sequence[Word]) -> bool:
    """Whether a part after a "but" asks for something, so that what stands before is told: "but can you also add a
    test?". Where it asks how something is, "but does it?", all of it may be a question."""
    told = [word.text for word in said if word.text not in POLITE - PERSONS]
    return bool(told) and (told[0] in _MAY_YOU or (told[0] in _MAY and not PERSONS.isdisjoint(told[1:2])))


def _begins(said: Sequence[Word]) -> str:
    """The first word of a part, which "ok and" may stand before."""
    return next((word.text for word in said if word.text not in POLITE), "")


def is_report(part: Heard) -> bool:
    plain = [word.text for word in part.words if word.text not in POLITE]
    if part.asks or len(part.words) < 2 or (plain and plain[0] in REQUESTS) or part.words[0].text in PERSONS:
        return False
    return not part.has("if", "wish", "aside", "revert", "told", "mine", "later")


def still_does(part: Heard) -> bool:
    """Whether somebody still does something, rather than still sees it."""
    if not part.has("still") or part.has(*TROUBLE, "fail"):
        return False
    return bool({word.text for word in part.words[:2]} & PERSONS) and not {word.text for word in part.words} & SEES


def is_wanted(part: Heard) -> bool:
    """Whether a clause says how something is to be, or what somebody wants, rather than how it is."""
    said = [word.text for word in part.words]
    wants = bool(set(said[:2]) & PERSONS and set(said[:4]) & WANTING)
    return wants or bool(set(said) & MODALS and not set(said) & {"have", "supposed"})


def named_first(part: Heard) -> bool:
    """Whether trouble is but what a success is about: "the failing test passes"."""
    at = {sign: next((n for n, hit in enumerate(part.hits) if hit.sign in sign), -1) for sign in (TROUBLE, GOOD)}
    return -1 < at[TROUBLE] < at[GOOD] and all(hit.sign not in TROUBLE for hit in part.hits[at[GOOD] :])


def first_word(text: str) -> str:
    return next((word.text for word in words(text) if word.text not in POLITE - PERSONS), "")


def requests(part: Heard) -> bool:
    """Whether something is wanted: to be done, to be remembered, or for good: "from now on, always use tabs"."""
    said = [word.text for word in words(after_when(part.text)) if word.text not in POLITE]
    ordered = REQUESTS | ORDERS if said[:1] and said[0] in STANDING else REQUESTS | _REMEMBER | _TROUBLE_WANTED
    first = next((word for word in said if word not in STANDING), "")
    return first in ordered or REQUESTED.search(part.text) is not None


def of_this(part: Heard, about: set[str], wants: bool) -> bool:
    """Whether trouble that is named is likely of this exchange; where something is asked for, it may be of that."""
    said = {word.text for word in part.words}
    if said & OWN and not said & {"this", "that", "it"} and not content(part.text) & about:
        return False
    return bool(content(part.text) & about) or (not wants and (bool(said & ANAPHORA) or len(said) <= 4))


def content(text: str) -> set[str]:
    """The beginnings of the words that are about something."""
    return {word.text[:5] for word in words(text[:4000]) if len(word.text) > 3 and word.text not in ANAPHORA}


def unexplained(part: Heard, plain: Sequence[str]) -> bool:
    """Whether a clause reports something without a known sign: trouble beside it may not be the whole story."""
    return len(plain) > 2 and not part.hits and not {word.text for word in part.words[:2]} & PERSONS


def topics(text: str) -> set[str]:
    """The beginnings of the words that are not small ones."""
    return {
        word.text[:4] for word in words(text[:4000]) if len(word.text) > 2 and word.text not in SMALL_WORDS | MODALS
    }
