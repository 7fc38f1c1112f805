"""What is said and asked of links between memories; it is part of `requests.py`."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from aftermind.cli.language.asked import Within
from aftermind.engine.memories.linking import Stated
from aftermind.engine.names import EventId, Kind, MemoryId, Status


class Linked(Struct, frozen=True, kw_only=True):
    """What one memory has to do with another from now on, or no more. `events`: what says so; `already`: whether that
    was so before."""

    id: MemoryId
    relation: str
    other: MemoryId
    events: tuple[EventId, ...] = ()
    already: bool = False


class Link(Within[Linked], tag="link", frozen=True, kw_only=True):
    """Says that `id` has that relation to `other`: that it `supersedes` the other takes that one out of force.
    `within`: the project from which an assistant asks."""

    id: str
    relation: Stated
    other: str
    evidence: str = ""


class Unlink(Within[Linked], tag="unlink", frozen=True, kw_only=True):
    """Takes back that it is so, whoever or whatever said it."""

    id: str
    relation: Stated
    other: str


class Neighbour(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A memory, what it is reached from, and what that one has to do with it: `of` supports it, is superseded by it.
    `depth`: links from where the walk began. `entity`: what both name."""

    relation: str
    of: MemoryId
    id: MemoryId
    text: str
    kind: Kind
    status: Status
    depth: int
    evidence: str = ""
    entity: str = ""
    event: EventId | None = None


class Neighbourhood(Struct, frozen=True, kw_only=True):
    """What was walked, the nearest first; whether there is `more` than the bounds let through."""

    starts: tuple[MemoryId, ...]
    links: tuple[Neighbour, ...]
    more: bool = False


class Links(Within[Neighbourhood], tag="links", frozen=True, kw_only=True):
    """What is around a memory, an exchange, or whatever names the thing `what`. `breadth`: neighbours of one memory;
    `limit`: links in all; `relations`: only these, under the names of `neighbours.py`. `project`: where a person
    stands who asks for a name, or for a memory of no project."""

    what: str
    depth: int = 1
    breadth: int | None = None
    limit: int | None = None
    relations: tuple[str, ...] = ()
    project: str | None = None


class Hub(Struct, frozen=True, kw_only=True):
    id: MemoryId
    text: str
    links: int


class LinkCounts(Struct, frozen=True, kw_only=True):
    """How many links were said or found, by their relation, and the memories with the most of them."""

    relations: dict[str, int]
    most: tuple[Hub, ...]


class CountLinks(Within[LinkCounts], tag="count-links", frozen=True, kw_only=True):
    """Of what is seen from a project (None: of what is global), or with `all` of the whole store."""

    project: str | None = None
    all: bool = False
    limit: int = 5


Linking: TypeAlias = Link | Unlink | Links | CountLinks
