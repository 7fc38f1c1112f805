"""The Model Context Protocol, served by its official library: the only file that knows either.

One session a window, in both of its generations: the one that begins with `initialize`, and the one in which every
request says for itself which protocol it speaks. What is offered is `cli/offering/`; here it gets its form.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import anyio
import mcp_types as types
import msgspec
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from pydantic import ValidationError

from aftermind import __version__
from aftermind.cli.offering.catalog import instructions, tools
from aftermind.cli.offering.tool import Tool, arguments, schema, told
from aftermind.cli.offering.window import Window
from aftermind.engine.errors import AftermindError
from aftermind.engine.names import EventId
from aftermind.engine.stored import storable

Hear: TypeAlias = Callable[[], Awaitable[bytes | None]]
Say: TypeAlias = Callable[[bytes], Awaitable[None]]
Context: TypeAlias = ServerRequestContext[Any, Any]
KEY = 32
"""Bytes of a key, before each message."""
NOBODY = b"0" * KEY
"""The key of what answers nothing."""
BEAT = 1.0
"""Seconds between two signs that something is still being done."""


async def serve(window: Window, hear: Hear, say: Say) -> None:
    """One session, until there are no more messages; what was asked before is answered."""
    server = served(window)
    to_server, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write_stream, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    messages = _Messages(hear, say, to_server, from_server)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(messages.come_in)
        tasks.start_soon(messages.go_out)
        await server.run(read_stream, write_stream, server.create_initialization_options())
        tasks.cancel_scope.cancel()


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

    async def come_in(self) -> None:
        async with self._to_server:
            try:
                while (frame := await self._hear()) is not None:
                    await self._came(frame[:KEY], frame[KEY:])
            except (OSError, asyncio.IncompleteReadError):  # the pipe is gone; nobody waits for an answer
                return
            while self._asked:
                self._settled = anyio.Event()
                await self._settled.wait()

    async def _came(self, key: bytes, line: bytes) -> None:
        try:
            message = message_of(line)
        except ValueError:
            await self._say(_refusal(key, line, "this is no message of the protocol"))
            return
        if not isinstance(message, types.JSONRPCRequest):
            await self._to_server.send(SessionMessage(message))
            return
        if message.id in self._asked:
            await self._say(_refusal(key, line, "a request with that id is still being answered"))
            return
        self._asked[message.id] = key

        async def unanswered() -> None:
            self._settle(message.id)

        facts = ServerMessageMetadata(request_context=key.decode(), on_request_unanswered=unanswered)
        await self._to_server.send(SessionMessage(message, facts))

    async def go_out(self) -> None:
        async with self._from_server:
            async for sent in self._from_server:
                message = sent.message
                key = NOBODY
                if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) and message.id is not None:
                    key = self._asked.get(message.id, NOBODY)
                text = message.model_dump_json(by_alias=True, exclude_unset=True)
                try:
                    await self._say(key + text.encode())
                except OSError:
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
    try:
        said = msgspec.json.decode(line)
    except msgspec.DecodeError:
        said = None
    said = said if isinstance(said, dict) else {}
    id = said.get("id") if isinstance(said.get("id"), int | str) else None
    waits = isinstance(said.get("method"), str) and said.get("id") is not None
    error = {"code": types.INVALID_REQUEST, "message": f"aftermind: {why}"}
    return (key if waits else NOBODY) + msgspec.json.encode({"jsonrpc": "2.0", "id": id, "error": error})


def served(window: Window) -> Server[Any]:
    """What one window is offered."""

    async def list_tools(context: Context, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_offered(tool) for tool in tools(window.scoring())])

    async def call_tool(context: Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
        tool = next((one for one in tools(window.scoring()) if one.name == asked.name), None)
        if tool is None:
            names = ", ".join(one.name for one in tools(window.scoring()))
            return _wrong(f"There is no tool {asked.name!r}. There are: {names}.")
        return await _called(window, tool, asked.arguments or {}, context)

    return Server(
        "aftermind",
        version=__version__,
        title="Aftermind",
        instructions=instructions(window.scoring()),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _offered(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.about,
        input_schema=schema(tool.takes),
        output_schema=schema(tool.gives),
        annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
        if tool.reads
        else types.ToolAnnotations(destructive_hint=tool.destroys, idempotent_hint=True, open_world_hint=False),
    )


async def _called(window: Window, tool: Tool, said: dict[str, Any], context: Context) -> types.CallToolResult:
    try:
        asked = arguments(tool, said)
        given = await tool.does(window, EventId(str(context.request)), asked)
    except AftermindError as error:
        window.note(tool.name, failed=type(error).__name__)
        return _wrong(told(error))
    text = msgspec.json.encode(given)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text.decode())], structured_content=msgspec.json.decode(text)
    )


def _wrong(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)
