"""restore, of many memories at once: all in the archive that some words choose. Part of `restore.py`."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aftermind.cli.language.keeping import Which


async def run(arguments: Namespace, which: Which) -> int:
    from aftermind.cli.language.keeping import Tidy
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal import choosing_many as many
    from aftermind.cli.terminal.stdin import agreed
    from aftermind.cli.terminal.tables import say, show_json

    async with opened(arguments, make=False) as memory:
        if arguments.dry_run or not arguments.yes:
            seen = await memory.ask(Tidy(how="restore", which=which, limit=many.SHOWN))
            if (arguments.dry_run and arguments.json) or not seen.memories:
                show_json(seen) if arguments.json else say("Nothing in the archive is meant by that.")
                return 0
            many.asked_first(arguments, "restore", "it restores many")
            many.foretell(seen, "restored")
            if arguments.dry_run:
                return 0
    if not arguments.yes and not await agreed("Restore them?"):
        show_json({"memories": 0}) if arguments.json else say("Nothing was changed.")
        return 0
    async with opened(arguments, make=False) as memory:
        done = await memory.ask(Tidy(how="restore", which=which, apply=True))
    show_json(done) if arguments.json else many.told(done, "Restored")
    return 0
