"""Which standing rules say the opposite of each other, and which of two goes before. Pure.

Two rules are opposed where one forbids what the other asks for, word for word (`never push`, `always push`), or where
both give the same thing another value (`current.py`, `ordered.py`). Of two in force at one moment the narrower goes
before, unless the wider one alone is locked: no rule of ours goes before what somebody locked. Who cannot be told apart
so is left as it is: both stand, each with the other's id.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from aftermind.engine.memories.directives import Condition, narrowness
from aftermind.engine.names import MemoryId
from aftermind.projections.reading.statements.current import Said, says_otherwise
from aftermind.projections.reading.statements.opposed import ENDS, Sense, Stance
from aftermind.projections.reading.statements.ordered import another_order
from aftermind.projections.recalling.candidate import Candidate

MOST = 400
"""Rules that are compared with each other at one moment."""


class Rule(Struct, frozen=True):
    """A rule that is in force, when, and what it says."""

    memory: Candidate
    when: Condition
    sense: Sense

    @property
    def id(self) -> MemoryId:
        return self.memory.memory


class Clash(Struct, frozen=True):
    """Two rules in force that say the opposite; `first` goes before, where that can be told."""

    one: MemoryId
    other: MemoryId
    about: str
    first: MemoryId | None = None
    ended: bool = False
    """Whether it goes before because it says that the other holds no more, and not because it is narrower."""


def against(one: Rule, other: Rule) -> str:
    """The words of what both speak of, where they say the opposite; empty otherwise."""
    return _opposite(one.sense.stance, other.sense.stance) or _another_value(one, other)


def _opposite(mine: Stance | None, its: Stance | None) -> str:
    if mine and its and mine.forbids != its.forbids and _same(mine.words, its.words):
        return " ".join(sorted(mine.words & its.words))
    return ""


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether one says all the other does: `never push` is about something else than `push to main after a review`."""
    return one == other or (min(len(one), len(other)) > 1 and (one < other or other < one))


def _another_value(one: Rule, other: Rule) -> str:
    if one.sense.keys.isdisjoint(other.sense.keys):
        return ""
    if about := says_otherwise(_said(one), _said(other)):
        return about
    if one.when != other.when and not (one.when.is_always or other.when.is_always):
        return ""  # npm is used in one folder and pnpm in another
    mine, its = (one.memory.at, one.memory.position), (other.memory.at, other.memory.position)
    newer, older = (one, other) if mine >= its else (other, one)
    return another_order(newer.memory.text, older.memory.text)


def _said(rule: Rule) -> Said:
    one = rule.memory
    return Said(memory=one.memory, text=one.text, at=one.at, position=one.position)


def narrower(one: Rule, other: Rule) -> Rule | None:
    """Which of two opposed rules goes before where both apply; None where that cannot be told. One that says of the
    other that it holds no more goes before it, however wide."""
    if (new := _ending(one, other)) is not None:
        return new
    mine, its = _narrow(one), _narrow(other)
    if mine == its:
        return None
    first, second = (one, other) if mine > its else (other, one)
    return None if second.memory.locked and not first.memory.locked else first


def _ending(one: Rule, other: Rule) -> Rule | None:
    for new, old in ((one, other), (other, one)):
        if ENDS.search(new.memory.text) and new.memory.at > old.memory.at and not old.memory.locked:
            return new
    return None


def _narrow(rule: Rule) -> tuple[int, ...]:
    """What is asked of more words is narrower, all else being the same."""
    told = rule.sense.stance
    return (*narrowness(rule.memory.scope, rule.when), len(told.words) if told else 0)


def clashes(rules: Sequence[Rule]) -> tuple[Clash, ...]:
    """Every two of the rules that are opposed. Only those are compared that are found by the same keys, or of which one
    forbids a word of the other."""
    rules = rules[:MOST]
    by_key: dict[int, list[int]] = {}
    by_word: dict[str, list[int]] = {}
    for place, rule in enumerate(rules):
        for key in rule.sense.keys:
            by_key.setdefault(key, []).append(place)
        if rule.sense.stance and rule.sense.stance.forbids:
            for word in rule.sense.stance.words:
                by_word.setdefault(word, []).append(place)
    pairs: set[tuple[int, int]] = set()
    for place, rule in enumerate(rules):
        told = rule.sense.stance
        asked = () if told is None or told.forbids else told.words
        others = {other for key in rule.sense.keys for other in by_key.get(key, ())}
        others |= {other for word in asked for other in by_word.get(word, ())}
        pairs |= {(min(place, other), max(place, other)) for other in others if other != place}
    found = ((rules[first], rules[second]) for first, second in sorted(pairs))
    return tuple(_clash(one, other, about) for one, other in found if (about := against(one, other)))


def _clash(one: Rule, other: Rule, about: str) -> Clash:
    wins = narrower(one, other)
    return Clash(one.id, other.id, about, wins.id if wins else None, ended=_ending(one, other) is not None)
