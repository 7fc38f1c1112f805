"""A store, and what clients' hooks tell it piece by piece."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.requests import Deliver
from aftermind.engine.event_forms.parts import Happened
from aftermind.engine.events import ExchangeRecorded
from aftermind.engine.names import EventId
from tests.hooks import HERE, moment, stdin
from tests.wired import Raw, raw

E = TypeVar("E", bound=Happened)


class Told:
    """A store, and what clients' hooks tell it."""

    def __init__(self, memory: OpenMemory, client: Raw) -> None:
        self.memory, self._client = memory, client

    async def __call__(
        self, client: str, event: str, *, by: str = "", word: str = "", key: EventId | None = None, **changes: Any
    ) -> str:
        """What the hook prints. `by`: whose configuration it is; `word`: the EVENT it passes."""
        payload = stdin(client, event, **changes)
        asked = Deliver(client=by or client, event=word or moment(client, event), payload=payload, directory="/nowhere")
        return str((await self._client.ask(asked, key)).text)

    async def plainly(self, event: str, *, key: EventId | None = None, **said: Any) -> Deliver:
        """As any program tells it; what was sent."""
        payload = json.dumps({"session": "s", "project": HERE, **said}).encode()
        sent = Deliver(client="json", event=event, payload=payload, directory="/nowhere")
        await self._client.ask(sent, key)
        return sent

    async def events(self, form: type[E]) -> list[E]:
        return [one.draft.event for one in await self.memory.events() if isinstance(one.draft.event, form)]

    async def exchange(self) -> ExchangeRecorded:
        (found,) = await self.events(ExchangeRecorded)
        return found


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Told]:
    async with aftermind.open_memory(folder) as memory, raw(folder) as client:
        yield Told(memory, client)
