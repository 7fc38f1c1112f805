"""reset: the whole store goes, without a trace. Says first what that is, asks, and keeps a copy of the log for who
wants one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import named_path

if TYPE_CHECKING:
    from aftermind.cli.store_folder.belongings import Belongings
    from aftermind.cli.store_folder.contents import Contents

EXPLAINED = """\
Stops the daemon and takes away everything that is Aftermind's in the store's
folder, and the folder itself when nothing else is in it. What is not ours
stays. The configuration is not touched.

A copy that --export kept is put back as log.db in a folder of its own:

  mkdir -p -m 700 FOLDER && cp FILE FOLDER/log.db
  aftermind stats --home FOLDER

Where FOLDER is the store's own one, that is the store as it was; the views grow
back by themselves.

examples:
  aftermind reset --dry-run
  aftermind reset --export memories.db
  aftermind reset --yes"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument(
        "--export", metavar="FILE", type=named_path, help="first copy the log to a new file, and check it"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would go; remove nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import home_of
    from aftermind.cli.store_folder.belongings import Belongings
    from aftermind.cli.store_folder.contents import Contents, looked_through
    from aftermind.cli.store_folder.removing import alone, exported, removed, removed_if_empty
    from aftermind.cli.terminal.stdin import agreed, somebody_to_ask
    from aftermind.cli.terminal.tables import note, say

    if not arguments.yes and not arguments.dry_run:
        hint = "`aftermind reset --yes` does not ask, `aftermind reset --dry-run` says what would go"
        somebody_to_ask("reset asks before it removes anything", hint)
    folder = home_of(arguments)
    contents, there = Contents(), Belongings()
    if folder.exists() or folder.is_symlink():
        contents, there = looked_through(folder)
    if not there.ours:
        if not arguments.dry_run:
            removed_if_empty(folder)  # a run that was killed just before its end left it so
        _told(arguments, folder, contents, there, text=f"There is no store in {folder}: nothing to remove.")
        return 0
    to = None if arguments.export is None else _new_file(arguments.export, folder, there)
    preview = _preview(arguments, folder, contents, there, to)
    if arguments.dry_run:
        _told(arguments, folder, contents, there, text="\n".join([*preview, "", "Nothing was removed."]))
        return 0
    if not _undone(arguments) and not (arguments.json and arguments.yes):
        for line in preview:
            note(line)
    if not arguments.yes and not await agreed("Take all of this away, for good?"):
        _told(arguments, folder, contents, there, text="Nothing was removed.")
        return 0
    lock = await alone(folder)
    try:
        if to is not None:
            copy = exported(folder, to)
            if not arguments.json:
                word = "event" if copy.events == 1 else "events"
                say(f"Copied the log to {to}: {copy.events:,} {word}, every link holds.")
        gone = removed(folder)
    finally:
        lock.release()
    _told(arguments, folder, contents, there, gone=gone, to=to, text=_done(folder, gone))
    return 0


def goes(arguments: Namespace) -> list[str]:
    """What a reset would take away, in lines; none where there is no store."""
    from aftermind.cli.opening import home_of
    from aftermind.cli.store_folder.contents import looked_through

    folder = home_of(arguments)
    if not folder.is_dir():
        return []
    contents, there = looked_through(folder)
    return _preview(arguments, folder, contents, there, None) if there.ours else []


def _new_file(export: Path, folder: Path, there: Belongings) -> Path:
    """Where the copy goes: to a file that is not there yet, outside of what is removed."""
    from aftermind.engine.store.folder import LOG

    to = export.expanduser().absolute()
    if folder / LOG not in there.log:
        raise Misused("there is no log to copy", hint="without --export, what is left of the store goes")
    if to.exists() or to.is_symlink():
        raise Misused(f"{to} exists already", hint="name a file that does not")
    if not to.parent.is_dir():
        raise Misused(f"there is no folder {to.parent}", hint="make it first, or name another")
    if to.parent.resolve().is_relative_to(folder.resolve()):
        raise Misused(f"{to} is in the store that is taken away", hint="name a file in another folder")
    return to


def _undone(arguments: Namespace) -> bool:
    """Whether it is `uninstall` that takes the store away: it says what goes, and asks, before the assistants' files
    are touched."""
    return getattr(arguments, "undone", False)


def _preview(arguments: Namespace, folder: Path, contents: Contents, there: Belongings, to: Path | None) -> list[str]:
    from aftermind.cli.config import config_file
    from aftermind.cli.doors import BIN
    from aftermind.cli.editing.ledger import LEDGER
    from aftermind.cli.examining.folder import megabytes
    from aftermind.cli.terminal.tables import counted
    from aftermind.engine.store.folder import LOG

    spooled = f"{counted(contents.waiting + contents.broken, 'spooled file')}, {megabytes(contents.bytes)}"
    if contents.events is None:
        holds = f"{spooled}; {contents.why}"
    else:
        memories = counted(contents.memories or 0, "memory", "memories")
        sessions = counted(contents.sessions or 0, "session")
        holds = f"{counted(contents.events, 'event')}, {memories}, {sessions}, {spooled}"
    lines = [
        f"{'store':<8}  {folder}",
        f"{'holds':<8}  {holds}",
        f"{'goes':<8}  {', '.join(_grouped(there.ours, folder))}{'' if there.foreign else ', the folder itself'}",
    ]
    if downloads := there.downloads():
        again = "`aftermind model pull` does it again"
        lines.append(f"{'models':<8}  {megabytes(downloads)} of these were downloaded; {again}")
    lines += _backups_told(folder)
    if there.foreign:
        lines.append(f"{'stays':<8}  {', '.join(_grouped(there.foreign, folder))}: not Aftermind's")
    if config_file().exists():
        lines.append(f"{'stays':<8}  the configuration, {config_file()}")
    if _undone(arguments):
        pass  # nothing of theirs starts what goes
    elif any(path.name == LEDGER for path in there.ours):
        lines.append(f"{'clients':<8}  `aftermind uninstall` first: what they start, and their backups, will be gone")
    elif any(path.parent.name == BIN for path in there.ours):
        lines.append(
            f"{'clients':<8}  take the hook in {folder / BIN} out of their configuration first: it will be gone"
        )
    if to is not None:
        put = f"mkdir -p -m 700 {quote(str(folder))} && cp {quote(str(to))} {quote(str(folder / LOG))}"
        lines.append(f"{'copy':<8}  {to}; put back: `{put}`")
        if contents.waiting:
            lines.append(f"{'':<8}  without the {contents.waiting:,} spooled; `aftermind start` brings them in before")
    elif contents.events:
        lines.append(f"{'copy':<8}  none; `aftermind reset --export FILE` keeps one of the log")
    return lines


def _backups_told(folder: Path) -> list[str]:
    """Those in the store's folder go with it; those elsewhere are named."""
    from aftermind.cli.terminal.tables import counted
    from aftermind.engine.backups.backup import found
    from aftermind.engine.backups.registry import INSIDE, backups_of

    inside = len(found(folder / INSIDE)[0])
    lines = [f"{'backups':<8}  {counted(inside, 'backup')} in {INSIDE}/ go with it"] if inside else []
    return lines + [f"{'stays':<8}  the backups in {path}" for path in backups_of(folder) if path != folder / INSIDE]


def _grouped(paths: Sequence[Path], folder: Path) -> list[str]:
    """The names at the folder's top; how many files there are in folders."""
    from aftermind.engine.store.folder import is_real_folder

    inside = Counter(
        path.relative_to(folder).parts[0] for path in paths if path.parent != folder and not is_real_folder(path)
    )
    names = sorted({path.relative_to(folder).parts[0] for path in paths})
    return [
        f"{name}/ ({inside[name]:,})" if inside[name] else name + "/" * is_real_folder(folder / name) for name in names
    ]


def _done(folder: Path, gone: Sequence[Path]) -> str:
    from aftermind.cli.terminal.tables import counted
    from aftermind.engine.store.folder import strangers

    said = f"Removed the store: {counted(len(gone), 'file')} and folders of {folder}"
    if not folder.exists():
        return f"{said}, and the folder itself."
    left = ", ".join(sorted(path.name for path in folder.iterdir()))
    empty = "; a new store wants an empty one" if strangers(folder) else ""
    return f"{said}. The folder stays{f', with {left}{empty}' if left else ''}."


def _told(
    arguments: Namespace,
    folder: Path,
    contents: Contents,
    there: Belongings,
    *,
    text: str,
    gone: Sequence[Path] = (),
    to: Path | None = None,
) -> None:
    """What was done: a sentence for people, everything for programs."""
    from msgspec import structs

    from aftermind.cli.config import config_file
    from aftermind.cli.terminal.tables import say, show_json

    if not arguments.json:
        say(text)
        return
    show_json(
        {
            "folder": str(folder),
            **structs.asdict(contents),
            "downloads": there.downloads(),
            "goes": [str(path.relative_to(folder)) for path in there.ours],
            "stays": [str(path.relative_to(folder)) for path in there.foreign],
            "removed": [str(path.relative_to(folder)) for path in gone],
            "folder_removed": not folder.exists(),
            "exported": None if to is None else str(to),
            "config": str(config_file()),
        }
    )
