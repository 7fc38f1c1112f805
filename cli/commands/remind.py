"""remind: somebody wants to be reminded, of a memory or of what is to be done. Shown when it is due, at the start of a
session and by `aftermind due`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.dating.options import NONE, add_zone
from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import add_project, is_memory_id, plain_id, project_of
from aftermind.engine.memories.recurring import EVERY

if TYPE_CHECKING:
    from aftermind.cli.language.answers import Remembered

EXPLAINED = """\
WHEN is a time to come: 2026-12-01, 2026-12-01T14:30, +2d, +3h, 'in 2 weeks',
tomorrow, 'tomorrow 9:00', 'next monday', 'friday 5pm', 'dec 1'. A day without a
time is its morning, at nine. The name of a weekday is the first such day after
today. Days keep the time on the clock, hours are counted. A time the clock
jumps over is as much later; of one that comes twice the first is taken.

A text becomes a memory of kind plan, and is put away when it is done.

examples:
  aftermind remind Renew the certificate of staging --on 'next monday'
  aftermind remind Send the report --on 'friday 16:00' --every week
  aftermind remind m4c1d0a7be22f19d3 --on +2d
  aftermind remind m4c1d0a7be22f19d3 --on none      (not any more)"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("text", metavar="TEXT | ID", nargs="+", help="what is to be done, or a memory's id")
    parser.add_argument("--on", metavar="WHEN", required=True, help="when; `none` takes a reminder back")
    parser.add_argument("--every", metavar="UNIT", choices=EVERY, default="", help="it comes back: " + ", ".join(EVERY))
    add_zone(parser)
    add_project(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.dating.options import reminder
    from aftermind.cli.language.keeping import Keep, Reminding, Unreminding
    from aftermind.cli.language.requests import Remember
    from aftermind.cli.opening import opened, whose
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.hidden import masked
    from aftermind.cli.terminal.tables import note, say, show_json
    from aftermind.cli.this_folder import meant
    from aftermind.engine.memories.particulars import Particulars
    from aftermind.engine.names import Label

    text = " ".join(arguments.text)
    id = plain_id(text) if is_memory_id(plain_id(text)) else None
    if arguments.on == NONE:
        if id is None:
            raise Misused("a reminder is taken back by its memory's id", hint="`aftermind due --ahead 1y` lists them")
        async with opened(arguments, make=False) as memory:
            found = await memory.ask(Keep(id=id, says=(Unreminding(),)))
        show_json(found) if arguments.json else say(f"Nobody is reminded of {found.id} any more.")
        return 0
    at, told = reminder(arguments.on, arguments.zone)
    every, zone = Label(arguments.every), Label(arguments.zone)
    of_known = id is not None
    async with opened(arguments, make=not of_known) as memory:
        if id is None:
            known = Particulars(due=at, said=arguments.on, again=every, zone=zone)
            project = as_written(await meant(memory, project_of(arguments)))
            id = await memory.ask(Remember(text=text, kind="plan", project=project, particulars=known))
            found = await memory.show(id)
        else:
            found = await memory.ask(Keep(id=id, says=(Reminding(due=at, said=arguments.on, every=every, zone=zone),)))
        theirs = await whose(memory, found)
    if told and not arguments.json:
        note(told[0].upper() + told[1:] + ".")
    if arguments.json:
        show_json(found)
    else:
        for sentence in filter(None, (_sentence(found), theirs if of_known else masked(text))):
            say(sentence)
    return 0


def _sentence(found: Remembered) -> str:
    from aftermind.cli.terminal.tables import when_in

    told = found.particulars
    assert told is not None
    assert told.due is not None
    again = f", and every {told.again} from then on" if told.again else ""
    return f"{found.id} comes up on {when_in(told.due, told.zone)}{again}."
