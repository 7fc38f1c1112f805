"""What is asked of things that texts name, of blockers, and of what forges say; it is part of `requests.py`."""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from msgspec import Struct, field

from aftermind.cli.language.answers import Remembered
from aftermind.cli.language.asked import NoAssistants, Within
from aftermind.cli.language.items import Lease
from aftermind.cli.language.projects import Directive
from aftermind.engine.names import Label, MemoryId, Scope
from aftermind.projections.recalling.lookups.entity import Noted
from aftermind.projections.views.enriched import Enrichment


class Tie(Struct, frozen=True, kw_only=True):
    """What one memory has to do with another, in the words of the link."""

    memory: MemoryId
    relation: str
    other: MemoryId


class Blocker(Struct, frozen=True, kw_only=True):
    """What stands in the way. `refers_to`: the issues and the like it names, whole where that can be told; `on_forge`:
    what their forges said of these."""

    id: MemoryId
    text: str
    at: datetime
    scope: Scope
    resolved: bool = False
    how: str = ""
    """The evidence that it blocks no more."""
    refers_to: tuple[str, ...] = ()
    on_forge: tuple[Enrichment, ...] = ()


class Entity(Struct, frozen=True, kw_only=True):
    """Everything known of one thing in a project. `known_as`: what it is, whole. `more`: memories that are not told."""

    said: str
    kind: str
    known_as: tuple[str, ...]
    on_forge: tuple[Enrichment, ...] = ()
    rules: tuple[Directive, ...] = ()
    blockers: tuple[Blocker, ...] = ()
    memories: tuple[Remembered, ...] = ()
    exchanges: tuple[Remembered, ...] = ()
    checkpoints: tuple[Noted, ...] = ()
    claims: tuple[Lease, ...] = ()
    """Who works on it now."""
    links: tuple[Tie, ...] = ()
    more: int = 0


class TellEntity(Within[Entity], tag="tell-entity", frozen=True, kw_only=True):
    """Everything known of an issue, a merge request, an epic, a file, a symbol, a person, a name: where a text names
    it, never by likeness. At most `limit` of each sort."""

    said: str
    project: str | None = None
    limit: int = 20


class References(Within[tuple[Enrichment, ...]], tag="references", frozen=True, kw_only=True):
    """What forges said of what a memory refers to."""

    id: str


class Blockers(Within[tuple[Blocker, ...]], tag="blockers", frozen=True, kw_only=True):
    """The blockers of a project, or with `all` of every one, the newest first: those that are open, with `resolved`
    those that are not as well; of one thing alone where it is said in `on`."""

    project: str | None = None
    all: bool = False
    resolved: bool = False
    on: str = ""


class Settle(Within[Blocker], tag="settle-blocker", frozen=True, kw_only=True):
    """A blocker blocks no more, and by what evidence; with `reopen`, it blocks again. `which`: its id, or what it and
    no other one names. Refused where that is not one."""

    which: str
    evidence: str = ""
    reopen: bool = False
    project: str | None = None


class Wanted(Struct, frozen=True, kw_only=True):
    """A reference a forge may be asked about: whole, for which project, and when it was asked last."""

    scope: Scope
    reference: str
    project: str = ""
    asked: datetime | None = None

    @property
    def host(self) -> str:
        return self.reference.partition("/")[0]


class Stale(Struct, frozen=True, kw_only=True):
    """What may be asked now, and how long which hosts want to be left alone. `others`: references to hosts that are not
    to be asked, by host."""

    wanted: tuple[Wanted, ...]
    limited: dict[str, datetime]
    fresh: int = 0
    others: dict[str, int] = field(default_factory=dict)


class FindStale(NoAssistants[Stale], tag="find-stale", frozen=True, kw_only=True):
    """What memories refer to on these hosts, and was not asked for so many hours: what was never asked first, of that
    what was said last."""

    hosts: tuple[str, ...]
    hours: float
    project: str | None = None
    limit: int = 50


class Fetched(Struct, frozen=True, kw_only=True):
    """What a forge said."""

    scope: Scope
    reference: str
    what: Label
    state: Label
    title: str = ""
    labels: tuple[str, ...] = ()
    url: str = ""


class Enrich(NoAssistants[int], tag="enrich", frozen=True, kw_only=True):
    """Keeps what forges said, and until when one wants to be left alone; how many references that were."""

    said: tuple[Fetched, ...] = ()
    limited: dict[str, datetime] = field(default_factory=dict)


Entities: TypeAlias = TellEntity | References | Blockers | Settle | FindStale | Enrich
