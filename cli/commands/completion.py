"""completion: a script that completes commands and options, made from the same parsers that read them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

SHELLS = ("bash", "zsh", "tcsh")


def configure(parser: ArgumentParser) -> None:
    parser.epilog = 'For bash, in ~/.bashrc:  eval "$(aftermind completion bash)"'
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="the shell it is for: bash, zsh or tcsh")


async def run(arguments: Namespace) -> int:
    import shtab

    from aftermind.cli.terminal.tables import show_json

    script = shtab.complete(_whole_parser(), shell=arguments.shell)
    show_json({"shell": arguments.shell, "script": script}) if arguments.json else print(script)
    return 0


def _whole_parser() -> ArgumentParser:
    """Every command with all it takes, which no other run needs."""
    import shtab

    from aftermind.cli.main import COMMANDS, add_common, command

    whole = ArgumentParser(prog="aftermind", allow_abbrev=False)
    whole.add_argument("--version", action="store_true", help="print the version")
    add_common(whole)
    commands = whole.add_subparsers(dest="command", metavar="COMMAND")
    parsers = [whole]
    for name, summary in COMMANDS:
        one = commands.add_parser(name, help=summary, allow_abbrev=False)
        command(name).configure(one)
        add_common(one)
        parsers.append(one)
    for parser in parsers:
        for action in parser._actions:  # noqa: SLF001 - argparse has no other way to its options
            if action.dest == "home":
                action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    return whole
