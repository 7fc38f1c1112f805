"""hook: the command line by which an editor's hook, or a script, reaches the daemon in a few milliseconds."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    parser.epilog = (
        "What it prints takes an event and, on standard input, the object that\n"
        "`aftermind record --help` shows:\n"
        "  prompt  a prompt was sent; prints the briefing for it\n"
        "  turn    an answer is complete; records the exchange\n"
        "  end     the session is over\n\n"
        "It needs no daemon, starts one, and never fails: what was said while none\n"
        "answered waits in the spool.\n\n"
        "example:\n"
        '  echo \'{"prompt": "Which port?", "session": "s1"}\' | $(aftermind hook) prompt'
    )


async def run(arguments: Namespace) -> int:
    import shlex
    import sys

    from aftermind.cli.doors import BIN, DOORS, copied
    from aftermind.cli.opening import home_of
    from aftermind.cli.tables import say, show_json
    from aftermind.engine.store import fit_folder

    folder = fit_folder(home_of(arguments), make=True)
    copied(folder)
    words = [sys.executable, "-I", "-S", str(folder / BIN / DOORS[0]), "--home", str(folder), "json"]
    show_json({"command": words}) if arguments.json else say(shlex.join(words))
    return 0
