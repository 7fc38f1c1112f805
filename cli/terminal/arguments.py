"""Options that many commands share, and what they mean."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path

from aftermind.cli.language.misused import Misused
from aftermind.engine.names import COLLECTIONS, KINDS, Kind

MEANINGS: dict[Kind, str] = {
    "exchange": "a question and its answer",
    "fact": "what is so",
    "preference": "what somebody likes better",
    "configuration": "a setting and its value",
    "decision": "what was chosen, and why",
    "blocker": "what stands in the way",
    "procedure": "the steps of a task",
    "event": "what happened, and when",
    "directive": "what is always to be done",
    "plan": "what comes next",
    "idea": "what might be tried",
    "conversation": "a longer talk",
    "chunk": "a piece of a document",
}
LONGEST_STRETCH = timedelta(days=3650)
_MEMORY_ID = re.compile(r"m[0-9a-f]{16}(@\d+)?")
_EXCHANGE_ID = re.compile(r"[0-9a-f]{32}")


def actions_of(parser: ArgumentParser) -> Callable[[str, str], ArgumentParser]:
    """What adds an action to a command, one of which has to be named: called so, and what it is about."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))

    def action(name: str, about: str) -> ArgumentParser:
        added: ArgumentParser = actions.add_parser(name, help=about, allow_abbrev=False)
        added.description = f"{about[0].upper()}{about[1:]}."
        return added

    return action


def add_project(parser: ArgumentParser, default: str = "the current folder's") -> None:
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--project",
        metavar="PROJECT",
        help=f"the project: a folder (with a slash in it, or `.`), a name, or an id (default: {default})",
    )
    place.add_argument("--global", dest="everywhere", action="store_true", help="what is visible in every project")


def add_everything(parser: ArgumentParser) -> None:
    """As `add_project`, where also every project's at once can be asked for."""
    add_project(parser)
    parser.add_argument("--all", action="store_true", help="every project's")


def stretch(text: str) -> timedelta:
    """A stretch of time: `90s`, `1h30m`, `2d`, `2 weeks`; of ten years at most."""
    from aftermind.engine.moments import stretch as read

    found = read(text)
    if found is None or not timedelta() < found <= LONGEST_STRETCH:
        raise ArgumentTypeError(f"a time of up to ten years is expected (30m, 1h30m, 2d, '2 weeks'), not {text!r}")
    return found


LEASE = "30m, 2h; 1s to 1d (default: 15m)"
"""What `lease_time` takes, for a help."""


def lease_time(text: str) -> float:
    """How long a claim may hold, in seconds."""
    from aftermind.engine.items.life import LONGEST, SHORTEST
    from aftermind.engine.moments import stretch as read

    found = read(text)
    if found is None or not SHORTEST <= found <= LONGEST:
        raise ArgumentTypeError(f"a claim holds for 1s to 1d (30m, 1h30m), not {text!r}")
    return found.total_seconds()


def seconds(text: str) -> float:
    """The same, in seconds."""
    return stretch(text).total_seconds()


def named(text: str) -> str:
    """What names something: an empty word, as of a variable that is not set, names nothing, and not this folder."""
    if not text.strip():
        raise ArgumentTypeError("an empty word names nothing")
    return text


def named_path(text: str) -> Path:
    return Path(named(text))


def project_or_all(arguments: Namespace) -> tuple[str | Path | None, bool]:
    """The project that is meant, and whether every one is."""
    if arguments.all and (arguments.project is not None or arguments.everywhere):
        raise Misused("--all is every project's", hint="leave it out, or --project and --global")
    return (None, True) if arguments.all else (project_of(arguments), False)


def project_of(arguments: Namespace) -> str | Path | None:
    """The project that is meant; None is global."""
    if arguments.everywhere:
        return None
    if arguments.project is not None:
        return known_place(arguments.project)
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise Misused("the current folder was removed", hint="name one with --project, or say --global") from None


def known_place(project: str) -> str:
    """What `--project` says. A folder has to be there, for a misspelt one would be a project of its own."""
    if is_folder(project):
        try:
            folder = Path(project).expanduser().absolute()
            there = folder.exists()
        except (OSError, RuntimeError, ValueError):  # whoever looks into it says what is wrong
            return project
        if not there:
            raise Misused(
                f"--project {project!r}: there is no folder {folder}",
                hint="`--project .` is the current folder; a name or an id has no slash in it",
            )
    return project


def is_folder(project: str) -> bool:
    """Whether it is written as a folder is; anything else is a name or an id."""
    return project in (".", "..") or "/" in project or "\\" in project


def add_session(parser: ArgumentParser) -> None:
    told = "the client's id of the session (default: one per project, `cli-…`)"
    parser.add_argument("--session", metavar="SESSION", help=told)


def add_ids(parser: ArgumentParser) -> None:
    parser.add_argument("ids", metavar="ID", nargs="+", type=plain_id, help="a memory's id")


def plain_id(text: str) -> str:
    """An id as it is, also when it was copied from a briefing: `[m…]`."""
    return text.strip().strip("[]").strip()


def is_memory_id(text: str) -> bool:
    """Whether it has the form of a memory's id, or of a past wording's."""
    return _MEMORY_ID.fullmatch(text) is not None


def other_kind(what: str, id: str) -> str:
    """The hint for an id that is not found as what it was given for, but has the form of something else."""
    if what == "memory" and _EXCHANGE_ID.fullmatch(id):
        return f"that is an exchange's id (`aftermind score OUTCOME --exchange {id}`); a memory's begins with m"
    if what == "exchange" and is_memory_id(id):
        return f"that is a memory's id: `aftermind score OUTCOME --memory {id}`"
    return ""


def add_kinds(parser: ArgumentParser, examples: str) -> None:
    """What `--kind` takes, once, below the examples."""
    width = max(map(len, KINDS))
    kinds = "\n".join(f"  {kind:<{width}}  {MEANINGS[kind]}" for kind in KINDS)
    parser.epilog = f"examples:\n{examples}\n\nkinds:\n{kinds}"


def listed(names: Iterable[str] = COLLECTIONS) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}"


def count(text: str) -> int:
    """A whole number of at least 1."""
    return _whole(text, 1)


def tokens(text: str) -> int:
    """A briefing's budget, as `ranking.budget` may be: with fewer no memory fits into its fence."""
    return _whole(text, 100)


def position(text: str) -> int:
    """A place in the log, or 0 for before its beginning."""
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if not least <= number < 2**63:
        raise ArgumentTypeError(f"a whole number of at least {least} is expected, not {text!r}")
    return number
