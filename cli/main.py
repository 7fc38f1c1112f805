"""The command line: which command was chosen, and what its end means.

Importing this module costs argparse and nothing else; a command's module is imported when it is the one that was
chosen. Everything that goes wrong by design ends as two lines on stderr and the exit code of its error.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from aftermind import __version__

COMMANDS: tuple[tuple[str, str], ...] = (
    ("search", "Find memories by what they say"),
    ("remember", "Keep one statement"),
    ("show", "Print one memory in full"),
    ("correct", "Give a memory another wording; the earlier one stays in history"),
    ("forget", "Take memories out of every answer, for good"),
    ("promote", "Move memories one step up: working, history, patterns"),
    ("demote", "Move memories one step down"),
    ("lock", "Protect memories from every change"),
    ("unlock", "Allow changes to memories again"),
    ("archive", "Take memories out of recall until they are restored"),
    ("restore", "Bring archived, expired or superseded memories back"),
    ("record", "Record an exchange from standard input"),
    ("context", "Print the briefing an assistant would read"),
    ("score", "Say how an exchange or a memory worked out"),
    ("why", "Tell a memory's life: where it was shown, how it did, how it moved"),
    ("log", "Print the events of the log"),
    ("stats", "Count what is in the store"),
    ("verify", "Check every link of the log"),
    ("import", "Bring in exchanges from JSONL, an OpenCode database or a Claude Code transcript"),
    ("demo", "Play two sessions in a store of their own: what fails sinks, what works rises"),
    ("config", "Read and change the configuration"),
    ("completion", "Print a completion script for a shell"),
)
SHARED = {
    **dict.fromkeys(("promote", "demote", "lock", "unlock", "archive", "restore"), "becoming"),
    "import": "import_",  # the name alone is a keyword
}
"""Commands whose module has another name than they have."""
INTERRUPTED, PIPE_CLOSED = 130, 141
"""What a shell reports of a process that ended by SIGINT or SIGPIPE."""


class Parser(argparse.ArgumentParser):
    """argparse, with its complaints as our errors."""

    def error(self, message: str) -> NoReturn:
        from aftermind.cli.arguments import Misused

        raise Misused(message, hint=f"`{self.prog} --help` lists what it takes")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; its exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    _fill_gaps()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a letter is no reason to fail
    try:
        status = _run(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
        return PIPE_CLOSED
    except Exception as error:
        return _failed(error, words)
    return status


def command(name: str) -> ModuleType:
    """The module of a command."""
    return import_module(f"aftermind.cli.commands.{SHARED.get(name, name)}")


def add_common(parser: argparse.ArgumentParser) -> None:
    """What every command takes, before its name or after it."""
    group = parser.add_argument_group("everywhere")
    nothing = argparse.SUPPRESS  # what was said before the command's name is not unsaid after it
    group.add_argument("--home", metavar="FOLDER", default=nothing, help="the store (default: AFTERMIND_HOME)")
    group.add_argument("--json", action="store_true", default=nothing, help="print JSON, for programs")
    group.add_argument("--traceback", action="store_true", default=nothing, help="on an error, show where it came from")


def _run(words: list[str]) -> int:
    place = _command_at(words)
    arguments = argparse.Namespace(home=None, json=False, traceback=False, command=None)
    top = _top()
    try:
        top.parse_args(words[:place], arguments)
        if place == len(words):
            top.print_help()
            return 0
        arguments.command = words[place]
        summaries = dict(COMMANDS)
        if arguments.command not in summaries:
            _unknown(arguments.command, list(summaries))
        module = command(arguments.command)
        parser = Parser(
            prog=f"aftermind {arguments.command}",
            description=summaries[arguments.command] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.configure(parser)
        add_common(parser)
        parser.parse_args(words[place + 1 :], arguments)
    except SystemExit as end:  # --help and --version are done
        return int(end.code or 0)
    import anyio

    status: int = anyio.run(module.run, arguments)
    return status


def _command_at(words: list[str]) -> int:
    """The place of the first word that is no option of ours."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] == "--home" else 1
    return min(place, len(words))


def _top() -> Parser:
    width = max(len(name) for name, _ in COMMANDS)
    lines = "\n".join(f"  {name:<{width}}  {summary}" for name, summary in COMMANDS)
    parser = Parser(
        prog="aftermind",
        usage="aftermind COMMAND …",
        description="Memory for AI coding assistants that learns from what happened next.",
        epilog=f"commands:\n{lines}\n\n`aftermind COMMAND --help` says what a command takes.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"aftermind {__version__}")
    add_common(parser)
    return parser


def _unknown(name: str, known: list[str]) -> NoReturn:
    from difflib import get_close_matches

    from aftermind.cli.arguments import Misused

    close = get_close_matches(name, known)
    meant = f"did you mean {' or '.join(f'`aftermind {word}`' for word in close)}?" if close else ""
    raise Misused(f"there is no command {name!r}", hint=meant or "`aftermind --help` lists the commands")


def _failed(error: Exception, words: list[str]) -> int:
    """Two lines on stderr: what happened, what to do. The exit code."""
    from aftermind.cli.tables import show_error
    from aftermind.engine.errors import AftermindError

    options = words[: words.index("--")] if "--" in words else words
    if "--traceback" in options:
        from traceback import print_exception

        print_exception(error)
    if isinstance(error, AftermindError):
        what, hint, status = str(error), error.hint, error.status
    else:
        what, hint, status = f"unexpected {type(error).__name__}: {error}", "run it again with --traceback", 1
    show_error(what, hint, type(error).__name__, as_json="--json" in options)
    return status


def _fill_gaps() -> None:
    """A closed stdout or stderr becomes one that goes nowhere, so that no file we open gets its number."""
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _silence_stdout() -> None:
    """Nobody reads on: the interpreter's last flush goes nowhere instead of failing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
