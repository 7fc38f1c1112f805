"""undo: what happened to memories by a decision, taken back by an event that brings about what was before."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aftermind.cli.language.undoing import Step

UNDONE = "it is undone"
EXPLAINED = """\
Corrections, supersessions, promotions and demotions, links, archive and
restore, locks, expiry, what was said behind a memory and how long it holds,
reminders, reviews, resolved blockers, your own scores and statements can be
undone; what followed from one at once is undone with it. Nothing is removed:
both stay in history, and an undo can be undone. What came after something is
undone first.

Without an EVENT it is the last thing of what is visible from the current
folder, unless something was forgotten or a book removed after it; --list shows
those.

What cannot be: forgetting (it is gone), a machine's verdict (`aftermind score`
or `aftermind sidecar rescore` replaces it), what was said in an exchange.

examples:
  aftermind undo                       (the last thing that can be)
  aftermind undo --list
  aftermind undo 4711                  (a number of that list, or an event's id)
  aftermind undo m4c1d0a7be22f19d3     (what happened last to a memory)"""


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.terminal.arguments import add_everything, count, plain_id

    parser.epilog = EXPLAINED
    parser.add_argument("what", metavar="EVENT", nargs="*", type=plain_id, help="an event's number or id, or a memory")
    parser.add_argument("--list", action="store_true", help="show what happened last, and whether it can be undone")
    parser.add_argument("--limit", metavar="N", type=count, default=20, help="so many of the list (20)")
    add_everything(parser)


def _what(step: Step) -> str:
    """What happened, and why it cannot be undone; of what is undone, what makes it so again."""
    if not step.why_not:
        return step.what
    again = f"; {step.hint}" if step.why_not == UNDONE and step.hint else ""
    return f"{step.what} ({step.why_not}{again})"


async def run(arguments: Namespace) -> int:
    from msgspec import structs

    from aftermind.cli.language.misused import Misused
    from aftermind.cli.language.undoing import Undo, Undoable
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.arguments import project_or_all
    from aftermind.cli.terminal.tables import nothing_to_print, say, show_json, show_table, when
    from aftermind.cli.terminal.this_store import of_this_store

    if arguments.list and arguments.what:
        raise Misused("--list shows what can be undone, and undoes nothing", hint="leave out one of them")
    if arguments.what and (arguments.all or arguments.everywhere or arguments.project is not None):
        hint = "they say where the last thing is looked for: leave them out"
        raise Misused("an event is itself, with --project, --global or --all or without", hint=hint)
    place, everything = (None, True) if arguments.what else project_or_all(arguments)
    project = as_written(place)
    async with opened(arguments, make=False) as memory:
        await say_when_unknown(memory, place)
        if arguments.list:
            listed = await memory.ask(Undoable(limit=arguments.limit, project=project, all=everything))
            steps = [structs.replace(step, hint=of_this_store(step.hint)) for step in listed]
            if arguments.json:
                show_json(steps)
            elif not steps:
                nothing_to_print("Nothing happened yet that could be undone.")
            else:
                names = (await memory.stats()).projects
                rows = [
                    (
                        *(str(s.position), when(s.at), "" if s.scope is None else names.get(s.scope, s.scope)),
                        *(s.memory or "", "no" if s.why_not else "yes"),
                        _what(s),
                    )
                    for s in steps
                ]
                show_table(("NUMBER", "WHEN", "PROJECT", "MEMORY", "UNDO", "WHAT"), rows)
            return 0
        which = tuple(arguments.what)
        asked = Undoable(what=which, open=not which, limit=1, project=project, all=everything)
        meant = tuple(step.event for step in await memory.ask(asked))  # first: delivered twice, it stays the same one
        taken = await memory.ask(Undo(what=meant or which, project=project, all=everything))
    if arguments.json:
        show_json(taken)
        return 0
    for one in taken:
        about = f" of {one.step.memory}" if one.step.memory else ""
        if one.already:
            say(f"{one.step.position}{about} is undone already: ", one.step.what)
        else:
            say(f"Undid {one.step.position}{about}: ", one.step.what)
            say(f"  (`aftermind undo {one.by[-1]}` undoes that)")
    return 0
