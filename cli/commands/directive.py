"""directive: the standing rules of a project, or of all. A rule is a memory, so whatever is done with memories (lock,
correct, why, undo, forget) is done with rules too."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import add_ids, add_project, project_of

if TYPE_CHECKING:
    from aftermind.cli.language.projects import Directive

EXPLAINED = """\
A rule is shown when a session begins: locked ones first, then those that always
apply, then the narrower ones, as far as the budget goes. One that has a
condition is shown again before a prompt that meets it. The condition is what
the rule begins or ends with, or what the flags say:

  On push: run make check         In tests/: no mocks of our own code
  Run make check before pushing   About billing: prices are integers

Of two that say the opposite the narrower goes before, and both are shown with
their scopes; which of two that are as wide nobody can tell, so both stand, each
with the other's id. One that ends the other ("don't squash any more") goes
before it. One that orders the same with another language to answer in, or
another package manager, takes the place of the older one.

examples:
  aftermind directive add Never commit .env --global --locked
  aftermind directive add run make check first --on push
  aftermind directive add Prices are integers --about billing --in src/
  aftermind directive list --at 'push it to main'
  aftermind directive remove m1c2d3e4f5a6b7c8d"""


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.main import add_common

    parser.epilog = EXPLAINED
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    add = actions.add_parser("add", help="state a rule", allow_abbrev=False)
    add.add_argument("text", metavar="TEXT", nargs="+", help="the rule; `-` reads it from standard input")
    add.add_argument("--on", metavar="ACT", action="append", default=[], help="when that is done: push, commit, …")
    add.add_argument("--in", metavar="PATH", dest="within", action="append", default=[], help="a folder, file or *.ext")
    add.add_argument("--about", metavar="NAME", action="append", default=[], help="a thing that is spoken of")
    add.add_argument("--locked", action="store_true", help="protect it from every change but verdicts; show it first")
    listed = actions.add_parser("list", help="the rules in force", allow_abbrev=False)
    listed.add_argument("--at", metavar="TEXT", default="", help="those that apply to this prompt or command")
    for action in (add, listed):
        add_project(action)
    remove = actions.add_parser("remove", help="rules hold no more; `restore` brings them back", allow_abbrev=False)
    add_ids(remove)
    for action in (add, listed, remove):
        add_common(action)


async def run(arguments: Namespace) -> int:
    match arguments.action:
        case "add":
            return await _add(arguments)
        case "list":
            return await _list(arguments)
        case _:
            return await _remove(arguments)


async def _add(arguments: Namespace) -> int:
    from msgspec import to_builtins

    from aftermind.cli.language.projects import Directives
    from aftermind.cli.opening import opened
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.consequences import in_its_place, replaced
    from aftermind.cli.terminal.hidden import masked
    from aftermind.cli.terminal.stdin import text_or_stdin
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.cli.this_folder import meant
    from aftermind.engine.memories.directives import Condition, tags_of

    project = project_of(arguments)
    text = await text_or_stdin(" ".join(arguments.text))
    when = Condition(tuple(arguments.on), tuple(arguments.within), tuple(arguments.about))
    async with opened(arguments) as memory:
        before, project = await memory.caught_up(), await meant(memory, project)
        id = await memory.remember(text, kind="directive", project=project, tags=tags_of(when))
        if arguments.locked:
            await memory.lock(id)
        rules = await memory.ask(Directives(project=as_written(project)))
        gone = replaced(await memory.events(after=before), id)
    new = next((rule for rule in rules if rule.id == id), None)
    if new is None:  # somebody put it away in the same moment
        say(f"Added {id}.")
    elif arguments.json:
        show_json({**to_builtins(new), "replaced": gone})
    else:
        say(f"Added {id}: {_when(new)}{', locked' if new.memory.locked else ''}.")
        for old in gone:
            say(in_its_place(old, id))
        for note in new.notes:
            if note.startswith(_AGAINST):
                say(f"It {note}.")
        if hidden := masked(text):
            say(hidden)
    return 0


_AGAINST = ("contradicts", "goes before", "gives way")


async def _list(arguments: Namespace) -> int:
    from aftermind.cli.language.projects import Directives
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import nothing_to_print, show_json, show_table

    project = project_of(arguments)
    async with opened(arguments, make=False) as memory:
        await say_when_unknown(memory, project)
        rules = await memory.ask(Directives(project=as_written(project), at=arguments.at))
    if arguments.json:
        show_json(rules)
    elif rules:
        show_table(("ID", "APPLIES", "WHERE", "RULE"), list(map(_row, rules)))
    else:
        nothing_to_print("No rule applies here." if arguments.at else "There is no rule here.")
    return 0


def _when(rule: Directive) -> str:
    from aftermind.engine.memories.directives import Condition

    return Condition(rule.on, rule.within, rule.about).told or "always"


def _row(rule: Directive) -> tuple[str, str, str, str]:
    """What stands against a rule comes behind it: that column wraps."""
    told = _when(rule)
    notes = [note for note in rule.notes if note != told]
    against = [note for note in notes if note.startswith(_AGAINST)]
    where = "; ".join(note for note in notes if note not in against)
    return rule.id, told, where, f"{rule.text} ({'; '.join(against)})" if against else rule.text


async def _remove(arguments: Namespace) -> int:
    from aftermind.cli.language.projects import DropDirective
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.tables import say, show_json

    gone = []
    async with opened(arguments, make=False) as memory:
        for id in dict.fromkeys(arguments.ids):
            gone.append(await memory.ask(DropDirective(id=id)))
            if not arguments.json:
                say(f"{gone[-1].id} holds no more; `aftermind restore {gone[-1].id}` brings it back.")
    if arguments.json:
        show_json(gone)
    return 0
