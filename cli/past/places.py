"""Which project is meant, told from the log alone: of a log that is read beside its writer nobody is asked."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.cli.answering.filing import stored_aliases
from aftermind.cli.places import place_of
from aftermind.engine.errors import NotFound, Unusable
from aftermind.engine.events import ProjectAliased, ProjectSeen
from aftermind.engine.log import Recorded
from aftermind.engine.logs.sqlite_log import SqliteLogReader
from aftermind.engine.names import GLOBAL, ProjectId, Scope
from aftermind.engine.projects import former_aliases, known_project


class Projects:
    """Every project a log has seen: what it is called, and what it is known by."""

    def __init__(self, events: Iterable[Recorded]) -> None:
        self.names: dict[ProjectId, str] = {}
        self._known: dict[str, ProjectId] = {}
        for recorded in events:
            event = recorded.draft.event
            if isinstance(event, ProjectSeen):
                self.names.setdefault(event.project, event.name)
            if isinstance(event, ProjectSeen | ProjectAliased):
                self._known |= dict.fromkeys(event.aliases, event.project)

    def name(self, scope: str) -> str:
        """What a scope is called."""
        return self.names.get(ProjectId(scope), scope)

    def scope(self, project: str) -> Scope:
        """The scope of what a person calls a project: an id, a name, a folder. `NotFound` where there is none."""
        if project == GLOBAL or project in self.names:
            return Scope(project)
        place = place_of(project)
        if (id := known_project(stored_aliases(place), self._known, former_aliases(place))) is not None:
            return Scope(id)
        called = [id for id, name in self.names.items() if name.casefold() == project.strip().casefold()]
        if len(called) > 1:
            raise Unusable("several projects have that name", project, hint=f"use the id of one: {', '.join(called)}")
        if not called:
            known = ", ".join(sorted(set(self.names.values()))[:10])
            raise NotFound("project", project, hint=f"known: {known}" if known else "none is known yet")
        return Scope(called[0])


async def projects(log: SqliteLogReader) -> Projects:
    """All that are in a log."""
    return Projects(await log.beginning("project-"))
