"""backup: the log as it is now, in a folder; what is new since the last one. Works beside a daemon."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import count

if TYPE_CHECKING:
    from aftermind.cli.keeping.choosing import Shown
    from aftermind.engine.backups.making import Made

EXPLAINED = """\
Copies what the log holds now, whoever is writing it. What waits in the spool
goes into the log first; what cannot is copied without what is private in it.
The first backup in a folder is the whole log, each later one what came since.
Every event is checked while it is copied, and what was written is read back.
An interrupted backup is none, and is cleared away by the next.

A backup on the same disk is lost with it: name a folder on another one. What
you forget later goes from the backups, too, where they can be reached. One that
cannot be is told each time, until --gone says that it never will be.

examples:
  aftermind backup
  aftermind backup /media/usb/aftermind --keep 7
  aftermind backup --list
  aftermind backup --verify latest
  aftermind restore latest"""

ACTIONS = ("list", "verify")
"""Options that other commands have as words: a copy of all that is remembered is not made in a repository by a slip."""
DRAINS = 3.0
"""Seconds in which whoever holds the store has looked into the spool."""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("folder", metavar="FOLDER", nargs="?", help="default: the folder backups/ of the store")
    parser.add_argument("--keep", metavar="N", type=count, help="then remove all but the N newest of this store in it")
    parser.add_argument("--full", action="store_true", help="copy the whole log, and build on nothing")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="list the backups instead")
    what.add_argument("--verify", action="store_true", help="read all of them instead; FOLDER may be one of them")
    what.add_argument("--gone", action="store_true", help="FOLDER was lost or deleted: know it no longer")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import home_of

    if (arguments.list or arguments.verify or arguments.gone) and (arguments.keep or arguments.full):
        raise Misused("--keep and --full are for making a backup", hint="leave out --list, --verify and --gone")
    if arguments.folder in ACTIONS and not Path(arguments.folder).exists():
        what = arguments.folder
        hint = f"did you mean `aftermind backup --{what}`? `aftermind backup ./{what}` makes a folder of that name"
        raise Misused(f"there is no folder {what!r} here", hint=hint)
    if arguments.list:
        return _listed(arguments)
    if arguments.verify:
        return await _verified(arguments)
    if arguments.gone:
        return _struck_off(arguments)
    from aftermind.cli.opening import must_be_there
    from aftermind.cli.terminal.progress import filling
    from aftermind.engine.backups.making import backed_up
    from aftermind.engine.stamp import Stamp
    from aftermind.engine.store.folder import fit_folder, log_is_there

    must_be_there(home_of(arguments))
    store = fit_folder(home_of(arguments), make=False)
    log_is_there(store, must_exist=True)
    await _drained(arguments, store)
    to = None if arguments.folder is None else Path(arguments.folder)
    with filling("events", hidden=arguments.json) as told:
        made = await backed_up(store, to, Stamp(), keep=arguments.keep or 0, full=arguments.full, told=told)
    _tell(made, as_json=arguments.json)
    return 0


async def _drained(arguments: Namespace, store: Path) -> None:
    """What waits in the spool goes into the log, which has less of it than its client sent: nothing of a pause, and
    nothing private. Waits for as long as there gets less of it. A store that cannot be opened keeps what it has."""
    import anyio

    from aftermind.cli.opening import opened
    from aftermind.engine.errors import AftermindError
    from aftermind.engine.store.spool import spooled

    if not spooled(store).waiting:
        return
    try:
        async with opened(arguments) as memory:
            await memory.caught_up()
            left = len(spooled(store).waiting)
            while left:
                await anyio.sleep(DRAINS)
                before, left = left, len(spooled(store).waiting)
                if left >= before:
                    return
    except AftermindError:  # what is wrong is told by who makes the backup, if it is in the way of it
        return


def _tell(made: Made, *, as_json: bool) -> None:
    from aftermind.cli.examining.folder import megabytes
    from aftermind.cli.terminal.tables import counted, say, show_json

    manifest = made.backup.manifest
    if as_json:
        show_json(
            {
                "backup": str(made.backup.path),
                "events": manifest.events,
                "head": manifest.head,
                "new": made.new,
                "bytes": made.size,
                "spooled": len(manifest.spool),
                "pruned": made.pruned,
                "cleared": made.cleaned,
            }
        )
        return
    waiting = f", {counted(len(manifest.spool), 'spooled file')}" if manifest.spool else ""
    say(
        f"Backed up {counted(manifest.events, 'event')}{waiting}, {made.new:,} of them new ({megabytes(made.size)}), "
        f"to {made.backup.path}"
    )
    if made.cleaned:
        say(f"Cleared away what an interrupted backup had left: {counted(len(made.cleaned), 'file')}.")
    if made.pruned:
        say(f"Removed {counted(len(made.pruned), 'older backup')}: {', '.join(made.pruned)}.")


def _listed(arguments: Namespace) -> int:
    from aftermind.cli.examining.listed import backups_found
    from aftermind.cli.keeping.choosing import all_of, shown
    from aftermind.cli.opening import home_of
    from aftermind.cli.terminal.tables import note, show_json
    from aftermind.engine.store.folder import plain

    only = None if arguments.folder is None else plain(Path(arguments.folder))
    backups, unusable = all_of(home_of(arguments), only)
    rows = [*map(shown, backups), *unusable]
    if arguments.json:
        show_json(rows)
    elif rows:
        _table(rows)
    else:
        note("There is no backup; `aftermind backup` makes one.")
    for found in backups_found(home_of(arguments)):
        note(f"{found.found}; {found.mend}.")
    return 0


def _struck_off(arguments: Namespace) -> int:
    from aftermind.cli.opening import home_of
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.engine.backups.registry import backups_of, struck_off
    from aftermind.engine.errors import Refused
    from aftermind.engine.store.folder import plain

    if arguments.folder is None:
        raise Misused("--gone needs the folder that is gone", hint="`aftermind backup FOLDER --gone`")
    store, folder = home_of(arguments), plain(Path(arguments.folder))
    known = backups_of(store)
    if folder not in known:
        there = f"known are {', '.join(map(str, known))}" if known else "no folder with backups is known"
        raise Misused(f"no backups of this store are known in {folder}", hint=there)
    if folder.exists():
        what = "what you forget later would stay in it"
        raise Refused(f"{folder} is there, and {what}", hint="delete it first, if its backups are not wanted")
    struck_off(store, str(folder))
    if arguments.json:
        show_json({"gone": str(folder)})
    else:
        say(f"{folder} is not known any more. Should it turn up, it still holds what you forget from now on.")
    return 0


async def _verified(arguments: Namespace) -> int:
    from anyio import to_thread

    from aftermind.cli.keeping.choosing import all_of, chosen, looked_at
    from aftermind.cli.opening import home_of
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.terminal.tables import show_json
    from aftermind.engine.errors import NoneYet

    store = home_of(arguments)
    if arguments.folder is None:
        backups, unusable = all_of(store)
    else:
        backups, unusable = [chosen(store, arguments.folder)], []
    if not backups and not unusable:
        raise NoneYet("backup", f"of {store}", hint="`aftermind backup` makes one")
    with bar("Reading", sum(backup.manifest.events for backup in backups), hidden=arguments.json) as advance:
        rows = [await to_thread.run_sync(looked_at, backup, advance) for backup in backups]
    rows += unusable
    show_json(rows) if arguments.json else _table(rows)
    return 7 if any(row.state == "damaged" for row in rows) else 0


def _table(rows: list[Shown]) -> None:
    from aftermind.cli.terminal.tables import say, show_table

    show_table(
        ("MADE", "EVENTS", "STATE", "BACKUP"),
        [(row.made[:19].replace("T", " "), f"{row.events:,}" if row.made else "", row.state, row.path) for row in rows],
        whole=True,
    )
    for row in rows:
        if row.why:
            say(f"{row.path}: {row.why}")
