"""stats: what is in the store, counted."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

from aftermind.cli.arguments import add_project
from aftermind.engine.names import GLOBAL


def configure(parser: ArgumentParser) -> None:
    add_project(parser, default="the whole store")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened
    from aftermind.cli.tables import say, show_json

    async with opened(arguments) as memory:
        stats = await memory.stats(GLOBAL if arguments.everywhere else arguments.project)
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
        ("waiting", f"{stats.waiting:,} (exchanges without a verdict)"),
        ("projects", ", ".join(stats.projects.values()) or "none"),
    ):
        say(f"{name:<8}  {value}")
    if stats.views_mended:
        say(f"{'views':<8}  rebuilt from the log: {stats.views_mended}")
    return 0


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items()) or "none"
