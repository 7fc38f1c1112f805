"""import, where the file is one of exported events."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import known_place


async def bring(path: Path, arguments: Namespace) -> int:
    from aftermind.cli.carrying.bringing import brought
    from aftermind.cli.carrying.reading import surveyed
    from aftermind.cli.carrying.tally import sentences
    from aftermind.cli.opening import home_of, opened
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.terminal.tables import note, say, show_json
    from aftermind.engine.errors import Unusable

    _fits(arguments)
    project = await _meant(arguments)
    if not arguments.json:
        note(f"{path}: exported events")
    try:
        size = path.stat().st_size
    except OSError as error:
        raise Unusable("no such file", str(path)) from error
    with bar("Reading", size, hidden=arguments.json) as advance:
        survey = surveyed(path, advance, edited=arguments.edited)
    with bar("Importing", size, hidden=arguments.json) as advance:
        done = await brought(
            home_of(arguments),
            survey,
            lambda: opened(arguments, make=not arguments.dry_run),
            advance,
            project=project,
            dry_run=arguments.dry_run,
        )
    if arguments.json:
        show_json(done)
    else:
        for sentence in sentences(done, path):
            say(sentence)
    return 2 if done.unreadable and not done.found else 0


async def _meant(arguments: Namespace) -> str | None:
    """The project that all is to be filed under."""
    from aftermind.cli.opening import NoStore, opened
    from aftermind.cli.places import as_written
    from aftermind.cli.this_folder import is_called_so, meant

    if arguments.scope is None:
        return None
    project = known_place(arguments.scope)
    if not is_called_so(project):  # what is to be taken in may make the store, or take its place: it is opened there
        return as_written(project)
    try:
        async with opened(arguments, make=False) as memory:
            return as_written(await meant(memory, project))
    except NoStore:
        return as_written(await meant(None, project))


def _fits(arguments: Namespace) -> None:
    if arguments.project is not None:
        raise Misused("--project files exchanges; events have a project", hint="--scope PROJECT files them all there")
    if arguments.days is not None:
        raise Misused("--days is for exchanges", hint="`aftermind export --from 3d` exports a part")
    if arguments.follow:
        raise Misused("a file of events does not go on", hint="leave --follow out")
    if arguments.scope is not None and not known_place(arguments.scope).strip():
        raise Misused("--scope needs a name or a folder")
