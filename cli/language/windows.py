"""What an assistant's window asks that nobody else does; it is part of `requests.py`."""

from __future__ import annotations

from msgspec import field

from aftermind.cli.language.answers import Found, Said
from aftermind.cli.language.asked import InSession, NoAssistants
from aftermind.engine.names import Collection, Kind


class Converse(NoAssistants[Said], tag="converse", frozen=True, kw_only=True):
    """From the answer on the connection is an MCP session: frames of a message each, behind the 32 letters of its key.
    An answer has the key of what it answers, so that it can be asked again of another process and is done once; what
    answers nothing has zeros. The call's own key is the window's."""

    client: str = ""
    directory: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    tools: str = ""
    """The group of tools that is to be offered; empty for what is configured."""


class Search(InSession[Found], tag="search", frozen=True, kw_only=True):
    """What an assistant looks for by itself: by a query, else by ids, else the newest. Also writes what was shown."""

    session: str
    query: str = ""
    ids: tuple[str, ...] = ()
    project: str | None = None
    client: str = ""
    limit: int | None = None
    collections: tuple[Collection, ...] = ()
    kinds: tuple[Kind, ...] = ()
    history: bool = False
    briefed: bool = False
    """Shown as a briefing, `Found.text`, within its budget: what does not fit is not shown."""
