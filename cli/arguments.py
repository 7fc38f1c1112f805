"""Options that many commands share, and what they mean."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from hashlib import sha256
from pathlib import Path

from aftermind.engine.errors import AftermindError


class Misused(AftermindError):
    """The command line itself does not fit."""

    status = 2

    def __init__(self, what: str, *, hint: str = "") -> None:
        self.hint = hint
        super().__init__(what)


def add_project(parser: ArgumentParser, default: str = "the current folder's") -> None:
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--project",
        metavar="PATH|NAME",
        help=f"the project: a folder (with a slash in it, or `.`), a name, or an id (default: {default})",
    )
    place.add_argument("--global", dest="everywhere", action="store_true", help="what is visible in every project")


def project_of(arguments: Namespace) -> str | Path | None:
    """The project that is meant; None is global."""
    if arguments.everywhere:
        return None
    if arguments.project is not None:
        project: str = arguments.project
        return project
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise Misused("the current folder was removed", hint="name one with --project, or say --global") from None


def add_session(parser: ArgumentParser, default: str = "one per project, `cli-…`") -> None:
    parser.add_argument("--session", metavar="S", help=f"the client's id of the session (default: {default})")


def session_of(session: str | None, project: str | Path | None) -> str:
    """The session that is meant: without one, always the same for the same project."""
    if session is not None:
        return session
    if project is None:
        return "cli-global"
    from aftermind.cli.places import place_of

    place = place_of(project)
    return f"cli-{sha256((place.name or place.directory).encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def add_ids(parser: ArgumentParser) -> None:
    parser.add_argument("ids", metavar="ID", nargs="+", help="a memory's id")


def count(text: str) -> int:
    """A whole number of at least 1."""
    return _whole(text, 1)


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
