"""import PROGRAM: what another memory of assistants holds, or the rules people wrote for theirs."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused

if TYPE_CHECKING:
    from datetime import datetime

    from aftermind.cli.importing.peers.told import Source
    from aftermind.engine.names import MemoryId

NAMES = ("roampal", "opencode-semantic-memory", "ocm", "agentmemory", "claude-mem", "rules")
"""As in `importing/peers/known.py`, which is loaded when it is needed."""


def programs() -> str:
    """What to try where a path is none."""
    from aftermind.cli.commands.following import OWN

    return f"or one of the programs: {', '.join((*OWN, *NAMES))}"


def is_named(path: Path) -> bool:
    """Whether the first word names a program, and no file."""
    return str(path) in NAMES and not path.exists()


def recognised(path: Path) -> str | None:
    """Whose database a file is."""
    from aftermind.cli.importing.peers.known import recognised

    return recognised(path)


async def run(arguments: Namespace, earliest: datetime | None) -> int:
    from aftermind.cli.config import ignore_file
    from aftermind.cli.importing.peers.known import PEERS
    from aftermind.cli.importing.peers.outdated import put_away
    from aftermind.cli.importing.peers.rules import linked_out, off_limits
    from aftermind.cli.importing.peers.taking import Places, counted, items, noted, taken
    from aftermind.cli.importing.peers.tally import Tally, lines
    from aftermind.cli.opening import opened
    from aftermind.cli.places import as_written
    from aftermind.cli.privacy.lists import Lists
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.terminal.tables import note, say, show_json
    from aftermind.cli.this_folder import meant
    from aftermind.engine.errors import Unusable

    peer = PEERS[str(arguments.path)]
    where = arguments.of.expanduser() if arguments.of is not None else None
    sources = peer.sources(where)
    left = linked_out(where) if peer.name == "rules" else []
    if peer.name == "rules" and (listed := off_limits(sources, Lists(ignore_file()))):
        sources = [one for one in sources if one.path not in listed]
        left += listed.values()
    if not sources and not left:
        hint = f"`aftermind import {peer.name} PATH` names where it is"
        if where is None and peer.name == "rules":
            raise Unusable("no rules for assistants here, and none of your own", str(Path.cwd()), hint=hint)
        if where is None:
            raise Unusable(f"nothing of {peer.title} where it keeps its data by itself", peer.usual(), hint=hint)
        raise Unusable(f"nothing of {peer.title} there", str(where), hint=hint)
    tally = Tally(program=peer.name, dry_run=arguments.dry_run, sources=[str(one.path) for one in sources])
    for one in left:
        tally.meets(one)
    if not arguments.json:
        for source in sources:
            note(f"{source.path}: {peer.title}")
    places = Places(_named(arguments.map), Path.cwd())
    with bar("Importing", _size(sources), hidden=arguments.json) as advance:
        found = items(peer, sources, advance, earliest, tally)
        if arguments.dry_run:
            counted(found, places, arguments.project, tally)
        else:
            said: set[MemoryId] = set()
            async with opened(arguments) as memory:
                project = as_written(await meant(memory, arguments.project))
                await taken(memory, noted(found, said), places, project, tally)
                if peer.name == "rules" and (gone := await put_away(memory, sources, said, places, project)):
                    tally.fates["archived"] = gone
    if arguments.json:
        show_json(tally)
    else:
        for line in lines(tally):
            say(line)
    return 2 if tally.unreadable and not tally.found and not tally.older else 0


def _named(pairs: list[str]) -> dict[str, str]:
    named: dict[str, str] = {}
    for pair in pairs:
        name, _, folder = pair.partition("=")
        if not name.strip() or not folder.strip():
            raise Misused(f"--map {pair}: a name and a folder", hint="`--map webshop=~/code/webshop`")
        named[name] = folder
    return named


def _size(sources: list[Source]) -> int:
    return sum(one.path.stat().st_size for one in sources if one.path.is_file())
