"""session export: sessions as Markdown, for people and other tools."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import project_or_all

if TYPE_CHECKING:
    from pathlib import Path

    from aftermind.cli.language.sessions import Told
    from aftermind.cli.open_memory import OpenMemory


async def export(arguments: Namespace) -> int:
    from aftermind.cli.carrying.pages.telling import session_told
    from aftermind.cli.language.projects import Projects
    from aftermind.cli.opening import opened
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import show_json, show_text

    project, everything = project_or_all(arguments)
    if arguments.pages:
        return await _regrown(arguments)
    if arguments.to is None and len(arguments.session) > 1:
        raise Misused("several sessions go into a folder", hint="name one with --to")
    async with opened(arguments, make=False) as memory:
        if not everything and not arguments.session:
            await memory.ask(Projects(project=as_written(project)))  # `NotFound` for a name that nobody knows
        if arguments.to is not None:
            return await _into_folder(arguments, memory, project, everything)
        named = arguments.session or await _last(memory, project, everything)
        told = await _told(memory, named[0])
    if arguments.json:
        show_json({"session": told.session.id, "markdown": session_told(told)})
    else:
        show_text(session_told(told).rstrip("\n"))
    return 0


async def _regrown(arguments: Namespace) -> int:
    from aftermind.cli.language.sessions import RegrowPages
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.tables import counted, say, show_json

    if arguments.session or arguments.to is not None:
        raise Misused("--pages is all of them, in the store", hint="leave out the sessions, and --to")
    async with opened(arguments, make=False) as memory:
        grown = await memory.ask(RegrowPages())
    if arguments.json:
        show_json(grown)
    else:
        say(f"{counted(grown.pages, 'page')} in {grown.folder}")
    return 0


async def _last(memory: OpenMemory, project: str | Path | None, everything: bool) -> Sequence[str]:
    from aftermind.cli.language.sessions import LIST
    from aftermind.engine.errors import NoneYet

    if not (found := await _ids(memory, project, everything, 1)):
        where = "in any project" if everything else "outside of projects" if project is None else "in this project"
        raise NoneYet("session", where, hint=LIST)
    return found


async def _ids(memory: OpenMemory, project: str | Path | None, everything: bool, limit: int) -> list[str]:
    from aftermind.cli.language.sessions import ListSessions
    from aftermind.cli.places import as_written

    asked = ListSessions(project=as_written(project), all=everything, limit=limit)
    return [one.id for one in await memory.ask(asked)]


async def _told(memory: OpenMemory, session: str, within: str | None = None) -> Told:
    from aftermind.cli.language.sessions import ShowSession

    return await memory.ask(ShowSession(session=session, git=False, within=within))


async def _into_folder(arguments: Namespace, memory: OpenMemory, project: str | Path | None, everything: bool) -> int:
    """What is gone from the store goes there as well, where all of it is written."""
    from pathlib import Path

    from anyio import to_thread

    from aftermind.cli.carrying.pages.telling import folder_of, page_name, session_told
    from aftermind.cli.carrying.pages.tree import Tree
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.terminal.tables import counted, note, say, show_json
    from aftermind.engine.views.numbers import LARGEST

    ids = arguments.session or await _ids(memory, project, everything, LARGEST)
    within = None if everything or arguments.session else as_written(project)  # of a project what was said in it
    tree = await to_thread.run_sync(Tree, Path(arguments.to))
    with bar("Writing", len(ids), hidden=arguments.json) as advance:
        for id in ids:
            told = await _told(memory, id, within)
            advance(1)
            if not (told.turns or told.stands):
                continue  # there is nothing to tell, or it was forgotten
            folder = PurePosixPath(folder_of(told))
            await to_thread.run_sync(tree.put, folder / f"{page_name(told)}.md", session_told(told))
    done = await to_thread.run_sync(lambda: tree.finish(all_of_it=everything and not arguments.session))
    if arguments.json:
        show_json(done)
        return 0
    same = f"{done.same:,} as {'it was' if done.same == 1 else 'they were'}"
    say(f"{counted(done.written, 'page')} written, {same}, {done.removed:,} taken away.")
    for name in done.left:
        note(f"{name} was edited, or is somebody else's: left as it is")
    return 0
