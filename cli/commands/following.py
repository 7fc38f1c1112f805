"""import --follow: what OpenCode's database gets that no plugin told of, until Ctrl-C."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused

if TYPE_CHECKING:
    from datetime import datetime

    from aftermind.cli.importing.following import Following
    from aftermind.engine.stamp import Stamp

POLL = 2.0
"""Seconds between two looks; of a database that did not change, at two files' facts."""


def database() -> Path:
    """OpenCode's own, of this user."""
    from aftermind.cli.config import of_others
    from aftermind.cli.importing import opencode

    return opencode.database(of_others("XDG_DATA_HOME") or Path.home() / opencode.USUAL)


def transcripts() -> Path:
    """Where Claude Code keeps those of this user."""
    from aftermind.cli.config import of_others

    return (of_others("CLAUDE_CONFIG_DIR") or Path.home() / ".claude") / "projects"


OWN = {"claude-code": transcripts, "opencode": database}
"""Assistants whose exchanges are imported by their name, and where they keep them."""


def is_own(path: Path) -> bool:
    """Whether that names an assistant, and no file is called so."""
    return str(path) in OWN and not path.exists()


def source(path: Path, elsewhere: Path | None = None) -> Path:
    """What is meant by it: of an assistant what it keeps, or that `elsewhere`."""
    return (elsewhere or OWN[str(path)]()) if is_own(path) else path


async def follow(path: Path, arguments: Namespace, earliest: datetime | None) -> int:
    """Takes in what is there and what comes, of what was said since the `earliest` time. A look that fails is said and
    taken again; ends with Ctrl-C alone."""
    import anyio

    from aftermind.cli.importing.following import Following
    from aftermind.cli.importing.source import TITLES, detected
    from aftermind.cli.terminal.tables import note
    from aftermind.engine.errors import AftermindError
    from aftermind.engine.stamp import Stamp

    if detected(path) != "opencode":
        raise Misused(f"{path}: only {TITLES['opencode']} can be followed", hint="`aftermind import opencode --follow`")
    note(f"{path}: {TITLES['opencode']}; what comes is imported until Ctrl-C")
    stamp, following, said = Stamp(), Following(path), ""
    while True:
        try:
            await _look(following, path, arguments, stamp, earliest)
            said = ""
        except AftermindError as error:
            following = Following(path)  # what was read and not taken in is read again
            if str(error) != said:
                said = str(error)
                note(f"{said}; trying again")
        await anyio.sleep(POLL)


async def _look(
    following: Following, path: Path, arguments: Namespace, stamp: Stamp, earliest: datetime | None
) -> None:
    from itertools import chain

    from aftermind.cli.importing.exchange import LeftOut, lately
    from aftermind.cli.importing.intake import taken_in
    from aftermind.cli.importing.report import recorded, sentence
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.cli.this_folder import meant

    items = following.fresh(stamp.now())
    if earliest is not None:
        items = lately(items, earliest, LeftOut())
    first = next(items, None)
    if first is None:
        return
    async with opened(arguments) as memory:
        project = await meant(memory, arguments.project)
        report = recorded(await taken_in(memory, chain([first], items), project), "opencode")
    if arguments.json:
        show_json(report)
    elif report.new or report.revised or report.unreadable or report.different:
        say(sentence(report, path))
