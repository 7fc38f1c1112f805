"""Which projects see each other's memories, by somebody's explicit word. Part of `events.py`, and under its rules."""

from __future__ import annotations

from typing import TypeAlias

from aftermind.engine.event_forms.parts import Happened
from aftermind.engine.names import ProjectId


class ProjectShared(Happened, frozen=True, tag="project-shared"):
    """From now on the project also sees what belongs to another; that one sees nothing of it for this."""

    project: ProjectId
    sees: ProjectId


class SharingEnded(Happened, frozen=True, tag="sharing-ended"):
    """It sees that one no more."""

    project: ProjectId
    sees: ProjectId


Sharing: TypeAlias = ProjectShared | SharingEnded
