"""What would be forgotten, as it is shown before."""

from __future__ import annotations

from collections.abc import Collection

from aftermind.cli.language.erasing import One
from aftermind.engine.names import MemoryId
from aftermind.engine.sqlite import Connection, as_json
from aftermind.projections.recalling.shown.wording import shortened

LONGEST = 100
"""Characters of a memory that are shown."""


def rows_of(connection: Connection, memories: Collection[MemoryId]) -> list[One]:
    """These memories in their order, each with how it begins and the name of its project."""
    sql = """SELECT s.memory, s.kind, s.locked, substr(s.text, 1, 400), substr(s.answer, 1, 400), ifnull(p.name, '')
      FROM json_each(?) j JOIN shelf s ON s.memory = j.value LEFT JOIN project p ON p.id = s.scope ORDER BY j.key"""
    rows = connection.execute(sql, (as_json(memories),))
    return [
        One(
            id=MemoryId(id),
            text=shortened(" ".join((text or answer).split()), LONGEST),
            kind=kind,
            locked=bool(locked),
            project=project,
        )
        for id, kind, locked, text, answer, project in rows
    ]
