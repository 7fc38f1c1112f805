"""What is said where nothing answers a search: which time is empty, and what took the place of what would answer it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from aftermind.cli.language.answers import Recalled, Remembered
from aftermind.cli.language.asked import AskAsAssistant
from aftermind.cli.language.requests import Show
from aftermind.engine.errors import NotFound
from aftermind.engine.names import GLOBAL
from aftermind.engine.zones import HERE
from aftermind.projections.reading.times.stretches import EVER
from aftermind.projections.reading.times.timed import timed

FEW = 3
"""Memories that are told of; more say nothing of what was meant."""


class Replaced(Struct, frozen=True):
    """What would answer, and what is true in its place."""

    older: Remembered
    newer: Remembered


def empty_time(query: str, now: datetime) -> str:
    """Of which time nothing is kept, where the query asks for whatever was done in one; else nothing."""
    asked = timed(query, now.astimezone(HERE))
    if asked is None or asked.stretch is None or asked.topic:
        return ""
    first, last = (f"{one.astimezone(HERE):%Y-%m-%d}" for one in (asked.stretch.since, asked.stretch.until))
    until = f"until {last}" if asked.stretch.since == EVER else f"of {first} to {last}"
    return f"Nothing is kept {f'of {first}' if first == last else until}."


async def replaced(ask: AskAsAssistant, past: Sequence[Recalled], within: str | None = None) -> list[Replaced]:
    """Of what is found in history, what is true in its place: each once, for the best that it took the place of.
    `within`: the project an assistant asks from."""
    found: dict[str, Replaced] = {}
    for hit in past:
        newer = await _last(ask, hit.memory, within)
        if newer is not None and len(found) < FEW:
            found.setdefault(newer.id, Replaced(hit.memory, newer))
    return list(found.values())


async def _last(ask: AskAsAssistant, memory: Remembered, within: str | None) -> Remembered | None:
    """The live one at the end of those that took its place, one after the other; none of another project."""
    seen, scopes = {memory.id}, (memory.scope, GLOBAL)
    while memory.successor is not None and memory.successor not in seen:
        seen.add(memory.successor)
        try:
            memory = await ask(Show(id=memory.successor, within=within))
        except NotFound:
            return None
        if memory.status == "live" and memory.scope in scopes:
            return memory
    return None
