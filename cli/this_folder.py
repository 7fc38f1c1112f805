"""What `--project NAME` means to who keeps something in a folder of that name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.cli.language.projects import Projects
from aftermind.cli.places import as_written, place_of
from aftermind.cli.terminal.arguments import is_folder
from aftermind.engine.errors import NotFound, Unusable
from aftermind.engine.names import Scope, project_scope
from aftermind.engine.projects import Place, display_name

if TYPE_CHECKING:
    from aftermind.cli.house import OpenMemory


async def meant(memory: OpenMemory | None, project: str | Path | None) -> str | Path | None:
    """Where something is to be kept: a name that nobody knows yet is the current repository's, where that is called so.
    Else it would be another project, of which nothing is seen here. A folder that is no repository is known by nothing
    but its path, which a name may be said to avoid; and a name that is known means what it did."""
    here = _called(project)
    if here is None or not here.git_folder:
        return project
    try:
        if memory is not None:
            await memory.ask(Projects(project=str(project)))
            return project
    except NotFound:
        pass
    return Path.cwd()


async def is_elsewhere(memory: OpenMemory, project: str | Path | None, scope: Scope) -> str:
    """That what was kept in a project of the folder's name is not the folder's; empty where it is, or has another
    name."""
    if _called(project) is None:
        return ""
    here = await memory.ask(Projects(project=as_written(Path.cwd())))
    if any(project_scope(one.id) == scope for one in here):
        return ""
    return (
        "The folder you are in has that name, and is another project: `--project .`, or no --project, means it; "
        f"`aftermind project join {scope}` makes it that one."
    )


def is_called_so(project: str | Path | None) -> bool:
    """Whether the current folder is called as the project is."""
    return _called(project) is not None


def _called(project: str | Path | None) -> Place | None:
    """The place that the current folder is, where it is called as the project is."""
    if not isinstance(project, str) or is_folder(project):
        return None
    try:
        here = place_of(Path.cwd())
    except (FileNotFoundError, Unusable):  # it was removed, or may not be looked at
        return None
    return here if display_name(here).casefold() == project.strip().casefold() else None
