"""Who says how much of a query: postings and lengths in, shares out, as arrays.

Of the query's words the rarest are read whole, until `allowed` postings are spent, and lead to who says them. Of the
commoner rest it is looked who says it of those that could still be among the best. A memory's share is the same
whichever of the two a word was.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple

from aftermind.engine.names import Position, Scope
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection
from aftermind.projections.reading.spellings import marked
from aftermind.projections.reading.terms import Term, otherwise, rarity
from aftermind.projections.recalling.arrays.operations import first_of_each, looked_up, numbered_anew, places
from aftermind.projections.recalling.arrays.postings import Held, Postings
from aftermind.projections.recalling.arrays.scopes import read_through
from aftermind.projections.recalling.arrays.shelved import Sight
from aftermind.projections.recalling.matching import K1_PLUS_1, LONG, TELLING_WORDS, brevity, saturated
from aftermind.projections.recalling.words.saying import NOTHING_SAID, NOWHERE, Located, Saying, added_up

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aftermind.projections.recalling.arrays.postings import Ordinals

    Floats: TypeAlias = NDArray[np.float64]
    Numbers: TypeAlias = NDArray[np.int64]

_NOBODY = np.zeros(0, np.uint32)
_BREVITY = np.array([brevity(length) for length in range(LONG + 1)])
WAYS = 3
"""In which a word is said: in a memory's own words, in its answer, in both (`Postings`)."""
FEW = 12_000
"""Memories that say a word, which are looked up among those that are asked for, and not the other way round: to read
so many takes as long as to look some hundreds up among them."""
BESIDE = 6
"""Events between two memories of a session, as its exchanges leave them in the log."""


class Word(Struct, frozen=True):
    """A word of the query in one scope, which `count` memories said when it was asked. `weight` is its share of the
    query, per unit of how strongly it is said."""

    text: str
    weight: float
    said: Postings
    count: int


class Marks(Struct, frozen=True):
    """Who says each of some words, the rarest first, made ready to be looked up. All marks of the first `few` words
    stand in one array, one of a word for each of so many `ways`, and where each begins; with where the last one
    ends."""

    few: int
    ways: int
    joined: NDArray[np.intp]
    begins: NDArray[np.intp]

    @classmethod
    def of(cls, words: Sequence[Word], ways: int) -> Marks:
        few = next((number for number, word in enumerate(words) if word.count > FEW), len(words))
        marks = [mark for word in words[:few] for mark in word.said.marks[:ways]]
        begins = np.fromiter(accumulate(map(len, marks), initial=0), np.intp, len(marks) + 1)
        return cls(few, ways, np.concatenate([_NOBODY, *marks], dtype=np.intp), begins)


class Pairs(Struct, frozen=True):
    """Which of some words which of some memories say, and in which of the ways; the words in their order."""

    words: Numbers
    columns: Numbers
    ways: Numbers

    def of(self, chosen: Numbers, count: int) -> Pairs:
        """Of those memories alone, as they are numbered then, of so many."""
        kept, columns = numbered_anew(self.columns, chosen, count)
        return Pairs(self.words[kept], columns, self.ways[kept])


class Best(Struct, frozen=True):
    """Those of a scope that say most of a query: what is probably said beside each in its session lends it, and how
    many characters it has."""

    ordinals: Ordinals
    says: Saying
    lent: Floats
    lengths: Floats

    def with_these(self, these: Ordinals, says: Saying, lengths: Floats) -> Best:
        """The same and these, behind all others, with what they say."""
        known = places(these, self.ordinals)[1]
        if not known.any():
            others, lent = self, np.zeros(len(these))
        else:
            kept = (~known).nonzero()[0]
            others = Best(self.ordinals[kept], self.says.take(kept), self.lent[kept], self.lengths[kept])
            lent = looked_up(self.ordinals, self.lent, these)
        return Best(
            np.concatenate([others.ordinals, these]),
            Saying.joined([others.says, says]),
            np.concatenate([others.lent, lent]),
            np.concatenate([others.lengths, lengths]),
        )


class Line:
    """One scope's memories against the query's words that are said there, the rarest first: the first ones lead to
    memories."""

    def __init__(
        self, held: Held, words: Sequence[Word], rows: Sequence[int], ranking: Ranking, whole: float = 1.0
    ) -> None:
        """`rows`: the numbers of its words among those of all scopes. `whole`: what the words weigh that a query is
        taken to be about."""
        self.held, self.asked, self.whole = held, words, whole
        self._ranking, self._rows = ranking, np.array(rows, np.intp)
        self._weights = np.array([word.weight for word in words])
        allowed = max(ranking.matched_rows, int(held.shelf.memories * ranking.matched_share))
        spent = np.cumsum([word.count for word in words])
        self._led = min(len(words), max(1, int(spent.searchsorted(allowed, side="right"))))

    def best(self, sight: Sight, enough: int) -> Best:
        """Of those that may be seen and say something, at least the best `enough`."""
        leading, end = self.asked[: self._led], len(self.asked)
        found = np.sort(np.concatenate([mark for word in leading for mark in word.said.marks] or [_NOBODY]))
        every = found[first_of_each(found)]
        found = every[self.held.shelf.visible(every, sight)]
        strengths = self._strengths(found)
        pairs = self._pairs(found, 0, self._led)
        if self._led < end:
            if len(found) > enough:
                shares = self._added_up(pairs, strengths, len(found)).shares
                rest = sum(word.weight for word in self.asked[self._led :])
                most = rest * saturated((1 + self._ranking.answer_weight) * brevity(0))
                near = (shares >= np.partition(shares, -enough)[-enough] - most).nonzero()[0]
                pairs, strengths = pairs.of(near, len(found)), strengths[:, near]
                found = found[near]
            others = self._pairs(found, self._led, end)
            pairs = Pairs(*map(np.concatenate, zip(astuple(pairs), astuple(others), strict=True)))
        says = self._added_up(pairs, strengths, len(found))
        return self._with_reactions(
            Best(found, says, self._lent(found, says.shares), self._lengths(found)), every, sight
        )

    def _with_reactions(self, best: Best, every: Ordinals, sight: Sight) -> Best:
        """With those that are a reaction and may be seen, where what they are about is one of `every` memory that
        says something. They say of each word what the question does, if not more themselves; its answer, which they
        react to, says nothing for them."""
        reacting, about = self.held.shelf.about()
        some = (places(every, about)[1] & self.held.shelf.visible(reacting, sight)) if len(reacting) else reacting > 0
        if not some.any():
            return best
        each = about[some].astype(np.uint32)
        topics = np.sort(each)
        topics = topics[first_of_each(topics)]
        itself = self._strengths(topics)[0]
        asked = self._parts(topics, np.array([itself, 0 * itself, itself]))[:, topics.searchsorted(each)]
        said = asked.any(axis=0)
        these, asked = reacting[some][said].astype(np.uint32), asked[:, said]
        parts = np.maximum(asked, self._parts(these, self._strengths(these)))
        words, columns = parts.nonzero()
        theirs = added_up(self._rows[words], columns, parts[words, columns], self._weights[words], len(these))
        return best.with_these(these, theirs, self._lengths(these))

    def _parts(self, ordinals: Ordinals, strengths: Floats) -> Floats:
        """What those memories say, a row a word of this line, where they say it so strongly in each of the ways."""
        pairs = self._pairs(ordinals, 0, len(self.asked))
        found = np.zeros((len(self.asked), len(ordinals)))
        found[pairs.words, pairs.columns] = self._weights[pairs.words] * strengths[pairs.ways, pairs.columns]
        return found

    def _lengths(self, ordinals: Ordinals) -> Floats:
        own, answered = self.held.shelf.lengths(ordinals)
        return (own if answered is None else own + answered).astype(np.float64)

    def _lent(self, found: Ordinals, shares: Floats) -> Floats:
        """What is probably said beside each in its session lends it: what those say that stand beside it here."""
        positions, talked = self.held.shelf.positions[found], self.held.shelf.talked(found)
        beside = (positions[1:] - positions[:-1] <= BESIDE) & talked[1:] & talked[:-1]
        lent = np.zeros(len(found))
        lent[:-1] += self._ranking.next_weight * shares[1:] * beside
        lent[1:] += self._ranking.previous_weight * shares[:-1] * beside
        return lent

    def says(self, ordinals: Ordinals) -> Saying:
        """What those memories say."""
        return self._added_up(self._pairs(ordinals, 0, len(self.asked)), self._strengths(ordinals), len(ordinals))

    @cached_property
    def _marks(self) -> Marks:
        return Marks.of(self.asked, WAYS if self.held.shelf.answers else 1)

    def _pairs(self, ordinals: Ordinals, first: int, end: int) -> Pairs:
        """Which of those memories say which of the words from the `first` to the `end`. Those who say one of few are
        looked up among those asked, for all such words at once; of a word of many, those asked are looked up among its
        own."""
        marks = self._marks
        begin, stop = (marks.begins[marks.ways * min(word, marks.few)] for word in (first, end))
        found, columns = self.held.among(marks.joined[begin:stop], ordinals)
        words, ways = np.divmod(marks.begins.searchsorted(found + begin, side="right") - 1, marks.ways)
        many = [
            (number, way, places(said, ordinals)[1].nonzero()[0])
            for number in range(max(first, marks.few), end)
            for way, said in enumerate(self.asked[number].said.marks)
            if len(said)
        ]
        if many:
            numbers, others, says = zip(*many, strict=True)
            counts = list(map(len, says))
            words = np.concatenate([words, np.repeat(numbers, counts)])
            ways = np.concatenate([ways, np.repeat(others, counts)])
            columns = np.concatenate([columns, *says])
        return Pairs(words, columns, ways)

    def _added_up(self, pairs: Pairs, strengths: Floats, count: int) -> Saying:
        weights = self._weights[pairs.words]
        strong = strengths[pairs.ways, pairs.columns] if len(strengths) > 1 else strengths[0][pairs.columns]
        return added_up(self._rows[pairs.words], pairs.columns, weights * strong, weights, count)

    def _strengths(self, ordinals: Ordinals) -> Floats:
        """How strongly each of those memories says a word, a row a way: itself, in its answer, in both. The first alone
        where there are no answers."""
        own, answered = self.held.shelf.lengths(ordinals)
        itself = _BREVITY[own]
        if answered is None:
            return _saturated(itself[None, :])
        other = self._ranking.answer_weight * _BREVITY[answered]
        return _saturated(np.array([itself, other, itself + other]))


def usual_length(lengths: Floats) -> float:
    """The median of how many characters some memories have in all; 0 without any."""
    lengths, middle = np.sort(lengths), len(lengths) // 2
    return float(lengths[-1 - middle] + lengths[middle]) / 2 if len(lengths) else 0.0


def located(lines: Sequence[Line], positions: Numbers) -> tuple[Located, Numbers]:
    """Those of the memories at these positions that are in one of the scopes, in their order; and their numbers among
    these positions."""
    found = []
    for number, shelf in enumerate(line.held.shelf for line in lines):
        at, here = places(shelf.positions, positions)
        columns = here.nonzero()[0]
        found.append((columns, np.full(len(columns), number), at[columns].astype(np.uint32)))
    columns, scopes, ordinals = found[0] if len(found) == 1 else map(np.concatenate, zip(*found, strict=True))
    where = Located(positions[columns], scopes, ordinals)
    if len(lines) == 1:
        return where, columns
    order = columns.argsort()
    return where.take(order), columns[order]


def may_be_seen(lines: Sequence[Line], where: Located, sight: Sight) -> NDArray[np.bool_]:
    """Which of those memories may be seen."""
    found = np.zeros(len(where.positions), np.bool_)
    for number, line in enumerate(lines):
        columns, ordinals = where.of(number, len(lines))
        found[columns] = line.held.shelf.visible(ordinals, sight)
    return found


def what_is_said(lines: Sequence[Line], where: Located) -> Saying:
    """What those memories say of the query."""
    if len(lines) == 1:
        return lines[0].says(where.ordinals)
    found, places = [], []
    for number, line in enumerate(lines):
        columns, ordinals = where.of(number, len(lines))
        places.append(columns)
        found.append(line.says(ordinals))
    return Saying.joined(found).take(np.argsort(np.concatenate(places)))


def most_said(lines: Sequence[Line], sight: Sight, enough: int) -> tuple[Located, Saying, Floats, Floats]:
    """Who says most of the query in each of the scopes: where they are, what they say, what is lent them, and their
    lengths."""
    if not lines:
        return NOWHERE, NOTHING_SAID, np.zeros(0), np.zeros(0)
    found = [line.best(sight, enough) for line in lines]
    where = [
        Located(line.held.shelf.positions[one.ordinals], np.full(len(one.ordinals), number), one.ordinals)
        for number, (line, one) in enumerate(zip(lines, found, strict=True))
    ]
    lent, lengths = (
        np.concatenate(columns) for columns in zip(*((one.lent, one.lengths) for one in found), strict=True)
    )
    return Located.joined(where), Saying.joined([one.says for one in found]), lent, lengths


def lines(
    connection: Connection, query: Sequence[Term], scopes: Sequence[Scope], ranking: Ranking, at: Position
) -> list[Line]:
    """The query's words in each of the scopes, as the view is, `at` that position."""
    read = read_through(connection)
    held = [read.level(connection, scope, at) for scope in dict.fromkeys(scopes)]
    held = [one for one in held if one.shelf.count]
    for one in held:
        one.expect(connection, query)
    documents = sum(one.documents(connection) for one in held)
    said = [one.who(connection, query) for one in held]
    taken = {term.text for term in query}
    for number, term in enumerate(query):
        if not any(own[number].count for own in said) and (others := _otherwise(connection, held, term, taken)):
            for found, other in zip(said, others, strict=True):
                found[number] = other
    rare = [rarity(documents, sum(one.count for one in found)) for found in zip(*said, strict=True)]
    whole = sum(sorted(rare)[-TELLING_WORDS:]) * K1_PLUS_1
    words = [
        [
            Word(t.text, weight / whole, one, one.count)
            for t, weight, one in zip(query, rare, found, strict=True)
            if one.count
        ]
        for found in said
    ]
    for own in words:
        own.sort(key=attrgetter("count", "text"))
    rows = {text: row for row, text in enumerate(_texts(words))}
    return [
        Line(one, own, [rows[word.text] for word in own], ranking, whole) for one, own in zip(held, words, strict=True)
    ]


def words_said(lines: Sequence[Line]) -> list[str]:
    """The words of the query that anybody says, by their rows."""
    return list(_texts([line.asked for line in lines]))


def _texts(words: Sequence[Sequence[Word]]) -> dict[str, None]:
    return dict.fromkeys(word.text for own in words for word in own)


def _otherwise(connection: Connection, held: Sequence[Held], term: Term, taken: set[str]) -> list[Postings] | None:
    """Of a word that nobody says, who says it otherwise in each scope, unless that is asked for already and counts
    once: it is `taken` then."""
    for other in otherwise(term):
        if other.text == term.text or other.text not in taken:
            found = [own for one in held for own in one.who(connection, (other,))]
            if any(own.count for own in found) and _is_said(connection, held, other, found):
                taken.add(other.text)
                return found
    return None


def _is_said(connection: Connection, held: Sequence[Held], term: Term, found: Sequence[Postings]) -> bool:
    """Whether another spelling is there as it is written, and not only what the index takes for the same."""
    if not term.spelled or not marked(term.text):
        return True
    return any(one.writes(connection, term, own) for one, own in zip(held, found, strict=True))


def _saturated(frequency: Floats) -> Floats:
    return np.asarray(saturated(frequency))
