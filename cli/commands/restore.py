"""restore: memories from the archive, or the whole store from a backup."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.choosing_many import add_asking, add_choice

if TYPE_CHECKING:
    from aftermind.cli.keeping.restoring import Restored
    from aftermind.engine.backups.backup import Backup

EXPLAINED = """\
With memories' ids, brings those back that were archived, expired or superseded;
with --kind, --tag, --match or --older-than all in the archive that they leave.

With a backup, the store becomes what it was when that was made. BACKUP is its
folder, its name in `aftermind backup --list`, a folder of backups (the newest
of them is taken), or `latest`. The backup is verified before, and what was
built of it after. The log as it is now is set aside in a folder named by the
time, not lost; what waits in the spool goes in, and what was forgotten stays
forgotten. Interrupted at any instant, the store is either what it was or what
it becomes.

examples:
  aftermind restore m4c1d0a7be22f19d3
  aftermind restore --match 'old cluster' --dry-run
  aftermind restore latest
  aftermind restore /media/usb/aftermind --into ~/restored"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("ids", metavar="ID | BACKUP", nargs="*", help="memories, or one backup")
    parser.add_argument("--into", metavar="FOLDER", help="with a backup: another store, made if missing")
    add_asking(parser, "with --kind and the like: only tell which they are")
    add_choice(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.keeping.choosing import chosen, means_a_backup
    from aftermind.cli.terminal.choosing_many import chosen as chosen_many
    from aftermind.cli.terminal.choosing_many import must_not_be_both
    from aftermind.engine.errors import NotFound
    from aftermind.engine.store.folder import plain

    which = chosen_many(arguments)
    must_not_be_both(arguments.ids, which)
    if which is not None:
        from aftermind.cli.commands.restoring import run as restore_many

        return await restore_many(arguments, which)
    if not arguments.ids:
        raise Misused("nothing is named that should be restored", hint="`aftermind restore --help` tells how")
    if arguments.dry_run:
        raise Misused("--dry-run goes with --kind, --tag, --match and --older-than", hint="leave it out")
    words = list(dict.fromkeys(arguments.ids))
    if not any(map(means_a_backup, words)) and arguments.into is None:
        from aftermind.cli.commands.becoming import run as become
        from aftermind.cli.terminal.arguments import plain_id

        arguments.ids = list(map(plain_id, words))
        try:
            return await become(arguments)
        except NotFound as error:
            error.hint = f"{error.hint}; `aftermind backup --list` lists the backups"
            raise
    if len(words) > 1:
        raise Misused("a store is restored from one backup", hint="name that one alone")
    from aftermind.cli.opening import home_of
    from aftermind.cli.terminal.tables import note

    store = home_of(arguments)
    backup = chosen(store, words[0], note)
    folder = store if arguments.into is None else plain(Path(arguments.into))
    return await _restored(arguments, backup, folder, store)


async def _restored(arguments: Namespace, backup: Backup, folder: Path, store: Path) -> int:
    from aftermind.cli.keeping.choosing import other_history
    from aftermind.cli.keeping.parting import compared
    from aftermind.cli.keeping.restoring import restored
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.terminal.stdin import agreed, somebody_to_ask
    from aftermind.cli.terminal.tables import counted, note, say, show_json
    from aftermind.engine.moments import to_the_minute
    from aftermind.engine.stamp import Stamp
    from aftermind.engine.store.folder import LOG

    manifest = backup.manifest
    there = (folder / LOG).exists()
    if there and not arguments.yes:
        again = f"aftermind restore {arguments.ids[0]}{f' --into {arguments.into}' if arguments.into else ''} --yes"
        asking = f"restore asks before it puts another log in the place of {folder / LOG}"
        somebody_to_ask(asking, f"`{again}` does not ask")
        note(f"{folder} becomes what it was at {to_the_minute(manifest.made)}: {counted(manifest.events, 'event')}.")
        beside = compared(folder, backup)
        what = "what can be read of it" if beside is None else f"{counted(beside.beyond, 'event')} of its own"
        if beside is not None and beside.parted:
            note(f"{other_history(backup, beside)}.")
        note(f"Its daemon is stopped, and its log as it is now, with {what} in it, is set aside in a folder there.")
        if not await agreed("Restore it?"):
            show_json({"restored": None}) if arguments.json else say("Nothing was changed.")
            return 0
    with bar("Restoring", 2 * manifest.events, hidden=arguments.json) as advance:
        done = await restored(folder, backup, Stamp(), advance, asked_of=store)
    if arguments.json:
        show_json({"restored": done})
    else:
        _tell(done)
    return 0


def _tell(done: Restored) -> None:
    from aftermind.cli.terminal.tables import counted, say

    erased = f", {done.erased:,} of them erased" if done.erased else ""
    say(f"Restored {counted(done.events, 'event')}{erased} to {done.folder}: every link holds.")
    say("The views grow back when it is next opened.")
    if done.parted is not None:
        say(f"It has another history than the log before: they part after position {done.parted:,}.")
    if done.stopped:
        say("The daemon was stopped for it, and starts by itself.")
    if done.spooled:
        say(f"{counted(done.spooled, 'spooled file')} came with it, to go in when the store is next opened.")
    if done.released:
        say(f"{counted(done.released, 'claim')} of then ended with it: who holds something takes it anew.")
    if done.aside is not None:
        beyond = f", with {counted(done.beyond, 'event')} that the backup has not" if done.beyond else ""
        home = f"aftermind --home {quote(done.aside)}"
        reads = f"`{home} log` reads it" if done.readable else f"`{home} repair --dry-run` says what can be read of it"
        say(f"The log before is in {done.aside}{beyond}: {reads}.")
