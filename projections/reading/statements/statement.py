"""What a statement says of what: the thing, the relation, the value; so that two that speak of the same thing are
found by a key, and that one gives it another value is seen. Pure.

Not a parser. A sentence is cut at its copula, at a verb that holds one value at a time, or at a verb that says that
something changed; what stands before is the subject, what stands behind the value, and where it says in which case it
holds, that belongs to the subject. Where it is unsure a text states nothing: a plan, a doubt, a condition, a question,
a list, an addition, a denial, a past. Guarantee: of two texts that speak of two environments, services, versions or
numbered things no frame has the same key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import structs

from aftermind.engine.lately import lately
from aftermind.engine.moments import BEGINS_A_MONTH
from aftermind.projections.reading.statements import words as table
from aftermind.projections.reading.statements.called import called
from aftermind.projections.reading.statements.clauses import (
    beginnings,
    without_lead,
    without_pointer,
    without_reason,
    without_since,
)
from aftermind.projections.reading.statements.framing import (
    MOST_WORDS,
    Frame,
    framed,
    has_one_value,
    is_list,
    scopes,
    told,
    used,
)
from aftermind.projections.reading.statements.inflected import (
    is_participle,
    role_stem,
    singular,
    stem,
)
from aftermind.projections.reading.statements.pieces import Piece, pieces
from aftermind.projections.reading.statements.verbs import by_verb, rather

LONGEST = 300
"""Characters of a text that is read; a longer one says too much to be one statement."""
_SENTENCE = re.compile(r"(?<=[^A-Z.\s][.!;])\s+(?=[A-Z])|\n+")
_SHORT = (
    (re.compile(r"\b(?:can't|cannot|won't|\w+n't)\b", re.IGNORECASE), "not"),
    (re.compile(r"\b(it|that|there|what|here)'s\b", re.IGNORECASE), r"\1 is"),
)
_BY_DEFAULT = re.compile(r"^by default,?\s", re.IGNORECASE)
_ANY_MORE = re.compile(r"\bany (?:more|longer)$", re.IGNORECASE)
_NO_MORE = re.compile(r"\bno longer\b|\bany ?more\b|\bused to\b", re.IGNORECASE)
_PLANNED = re.compile(
    rf"(?<=is )planned (?=for (?:the )?(?:\d{{1,4}}\b|\w+day\b|{BEGINS_A_MONTH}\w*\b))",
    re.IGNORECASE,
)
"""A day that something is planned for is what its plan is."""
_ONE = re.compile(
    r"^(?!(?:this|that|my|his|her)\s)(?P<who>.*\b(?:require|need)s? )one"
    r"(?= (?:approv(?:al|er)|review(?:er)?|sign-?off|vote|maintainer)[.!]?$)",
    re.IGNORECASE,
)
"""How many have to agree, which leaves no room for others as `one of the owners` does; of what is needed in one case,
a day for a task, or for this change, there is more than one case."""
_NOT_MEANT = re.compile(
    r",\s*(?:is|are|does|do|was|has|wo|ca|should)n't\s+(?:it|they|that|he|she|there|we|you)\b"
    r"|,\s*(?:right|correct|no|yes|eh|innit|ok(?:ay)?)\W*$|\?(?:\s|$)"
    r"|\b(?:kidding|jk|lol|haha+|hardly|scarcely|barely|rarely|seldom)\b|\b(?:wrong|not true|false alarm)\W*$",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(r"\b(?:revert|undo|undid|undone|rolled back|(?:was|is) a mistake|joking|lied)", re.IGNORECASE)
"""Asked back, meant as a joke, or taken back at once; `hardly ever debug` is mostly something else."""


@lately(4_000)
def frames(text: str, speaker: str = "") -> tuple[Frame, ...]:
    """What a text states; nothing where that is not sure. Of several sentences the first is read."""
    if len(text) > LONGEST or not states(text):
        return ()
    first = _BY_DEFAULT.sub("default ", first_sentence(text))
    if _NO_MORE.search(first):
        return ()
    if "'" in first:
        for form, instead in _SHORT:
            first = form.sub(instead, first)
    whole = pieces(first)
    cut, denied = _without_what_is_denied(whole)
    if any(piece.key in table.NEGATIONS and not piece.is_name for piece in cut):
        return ()
    found = [structs.replace(one, denied=one.denied or denied) for one in _read(cut) if one.about]
    if any(piece.key in table.COMPARING for piece in whole):  # it is chosen of these two alone
        found = [one for one in found if not any(word.startswith("class ") for word in one.about)]
    found += rather(whole)
    if speaker:
        found = [structs.replace(one, about=_said_by(speaker, one.about)) for one in found]
    return tuple({(one.about, one.relation, one.keys): one for one in found}.values())


@lately(4_000)
def states(text: str) -> bool:
    """Whether it says that something is so: no question, no plan, no doubt, and no room for others."""
    whole = without_pointer(without_lead(_sentence(text)))  # also what is said next may take it back
    if text.rstrip().endswith("?") or _NOT_MEANT.search(whole) or _TAKEN_BACK.search(text):
        return False
    first = first_sentence(text)
    if not first or not _said(whole).isdisjoint(table.UNSURE):
        return False
    return _said(_ANY_MORE.sub("", first)).isdisjoint(table.BESIDE)


def demands(text: str) -> bool:
    """Whether it says what ought to be so, which ends nothing that is so, and is not ended by it."""
    found = len(text) <= LONGEST and table.DEMANDS.search(text) is not None
    return found and table.DEMANDS.search(first_sentence(text)) is not None


def _said(text: str) -> set[str]:
    """The words of a text that are no names."""
    words = enumerate(text.rstrip(".!; ").split())
    return {word.strip(",;:()\"'`.").lower() for n, word in words if n == 0 or not word[:1].isupper()}


def first_sentence(text: str) -> str:
    """What a text states first, without what leads to it, why it is so, and what the sentence says next."""
    first = without_reason(without_lead(_sentence(text)))
    return without_since(without_pointer((beginnings(first) or [first])[-1])).rstrip(".!; ")


def _sentence(text: str) -> str:
    first = _SENTENCE.split(text.strip().replace("’", "'"), maxsplit=1)[0].strip()
    return _ONE.sub(r"\g<who>1", _PLANNED.sub("scheduled ", first))


def _said_by(speaker: str, about: tuple[str, ...]) -> tuple[str, ...]:
    """What somebody says of himself is about him."""
    return tuple(sorted(f"user {speaker.casefold()}" if word == "user" else word for word in about))


def is_whole(text: str) -> bool:
    """Whether there is nothing in a text besides its statement."""
    return len(_SENTENCE.split(text.strip())) == 1 and not beginnings(without_lead(text.strip().replace("’", "'")))


# --- how it is read -------------------------------------------------------------------------------------------


def _without_what_is_denied(cut: list[Piece]) -> tuple[list[Piece], tuple[str, ...]]:
    """`X, not Y`, `X instead of Y`, `X over Y`: the Y."""
    keys = [piece.key for piece in cut]
    if not ("not" in keys or "of" in keys or "than" in keys or "over" in keys):
        return cut, ()
    for n in range(1, len(cut)):
        length = 0
        if keys[n] == "not" and keys[n - 1] in (",", ";", "(", "-", "–", "—"):
            length = 1
        elif keys[n : n + 2] in (["instead", "of"], ["rather", "than"]):
            length = 2
        elif keys[n] == "over" and any(key in table.WANTING for key in keys[:n]):
            length = 1
        if length:
            end = next((m for m in range(n + length, len(cut)) if cut[m].sort == "mark" or scopes(cut[m])), len(cut))
            denied = tuple(piece.key for piece in cut[n + length : end] if piece.key not in table.ARTICLES)
            before = cut[: n - 1] if cut[n - 1].sort == "mark" else cut[:n]
            return [*before, *cut[end:]], denied
    return cut, ()


def _read(cut: Sequence[Piece]) -> Iterator[Frame]:
    label = _label(cut)
    if label is not None:
        yield label
        return
    cut = [piece for piece in cut if piece.sort != "mark" or piece.key == ","]
    cut = [piece for n, piece in enumerate(cut) if piece.key not in table.FILLERS or (piece.is_name and n)]
    for reading in (_changed, _copula, by_verb):
        if found := list(reading(cut)):
            yield from found
            return


def _label(cut: Sequence[Piece]) -> Frame | None:
    """`NAME = value`, `log level: info`."""
    at = next((n for n, piece in enumerate(cut) if piece.sort == "mark" and piece.key in ":="), -1)
    if not 0 < at <= MOST_WORDS or at == len(cut) - 1 or len(cut) - at - 1 > MOST_WORDS:
        return None
    subject, value = cut[:at], cut[at + 1 :]
    if any(piece.key in table.AUXILIARIES for piece in (*subject, *value)) or is_list(value):
        return None
    frame = framed(subject, "=", value)
    if frame is None or has_one_value(subject, frame):
        return frame
    is_short = len(frame.value) == 1 and (len(frame.about) > 1 or subject[0].sort == "name")
    return frame if is_short else None


def _changed(cut: Sequence[Piece]) -> Iterator[Frame]:
    """Something `moved to`, `was raised from … to`; `we switched the … from … to`."""
    for n, piece in enumerate(cut):
        if piece.key not in table.CHANGES or piece.is_name or n == 0:
            continue
        rest = list(cut[n + 1 :])
        subject = _without_passive(cut[:n])
        denied: tuple[str, ...] = ()
        to = next((m for m, one in enumerate(rest) if one.key in ("to", "into")), -1)
        since = next((m for m, one in enumerate(rest[: to if to >= 0 else None]) if one.key == "from"), -1)
        if to < 0:
            if rest and rest[0].sort == "toggle" and len(rest) <= 3 and subject:
                yield from told(subject, "=", rest)
            return
        if since >= 0:
            denied = tuple(one.key for one in rest[since + 1 : to] if one.key not in table.ARTICLES)
        thing = rest[: since if since >= 0 else to]
        said_by_us = all(one.key in table.US or one.key in table.ARTICLES for one in subject)
        value = rest[to + 1 :]
        if thing and (said_by_us or len(thing) > 3):
            subject = thing if said_by_us else subject
        elif thing:
            return
        elif said_by_us:  # we switched from X to Y as our Z
            role = next((m for m, one in enumerate(value) if one.key in ("as", "for") and m > 0), -1)
            if role < 0:
                yield from told([], "use", value)  # of what it is a version
                yield from used(value, denied)
                return
            subject, value = value[role + 1 :], value[:role]
        relation = "=" if piece.key in table.GENERIC or piece.key not in ("moved", "migrated", "relocated") else "@"
        for one in told(subject, relation, value):
            yield structs.replace(one, denied=denied)
            if relation == "@" or piece.key in table.GENERIC:
                yield structs.replace(one, relation="@" if one.relation == "=" else "=", denied=denied)
        return


def _without_passive(subject: Sequence[Piece]) -> list[Piece]:
    """What something happened to, without `has been` and its like."""
    found = list(subject)
    while found and found[-1].key in table.AUXILIARIES:
        found.pop()
    return found


def _copula(cut: Sequence[Piece]) -> Iterator[Frame]:
    at, length = _copula_at(cut)
    if at <= 0:
        yield from _came_about(cut)
        return
    subject, rest = list(cut[:at]), list(cut[at + length :])
    if not rest:
        return
    yield from _said_of(subject, rest)


def _copula_at(cut: Sequence[Piece]) -> tuple[int, int]:
    """Where the copula stands and how long it is; the last one behind a relative clause."""
    keys = [piece.key for piece in cut]
    found = [n for n, piece in enumerate(cut) if piece.raw in table.COPULAS and n > 0]
    for n in range(1, len(cut) if "be" in keys else 0):
        for ought in table.OUGHT:
            if tuple(keys[n : n + len(ought)]) == ought:
                return n, len(ought)
    if not found:
        return -1, 0
    has_clause = any(key in ("where", "that", "which", "who") for key in keys[: found[0]])
    return (found[-1] if has_clause else found[0]), 1


def _came_about(cut: Sequence[Piece]) -> Iterator[Frame]:
    """`was founded by`, `has been moved`: something came about once, and holds."""
    keys = [piece.raw for piece in cut]
    for n in range(1, len(cut) - 2):
        if keys[n] not in table.AUXILIARIES:
            continue
        for words in table.PASSIVES:
            if keys[n : n + len(words)] == words and is_participle(cut[n + len(words)]):
                yield from _said_of(list(cut[:n]), list(cut[n + len(words) :]), past=True)
                return


def _said_of(subject: list[Piece], rest: list[Piece], *, past: bool = False) -> Iterator[Frame]:
    if rest[0].key in table.REQUIRED and not past and _is_version(subject):
        yield from _required(subject, rest[1:])
        return
    if is_participle(rest[0]) and len(rest) > 1:
        once = rest[1].key == "to" and singular(subject[-1].key) in table.INCIDENTS | table.EVENTS | {"run"}
        if past and (rest[1].key == "for" or rest[0].key in table.CALLED or once):
            return  # of what was planned, was its name, or happened
        yield from _participle(subject, rest)
        return
    if past:
        return
    if rest[0].key in table.ANSWERING and len(rest) > 2 and rest[1].key == "for":
        if all(piece.is_name or piece.key in table.ARTICLES for piece in subject):
            yield from told([*rest[2:], rest[0]], "=", subject, whole=True)
        return
    if scopes(rest[0]) and len(rest) > 1:
        if rest[0].key in ("in", "on", "at", "under"):
            yield from told(subject, "@", rest[1:])
        return
    if rest[0].key in ("a", "an") and (of := _kind_of(rest)):
        yield from told([*subject, *rest[1:of]], "is of", rest[of + 1 :])
        return
    role = _role(rest)
    if role is not None:
        yield from told(role, "=", subject, whole=True)
        return
    for one in told(subject, "=", rest):
        if has_one_value(subject, one):
            yield one


def _is_version(subject: Sequence[Piece]) -> bool:
    """`Python 3.11`, `Java 17`, and not `step 2`: another number is no other thing."""
    if len(subject) != 2 or subject[0].sort not in ("word", "name") or subject[1].sort != "amount" or subject[1].unit:
        return False
    if singular(subject[0].key) in table.NUMBERED | table.CLASSIFIERS | table.INCIDENTS:
        return False
    return "." in subject[1].key or any(subject[0].key in names for names in table.CLASSES)


def _required(subject: list[Piece], behind: list[Piece]) -> Iterator[Frame]:
    """By or for what a version is required."""
    if behind and (not scopes(behind[0]) or len(behind) < 2):
        return
    if behind and behind[0].key == "by":
        subject, behind = [subject[0], *behind[1:], subject[1]], []
    yield from told(subject[:-1], "require", [subject[-1], *behind])


def _participle(subject: list[Piece], rest: list[Piece]) -> Iterator[Frame]:
    """`hosted on X`, `located in the city of X`, `owned by X`, `sent every Monday`."""
    verb = stem(rest[0].key)
    if rest[0].key in table.CALLED:
        yield from called(subject, rest[1:])
        return
    if rest[0].key in table.MANY or verb in table.MANY:
        return
    behind = rest[1:]
    relation = "@" if rest[0].key == "set" else verb
    if behind[0].key == "to" and rest[0].key == "set":
        yield from told(subject, "=", behind[1:])
        return
    planned = rest[0].key == "scheduled" and behind[0].key == "for" and behind[-1].sort == "day" and len(behind) == 2
    is_one = subject[0].key in table.ARTICLES - {"a", "an"} and not any(one.key in table.EVENTS for one in subject)
    if planned and is_one:  # and not one of many
        yield from told(subject, "schedule for", behind[1:])
    elif scopes(behind[0]) and len(behind) > 1 and behind[0].key != "for":
        agent = behind[0].key == "by" and role_stem(rest[0].key) in table.OWNING
        if agent:
            yield from told([*subject, Piece(role_stem(rest[0].key), "", "word")], "=", behind[1:])
        else:
            place = verb in table.PLACES and behind[0].key in table.WHERE
            yield from told(subject, f"@{verb}" if place else f"{relation} {behind[0].key}", behind[1:])
    elif behind[0].key == "every" or behind[0].sort in ("day", "clock", "amount"):
        yield from told(subject, f"{relation} when", behind[behind[0].key == "every" :])


def _kind_of(rest: Sequence[Piece]) -> int:
    """`a fork of X`, `a citizen of Y`: where the `of` stands; 0 where it is what one is of many."""
    of = next((n for n, piece in enumerate(rest) if piece.key == "of"), 0)
    if not 2 <= of <= 3 or of == len(rest) - 1 or any(piece.sort != "word" or piece.is_name for piece in rest[1:of]):
        return 0
    kind, value = rest[of - 1].key, rest[of + 1]
    if kind in table.OF_MANY or kind.endswith(("er", "or", "ee")) or not (value.is_name or value.sort == "name"):
        return 0
    return of


def _role(rest: Sequence[Piece]) -> list[Piece] | None:
    """`Sara is the tech lead of the data team`: what Sara is, where one is."""
    if rest[0].key != "the" or len(rest) < 4:
        return None
    of = next((n for n, piece in enumerate(rest) if piece.key in ("of", "for")), -1)
    if of < 2 or of > 4 or of == len(rest) - 1 or any(piece.sort != "word" for piece in rest[:of]):
        return None
    if rest[of - 1].key in table.OF_MANY:
        return None
    return list(rest) if not any(piece.is_name for piece in rest[:of]) else None
