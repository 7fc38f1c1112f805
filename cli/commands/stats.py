"""stats: what is in the store, counted."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

from aftermind.cli.terminal.arguments import add_project, known_place
from aftermind.engine.names import GLOBAL


def configure(parser: ArgumentParser) -> None:
    add_project(parser, default="the whole store")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.terminal.tables import counted, say, show_json

    project = GLOBAL if arguments.everywhere else arguments.project and known_place(arguments.project)
    async with opened(arguments, make=False) as memory:
        await say_when_unknown(memory, project)
        stats = await memory.stats(project)
    if arguments.json:
        show_json(stats)
        return 0
    for name, value in (
        ("store", stats.folder),
        ("events", f"{stats.events:,} (head {stats.head})"),
        ("memories", _counted(stats.collections)),
        ("statuses", _counted(stats.statuses)),
        ("verdicts", _counted(stats.verdicts)),
        ("sessions", f"{stats.sessions:,}"),
        ("waiting", f"{counted(stats.waiting, 'exchange')} without a verdict"),
        ("projects", ", ".join(stats.projects.values()) or "none"),
    ):
        say(f"{name:<8}  {value}")
    if stats.views_mended:
        say(f"{'views':<8}  rebuilt from the log: {stats.views_mended}")
    return 0


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items()) or "none"
