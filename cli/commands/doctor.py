"""doctor: what is wrong, and the command that mends it. Changes nothing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path

EXPLAINED = """\
Looks at the store, at who holds it and at what surrounds it, and changes
nothing: it works on a store that cannot be opened, and where there is none.
Of the log it checks that the last link holds; --verify checks every one.

Exit code 0 when nothing is worse than a note, 1 for a warning or a fault."""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("--verify", action="store_true", help="read all of the log and of the views")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.doctor import diagnosis
    from aftermind.cli.terminal.tables import counted, say, show_json, show_table

    named = Path(arguments.home) if arguments.home is not None else None
    told = await diagnosis(named, verify=arguments.verify)
    if arguments.json:
        show_json(told)
    else:
        rows = [(one.level, one.looked_at, f"{one.found}{one.mend and f' → {one.mend}'}") for one in told.findings]
        show_table(("LEVEL", "LOOKED AT", "FOUND → WHAT TO DO"), rows)
        levels = Counter(one.level for one in told.findings)
        bad = [counted(levels[level], level) for level in ("fault", "warning") if levels[level]]
        say()
        say(f"{' and '.join(bad)}." if bad else "Nothing needs mending.")
    return 1 if told.worst in ("warning", "fault") else 0
