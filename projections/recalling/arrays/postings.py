"""What a query needs of a scope, as arrays in memory: what stands on its shelf (`shelved.py`), and who says a word that
was asked for.

The views are the truth; here nothing is decided and nothing is kept on disk. All of it was read through one connection,
is used by one thread at a time, as that is, and goes with it. Before it is used it is made level with the view the
connection sees: what is new is read on from where reading ended, and what was changed since (`touched.py`) is read
again. A word's postings are read when it is asked for; where the words of a memory changed, they are read again from
there on.

A memory's ordinal is its place in the scope, by position. Forgotten it keeps that place, to which no word leads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias
from unicodedata import normalize

import numpy as np
from msgspec import Struct

from aftermind.engine.names import COLLECTIONS, Scope
from aftermind.engine.sqlite import Connection, as_json
from aftermind.projections.reading.terms import Term
from aftermind.projections.recalling.arrays.newest import ANSWERED, OWN, Newest
from aftermind.projections.recalling.arrays.operations import places
from aftermind.projections.recalling.arrays.shelved import Shelved
from aftermind.projections.views.words import has_glyphs, table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.intp]
    Ordinals: TypeAlias = NDArray[np.uint32]

AT_ONCE = 50_000
"""Memories that are read at once while a scope is made ready before anybody asks."""
KEPT_WORDS, KEPT_ROWS, EACH = 8_192, 16_000_000, 64
"""Words of a scope whose postings are kept, and these in all (4 bytes each), or so many for each memory of a large one:
those that were asked for last."""
LOOKED_AT = 64
"""Memories of which it is looked how they write a word."""
GROWTH = 1.25
_NOBODY = np.zeros(0, np.uint32)

_TOUCHED = "SELECT what, worded > ?1, stood > ?1 FROM touched WHERE at > ?1"
_LACK = """SELECT EXISTS (SELECT 1 FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM shelf WHERE memory = value)
  AND NOT EXISTS (SELECT 1 FROM shelf WHERE book = value))"""


class Postings(Struct):
    """Who says a word: in its own words, in the answer, in both; how many they are. It holds of all before the position
    `until`."""

    marks: tuple[Ordinals, Ordinals, Ordinals] = (_NOBODY, _NOBODY, _NOBODY)
    until: int = 0
    count: int = 0

    def hold(self, marks: Iterable[Ordinals], until: int) -> None:
        own, answered, both = marks
        self.marks, self.until, self.count = (own, answered, both), until, len(own) + len(answered) + len(both)


class Held:
    """One scope, level with position `at` of the log."""

    def __init__(self, scope: Scope, at: int) -> None:
        self.scope, self.at = scope, at
        self.shelf = Shelved(scope)
        self._unread: dict[str, int] | None = dict.fromkeys(COLLECTIONS, 0)
        """Collections of which not all that stood there `at` was read, and the last position of those that were."""
        self._words: dict[Term, Postings] = {}
        self.kept = 0
        """Postings there are in memory, of all its words."""
        self._counted = -1, 0
        """For `documents`: as of where in the log, and how many."""
        self._newest = Newest()
        self._columns, self._wanted = np.zeros(0, np.intp), np.zeros(0, np.bool_)
        """For `among`: the numbers of those that were asked for last, and whether each is, while it runs."""

    def among(self, joined: Numbers, asked: Ordinals) -> tuple[Numbers, Numbers]:
        """Who of those asked is in some marks, which stand one after the other: the places there, and the numbers of
        those asked. In the time of reading all of the marks once."""
        if len(self._columns) < self.shelf.count:
            self._columns = np.zeros(int(self.shelf.count * GROWTH), np.intp)
            self._wanted = np.zeros(len(self._columns), np.bool_)
        self._columns[asked], self._wanted[asked] = np.arange(len(asked)), True
        found = self._wanted.take(joined, mode="clip").nonzero()[0]
        self._wanted[asked] = False
        return found, self._columns[joined[found]]

    def documents(self, connection: Connection) -> int:
        """How many memories its words are counted in."""
        if self._counted[0] != self.at:
            row = connection.execute("SELECT documents FROM word_count WHERE scope = ?", (self.scope,)).fetchone()
            self._counted = self.at, int(row[0]) if row else 0
        return self._counted[1]

    def expect(self, connection: Connection, terms: Sequence[Term]) -> None:
        """Who says these is about to be asked: what the newest memories say is looked up for all at once."""
        end = self.shelf.end
        self._newest.level(connection, self.scope, self.shelf.positions, end)
        known = [term.text for term in terms if (said := self._words.get(term)) and said.until < end]
        self._newest.learn(connection, known)

    def who(self, connection: Connection, terms: Sequence[Term]) -> list[Postings]:
        """Who says each of some words."""
        end, words, found = self.shelf.end, self._words, []
        for term in terms:
            said = words.pop(term, None) or Postings()
            words[term] = said
            if said.until < end:
                self._level(connection, term, said, end)
            found.append(said)
        return found

    def writes(self, connection: Connection, term: Term, said: Postings) -> bool:
        """Whether one of those who say it, of the first some, writes it with its marks."""
        some = self.shelf.positions[np.concatenate(said.marks)[:LOOKED_AT].astype(np.intp)].tolist()
        if not some:
            return False
        sql = f"""SELECT user, assistant, said FROM {table(term.table, self.scope)}
          WHERE rowid IN (SELECT value FROM json_each(?))"""
        rows = connection.execute(sql, (as_json(some),))
        return any(term.text in normalize("NFC", text or "").lower() for row in rows for text in row)

    def _level(self, connection: Connection, term: Term, said: Postings, end: int) -> None:
        """Who says it of all before `end`. What was asked for longest ago is forgotten, where it is too much."""
        self.kept -= said.count
        read = self._read_on(connection, term, said, end)
        said.hold(map(_joined, said.marks, read), end)
        self.kept += said.count
        most = max(KEPT_ROWS, EACH * self.shelf.count)
        while len(self._words) > KEPT_WORDS or (self.kept > most and len(self._words) > 1):
            self.kept -= self._words.pop(next(iter(self._words))).count

    def _read_on(
        self, connection: Connection, term: Term, known: Postings, end: int
    ) -> tuple[Ordinals, Ordinals, Ordinals]:
        """Who says it of those that are not known yet."""
        self._newest.level(connection, self.scope, self.shelf.positions, end)
        if term.table != "words" or known.until < self._newest.since:
            return self._read(connection, term, known.until)
        if not (stem := self._newest.stem(connection, term.text)):
            return self._read(connection, term, known.until)
        found = self._newest.who(stem, known.until, beginning=term.beginning)
        if not found:
            return _NOBODY, _NOBODY, _NOBODY
        ordinals, there = places(self.shelf.positions, np.array(sorted(found), np.int64))
        ways = np.array([found[at] for at in sorted(found)])
        own, answered, both = (
            ordinals[there & (ways == way)].astype(np.uint32) for way in (OWN, ANSWERED, OWN | ANSWERED)
        )
        return own, answered, both

    def _read(self, connection: Connection, term: Term, start: int) -> tuple[Ordinals, Ordinals, Ordinals]:
        """Who says it of those at `start` and after it. The numbers come in one text: a row each would take a turn
        with all the threads there are."""
        if term.table == "glyphs" and not has_glyphs(connection, self.scope):
            return _NOBODY, _NOBODY, _NOBODY
        mine = self._said(connection, term, ("user", "said") if term.table == "words" else ("user",), start)
        if not self.shelf.answers:
            return mine, _NOBODY, _NOBODY
        theirs = self._said(connection, term, ("assistant",), start)
        both = np.intersect1d(mine, theirs, assume_unique=True)
        return np.setdiff1d(mine, both, assume_unique=True), np.setdiff1d(theirs, both, assume_unique=True), both

    def _said(self, connection: Connection, term: Term, columns: Sequence[str], start: int) -> Ordinals:
        name, asked = table(term.table, self.scope), f"{{{' '.join(columns)}}} : {term.quoted}"
        where = f"{name} MATCH ?"
        if term.table == "glyphs" and len(term.text) < 3:  # windows of three hold no shorter runs
            where, asked = f"instr({columns[0]}, ?) > 0", term.text
        sql = f"SELECT group_concat(rowid, ' ') FROM {name} WHERE {where} AND rowid >= ?"
        return self._ordinals(connection.execute(sql, (asked, start)).fetchone()[0])

    def _ordinals(self, positions: str | None) -> Ordinals:
        """Of those that were there when this was made level; what came since is read the next time."""
        if positions is None:
            return _NOBODY
        asked = np.sort(np.fromstring(positions, np.int64, sep=" "))
        found, there = places(self.shelf.positions, asked)
        return np.asarray(found[there], np.uint32)

    # --- staying level ----------------------------------------------------------------------------------------

    def read_some(self, connection: Connection, limit: int = AT_ONCE) -> bool:
        """Some of what stood there when this was made; whether there is more."""
        while self._unread:
            collection, last = next(iter(self._unread.items()))
            many, last = self.shelf.read(connection, collection, last, self.at, limit)
            if many < limit:
                del self._unread[collection]
            else:
                self._unread[collection] = last
                return True
        if self._unread is not None:
            self.shelf.in_order()
            self._unread = None
        return False

    def level(self, connection: Connection, at: int) -> None:
        """Everything the view says that has seen the log up to `at`, and perhaps more."""
        while self.read_some(connection, 1 << 62):
            pass
        if at == self.at:
            return
        touched = connection.execute(_TOUCHED, (self.at,)).fetchall()
        self.shelf.read_on(connection, self.at)
        if touched:
            self._read_again(connection, touched)
        self.at = at

    def _read_again(self, connection: Connection, touched: Sequence[tuple[str, int, int]]) -> None:
        changed = [what for what, _, stood in touched if stood]
        if changed and self.shelf.read_again(connection, changed):
            self._unsay(0)
        if judged := [what for what, _, stood in touched if not stood]:
            self.shelf.read_verdicts(connection, judged)
        reworded = [what for what, worded, _ in touched if worded]
        if not reworded:
            return
        others = self.shelf.stand(connection, reworded)
        if connection.execute(_LACK, (as_json(reworded),)).fetchone()[0]:
            others += self.shelf.leave(connection)
        if others:
            self._unsay(min(others))

    def _unsay(self, position: int) -> None:
        """Postings hold only before a memory whose words are others now."""
        self._newest.forget()
        ordinal = np.uint32(self.shelf.positions.searchsorted(position))
        for found in self._words.values():
            if found.until > position:
                self.kept -= found.count
                found.hold([mark[: mark.searchsorted(ordinal)] for mark in found.marks], position)
                self.kept += found.count


def _joined(one: Ordinals, other: Ordinals) -> Ordinals:
    return np.concatenate([one, other]) if len(one) and len(other) else one if len(one) else other
