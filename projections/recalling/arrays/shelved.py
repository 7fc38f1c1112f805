"""What stands on the shelf of a scope, as arrays in memory: where its memories are, which of them may be seen, and what
a place in an answer is decided by. A memory's ordinal is its place in the scope, by position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec import Struct

from aftermind.engine.names import COLLECTIONS, KINDS, Scope
from aftermind.engine.sqlite import Connection, as_json
from aftermind.projections.reading.manner import ASKS
from aftermind.projections.recalling.arrays.operations import longer, places
from aftermind.projections.recalling.arrays.turns import MISSING, Turns
from aftermind.projections.recalling.candidate import Outcomes
from aftermind.projections.recalling.matching import LONG
from aftermind.projections.recalling.recall import SAID_THERE
from aftermind.projections.recalling.topics import REACTS, topic
from aftermind.projections.views.seen import known

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ordinals: TypeAlias = NDArray[np.uint32]

GROWTH = 1.25
HIDDEN, LIVE, PAST, GONE = range(4)
"""What became of a memory: it may not be seen, or until it ends, or in history; or it is forgotten."""
_LENGTH, _SEEN, _TALKED, _KIND, _COLLECTION, _MANNER = 12, 24, 27, 28, 36, 44
"""The lowest bits of what a memory's number tells, its own length in the first."""
_BITS = {_SEEN: 3, _KIND: 255, _COLLECTION: 255}
_VERDICTS = 20
"""Bits for how often it worked, partly worked and failed."""
_NEVER = 2**62


def _numbered(column: str, names: Sequence[str]) -> str:
    return f"CASE {column} {' '.join(f'WHEN {name!r} THEN {n}' for n, name in enumerate(names))} ELSE 255 END"


_WHETHER_SEEN = f"CASE WHEN s.status = 'live' THEN {LIVE} WHEN {known('s')} THEN {PAST} ELSE {HIDDEN} END"
_IN_TALK = f"s.session IS NOT NULL AND {SAID_THERE}"
_TOLD = f"""min(s.said, {LONG}) | (min(s.answered, {LONG}) << {_LENGTH}) | (({_WHETHER_SEEN}) << {_SEEN})
  | (({_IN_TALK}) << {_TALKED}) | ({_numbered("s.kind", KINDS)} << {_KIND})
  | ({_numbered("s.collection", COLLECTIONS)} << {_COLLECTION}) | (s.manner << {_MANNER})"""
_MOST = (1 << _VERDICTS) - 1
_JUDGED = f"""iif(s.worked + s.partial + s.failed, min(s.worked, {_MOST})
  | (min(s.partial, {_MOST}) << {_VERDICTS}) | (min(s.failed, {_MOST}) << {2 * _VERDICTS}), 0)"""
_ROWS = f"""SELECT s.position, {_TOLD}, ifnull(s.ends, {_NEVER}), ifnull(s.since, 0), s.at, {_JUDGED}, s.speaker,
  iif({_IN_TALK}, s.session, NULL), ifnull({topic("s")}, {MISSING}) FROM shelf s"""
_COLUMNS = ("position", "told", "ends", "since", "at", "judged", "speaker", "session", "topic")
_ROW = np.dtype([(column, np.int64) for column in _COLUMNS])
_FIRST = f"{_ROWS} WHERE s.scope = ? AND s.collection = ? AND s.position > ? AND s.position <= ? ORDER BY 1 LIMIT ?"
_NEW = f"{_ROWS.replace('shelf s', 'shelf s NOT INDEXED')} WHERE s.position > ? AND s.scope = ? ORDER BY 1"
_AMONG = "(SELECT value FROM json_each(?1))"
_JUDGEMENTS = f"SELECT s.position, {_JUDGED} FROM shelf s WHERE s.memory IN {_AMONG} AND +s.scope = ?2"
_AGAIN = f"""{_ROWS} WHERE +s.scope = ?2 AND s.position IN (
  SELECT position FROM shelf WHERE memory IN {_AMONG} UNION SELECT position FROM shelf WHERE successor IN {_AMONG}
  UNION SELECT position FROM shelf WHERE book IN {_AMONG}
  UNION SELECT past.position FROM shelf chunk JOIN shelf past ON past.successor = chunk.memory
    WHERE chunk.book IN {_AMONG})"""
"""With their past wordings. By position and not by scope, of which there may be a million."""
_TOPICS = f"SELECT s.position, ifnull({topic('s')}, {MISSING}) FROM shelf s WHERE s.position IN {_AMONG}"


class Sight(Struct, frozen=True):
    """What may be seen: `now` in microseconds; no kinds or collections are all of them."""

    now: int
    history: bool
    kinds: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()


class Standing(Struct, frozen=True):
    """Of some memories, in their order: when they were said, in microseconds since 1970; which of `KINDS` they are; the
    bits of their manner; whether they have an answer; their characters in all, those of each part counted up to `LONG`;
    who said them, as a number; in which session, as a number, or `MISSING`; and how often they worked, partly worked
    and failed, in one number."""

    at: NDArray[np.int64]
    kind: NDArray[np.int64]
    manner: NDArray[np.int64]
    answered: NDArray[np.bool_]
    length: NDArray[np.int64]
    speaker: NDArray[np.int64]
    session: NDArray[np.int64]
    judged: NDArray[np.int64]

    def outcomes(self) -> dict[int, Outcomes]:
        """The records of those that were judged, by their numbers here."""
        judged = self.judged.nonzero()[0]
        return {
            number: Outcomes(one & _MOST, one >> _VERDICTS & _MOST, one >> 2 * _VERDICTS)
            for number, one in zip(judged.tolist(), self.judged[judged].tolist(), strict=True)
        }


class Numbers(dict[str | None, int]):
    """Names by the order they came in; no name is `MISSING`."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def __missing__(self, name: str | None) -> int:
        self[name] = number = MISSING if name is None else len(self.names)
        if name is not None:
            self.names.append(name)
        return number


class Shelved:
    """One scope's memories. Who was forgotten keeps its ordinal, which nobody may see."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self.count, self._gone = 0, 0
        self._column = {name: np.zeros(0, np.int64) for name in _COLUMNS}
        """By ordinal. Who spoke by their number; so the session of those that were said in one, else `MISSING`."""
        self._sessions, self._speakers = Numbers(), Numbers()
        self._turns = Turns()
        self._about: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
        """Where reactions stand, and what they are about, as long as nothing changes."""
        self._dated = False
        """Whether one of them is so from a time on."""
        self.answers = False
        """Whether one of them has one."""

    @property
    def memories(self) -> int:
        """How many there are: who was forgotten keeps an ordinal, and is none."""
        return self.count - self._gone

    @property
    def positions(self) -> NDArray[np.int64]:
        """By ordinal, and growing."""
        return self._column["position"][: self.count]

    def lengths(self, ordinals: Ordinals) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
        """How many characters those memories have of their own and in the answer, counted up to `LONG`; None where
        there are no answers."""
        told = self._column["told"][ordinals]
        most = (1 << _LENGTH) - 1
        return told & most, (told >> _LENGTH) & most if self.answers else None

    def visible(self, ordinals: NDArray[np.integer], sight: Sight) -> NDArray[np.bool_]:
        """Which of those memories may be seen."""
        told = self._column["told"][ordinals]
        seen = (told >> _SEEN) & _BITS[_SEEN]
        if sight.history:
            visible = (seen == LIVE) | (seen == PAST)
        else:
            visible = (seen == LIVE) & (self._column["ends"][ordinals] > sight.now)
            if self._dated:  # as hardly anywhere
                visible &= self._column["since"][ordinals] <= sight.now
        for bit, names, asked in ((_KIND, KINDS, sight.kinds), (_COLLECTION, COLLECTIONS, sight.collections)):
            if asked:
                some = [n for n, name in enumerate(names) if name in asked]
                visible &= np.isin((told >> bit) & _BITS[bit], some)
        return np.asarray(visible)

    def talked(self, ordinals: Ordinals) -> NDArray[np.bool_]:
        """Which of those memories were said in a session."""
        return np.asarray(self._column["told"][ordinals] & (1 << _TALKED) != 0)

    def live(self, ordinals: Ordinals) -> NDArray[np.bool_]:
        """Which of those memories are live, whatever the time."""
        return np.asarray((self._column["told"][ordinals] >> _SEEN) & _BITS[_SEEN] == LIVE)

    def standing(self, ordinals: Ordinals, number: int, shelves: int) -> Standing:
        """What stands there of those memories. Of several shelves each has a number, so that those of its speakers and
        sessions are no other's."""
        at, judged, speaker, session = (self._column[name][ordinals] for name in ("at", "judged", "speaker", "session"))
        told = self._column["told"][ordinals]
        most = (1 << _LENGTH) - 1
        answered = (told >> _LENGTH) & most
        return Standing(
            at, (told >> _KIND) & _BITS[_KIND], told >> _MANNER, answered > 0, (told & most) + answered,
            speaker * shelves + number, np.where(session == MISSING, MISSING, session * shelves + number), judged,
        )  # fmt: skip

    def speaker(self, number: int) -> str:
        """The name of who speaks."""
        return self._speakers.names[number]

    def session(self, number: int) -> str:
        """The name of a session."""
        return self._sessions.names[number]

    def beside(self, ordinals: Ordinals, now: int) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
        """Who was said right before each of those memories in its session and who right after it, of those that hold
        `now`, by ordinal, or `MISSING`; and whether what was said before is another's question."""
        self._turns.level(self._column["session"][: self.count])
        sight = Sight(now, history=False)
        before, after = self._turns.beside(ordinals, lambda some: self.visible(some, sight))
        asks = (before != MISSING) & (self._column["told"][before] & (ASKS << _MANNER) != 0)
        return before, after, asks & (self._column["speaker"][before] != self._column["speaker"][ordinals])

    def about(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Which memories are a reaction to an answer, by their ordinals; and the question each is about, whether
        that is over or not."""
        if self._about is None:
            topics = self._column["topic"][: self.count]
            reacting = (topics != MISSING).nonzero()[0]
            ordinals, there = places(self.positions, topics[reacting])
            seen = (self._column["told"][ordinals[there]] >> _SEEN) & _BITS[_SEEN]
            known = (seen == LIVE) | (seen == PAST)
            self._about = reacting[there][known], ordinals[there][known]
        return self._about

    @property
    def end(self) -> int:
        """Behind all of their positions."""
        return int(self.positions[-1]) + 1 if self.count else 0

    # --- reading ------------------------------------------------------------------------------------------

    def read(self, connection: Connection, collection: str, last: int, at: int, limit: int) -> tuple[int, int]:
        """So many of a collection's behind the `last` position, as the log was `at`, not in order yet: how many there
        were, and the last one's position."""
        rows = self._rows(connection, _FIRST, (self._scope, collection, last, at, limit))
        self._add(rows)
        return len(rows), int(rows["position"][-1]) if len(rows) else last

    def in_order(self) -> None:
        """By position, each once: what was read collection by collection may have moved meanwhile."""
        _, order = np.unique(self.positions, return_index=True)
        self.count, self._about = len(order), None
        for column in self._column.values():
            column[: self.count] = column[order]
        self._turns = Turns()

    def read_on(self, connection: Connection, at: int) -> None:
        """What came since the log was `at`."""
        start = self.count
        self._add(self._rows(connection, _NEW, (max(at, self.end - 1), self._scope)))
        self._follow(connection, self._column["session"][start : self.count])

    def read_again(self, connection: Connection, what: Sequence[str]) -> bool:
        """Those memories, or a book's, as they stand now. Whether others have these ordinals now: what moved, while all
        was read, from a collection yet to be read into one that had been, is put into its place."""
        rows = self._rows(connection, _AGAIN, (as_json(what), self._scope))
        ordinals, there = places(self.positions, rows["position"])
        missed, rows = rows[~there], rows[there]
        for name in ("told", "ends", "since", "at", "judged", "speaker", "topic"):
            self._column[name][ordinals[there]] = rows[name]
        self._note(rows)
        self._follow(connection, self._column["session"][ordinals[there]])
        if len(missed):
            self._add(missed)
            self.in_order()
        return len(missed) > 0

    def read_verdicts(self, connection: Connection, what: Sequence[str]) -> None:
        """Those memories were judged, and nothing else became of them."""
        rows = np.array(connection.execute(_JUDGEMENTS, (as_json(what), self._scope)).fetchall(), np.int64).reshape(
            -1, 2
        )
        ordinals, there = places(self.positions, rows[:, 0])
        self._column["judged"][ordinals[there]] = rows[there, 1]

    def stand(self, connection: Connection, what: Sequence[str]) -> list[int]:
        """The positions of those memories, or a book's."""
        found: list[int] = self._rows(connection, _AGAIN, (as_json(what), self._scope))["position"].tolist()
        return found

    def leave(self, connection: Connection) -> list[int]:
        """Where those stood that are not there any more."""
        there = connection.execute("SELECT position FROM shelf WHERE scope = ?", (self._scope,))
        kept = np.fromiter((row[0] for row in there), np.int64)
        known = (self._column["told"][: self.count] >> _SEEN) & _BITS[_SEEN] != GONE
        gone = (known & ~np.isin(self.positions, kept)).nonzero()[0]
        self._column["told"][gone], self._about = GONE << _SEEN, None
        self._gone += len(gone)
        self._follow(connection, self._column["session"][gone])
        return [int(position) for position in self._column["position"][gone]]

    def _follow(self, connection: Connection, sessions: NDArray[np.int64]) -> None:
        """What reactions are about, in whose sessions something came, perhaps late, went or reads otherwise now."""
        if not np.any(sessions != MISSING):
            return
        reacting = (self._column["told"][: self.count] & (REACTS << _MANNER)).nonzero()[0]
        some = reacting[np.isin(self._column["session"][reacting], sessions[sessions != MISSING])]
        if len(some):
            asked = as_json(self._column["position"][some].tolist())
            rows = np.array(connection.execute(_TOPICS, (asked,)).fetchall(), np.int64).reshape(-1, 2)
            ordinals, there = places(self.positions, rows[:, 0])
            self._column["topic"][ordinals[there]], self._about = rows[there, 1], None

    def _add(self, rows: NDArray[np.void]) -> None:
        end = self.count + len(rows)
        if end > len(self._column["position"]):
            size = max(end, int(self.count * GROWTH), 256)
            self._column = {name: longer(column, size) for name, column in self._column.items()}
        for name, column in self._column.items():
            column[self.count : end] = rows[name]
        self.count = end
        self._note(rows)

    def _rows(self, connection: Connection, sql: str, values: tuple[str | int, ...]) -> NDArray[np.void]:
        sessions, speakers = self._sessions, self._speakers
        return np.fromiter(
            (
                (position, told, ends, since, at, judged, speakers[speaker], sessions[session], topic)
                for position, told, ends, since, at, judged, speaker, session, topic in connection.execute(sql, values)
            ),
            _ROW,
        )

    def _note(self, rows: NDArray[np.void]) -> None:
        self._about = None
        self._dated = self._dated or bool(np.any(rows["since"]))
        self.answers = self.answers or bool(np.any(rows["told"] & (((1 << _LENGTH) - 1) << _LENGTH)))
