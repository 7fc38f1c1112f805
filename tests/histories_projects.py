"""What hypothesis may have said of projects; part of `histories.py`."""

from __future__ import annotations

from aftermind.engine.events import Known, ProjectAliased, ProjectSeen
from aftermind.engine.names import ProjectId, StreamName, project_stream, sharing_stream
from aftermind.engine.sharing import ProjectShared, SharingEnded


def told_of_projects(step: str, one: int, two: int, text: str) -> tuple[StreamName, Known]:
    """Of a `project` what it is known by, of a `share` whom it sees or sees no more."""
    if step == "share":
        pair = ProjectId(f"p{one % 2}"), ProjectId(f"p{2 + two % 2}")
        said = SharingEnded if text else ProjectShared
        return sharing_stream(pair[0]), said(project=pair[0], sees=pair[1])
    aliases, project = (f"path:/{one}", f"name:{two}"), ProjectId("p1")
    form = ProjectSeen(project=project, name=text, aliases=aliases) if one % 2 else None
    return project_stream(project), form or ProjectAliased(project=project, aliases=aliases)
