"""What was judged, and for which questions: read once from the views through a connection, and kept in memory, level
with them. Nothing is decided here, and nothing of it is on disk.

A verdict falls on an occasion: an exchange with all that was shown for it, or what was shown where no exchange
followed. It was given for the prompt and for what was looked for. The same words asked again in the same scope, for the
same kind of answer, are one question with more occasions.
What was forgotten is gone at the next look, when all is read anew. Imports numpy.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from sys import intern
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import msgspec
import numpy as np
from msgspec import Struct

from aftermind.engine.names import Outcome, Position, Scope
from aftermind.engine.sqlite import Connection, as_json
from aftermind.engine.views.growing import checkpoint
from aftermind.projections.reading.answers import Answer, answer
from aftermind.projections.recalling.verdicts.posterior import COUNTING
from aftermind.projections.views.asked import LONGEST, words_asked

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEWEST, MOST = 2_000, 8_000
"""Questions, the newest, that a word of a query is looked for in; and in all its words, the telling ones first."""
_GONE = "SELECT ifnull(max(at), 0) FROM unasked"
_NEW = """SELECT ifnull(i.exchange, v.occasion), v.outcome, s.position, v.position
  FROM verdict v JOIN shelf s ON s.memory = v.memory LEFT JOIN injection i ON i.id = v.occasion
  WHERE v.position > ? ORDER BY v.position LIMIT ?"""
_ANSWERED = "SELECT i.id, i.exchange FROM question q JOIN injection i ON i.exchange = q.event WHERE q.position > ?"
_ASKED = """SELECT value, q.position, q.scope, q.words, q.beginning FROM json_each(?1)
    JOIN question q ON q.event = value
  UNION SELECT value, q.position, q.scope, q.words, q.beginning FROM json_each(?1)
    JOIN injection i ON i.exchange = value JOIN question q ON q.event = i.id"""
AT_ONCE = 2_000
"""Verdicts that are read at once."""
KEPT_STEMS, STEMMED = 20_000, 16
"""Memories whose stems are kept, and how many are looked at in one step before anybody asks."""
_TEXTS = "SELECT position, substr(text, 1, ?) FROM shelf WHERE position IN (SELECT value FROM json_each(?))"
_REWORDED = """SELECT s.position FROM touched t JOIN shelf s ON s.memory = t.what
  WHERE t.at > ?1 AND t.worded > ?1"""
_STATES = count(1)


class Word(Struct, frozen=True):
    """One verdict. `memory` is its place on the shelf, `at` the verdict's in the log."""

    memory: int
    outcome: Outcome
    at: int


class Alike(Struct, frozen=True):
    """How alike the words of questions are to those of a query that weigh `whole`: `overlap` of `posterior.py`, of
    many. From the ordinal `first` on: what the words weigh that each shares with it, and how many more it says."""

    first: int
    shared: NDArray[np.float64]
    counts: NDArray[np.float64]
    lengths: NDArray[np.intc]
    words: int
    whole: float

    def of(self, ordinals: NDArray[np.int64]) -> NDArray[np.float64]:
        """The similarities of these."""
        at = ordinals - self.first
        at[(at < 0) | (at >= len(self.shared))] = -1  # the last says nothing
        shared = self.shared[at]
        other = shared + (self.lengths[ordinals] - self.counts[at]) * self.whole / self.words
        return shared / np.sqrt(self.whole * other)

    def beyond(self, least: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Those more alike than that; who shares less than its square cannot be."""
        ordinals = np.flatnonzero(self.shared > least * least * self.whole) + self.first
        similarities = self.of(ordinals)
        more = similarities > least
        return ordinals[more], similarities[more]


class Judged:
    """All questions that a verdict was given for. An ordinal is a question's number here."""

    def __init__(self) -> None:
        self._begin(0)

    def _begin(self, forgot: int) -> None:
        self.state = next(_STATES)
        """Another number whenever its questions are others, also than those of any other connection."""
        self.at = self._asked = 0
        self._forgot = forgot
        self.places = array("q")
        """Of each question the first place in the log at which it was asked and judged."""
        self.by_place: dict[int, int] = {}
        self.wants: list[Answer] = []
        """Of each question the kind of its answer."""
        self._ordinal: dict[tuple[str, str, Answer], int] = {}
        self._words: list[str] = []
        self._scopes: list[str] = []
        self._scope = array("i")
        self._length = array("i")
        self._said: dict[str, array[int]] = {}
        self._occasions: list[list[str]] = []
        self._verdicts: dict[str, array[int]] = {}
        self._stems: dict[int, tuple[str, ...]] = {}
        self._unread: dict[int, None] = {}
        """Memories that were judged since their stems were last read ahead."""

    def __len__(self) -> int:
        return len(self.places)

    def level(self, connection: Connection, at: Position) -> None:
        """All that the view says, which is `at` that position."""
        while self.read_some(connection, at):
            pass

    def read_some(self, connection: Connection, at: Position) -> bool:
        """Some of what is new; whether there is more."""
        if at == self.at:
            return False
        forgot = int(connection.execute(_GONE).fetchone()[0])
        if forgot != self._forgot:
            self._begin(forgot)
        answered = connection.execute(_ANSWERED, (self._asked,)).fetchall() if self.at else ()
        if any(injection in self._verdicts for injection, _ in answered):
            self._begin(forgot)  # judged before it was answered: it belongs to another occasion now
        rows = connection.execute(_NEW, (self.at, AT_ONCE)).fetchall()
        touched: dict[str, None] = {}
        for occasion, outcome, memory, position in rows:
            self._say(occasion, memory, outcome, position)
            touched.pop(occasion, None)
            touched[occasion] = None  # in the order of their last verdicts
        questions: dict[str, list[tuple[int, str, str, Answer]]] = {}
        for occasion, place, scope, words, beginning in connection.execute(_ASKED, (as_json(touched),)):
            questions.setdefault(occasion, []).append((place, scope, words, answer(beginning)))
        for occasion in touched:
            for question in questions.get(occasion, ()):
                self._ask(occasion, *question)
        for (position,) in connection.execute(_REWORDED, (self.at,)) if self._stems else ():
            self._stems.pop(position, None)
        self._asked = int(connection.execute("SELECT ifnull(max(position), 0) FROM question").fetchone()[0])
        self.at = rows[-1][3] if len(rows) == AT_ONCE else at
        return len(rows) == AT_ONCE

    def stem_some(self, connection: Connection) -> bool:
        """Reads what some judged memories say, the last ones first; whether there is more."""
        some = [self._unread.popitem()[0] for _ in range(min(STEMMED, len(self._unread)))]
        if len(self._stems) + len(some) <= KEPT_STEMS:
            self.stems(connection, some)
        else:
            self._unread.clear()
        return bool(self._unread)

    def _say(self, occasion: str, memory: int, outcome: str, position: int) -> None:
        self._unread[memory] = None
        said = self._verdicts.get(occasion, array("q"))
        others = [n for n in range(0, len(said), 3) if said[n] != memory]
        if len(others) * 3 < len(said):
            said = array("q", (one for n in others for one in said[n : n + 3]))
        if outcome in COUNTING:
            said.extend((memory, COUNTING.index(outcome), position))
        self._verdicts[occasion] = said

    def _ask(self, occasion: str, place: int, scope: str, words: str, wants: Answer) -> None:
        ordinal = self._ordinal.get((scope, words, wants))
        if ordinal is None:
            ordinal = self._ordinal[scope, words, wants] = len(self.places)
            self.wants.append(wants)
            if scope not in self._scopes:
                self._scopes.append(scope)
            stems = msgspec.json.decode(words)
            self.places.append(place)
            self._scope.append(self._scopes.index(scope))
            self._length.append(len(stems))
            self._words.append(words)
            self._occasions.append([])
            self.by_place[place] = ordinal
            self.state = next(_STATES)
            for stem in stems:
                said = self._said.get(stem)
                if said is None:
                    said = self._said[intern(stem)] = array("i")
                said.append(ordinal)
        if place < self.places[ordinal]:
            del self.by_place[self.places[ordinal]]
            self.places[ordinal], self.by_place[place] = place, ordinal
            self.state = next(_STATES)
        occasions = self._occasions[ordinal]
        if occasion in occasions:
            occasions.remove(occasion)
        occasions.append(occasion)

    def alike(self, query: Mapping[str, float]) -> Alike:
        """How alike those are that share telling words with a query, whose words weigh so."""
        found, weights, spent, whole = [], [], 0, sum(query.values())
        for word, weight in sorted(query.items(), key=lambda one: -one[1]):
            if spent < MOST and (said := self._said.get(word)) is not None:
                found.append(np.frombuffer(said, np.intc)[-NEWEST:])
                weights.append(weight)
                spent += len(found[-1])
        if not found:
            return Alike(0, np.zeros(1), np.zeros(1), self._lengths, len(query), whole)
        first = min([int(some[0]) for some in found])
        each = 2 * whole
        told = np.repeat(np.array(weights) + each, [len(some) for some in found])
        sums = np.append(np.bincount(np.concatenate(found) - first, told), 0.0)
        counts = np.floor(sums / each)
        return Alike(first, sums - counts * each, counts, self._lengths, len(query), whole)

    @property
    def _lengths(self) -> NDArray[np.intc]:
        return np.frombuffer(self._length, np.intc)

    def within(self, ordinals: NDArray[np.int64], scopes: Sequence[Scope]) -> NDArray[np.bool_]:
        """Which of the questions were asked in one of the scopes."""
        asked = np.array([scope in scopes for scope in self._scopes], np.bool_)
        return asked[np.frombuffer(self._scope, np.intc)[ordinals]]

    def stems(self, connection: Connection, memories: Collection[int]) -> Mapping[int, tuple[str, ...]]:
        """What memories say themselves, by their places; those that are there."""
        if lacking := [memory for memory in memories if memory not in self._stems]:
            if len(self._stems) > KEPT_STEMS:
                self._stems.clear()
                lacking = list(memories)
            for position, text in connection.execute(_TEXTS, (LONGEST, as_json(lacking))):
                self._stems[position] = tuple(map(intern, words_asked(text)))
        return self._stems

    def words(self, ordinal: int) -> list[str]:
        """Of a question, its stems."""
        return list(msgspec.json.decode(self._words[ordinal]))

    def said(self, ordinal: int, limit: int) -> Iterable[tuple[str, list[Word]]]:
        """The verdicts for a question, by its newest occasions."""
        for occasion in self._occasions[ordinal][-limit:]:
            said = self._verdicts.get(occasion, ())
            yield (
                occasion,
                [Word(said[n], COUNTING[said[n + 1]], said[n + 2]) for n in range(0, len(said), 3)],
            )


_READ: WeakKeyDictionary[Connection, Judged] = WeakKeyDictionary()


def prepared(connection: Connection) -> bool:
    """Reads some of what was judged before anybody asks; whether there is more."""
    found = _READ.setdefault(connection, Judged())
    return found.read_some(connection, checkpoint(connection)) or found.stem_some(connection)


def judged_through(connection: Connection, at: Position) -> Judged:
    """What was judged, as the view is, `at` that position; to be used where the connection is."""
    found = _READ.setdefault(connection, Judged())
    found.level(connection, at)
    return found
