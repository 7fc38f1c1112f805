"""done, snooze, review, resolve: what becomes of what asked for somebody. One shape, four decisions."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.dating.options import NONE, add_zone
from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import add_ids

if TYPE_CHECKING:
    from aftermind.cli.language.answers import Remembered
    from aftermind.cli.language.keeping import Saying

EXAMPLES = {
    "done": """\
What it reminds of is done; a reminder that comes back is due the next time. A
plan, or an event, is put away with it: `aftermind undo` brings it back.

examples:
  aftermind done m4c1d0a7be22f19d3""",
    "snooze": """\
examples:
  aftermind snooze m4c1d0a7be22f19d3 --until 'tomorrow 9:00'
  aftermind snooze m4c1d0a7be22f19d3 --until +2h""",
    "review": """\
The memory was looked at and still holds; `aftermind correct` says what is so
instead. It asks again after the days that were said of it, or of its kind.

examples:
  aftermind review m4c1d0a7be22f19d3
  aftermind review m4c1d0a7be22f19d3 --again 30d
  aftermind review m4c1d0a7be22f19d3 --again none""",
    "resolve": """\
A blocker that blocks no more is kept for lifecycle.resolved_days, for whoever
meets the same again.

examples:
  aftermind resolve m4c1d0a7be22f19d3 --how 'the vendor raised the quota'
  aftermind resolve m4c1d0a7be22f19d3 --reopen""",
}


def configure(parser: ArgumentParser) -> None:
    command = parser.prog.split()[-1]
    parser.epilog = EXAMPLES.get(command, "")
    add_ids(parser)
    match command:
        case "snooze":
            parser.add_argument("--until", metavar="WHEN", required=True, help="+2h, tomorrow, 'monday 9:00', a date")
            add_zone(parser)
        case "review":
            parser.add_argument("--again", metavar="WHEN", help="ask again every 90d, on a date, or `none`")
        case "resolve":
            parser.add_argument("--how", metavar="TEXT", default="", help="what solved it")
            parser.add_argument("--reopen", action="store_true", help="it blocks again")
        case _:
            pass


async def run(arguments: Namespace) -> int:
    from aftermind.cli.language.keeping import Keep
    from aftermind.cli.opening import opened, whose
    from aftermind.cli.terminal.tables import say, show_json

    says = _says(arguments)
    done: list[Remembered] = []
    ids = list(dict.fromkeys(arguments.ids))
    try:
        async with opened(arguments, make=False) as memory:
            for id in ids:
                await memory.show(id)  # all of them exist, or nothing is done
            for id in ids:
                before = await memory.caught_up()
                found = await memory.ask(Keep(id=id, says=says))
                done.append(found)
                if not arguments.json:
                    changed = await memory.caught_up() > before
                    say(_sentence(arguments, found))
                    if changed and (theirs := await whose(memory, found)):
                        say(theirs)
    finally:  # also when a later one was refused: what was done is said
        if arguments.json and done:
            show_json(done)
    return 0


def _says(arguments: Namespace) -> tuple[Saying, ...]:
    from aftermind.cli.dating.options import reminder, review_time
    from aftermind.cli.language.keeping import Finishing, Planning, Reopening, Resolving, Reviewing, Snoozing

    match arguments.command:
        case "done":
            return (Finishing(),)
        case "snooze":
            at, told = reminder(arguments.until, arguments.zone)
            if told and not arguments.json:
                from aftermind.cli.terminal.tables import note

                note(told[0].upper() + told[1:] + ".")
            return (Snoozing(until=at),)
        case "review":
            if arguments.again is None:
                return (Reviewing(),)
            at_time, every = review_time(arguments.again)
            plan = Planning(at=at_time, every=every)
            return (Reviewing(next=at_time), plan) if arguments.again != NONE else (Reviewing(), plan)
        case _:
            if arguments.reopen and arguments.how:
                raise Misused("--how says what solved it, and --reopen that nothing did", hint="leave out one of them")
            return (Reopening(),) if arguments.reopen else (Resolving(how=arguments.how),)


def _sentence(arguments: Namespace, found: Remembered) -> str:
    from aftermind.cli.terminal.tables import when, when_in

    told = found.particulars
    assert told is not None
    match arguments.command:
        case "done" if told.due is not None:
            return f"Done: {found.id} comes up again on {when_in(told.due, told.zone)}."
        case "done":
            return f"Done: {found.id}{', which is put away' if found.status == 'archived' else ''}."
        case "snooze":
            if told.due is None:
                return f"{found.id} is done."
            return f"{found.id} comes up on {when_in(told.due, arguments.zone or told.zone)}."
        case "review":
            again = f"; it asks again on {when(told.review)}" if told.review is not None else ""
            return f"Reviewed {found.id}{again}."
        case _ if told.resolved:
            kept = f", and kept until {when(found.expires)}" if found.expires is not None else ""
            return f"Resolved {found.id}{kept}."
        case _:
            return f"{found.id} blocks."
