"""Projects: which there are, which see each other, and which a folder is."""

from __future__ import annotations

from datetime import datetime

from aftermind.cli.answering.filing import looked_up, must_be_known, scope_of, stored_aliases, unknown
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.projects import Join, Joined, Project, Projects, Share, Unshare
from aftermind.cli.places import place_of
from aftermind.cli.repositories import first_commits
from aftermind.engine.errors import Unusable
from aftermind.engine.event_forms.sharing import ProjectShared, SharingEnded
from aftermind.engine.events import ProjectAliased
from aftermind.engine.log import Append
from aftermind.engine.moments import microseconds
from aftermind.engine.names import ProjectId, project_scope, project_stream, sharing_stream
from aftermind.engine.projects import ROOTS, root_aliases
from aftermind.engine.sqlite import Connection
from aftermind.projections.views.projects import name_of, names
from aftermind.projections.views.seen import not_over


async def projects(store: Opened, asked: Projects) -> tuple[Project, ...]:
    now = store.stamp.now()
    if asked.project is None:
        return await store.read(lambda c: tuple(_project(c, ProjectId(one), now) for one in names(c)))
    await must_be_known(store, asked.project)
    id = (await looked_up(store, asked.project)).id
    return () if id is None else (await store.read(lambda c: _project(c, id, now)),)


async def share(store: Opened, asked: Share) -> bool:
    other = await _known(store, asked.other)
    await must_be_known(store, asked.project)
    own = ProjectId(await scope_of(store, asked.project))  # a folder of which nothing was kept yet is one from now on
    if own == other:
        raise Unusable("a project sees its own memories already", asked.other)
    return await _said(store, ProjectShared(project=own, sees=other), when=False)


async def unshare(store: Opened, asked: Unshare) -> bool:
    own, other = await _known(store, asked.project), await _known(store, asked.other)
    return await _said(store, SharingEnded(project=own, sees=other), when=True)


async def _said(store: Opened, event: ProjectShared | SharingEnded, *, when: bool) -> bool:
    """Appends it where that is how it was; whether it is new."""
    id, done = await store.first_id()
    sql = "SELECT 1 FROM sharing WHERE project = ? AND sees = ?"
    async with store.turn:
        was = await store.read(lambda c: c.execute(sql, (event.project, event.sees)).fetchone() is not None)
        if done or was is not when:
            return done
        draft = store.stamp.draft(event, id=id)
        await store.log.append(Append(stream=sharing_stream(event.project), drafts=(draft,)))
    return True


async def join(store: Opened, asked: Join) -> Joined:
    id, done = await store.first_id()
    place = place_of(asked.folder)
    if not place.directory:
        raise Unusable("only a folder can be a project that is known", asked.folder)
    into = await _known(store, asked.project)
    found = await looked_up(store, asked.folder)
    was = found.id
    if (was != into or found.roots) and not done:
        began = root_aliases(await first_commits(place) or ())[:ROOTS]  # else it would be taken for another one there
        draft = store.stamp.draft(ProjectAliased(project=into, aliases=(*stored_aliases(place), *began)), id=id)
        await store.log.append(Append(stream=project_stream(into), drafts=(draft,)))
    now = store.stamp.now()
    before = await store.read(lambda c: _project(c, was, now)) if was is not None and was != into else None
    kept = before if before is not None and before.memories else None
    return Joined(project=await store.read(lambda c: _project(c, into, now)), before=kept)


async def _known(store: Opened, project: str) -> ProjectId:
    if (id := (await looked_up(store, project)).id) is None:
        raise await unknown(store, project)
    return id


def _project(connection: Connection, id: ProjectId, now: datetime) -> Project:
    known = connection.execute("SELECT alias FROM alias WHERE project = ? ORDER BY alias", (id,))
    live = f"SELECT count(*) FROM shelf WHERE scope = :scope AND {not_over()}"
    told = {"scope": project_scope(id), "now": microseconds(now)}
    return Project(
        id=id,
        name=name_of(connection, project_scope(id)),
        aliases=tuple(alias for (alias,) in known),
        memories=connection.execute(live, told).fetchone()[0],
        sees=_named(connection, "project", "sees", id),
        seen_by=_named(connection, "sees", "project", id),
    )


def _named(connection: Connection, own: str, other: str, id: ProjectId) -> dict[ProjectId, str]:
    sql = f"""SELECT s.{other}, coalesce(p.name, '') FROM sharing s LEFT JOIN project p ON p.id = s.{other}
      WHERE s.{own} = ? ORDER BY 2, 1"""
    return {ProjectId(one): name for one, name in connection.execute(sql, (id,))}
