"""Whom a query names: memories by the names they were given, and things by their shape.

A name is called where all its words stand together in the query. One letter too many, too few or two that changed
places are forgiven of a name's first word, where nobody in these scopes says the word as it was typed; another letter
in its place is forgiven in long words only: `mango` is no slip for `mongo`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from aftermind.engine.entities.shapes import entities
from aftermind.engine.names import Scope
from aftermind.engine.sqlite import Connection, as_json
from aftermind.projections.reading.slips import SLIPPING, SURE, is_slip
from aftermind.projections.reading.terms import STOP_WORDS
from aftermind.projections.views.called import LONGEST_NAME, spelled

BEARERS = 5
"""A name that more live memories of the scope bear is a label (`decision`, `v2`), and names none of them."""
MOST_SPEAKING = 5000
"""Memories, the newest first, that speak of one thing the query names."""
MOST_WORDS = 600
"""Words of a query that are looked at, at its end."""


class Named(Struct, frozen=True):
    """What a query names. `memories`: by their places on the shelf, the names it calls them by; `things`: the keys of
    files, symbols and the like that somebody here speaks of, and at which places."""

    memories: Mapping[int, tuple[str, ...]] = {}
    things: Mapping[str, frozenset[int]] = {}


_BEGINNING = """SELECT DISTINCT name FROM called
  WHERE scope IN (SELECT value FROM json_each(?)) AND first IN (SELECT value FROM json_each(?)) AND given = 1"""
_BEARING = """SELECT c.name, s.position FROM called c JOIN shelf s ON s.memory = c.memory
  WHERE c.scope IN (SELECT value FROM json_each(?)) AND c.first = ? AND c.name = ? AND c.given = 1
    AND s.status = 'live' LIMIT ?"""
"""What is over bears its names, too: who asks for history may call it by them, and nobody else is shown it."""
_SPEAKING = """SELECT c.name, s.position FROM called c JOIN shelf s ON s.memory = c.memory
  WHERE c.scope IN (SELECT value FROM json_each(?)) AND c.first = ? AND c.given <> 1
  ORDER BY s.position DESC LIMIT ?"""
_LIKE = """SELECT DISTINCT first FROM called WHERE scope = ? AND first >= ? AND first < ? AND given = 1 LIMIT 200"""
_BEARS = """SELECT DISTINCT s.position FROM shelf s JOIN called c ON c.memory = s.memory AND c.given = 1
  WHERE s.position IN (SELECT value FROM json_each(?)) AND (SELECT count(*) FROM (SELECT 1 FROM called o
    WHERE o.scope = c.scope AND o.first = c.first AND o.name = c.name AND o.given = 1 LIMIT ?)) <= ?"""


def named(connection: Connection, query: str, scopes: Sequence[Scope], unknown: Collection[str]) -> Named:
    """What the query names in these scopes. `unknown`: its words that nobody there says."""
    if connection.execute("SELECT 1 FROM called LIMIT 1").fetchone() is None:
        return Named()
    mine, words = as_json(scopes), spelled(query)[-MOST_WORDS:]
    keys = entities(query)
    things: dict[str, set[int]] = {}
    for first in keys:
        for key, position in connection.execute(_SPEAKING, (mine, first, MOST_SPEAKING)):
            things.setdefault(key, set()).add(position)
    meant = _corrected(connection, words, scopes, unknown)
    distinct = list(dict.fromkeys(word for word in meant if word not in STOP_WORDS or len(meant) == 1))
    beginning = [name for (name,) in connection.execute(_BEGINNING, (mine, as_json(distinct)))]
    memories: dict[int, tuple[str, ...]] = {}
    if beginning:
        runs = {" ".join(meant[i : i + n]) for n in range(1, LONGEST_NAME + 1) for i in range(len(meant) - n + 1)}
        for name in sorted(set(beginning) & runs, key=lambda one: (-len(one), one)):
            first = name.partition(" ")[0]
            bearing = connection.execute(_BEARING, (mine, first, name, BEARERS + 1)).fetchall()
            if len(bearing) <= BEARERS:
                for called, position in bearing:
                    memories[position] = (*memories.get(position, ()), called)
    return Named(memories, {key: frozenset(places) for key, places in things.items()})


def bearing_names(connection: Connection, positions: Iterable[int]) -> set[int]:
    """Which of those memories have a name of their own, and not only labels."""
    rows = connection.execute(_BEARS, (as_json(list(positions)), BEARERS + 1, BEARERS))
    return {row[0] for row in rows}


def _corrected(
    connection: Connection, words: Sequence[str], scopes: Sequence[Scope], unknown: Collection[str]
) -> list[str]:
    """The words, each slip of the keyboard as what was probably meant."""
    slips = {word for word in words if word in unknown and len(word) >= SLIPPING and word.isalpha()}
    meant: dict[str, str] = {}
    for word in slips:
        begin = word[:SURE]
        after = begin[:-1] + chr(ord(begin[-1]) + 1)
        for scope in scopes:
            firsts = [first for (first,) in connection.execute(_LIKE, (scope, begin, after))]
            if word in firsts:
                break
            likely = sorted(first for first in firsts if is_slip(word, first))
            if likely:
                meant[word] = likely[0]
    return [meant.get(word, word) for word in words]
