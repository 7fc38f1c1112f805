"""claim: what is worked on by one at a time, held by a lease that ends by itself."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from shlex import quote
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
    seconds,
)

if TYPE_CHECKING:
    from aftermind.cli.language.items import Lease
    from aftermind.cli.open_memory import OpenMemory

EXPLAINED = """\
An item is any text that all who work on a project call it by: a path, `!12`, a
sentence. Who takes it holds it alone until its lease is over, and is given a
number that is higher than any before. Who sleeps past the lease has lost it:
an old number is refused (status 4), so what guards the item asks for the number
and `check`s it, or keeps the highest it has seen.

examples:
  aftermind claim take src/billing.py --for 30m
  aftermind claim take 'fix the login, then deploy' --wait 5m
  aftermind claim renew src/billing.py --fence 1795342527123
  aftermind claim check src/billing.py --fence 1795342527123 && make deploy
  aftermind claim release src/billing.py --fence 1795342527123
  aftermind claim list
  aftermind claim release src/billing.py --broken"""
LOOK = 5.0
"""Seconds, at most, between two looks at whether what is waited for is free."""


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.main import add_common

    parser.epilog = EXPLAINED
    added_as = actions_of(parser)

    def action(name: str, about: str) -> ArgumentParser:
        added = added_as(name, about)
        if name != "list":
            added.add_argument("item", metavar="ITEM", nargs="+", help="what it is called; never cut at a comma")
            add_project(added)
        return added

    take = action("take", "hold an item alone, or be told who does and until when")
    renew = action("renew", "hold it longer; an error for who does not hold it")
    release = action("release", "let it go before its time")
    check = action("check", "whether a number still is the one that holds")
    show = action("show", "who holds an item, and all that was done with it")
    listing = action("list", "what is held, what ends first first")
    for one in (take, renew):
        one.add_argument("--for", dest="seconds", metavar="TIME", type=lease_time, help=LEASE)
    take.add_argument("--by", metavar="NAME", default="", help="who holds it (default: your name on this machine)")
    take.add_argument("--session", metavar="SESSION", help="the claim ends when this session does")
    take.add_argument("--wait", metavar="TIME", type=seconds, default=0.0, help="so long for whoever holds it")
    for one in (renew, release):
        one.add_argument("--session", metavar="SESSION", help="whose it is, without a number")
    for one in (renew, release, check):
        one.add_argument("--fence", metavar="N", type=count, required=one is check, help="the number it was given")
    release.add_argument("--broken", action="store_true", help="whoever holds it: that one's number is old from now on")
    listing.add_argument("--over", action="store_true", help="also those whose lease is over, and were not released")
    listing.add_argument("--session", metavar="SESSION", help="of this session")
    listing.add_argument("--limit", metavar="N", type=count, default=50, help="at most N (default: 50)")
    add_everything(listing)
    for one in (take, renew, release, check, show, listing):
        add_common(one)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened

    async with opened(arguments, make=arguments.action == "take") as memory:
        match arguments.action:
            case "take":
                return _told(arguments, await _taken(memory, arguments), "You hold")
            case "list":
                return await _list(memory, arguments)
            case "show":
                return await _show(memory, arguments)
            case _:
                return await _kept(memory, arguments)


async def _taken(memory: OpenMemory, arguments: Namespace) -> Lease:
    """The claim, waited for as long as somebody else's is in the way."""
    import anyio

    from aftermind.cli.language.items import SECONDS, TakeClaim
    from aftermind.cli.language.requests import Beyond
    from aftermind.cli.places import as_written
    from aftermind.cli.this_folder import meant
    from aftermind.engine.errors import Held

    asked = TakeClaim(
        item=_item(arguments),
        project=as_written(await meant(memory, project_of(arguments))),
        by=arguments.by or user_name(),
        session=arguments.session,
        seconds=SECONDS if arguments.seconds is None else arguments.seconds,
    )
    end = anyio.current_time() + arguments.wait
    while True:
        head = (await memory.state()).head if arguments.wait else 0
        try:
            return await memory.ask(asked)
        except Held as held:
            left = end - anyio.current_time()
            if left <= 0:
                item, place = quote(_item(arguments)), _place(arguments)
                by = f" --by {quote(arguments.by)}" if arguments.by else ""
                renew = f"`aftermind claim renew {item} --fence {held.fence}{place}`"
                held.hint = f"`aftermind claim take {item} --wait 15m{by}{place}` waits for it; if that is you: {renew}"
                raise
        await memory.ask(Beyond(position=head, seconds=min(left, LOOK)))


def user_name() -> str:
    """Of who runs this process, as the system knows it."""
    try:
        import os
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, AttributeError, KeyError):
        return "somebody"


async def _kept(memory: OpenMemory, arguments: Namespace) -> int:
    from aftermind.cli.language.items import SECONDS, CheckClaim, ReleaseClaim, RenewClaim
    from aftermind.cli.places import as_written

    item, project, fence = _item(arguments), as_written(project_of(arguments)), arguments.fence
    if fence is None and arguments.session is None and not getattr(arguments, "broken", False):
        await _must_say_whose(memory, arguments)
    match arguments.action:
        case "renew":
            seconds = SECONDS if arguments.seconds is None else arguments.seconds
            renew = RenewClaim(item=item, project=project, fence=fence, session=arguments.session, seconds=seconds)
            return _told(arguments, await memory.ask(renew), "You still hold")
        case "check":
            return _told(arguments, await memory.ask(CheckClaim(item=item, project=project, fence=fence)), "It holds:")
        case _:
            release = ReleaseClaim(
                item=item, project=project, fence=fence, session=arguments.session, broken=arguments.broken
            )
            return _told(arguments, await memory.ask(release), "")


async def _must_say_whose(memory: OpenMemory, arguments: Namespace) -> None:
    """Refuses what is held and would be changed without a word of who asks, with the command that says it: whoever
    goes by the same name may be somebody else."""
    from aftermind.cli.language.items import ShowClaim
    from aftermind.cli.language.misused import Misused
    from aftermind.cli.places import as_written

    item = _item(arguments)
    lease = (await memory.ask(ShowClaim(item=item, project=as_written(project_of(arguments))))).lease
    if lease is None:
        return
    command = f"aftermind claim {arguments.action} {quote(item)} --fence {lease.fence}"
    raise Misused(
        f"whose claim “{item}” is must be said: {lease.holder} holds it, as number {lease.fence}",
        hint=f"if that is you: `{command}{_place(arguments)}`",
    )


def _place(arguments: Namespace) -> str:
    """The words that say again which project is meant."""
    if arguments.everywhere:
        return " --global"
    return f" --project {quote(arguments.project)}" if arguments.project is not None else ""


def _told(arguments: Namespace, lease: Lease, how: str) -> int:
    from aftermind.cli.terminal.tables import say, show_json, when
    from aftermind.engine.items.life import told  # as who is refused is told
    from aftermind.engine.zones import HERE

    if arguments.json:
        show_json(lease)
    elif how:
        here = lease.until.astimezone(HERE)
        until = f"{when(here)} ({told(lease.until)})" if here.utcoffset() else told(lease.until)
        say(f"{how} “{lease.item}” until {until}, as number {lease.fence}.")
    else:
        say(f"Nobody holds “{lease.item}” any more; {lease.by} did, as number {lease.fence}.")
    return 0


async def _list(memory: OpenMemory, arguments: Namespace) -> int:
    from aftermind.cli.language.items import ListClaims
    from aftermind.cli.opening import say_when_unknown
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import nothing_to_print, show_json, show_table, when

    project, everything = project_or_all(arguments)
    await say_when_unknown(memory, project)
    asked = ListClaims(
        project=as_written(project),
        all=everything,
        over=arguments.over,
        session=arguments.session,
        limit=arguments.limit,
    )
    found = await memory.ask(asked)
    if arguments.json:
        show_json(found)
    elif found:
        until = [f"{when(one.until)}{'' if one.holds else ' (over)'}" for one in found]
        rows = [(str(one.fence), end, one.holder, one.called) for one, end in zip(found, until, strict=True)]
        show_table(("NUMBER", "UNTIL", "BY", "ITEM"), rows)
    else:
        nothing_to_print("Nothing is held." if everything else "Nothing is held here. `--all` asks every project.")
    return 0


async def _show(memory: OpenMemory, arguments: Namespace) -> int:
    from aftermind.cli.language.items import ShowClaim
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import say, show_json, when

    told = await memory.ask(ShowClaim(item=_item(arguments), project=as_written(project_of(arguments))))
    if arguments.json:
        show_json(told)
        return 0
    lease = told.lease
    held = "Nobody holds" if lease is None else f"{lease.holder} holds"
    number = "" if lease is None else f" until {when(lease.until)}, as number {lease.fence}"
    say(f"{held} “{told.item}”{number}.")
    for step in told.steps:
        say(f"  {when(step.at)}  {step.what}")
    return 0


def _item(arguments: Namespace) -> str:
    return " ".join(arguments.item)
