"""From where somebody asks over HTTP: what his request says of it, and nothing of where the daemon happens to be. Pure.

A header goes before the same word in the address, since some clients can only be given an address. Both may be written
with %XX, as a folder's name may have any letters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from urllib.parse import unquote

from msgspec import Struct

from aftermind.cli.keys import GROUPS
from aftermind.cli.web.guarding import Headers
from aftermind.engine.errors import AftermindError

PROJECT, SESSION, TOOLS = "aftermind-project", "aftermind-session", "aftermind-tools"
LONGEST = {PROJECT: 4096, SESSION: 200, TOOLS: 20}
"""Characters."""


class Unfit(AftermindError):
    """What a request says of where it comes from cannot be so."""

    status = 2

    def __init__(self, what: str, *, hint: str = "") -> None:
        self.hint = hint
        super().__init__(what)


class Told(Struct, frozen=True, kw_only=True):
    """Empty is not said."""

    project: str = ""
    """A folder."""
    session: str = ""
    tools: str = ""


def place_told(headers: Headers, query: Mapping[str, Sequence[str]]) -> Told:
    """`Unfit` for a project that is no absolute path: it would be one of the daemon's own folder's."""
    project, session, tools = (_said(name, headers, query) for name in LONGEST)
    if project and (not PurePath(project).is_absolute() or ".." in PurePath(project).parts):
        raise Unfit("the project is no absolute path", hint="say the folder's whole path")
    if tools and tools not in GROUPS:
        raise Unfit(f"there are no such tools: {', '.join(GROUPS)}")
    return Told(project=project, session=session, tools=tools)


def _said(name: str, headers: Headers, query: Mapping[str, Sequence[str]]) -> str:
    short = name.removeprefix("aftermind-")
    said = headers.get(name, ())
    values = [unquote(value) for value in said] or list(query.get(short, ()))
    if len(set(values)) > 1:
        raise Unfit(f"the {short} is said more than once")
    value = values[0].strip() if values else ""
    if len(value) > LONGEST[name] or any(not letter.isprintable() for letter in value):
        raise Unfit(f"the {short} is longer than {LONGEST[name]} letters, or has some that cannot be printed")
    return value
