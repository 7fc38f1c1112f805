"""What can be read by its address: a memory, and what was said in a session."""

from __future__ import annotations

from urllib.parse import quote, unquote

import msgspec
from msgspec import Struct

from aftermind.cli.language.requests import Latest, Search
from aftermind.cli.offering.own_session import its_session
from aftermind.cli.offering.shown import NOTE, Shown, hit, shown
from aftermind.cli.offering.window import Window
from aftermind.engine.errors import NotFound
from aftermind.engine.names import EventId
from aftermind.projections.recalling.shown.wording import quoted, shortened

SCHEME = "aftermind://"
MEMORY, SESSION = f"{SCHEME}memory/", f"{SCHEME}session/"
FORM = "application/json"
LISTED, SAID = 20, 100
"""Memories in a list, exchanges of a session."""
NAMED = 80
"""Characters by which a memory is named in a list."""
ALL = 1 << 30
"""Characters of a text of which nothing is left out."""


class Address(Struct, frozen=True, kw_only=True):
    """Something that can be read."""

    uri: str
    name: str
    title: str
    about: str = ""


class Page(Struct, frozen=True, kw_only=True, omit_defaults=True):
    note: str
    memories: tuple[Shown, ...]
    session: str = ""


TEMPLATES = (
    Address(uri=MEMORY + "{id}", name="memory", title="A memory", about="The whole of one memory, by its id."),
    Address(
        uri=SESSION + "{id}",
        name="session",
        title="A session",
        about="What was asked and answered in a session of this project, by the client's id of it.",
    ),
)


async def listed(window: Window) -> tuple[Address, ...]:
    """This session, and the newest memories that are seen from here."""
    newest = await window.ask(Latest(project=window.directory, limit=LISTED, asked_by="assistant"))
    memories = (
        Address(
            uri=MEMORY + quote(one.id, safe=""),
            name=one.id,
            title=shortened(quoted(one.text or one.answer), NAMED),
            about=f"{one.kind} in {one.collection}",
        )
        for one in newest
    )
    here = Address(uri=SESSION + quote(await its_session(window), safe=""), name="this-session", title="This session")
    return (here, *memories)


async def read(window: Window, key: EventId, uri: str) -> str:
    """Its JSON. `NotFound` where there is nothing, or nothing that is seen from here."""
    now = window.now()
    if uri.startswith(MEMORY):
        id = unquote(uri.removeprefix(MEMORY))
        search = Search(session=await its_session(window), ids=(id,), project=window.directory, client=window.client)
        found = await window.ask(search, key)
        if not found.memories:
            raise NotFound("memory", id)
        page = Page(note=NOTE, memories=tuple(hit(one, now, ALL) for one in found.memories))
    elif uri.startswith(SESSION):
        id = unquote(uri.removeprefix(SESSION))
        said = await window.ask(
            Latest(project=window.directory, session=id or "?", kinds=("exchange",), limit=SAID, asked_by="assistant")
        )
        if not said and id not in (window.session, await its_session(window)):
            raise NotFound("session", id)
        page = Page(note=NOTE, session=quoted(id), memories=tuple(shown(one, now, ALL) for one in reversed(said)))
    else:
        raise NotFound("resource", uri)
    return msgspec.json.encode(page).decode()
