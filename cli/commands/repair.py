"""repair: what is damaged is mended, from what is whole and from a backup. Says first what that is, and asks."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from shlex import quote
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aftermind.cli.keeping.diagnosing import Diagnosis
    from aftermind.cli.keeping.repairing import Repaired

EXPLAINED = """\
Reads the whole store and says what is wrong and what would be done about it.
What a damaged log has lost is taken from a backup, where one has it; where
nobody has, the log is cut there. The damaged log is set aside as it is, and
what can be read beyond the cut is in a file beside it, which `aftermind import`
takes. Views and the cache of vectors are taken away: they grow back.

Where a backup is on a disk that is not connected now, connect it first.
Exit code 7 when something is wrong and was not mended.

examples:
  aftermind repair --dry-run
  aftermind repair
  aftermind repair --from /media/usb/aftermind --yes"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("--from", metavar="BACKUP", dest="backup", help="go by this backup, and no other")
    parser.add_argument("--dry-run", action="store_true", help="say what is wrong; change nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.keeping.choosing import chosen
    from aftermind.cli.keeping.diagnosing import diagnosed
    from aftermind.cli.keeping.repairing import repaired
    from aftermind.cli.opening import NoStore, home_of
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.terminal.stdin import agreed, somebody_to_ask
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.engine.stamp import Stamp
    from aftermind.engine.store.folder import fit_folder

    store = home_of(arguments)
    if not store.exists():
        raise NoStore(store)
    store = fit_folder(store, make=False)
    backup = None if arguments.backup is None else chosen(store, arguments.backup)
    events = 0  # how many will be written, where that is known before
    if not arguments.yes:
        diagnosis = await diagnosed(store, backup)
        events = diagnosis.plan.events if diagnosis.plan is not None else 0
        if arguments.json and (arguments.dry_run or not diagnosis.faults):
            show_json({"diagnosis": diagnosis, "repaired": None})
        elif not arguments.json:
            _tell(diagnosis)
        if not diagnosis.faults or arguments.dry_run:
            return 7 if diagnosis.faults else 0
        somebody_to_ask("repair asks before it changes anything", "`aftermind repair --yes` does not ask")
        if not await agreed("Do that?"):
            show_json({"diagnosis": diagnosis, "repaired": None}) if arguments.json else say("Nothing was changed.")
            return 7
    with bar("Repairing", events, hidden=arguments.json or not events) as advance:
        done = await repaired(store, backup, Stamp(), advance)
    if arguments.json:
        show_json({"diagnosis": done.diagnosis, "repaired": {"aside": done.aside, "report": done.report}})
        return 0
    if arguments.yes:
        _tell(done.diagnosis)
    _told(done)
    return 0


def _tell(diagnosis: Diagnosis) -> None:
    from aftermind.cli.terminal.tables import say, show_hanging

    for fault in diagnosis.faults:
        show_hanging(f"{fault.part:<8}  ", fault.found, paths=True)
        show_hanging(f"{'':<8}  → ", fault.mend, paths=True)
    for note in diagnosis.notes:
        show_hanging(f"{'note':<8}  ", note, paths=True)
    if not diagnosis.faults:
        nothing = "Nothing else" if diagnosis.notes else "Nothing"
        say(f"{nothing} is wrong: the log, its lists, views and caches are whole.")


def _told(done: Repaired) -> None:
    from aftermind.cli.terminal.tables import say

    if not done.diagnosis.faults:
        return
    say("Repaired. `aftermind verify` looks again.")
    if done.aside is not None:
        say(f"The damaged log is in {done.aside}.")
        for memory in done.diagnosis.plan.memories if done.diagnosis.plan is not None else ():
            shows = f"`aftermind --home {quote(done.aside)} show {memory}`"
            say(f"If the views had the text of {memory}: {shows} prints it.")
    if done.report is not None:
        say(f"What could be read beyond the cut is in {done.report}: `aftermind import {done.report}` takes it in.")
