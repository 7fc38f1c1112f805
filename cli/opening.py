"""How a command opens the store: where the configuration says, with the thresholds it says."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.cli.config import compute_alone
from aftermind.cli.house import OpenMemory, open_log, open_memory
from aftermind.cli.settings import configuration, policy_of
from aftermind.cli.terminal.arguments import is_folder, other_kind
from aftermind.cli.terminal.tables import note, one_line
from aftermind.engine.errors import AftermindError, NotFound
from aftermind.engine.names import GLOBAL, project_scope
from aftermind.engine.store.derived import POINTER
from aftermind.engine.store.folder import LOG

if TYPE_CHECKING:
    from aftermind.cli.language.answers import Remembered
    from aftermind.engine.logs.sqlite_log import SqliteLogReader

_NAMED = 10
"""Projects that are named to somebody who asked for another."""


class NoStore(AftermindError):
    """A reader came before anything was kept."""

    status = 5
    hint = "`aftermind remember TEXT` makes it; `--home FOLDER` names another"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__(f"there is no store in {folder} yet")


def home_of(arguments: Namespace) -> Path:
    """The store's folder that is meant, whether it is there or not."""
    home = Path(arguments.home) if arguments.home is not None else configuration().home
    return home.expanduser().absolute()


@asynccontextmanager
async def opened(arguments: Namespace, *, make: bool = True) -> AsyncIterator[OpenMemory]:
    """The store, through whoever holds it, or held by this process. Without `make`, `NoStore` where there is none.
    Where the command is asked of the past (`replay`), the store as it was."""
    if (past := getattr(arguments, "past", None)) is not None:
        yield past.memory
        return
    config, home = configuration(), home_of(arguments)
    if not make:
        must_be_there(home)
    compute_alone()
    try:
        policy, model = policy_of(config), config.model.name
        async with open_memory(home, policy=policy, model=model, scoring=config.scoring) as memory:
            yield memory
    except NotFound as error:
        error.hint = other_kind(error.what, error.id) or error.hint
        raise


@asynccontextmanager
async def opened_log(arguments: Namespace) -> AsyncIterator[SqliteLogReader]:
    """The log, to be read beside whoever writes it."""
    home = home_of(arguments)
    must_be_there(home)
    async with open_log(home) as log:
        yield log


async def say_when_unknown(memory: OpenMemory, project: str | Path | None) -> None:
    """Tells who reads from a project by its name that there is none of that name."""
    if not isinstance(project, str) or project == GLOBAL or is_folder(project) or not project.strip():
        return
    known = (await memory.stats()).projects
    if project in known or project.strip().casefold() in map(str.casefold, known.values()):
        return
    names = sorted(set(known.values()), key=str.casefold)
    more = ", …" if len(names) > _NAMED else ""
    told = f"known: {', '.join(names[:_NAMED])}{more}" if names else "none is known"
    note(f"there is no project called {project!r} yet; {told}")


async def whose(memory: OpenMemory, changed: Remembered) -> str:
    """That what was changed is another project's, and how that is taken back: a bare `undo` here would take another
    thing. Empty for what is of the current folder."""
    name = await elsewhere(memory, changed)
    back = f"`aftermind undo {changed.id}` takes that back"
    return f"It is the project {name}'s, and not this one's: {back}." if name else ""


async def elsewhere(memory: OpenMemory, found: Remembered) -> str:
    """The project that a memory belongs to, where that is not the current folder's; empty where it is, or global."""
    from aftermind.cli.language.projects import Projects
    from aftermind.cli.places import as_written

    if found.scope == GLOBAL:
        return ""
    try:
        here = await memory.ask(Projects(project=as_written(Path.cwd())))
    except FileNotFoundError:  # the current folder was removed
        here = ()
    if any(found.scope == project_scope(one.id) for one in here):
        return ""
    names = {project_scope(one.id): one.name for one in await memory.ask(Projects())}
    return one_line(names.get(found.scope, found.scope))


def must_be_there(home: Path) -> None:
    """`NoStore` where there is none. Whatever else may be wrong with the folder is said by who opens it."""
    home = home.expanduser().absolute()
    try:
        (home / LOG).stat()
    except FileNotFoundError:
        if not (home / POINTER).exists():
            raise NoStore(home) from None
    except (OSError, ValueError):
        return
