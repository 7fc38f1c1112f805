"""Whether two sentences (`sentence.py`) give one thing two values, or are about two things, by their words; where it is
unsure they are about two things. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.projections.reading.listed import listed
from aftermind.projections.reading.statements import wording_words as table
from aftermind.projections.reading.statements.numbered import differ_in_a_number, stands_instead
from aftermind.projections.reading.statements.sentence import Sentence, Word
from aftermind.projections.reading.statements.used_as import whatever_as
from aftermind.projections.reading.statements.wording_values import is_other_side
from aftermind.projections.reading.statements.words import INCIDENTS, NUMBERED

_NO_NAMES = table.ARTICLES | table.FILLERS | table.FUNCTIONAL | table.COUNTED
"""Before a word like `db` they are not what it is called."""
_HAVING = frozenset(("have", "has"))
_HOW_MANY = listed("up to at most least only about exactly")


def same(one: Sentence, other: Sentence) -> bool:
    """The same words, whichever their case, articles and marks, and the order of their clauses."""
    if not one.words and not one.denied:
        return False
    if one.clauses == other.clauses:
        return True
    if one.negative and (mine := _forbidden(one)) and (its := _forbidden(other)) and mine != its:
        return False  # "never use pnpm, always npm" has the words of "always use pnpm, never npm"
    return (one.keys, one.negative, one.strength, one.denied) == (
        other.keys,
        other.negative,
        other.strength,
        other.denied,
    )


def _forbidden(said: Sentence) -> frozenset[str]:
    """The words behind a negation, each in its clause."""
    found: set[str] = set()
    for clause in said.clauses:
        at = next((place for place, word in enumerate(clause) if word in table.NEGATIONS), len(clause))
        found.update(clause[at:])
    return frozenset(found - table.NEGATIONS)


def another_value(newer: Sentence, older: Sentence) -> bool:
    """Do both say of the same thing, by the same relation, that it has one value, and not the same one?"""
    if newer.partial or older.partial:
        return False
    if newer.negative != older.negative:
        return (newer.keys == older.keys or _is_of_all_kinds(newer, older)) and tells_something(newer.words)
    place = only_difference(newer, older)
    if place is None or newer.negative or newer.strength != older.strength or not _is_about_one_thing(newer, place):
        return False
    one, two = newer.words[place], older.words[place]
    if one.value is None or one.value != two.value or not agree(one.key, two.key):
        return False
    if one.value == "toggle" and not is_other_side(one.key, two.key):
        return False
    relation = newer.words[newer.relation].key
    if relation in table.COUNTED:
        return one.value == "number" or (uses_another(newer, older) and stands_instead(one.key, two.key))
    return relation == table.EQUALS or relation in table.FUNCTIONAL


def uses_another(newer: Sentence, older: Sentence) -> bool:
    """Does it say that something now uses what differs in a number alone from what the older says it uses?"""
    place = only_difference(newer, older)
    if place is None or not newer.anew or newer.words[newer.relation].key not in table.USING:
        return False
    if newer.negative or older.negative or newer.strength != older.strength or not _is_about_one_thing(newer, place):
        return False
    one, other = newer.keys[place], older.keys[place]
    return agree(one, other) and differ_in_a_number(one, other, newer.keys[: newer.relation])


def _is_of_all_kinds(one: Sentence, other: Sentence) -> bool:
    """Whether what is denied takes what the other one says along: who no longer uses Postgres uses no Postgres 14."""
    less, more = (one, other) if one.negative else (other, one)
    if less.relation < 0 or len(less.words) < less.relation + 2 or less.words[less.relation].key not in table.COUNTED:
        return False
    last = less.words[-1]
    versioned = more.words[-1].value == "number" and last.value is None and last.key not in NUMBERED
    return (more.keys[:-1] == less.keys and versioned) or whatever_as(more.keys, more.relation) == less.keys


def same_subject(one: Sentence, other: Sentence) -> bool:
    """Do both say something of the same thing, by the same relation?"""
    if min(one.relation, other.relation) < 1 or one.words[: one.relation + 1] != other.words[: other.relation + 1]:
        return False
    return tells_something(one.words[: one.relation])


def sets_right(newer: Sentence, older: Sentence, wrong: tuple[str, ...]) -> bool:
    """Does the newer one say what the older one says, with something else in the place of what was wrong?"""
    if not wrong or newer.partial or older.partial or newer.negative != older.negative:
        return False
    mine, other = newer.keys, older.keys
    shortest = min(len(mine), len(other))
    before = next((n for n in range(shortest) if mine[n] != other[n]), shortest)
    rest = shortest - before
    after = next((n for n in range(rest) if mine[-1 - n] != other[-1 - n]), rest)
    instead, was = mine[before : len(mine) - after], other[before : len(other) - after]
    around = [*newer.words[:before], *newer.words[len(mine) - after :]]
    return bool(instead) and was == wrong and tells_something(around) and agree(" ".join(instead), " ".join(was))


def agree(one: str, other: str) -> bool:
    """Do two texts hold the same qualifiers: production or staging, frontend or backend, and names of services?"""
    return _qualifiers(one) == _qualifiers(other)


def _qualifiers(text: str) -> set[tuple[str, str]]:
    text = text.lower()
    found = {table.QUALIFIERS[word] for word in re.findall(r"[^\W_]+(?:-end)?", text) if word in table.QUALIFIERS}
    if not text.isascii():
        found |= {place for word, place in table.QUALIFIERS.items() if not word.isascii() and word in text}
    names = re.findall(r"([\w-]{1,60})[\s-](?=" + table.PARTS.pattern + ")", text)
    return found | {("named", name) for name in names if name not in _NO_NAMES and name not in table.QUALIFIERS}


# --- what two sentences have in common ------------------------------------------------------------------------


def only_difference(one: Sentence, other: Sentence) -> int | None:
    """The place of the one word in which they differ."""
    if len(one.words) != len(other.words) or one.relation != other.relation or one.denied or other.denied:
        return None
    places = [n for n, (a, b) in enumerate(zip(one.keys, other.keys, strict=True)) if a != b]
    return places[0] if len(places) == 1 else None


def _is_about_one_thing(said: Sentence, place: int) -> bool:
    """Whether a word is the value of what the sentence is about, not part of what it is about or of where it holds."""
    if said.relation < 0 or place <= said.relation:
        return False
    between = said.keys[said.relation + 1 : place]
    if any(key in table.SCOPING for key in between):
        return False
    subject = said.words[: said.relation]
    named = between[:1] in (("called",), ("named",))
    if named and not said.anew:
        return False  # each variable has a name of its own; `called.py` knows what there is one of
    which = subject[-1:] if named else subject
    if which and all(word.key in INCIDENTS for word in which):
        return False
    if said.words[said.relation].key in _HAVING:
        by_chance = subject and subject[-1].key == "run"  # it has 3 failures, and the next one has 5
        if by_chance or (not tells_something(subject) and not _HOW_MANY.issuperset(between)):
            return False  # we have visitors, up to 3 a minute
    imperative = said.words[said.relation].key in table.COUNTED | table.FUNCTIONAL
    return tells_something(subject) or (imperative and bool(between or said.words[place + 1 :]))


def tells_something(words: Sequence[Word]) -> bool:
    """More than pronouns, relations and prepositions."""
    empty = table.PRONOUNS | table.SCOPING | table.DIRECTLY_AFTER | {table.EQUALS} | table.PERSONS
    return any(word.key not in empty for word in words)
