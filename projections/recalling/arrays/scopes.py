"""The scopes whose memories were read through a connection (`postings.py`): level with the view when they are asked
for, and before."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from aftermind.engine.names import Position, Scope
from aftermind.engine.sqlite import Connection
from aftermind.engine.views.growing import checkpoint
from aftermind.projections.recalling.arrays.ahead import Coming
from aftermind.projections.recalling.arrays.postings import Held

LARGE = 2_000
"""Memories of a scope that are not read in the time of one question."""


class Scopes:
    """What was read through one connection."""

    def __init__(self) -> None:
        self._held: dict[Scope, Held] = {}
        self._coming: dict[Scope, Coming] = {}

    def level(self, connection: Connection, scope: Scope, at: Position) -> Held:
        """The scope as the view is, `at` that position."""
        held = self._begun(scope, at)
        held.level(connection, at)
        return held

    def prepare(self, connection: Connection, scope: Scope) -> bool:
        """Some of what a query in that scope will need; whether there is more."""
        held = self._begun(scope, checkpoint(connection))
        if held.read_some(connection):
            return True
        return self._coming.setdefault(scope, Coming()).read(held, connection)

    def follow(self, connection: Connection) -> None:
        """What was read is made level before anybody asks."""
        at = checkpoint(connection)
        for held in self._held.values():
            held.level(connection, at)
            held.expect(connection, ())

    def _begun(self, scope: Scope, at: Position) -> Held:
        held = self._held.get(scope)
        if held is None:
            held = self._held[scope] = Held(scope, at)
        return held


_READ: WeakKeyDictionary[Connection, Scopes] = WeakKeyDictionary()


def read_through(connection: Connection) -> Scopes:
    """What was read through a connection; to be used in its thread."""
    found = _READ.get(connection)
    if found is None:
        found = _READ[connection] = Scopes()
    return found


def prepared(connection: Connection) -> bool:
    """Reads some of what queries in the large scopes will need; whether there is more."""
    read = read_through(connection)
    large = connection.execute("SELECT scope FROM word_count WHERE documents >= ? ORDER BY documents DESC", (LARGE,))
    return any(read.prepare(connection, Scope(scope)) for (scope,) in large.fetchall())
