"""Projects: the one id behind all the paths, remotes and names it is known by."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.events import ProjectAliased, ProjectSeen
from aftermind.engine.log import Recorded
from aftermind.engine.sqlite import Write
from aftermind.engine.views import Projection

SCHEMA = """
CREATE TABLE project (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE alias (alias TEXT PRIMARY KEY, project TEXT NOT NULL) STRICT, WITHOUT ROWID
"""
ALIAS = "INSERT OR REPLACE INTO alias VALUES (?, ?)"  # a folder belongs to the repository it holds now


def writes(recorded: Recorded) -> Iterable[Write]:
    event = recorded.draft.event
    match event:
        case ProjectSeen():
            yield "INSERT OR IGNORE INTO project VALUES (?, ?)", (event.project, event.name)
            for alias in event.aliases:
                yield ALIAS, (alias, event.project)
        case ProjectAliased():
            for alias in event.aliases:
                yield ALIAS, (alias, event.project)
        case _:
            return


PROJECTS = Projection(name="projects", revision=1, schema=SCHEMA, writes=writes)
