"""enrich: what forges say of the issues and merge requests that memories refer to. Off until somebody names a forge."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import add_everything, count, project_or_all

if TYPE_CHECKING:
    from aftermind.cli.enriching.rounds import Round
    from aftermind.cli.language.entities import Stale

MOST = 50
EXPLAINED = """\
Asks forges for the title, state, labels and address of the issues, pull and
merge requests and epics that memories refer to. Only hosts of enrich.forges are
asked, and all they are sent is the reference (and their token). What was asked
within enrich.hours is not asked again; a forge that wants to be left alone is.
What they say is shown by `context --entity`, `show` and `blocker list`.

  aftermind config set enrich.forges 'github.com gitlab:git.example.org'
  aftermind config set enrich.tokens 'github.com=GITHUB_TOKEN'

A token stays in its environment variable, or in the system's keyring:

  aftermind enrich --set-token git.example.org    (asked for, or piped in)

examples:
  aftermind enrich --dry-run
  aftermind enrich --limit 20 --project webshop"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("--limit", metavar="N", type=count, default=MOST, help=f"ask about at most N (default: {MOST})")
    parser.add_argument("--dry-run", action="store_true", help="tell what would be asked; ask nothing")
    parser.add_argument("--set-token", metavar="HOST", help="keep a token for a host in the keyring, and ask nothing")
    parser.add_argument("--remove-token", metavar="HOST", help="take it out of the keyring, and ask nothing")
    add_everything(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.enriching.forges import forges
    from aftermind.cli.enriching.rounds import Round, asked, lines
    from aftermind.cli.language.entities import FindStale
    from aftermind.cli.opening import opened
    from aftermind.cli.places import as_written
    from aftermind.cli.settings import configuration
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.engine.errors import Unusable
    from aftermind.engine.stamp import Stamp

    if arguments.set_token or arguments.remove_token:
        return await _token(arguments)
    config = configuration().enrich
    known = forges(config.forges, config.tokens)
    if not known and not arguments.dry_run:
        raise Unusable("no forge may be asked", "enrich.forges", hint="`aftermind config set enrich.forges github.com`")
    project, _ = project_or_all(arguments)
    hosts = tuple(forge.host for forge in known)
    async with opened(arguments, make=False) as memory:
        stale = await memory.ask(
            FindStale(hosts=hosts, hours=config.hours, project=as_written(project), limit=arguments.limit)
        )
        found = Round(dry_run=True, wanted=list(stale.wanted))
        if not arguments.dry_run:
            wanted = [one for one in stale.wanted if one.host not in stale.limited]
            with bar("Asking", len(wanted), hidden=arguments.json) as done:
                found = await asked(known, wanted, memory.ask, Stamp().now, config.timeout_seconds, done)
            _left(found, stale, len(wanted))
        found.fresh, found.others = stale.fresh, stale.others
    if arguments.json:
        show_json(found)
    elif arguments.dry_run:
        _foretell(found, bool(known))
    else:
        for line in lines(found):
            say(line)
    return 0


def _left(found: Round, stale: Stale, asked: int) -> None:
    """Hosts that still want to be left alone."""
    from aftermind.cli.enriching.rounds import left_alone

    of_hosts = {one.host for one in stale.wanted}
    found.left |= {host: left_alone(at) for host, at in stale.limited.items() if host in of_hosts}
    found.not_asked += len(stale.wanted) - asked


def _foretell(found: Round, is_on: bool) -> None:
    from aftermind.cli.enriching.rounds import lines
    from aftermind.cli.terminal.tables import note, say, show_table, when

    if not is_on:
        note("No forge may be asked: `aftermind config set enrich.forges github.com`, for example.")
    if found.wanted:
        rows = [(one.reference, one.project, when(one.asked) if one.asked else "never") for one in found.wanted]
        show_table(("REFERENCE", "PROJECT", "ASKED"), rows)
        say("Nothing was asked: --dry-run.")
    else:
        for line in lines(found):
            say(line)


async def _token(arguments: Namespace) -> int:
    import sys

    from aftermind.cli.secret import keep, take_away
    from aftermind.cli.terminal.stdin import all_of_stdin, answered_unseen
    from aftermind.cli.terminal.tables import say, show_json

    host = (arguments.set_token or arguments.remove_token).strip().casefold()
    place = f"forge {host}"
    if arguments.remove_token:
        gone = await take_away(place)
        told = f"The token for {host} is out of the keyring." if gone else f"The keyring has no token for {host}."
    else:
        terminal = sys.stdin.isatty()
        typed = await (answered_unseen(f"Token for {host} (not shown):") if terminal else all_of_stdin())
        if not (secret := typed.strip()) or len(secret.split()) > 1:
            raise Misused("that is no token", hint="pipe it in, or run this at a terminal and paste it")
        await keep(place, secret)
        told = f"The token for {host} is in the keyring; enrich.tokens needs {host}=keyring."
    show_json({"host": host}) if arguments.json else say(told)
    return 0
