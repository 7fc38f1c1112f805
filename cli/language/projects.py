"""What is asked of standing rules; it is part of `requests.py`."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from aftermind.cli.language.answers import Remembered
from aftermind.cli.language.asked import Asked
from aftermind.engine.names import MemoryId


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


class Directives(Asked[tuple[Directive, ...]], tag="directives", frozen=True, kw_only=True):
    """The rules in force in a project, those that go first at the beginning. With a prompt or command in `at`, those
    that apply then: always, or because their condition holds."""

    project: str | None = None
    at: str = ""
    within: str | None = None
    """The project from which an assistant asks."""


class DropDirective(Asked[Remembered], tag="drop-directive", frozen=True, kw_only=True):
    """A rule holds no more; it goes to the archive, from where it can be restored."""

    id: str
    reason: str = ""
    within: str | None = None


Directing: TypeAlias = Directives | DropDirective
