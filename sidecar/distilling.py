"""What becomes of something that was learned, beside what is known: something new, the same as a memory, a newer value
of what a memory says, or an older one. Pure.

Guarantee (law 7): nothing takes the place of a memory unless both say something of one thing: by their own words, or
because a judge says so and their words bear it out. Where it is unsure, both stay. What is newer goes by
when it was said, never by when it was learned. A locked memory keeps its place, and so does what a person stated by
hand before what signs alone find in a prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypeAlias, get_args

from msgspec import Struct

from aftermind.engine.names import GLOBAL, Kind, MemoryId, Scope
from aftermind.projections.reading.statements.clauses import says_is_over
from aftermind.projections.reading.statements.current import TYPED, Said
from aftermind.projections.reading.statements.current import another_value as another_value_of
from aftermind.projections.reading.statements.ordered import another_order, leaves, takes_back
from aftermind.projections.reading.statements.sentence import Sentence, sentence, words_denied
from aftermind.projections.reading.statements.statement import demands
from aftermind.projections.reading.statements.wording import agree, another_value, same, same_subject, sets_right
from aftermind.projections.reading.terms import words_of
from aftermind.sidecar.asking.shape import LessonKind
from aftermind.sidecar.ports import Learned

LEARNED_KINDS: tuple[Kind, ...] = get_args(LessonKind)
"""Kinds of what is learned, and of what it is compared with."""
HALF = 0.5
"""Of the telling words of a sentence: what must speak for a judge who says that two are of one thing."""


class Stated(Struct, frozen=True, kw_only=True):
    """A memory somebody stated, or that was learned before; `at` is when it, or its last wording, was said, the
    last time. One that
    was superseded is not `live`."""

    memory: MemoryId
    kind: Kind
    text: str
    scope: Scope
    at: datetime
    locked: bool = False
    stands: bool = False
    """Whether it keeps its place as if it were locked: a person said it, and signs alone say something else."""
    live: bool = True
    speaker: str = ""


class New(Struct, frozen=True):
    """Nothing known speaks of it."""


class Same(Struct, frozen=True):
    """This memory says it already. `outdated`: what gave the same thing another value before, and is live still."""

    memory: MemoryId
    outdated: tuple[MemoryId, ...] = ()


class Newer(Struct, frozen=True):
    """These memories gave the same thing another value, before."""

    memories: tuple[MemoryId, ...]


class Older(Struct, frozen=True):
    """By the time it was said, this memory has taken its place already."""

    by: MemoryId


class Contradicts(Struct, frozen=True):
    """These memories are spoken against and keep their place: they are locked, or a person stated them and signs alone
    speak against them, or only a judge says that they are of the same thing; `replaced` are others, which do not."""

    memories: tuple[MemoryId, ...]
    replaced: tuple[MemoryId, ...] = ()


Decision: TypeAlias = New | Same | Newer | Older | Contradicts


def decided(learned: Learned, scope: Scope, at: datetime, known: Sequence[Stated]) -> Decision:
    """What becomes of it, where `known` are the memories near it. Whose memory has a speaker said it of himself."""
    mine = sentence(learned.text)
    seen = [one for one in known if one.scope in (scope, GLOBAL) and one.kind in LEARNED_KINDS and not one.speaker]
    alike = [one for one in seen if _says_the_same(mine, learned.text, one)]
    others = [one for one in seen if one.live and one.scope == scope and _has_another_value(learned, mine, one)]
    if live := [one for one in alike if one.live]:
        last = max(live, key=_when)
        past = [one for one in others if one not in alike and last.scope == scope and one.at <= last.at]
        return Same(last.memory, tuple(one.memory for one in past if not (one.locked or one.stands)))
    doubted = tuple(
        one.memory
        for one in seen
        if one not in others and (_is_said_to_be_outdated(learned, one, at, scope) or _is_left(learned, one, at, scope))
    )
    if not others:
        return Contradicts(memories=doubted) if doubted else New()
    if newer := [one for one in others if one.at > at]:
        past = [one for one in alike if one.scope == scope]
        return Same(memory=max(past, key=_when).memory) if past else Older(by=max(newer, key=_when).memory)
    kept = tuple(one.memory for one in others if one.locked or one.stands)
    replaced = tuple(one.memory for one in others if one.memory not in kept)
    stay = (*kept, *doubted)
    return Contradicts(memories=stay, replaced=replaced) if stay else Newer(memories=replaced)


def key_of(text: str) -> str:
    """What two texts have in common that say the same: who learns it twice of one exchange has learned it once."""
    said = sentence(text)
    mood = "not " * said.negative + "may " * (said.strength == "allowed")
    against = f" | {' '.join(said.denied)}" if said.denied else ""
    return mood + " ".join(said.keys) + against if said.words else " ".join(text.casefold().split())


def _says_the_same(mine: Sentence, text: str, known: Stated) -> bool:
    return text.split() == known.text.split() or same(mine, sentence(known.text))


def _has_another_value(learned: Learned, mine: Sentence, known: Stated) -> bool:
    other = sentence(known.text)
    ends = learned.kind in TYPED or (learned.kind in ("decision", "directive") and says_is_over(learned.text))
    if ends and known.kind in TYPED and _gives_another(learned.text, known):
        return True
    if learned.kind == known.kind and _is_ordered_otherwise(learned, known):
        return True
    if not agree(learned.text, known.text):
        return False
    only_demanded = not {learned.kind, known.kind}.isdisjoint(TYPED) and demands(learned.text) != demands(known.text)
    if not only_demanded and (another_value(mine, other) or sets_right(mine, other, mine.denied)):
        return True
    if learned.wrong and sets_right(mine, other, words_denied(learned.wrong)):
        return True
    return _is_outdated_by(learned, known) and (
        same_subject(mine, other) or _in_common(learned.text, known.text) >= HALF
    )


def _is_ordered_otherwise(learned: Learned, known: Stated) -> bool:
    """Of two rules or two decisions."""
    if learned.kind == "decision" and takes_back(learned.text, known.text):
        return True
    return learned.kind in ("decision", "directive") and bool(another_order(learned.text, known.text))


def _is_left(learned: Learned, known: Stated, at: datetime, scope: Scope) -> bool:
    """Whether a decision leaves what another chose: likely that one is no more, and likely is not enough."""
    if not learned.kind == known.kind == "decision" or not known.live or known.scope != scope or known.at > at:
        return False
    return bool(leaves(learned.text, known.text))


def _gives_another(text: str, known: Stated) -> bool:
    """Whether two statements give one thing two values; which of them is newer is another question."""
    newer = Said(memory=MemoryId(""), text=text, at=known.at, position=1)
    return another_value_of(newer, Said(memory=known.memory, text=known.text, at=known.at, position=0)) is not None


def _is_said_to_be_outdated(learned: Learned, known: Stated, at: datetime, scope: Scope) -> bool:
    """A judge says so, and a word or two are on its side: too little to take a memory's place, too much to keep still
    about."""
    if not _is_outdated_by(learned, known) or not known.live or known.scope != scope or known.at > at:
        return False
    return agree(learned.text, known.text) and _in_common(learned.text, known.text) > 0


def _is_outdated_by(learned: Learned, known: Stated) -> bool:
    """By a judge's word: its label, or all of its words."""
    return learned.replaces == known.memory or bool(
        learned.wrong and same(sentence(learned.wrong), sentence(known.text))
    )


def _in_common(one: str, other: str) -> float:
    """How much of the one that says less both say: a share of its telling words, of those that are no values."""
    values = {word.key for text in (one, other) for word in sentence(text).words if word.value is not None}
    mine, its = ({term.text for term in words_of(text)} - values for text in (one, other))
    return len(mine & its) / max(1, min(len(mine), len(its)))


def _when(known: Stated) -> datetime:
    return known.at
