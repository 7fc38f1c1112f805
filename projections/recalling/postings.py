"""What a query needs of a scope, as arrays in memory: where its memories stand, which of them may be seen, how long
they are, in which session and by whom they were said, and who says a word that was asked for.

The views are the truth; here nothing is decided and nothing is kept on disk. All of it was read through one connection,
is used by one thread at a time, as that is, and goes with it. Before it is used it is made level with the view the
connection sees: what is new is read on from where reading ended, and what was changed since (`touched.py`) is read
again. A word's postings are read when it is asked for; where the words of a memory changed, they are read again from
there on.

A memory's ordinal is its place in the scope, by position. Forgotten it keeps that place, which nobody may see and no
word leads to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec
import numpy as np
from msgspec import Struct

from aftermind.engine.names import COLLECTIONS, KINDS, Scope
from aftermind.engine.sqlite import Connection
from aftermind.projections.reading.manner import ASKS
from aftermind.projections.recalling.arrays import longer, places
from aftermind.projections.recalling.matching import LONG, Term
from aftermind.projections.recalling.newest import ANSWERED, OWN, Newest
from aftermind.projections.recalling.recall import SAID_THERE
from aftermind.projections.recalling.turns import MISSING, Turns
from aftermind.projections.views.words import table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ordinals: TypeAlias = NDArray[np.uint32]

AT_ONCE = 50_000
"""Memories that are read at once while a scope is made ready before anybody asks."""
KEPT_WORDS, KEPT_ROWS, EACH = 8_192, 16_000_000, 64
"""Words of a scope whose postings are kept, and these in all (4 bytes each), or so many for each memory of a large one:
those that were asked for last."""
GROWTH = 1.25
_NOBODY = np.zeros(0, np.uint32)

HIDDEN, LIVE, PAST, GONE = range(4)
"""What became of a memory: it may not be seen, or until it ends, or in history; or it is forgotten."""
_LENGTH, _SEEN, _TALKED, _KIND, _COLLECTION, _ASKS = 12, 24, 27, 28, 36, 44
"""The lowest bits of what a memory's number tells, its own length in the first."""
_BITS = {_SEEN: 3, _KIND: 255, _COLLECTION: 255}
_NEVER = 2**62


def _numbered(column: str, names: Sequence[str]) -> str:
    return f"CASE {column} {' '.join(f'WHEN {name!r} THEN {n}' for n, name in enumerate(names))} ELSE 255 END"


_WHOLE_IS_PUT_AWAY = """EXISTS (SELECT 1 FROM shelf whole WHERE whole.memory = s.successor
  AND whole.status IN ('archived', 'removed'))"""
_WHETHER_SEEN = f"""CASE WHEN s.status = 'live' THEN {LIVE} WHEN s.status IN ('archived', 'removed') THEN {HIDDEN}
  WHEN s.status = 'corrected' AND {_WHOLE_IS_PUT_AWAY} THEN {HIDDEN} ELSE {PAST} END"""
_IN_TALK = f"s.session IS NOT NULL AND {SAID_THERE}"
_TOLD = f"""min(s.said, {LONG}) | (min(s.answered, {LONG}) << {_LENGTH}) | (({_WHETHER_SEEN}) << {_SEEN})
  | (({_IN_TALK}) << {_TALKED}) | ({_numbered("s.kind", KINDS)} << {_KIND})
  | ({_numbered("s.collection", COLLECTIONS)} << {_COLLECTION}) | ((s.manner & {ASKS} <> 0) << {_ASKS})"""
_ROWS = f"""SELECT s.position, {_TOLD}, ifnull(s.ends, {_NEVER}), ifnull(s.since, 0),
  iif({_IN_TALK}, s.session, NULL), iif({_IN_TALK}, s.speaker, NULL) FROM shelf s"""
_COLUMNS = ("position", "told", "ends", "since", "session", "speaker")
_ROW = np.dtype([(column, np.int64) for column in _COLUMNS])
_FIRST = f"{_ROWS} WHERE s.scope = ? AND s.collection = ? AND s.position > ? AND s.position <= ? ORDER BY 1 LIMIT ?"
_NEW = f"{_ROWS.replace('shelf s', 'shelf s NOT INDEXED')} WHERE s.position > ? AND s.scope = ? ORDER BY 1"
_TOUCHED = "SELECT what, worded > ?1 FROM touched WHERE at > ?1"
_AMONG = "(SELECT value FROM json_each(?1))"
_AGAIN = f"""{_ROWS} WHERE +s.scope = ?2 AND s.position IN (
  SELECT position FROM shelf WHERE memory IN {_AMONG} UNION SELECT position FROM shelf WHERE successor IN {_AMONG}
  UNION SELECT position FROM shelf WHERE book IN {_AMONG}
  UNION SELECT past.position FROM shelf chunk JOIN shelf past ON past.successor = chunk.memory
    WHERE chunk.book IN {_AMONG})"""
"""With their past wordings. By position and not by scope, of which there may be a million."""
_LACK = """SELECT EXISTS (SELECT 1 FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM shelf WHERE memory = value)
  AND NOT EXISTS (SELECT 1 FROM shelf WHERE book = value))"""


class Postings(Struct):
    """Who says a word: in its own words, in the answer, in both. It holds of all before the position `until`."""

    marks: tuple[Ordinals, Ordinals, Ordinals] = (_NOBODY, _NOBODY, _NOBODY)
    until: int = 0

    @property
    def count(self) -> int:
        return sum(map(len, self.marks))


class Sight(Struct, frozen=True):
    """What may be seen: `now` in microseconds; no kinds or collections are all of them."""

    now: int
    history: bool
    kinds: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()


class Numbers(dict[str | None, int]):
    """Names by the order they came in; no name is `MISSING`."""

    def __missing__(self, name: str | None) -> int:
        self[name] = number = MISSING if name is None else len(self) - (None in self)
        return number


class Held:
    """One scope, level with position `at` of the log."""

    def __init__(self, scope: Scope, at: int) -> None:
        self.scope, self.at = scope, at
        self.count, self._gone = 0, 0
        self._shelf = {column: np.zeros(0, np.int64) for column in _COLUMNS}
        """By ordinal. Of those that were said in a session, it and who spoke by their numbers; else `MISSING`."""
        self._sessions, self._speakers = Numbers(), Numbers()
        self._turns = Turns()
        self._dated = False
        """Whether one of them is so from a time on."""
        self._unread: dict[str, int] | None = dict.fromkeys(COLLECTIONS, 0)
        """Collections of which not all that stood there `at` was read, and the last position of those that were."""
        self.answers = False
        self._words: dict[Term, Postings] = {}
        self.kept = 0
        """Postings there are in memory, of all its words."""
        self._newest = Newest()
        self._columns = np.zeros(0, np.intp)
        """For `among`: -1 for each memory, but while it runs."""

    @property
    def memories(self) -> int:
        """How many there are: who was forgotten keeps an ordinal, and is none."""
        return self.count - self._gone

    @property
    def positions(self) -> NDArray[np.int64]:
        """By ordinal, and growing."""
        return self._shelf["position"][: self.count]

    def lengths(self, ordinals: Ordinals) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
        """How many characters those memories have of their own and in the answer, counted up to `LONG`; None where
        there are no answers."""
        told = self._shelf["told"][ordinals]
        most = (1 << _LENGTH) - 1
        return told & most, (told >> _LENGTH) & most if self.answers else None

    def visible(self, ordinals: NDArray[np.integer], sight: Sight) -> NDArray[np.bool_]:
        """Which of those memories may be seen."""
        told = self._shelf["told"][ordinals]
        seen = (told >> _SEEN) & _BITS[_SEEN]
        if sight.history:
            visible = (seen == LIVE) | (seen == PAST)
        else:
            visible = (seen == LIVE) & (self._shelf["ends"][ordinals] > sight.now)
            if self._dated:  # as hardly anywhere
                visible &= self._shelf["since"][ordinals] <= sight.now
        for bit, names, asked in ((_KIND, KINDS, sight.kinds), (_COLLECTION, COLLECTIONS, sight.collections)):
            if asked:
                some = [n for n, name in enumerate(names) if name in asked]
                visible &= np.isin((told >> bit) & _BITS[bit], some)
        return np.asarray(visible)

    def talked(self, ordinals: Ordinals) -> NDArray[np.bool_]:
        """Which of those memories were said in a session."""
        return np.asarray(self._shelf["told"][ordinals] & (1 << _TALKED) != 0)

    def live(self, ordinals: Ordinals) -> NDArray[np.bool_]:
        """Which of those memories are live, whatever the time."""
        return np.asarray((self._shelf["told"][ordinals] >> _SEEN) & _BITS[_SEEN] == LIVE)

    def sessions(self, ordinals: Ordinals) -> NDArray[np.int64]:
        """In which session those memories were said, as a number; `MISSING` of those said in none."""
        return self._shelf["session"][ordinals]

    def beside(self, ordinals: Ordinals, now: int) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
        """Who was said right before each of those memories in its session and who right after it, of those that hold
        `now`, by ordinal, or `MISSING`; and whether what was said before is another's question."""
        self._turns.level(self._shelf["session"][: self.count])
        sight = Sight(now, history=False)
        before, after = self._turns.beside(ordinals, lambda some: self.visible(some, sight))
        asks = (before != MISSING) & (self._shelf["told"][before] & (1 << _ASKS) != 0)
        return before, after, asks & (self._shelf["speaker"][before] != self._shelf["speaker"][ordinals])

    def among(self, marks: Sequence[Ordinals], asked: Ordinals) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Who of those asked is in which of the marks: the numbers of the mark and of the one asked, mark by mark. In
        the time of reading all of the marks once."""
        if not marks or not len(asked):
            return np.zeros(0, np.intp), np.zeros(0, np.intp)
        if len(self._columns) < self.count:
            self._columns = np.full(len(self._shelf["position"]), -1)
        self._columns[asked] = np.arange(len(asked))
        columns = self._columns.take(np.concatenate(marks))
        self._columns[asked] = -1
        found = np.flatnonzero(columns >= 0)
        ends = np.cumsum([len(mark) for mark in marks])
        return np.searchsorted(ends, found, side="right"), columns[found]

    def documents(self, connection: Connection) -> int:
        """How many memories its words are counted in."""
        row = connection.execute("SELECT documents FROM word_count WHERE scope = ?", (self.scope,)).fetchone()
        return int(row[0]) if row else 0

    def expect(self, connection: Connection, terms: Sequence[Term]) -> None:
        """Who says these is about to be asked: what the newest memories say is looked up for all at once."""
        end = self._end
        self._newest.level(connection, self.scope, self.positions, end)
        known = [term.text for term in terms if term in self._words and self._words[term].until < end]
        self._newest.learn(connection, known)

    @property
    def _end(self) -> int:
        return int(self._shelf["position"][self.count - 1]) + 1 if self.count else 0

    def who(self, connection: Connection, term: Term) -> Postings:
        """Who says a word."""
        found = self._words.pop(term, None) or Postings()
        self._words[term] = found
        end = self._end
        if found.until < end:
            self.kept -= found.count
            read = self._read_on(connection, term, found, end)
            found.marks = (
                _joined(found.marks[0], read[0]),
                _joined(found.marks[1], read[1]),
                _joined(found.marks[2], read[2]),
            )
            found.until = end
            self.kept += found.count
            most = max(KEPT_ROWS, EACH * self.count)
            while len(self._words) > KEPT_WORDS or (self.kept > most and len(self._words) > 1):
                self.kept -= self._words.pop(next(iter(self._words))).count
        return found

    def _read_on(
        self, connection: Connection, term: Term, known: Postings, end: int
    ) -> tuple[Ordinals, Ordinals, Ordinals]:
        """Who says it of those that are not known yet."""
        self._newest.level(connection, self.scope, self.positions, end)
        if term.table != "words" or known.until < self._newest.since:
            return self._read(connection, term, known.until)
        if not (stem := self._newest.stem(connection, term.text)):
            return self._read(connection, term, known.until)
        found = self._newest.who(stem, known.until, beginning=term.beginning)
        if not found:
            return _NOBODY, _NOBODY, _NOBODY
        ordinals, there = places(self.positions, np.array(sorted(found), np.int64))
        ways = np.array([found[at] for at in sorted(found)])
        own, answered, both = (
            ordinals[there & (ways == way)].astype(np.uint32) for way in (OWN, ANSWERED, OWN | ANSWERED)
        )
        return own, answered, both

    def _read(self, connection: Connection, term: Term, start: int) -> tuple[Ordinals, Ordinals, Ordinals]:
        """Who says it of those at `start` and after it. The numbers come in one text: a row each would take a turn
        with all the threads there are."""
        mine = self._said(connection, term, ("user", "said") if term.table == "words" else ("user",), start)
        if not self.answers:
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
        found, there = places(self.positions, asked)
        return np.asarray(found[there], np.uint32)

    # --- staying level ----------------------------------------------------------------------------------------

    def read_some(self, connection: Connection, limit: int = AT_ONCE) -> bool:
        """Some of what stood there when this was made; whether there is more."""
        while self._unread:
            collection, last = next(iter(self._unread.items()))
            rows = self._rows(connection, _FIRST, (self.scope, collection, last, self.at, limit))
            self._add(rows)
            if len(rows) < limit:
                del self._unread[collection]
            else:
                self._unread[collection] = int(rows["position"][-1])
                return True
        if self._unread is not None:
            self._in_order()
            self._unread = None
        return False

    def _in_order(self) -> None:
        """By position, each once: what was read collection by collection may have moved meanwhile."""
        _, order = np.unique(self.positions, return_index=True)
        self.count = len(order)
        for column in self._shelf.values():
            column[: self.count] = column[order]
        self._words.clear()
        self.kept = 0
        self._newest.forget()
        self._turns = Turns()

    def level(self, connection: Connection, at: int) -> None:
        """Everything the view says that has seen the log up to `at`, and perhaps more."""
        while self.read_some(connection, 1 << 62):
            pass
        if at == self.at:
            return
        touched = connection.execute(_TOUCHED, (self.at,)).fetchall()
        last = int(self._shelf["position"][self.count - 1]) if self.count else 0
        self._add(self._rows(connection, _NEW, (max(self.at, last), self.scope)))
        if touched:
            self._read_again(connection, touched)
        self.at = at

    def _read_again(self, connection: Connection, touched: Sequence[tuple[str, int]]) -> None:
        rows = self._rows(connection, _AGAIN, (_json([what for what, _ in touched]), self.scope))
        ordinals, there = places(self.positions, rows["position"])
        ordinals, rows, missed = ordinals[there], rows[there], rows[~there]
        for name in ("told", "ends", "since"):
            self._shelf[name][ordinals] = rows[name]
        self._note(rows)
        if len(missed):  # they moved, while this was read, from a collection yet to be read into one that had been
            self._add(missed)
            self._in_order()
        reworded = [what for what, worded in touched if worded]
        if not reworded:
            return
        changed = self._rows(connection, _AGAIN, (_json(reworded), self.scope))["position"].tolist()
        if connection.execute(_LACK, (_json(reworded),)).fetchone()[0]:
            changed += self._leave(connection)
        if changed:
            self._unsay(min(changed))

    def _leave(self, connection: Connection) -> list[int]:
        """Where those stood that are not there any more."""
        there = connection.execute("SELECT position FROM shelf WHERE scope = ?", (self.scope,))
        kept = np.fromiter((row[0] for row in there), np.int64)
        known = (self._shelf["told"][: self.count] >> _SEEN) & _BITS[_SEEN] != GONE
        gone = np.flatnonzero(known & ~np.isin(self.positions, kept))
        self._shelf["told"][gone] = GONE << _SEEN
        self._gone += len(gone)
        return [int(position) for position in self._shelf["position"][gone]]

    def _unsay(self, position: int) -> None:
        """Postings hold only before a memory whose words are others now."""
        self._newest.forget()
        ordinal = np.uint32(np.searchsorted(self.positions, position))
        for found in self._words.values():
            if found.until > position:
                self.kept -= found.count
                own, answered, both = (mark[: np.searchsorted(mark, ordinal)] for mark in found.marks)
                found.marks, found.until = (own, answered, both), position
                self.kept += found.count

    def _add(self, rows: NDArray[np.void]) -> None:
        end = self.count + len(rows)
        if end > len(self._shelf["position"]):
            size = max(end, int(self.count * GROWTH), 256)
            self._shelf = {name: longer(column, size) for name, column in self._shelf.items()}
        for name, column in self._shelf.items():
            column[self.count : end] = rows[name]
        self.count = end
        self._note(rows)

    def _rows(self, connection: Connection, sql: str, values: tuple[str | int, ...]) -> NDArray[np.void]:
        sessions, speakers = self._sessions, self._speakers
        return np.fromiter(
            (
                (position, told, ends, since, sessions[session], speakers[speaker])
                for position, told, ends, since, session, speaker in connection.execute(sql, values)
            ),
            _ROW,
        )

    def _note(self, rows: NDArray[np.void]) -> None:
        self._dated = self._dated or bool(np.any(rows["since"]))
        self.answers = self.answers or bool(np.any(rows["told"] & (((1 << _LENGTH) - 1) << _LENGTH)))


def _joined(one: Ordinals, other: Ordinals) -> Ordinals:
    return np.concatenate([one, other]) if len(one) and len(other) else one if len(one) else other


def _json(values: Iterable[str]) -> str:
    return msgspec.json.encode(list(values)).decode()
