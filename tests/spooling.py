"""What doors leave in a spool, and what becomes of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from aftermind import OpenMemory
from aftermind.cli.language.requests import Asked, Deliver
from aftermind.cli.language.wire import Call, to_json
from aftermind.engine.names import EventId
from aftermind.engine.store import spool
from tests.wired import new_key, until


def put(folder: Path, asked: Asked[Any], key: EventId | None = None) -> Path:
    """What a door leaves when nobody answers."""
    call = Call(key=key or new_key(), request=asked)  # type: ignore[arg-type]
    return spool.write(folder, call.key, to_json(call))


def put_many(folder: Path, asked: Iterable[Asked[Any]]) -> None:
    """The same, without waiting for the disk each time."""
    (folder / spool.SPOOL).mkdir(mode=0o700, exist_ok=True)
    for one in asked:
        call = Call(key=new_key(), request=one)  # type: ignore[arg-type]
        (folder / spool.SPOOL / f"{call.key}.json").write_bytes(to_json(call))


def turn(session: str = "s", **said: Any) -> Deliver:
    payload = {"prompt": "how?", "answer": "so", "session": session, **said}
    return Deliver(client="json", event="turn", payload=json.dumps(payload).encode())


async def drained(folder: Path) -> None:
    await until(lambda: not spool.spooled(folder).waiting, "the spool is empty")


async def recorded(memory: OpenMemory, form: type) -> list[Any]:
    return [one.draft for one in await memory.events(limit=10_000) if isinstance(one.draft.event, form)]
