"""forget: memories, sessions, projects, books or words that are in no answer any more, and in no file. Asks first;
without a terminal to ask at, `--yes` has to say so."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import plain_id

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from aftermind.cli.language.erasing import Doomed, Selection
    from aftermind.cli.open_memory import OpenMemory
    from aftermind.cli.past.moments import Bound, Moment

EXPLAINED = """\
No answer shows what was forgotten any more, and nothing brings it back. What
was made of it goes with it: what was learned of an exchange, the prompts and
briefings before it, verdicts and summaries that quote it. Its bytes go out of
every file of the store and out of its backups: the log keeps that something
happened, and not what was said. Everything is read for it afterwards, and what
others still say of it is told.

A project is forgotten with its sessions, its books and its names. --text and
--pattern find what says it anywhere: memories go whole, other events alone.
--since and --until narrow --session and --project down to what was said then.
These narrow one another: of --project P --text T goes what says T in P. Several
values of one option are alternatives. Ids stand alone.

examples:
  aftermind forget m4c1d0a7be22f19d3
  aftermind forget --session s1 --dry-run
  aftermind forget --project ~/code/old --since 2026-05-01
  aftermind forget --text "the staging password" --project ~/code/old
  aftermind forget --pattern 'ticket-\\d+' --yes
  aftermind forget --complete          (goes on with what was cut off)"""
SHOWN = 10


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("ids", metavar="ID", nargs="*", type=plain_id, help="a memory's id, or a book's")
    parser.add_argument("--session", metavar="SESSION", action="append", default=[], help="all of a session")
    parser.add_argument("--project", metavar="PROJECT", action="append", default=[], help="all of a project")
    parser.add_argument("--text", metavar="TEXT", action="append", default=[], help="whatever says exactly this")
    parser.add_argument("--pattern", metavar="REGEX", action="append", default=[], help="whatever matches this")
    parser.add_argument("--since", metavar="WHEN", help="what was said from then on")
    parser.add_argument("--until", metavar="WHEN", help="what was said until then")
    parser.add_argument("--even-locked", action="store_true", help="locked memories, too")
    parser.add_argument("--dry-run", action="store_true", help="only tell what would go")
    parser.add_argument("--complete", action="store_true", help="look for all that was ever forgotten once more")
    parser.add_argument("--yes", action="store_true", help="do not ask")


async def run(arguments: Namespace) -> int:
    from msgspec import structs

    from aftermind.cli.erasing.requests import taken_away
    from aftermind.cli.erasing.telling import completed, foretold, seen_through, told
    from aftermind.cli.language.erasing import ForgetAll, Preview, still_locked
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.stdin import agreed
    from aftermind.cli.terminal.tables import note, say, show_json

    if arguments.complete:
        async with opened(arguments, make=False) as memory:
            return completed(await seen_through(memory, None, hidden=arguments.json), as_json=arguments.json)
    _must_name_something(arguments)
    async with opened(arguments, make=False) as memory:
        selection = await _selection(arguments, memory)
        seen = await memory.ask(Preview(selection=selection, limit=SHOWN)) if selection is not None else None
        says = _of_requests(arguments)
        seen = await _with_requests(seen, memory.folder, says)
    if not (seen.memories or seen.events or seen.spooled):
        from aftermind.engine.erasing.aside_events import unread

        for folder in await unread(memory.folder):
            note(
                f"The log set aside in {folder} cannot be read and may say it; if nobody needs it, remove that folder."
            )
        show_json({"memories": 0, "events": 0, "forgotten": []}) if arguments.json else say("Nothing says that.")
        return 0
    if arguments.dry_run:
        if arguments.json:
            show_json(seen)
            return 0
        for ours, theirs in foretold(seen):
            say(ours, theirs)
        return 0
    if not arguments.yes:
        _needs_somebody(arguments)
        _show(seen)
    if seen.locked and not arguments.even_locked:
        raise still_locked(seen.locked)
    if not arguments.yes and not await agreed(f"Forget {_these(seen)} for good?"):
        show_json({"forgotten": []}) if arguments.json else say("Nothing was forgotten.")
        return 0
    async with opened(arguments) as memory:
        taken = await taken_away(memory.folder, says) if says is not None and seen.spooled else None
        if selection is None or not (seen.memories or seen.events):
            assert taken is not None
            return completed(taken, as_json=arguments.json)
        begun = await memory.ask(ForgetAll(selection=selection, even_locked=arguments.even_locked))
        done = await seen_through(memory, begun.run, hidden=arguments.json)
    if taken is not None:
        done = structs.replace(done, spooled=done.spooled + taken.spooled)
    if not arguments.json and any(one.kind == "chunk" for one in seen.first):
        note("Its file may say it still. Where the text around it changes there, `aftermind ingest` takes it in again:")
        note("  → mark it <private> in the file, or name the file in .aftermindignore")
    return told(begun, done, as_json=arguments.json)


def _must_name_something(arguments: Namespace) -> None:
    named = [*arguments.ids, *arguments.session, *arguments.project, *arguments.text, *arguments.pattern]
    if not named:
        raise Misused("nothing is named that should be forgotten", hint="`aftermind forget --help` tells how")
    if (arguments.since or arguments.until) and not (arguments.session or arguments.project):
        raise Misused("--since and --until go with --session or --project", hint="name one of them")
    if any(not text.strip() for text in (*arguments.text, *arguments.pattern)):
        raise Misused("an empty text is in everything", hint="say what should be forgotten")
    if arguments.ids and named != arguments.ids:
        why = "an id names what goes, and --session, --project, --text and --pattern narrow one another: not both"
        raise Misused(why, hint="forget them one after the other")


def _needs_somebody(arguments: Namespace) -> None:
    from aftermind.cli.terminal.stdin import somebody_to_ask

    again = " ".join(arguments.ids) or "…"
    hint = f"`aftermind forget --yes {again}` does not ask, `--dry-run` tells what would go"
    somebody_to_ask("forget asks before it forgets", hint)


async def _selection(arguments: Namespace, memory: OpenMemory) -> Selection | None:
    """What is meant; None where it is in nothing."""
    from aftermind.cli.erasing.matching import matching
    from aftermind.cli.language.erasing import Selection
    from aftermind.cli.past.moments import since, until
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.arguments import known_place

    texts = tuple(arguments.text)
    events = await matching(memory, texts, tuple(arguments.pattern), hidden=arguments.json)
    found = Selection(
        ids=tuple(dict.fromkeys(arguments.ids)),
        sessions=tuple(arguments.session),
        projects=tuple(str(as_written(known_place(project))) for project in arguments.project),
        events=events,
        since=_time(arguments.since, since),
        until=_time(arguments.until, until),
    )
    says_nothing = (texts or arguments.pattern) and not events  # nothing, and not all that the others name
    return None if says_nothing else found


def _of_requests(arguments: Namespace) -> Callable[[bytes], bool] | None:
    """Which spooled requests are meant as well. Nobody knows of what session or project those are that are narrowed
    down by one: None."""
    from aftermind.cli.erasing.matching import says

    if arguments.session or arguments.project or not (arguments.text or arguments.pattern):
        return None
    return says(tuple(arguments.text), tuple(arguments.pattern))


async def _with_requests(seen: Doomed | None, folder: Path, says: Callable[[bytes], bool] | None) -> Doomed:
    """With the spooled requests that go as well. Of what still waits it is told that it does, and will be a memory."""
    from anyio import to_thread
    from msgspec import structs

    from aftermind.cli.erasing.requests import saying, waiting
    from aftermind.cli.language.erasing import Doomed
    from aftermind.cli.terminal.tables import counted, note

    seen = seen or Doomed(memories=0, derived=0, events=0, locked=(), first=())
    if says is None:
        return seen
    if count := len(await to_thread.run_sync(waiting, folder, says)):
        told = f"{counted(count, 'request')} waiting in the spool will say it, too"
        note(f"{told}: forget it again when the spool is empty.")
    return structs.replace(seen, spooled=len(await to_thread.run_sync(saying, folder, says)))


def _time(text: str | None, bound: Callable[[Moment], Bound]) -> datetime | None:
    """The instant that is meant; of a day its beginning, or its end."""
    from aftermind.cli.past.moments import instant
    from aftermind.engine.stamp import Stamp

    if text is None:
        return None
    return instant(text, Stamp().now(), bound)


def _show(seen: Doomed) -> None:
    from aftermind.cli.erasing.telling import foretold
    from aftermind.cli.terminal.tables import note

    for ours, theirs in foretold(seen):
        note(ours, theirs)


def _these(seen: Doomed) -> str:
    if seen.memories == 1 and not seen.events and not seen.spooled:
        return "it"
    return "all of this"
