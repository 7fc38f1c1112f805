"""A client of a held store that may do anything: raw bytes on the real socket."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from aftermind.cli.language.requests import Asked, answer_type
from aftermind.cli.language.wire import (
    SOCKET,
    Answered,
    Call,
    Welcome,
    error_of,
    framed,
    reply_of,
    run_folder,
    socket_name,
)
from aftermind.engine.names import EventId

PATIENCE = 30.0
"""Seconds for what has to happen, on a machine that is busy with other tests."""
_keys = count(1)


def new_key(at: float | None = None) -> EventId:
    """A key as a door makes it: it begins with its time."""
    return EventId(f"{int((time.time() if at is None else at) * 1000):012x}{next(_keys):020x}")


class Raw:
    """One connection, of which nothing is taken for granted."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, raw: bytes) -> None:
        self.writer.write(raw)
        await asyncio.wait_for(self.writer.drain(), PATIENCE)

    async def say(self, payload: bytes) -> None:
        """A frame that holds just this."""
        await self.send(len(payload).to_bytes(4, "big") + payload)

    async def heard(self) -> bytes:
        size = int.from_bytes(await asyncio.wait_for(self.reader.readexactly(4), PATIENCE), "big")
        return await asyncio.wait_for(self.reader.readexactly(size), PATIENCE)

    async def welcome(self) -> Welcome:
        return msgspec.json.decode(await self.heard(), type=Welcome)

    async def answer(self, asked: Asked[Any]) -> Any:
        """The answer to what was sent, or the error."""
        reply = reply_of(await self.heard())
        if not isinstance(reply, Answered):
            raise error_of(reply)
        return msgspec.json.decode(reply.answer, type=answer_type(type(asked)))

    async def ask(self, asked: Asked[Any], key: EventId | None = None, **more: Any) -> Any:
        await self.send(framed(Call(key=key or new_key(), request=asked, **more)))
        return await self.answer(asked)

    async def ended(self) -> bool:
        """Waits until the other side hangs up; whether it did so without another word."""
        try:
            return await asyncio.wait_for(self.reader.read(), PATIENCE) == b""
        except ConnectionError:
            return True


@asynccontextmanager
async def raw(folder: Path, *, welcomed: bool = True) -> AsyncIterator[Raw]:
    """A connection to whoever holds the store."""
    async with socket_name(run_folder(folder), SOCKET) as name:
        assert name is not None
        reader, writer = await asyncio.open_connection(sock=await connected(name))
    client = Raw(reader, writer)
    try:
        if welcomed:
            await client.welcome()
        yield client
    finally:
        writer.transport.abort()
        await asyncio.sleep(0)


async def connected(name: str) -> socket.socket:
    """A crowd may be waiting at the door, and the kernel says to try again."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.setblocking(False)
    while True:
        try:
            connection.connect(name)
        except BlockingIOError:
            await asyncio.sleep(0.01)
        except OSError:
            connection.close()
            raise
        else:
            return connection


async def until(true: Callable[[], Awaitable[object] | object], what: str) -> None:
    """Waits for what has to become true."""
    end = time.monotonic() + PATIENCE
    while True:
        found = true()
        if await found if isinstance(found, Awaitable) else found:
            return
        assert time.monotonic() < end, f"waited in vain until {what}"
        await asyncio.sleep(0.01)
