"""verify: everything that is kept, beside a writer; exit code 7 and the last good position on damage of the log."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

EXPLAINED = """\
Looks at the log (every payload, seal, stream, index and page), at how far
views, vectors and backups have seen it, at what was to be erased, at the
spool, at the views and at the vectors, and changes nothing. Of views, every
row is compared with what the log says, up to 200,000 events; of a larger log
with --views alone. The first fault is named, and the command that is the way
back. Lost vectors are told and no fault: a daemon computes those anew that are
cut off, and `aftermind restart` all others.

Exit code 7 when the log is damaged; the message names the last position that
can be trusted. Exit code 8 when something beside it is.

examples:
  aftermind verify
  aftermind verify --quick
  aftermind verify --json"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    depth = parser.add_mutually_exclusive_group()
    depth.add_argument("--quick", action="store_true", help="do not compare the views with the log")
    depth.add_argument("--views", action="store_true", help="compare them, however large the log is")


async def run(arguments: Namespace) -> int:
    from msgspec import structs

    from aftermind.cli.examining.finding import Finding
    from aftermind.cli.opening import home_of, opened_log
    from aftermind.cli.terminal.tables import say, show_hanging, show_json
    from aftermind.cli.verifying.whole import Depth, Unsound, looked_through
    from aftermind.engine.errors import NOTHING_LOST, DiskFailed, DiskFull

    depth: Depth = "quick" if arguments.quick else "views" if arguments.views else "sensible"
    findings: list[Finding] = []
    try:
        async with opened_log(arguments) as log:
            async for found in looked_through(home_of(arguments), log, depth, hidden=arguments.json):
                findings.append(found)
                if not arguments.json and found.looked_at == "log":
                    say(found.found)
                elif not arguments.json:
                    way = f" → {found.mend}" if found.mend and found.level != "fault" else ""
                    show_hanging(f"{found.looked_at:<8}  ", f"{found.found}{way}", paths=True)
    except (DiskFull, DiskFailed) as refused:  # that was this command
        refused.hint = refused.hint.removesuffix(NOTHING_LOST)
        raise
    if arguments.json:
        show_json({**findings[0].values, "checked": [structs.asdict(one) for one in findings]})
    first = next((one for one in findings if one.level == "fault"), None)
    if first is not None:
        raise Unsound(first.looked_at, first.found, first.mend)
    return 0
