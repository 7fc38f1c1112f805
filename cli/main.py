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
from aftermind.cli.interrupting import CTRL_C
from aftermind.cli.terminal.this_store import home_in, is_of

COMMANDS: tuple[tuple[str, str], ...] = (
    ("init", "Set up the assistants on this machine"),
    ("uninstall", "Undo what init did; the memory stays"),
    ("search", "Find memories by what they say, or list the newest"),
    ("remember", "Keep one statement"),
    ("directive", "State, list and remove standing rules"),
    ("project", "List projects, share one with another, say which a folder is"),
    ("claim", "Hold what is worked on by one at a time, by leases that end"),
    ("queue", "What waits to be done: added, ordered, put off, handed out, done"),
    ("show", "Print one memory in full, and what is linked with it"),
    ("link", "Say what one memory has to do with another"),
    ("unlink", "Take back what links two memories"),
    ("links", "Walk from a memory, or a name, to what is linked with it"),
    ("correct", "Give a memory another wording; the earlier one stays in history"),
    ("forget", "Take memories out of every answer, for good"),
    ("detail", "Say why a memory is so, what was learned, and how long it holds"),
    ("remind", "Be reminded, of a memory or of what is to be done"),
    ("due", "List reminders that are due, and what asks to be reviewed"),
    ("done", "Say that what a reminder is about is done"),
    ("snooze", "Put a reminder off"),
    ("review", "Say that a memory was looked at and still holds"),
    ("resolve", "Say that a blocker blocks no more"),
    ("enrich", "Ask forges what became of the issues that memories refer to"),
    ("blocker", "Say what stands in the way, list it, and resolve it with evidence"),
    ("undo", "Take back what happened to memories by a decision"),
    ("promote", "Move memories one step up: working, history, patterns"),
    ("demote", "Move memories one step down"),
    ("lock", "Protect memories from every change but verdicts"),
    ("unlock", "Allow changes to memories again"),
    ("archive", "Take memories out of recall until they are restored"),
    ("consolidate", "Find stale and duplicate memories, and merge them"),
    ("restore", "Bring archived memories back, or the whole store from a backup"),
    ("session", "See what was worked on and where it stands, and go on with it"),
    ("checkpoint", "Write down where the work stands"),
    ("record", "Record an exchange from standard input"),
    ("context", "Print the briefing an assistant would read"),
    ("score", "Say how an exchange or a memory worked out"),
    ("why", "Tell a memory's life: where it was shown, how it did"),
    ("replay", "Ask what was known at a moment, or what another policy shows"),
    ("diff", "Tell what became of the memories between two moments"),
    ("timeline", "Tell the life of a memory, a session, or a name that is mentioned"),
    ("log", "Print the events of the log"),
    ("stats", "Count what is in the store"),
    ("backup", "Copy what is new in the log to a folder, and list the copies"),
    ("repair", "Mend what is damaged, from what is whole and from a backup"),
    ("verify", "Check the log, the views against it, and all else that is kept"),
    ("rebuild", "Grow the views anew from the log, or only compare them with it"),
    ("import", "Bring in other programs' memories, or exported events"),
    ("export", "Write the events as JSON lines, or what is known as Markdown"),
    ("onboard", "Read what a project says of itself: documents, manifests, history"),
    ("ingest", "Read documents into the collection books"),
    ("books", "List the books"),
    ("remove", "Take books out of recall"),
    ("pause", "Capture nothing and show nothing, in a project or everywhere"),
    ("resume", "Capture and show again"),
    ("status", "Tell how the daemon is, or what the last prompts were shown"),
    ("logs", "Print what the daemon did"),
    ("start", "Start the daemon; it also starts by itself"),
    ("stop", "Stop the daemon when it has answered what it accepted"),
    ("restart", "Stop the daemon and start it again"),
    ("doctor", "Find what is wrong, and name what mends it"),
    ("reset", "Take the whole store away, for good"),
    ("http", "Open a port for figures and MCP, close it, print its token"),
    ("service", "Have the system start the daemon when you log in"),
    ("mcp", "Be an assistant's MCP server, on standard input and output"),
    ("hook", "Print the command by which an editor's hook reaches the daemon"),
    ("model", "See and choose what recall by meaning goes by"),
    ("sidecar", "Choose the judge of what worked, and see how it does"),
    ("summarize", "Have long memories said in fewer words; the originals stay"),
    ("demo", "Play two sessions: what fails sinks, what works rises"),
    ("config", "Read and change the configuration"),
    ("completion", "Print a completion script for a shell"),
)
SHARED = {
    **dict.fromkeys(("promote", "demote", "lock", "unlock"), "becoming"),
    **dict.fromkeys(("done", "snooze", "review", "resolve"), "attending"),
    **dict.fromkeys(("start", "stop", "restart"), "residing"),
    **dict.fromkeys(("pause", "resume"), "pausing"),
    **dict.fromkeys(("link", "unlink"), "linking"),
    "http": "port",
    "service": "always_on",
    "import": "import_",  # the name alone is a keyword
}
"""Commands whose module has another name than they have."""
PIPE_CLOSED = 141
"""What a shell reports of a process that ended by SIGPIPE."""


NOUNS = frozenset({"kind", "collection", "format", "outcome", "client"})
"""Options that are called as one of what they take is."""


class Parser(argparse.ArgumentParser):
    """argparse, with its complaints as our errors, and with the word that may have been meant."""

    def error(self, message: str) -> NoReturn:
        from aftermind.cli.language.misused import Misused

        raise Misused(message, hint=self._help())

    def read(self, words: Sequence[str], arguments: argparse.Namespace) -> None:
        """Puts what the words say into the arguments."""
        from aftermind.cli.language.misused import Misused, meant

        _, left = self.parse_known_args(words, arguments)
        if not left:
            return
        plain = left.index("--") if "--" in left else len(left)
        options = [word.partition("=")[0] for word in left[:plain] if word.startswith("-")]
        if not options:
            takes_many = any(action.nargs in ("*", "+") for action in self._actions)
            hint = "words go together, options before or after them" if takes_many else self._help()
            raise Misused(f"there are more words than fit: {' '.join(left)}", hint=hint)
        close = meant(options[0], [name for action in self._actions for name in action.option_strings])
        hint = f"did you mean {' or '.join(close)}? {self._help()}" if close else self._help()
        raise Misused(f"there is no option {options[0]}", hint=hint)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices:
            return
        from aftermind.cli.language.misused import Misused, meant

        known = list(map(str, action.choices))
        close = meant(str(value), known)
        named = not action.option_strings or action.dest in NOUNS  # `there is no kind`, and not `there is no only`
        every = f"the {action.dest}s are: {', '.join(known)}" if named else f"it is one of: {', '.join(known)}"
        what = f"there is no {action.dest} {value!r}" if named else f"{action.option_strings[-1]} is not {value!r}"
        raise Misused(what, hint=f"did you mean {' or '.join(close)}?" if close else every)

    def _help(self) -> str:
        return f"`{self.prog} --help` lists what it takes"


class _Folder:
    """Where the store is when nobody says otherwise; looked up when a help is printed, and not before."""

    def __str__(self) -> str:
        from pathlib import Path

        from aftermind.cli.config import default_home

        folder, own = str(default_home()), str(Path.home())
        return f"~{folder.removeprefix(own)}" if folder.startswith(f"{own}{os.sep}") else folder


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; its exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    if argv is None:
        _libraries_first()
    is_of(home_in(words))
    _fill_gaps()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a letter is no reason to fail
    try:
        if argv is None:  # this process is ours, and so is what stops it
            CTRL_C.listen(words, "".join(words[(place := _command_at(words)) : place + 1]))
        status = _run(words)
        _flush_stdout()
        CTRL_C.done()
    except BaseException as error:
        if CTRL_C.came or isinstance(error, KeyboardInterrupt):
            return CTRL_C.leave()
        if isinstance(error, BrokenPipeError):
            _silence_stdout()
            return PIPE_CLOSED
        if isinstance(error, OSError) and error.filename is None:  # printing may have met it before the end
            from aftermind.engine.errors import NotPrinted

            try:
                _flush_stdout(is_over=False)
            except BrokenPipeError:
                _silence_stdout()
            except NotPrinted as refused:
                cause = refused.__cause__
                error = refused if isinstance(cause, OSError) and cause.errno == error.errno else error
        if isinstance(error, Exception):
            return _failed(error, words)
        raise
    return status


def command(name: str) -> ModuleType:
    """The module of a command."""
    return import_module(f"aftermind.cli.commands.{SHARED.get(name, name)}")


def _store(text: str) -> str:
    if not text.strip():  # as of a variable that is not set: the current folder is not meant
        raise argparse.ArgumentTypeError("an empty word names no store")
    if text.startswith("$"):  # an assistant's configuration, which no shell reads
        raise argparse.ArgumentTypeError(f"no shell has read the variable in {text!r}; ~ is known here")
    return text


def add_common(parser: argparse.ArgumentParser, *, folder: bool = True) -> None:
    """What every command takes, before its name or after it. `folder` puts the default one into the help."""
    group = parser.add_argument_group("everywhere")
    nothing = argparse.SUPPRESS  # what was said before the command's name is not unsaid after it
    default = "AFTERMIND_HOME, else %(folder)s" if folder else "AFTERMIND_HOME"
    home = group.add_argument("--home", metavar="FOLDER", default=nothing, type=_store)
    home.folder = _Folder()  # type: ignore[attr-defined]  # argparse fills a help from its argument's attributes
    home.help = f"the store (default: {default})"
    group.add_argument("--json", action="store_true", default=nothing, help="print JSON, for programs")
    group.add_argument("--traceback", action="store_true", default=nothing, help="on an error, show where it came from")


def _run(words: list[str]) -> int:
    place = _command_at(words)
    while words[place : place + 1] == ["help"]:
        words = [*words[:place], *words[place + 1 :], "--help"]
        place = _command_at(words)
    arguments = argparse.Namespace(home=None, json=False, traceback=False, command=None)
    top = _top()
    try:
        top.read(words[:place], arguments)
        if place == len(words):
            top.print_help()
            return 0
        arguments.command = words[place]
        summaries = dict(COMMANDS)
        if arguments.command not in summaries:
            _unknown(arguments.command, [*summaries, "help"])
        module = command(arguments.command)
        parser = Parser(
            prog=f"aftermind {arguments.command}",
            description=summaries[arguments.command] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.configure(parser)
        add_common(parser)
        parser.read(words[place + 1 :], arguments)
    except SystemExit as end:  # --help and --version are done
        return int(end.code or 0)
    CTRL_C.told = bool(getattr(arguments, "follow", False))  # which is stopped in no other way
    answering = module.run(arguments)
    if isinstance(answering, int):  # it waited for nothing
        return answering
    try:
        import asyncio

        import anyio

        async def answered() -> int:
            task, loop = asyncio.current_task(), asyncio.get_running_loop()
            CTRL_C.cancel = lambda: task and (task.cancel(), loop.call_soon_threadsafe(lambda: None))
            try:
                status: int = await answering
            finally:
                CTRL_C.cancel = lambda: None  # it is ending anyhow
            return status

        return anyio.run(answered)
    finally:
        answering.close()  # stopped before it was begun, it is not missed


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
        epilog=f"commands:\n{lines}\n\n`aftermind help COMMAND` says what a command takes.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"aftermind {__version__}")
    add_common(parser, folder=False)  # which costs a library
    return parser


def _unknown(name: str, known: list[str]) -> NoReturn:
    from aftermind.cli.language.misused import Misused, meant

    close = " or ".join(f"`aftermind {word}`" for word in meant(name, known))
    hint = f"did you mean {close}?" if close else "`aftermind --help` lists the commands"
    raise Misused(f"there is no command {name!r}", hint=hint)


def _failed(error: Exception, words: list[str]) -> int:
    """Two lines on stderr: what happened, what to do. The exit code."""
    from pathlib import Path

    from aftermind.cli.terminal.tables import show_error
    from aftermind.engine.errors import AftermindError
    from aftermind.engine.store.lasting import FULL, refusal

    options = words[: words.index("--")] if "--" in words else words
    if "--traceback" in options:
        from traceback import print_exception

        print_exception(error)
    if isinstance(error, AftermindError):
        what, status = str(error), error.status
        command = words[_command_at(words)] if _command_at(words) < len(words) else ""
        hint = error.hint or (f"`aftermind {command} --help` tells what it does" if command in dict(COMMANDS) else "")
    elif isinstance(error, OSError) and error.errno in FULL:  # it does not always say of what
        where = error.filename or "standard output, or a file of this command"
        full = refusal(error, Path(where))
        what, hint, status = str(full), full.hint, full.status
    else:
        what, hint, status = f"unexpected {type(error).__name__}: {error}", "run it again with --traceback", 1
    show_error(what, hint, type(error).__name__, as_json="--json" in options)
    return status


def _libraries_first() -> None:
    """What stands before the standard library on the path (the current folder, PYTHONPATH) goes behind it: a
    repository's own `json.py` is none of ours. With -I nothing stands there."""
    library = f"python{sys.version_info.major}{sys.version_info.minor}.zip"
    at = next((at for at, entry in enumerate(sys.path) if entry.endswith(library)), 0)
    sys.path[:] = sys.path[at:] + sys.path[:at]


def _fill_gaps() -> None:
    """A closed stdin becomes an empty one, a closed stdout or stderr one that goes nowhere, so that no file we open
    gets its number."""
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY), "r")
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _flush_stdout(*, is_over: bool = True) -> None:
    """What was said is out; `NotPrinted` where nobody takes it. `is_over`: the command came to its end."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        from aftermind.engine.errors import NotPrinted

        _silence_stdout()
        raise NotPrinted(error.strerror or str(error), is_over=is_over) from error


def _silence_stdout() -> None:
    """Nobody reads on: the interpreter's last flush goes nowhere instead of failing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
