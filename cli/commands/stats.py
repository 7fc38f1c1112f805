"""stats: what is in the store, counted, and how well it does."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import add_project, known_place
from aftermind.engine.names import GLOBAL

if TYPE_CHECKING:
    from aftermind.cli.language.assessed import Agreement, Assessment, Period


def configure(parser: ArgumentParser) -> None:
    parser.epilog = (
        "Outcomes are those of exchanges, by the day they were said on (UTC). RATE: how\n"
        "many worked of those of which that is known; what worked partly counts half.\n"
        "Judges agree when they say the same of an exchange both have judged; SURE\n"
        "leaves out what either does not know."
    )
    parser.add_argument("--by", choices=("day", "week"), default="day", help="what outcomes are counted by (day)")
    add_project(parser, default="the whole store")


async def run(arguments: Namespace) -> int:
    from msgspec import structs

    from aftermind.cli.examining.judged import daemon_runs
    from aftermind.cli.language.assessed import Assess
    from aftermind.cli.language.stopping import NO_DAEMON, until_ready
    from aftermind.cli.opening import home_of, opened, say_when_unknown
    from aftermind.cli.places import as_written
    from aftermind.cli.settings import configuration
    from aftermind.cli.terminal.tables import counted, say, show_hanging, show_json

    project = GLOBAL if arguments.everywhere else arguments.project and known_place(arguments.project)
    is_past = getattr(arguments, "past", None) is not None  # which no daemon has judged, and whose views are new
    daemon = is_past or await daemon_runs(home_of(arguments))
    async with opened(arguments, make=False) as memory:
        await say_when_unknown(memory, project)
        stats = await memory.stats(project)
        found = await memory.ask(Assess(project=as_written(project), span=arguments.by))
    if not arguments.json:
        waiting = f"{counted(stats.waiting, 'exchange')} without a verdict"
        if stats.waiting:
            waiting += f", until {until_ready(configuration().lifecycle.quiet_minutes)}"
        if stats.waiting and not daemon:
            waiting += f"; {NO_DAEMON}"
    if arguments.json:
        show_json({**structs.asdict(stats), **structs.asdict(found)})
        return 0
    for name, value in (
        ("store", stats.folder),
        ("events", f"{stats.events:,} (head {stats.head})"),
        ("memories", _counted(stats.collections)),
        ("statuses", _counted(stats.statuses)),
        ("scored", f"{_counted(stats.verdicts)} (what was said of memories)" if stats.verdicts else "no memory yet"),
        ("sessions", f"{stats.sessions:,}"),
        ("waiting", waiting),
        ("due", _counted(stats.due)),
        ("links", _counted(stats.links)),
        ("kept", ", ".join(f"{name} {one.days:g} days ({one.live:,} now)" for name, one in stats.kept.items())),
        ("projects", ", ".join(stats.projects.values()) or "none"),
    ):
        show_hanging(f"{name:<8}  ", value, paths=True)
    if stats.views_mended and not is_past:
        say(f"{'views':<8}  rebuilt from the log: {stats.views_mended}")
    _show(found, arguments.by, "" if project else ", in all projects (`--project .`: in this one)")
    return 0


def _show(found: Assessment, span: str, where: str) -> None:
    """Each part of it that holds something."""
    from aftermind.cli.terminal.tables import counted, excerpt, say, show_hanging, show_table, when

    if found.periods:
        say("\nexchanges, by what was judged of them")
        show_table((span.upper(), "WORKED", "PARTIAL", "FAILED", "UNKNOWN", "RATE"), _rows(found))
    if found.agreements:
        say()
        show_table(("JUDGES", "BOTH JUDGED", "SAME", "BOTH SURE", "SAME"), list(map(_agreed, found.agreements)))
    for title, memories in (("most useful", found.useful), ("most misleading", found.misleading)):
        for place, one in enumerate(memories):
            if not place:
                say(f"\n{title}{where}")
            record = f"worked {one.worked}, partial {one.partial}, failed {one.failed}"
            show_hanging(f"  {one.id}  {record}  ", excerpt(one.text, one.answer, one.speaker))
    if found.corrections.memories:
        standing = counted(found.corrections.memories, "memory", "memories")
        say(f"\ncorrected, or in another's place  {standing}, shown {counted(found.corrections.shown, 'time')} since")
    for place, locked in enumerate(found.locked):
        if not place:
            say(f"\nlast locked{where}")
        show_hanging(f"  {locked.id}  {when(locked.at)}  ", excerpt(locked.text))


def _rows(found: Assessment) -> list[tuple[str, ...]]:
    return [
        (f"{one.begins}", f"{one.worked:,}", f"{one.partial:,}", f"{one.failed:,}", f"{one.unknown:,}", _rate(one))
        for one in found.periods
    ]


def _rate(one: Period) -> str:
    """A partial success counts half, as it does for a memory."""
    known = one.worked + one.partial + one.failed
    return f"{(one.worked + one.partial / 2) / known:.0%}" if known else "-"


def _agreed(one: Agreement) -> tuple[str, ...]:
    return (
        f"{_judge(one.one)} and {_judge(one.other)}",
        f"{one.pairs:,}",
        f"{one.agreed / one.pairs:.0%}",
        f"{one.sure:,}",
        f"{one.sure_agreed / one.sure:.0%}" if one.sure else "-",
    )


def _judge(name: str) -> str:
    from aftermind.cli.language.stopping import who

    return who(name)


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items()) or "none"
