"""What recall has in memory of the views is there before anybody asks, in the thread that reads them.

Imports numpy where it is needed, which is that thread: a store that nobody asks does without.
"""

from __future__ import annotations

from aftermind.engine.sqlite import Connection


def read_some(connection: Connection) -> bool:
    """Some of what queries in large scopes will need; whether there is more."""
    from aftermind.projections.recalling.arrays import scopes
    from aftermind.projections.recalling.verdicts import judged

    return scopes.prepared(connection) or judged.prepared(connection)


def follow(connection: Connection) -> None:
    """What was read already says what the views say now: a prompt that comes next does not wait for that."""
    from aftermind.projections.recalling.arrays import scopes
    from aftermind.projections.recalling.verdicts import judged

    scopes.read_through(connection).follow(connection)
    judged.prepared(connection)
