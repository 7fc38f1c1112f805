"""What a memory must say to be about the same thing as a statement: what the full text is asked for, before anything
is read as a statement. Pure.

Whoever shares a key with a statement (`keys.py`) says the words that the key is made of, in one of the forms
that become such a word. So a store is asked for these words, and only those few that say all of them are read and have
keys made. Guarantee: nobody with a key in common is left out, but for a number in a subject that both write in units of
their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from aftermind.engine.memories.directives import plain
from aftermind.engine.quoting import quoted
from aftermind.projections.reading.statements import words as table
from aftermind.projections.reading.statements.clauses import without_aside
from aftermind.projections.reading.statements.framing import Frame
from aftermind.projections.reading.statements.keys import MOST_INSTEAD, ends, orders, strictly
from aftermind.projections.reading.statements.one_number import held_at
from aftermind.projections.reading.statements.ordered import ALIKE, Order
from aftermind.projections.reading.statements.ordered_words import VALUES
from aftermind.projections.reading.statements.sentence import Sentence
from aftermind.projections.reading.statements.statement import frames
from aftermind.projections.reading.statements.used_as import whatever_as
from aftermind.projections.reading.terms import GLYPHS, glyphs, spaced


class Sought(Struct, frozen=True):
    """What has to be there, all of it: words, each in one of its forms; and runs of script that has no spaces. Where
    neither is asked for, everything is sought."""

    words: frozenset[tuple[str, ...]] = frozenset()
    runs: frozenset[str] = frozenset()

    @property
    def asked(self) -> str:
        """The words, as FTS5 is asked for them: https://sqlite.org/fts5.html, 3."""
        return " AND ".join(f"({' OR '.join(map(quoted, forms))})" for forms in sorted(self.words))


def sought(text: str, speaker: str = "") -> frozenset[Sought]:
    """One for each way to be about the same thing."""
    found = {_made_of(frame.about, text, _telling(frame)) for frame in frames(text, speaker) if frame.single}
    for frame in frames(text, speaker):
        if not frame.single and frame.denied:  # who uses that, of all that is in use
            found.add(_made_of((*frame.about, *frame.denied), text))
    if (said := strictly(text)) is not None:
        used = [whatever_as(said.keys, said.relation)]
        words = (_in_every_key(said), *_around_what_is_denied(said), *filter(None, used))
        found |= {_made_of(one, text) for one in words}
    if (end := ends(text)) is not None:
        found.add(_made_of(end.around, text))
    if (wanted := orders(text)) is not None:
        found.add(_ordered(wanted))
    if (bare := without_aside(text)) != text:
        found |= sought(bare, speaker)
    return frozenset(found)


def _telling(frame: Frame) -> tuple[str, ...]:
    """Of what somebody says of himself and of nothing else, which is too much to be read: what he says it by."""
    if any(not word.startswith("user") for word in frame.about):
        return ()
    verb = frame.relation.partition(" ")[0]
    return _PLACING if verb[0] in "=@" else _STANDS_FOR.get(verb, (verb, f"{verb}s"))


def _ordered(wanted: Order) -> Sought:
    """Any value of its sort, and what is done in it where that is said in a few words; the others are bent."""
    values = tuple(word for word, (sort, _) in VALUES.items() if sort == wanted.sort)
    done = [tuple(form for form, word in ALIKE.items() if word == one) for one in ("answer", "use")]
    return Sought(frozenset((values, *(forms for forms in done if not wanted.about.isdisjoint(map(plain, forms))))))


def _in_every_key(said: Sentence) -> list[str]:
    """The words of a sentence but for what may be its value."""
    behind = at if (at := held_at(said)) >= 0 else len(said.words)
    return [word.key for n, word in enumerate(said.words) if n < behind or word.value is None]


def _around_what_is_denied(said: Sentence) -> Iterator[list[str]]:
    """What it denies, and its own words without those that may stand there instead."""
    keys = list(said.keys)
    for start in range(0, max(1, len(keys) - MOST_INSTEAD) if said.denied else 0, MOST_INSTEAD):
        yield [*said.denied, *keys[:start], *keys[start + 2 * MOST_INSTEAD :]]


def _made_of(words: Sequence[str], text: str, telling: tuple[str, ...] = ()) -> Sought:
    return Sought(
        frozenset(forms for forms in (telling, *(_forms(word, text) for word in words)) if forms),
        frozenset(run for word in words for run in GLYPHS.findall(glyphs(word))),
    )


def _forms(word: str, text: str) -> tuple[str, ...]:
    """What stands in a text where a key has this word; nothing of what can be written in more ways than are known."""
    first, _, rest = word.partition(" ")
    while rest and (first in ("the", "any") or first in table.ORDERED):  # see `framing.py`: it marks what is behind it
        word = rest
        first, _, rest = word.partition(" ")
    if (known := _STANDS_FOR.get("user" if first == "user" else word)) is not None:
        return known
    plain = spaced(word).strip()
    if not any(map(str.isalnum, plain)):
        return ()
    if plain[0].isdecimal():  # an amount is made of a number and its unit, a day of its parts
        if plain not in text or not {" ", ":"}.isdisjoint(plain):
            return ()
        return (plain, f"v{plain}", f"{int(plain):,}") if plain.isdecimal() else (plain, f"v{plain}")
    forms = (plain, f"{plain[:-1]}ies" if plain.endswith("y") else f"{plain}s")
    return (*forms, plain.replace("ss", "ß")) if "ss" in plain else forms


def _turned(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """From what stands in a text to its word, as from a word to what may stand for it."""
    found: dict[str, list[str]] = {}
    for form, word in pairs:
        found.setdefault(word, [word]).append(form)
    return {word: tuple(sorted(set(forms))) for word, forms in found.items()}


_STANDS_FOR = _turned(
    (
        *table.ROLES.items(),
        *table.DAYS.items(),
        *table.NUMBERS.items(),
        *((form, "prefer") for form in table.WANTING),
        *((form, "user") for form in (*table.PEOPLE, *table.WANTING, "my")),
        *((form, "yours") for form in ("your", "yours")),
        *((form, "enabled") for form in (*table.ON, "on")),
        *((form, "disabled") for form in (*table.OFF, "off")),
        *((form, f"side {n}") for n, forms in enumerate(table.SAME_SIDE) for form in forms),
        *((form, f"class {n}") for n, forms in enumerate(table.CLASSES) for form in forms),
        *((form, "called") for form in table.CALLED),
        *(("cannot", "can"), ("won't", "will"), ("'s", "is")),
        *((f"{word}n't", word) for word in ("could", "would", "should", "must", "need", "was", "were", "have", "had")),
    )
)
_PLACING = tuple(sorted(table.PLACES | table.CHANGES | table.COPULAS - {"="} | {"be", "set"}))
