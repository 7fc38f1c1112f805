"""The words of a scope's newest memories, all at once: asked for word by word, what one exchange added costs each word
of the next question a look into the tables.

They are cut and stemmed by SQLite as the tables' own are, in a table of the same kind that is nowhere but in memory,
and empty again before anything else happens.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from aftermind.engine.names import Scope
from aftermind.engine.sqlite import Connection, as_json
from aftermind.projections.views.words import CUT, table

if TYPE_CHECKING:
    from numpy.typing import NDArray

AT_ONCE, MOST = 64, 1_000
"""New memories whose words are read so, and those that are remembered: more are read word by word, once."""
OWN, ANSWERED = 1, 2
_WAYS = {"user": OWN, "said": OWN, "assistant": ANSWERED}
_SCHEMA = (
    f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.newest USING fts5(user, assistant, said, tokenize='{CUT}')",
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.newest_words USING fts5vocab(temp, newest, instance)",
)
_SAID = "SELECT DISTINCT term, doc, col FROM temp.newest_words"


class Newest:
    """Of the memories at `since` and after it, before `until`."""

    def __init__(self) -> None:
        self._said: dict[str, dict[int, int]] = {}
        self._stems: dict[str, str] = {}
        self.forget()

    def forget(self) -> None:
        """What was read is not so any more: it begins anew, with what comes next."""
        self.since = self.until = -1
        self._count = 0
        self._said.clear()
        self._stems.clear()

    def level(self, connection: Connection, scope: Scope, positions: NDArray[np.int64], end: int) -> None:
        """The words of all that stands before `end`, from `since` on."""
        new = len(positions) - int(np.searchsorted(positions, self.until))
        if self.since < 0 or new > AT_ONCE or self._count + new > MOST:
            self.forget()
            self.since = self.until = end
            return
        if self.until < end:
            columns = "rowid, user, assistant, said"
            read = f"INSERT INTO temp.newest ({columns}) SELECT {columns} FROM {table('words', scope)}"
            said = _read(connection, f"{read} WHERE rowid >= ? AND rowid < ?", (self.until, end))
            for term, position, column in said:
                ways = self._said.setdefault(term, defaultdict(int))
                ways[position] |= _WAYS[column]
            self.until, self._count = end, self._count + new

    def who(self, stem: str, start: int, *, beginning: bool) -> dict[int, int]:
        """By position, how those at `start` and after it say a word, or one that begins so."""
        if not beginning:
            return {at: ways for at, ways in self._said.get(stem, {}).items() if at >= start}
        found: dict[int, int] = defaultdict(int)
        for term, said in self._said.items():
            if term.startswith(stem):
                for at, ways in said.items():
                    found[at] |= ways
        return {at: ways for at, ways in found.items() if at >= start}

    def stem(self, connection: Connection, word: str) -> str:
        """A word as the tables know it; empty where it is none of theirs, or several."""
        self.learn(connection, (word,))
        return self._stems[word]

    def learn(self, connection: Connection, words: Sequence[str]) -> None:
        """The stems of those words are known from now on: one by one each would take as long as all of them."""
        if new := [word for word in words if word not in self._stems]:
            self._stems.update(zip(new, _stems(connection, new), strict=True))


def _stems(connection: Connection, words: Sequence[str]) -> list[str]:
    found: list[set[str]] = [set() for _ in words]
    insert = "INSERT INTO temp.newest (rowid, user) SELECT key + 1, value FROM json_each(?)"
    for term, row, _ in _read(connection, insert, (as_json(words),)):
        found[row - 1].add(term)
    return [terms.pop() if len(terms) == 1 else "" for terms in found]


def _read(connection: Connection, insert: str, values: tuple[str | int, ...]) -> list[tuple[str, int, str]]:
    for statement in _SCHEMA:
        connection.execute(statement)
    try:
        connection.execute(insert, values)
        return connection.execute(_SAID).fetchall()
    finally:
        connection.execute("DELETE FROM temp.newest")
