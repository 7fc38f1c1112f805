"""The parts of a statement put together: what it is about, the relation, the value. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import pairwise

from msgspec import Struct, structs

from aftermind.projections.reading.statements import words as table
from aftermind.projections.reading.statements.inflected import singular
from aftermind.projections.reading.statements.pieces import Piece

MOST_WORDS = 8
"""Of a value."""
_OF_THINGS = table.ROLES.keys() | table.CLASSIFIERS
"""Words for what a thing has, and for no part of its name, however they are written."""
MOST_OF_A_NAME = 3
"""Words of what somebody uses."""


def number(words: Sequence[str]) -> int:
    """63 bits, equal for the same words."""
    digest = blake2b("\0".join(words).encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


class Frame(Struct, frozen=True):
    """`about` is what is spoken of, in an order of its own; `value` what is said of it. `denied` is the value it says
    it has no more. A relation that is not `single` has as many values as there are. `named` are the names of several
    words in it, in their order: `King Stone` is not the Stone King."""

    about: tuple[str, ...]
    relation: str
    value: tuple[Piece, ...]
    single: bool = True
    denied: tuple[str, ...] = ()
    named: frozenset[tuple[str, ...]] = frozenset()

    @property
    def key(self) -> int:
        """Equal for what is about the same."""
        return number(self.about)

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(piece.key for piece in self.value)

    @property
    def words(self) -> str:
        """What it is about, to be read."""
        return " ".join(self.about)

    def is_about(self, other: Frame) -> bool:
        """Whether both are about the same thing: the same words, and no name of them put together otherwise."""
        mine, otherwise = set(map(frozenset, self.named)), set(map(frozenset, other.named - self.named))
        return self.about == other.about and mine.isdisjoint(otherwise)


def scopes(piece: Piece) -> bool:
    return piece.key in table.SCOPING and not piece.is_name


def told(subject: Sequence[Piece], relation: str, value: Sequence[Piece], *, whole: bool = False) -> Iterator[Frame]:
    """The frame of a subject and what is said of it, and where it calls itself new also that without it."""
    frame = framed(subject, relation, value, whole=whole)
    if frame is None:
        return
    yield frame
    if (
        "new" in frame.about
        and len(frame.about) > 1
        and not any(a == "new" and b in table.NEW_PLACES for name in frame.named for a, b in pairwise(name))
    ):
        yield structs.replace(frame, about=tuple(word for word in frame.about if word != "new"))


def used(value: Sequence[Piece], instead_of: tuple[str, ...] = ()) -> Iterator[Frame]:
    """`we use X`, beside whatever else; `we switched from Y to X`, which says that Y is it no more."""
    named = tuple(piece for piece in value if piece.key not in table.ARTICLES)
    if 0 < len(named) <= MOST_OF_A_NAME and not is_list(named) and not any(map(scopes, named)):
        yield Frame(("use",), "uses", named, single=False, denied=instead_of)


def framed(subject: Sequence[Piece], relation: str, value: Sequence[Piece], *, whole: bool = False) -> Frame | None:
    """`whole`: the value is all of it, however it is written."""
    subject = list(subject)
    value = list(value)
    while value and (value[0].key in table.ARTICLES or value[0].key in (":", "=")) and not whole:
        value = value[1:]
    if whole:
        value = [piece for piece in value if piece.key not in table.ARTICLES]
    value, classifier, scope = _cut(value) if not whole else (value, [], [])
    if not value or len(value) > MOST_WORDS or (is_list(value) and not _is_titled(value)):
        return None
    about = _about([*subject, *classifier], scope)
    if not about or (about <= table.INCIDENTS and relation[0] in "=@"):
        return None
    if classifier and relation.startswith("@"):
        relation = "@"
    return Frame(tuple(sorted(about)), relation, tuple(value), named=_named([*subject, *scope]))


def _cut(value: list[Piece]) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """The value itself; what says its sort (`port 8080`, `the city of Rome`, `Node 18`, `20 connections`); and the
    case in which it is so (`3001 in the lab`)."""
    classifier: list[Piece] = []
    if (length := _sort_length(value)) > 0:
        classifier = [piece for piece in value[:length] if not scopes(piece) and piece.key not in table.ARTICLES]
        value = value[length:]
    end = next(
        (n for n, piece in enumerate(value) if n > 0 and scopes(piece) and (piece.key != "of" or not value[0].is_name)),
        len(value),
    )
    value, scope = value[:end], value[end:]
    is_name = any(piece.is_name for piece in value) and all(p.is_name or scopes(p) for p in scope)
    if scope and is_name and not _qualifies(scope):  # the Bank of England, Robinson in Space
        value, scope = [*value, *scope], []
    if len(value) > 1 and value[0].sort == "amount" and all(p.sort == "word" for p in value[1:]) and len(value) < 4:
        classifier, value = [*classifier, *value[1:]], value[:1]  # 20 connections
    elif len(value) == 2 and value[1].sort == "amount" and value[0].sort in ("word", "name"):
        classifier, value = [*classifier, value[0]], value[1:]  # Node 18
    return value, classifier, scope


def _qualifies(scope: Sequence[Piece]) -> bool:
    return scope[0].key in ("on", "for", "at", "from", "with", "during", "as", "by") or scope[-1].key in table.CASES


def _sort_length(value: Sequence[Piece]) -> int:
    """How many of the pieces only say of what sort the value is."""
    keys = [piece.key for piece in value]
    start = 1 if keys and keys[0] in table.ARTICLES else 0
    for n in range(start, min(len(value) - 1, start + 3)):
        if value[n].is_name and n > 0:
            return 0
        if keys[n] == "of" and n > start:
            head = keys[n - 1]
            return n + 1 if head in table.CLASSIFIERS else 0
        if scopes(value[n]):
            return 0
    if len(value) > start + 1 and keys[start] in table.CLASSIFIERS and not value[start].is_name:
        return start + 1
    return 0


def names_its_sort(rest: Sequence[Piece]) -> bool:
    rest = rest[1:] if scopes(rest[0]) else rest
    return bool(rest) and 0 < _sort_length(rest) < len(rest)


def _about(subject: Sequence[Piece], scope: Sequence[Piece]) -> set[str]:
    """The words a thing goes by: in no order, but for what stands behind a word like `from`."""
    about: set[str] = set()
    marker = ""
    before: Piece | None = None
    for piece in (*subject, *scope):
        last, before = before, piece
        if piece.key in table.SOMEBODYS:
            return set()
        if piece.key in table.OWNERS:
            about.add(marker + table.OWNERS[piece.key])
            continue
        if piece.sort == "mark" or piece.key in table.ARTICLES:
            continue
        if scopes(piece):
            marker = f"{piece.key} " if piece.key in table.ORDERED else ""
            continue
        if (own := _unowned(piece)) in table.US and last and not scopes(last) and last.key not in table.ARTICLES:
            about.add(f"{marker}the {own}")  # the billing repo is not all that is called billing
            continue
        if piece.sort == "word" and (one := _one_of_many(own, last)) is not None:
            about.add(f"{marker}any {one}")
            continue
        about.update(marker + word for word in _words(piece))
    if not about - table.PRONOUNS or about & table.SAID_BEFORE:
        return set()
    telling = about - table.US
    return telling - table.NOISE or telling


def _one_of_many(word: str, before: Piece | None) -> str | None:
    """`for apps`, `for a team`: what of, where it is said of others than the one that all is said of."""
    one = singular(word)
    is_many = one != word or (before is not None and before.key in ("a", "an"))
    return one if is_many and one in table.US else None


def _named(subject: Sequence[Piece]) -> frozenset[tuple[str, ...]]:
    """Names of two words or more that stand side by side; `the Timeout of Billing` is `the Billing Timeout`. What is
    all capitals is short for something, and stands anywhere: `the DB of Staging`."""
    names: list[list[str]] = [[]]
    for piece in subject:
        if piece.key in table.ARTICLES:
            continue
        if piece.is_name and piece.raw[1:].islower() and piece.key not in _OF_THINGS:
            names[-1] += _words(piece)
        elif piece.key == "of" and names[-1]:
            names[-1].append("of")
        else:
            names.append([])
    return frozenset(_without_of(name) for name in names if len(name) > 1 and name[-1] != "of")


def _without_of(name: Sequence[str]) -> tuple[str, ...]:
    """What stands behind an `of` goes before what it is of."""
    parts: list[list[str]] = [[]]
    for word in name:
        if word == "of":
            parts.append([])
        else:
            parts[-1].append(word)
    return tuple(word for part in reversed(parts) for word in part)


def _words(piece: Piece) -> list[str]:
    """A word without what bends it; a name as it is. `Atlas's owner` is of two words."""
    key = _unowned(piece)
    if key in table.PEOPLE:
        return ["user"]
    if key in table.ROLES:
        return [table.ROLES[key]]
    if piece.sort == "name" or piece.sort == "place":
        return [key]
    return [singular(key)]


def _unowned(piece: Piece) -> str:
    key = piece.key
    if key.endswith(("'s", "s'")) and piece.sort == "word":
        return key[:-2] if key.endswith("'s") else key[:-1]
    return key


def is_list(value: Sequence[Piece]) -> bool:
    return any(piece.key in ("and", "or", ",", "&", "+", ";") for piece in value)


def _is_titled(value: Sequence[Piece]) -> bool:
    """`Philippe, Duke of Orléans`; a title with `and` in it is one as well."""
    plain = [piece for piece in value if piece.sort != "mark" and piece.key not in ("and", "of", "the", "de", "von")]
    return all(piece.is_name for piece in plain) and value[0].is_name and not any(p.key == "or" for p in value)


def has_one_value(subject: Sequence[Piece], frame: Frame) -> bool:
    """Whether `X is Y` gives X a value: by the sort of Y, or because X is what has one."""
    said = [piece for piece in frame.value if not scopes(piece)]
    if not said:
        return False
    if said[0].sort in ("amount", "day", "clock", "place", "toggle"):
        return len(said) == 1
    head = _head(subject)
    attribute = head in table.ATTRIBUTES or any(piece.key in table.WANTING for piece in subject)
    attribute = attribute or any(piece.key in ("default", "current", "main", "preferred") for piece in subject)
    tellings = len(frame.about) - any(piece.key in table.OWNERS for piece in subject)  # one has sons, and dogs
    if all(piece.is_name or piece.sort == "name" for piece in said[:1]):
        return tellings > 1 or head in table.TOOLS or attribute
    if head in table.CLASSIFIERS and len(said) == 1 and "-" in said[0].key:
        return True
    if head not in table.GRADED and any(is_state(piece) for piece in said):
        return False
    lower = all(piece.sort in ("word", "name", "toggle") for piece in said) and len(said) <= 4
    return attribute and lower and (tellings > 1 or head in table.TOOLS)


def is_state(piece: Piece) -> bool:
    """`slow`, `protected`, `failing`: how a thing is, and not which."""
    if piece.sort != "word" or piece.is_name:
        return False
    return piece.key in table.STATES or (len(piece.key) > 5 and piece.key.endswith(("ed", "ing", "able", "ible")))


def _head(subject: Sequence[Piece]) -> str:
    end = next(
        (n for n, piece in enumerate(subject) if n and (scopes(piece) or piece.key in ("that", "where", "which"))),
        len(subject),
    )
    return singular(subject[end - 1].key) if end else ""
