"""Projects: the one id behind all the paths, remotes and names it is known by."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.event_forms.sharing import ProjectShared, SharingEnded
from aftermind.engine.events import ProjectAliased, ProjectSeen, WordsForgotten
from aftermind.engine.log import Recorded
from aftermind.engine.names import ProjectId, Scope
from aftermind.engine.sqlite import Connection, Write
from aftermind.engine.views.projection import Projection

SCHEMA = """
CREATE TABLE project (id TEXT PRIMARY KEY, name TEXT NOT NULL, event TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE naming (   -- all that was ever said of who is known by what
  alias TEXT NOT NULL, position INTEGER NOT NULL, project TEXT NOT NULL, event TEXT NOT NULL,
  PRIMARY KEY (alias, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX naming_project ON naming (project);
CREATE INDEX naming_event ON naming (event);
CREATE TABLE sharing (project TEXT NOT NULL, sees TEXT NOT NULL, PRIMARY KEY (project, sees)) STRICT, WITHOUT ROWID;
CREATE VIEW alias AS SELECT alias, project FROM naming newest
  WHERE position = (SELECT max(position) FROM naming n WHERE n.alias = newest.alias)
"""
ALIAS = "INSERT OR IGNORE INTO naming VALUES (?, ?, ?, ?)"  # a folder belongs to the repository it holds now
TAKES = (ProjectSeen, ProjectAliased, ProjectShared, SharingEnded, WordsForgotten)


def writes(recorded: Recorded) -> Iterable[Write]:
    event = recorded.draft.event
    match event:
        case ProjectSeen():
            seen = (event.project, event.name, recorded.draft.id)
            yield "INSERT OR IGNORE INTO project VALUES (?, ?, ?)", seen
            yield from _named(recorded, event)
        case ProjectAliased():
            yield from _named(recorded, event)
        case ProjectShared():
            yield "INSERT OR IGNORE INTO sharing VALUES (?, ?)", (event.project, event.sees)
        case SharingEnded():
            yield "DELETE FROM sharing WHERE project = ? AND sees = ?", (event.project, event.sees)
        case WordsForgotten():
            for id in event.quoted_in:
                yield "DELETE FROM project WHERE event = ?", (id,)
                yield "DELETE FROM naming WHERE event = ?", (id,)
        case _:
            return


def _named(recorded: Recorded, event: ProjectSeen | ProjectAliased) -> Iterable[Write]:
    for alias in event.aliases:
        yield ALIAS, (alias, recorded.position, event.project, recorded.draft.id)


PROJECTS = Projection(name="projects", revision=3, schema=SCHEMA, takes=TAKES, writes=writes)


def names(connection: Connection) -> dict[Scope, str]:
    """What each project is called in front of people, by its scope, in the order of the names."""
    return dict(connection.execute("SELECT id, name FROM project ORDER BY name, id").fetchall())


def name_of(connection: Connection, scope: Scope) -> str:
    """What the project of a scope is called; empty for what is global, and for one nobody named."""
    row = connection.execute("SELECT name FROM project WHERE id = ?", (scope,)).fetchone()
    return str(row[0]) if row else ""


def roots_of(connection: Connection, project: ProjectId) -> tuple[str, ...]:
    """What a project's repository is known to have begun with."""
    sql = "SELECT DISTINCT alias FROM naming WHERE project = ? AND alias LIKE 'root:%' ORDER BY alias"
    return tuple(alias for (alias,) in connection.execute(sql, (project,)))


def has_roots_at(connection: Connection, project: ProjectId, alias: str) -> bool:
    """Whether what it began with was said of the project at that place."""
    sql = """SELECT 1 FROM naming place JOIN naming root USING (event)
      WHERE place.alias = ? AND place.project = ? AND root.alias LIKE 'root:%' LIMIT 1"""
    return connection.execute(sql, (alias, project)).fetchone() is not None


def sees(connection: Connection, scope: Scope) -> tuple[Scope, ...]:
    """The other projects whose memories are seen in a project."""
    rows = connection.execute("SELECT sees FROM sharing WHERE project = ? ORDER BY sees", (scope,))
    return tuple(Scope(row[0]) for row in rows)
