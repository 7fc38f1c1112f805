"""One exchange as a source tells it, whatever the source: what every reader gives, and the rules they share. Pure.

A reader is a lazy iterator of `Imported`, with an `Unreadable` in the place of what could not be read; it reports the
bytes it has read to `Advance`. It raises `Unusable` for a source that is not what it should be, for nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

from aftermind.engine.events import ToolUse
from aftermind.engine.masking.private import without_private
from aftermind.engine.masking.secrets import mask
from aftermind.engine.moments import moment
from aftermind.engine.projects import URL_OF_FOLDER, is_elsewhere
from aftermind.engine.stored import from_json, storable

LONGEST_ERROR = 300
"""Characters of a tool's error that are kept, from its end: there a traceback says what it was."""
LONGEST_PATH = 4096


class Imported(Struct, frozen=True, kw_only=True):
    """One prompt and its answer. `id` is the source's own id of the prompt, the same whenever it is read; `also` are
    others it may be known by."""

    session: str
    id: str
    prompt: str
    answer: str
    project: str | Path | None = None
    client: str = ""
    at: datetime | None = None
    done: datetime | None = None
    """When its answer was complete, where the source tells."""
    answered: tuple[datetime, ...] = ()
    """When the pieces of its answer were said, where the source tells."""
    tools: tuple[ToolUse, ...] = ()
    also: tuple[str, ...] = ()
    elsewhere: tuple[str | Path, ...] = ()
    """Other folders in which some of it was said, where the source tells."""


class Unreadable(Struct, frozen=True):
    """What was passed over: where it stands in its source, and why."""

    place: str
    why: str


class LeftOut(Struct):
    """How many were left out because they were said before what was asked for, or have no time."""

    older: int = 0


Item: TypeAlias = Imported | Unreadable
Advance: TypeAlias = Callable[[float], None]


NAMED = re.compile("(^|[_-])(path|file|filename|filepath|dir|directory|folder|uri)s?$|[a-z](Path|File|Dir|Uri|URI)s?$")
"""The words by which tools say which file or folder they are about."""
DEEPEST = 3
"""Lists and objects within one another in which it may be said, the input itself among them."""


def paths(input: object) -> tuple[str, ...]:
    """The files and folders a tool's input names; it may be JSON."""
    if isinstance(input, str) and input.lstrip().startswith("{"):
        try:
            input = from_json(msgspec.json.decode, input.encode("utf-8", "replace"))
        except (msgspec.DecodeError, RecursionError):
            return ()
    named = (path.strip() for path in _named("", input, DEEPEST) if "\n" not in path)
    return tuple(dict.fromkeys(mask(path)[:LONGEST_PATH] for path in named if path))


def _named(name: str, value: object, deep: int) -> Iterator[str]:
    if isinstance(value, str):
        if NAMED.search(name):
            yield value
    elif deep and isinstance(value, dict):
        for key, one in value.items():
            yield from _named(str(key), one, deep - 1)
    elif deep and isinstance(value, list | tuple):
        for one in value:
            yield from _named(name, one, deep - 1)


def error_end(error: str) -> str:
    """The end of what a tool printed when it failed."""
    error = mask(without_private(error.strip()))  # before it is cut: half a token is not recognised
    return error if len(error) <= LONGEST_ERROR else "…" + error[1 - LONGEST_ERROR :]


def folder(directory: str) -> str | Path | None:
    """The project behind a folder some client worked in. One of another system (`C:\\…`) and a relative one cannot be
    looked at here. They are projects of their own, with names that no folder here has: what is told of `api` is not the
    `api` of this machine."""
    directory = storable(directory.strip())
    if not directory:
        return None
    if Path(directory).is_absolute():
        return Path(directory)
    if is_elsewhere(directory) or directory.startswith(URL_OF_FOLDER):
        return directory
    return "/".join(("…", *(part for part in re.split(r"[\\/]", directory) if part not in ("", ".", "~"))))


def others(directories: Iterable[str], project: str | Path | None) -> tuple[str | Path, ...]:
    """The folders that are not the one of the prompt."""
    found = dict.fromkeys(folder(one) for one in directories)
    return tuple(one for one in found if one is not None and one != project)


def lately(items: Iterable[Item], since: datetime, left_out: LeftOut) -> Iterator[Item]:
    """Those that were said since then; what has no time cannot be told to be. The others are counted in `left_out`."""
    for one in items:
        if isinstance(one, Unreadable) or (one.at is not None and one.at >= since):
            yield one
        else:
            left_out.older += 1


def within(items: Iterable[Item], root: Path) -> Iterator[Item]:
    """Those that were said in a folder, or below it."""
    for one in items:
        if isinstance(one, Unreadable) or (isinstance(one.project, Path) and one.project.is_relative_to(root)):
            yield one


def from_milliseconds(since_1970: float | None) -> datetime | None:
    """The time, or None where the number cannot be one."""
    try:
        return None if since_1970 is None else moment(int(since_1970) * 1000)
    except (OverflowError, ValueError):
        return None


def from_iso(text: str) -> datetime | None:
    """The time in UTC, or None where the text is not ISO 8601 with a zone."""
    try:
        at = datetime.fromisoformat(text)
        return None if at.tzinfo is None else at.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
