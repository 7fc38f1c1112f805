"""What is asked of standing rules and of projects; it is part of `requests.py`."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from aftermind.cli.language.answers import Remembered
from aftermind.cli.language.asked import NoAssistants, Within
from aftermind.engine.names import MemoryId, ProjectId


class Directive(Struct, frozen=True, kw_only=True):
    """A rule in force. `on`, `within` and `about`: when it applies, none of them for always. `notes`: its scope, and
    which other rule it goes before, gives way to or contradicts."""

    id: MemoryId
    text: str
    on: tuple[str, ...]
    within: tuple[str, ...]
    about: tuple[str, ...]
    notes: tuple[str, ...]
    memory: Remembered
    why: str = ""
    """Of those that apply at a moment: `on push`."""


class Directives(Within[tuple[Directive, ...]], tag="directives", frozen=True, kw_only=True):
    """The rules in force in a project, those that go first at the beginning. With a prompt or command in `at`, those
    that apply then: always, or because their condition holds."""

    project: str | None = None
    at: str = ""


class DropDirective(Within[Remembered], tag="drop-directive", frozen=True, kw_only=True):
    """A rule holds no more; it goes to the archive, from where it can be restored."""

    id: str
    reason: str = ""


class Project(Struct, frozen=True, kw_only=True):
    """A project, all it is known by, and by their ids and names those it sees and those that see it."""

    id: ProjectId
    name: str
    aliases: tuple[str, ...]
    memories: int
    sees: dict[ProjectId, str]
    seen_by: dict[ProjectId, str]


class Projects(NoAssistants[tuple[Project, ...]], tag="projects", frozen=True, kw_only=True):
    """All there are by their names, or the one that is meant; none where nobody knows it."""

    project: str | None = None


class Share(NoAssistants[bool], tag="share", frozen=True, kw_only=True):
    """From now on a project also sees what belongs to `other`; whether that is new. That one sees nothing for it."""

    project: str
    other: str


class Unshare(NoAssistants[bool], tag="unshare", frozen=True, kw_only=True):
    """It sees that one no more; whether it did."""

    project: str
    other: str


class Joined(Struct, frozen=True, kw_only=True):
    """Which project a place is now, and which it was before, where that has memories."""

    project: Project
    before: Project | None = None


class Join(NoAssistants[Joined], tag="join", frozen=True, kw_only=True):
    """A folder is a known project: it moved, was renamed or cloned without a trace of where it came from."""

    folder: str
    project: str


Directing: TypeAlias = Directives | DropDirective | Projects | Share | Unshare | Join
