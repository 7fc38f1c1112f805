"""Sentences of other languages that are word for word the same but for a value, which is of one sort: a choice that
somebody prefers, the name or the word of what has one at a time. Pure.

What stands in the place of a choice of the same kind is another choice for sure. A name is one by how it is written and
by what has it, and whether a German noun is somebody's name nobody knows: two such sentences are only doubted.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from aftermind.projections.reading.statements import wording_values as table
from aftermind.projections.reading.statements import wording_words
from aftermind.projections.reading.statements.sentence import Sentence
from aftermind.projections.reading.statements.words import STATES

_MOST = 3
"""Words of a name."""
_LEAST = 5
"""Letters by which a German word that is put together ends in another: `Standardsprache`."""


class Ending(Struct, frozen=True):
    """`around` are the words of a sentence without its value; `sort` is of what sort that is."""

    around: tuple[str, ...]
    sort: str
    value: str
    sure: bool = False

    @property
    def key(self) -> tuple[str, ...]:
        return ("\3", self.sort, *self.around)

    @property
    def words(self) -> str:
        """What both say, to be read."""
        return " ".join(word for word in self.around if word != wording_words.EQUALS)


def ending(said: Sentence, text: str) -> Ending | None:
    """`text` is what was read as the sentence; how its words are written tells of names."""
    if said.negative or said.denied or said.partial or said.strength != "said":
        return None
    return _chosen(said) or _named(said, text)


def differ(one: Ending | None, other: Ending | None) -> bool:
    return one is not None and other is not None and one.key == other.key and one.value != other.value


def _chosen(said: Sentence) -> Ending | None:
    keys = said.keys
    verb = next((n for n, key in enumerate(keys) if key in table.PREFERRING), len(keys))
    places = [n for n in range(verb + 1, len(keys)) if keys[n] in table.CHOICES]
    if len(places) != 1:
        return None
    axis, side = table.CHOICES[keys[places[0]]]
    return Ending((*keys[: places[0]], *keys[places[0] + 1 :]), f"choice {axis} {places[0]}", side, sure=True)


def _named(said: Sentence, text: str) -> Ending | None:
    subject, value = said.words[: said.relation], said.words[said.relation + 1 :]
    if said.relation < 1 or said.words[said.relation].key != wording_words.EQUALS or not 0 < len(value) <= _MOST:
        return None
    written = [word.strip(",;:.!\"'`") for word in text.split()]
    if table.COPULAS.isdisjoint(map(str.casefold, written)) or any(word.value == "number" for word in value):
        return None
    keys, head = [word.key for word in value], _heads([word.key for word in subject])
    capital = {form for word in written if word[:1].isupper() for form in (word.casefold(), word.casefold()[:-1])}
    around = tuple(word.key for word in said.words[: said.relation + 1])
    if _is_any(head, table.GRADED) and len(keys) == 1 and keys[0] not in table.STATES | STATES:
        return Ending(around, "word", keys[0])
    if _is_any(head, table.NAMED) and capital.issuperset(keys):
        return Ending(around, "name", " ".join(keys))
    return None


def _heads(subject: Sequence[str]) -> list[str]:
    """The words for what a sentence is about, before it says whose."""
    end = next((n for n, key in enumerate(subject) if n and key in table.OF), len(subject))
    return [part for key in subject[:end] for part in (key, key.rpartition("-")[2])]


def _is_any(words: Sequence[str], names: frozenset[str]) -> bool:
    return any(word in names or any(len(name) >= _LEAST and word.endswith(name) for name in names) for word in words)
