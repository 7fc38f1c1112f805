"""What is true now: what becomes of a statement and of those that are known beside it. Pure.

Guarantee (law 7): a statement takes the place of another only where both are about the same thing by the same relation
(`statement.py`), say of what sort their values are, and the values differ. What is newer goes by when it was said,
then by its place in the log. What is locked, what another person said, what was said at the same moment, and what says
more than the statement keeps its place, and both are linked as contradicting each other; so are two of which it is only
likely (`at_odds`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from msgspec import Struct, structs

from aftermind.engine.names import Kind, MemoryId
from aftermind.projections.reading.statements import wording
from aftermind.projections.reading.statements import words as table
from aftermind.projections.reading.statements.clauses import pointer, without_aside
from aftermind.projections.reading.statements.endings import differ
from aftermind.projections.reading.statements.framing import Frame
from aftermind.projections.reading.statements.keys import ends, of_himself, orders, strictly
from aftermind.projections.reading.statements.one_number import another_number
from aftermind.projections.reading.statements.pieces import Piece
from aftermind.projections.reading.statements.statement import demands, frames, is_whole
from aftermind.projections.reading.statements.wording_words import QUALIFIERS

TYPED: tuple[Kind, ...] = ("fact", "preference", "configuration")
"""Kinds of what is compared without a model: somebody said of it what it is."""


class Said(Struct, frozen=True, kw_only=True):
    """A statement of one of these kinds, in one scope. `at` is when it was said."""

    memory: MemoryId
    text: str
    at: datetime
    position: int
    speaker: str = ""
    locked: bool = False


class Settled(Struct, frozen=True, kw_only=True):
    """What becomes of a new statement beside the known ones, each with the words they share. `by`: what has taken its
    place before it came."""

    replaced: tuple[tuple[MemoryId, str], ...] = ()
    contradicted: tuple[tuple[MemoryId, str], ...] = ()
    by: tuple[MemoryId, str] | None = None


def settled(new: Said, known: Sequence[Said]) -> Settled:
    """Of live statements of the same scope."""
    replaced: list[tuple[MemoryId, str]] = []
    contradicted: list[tuple[MemoryId, str]] = []
    newest: tuple[tuple[datetime, int], tuple[MemoryId, str]] | None = None
    for one in known:
        if one.memory == new.memory:
            continue
        if (about := another_value(new, one)) is None:
            if (about := at_odds(new, one)) is not None:
                contradicted.append((one.memory, about))
            continue
        mine, its = (new.at, new.position), (one.at, one.position)
        older = new if mine < its else one
        newer = one if older is new else new
        says_more = not is_whole(older.text) or not pointer(newer.text).endswith(pointer(older.text))
        if mine == its or older.locked or says_more or _are_two_people(new, one):
            contradicted.append((one.memory, about))
        elif older is one:
            replaced.append((one.memory, about))
        elif newest is None or newest[0] < its:
            newest = (its, (one.memory, about))
    by = None if newest is None else newest[1]
    return Settled(replaced=tuple(replaced), contradicted=tuple(contradicted), by=by)


def another_value(one: Said, other: Said) -> str | None:
    """The words for what both are about, where they give it two values, of which one takes the other's place: what is
    so does not end because something else ought to be, but what is ordered does where something else is."""
    mine, its = orders(one.text), orders(other.text)
    both = mine is not None and its is not None and mine.key == its.key and mine.value != its.value
    if mine is not None and both and not _are_two_people(one, other):
        return " ".join(sorted(mine.about))
    return None if demands(one.text) != demands(other.text) else says_otherwise(one, other)


def says_otherwise(one: Said, other: Said) -> str | None:
    """The words for what both are about, where they give it two values, be it that one is only demanded."""
    ours, theirs = frames(one.text, one.speaker), frames(other.text, other.speaker)
    alike = list(_alike(ours, theirs))
    for mine, its in alike:
        if _differ(mine, its):
            return mine.words
    mine_is_newer = (one.at, one.position) >= (other.at, other.position)
    newer_frames, older_frames = (ours, theirs) if mine_is_newer else (theirs, ours)
    says_more = not is_whole(one.text if mine_is_newer else other.text)
    for newer_frame in newer_frames:
        if says_more and not newer_frame.single:
            continue  # perhaps that it was taken back
        for older_frame in older_frames:  # it says itself, by whatever relation, that it is that no more
            if newer_frame.is_about(older_frame) and newer_frame.denied == older_frame.keys:
                return newer_frame.words
    if any(_one_value(mine, its) or _beside(mine, its) for mine, its in alike):
        return None  # in other words, a minute and sixty seconds; or one that stands beside the other
    mine_said, its_said = strictly(one.text), strictly(other.text)
    if mine_said is None or its_said is None or not wording.agree(one.text, other.text):
        return None
    if _are_two_people(one, other) and (of_himself(mine_said) or of_himself(its_said)):
        return None
    newer, older = (mine_said, its_said) if mine_is_newer else (its_said, mine_said)
    instead = wording.another_value(newer, older) or wording.sets_right(newer, older, newer.denied)
    if instead or another_number(newer, older):
        return " ".join(word for word in newer.keys if word in older.keys)
    mine_ends, its_ends = ends(one.text), ends(other.text)
    if mine_ends is not None and mine_ends.sure and differ(mine_ends, its_ends):
        return mine_ends.words
    return None


def at_odds(one: Said, other: Said) -> str | None:
    """The words for what both are about, where likely they give it two values: what is so and what is demanded, two
    that differ so but for what one of them adds in parentheses, two of another language that only what has the value
    shows to be of one sort, or what is used now beside what was used and has another number."""
    if demands(one.text) != demands(other.text) and (about := says_otherwise(one, other)) is not None:
        return about
    mine, its = strictly(one.text), strictly(other.text)
    if mine is None or its is None or not wording.agree(one.text, other.text):
        return None
    bare, beside = without_aside(one.text), without_aside(other.text)
    if (bare == one.text) != (beside == other.text):
        return another_value(structs.replace(one, text=bare), structs.replace(other, text=beside))
    newer, older = (mine, its) if (one.at, one.position) >= (other.at, other.position) else (its, mine)
    if wording.uses_another(newer, older) and not (_are_two_people(one, other) and of_himself(mine)):
        return " ".join(word for word in newer.keys if word in older.keys)
    mine_ends, its_ends = ends(one.text), ends(other.text)
    if mine_ends is None or not differ(mine_ends, its_ends) or (_are_two_people(one, other) and of_himself(mine)):
        return None
    return mine_ends.words


def _are_two_people(one: Said, other: Said) -> bool:
    """Two people; one's word does not take back another's."""
    return bool(one.speaker and other.speaker and one.speaker.casefold() != other.speaker.casefold())


def _alike(mine: Sequence[Frame], theirs: Sequence[Frame]) -> Iterator[tuple[Frame, Frame]]:
    for one in mine:
        for other in theirs:
            if not (one.single and other.single):
                continue  # it has as many as there are
            if one.is_about(other) and (_same_relation(one.relation, other.relation) or _one_relation(one, other)):
                yield one, other


def _same_relation(one: str, other: str) -> bool:
    """`moved to` and `is in` say of no place in which way it is one."""
    if one == other or {one, other} == {"@", "="}:
        return True
    return "@" in (one, other) and one.startswith("@") and other.startswith("@")


def _one_relation(one: Frame, other: Frame) -> bool:
    """Of some values it makes no difference by which word they are given: a port that something runs on, listens on, is
    on; a day on which something is, is due, was moved to."""
    sorts = {piece.sort for piece in (*one.value, *other.value)}
    if sorts == {"day"}:
        return {one.relation, other.relation} <= _DUE
    return sorts == {"amount"} and "port" in one.about and {one.relation, other.relation} <= _ON_A_PORT


def _differ(one: Frame, other: Frame) -> bool:
    if _one_value(one, other) or _beside(one, other):
        return False
    first, second = _sort(one), _sort(other)
    if first != second or (_environments(one) != _environments(other) and _environments(one) and _environments(other)):
        return False
    return not set(one.keys) < set(other.keys)  # which says less of the same


def _sort(frame: Frame) -> str:
    """Of what sort the value is; only two of one sort are two values of one thing."""
    piece = frame.value[0]
    if frame.relation == "rather":
        return "one of two"
    if piece.sort == "amount":
        return f"amount {piece.unit}"
    if piece.sort == "day":
        return "weekday" if piece.key in _WEEKDAYS else "date"  # of which the one may be the other
    if piece.sort in ("clock", "toggle"):
        return piece.sort
    classes = [n for n, names in enumerate(table.CLASSES) if piece.key in names]
    loose = frame.relation in ("=", "@", "@live", "prefer in")
    if loose and not classes and piece.sort == "word" and not piece.is_name and "-" not in piece.key:
        return "word"
    return f"name {classes}" if classes else "name"


def _one_value(one: Frame, other: Frame) -> bool:
    """The same value, also where its amounts are written otherwise."""
    if one.keys == other.keys:
        return True
    return len(one.value) == len(other.value) and all(
        a.key == b.key or (a.sort == b.sort == "amount" and _amount(a) == _amount(b) is not None)
        for a, b in zip(one.value, other.value, strict=True)
    )


def _amount(piece: Piece) -> float | None:
    """The number that is meant by `1k` or, as computers are measured, by `1 GB`: what `1024 MB` says, too. What else is
    written in two ways has one key."""
    if (found := _WRITTEN.fullmatch(piece.raw.strip())) is None:
        return None
    number, prefix, is_size = float(found["number"]), found["prefix"].lower(), bool(found["size"])
    if is_size != (piece.unit != ""):
        return None
    return number * float((1024 if is_size else 1000) ** " kmgt".index(prefix or " "))


def _beside(one: Frame, other: Frame) -> bool:
    """Two values that a thing has together, as a web server has both ports of the web."""
    return "port" in one.words.split() and frozenset((*one.keys, *other.keys)) in TOGETHER


def _environments(frame: Frame) -> set[str]:
    """Those that names in its value name: a host called staging is not production's; but what is said to be the test
    database is that, whatever it is called."""
    if frame.relation == "call" and any(QUALIFIERS.get(word, ("",))[0] == "environment" for word in frame.about):
        return set()
    keys = [piece.key.replace("/usr/local", "") for piece in frame.value if piece.sort in ("place", "name")]
    words = {word for key in keys for word in _split(key)} - _ANYWHERE
    places = [QUALIFIERS[word] for word in words if word in QUALIFIERS]
    return {side for axis, side in places if axis == "environment"}


def _split(key: str) -> set[str]:
    for sign in "/._-:@":
        key = key.replace(sign, " ")
    return set(key.split())


_ANYWHERE = frozenset(("localhost", "pipeline"))
"""Words for an environment that stand in names of all of them."""
_DUE = frozenset(("=", "@", "due on", "due", "on"))
_ON_A_PORT = frozenset(("=", "@", "@live", "run", "@run", "listen", "use", "listen on"))
_WEEKDAYS = frozenset(table.DAYS.values())
_WRITTEN = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)\s?(?P<prefix>[kmgt]?)(?P<size>i?b(?:ytes?)?|(?:ilo|ega|iga|era)bytes?)?", re.IGNORECASE
)
TOGETHER = (frozenset(("80", "443")),)
"""Ports of one service, of the plain and of the encrypted protocol."""
