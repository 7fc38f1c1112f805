"""What a verb says of what stands before it: which one it has, listens on, is owned by, prefers. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aftermind.projections.reading.statements import words as table
from aftermind.projections.reading.statements.framing import (
    MOST_OF_A_NAME,
    Frame,
    is_list,
    names_its_sort,
    scopes,
    told,
    used,
)
from aftermind.projections.reading.statements.inflected import agrees, is_compound, is_person, role_stem, stem
from aftermind.projections.reading.statements.pieces import Piece


def by_verb(cut: Sequence[Piece]) -> Iterator[Frame]:
    """`listens on`, `lives in`, `requires Java 17`, `owns the …`, `prefers …`; and any with the sort of its value:
    `speaks the language of`, `worked in the city of`."""
    for n, piece in enumerate(cut):
        if piece.is_name and n > 0:
            continue
        verb, rest = stem(piece.key), list(cut[n + 1 :])
        if not rest:
            return
        if piece.key in table.WANTING and is_person(cut[:n]):
            if not piece.key.endswith("ed"):  # what was preferred
                yield from _wanted(rest, chosen=stem(piece.key) == "prefer")
            return
        if verb == "use" and (n == 0 or is_person(cut[:n])):
            at = next((m for m, one in enumerate(rest) if one.key == "as" and m > 0), -1)
            if at > 0:
                yield from told(rest[at + 1 :], "=", rest[:at])
                return
            if n > 0:
                yield from used(rest)
        if n == 0:
            continue
        subject = list(cut[:n])
        if piece.sort != "word":
            continue
        owns = role_stem(piece.key) in table.OWNING and piece.key.endswith("s")
        owned = rest[0].key in table.ARTICLES or (rest[0].sort == "word" and not scopes(rest[0]))
        if owns and owned and all(one.is_name for one in subject):
            yield from told([*rest, Piece(role_stem(piece.key), "", "word")], "=", subject, whole=True)
            return
        if names_its_sort(rest) and (piece.key.endswith("s") or piece.key.endswith("ed")):
            yield from told(subject, verb, rest[scopes(rest[0]) :])
            return
        once = piece.key.endswith("ed") and rest[0].sort == "amount"  # we shipped 2 fixes, and shall ship others
        if verb in table.HOLDING and agrees(piece, subject) and not is_compound(cut, n) and not once:
            yield from _held(subject, verb, rest)
            return


def _held(subject: list[Piece], verb: str, rest: list[Piece]) -> Iterator[Frame]:
    if rest[0].key in ("place", "off", "out") and len(rest) > 2:  # takes place at, branch off from
        rest = rest[1:]
    when = rest[0].key == "every"
    relation = f"@{verb}" if verb in table.PLACES else verb
    behind = rest[1:] if scopes(rest[0]) or when else rest
    if not behind or rest[0].key in ("for", "with", "by", "as", "like", "than"):
        return
    said_by_us = all(piece.key in table.US or piece.key in table.ARTICLES for piece in subject)
    if said_by_us and (when or scopes(rest[0])):
        subject = [Piece(verb, "", "word")]  # we deploy on Fridays
    for one in told(subject, relation, behind):
        sort = one.value[0].sort
        if sort == "amount" and rest[0].key == "on" and not relation.startswith("@"):
            return
        named = verb in table.NAMING and (scopes(rest[0]) or sort == "place" or names_its_sort(rest))
        if named or sort in ("amount", "day", "clock"):
            yield one


def _wanted(rest: list[Piece], *, chosen: bool) -> Iterator[Frame]:
    """What somebody prefers, and for what: `tabs for indentation`, `answers in German`, `dark mode`. Of what is given
    in one language or format at a time one likes many, and prefers one."""
    person = Piece("user", "", "word")
    at = next((n for n, piece in enumerate(rest) if piece.key in ("for", "as", "in", "when") and n > 0), -1)
    value = [piece for piece in rest if piece.key not in table.ARTICLES]
    if at > 0 and rest[at].key in ("for", "as"):
        yield from told([person, *rest[at + 1 :]], "prefer", rest[:at])
    elif at > 0 and at < len(rest) - 1:
        yield from told([person, *rest[:at]], "prefer in", rest[at + 1 :])
    for n, piece in enumerate(value):  # of which one keeps the other out
        many, _, unit = piece.key.partition("-")
        if many.isdecimal() and unit.isalpha():  # 2-space indentation
            about = [person, *value[:n], *value[n + 1 :], Piece(unit, "", "word")]
            yield from told(about, "prefer", [Piece(many, many, "amount")])
        for number, side in enumerate(table.SAME_SIDE):
            if piece.key in side:
                about = [person, *value[:n], *value[n + 1 :], Piece(f"side {number}", "", "word")]
                yield from told(about, "prefer", [piece])
        if chosen and (its_class := _class_of_given(value, n)) is not None:
            about = [person, *value[:n], *value[n + 1 :], Piece(f"class {its_class}", "", "word")]
            yield from told(about, "prefer", [piece])


def rather(cut: Sequence[Piece]) -> Iterator[Frame]:
    """`prefer pytest over unittest`, `like tea more than coffee`: which of the two, be they whatever."""
    if all(piece.key not in table.WANTING for piece in cut):
        return
    cut = [piece for piece in cut if piece.key not in table.FILLERS or piece.is_name]
    at = next((n for n, piece in enumerate(cut) if piece.key in table.WANTING), len(cut))
    keys = [piece.key for piece in cut]
    if at == len(cut) or keys[at].endswith("ed") or not is_person(cut[:at]):
        return
    for before, than in enumerate(keys):
        if than not in ("over", "to") or keys[at].rstrip("s") not in _ABOVE[than]:
            if than != "than" or keys[before - 1] not in ("more", "better"):
                continue
            before -= 1
        behind = before + 1 + (than == "than")
        end = next((n for n in range(behind + 1, len(cut)) if scopes(cut[n])), len(cut))
        one, other = (_named(cut[start:to]) for start, to in ((at + 1, before), (behind, end)))
        case = [piece.key for piece in cut[end:]]
        if one and other and all(piece.sort in ("word", "name") for piece in cut[end:]):
            both = sorted(" ".join(piece.key for piece in each) for each in (one, other))
            yield Frame((_whoever(keys[:at]), *both, *([" ".join(case)] if case else [])), "rather", one)
        return


_ABOVE = {"over": ("prefer", "favour", "favor"), "to": ("prefer",)}
"""Behind which verbs they compare: who likes or wants JSON over HTTP may not compare the two."""


def _whoever(keys: Sequence[str]) -> str:
    """Who prefers: one's own team or users are others than oneself."""
    said = [key for key in keys if key not in ("the", "our")]
    return "user" if said in ([], ["i"]) else " ".join(said)


def _named(cut: Sequence[Piece]) -> tuple[Piece, ...]:
    """What is called so in few words; empty where more is said."""
    cut = cut[1:] if cut and cut[0].key in table.ARTICLES else cut
    plain = all(piece.sort in ("word", "name") and not scopes(piece) for piece in cut)
    said = {piece.key for piece in cut}
    telling = said.isdisjoint(table.ARTICLES | table.NEGATIONS | table.PRONOUNS) and not is_list(cut)
    return tuple(cut) if plain and telling and len(cut) <= MOST_OF_A_NAME else ()


def _class_of_given(value: Sequence[Piece], place: int) -> int | None:
    """The class of a word where it alone says in what something is given: `German answers`, `answers in German`, and
    neither `typed Python` nor `tests with German comments`."""
    keys = [piece.key for piece in value]
    number = next((n for n, names in enumerate(table.CLASSES) if keys[place] in names), None)
    if number is None or sum(key in table.CLASSES[number] for key in keys) > 1:
        return None
    given, before, behind = table.GIVEN[number], keys[:place], keys[place + 1 :]
    if before[-1:] == ["in"]:
        before, behind = before[:-2], before[-2:-1] if not behind or behind[0] in ("for", "as") else []
    elif behind[:1] == ["code"]:
        behind = behind[1:]
    return number if not given.isdisjoint(behind[:1]) and table.SCOPING.isdisjoint(before) else None
