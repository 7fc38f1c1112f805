"""What the signs in a clause are, where each stands so that it means what it says. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from aftermind.projections.reading.statements.wording_words import COPULAS
from aftermind.sidecar.captures.words import LANGUAGES
from aftermind.sidecar.captures.words.grammar import (
    BETWEEN,
    CHOSEN,
    FORBIDDING,
    HERE,
    IDLE,
    LIMITS,
    LOOSE,
    NAMING,
    ORDERS,
    PEOPLE,
    REMINDING,
    SPECIFIC,
    STATES,
    SUBJECTS,
    UNITS,
    VAGUE,
    WE,
    WORK,
)
from aftermind.sidecar.utterances.grammar import POLITE
from aftermind.sidecar.utterances.phrases import Hit, Table, hits, table
from aftermind.sidecar.utterances.voice import Clause

NEAR = 4
"""Words between a thing and the verb that gives its value."""
DETERMINERS = SPECIFIC | set("our a an we all every each no any some both when if in on for with only".split())
NOBODY, POINTED = {"i", "you", "it", "he", "she", "they", "that"}, {"this", "these", "those"}
"""Who was meant is not known any more when it is read again."""
MODALS = set("has have had must can may will should needs does do not never always only cannot".split())
_PLEASE = (
    ("por", "favor"),
    ("per", "favore"),
    ("per", "piacere"),
    ("s'", "il", "te", "plaît"),
    ("s'", "il", "vous", "plaît"),
)
"""Courtesies of several words."""
_APPROVED = re.compile(r"\bneeds? (?:an? )?(?:approvals?|reviews?) (?:from|by|of) [A-Z]")
_TELLING = frozenset({"note", "remember", "mind", "memorize", "memorise", "forget", "aware"})
ANY = frozenset(
    "new old other same whole first last next second main current latest wrong right only own first failing".split()
)
"""Tells nothing apart for good."""
TOLD = ("ing", "ed", "tion")
"""How a word ends that tells of something, and orders nothing."""
VALUE = re.compile(
    r"\d|[_`/]|(?<![a-z])[a-z]+[A-Z]|\b[A-Z]{2,}\b|\.[a-z]|\w-\w|\b(?:called|named|heißt|appelle|llama|chama|chiama|heet"
    r"|nazywa|называется)\b"
)


class Read(Struct, frozen=True):
    """A clause, with the signs that were found in it; `said`: as it was typed. `states`: a thing and its value;
    `gives`: a verb and a value; `named`: a thing by two words; `uses`: what somebody works with."""

    clause: Clause
    signs: frozenset[str]
    said: str
    states: bool
    gives: bool
    named: bool
    uses: bool


@cache
def phrases_of(languages: tuple[str, ...]) -> Table:
    """What is looked for in these languages."""
    return table([LANGUAGES[name] for name in sorted(languages) if name in LANGUAGES])


def read_clause(clause: Clause, message: str, ready: Table) -> Read:
    """A clause of a message, with the signs of a table that stand where they mean what they say."""
    said = [word.text for word in clause.words]
    polite = _politely(said)
    found = [hit for hit in hits(ready, clause.text, clause.words) if _stands(hit, said, polite)]
    things = [hit.last for hit in found if hit.sign == "thing"]
    verbs = [hit for hit in found if hit.sign == "verb"]
    return Read(
        clause=clause,
        signs=frozenset(hit.sign for hit in found),
        said=message[clause.start : clause.start + len(clause.text)],
        states=any(_states(clause, hit, things) for hit in verbs),
        gives=any(hit.first >= 0 and _value_after(clause, hit.last, True) for hit in verbs),
        named=any(_is_named(clause, hit, things) for hit in verbs if hit.first >= 0),
        uses=any(hit.sign == "use" and hit.first >= 0 and _value_after(clause, hit.last, False) for hit in found),
    )


def _politely(said: Sequence[str]) -> int:
    """How many words of courtesy a clause begins with."""
    at = 0
    while at < len(said):
        wish = next((wish for wish in _PLEASE if tuple(said[at : at + len(wish)]) == wish), ())
        if not wish and said[at] not in POLITE:
            break
        at += len(wish) or 1
    return at


def _is_named(clause: Clause, verb: Hit, things: Sequence[int]) -> bool:
    """Whether the thing before a verb is told by two words: two things, or a thing with a word of its own before it, as
    "the billing service" and not "the service" or "the new service"."""
    before = [thing for thing in things if thing < verb.first]
    if len(before) >= 2:
        return True
    own = clause.words[before[0] - 1].text if before and before[0] > 1 else ""
    return bool(own) and own not in DETERMINERS | POINTED | ANY and clause.words[before[0] - 2].text in ("the", "our")


def _states(clause: Clause, verb: Hit, things: Sequence[int]) -> bool:
    """Whether a verb says the value of a thing: a thing before it, a value right after it. "is" and its like want the
    thing near; where words are not parted, both stand anywhere."""
    if verb.first < 0:
        return bool(things)
    bare = clause.words[verb.first].text in COPULAS and clause.words[verb.last].text not in NAMING
    return _value_after(clause, verb.last, bare) and (
        any(0 < verb.first - thing <= NEAR for thing in things) if bare else bool(things)
    )


def _stands(hit: Hit, said: Sequence[str], polite: int) -> bool:
    """Whether a sign is where it means what it says: a request begins its clause, "never" begins a rule and an order
    follows, without anybody who did something; what must be is of the work, and of more than one thing."""
    if hit.first < 0:
        return True
    after = said[hit.last + 1] if hit.last + 1 < len(said) else ""
    if hit.sign == "ask":
        return hit.first <= polite
    if hit.sign == "maybe":
        return tuple(said[hit.first : hit.first + 4]) not in _PLEASE  # "s'il te plaît" doubts nothing
    if hit.sign == "wish":
        begins = hit.first <= polite and not set(said[: hit.first]) & SUBJECTS
        return begins and (said[hit.last] != "that" or is_told(said[hit.last + 1 :]))
    if hit.sign == "rule":
        begins = hit.first <= polite + 1 and not set(said[polite : hit.first]) & SUBJECTS
        if not begins and (said[hit.first] in FORBIDDING | WE or said[hit.last] in FORBIDDING):
            return False
        if said[hit.first] == "no" and (
            set(said) & COPULAS or (said[hit.last] != after and after and said[hit.last] in HERE)
        ):
            return False
        if said[hit.last] in ("never", "always"):
            rest = said[hit.last + 2 : hit.last + 5]
            if (after in REMINDING | {"forget"} and rest[:1] == ["that"]) or rest == ["in", "mind", "that"]:
                return False  # "always remember that …" wants something known and nothing done
            told = after in SUBJECTS | IDLE or after.endswith(TOLD) or (after.endswith("s") and after[-2:] != "ss")
            return begins and bool(after) and not told and (after in ORDERS or after == "_" or bool(set(said) & WORK))
        if said[hit.last] in ("on", "forward", "rule"):
            return _orders(said, after, said[polite : hit.first])
        return after not in VAGUE and (len(said) < 2 or said[min(polite, len(said) - 2) + 1] not in VAGUE)
    if hit.sign == "rulish":
        before = said[polite : hit.first]
        if not before or before[0] in SPECIFIC or set(before) & PEOPLE:
            return False
        return (
            bool(set(before) & WORK)
            or before[0] == "nothing"
            or ("never" in said[hit.first : hit.last + 1] and is_plural(before[-1]))
        )
    return True


def _orders(said: Sequence[str], after: str, before: Sequence[str]) -> bool:
    """Whether "from now on" goes on with something to be done, or is said of what rules are of. Nothing before it, as
    nothing after it, says nothing."""
    if after in LOOSE | VAGUE:
        return False
    if not after:
        return bool(before) and before[0] not in VAGUE
    if "rule" in said:
        return True
    return after in ORDERS | FORBIDDING or bool(set(said) & (WORK | FORBIDDING))


def is_told(said: Sequence[str]) -> bool:
    """Whether somebody is told of something after "that": "that the tests …", not "that bug from yesterday"."""
    if len(said) < 2 or (said[0] in POINTED and said[1] in COPULAS):
        return False
    if said[0] in NOBODY:
        return said[0] == "you" and said[1] in MODALS
    verb = said[1] in COPULAS | MODALS or (said[1].endswith("s") and not said[1].endswith("ss"))
    return said[0] in DETERMINERS or said[0] == "_" or is_plural(said[0]) or verb


def told_that(one: Read) -> list[str]:
    """What follows "note that" or "remember that", where a clause begins so; nothing where it does not."""
    said = [word.text for word in one.clause.words]
    at = said.index("that") if "that" in said[:6] else len(said)
    return said[at + 1 :] if set(said[:at]) & _TELLING else []


def is_approved(one: Read) -> bool:
    """Whether somebody approves: that tells of them, and orders nothing."""
    return _APPROVED.search(one.said) is not None


def is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _value_after(clause: Clause, at: int, bare: bool) -> bool:
    """Whether a number, a name or an address stands right after a verb; after "is" no mere count."""
    said = {word.text for word in clause.words[: at + 1]}
    following = [word for word in clause.words[at + 1 : at + 5] if word.text not in BETWEEN][:2]
    if not following or (len(following) > 1 and following[1].text in UNITS and not said & LIMITS):
        return False
    if bare and said & CHOSEN and clause.words[-1] is following[0]:
        return True
    if following[0].text in STATES:
        return False
    value = clause.text[following[0].start : following[0].end]
    if clause.text[following[0].end :].startswith(("/", "://")):
        return True
    return following[0].text in ("_", "/") or bool(VALUE.search(value)) or value[:1].isupper()
