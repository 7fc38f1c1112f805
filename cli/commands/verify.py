"""verify: every link of the log's chain. Works beside a writer; exit code 7 and the last good position on damage."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    parser.epilog = "Exit code 7 when the log is damaged; the message names the last position that\ncan be trusted."


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened_log
    from aftermind.cli.terminal.tables import counted, say, show_json

    async with opened_log(arguments) as log:
        verified = await log.verify()
    if arguments.json:
        show_json(verified)
    else:
        say(f"{counted(verified.events, 'event')}, {verified.erased:,} erased, head {verified.head}: every link holds.")
    return 0
