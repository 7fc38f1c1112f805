"""One window of an assistant: where it works, which session that is, and how the store is asked from there.

Everything a window asks is asked as from its project: it sees that one's memories and the global ones, and no path
leads to another's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import PurePath
from typing import Protocol
from urllib.parse import unquote, urlsplit

from msgspec import Struct, field

from aftermind.cli.forms.form import NOWHERE
from aftermind.cli.keys import GROUPS
from aftermind.cli.language.asked import AskAsAssistant
from aftermind.cli.language.ids import UNTOLD
from aftermind.cli.language.requests import Converse
from aftermind.engine.moments import moment
from aftermind.engine.names import EventId

PLACES = ("CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR", "WORKSPACE_FOLDER_PATHS")
"""Of a client's environment, the strongest first: the folder it has open, whatever its process works in."""
SESSION = "CLAUDE_CODE_SESSION_ID"
CORE = GROUPS[0]
CLIENTS = {"CLAUDE_CODE_SESSION_ID": "claude-code", "OPENCODE": "opencode", "CURSOR_PROJECT_DIR": "cursor"}
CLIENTS |= {"GEMINI_CLI": "gemini"}
"""What gives a client away that did not say its name."""


class Note(Protocol):
    """A line of the log: ids, sizes and times, never a text."""

    def __call__(self, event: str, **facts: str | int | float | bool | None) -> None: ...


class Wrote(Struct):
    """Into which session a window's checkpoints go, where its client told none; known while its process runs."""

    session: str = ""


class Window(Struct, frozen=True, kw_only=True):
    ask: AskAsAssistant
    scoring: Callable[[], str]
    """Who says how an exchange went, by the configuration now in force."""
    note: Note
    broke: Callable[[str, BaseException], None]
    """An error nobody foresaw goes into the log."""
    now: Callable[[], datetime]
    directory: str
    """The project: a folder, or what stands for one that cannot be told. Never the global scope, which everybody
    sees."""
    session: str
    """The client's own, or where it tells none this window's."""
    client: str
    tools: str = CORE
    """The group of tools that is offered, with those before it."""
    opened: datetime | None = None
    """When its server began, where that is known."""
    wrote: Wrote | None = field(default_factory=Wrote)
    """None where nothing tells which requests are of one window."""


def told_of(asked: Converse, key: EventId) -> dict[str, str]:
    """What a client's process tells of a window: its folder, session and client. Who is started in a shell of another
    client has that one's environment: its session is not theirs."""
    said = asked.environment
    client = asked.client or next((name for fact, name in CLIENTS.items() if said.get(fact)), "")
    told = said.get(SESSION, "").strip() if client == CLIENTS[SESSION] else ""
    return {"directory": place_of_window(asked.directory, said), "session": told or f"{UNTOLD}{key}", "client": client}


def opened_at(key: EventId) -> datetime | None:
    """When a pipe began, by its key; None where that says no time."""
    try:
        return moment(int(key[:12], 16) * 1000)
    except (ValueError, OverflowError):
        return None


def is_told(session: str) -> bool:
    """Whether a session is the client's own."""
    return not session.startswith(UNTOLD)


def place_of_window(directory: str, environment: Mapping[str, str]) -> str:
    """The project's folder: what the client says of it goes before where its process happens to be."""
    for name in PLACES:
        first = environment.get(name, "").split("," if "," in environment.get(name, "") else "\n")[0].strip()
        if first and PurePath(first).is_absolute():
            return first
    return directory or NOWHERE


def refined(directory: str, roots: Sequence[str]) -> str:
    """A window's folder, where one of its client's roots (URLs of folders) lies within it: that one. Where the folder
    says nothing (the root of all folders, or none), the first root. A root elsewhere changes nothing."""
    folders = [folder for root in roots if (folder := _folder(root))]
    here = PurePath(directory)
    if here.is_absolute() and here != PurePath(here.anchor):
        folders = [folder for folder in folders if PurePath(folder).is_relative_to(here)]
    return folders[0] if folders else directory


def _folder(root: str) -> str:
    parts = urlsplit(root)
    path = unquote(parts.path)
    return path if parts.scheme == "file" and PurePath(path).is_absolute() and ".." not in PurePath(path).parts else ""
