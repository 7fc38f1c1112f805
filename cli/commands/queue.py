"""queue: what waits to be done in a project, and who is given what goes first."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from datetime import datetime
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import (
    LEASE,
    actions_of,
    add_everything,
    add_project,
    count,
    lease_time,
    project_of,
    project_or_all,
)

if TYPE_CHECKING:
    from aftermind.cli.language.queueing import State, Waiting
    from aftermind.cli.open_memory import OpenMemory

EXPLAINED = """\
What is overdue goes first, then what has the lowest priority (1 to 5; 3 when
nobody says), what is due within a day one earlier; then what is due first, and
what waits longest. `next --take` holds what goes first by a claim (`aftermind
claim`), and no two are given the same. What another item blocks is ready when
that one is done.

examples:
  aftermind queue add mend the login --priority 1 --due friday
  aftermind queue add - < tasks.txt
  aftermind queue next --take --for 1h
  aftermind queue done mend the login --fence 1795342527123 --note 'with a test'
  aftermind queue defer mend the login --until '+2d'
  aftermind queue block mend the login --by 'the certificate of staging'
  aftermind queue list --state blocked
  aftermind queue stats"""
_ACTIONS = {
    "add": "items into the queue; what waits there is planned anew, what is done is back",
    "next": "what goes first of all that is ready",
    "list": "what waits, what goes first first",
    "stats": "how many there are, by their state and priority",
    "plan": "another priority or date",
    "defer": "put an item off until then",
    "block": "something stands in an item's way",
    "unblock": "it does no more",
    "done": "an item is done; of what is held, its holder says so",
    "skip": "an item will not be done",
}


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.dating.phrases import HELP
    from aftermind.cli.language.queueing import STATES
    from aftermind.cli.main import add_common

    parser.epilog = EXPLAINED
    action = actions_of(parser)
    added: dict[str, ArgumentParser] = {}
    for name, about in _ACTIONS.items():
        one = added[name] = action(name, about)
        if name not in ("next", "list", "stats"):
            what = "what it is called; `-` reads a line for each from standard input" if name == "add" else "which"
            one.add_argument("item", metavar="ITEM", nargs="+", help=what)
        (add_everything if name in ("list", "stats") else add_project)(one)
    for name in ("add", "plan"):
        added[name].add_argument("--priority", metavar="N", type=count, help="1 (first) to 5; 3 when nobody says")
        added[name].add_argument("--due", metavar="WHEN", help=HELP + ("; `none`" if name == "plan" else ""))
    added["defer"].add_argument("--until", metavar="WHEN", required=True, help=f"{HELP}; `none`: no longer")
    added["block"].add_argument("--by", metavar="TEXT", required=True, help="another item, or what it is")
    added["unblock"].add_argument("--by", metavar="TEXT", default="", help="which blocker (default: all)")
    for name in ("add", "defer", "done", "skip"):
        added[name].add_argument("--note", metavar="TEXT", default="", help="what there is to say of it")
    for name in ("defer", "block", "done", "skip"):
        added[name].add_argument("--fence", metavar="N", type=count, help="the number by which you hold it")
    for name in ("defer", "block", "done", "skip", "next"):
        added[name].add_argument("--session", metavar="SESSION", help="whose claim it is")
    given = added["next"]
    given.add_argument("--take", action="store_true", help="hold it from now on")
    given.add_argument("--for", dest="seconds", metavar="TIME", type=lease_time, help=LEASE)
    given.add_argument("--by", metavar="NAME", default="", help="who holds it (default: your name on this machine)")
    added["list"].add_argument("--state", metavar="STATE", action="append", choices=STATES, help=", ".join(STATES))
    added["list"].add_argument("--limit", metavar="N", type=count, default=50, help="at most N (default: 50)")
    for one in added.values():
        add_common(one)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened

    async with opened(arguments, make=arguments.action == "add") as memory:
        match arguments.action:
            case "add":
                return await _add(memory, arguments)
            case "next":
                return await _next(memory, arguments)
            case "list":
                return await _list(memory, arguments)
            case "stats":
                return await _stats(memory, arguments)
            case _:
                return await _arrange(memory, arguments)


async def _add(memory: OpenMemory, arguments: Namespace) -> int:
    from aftermind.cli.language.queueing import Queue
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.stdin import all_of_stdin
    from aftermind.cli.this_folder import meant
    from aftermind.engine.stored import clean_text

    text = " ".join(arguments.item)
    lines = clean_text(await all_of_stdin()).splitlines() if text == "-" else [text]
    asked = Queue(
        items=tuple(line for line in lines if line.strip()),
        project=as_written(await meant(memory, project_of(arguments))),
        priority=arguments.priority,
        due=_time(arguments.due),
        note=arguments.note,
    )
    return _told(arguments, await memory.ask(asked))


async def _next(memory: OpenMemory, arguments: Namespace) -> int:
    from aftermind.cli.commands.claim import user_name
    from aftermind.cli.language.items import SECONDS
    from aftermind.cli.language.queueing import NextItem
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import nothing_to_print, show_json

    asked = NextItem(
        project=as_written(project_of(arguments)),
        take=arguments.take,
        by=arguments.by or user_name(),
        session=arguments.session,
        seconds=SECONDS if arguments.seconds is None else arguments.seconds,
    )
    found = await memory.ask(asked)
    if found is not None:
        return _told(arguments, (found,), alone=True)
    if arguments.json:
        show_json(None)
    else:
        nothing_to_print("Nothing is ready here. `aftermind queue list` shows what is held, blocked or put off.")
    return 0


async def _arrange(memory: OpenMemory, arguments: Namespace) -> int:
    from aftermind.cli.dating.options import NONE
    from aftermind.cli.language.queueing import Arrange
    from aftermind.cli.places import as_written

    due, until = getattr(arguments, "due", None), getattr(arguments, "until", None)
    asked = Arrange(
        item=" ".join(arguments.item),
        what=arguments.action,
        project=as_written(project_of(arguments)),
        priority=getattr(arguments, "priority", None),
        due=None if due == NONE else _time(due),
        undated=due == NONE,
        until=None if until == NONE else _time(until),
        by=getattr(arguments, "by", ""),
        note=getattr(arguments, "note", ""),
        fence=getattr(arguments, "fence", None),
        session=getattr(arguments, "session", None),
    )
    return _told(arguments, (await memory.ask(asked),), alone=True)


async def _list(memory: OpenMemory, arguments: Namespace) -> int:
    found = await _waiting(memory, arguments, arguments.state, arguments.limit)
    return _told(arguments, found)


async def _stats(memory: OpenMemory, arguments: Namespace) -> int:
    from collections import Counter

    from aftermind.cli.language.queueing import STATES
    from aftermind.cli.terminal.tables import say, show_json

    found = await _waiting(memory, arguments, STATES, None)
    states = Counter(one.state for one in found)
    waits = [one for one in found if one.state not in ("done", "skipped")]
    priorities = Counter(one.priority for one in waits)
    told = {
        "states": {state: states[state] for state in STATES},
        "priorities": {str(number): priorities[number] for number in sorted(priorities)},
        "soon": sum(one.urgent < one.priority for one in waits),
    }
    if arguments.json:
        show_json(told)
        return 0
    say(", ".join(f"{states[state]} {state}" for state in STATES))
    if waits:
        by = ", ".join(f"{priorities[number]} of {number}" for number in sorted(priorities))
        say(f"By priority: {by}. Due within a day, or overdue: {told['soon']}.")
    return 0


async def _waiting(
    memory: OpenMemory, arguments: Namespace, states: list[State] | tuple[State, ...] | None, limit: int | None
) -> tuple[Waiting, ...]:
    from aftermind.cli.language.queueing import ListQueue
    from aftermind.cli.opening import say_when_unknown
    from aftermind.cli.places import as_written

    project, everything = project_or_all(arguments)
    await say_when_unknown(memory, project)
    place = as_written(project)
    if states is None:
        return await memory.ask(ListQueue(project=place, all=everything, limit=limit))
    return await memory.ask(ListQueue(project=place, all=everything, states=tuple(states), limit=limit))


def _told(arguments: Namespace, found: tuple[Waiting, ...], *, alone: bool = False) -> int:
    from aftermind.cli.terminal.tables import nothing_to_print, show_json, show_table, when

    if arguments.json:
        show_json(found[0] if alone else found)
    elif found:
        rows = [(str(one.priority), when(one.due)[:16] if one.due else "", _state(one), one.called) for one in found]
        show_table(("PRIORITY", "DUE", "STATE", "ITEM"), rows)
    else:
        nothing_to_print("Nothing waits here.")
    return 0


def _state(one: Waiting) -> str:
    from aftermind.cli.terminal.tables import when

    match one.state:
        case "held" if one.lease is not None:
            return f"held by {one.lease.by} as {one.lease.fence}"
        case "blocked":
            return f"blocked by {'; '.join(by.by or '(forgotten)' for by in one.blockers)}"
        case "deferred" if one.deferred is not None:
            return f"put off until {when(one.deferred)[:16]}"
        case _:
            return one.state


def _time(said: str | None) -> datetime | None:
    from aftermind.cli.dating.options import now_and_zone
    from aftermind.cli.dating.phrases import reminded

    return None if said is None else reminded(said, *now_and_zone())[0]
