"""Where things are filed: the scope behind what a client calls its project, the stream behind its session."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import anyio
from msgspec import Struct, structs

from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.ids import client_label, session_id
from aftermind.cli.places import folder_of, place_of
from aftermind.cli.repositories import AGAIN, Look, first_commits, has_one_of, heads_of, seen_as
from aftermind.engine.errors import NotFound, Unusable
from aftermind.engine.events import ProjectAliased, ProjectSeen, SessionStarted
from aftermind.engine.log import Append
from aftermind.engine.masking.secrets import mask
from aftermind.engine.names import (
    GLOBAL,
    EventId,
    ProjectId,
    Scope,
    SessionId,
    project_scope,
    project_stream,
    session_stream,
)
from aftermind.engine.projects import (
    ROOTS,
    Place,
    aliases,
    display_name,
    former_aliases,
    known_project,
    new_project,
    root_aliases,
    same_repository,
)
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import storable
from aftermind.projections.views import pauses
from aftermind.projections.views.projects import PROJECTS, has_roots_at, names, roots_of, sees

NOWHERE = Scope("nowhere")
"""Of a project that nobody knows: nothing is there, and nothing of anybody else's."""
_MOST_NAMED = 10
"""Projects that are named to somebody who asked for another."""


class _Project(Struct, frozen=True, kw_only=True):
    """A project that was asked for. Without an id it is a new one."""

    place: Place
    aliases: tuple[str, ...]
    id: ProjectId | None
    by_its_id: bool = False
    roots: tuple[str, ...] = ()
    """What its history began with, where it had to be looked at: the project is not known by it, or by nothing else."""
    known: dict[str, ProjectId] = {}
    """Every alias of the projects that share one with it."""
    instead_of: ProjectId | None = None
    """Whose its folder was, which holds another repository now."""
    sees: tuple[Scope, ...] = ()
    """The other projects whose memories are seen in it."""


async def scope_of(store: Opened, project: str | None, at: datetime | None = None) -> Scope:
    """The scope to write to. A project that was not seen before is seen now (or `at`); None is global."""
    return (await _filed(store, project, at))[0]


async def begun(
    store: Opened, session: str, project: str | None, client: str = "", at: datetime | None = None
) -> tuple[Scope, SessionId]:
    """The scope to write to, as `scope_of`, and the id of the session there, with its first event recorded. The same
    session twice is one session."""
    scope, directory = await _filed(store, project, at)
    return scope, await _started(store, session, scope, client, directory, at)


async def _filed(store: Opened, project: str | None, at: datetime | None) -> tuple[Scope, str]:
    """The scope to write to, and the folder that was meant; empty where a project was only named."""
    if project is None:
        return GLOBAL, ""
    asked = await looked_up(store, project)
    if asked.id is None:
        id = new_project(asked.aliases, asked.roots, instead_of=asked.instead_of)
        event = ProjectSeen(project=id, name=display_name(asked.place), aliases=(*asked.aliases, *asked.roots))
        draft = store.stamp.draft(event, id=_not_erased(store, derive_id(id, "seen")), at=at)
    else:
        id = asked.id
        here = stored_aliases(Place(directory=asked.place.directory, git_folder=asked.place.git_folder))
        fresh = tuple(
            alias
            for alias in asked.aliases
            if alias not in asked.known or (asked.known[alias] != id and alias in here)  # the folder moved on
        )
        if asked.by_its_id or not (fresh or asked.roots):
            return project_scope(id), asked.place.directory
        known = dict.fromkeys((*fresh, *here, *asked.roots) if asked.roots else fresh)
        draft = store.stamp.draft(ProjectAliased(project=id, aliases=tuple(known)), at=at)
    await store.log.append(Append(stream=project_stream(id), drafts=(draft,)))
    return project_scope(id), asked.place.directory


async def _still_itself(store: Opened, asked: _Project, id: ProjectId) -> _Project:
    """The same, unless its folder holds another repository now, which shares no remote with the one before: its history
    began otherwise, or not yet, and it has no commit that the other began with. With what it began with, where that is
    not kept yet: most are seen before their first commit."""
    began = await store.known(PROJECTS, roots_of, id)
    shared = [alias for alias in asked.aliases if asked.known.get(alias) == id]
    if began and not all(alias.startswith(("git:", "path:")) for alias in shared):
        return asked
    folder, now = asked.place.git_folder, anyio.current_time()
    (git,) = stored_aliases(Place(git_folder=folder))
    kept = bool(began) and await store.known(PROJECTS, has_roots_at, id, git)
    seen, heads = seen_as(folder), heads_of(folder)
    look = store.meanwhile.looks.get((id, folder))
    if look is None or look.seen != seen or look.heads not in ((), heads) or look.until < now:
        commits = await first_commits(asked.place)
        roots = root_aliases(commits or ())
        grown = look is not None and look.seen == seen and look.was_empty
        until = math.inf if commits is not None else now + AGAIN
        if not began:
            if (back := await _came_back(store, asked, id, git, roots)) is not None:
                return back
            others = await _beginnings(asked, id) if roots else ()
            look = Look(seen=seen, heads=heads, until=until, roots=(*roots[:ROOTS], *others))
        else:
            has = bool(set(roots) & set(began)) or await has_one_of(asked.place, [_commit(root) for root in began])
            if has is False and (not grown if roots else kept):
                return structs.replace(asked, id=None, sees=(), roots=roots, instead_of=id)
            if has:
                look = Look(seen=seen, roots=roots[:ROOTS])
            else:
                look = Look(seen=seen, heads=heads, until=now + AGAIN if has is None else until, roots=roots[:ROOTS])
        store.meanwhile.looks[id, folder] = look
    return asked if kept else structs.replace(asked, roots=look.roots)


async def _came_back(
    store: Opened, asked: _Project, not_as: ProjectId, git: str, roots: Sequence[str]
) -> _Project | None:
    """The place as another project's that lay there before, and lies nowhere else now."""
    began = await store.read(lambda c: _began_so(c, roots, named=git)) if roots else {}
    began.pop(not_as, None)
    id = await _lain_elsewhere(store, asked.place, began)
    return None if id is None else await _is(store, asked, id, roots)


async def _beginnings(asked: _Project, id: ProjectId) -> tuple[str, ...]:
    """How the project's other repositories began: somebody may have joined them."""
    folders = {alias.removeprefix("git:") for alias, project in asked.known.items() if project == id and _is_git(alias)}
    found = [await first_commits(Place(git_folder=one)) for one in sorted(folders - {asked.place.git_folder})]
    return tuple(root for commits in found for root in root_aliases(commits or ())[:ROOTS])


def _is_git(alias: str) -> bool:
    return alias.startswith("git:")


def _commit(root: str) -> str:
    return root.removeprefix("root:")


async def _by_its_beginning(store: Opened, asked: _Project) -> _Project:
    """The same, of a place that nothing is known of but what its history may tell. Who only asks is answered by that
    too, and in a project that is paused is kept silent: a repository that moved is the same before anything is
    written there."""
    roots = asked.roots or root_aliases(await first_commits(asked.place) or ())
    if not roots:
        return asked
    began = await store.read(lambda c: _began_so(c, roots))
    id = await _lain_elsewhere(store, asked.place, began)
    return structs.replace(asked, roots=roots[:ROOTS]) if id is None else await _is(store, asked, id, roots)


async def _lain_elsewhere(store: Opened, place: Place, began: Mapping[ProjectId, Sequence[str]]) -> ProjectId | None:
    """The project that a place is by how it began, and by where its repositories lie now: a folder of which git says
    that it holds another one is none of its own."""
    left: set[str] = set()
    for project, known in began.items():
        commits = [_commit(root) for root in await store.known(PROJECTS, roots_of, project)]
        for folder in [alias.removeprefix("git:") for alias in known if _is_git(alias)]:
            if await has_one_of(Place(git_folder=folder), commits) is False:
                left.add(folder)
    return same_repository(place, began, lambda folder: folder not in left and Path(folder).exists())


async def _is(store: Opened, asked: _Project, id: ProjectId, roots: Sequence[str]) -> _Project:
    others = await store.read(lambda c: sees(c, project_scope(id)))
    return structs.replace(asked, id=id, roots=tuple(roots[:ROOTS]), sees=others)


def _began_so(connection: Connection, roots: Sequence[str], named: str = "") -> dict[ProjectId, list[str]]:
    """Every project that is known by one of these commits, and was ever known by that name, with its aliases; the
    newest first."""
    marks = ", ".join("?" * len(roots))
    sql = f"SELECT project FROM naming WHERE alias IN ({marks}) GROUP BY project ORDER BY max(position) DESC"
    found = [project for (project,) in connection.execute(sql, tuple(roots))]
    if named:
        had = {one for (one,) in connection.execute("SELECT project FROM naming WHERE alias = ?", (named,))}
        found = [one for one in found if one in had]
    known = "SELECT alias FROM alias WHERE project = ? ORDER BY alias"
    return {ProjectId(one): [alias for (alias,) in connection.execute(known, (one,))] for one in found}


async def scopes_of(store: Opened, project: str | None) -> tuple[Scope, ...]:
    """The scopes a project is made of: what is global, and its own when it is known, which stands last. Writes
    nothing."""
    if project is None:
        return (GLOBAL,)
    return own_scopes(project_scope((await looked_up(store, project)).id))


async def must_be_known(store: Opened, project: str | None) -> None:
    """`NotFound` for a name that nobody knows: who asks for something of a project that is there may have misspelt it.
    A folder may be one that nothing was kept of yet."""
    if project is None or folder_of(_named(project)) is not None or (await looked_up(store, project)).id is not None:
        return
    raise await unknown(store, project)


async def unknown(store: Opened, project: str) -> NotFound:
    """What is said of a project that nobody knows: which are known."""
    called = sorted(set((await store.read(names)).values()), key=str.casefold)
    told = f"known: {', '.join(called[:_MOST_NAMED])}" if called else "none is known yet"
    return NotFound("project", project, hint=f"{told}; `aftermind project list` shows all")


async def own_scope(store: Opened, project: str | None) -> Scope:
    """The scope of what is a project's own; None is global. Writes nothing: of one that nobody knows it is
    `NOWHERE`."""
    scope = (await scopes_of(store, project))[-1]
    return NOWHERE if scope == GLOBAL and project is not None else scope


async def known_scope(store: Opened, project: str | None) -> Scope:
    """The same where something is to be done with what is there: `NotFound` for a name that nobody knows."""
    await must_be_known(store, project)
    return await own_scope(store, project)


async def scope_asked_for(store: Opened, project: str) -> Scope:
    """The same where all that is global is asked for by that word."""
    return GLOBAL if project == GLOBAL else await known_scope(store, project)


async def seen_of(store: Opened, project: str | None) -> tuple[Scope, ...]:
    """The scopes to read from: those a project is made of, and between them those it was said to see as well."""
    if project is None:
        return (GLOBAL,)
    asked = await looked_up(store, project)
    return await _open(store, seen_from(store, project_scope(asked.id)))


async def seen_by(store: Opened, scope: Scope) -> tuple[Scope, ...]:
    """The same of a scope that an event names."""
    others = await store.read(lambda c: sees(c, scope)) if scope != GLOBAL else ()
    return own_scopes(scope) if not others else await _open(store, (GLOBAL, *others, scope))


async def seen_in(store: Opened, scope: Scope) -> tuple[Scope, ...]:
    """The same of a scope that was just `scope_of` a project."""
    return await _open(store, seen_from(store, scope))


async def _open(store: Opened, seen: tuple[Scope, ...]) -> tuple[Scope, ...]:
    """Without other projects that are paused: nothing of them is shown anywhere."""
    if len(seen) < 3:
        return seen
    now = store.stamp.now()
    closed = {pause.scope for pause in await store.known(pauses.PAUSES, pauses.known) if pause.holds(now)}
    return (GLOBAL, *(scope for scope in seen[1:-1] if scope not in closed), seen[-1])


def own_scopes(scope: Scope) -> tuple[Scope, ...]:
    """What is global, and a project's own."""
    return (GLOBAL,) if scope == GLOBAL else (GLOBAL, scope)


def seen_from(store: Opened, scope: Scope) -> tuple[Scope, ...]:
    """The scopes whose memories are seen in a scope, by what was known when its project was last looked up."""
    return own_scopes(scope) if scope == GLOBAL else (GLOBAL, *store.meanwhile.sharing.get(scope, ()), scope)


async def started(
    store: Opened, session: str, scope: Scope, client: str = "", project: str | None = None, at: datetime | None = None
) -> SessionId:
    """The id of a session in a scope that is known already, with its first event recorded."""
    directory = place_of(project).directory if project is not None else ""
    return await _started(store, session, scope, client, directory, at)


async def _started(
    store: Opened, session: str, scope: Scope, client: str, directory: str, at: datetime | None
) -> SessionId:
    id = session_id(session)
    event = SessionStarted(session=id, scope=scope, client=client_label(client), directory=directory)
    draft = store.stamp.draft(event, id=_not_erased(store, derive_id(id, "started")), at=at)
    await store.log.append(Append(stream=session_stream(id), drafts=(draft,)))
    return id


def _not_erased(store: Opened, id: EventId) -> EventId:
    """The id of what is said once, and once more where that was forgotten."""
    while store.is_gone(id):
        id = derive_id(id, "again")
    return id


def _named(project: str) -> str:
    if not project.strip():
        raise Unusable("a project needs a name or a folder", project)
    return project


def stored_aliases(place: Place) -> tuple[str, ...]:
    """The aliases as the log keeps them. One that is no valid text, or holds a secret, is kept as its digest."""
    found = aliases(place)
    return tuple(a if a == mask(storable(a)) else f"digest:{derive_id(a, 'alias')}" for a in found)


async def looked_up(store: Opened, project: str) -> _Project:
    """What the project that is meant is known as, in one read; in two where that tells nothing of a repository."""
    place = place_of(_named(project))
    found = stored_aliases(place)
    asked = await store.known(PROJECTS, _project, storable(project), place, found)
    if place.git_folder and asked.id is not None:
        asked = await _still_itself(store, asked, asked.id)
    if asked.id is None and place.git_folder:
        asked = await _by_its_beginning(store, asked)
    if asked.id is not None:
        store.meanwhile.sharing[project_scope(asked.id)] = asked.sees
    return asked


def _project(connection: Connection, project: str, place: Place, found: tuple[str, ...]) -> _Project:
    by_id = connection.execute("SELECT id FROM project WHERE id = ?", (project,)).fetchone()
    if by_id is not None:
        own = ProjectId(by_id[0])
        return _Project(place=place, aliases=found, id=own, by_its_id=True, sees=sees(connection, project_scope(own)))
    marks = ", ".join("?" * len(found))
    same = f"SELECT project FROM alias WHERE alias IN ({marks})"
    rows = connection.execute(f"SELECT alias, project FROM alias WHERE project IN ({same})", found)
    known = {alias: ProjectId(id) for alias, id in rows}
    id = known_project(found, known, former_aliases(place)) or _by_name(connection, place)
    others = sees(connection, project_scope(id)) if id is not None else ()
    return _Project(place=place, aliases=found, id=id, known=known, sees=others)


def _by_name(connection: Connection, place: Place) -> ProjectId | None:
    """The one project that is called so in front of people; `Unusable` when several are."""
    if not place.name:
        return None
    called = [id for id, name in names(connection).items() if name.casefold() == place.name.strip().casefold()]
    if len(called) > 1:
        raise Unusable("several projects have that name", place.name, hint=f"use the id of one: {', '.join(called)}")
    return ProjectId(called[0]) if called else None
