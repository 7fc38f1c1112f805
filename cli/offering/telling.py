"""memory_status: what there is, and who takes care of what."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from msgspec import Meta, Struct

from aftermind import __version__
from aftermind.cli.language.requests import Count, Report
from aftermind.cli.offering.tool import Tool
from aftermind.cli.offering.window import Window
from aftermind.engine.names import EventId

LATELY = timedelta(days=1)
"""For so long after a session in which a client's hooks handed over a prompt, they are taken to do so still."""


class Nothing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class Status(Struct, frozen=True, kw_only=True):
    version: str
    project: str
    memories: Annotated[dict[str, int], Meta(description="by collection")]
    sessions: int
    unjudged: Annotated[int, Meta(description="exchanges without a verdict")]
    hands_over: Annotated[bool, Meta(description="exchanges are recorded without record_response")]
    scoring: Annotated[str, Meta(description="who judges; assistant: you")]
    waiting: Annotated[int, Meta(description="deliveries to be taken in")]


async def status(window: Window, key: EventId, asked: Nothing) -> Status:
    counted = await window.ask(Count(project=window.directory))
    state = await window.ask(Report())
    heard = counted.heard.get(window.client)
    return Status(
        version=__version__,
        project=window.directory,
        memories=counted.collections,
        sessions=counted.sessions,
        unjudged=counted.waiting,
        hands_over=heard is not None and window.now() - heard < LATELY,
        scoring=window.scoring(),
        waiting=state.spooled,
    )


STATUS = Tool(
    name="memory_status",
    title="Memory status",
    about="How many memories this project has, who judges them, whether exchanges are recorded by themselves.",
    takes=Nothing,
    gives=Status,
    does=status,
    reads=True,
)
