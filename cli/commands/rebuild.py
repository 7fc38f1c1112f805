"""rebuild: the views, grown anew from the log, while they go on answering; with --check, only compared with it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aftermind.cli.house import OpenMemory
    from aftermind.cli.language.rebuilding import Regrown

EXPLAINED = """\
Views are what answers are read from. They are derived: nothing is lost with
them, and they grow back by themselves where they are missing, damaged or of
another version. Without names all are grown anew; with names those, and those
they look into, and the others are taken over as they are. Recall goes on
meanwhile, and so does recording; the new views take the place of the old ones
at once, when they are complete.

--check changes nothing: it grows the views aside, compares them row by row,
and names the first row that differs. Exit code 8 when one does.

examples:
  aftermind rebuild
  aftermind rebuild words
  aftermind rebuild --check"""
LOOK = 1.0
"""Seconds between two looks at how far it is."""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("views", metavar="VIEW", nargs="*", help="the views to grow anew (all)")
    parser.add_argument("--check", action="store_true", help="only compare, and name the first row that differs")


async def run(arguments: Namespace) -> int:
    if arguments.check:
        return await _check(arguments)
    from msgspec import structs

    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.tables import counted, note, say, show_json

    async with opened(arguments, make=False) as memory:
        found = await rebuilt(memory, tuple(arguments.views), hidden=arguments.json)
    rate = round(found.done / found.seconds) if found.seconds else found.done
    if arguments.json:
        show_json({**structs.asdict(found), "events_per_second": rate})
        return 0
    also = [name for name in found.views if arguments.views and name not in arguments.views]
    if also and not found.joined:
        note(f"{', '.join(also)} as well: what was asked for looks into {'it' if len(also) == 1 else 'them'}")
    what = counted(len(found.views), "view")
    say(f"{what} grown anew from {counted(found.done, 'event')} in {found.seconds:,.1f} s ({rate:,} events a second).")
    return 0


async def rebuilt(memory: OpenMemory, views: tuple[str, ...], *, hidden: bool) -> Regrown:
    """A rebuild, begun or joined, when it is done."""
    import os

    from msgspec import structs

    from aftermind.cli.interrupting import CTRL_C
    from aftermind.cli.language.rebuilding import Rebuild, Rebuilt
    from aftermind.cli.terminal.progress import filling
    from aftermind.cli.terminal.tables import note

    begun = found = await memory.ask(Rebuild(views=views))
    state = await memory.state()
    if state.pid != os.getpid():
        holder = "the daemon" if state.holder == "daemon" else f"process {state.pid}, which holds the store,"
        CTRL_C.line = f"interrupted: {holder} goes on with it, and takes the new views when they are complete"
    if begun.joined and not hidden:
        note("a rebuild is under way already; this waits for it")
    with filling("events", hidden=hidden) as told:
        while found.phase != "done":
            found = await memory.ask(Rebuilt(run=begun.run, seconds=LOOK))
            told(found.done, found.total)
    return structs.replace(found, joined=begun.joined)


async def _check(arguments: Namespace) -> int:
    """Beside whoever holds the store: who opened it would mend what is looked for."""
    from aftermind.cli.opening import home_of, opened_log
    from aftermind.cli.terminal.progress import filling
    from aftermind.cli.terminal.tables import are, counted, say, show_json
    from aftermind.cli.verifying.views import checked, unsound

    if arguments.views:
        from aftermind.cli.language.misused import Misused

        raise Misused("--check compares all views", hint="`aftermind rebuild --check`, without names")
    async with opened_log(arguments) as log:
        with filling("events", hidden=arguments.json) as told:
            found = await checked(home_of(arguments), log, told)
    if (error := unsound(found)) is not None:
        raise error
    if arguments.json:
        show_json(found)
    elif not found.file:
        say("There are no views yet: they grow when the store is opened.")
    elif found.another:
        say(f"{found.file} was built by another version: it is built anew when the store is opened.")
    else:
        where = f"position {found.position:,}"
        rows = f"{counted(found.rows, 'row')} of {found.file} {are(found.rows)}"
        say(f"{rows} what the log says, up to {where}.")
    return 0
