"""Where things are filed: the scope behind what a client calls its project, the stream behind its session."""

from __future__ import annotations

from datetime import datetime

from aftermind.cli.opened import Opened
from aftermind.cli.places import place_of
from aftermind.engine.errors import Unusable
from aftermind.engine.events import ProjectAliased, ProjectSeen, SessionStarted
from aftermind.engine.log import Append
from aftermind.engine.names import (
    GLOBAL,
    EventId,
    Label,
    ProjectId,
    Scope,
    SessionId,
    project_scope,
    project_stream,
    session_stream,
)
from aftermind.engine.projects import Place, aliases, display_name, known_project, new_project
from aftermind.engine.secrets import mask
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import storable

LONGEST_ID = 200


async def scope_of(store: Opened, project: str | None, at: datetime | None = None) -> Scope:
    """The scope to write to. A project that was not seen before is seen now (or `at`); None is global."""
    if project is None:
        return GLOBAL
    if known := await _by_id(store, project):
        return project_scope(known)
    place = place_of(_named(project))
    found = stored_aliases(place)
    known_aliases = await store.read(lambda c: _known(c, found))
    id = known_project(found, known_aliases) or await _by_name(store, place)
    if id is None:
        id = new_project(found)
        event = ProjectSeen(project=id, name=display_name(place), aliases=found)
        draft = store.stamp.draft(event, id=derive_id(id, "seen"), at=at)
    else:
        here = stored_aliases(Place(directory=place.directory, git_folder=place.git_folder))
        fresh = tuple(
            alias
            for alias in found
            if alias not in known_aliases or (known_aliases[alias] != id and alias in here)  # the folder moved on
        )
        if not fresh:
            return project_scope(id)
        draft = store.stamp.draft(ProjectAliased(project=id, aliases=fresh), at=at)
    await store.log.append(Append(stream=project_stream(id), drafts=(draft,)))
    return project_scope(id)


async def scopes_of(store: Opened, project: str | None) -> tuple[Scope, ...]:
    """The scopes to read from: what is global, and the project's when it is known. Writes nothing."""
    if project is None:
        return (GLOBAL,)
    known = await _by_id(store, project)
    if known is None:
        place = place_of(_named(project))
        found = stored_aliases(place)
        known = known_project(found, await store.read(lambda c: _known(c, found))) or await _by_name(store, place)
    return (GLOBAL,) if known is None else (GLOBAL, project_scope(known))


async def started(
    store: Opened,
    session: str,
    scope: Scope,
    client: str = "",
    project: str | None = None,
    at: datetime | None = None,
) -> SessionId:
    """The session's id, with its first event recorded. The same session twice is one session."""
    id = session_id(session)
    event = SessionStarted(session=id, scope=scope, client=client_label(client), directory=_directory(project))
    draft = store.stamp.draft(event, id=derive_id(id, "started"), at=at)
    await store.log.append(Append(stream=session_stream(id), drafts=(draft,)))
    return id


def _directory(project: str | None) -> str:
    """The folder a session works in; empty where the client only named its project."""
    return place_of(project).directory if project is not None else ""


def session_id(session: str) -> SessionId:
    """The client's own id where it is one; anything else (spaces, control characters, overlong) becomes one."""
    if not session.strip():
        raise Unusable("a session needs an id", session)
    plain = (
        mask(session) == session
        and session.isascii()
        and session.isprintable()
        and " " not in session
        and len(session) <= LONGEST_ID
    )
    return SessionId(session if plain else "s" + derive_id(session, "session"))


def client_label(client: str) -> Label:
    """The client's name, short and without anything that is not one."""
    return Label(mask(storable(client))[:60])


def exchange_id(scope: Scope, session: SessionId, message: str) -> EventId:
    """The exchange's id from the id the client gives its message: the same message of the same session is the same
    exchange. Two projects may use one session id."""
    return derive_id(session, f"exchange {scope} {message}")


def _named(project: str) -> str:
    if not project.strip():
        raise Unusable("a project needs a name or a folder", project)
    return project


async def _by_id(store: Opened, project: str) -> ProjectId | None:
    """A project may also be called by its id."""
    sql = "SELECT id FROM project WHERE id = ?"
    row = await store.read(lambda c: c.execute(sql, (storable(project),)).fetchone())
    return ProjectId(row[0]) if row else None


def stored_aliases(place: Place) -> tuple[str, ...]:
    """The aliases as the log keeps them. One that is no valid text, or holds a secret, is kept as its digest."""
    found = aliases(place)
    return tuple(a if a == mask(storable(a)) else f"digest:{derive_id(a, 'alias')}" for a in found)


async def _by_name(store: Opened, place: Place) -> ProjectId | None:
    """The one project that is called so in front of people; `Unusable` when several are."""
    if not place.name:
        return None
    rows = await store.read(lambda c: c.execute("SELECT id, name FROM project").fetchall())
    called = [id for id, name in rows if name.casefold() == place.name.strip().casefold()]
    if len(called) > 1:
        raise Unusable("several projects have that name", place.name, hint=f"use the id of one: {', '.join(called)}")
    return ProjectId(called[0]) if called else None


def _known(connection: Connection, found: tuple[str, ...]) -> dict[str, ProjectId]:
    marks = ", ".join("?" * len(found))
    same = f"SELECT project FROM alias WHERE alias IN ({marks})"
    rows = connection.execute(f"SELECT alias, project FROM alias WHERE project IN ({same})", found)
    return {alias: ProjectId(project) for alias, project in rows}
