"""The Model Context Protocol over a window's pipe, served by its official library.

One session a window, in both of its generations: the one that begins with `initialize`, and the one in which every
request says for itself which protocol it speaks. What is offered gets its form in `mcp_offer.py`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import anyio
import mcp_types as types
import msgspec
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from msgspec import structs
from pydantic import ValidationError

from aftermind.cli.doors.mcp_offer import Context, Offer, named, roots
from aftermind.cli.offering.window import Window, refined
from aftermind.engine.names import EventId
from aftermind.engine.stored import storable

Hear: TypeAlias = Callable[[], Awaitable[bytes | None]]
Say: TypeAlias = Callable[[bytes], Awaitable[None]]
KEY = 32
"""Bytes of a key, before each message."""
NOBODY = b"0" * KEY
"""The key of what answers nothing."""
MOST = 256
"""Requests of one window that are under way at once. A window is not left unread instead: what tells its roots, and
what cancels a request, comes the same way."""
LAST = 1.0
"""Seconds that answers have when no more is heard. Less than the roots have: nobody would hear them, and what is done
without them may be done in another project. The pipe asks the next daemon what is not answered by then."""


async def serve(window: Window, hear: Hear, say: Say) -> None:
    """One session, until there are no more messages, or nobody takes the answers; what was asked before is answered,
    unless that takes long."""
    to_server, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write_stream, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    messages = _Messages(hear, say, to_server, from_server)
    async with anyio.create_task_group() as tasks:
        leave = tasks.cancel_scope.cancel
        server = Offer(window, _Window(window, leave)).server()
        tasks.start_soon(messages.come_in, leave)
        tasks.start_soon(messages.go_out, leave)
        await server.run(read_stream, write_stream, server.create_initialization_options())
        leave()


class _Messages:
    """Frames on one side, the library's streams on the other; and which key belongs to which request."""

    def __init__(
        self,
        hear: Hear,
        say: Say,
        to_server: MemoryObjectSendStream[SessionMessage | Exception],
        from_server: MemoryObjectReceiveStream[SessionMessage],
    ) -> None:
        self._hear, self._say = hear, say
        self._to_server, self._from_server = to_server, from_server
        self._asked: dict[types.RequestId, bytes] = {}
        self._settled = anyio.Event()

    async def come_in(self, leave: Callable[[], None]) -> None:
        async with self._to_server:
            try:
                while (frame := await self._hear()) is not None:
                    await self._came(frame[:KEY], frame[KEY:])
            except (OSError, asyncio.IncompleteReadError):  # the pipe is gone; nobody waits for an answer
                return
            with anyio.move_on_after(LAST):
                while self._asked:
                    self._settled = anyio.Event()
                    await self._settled.wait()
            leave()

    async def _came(self, key: bytes, line: bytes) -> None:
        try:
            message = message_of(line)
        except ValueError:
            await self._say(_refusal(key, line, "this is no message of the protocol"))
            return
        except RecursionError:
            await self._say(_refusal(key, line, "this message is nested too deep"))
            return
        if isinstance(message, types.JSONRPCResponse):
            _keep_folders(message.result)
        if not isinstance(message, types.JSONRPCRequest):
            await self._to_server.send(SessionMessage(message))
            return
        if message.id in self._asked:
            await self._say(_refusal(key, line, "a request with that id is still being answered"))
            return
        if len(self._asked) >= MOST:
            await self._say(_refusal(key, line, f"{MOST} requests are being answered: ask again when some of them are"))
            return
        self._asked[message.id] = key

        async def unanswered() -> None:
            self._settle(message.id)

        facts = ServerMessageMetadata(request_context=key.decode(), on_request_unanswered=unanswered)
        await self._to_server.send(SessionMessage(message, facts))

    async def go_out(self, leave: Callable[[], None]) -> None:
        async with self._from_server:
            async for sent in self._from_server:
                message = sent.message
                key = NOBODY
                if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) and message.id is not None:
                    key = self._asked.get(message.id, NOBODY)
                text = message.model_dump_json(by_alias=True, exclude_unset=True)
                try:
                    await self._say(key + text.encode())
                except OSError:  # nobody takes it; what was asked would never be settled
                    leave()
                    return
                if key != NOBODY:
                    self._settle(message.id)  # type: ignore[union-attr,arg-type]

    def _settle(self, id: types.RequestId) -> None:
        self._asked.pop(id, None)
        self._settled.set()


def message_of(line: bytes) -> types.JSONRPCMessage:
    """ValueError for what is none. Half of a character pair, which JavaScript writes, becomes a character."""
    try:
        return types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        from json import loads

        return types.jsonrpc_message_adapter.validate_python(_whole(loads(line)), by_name=False)


def _keep_folders(result: dict[str, Any]) -> None:
    """Leaves of a client's roots those that are files: the library refuses all of them for one that is not."""
    if isinstance(roots := result.get("roots"), list):
        uris = [root.get("uri") if isinstance(root, dict) else None for root in roots]
        result["roots"] = [
            root for root, uri in zip(roots, uris, strict=True) if isinstance(uri, str) and uri.startswith("file://")
        ]


def _whole(value: Any) -> Any:
    match value:
        case str():
            return storable(value)
        case dict():
            return {storable(name): _whole(one) for name, one in value.items()}
        case list():
            return [_whole(one) for one in value]
        case _:
            return value


def _refusal(key: bytes, line: bytes, why: str) -> bytes:
    """The answer to what cannot be a request; under its key where the pipe waits for one."""
    from json import loads

    try:
        said = loads(_outline(line))
    except ValueError:
        said = None
    said = said if isinstance(said, dict) else {}
    id = said.get("id") if isinstance(said.get("id"), int | str) else None
    waits = isinstance(said.get("method"), str) and said.get("id") is not None
    error = {"code": types.INVALID_REQUEST, "message": f"aftermind: {why}"}
    return (key if waits else NOBODY) + msgspec.json.encode({"jsonrpc": "2.0", "id": id, "error": error})


_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[][{}]', re.DOTALL)


def _outline(line: bytes) -> bytes:
    """A message without what is nested in it, however deep that is."""
    kept, depth, begin = [], 0, 0
    for found in _TOKEN.finditer(line):
        if found[0] in b"[{":
            depth += 1
            if depth == 2:
                kept.append(line[begin : found.end()])
        elif found[0] in b"]}":
            depth -= 1
            if depth == 1:
                begin = found.start()
    return b"".join((*kept, line[begin:]))


class _Window:
    """The place of one window's requests: each has its key from the pipe."""

    def __init__(self, window: Window, leave: Callable[[], None]) -> None:
        self._window, self.leave = window, leave
        self._looked = False
        """Whether the client's roots were asked for."""

    async def here(self, context: Context) -> Window:
        if not self._looked and (found := await roots(context)) is not None:
            directory = refined(self._window.directory, found)
            self._looked, self._window = True, structs.replace(self._window, directory=directory)
        return named(self._window, context)

    def key(self, context: Context) -> EventId:
        return EventId(str(context.request))

    def look_again(self, context: Context) -> None:
        self._looked = False
