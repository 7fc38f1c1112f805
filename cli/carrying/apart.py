"""Projects of a file that are others here, though they have the same id: two repositories that lie at the same path on
two machines have it, for it is made of the path. Each of the file's becomes a project of its own, as under a `--scope`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from aftermind.cli.carrying.mapping import event_id
from aftermind.cli.carrying.reading import Named, Survey
from aftermind.cli.language.projects import Project, Projects
from aftermind.cli.open_memory import OpenMemory
from aftermind.cli.repositories import first_commits
from aftermind.engine.events import ProjectAliased, ProjectSeen
from aftermind.engine.logs.chain import Link
from aftermind.engine.names import EventId, Position, ProjectId, Scope, StreamName, Version, project_stream
from aftermind.engine.projects import Place, root_aliases, same_by_both
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import from_bytes, to_bytes

NOTHING = Named()
"""What a file says of a project that it does not name."""


class Apart(Struct, frozen=True, kw_only=True):
    """A project of the file that is another one here, and the one that it becomes."""

    project: ProjectId
    there: str
    own: ProjectId
    name: str
    at: int
    """When it was first seen; 0 where the file does not say."""


class Compared(Struct, frozen=True, kw_only=True):
    """`untold`: what the projects are called of which nothing says whether they are one here and there."""

    apart: tuple[Apart, ...] = ()
    untold: tuple[str, ...] = ()


async def compared(memory: OpenMemory, survey: Survey) -> Compared:
    """The file's projects beside those of their ids that are here. One that was found to be another stays that, also
    where a later part of its store's events does not say what it is known by."""
    here = {one.id: one for one in await memory.ask(Projects())}
    store = survey.header.store if survey.header is not None else ""
    apart, untold = [], []
    for id, mine in here.items():
        theirs = survey.projects.get(id, NOTHING)
        own = ProjectId("p" + derive_id(f"{id} {store or ' '.join(sorted(theirs.aliases))}", "another project")[:20])
        same = same_by_both(await _known_by(mine), theirs.aliases) if theirs is not NOTHING else True
        if own in here or same is False:
            there = theirs.name or mine.name
            apart.append(Apart(project=id, there=there, own=own, name=f"{there}-{own[1:5]}", at=theirs.at))
        elif same is None:
            untold.append(mine.name)
    return Compared(apart=tuple(apart), untold=tuple(untold))


async def _known_by(mine: Project) -> Collection[str]:
    """With how its repositories began, where that was not kept yet."""
    if any(alias.startswith("root:") for alias in mine.aliases):
        return mine.aliases
    folders = [alias.removeprefix("git:") for alias in mine.aliases if alias.startswith("git:")]
    roots = [root_aliases(await first_commits(Place(git_folder=folder)) or ()) for folder in folders]
    return {*mine.aliases, *(root for one in roots for root in one)}


def first_seen(apart: Apart) -> Link:
    """The event with which the project begins here. It is known by its name alone: all else would be taken from what
    lies here."""
    event = ProjectSeen(project=apart.own, name=apart.name, aliases=(f"name:{apart.name.casefold()}",))
    return Link(
        position=Position(1),
        id=event_id(EventId(apart.own), Scope("seen")),
        stream=project_stream(apart.own),
        version=Version(1),
        tag="project-seen",
        at=apart.at,
        noted=apart.at,
        because=None,
        salt=b"",
        payload=to_bytes(event),
        digest=b"",
        seal=b"",
    )


class Sorting:
    """One pass over a file, in which each event is told the project it is filed under; None: as it is. A memory and a
    book are of the project they were first said in, with all that became of them."""

    def __init__(self, apart: Sequence[Apart]) -> None:
        self._own: Mapping[str, ProjectId] = {one.project: one.own for one in apart}
        self._streams: dict[StreamName, Scope] = {}
        self._exchanges: dict[EventId, Scope] = {}

    def project(self, link: Link) -> ProjectId | None:
        return self._own.get(self._scope(link)) if self._own else None

    def _scope(self, link: Link) -> Scope:
        event, stream = from_bytes(link.tag, link.payload), link.stream
        if isinstance(event, ProjectSeen | ProjectAliased):
            return Scope(event.project)
        own: Scope | None = getattr(event, "scope", None)
        if stream.startswith(("memory-", "book-")):
            return self._streams.setdefault(stream, own) if own is not None else self._streams.get(stream, Scope(""))
        if own is not None:
            self._streams[stream] = self._exchanges[link.id] = own
            return own
        return self._exchanges.get(getattr(event, "exchange", EventId("")), self._streams.get(stream, Scope("")))
