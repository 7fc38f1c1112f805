"""The Model Context Protocol, served by its official library: the only file that knows either.

One session a window, in both of its generations: the one that begins with `initialize`, and the one in which every
request says for itself which protocol it speaks. What is offered is `cli/offering/`; here it gets its form.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any, TypeAlias, TypeVar

import anyio
import mcp_types as types
import msgspec
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from msgspec import structs
from pydantic import ValidationError

from aftermind import __version__
from aftermind.cli.offering import prompting, reading
from aftermind.cli.offering.catalog import instructions, tools
from aftermind.cli.offering.tool import Tool, arguments, schema, told
from aftermind.cli.offering.window import Window, refined
from aftermind.engine.errors import AftermindError, Left
from aftermind.engine.names import EventId
from aftermind.engine.stored import storable
from aftermind.projections.recalling.briefing import shortened

Hear: TypeAlias = Callable[[], Awaitable[bytes | None]]
Say: TypeAlias = Callable[[bytes], Awaitable[None]]
Context: TypeAlias = ServerRequestContext[Any, Any]
KEY = 32
"""Bytes of a key, before each message."""
NOBODY = b"0" * KEY
"""The key of what answers nothing."""
MOST = 256
"""Requests of one window that are under way at once. A window is not left unread instead: what tells its roots, and
what cancels a request, comes the same way."""
BEAT = 1.0
"""Seconds between two signs that something is still being done."""
PATIENCE = 2.0
"""Seconds for a client to tell its roots."""
LAST = 1.0
"""Seconds that answers have when no more is heard. Less than the roots have: nobody would hear them, and what is done
without them may be done in another project. The pipe asks the next daemon what is not answered by then."""
T = TypeVar("T")


async def serve(window: Window, hear: Hear, say: Say) -> None:
    """One session, until there are no more messages, or nobody takes the answers; what was asked before is answered,
    unless that takes long."""
    to_server, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write_stream, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    messages = _Messages(hear, say, to_server, from_server)
    async with anyio.create_task_group() as tasks:
        leave = tasks.cancel_scope.cancel
        server = _Offer(window, leave).server()
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


class _Offer:
    """What one window is offered, in the protocol's forms."""

    def __init__(self, window: Window, leave: Callable[[], None]) -> None:
        self._window, self._leave = window, leave
        self._looked = False
        """Whether the client's roots were asked for."""

    def server(self) -> Server[Any]:
        window = self._window
        server: Server[Any] = Server(
            "aftermind",
            version=__version__,
            title="Aftermind",
            instructions=instructions(window),
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
        )
        server.add_notification_handler("notifications/roots/list_changed", types.NotificationParams, self.look_again)
        return server

    # --- tools ------------------------------------------------------------------------------------------------

    async def list_tools(self, context: Context, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_offered(tool) for tool in tools(self._window)])

    async def call_tool(self, context: Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
        offered = {tool.name: tool for tool in tools(self._window)}
        tool = offered.get(asked.name)
        if tool is None:
            return _wrong(f"There is no tool {shortened(asked.name, 60)!r}. There are: {', '.join(offered)}.")
        does = tool.does
        try:
            said = arguments(tool, asked.arguments or {})
            given = await self._done(tool.name, context, lambda window, key: does(window, key, said))
        except AftermindError as error:
            return _wrong(told(error))
        except Exception as error:
            self._window.broke(tool.name, error)
            return _wrong(f"{tool.name} failed: unexpected {type(error).__name__}. The user can see why in the log.")
        text = msgspec.json.encode(given)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text.decode())], structured_content=msgspec.json.decode(text)
        )

    async def _done(self, name: str, context: Context, does: Callable[[Window, EventId], Awaitable[T]]) -> T:
        """What is done in this window for one request, with signs that something still is."""
        began = anyio.current_time()
        beating = asyncio.create_task(_beat(context, name))
        failed = ""
        try:
            return await does(await self._here(context), EventId(str(context.request)))
        except Left:  # whoever holds the store next is asked again
            self._leave()
            raise
        except Exception as error:
            failed = type(error).__name__
            raise
        finally:
            beating.cancel()
            facts = {"failed": failed} if failed else {}
            self._window.note(name, ms=round((anyio.current_time() - began) * 1000, 1), **facts)

    async def _here(self, context: Context) -> Window:
        """The window, as well as its client has told of it by now."""
        if not self._looked and (found := await _roots(context)) is not None:
            directory = refined(self._window.directory, found)
            self._looked, self._window = True, structs.replace(self._window, directory=directory)
        told = context.session.client_params
        if self._window.client or told is None:
            return self._window
        return structs.replace(self._window, client=told.client_info.name)

    async def look_again(self, context: Context, _: types.NotificationParams) -> None:
        self._looked = False

    # --- resources and prompts --------------------------------------------------------------------------------

    async def list_resources(
        self, context: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        with _as_protocol_errors():
            found = await self._done("resources", context, lambda window, key: reading.listed(window))
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=one.uri, name=one.name, title=one.title, description=one.about, mime_type=reading.FORM
                )
                for one in found
            ]
        )

    async def list_templates(
        self, context: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=one.uri, name=one.name, title=one.title, description=one.about, mime_type=reading.FORM
                )
                for one in reading.TEMPLATES
            ]
        )

    async def read_resource(self, context: Context, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(asked.uri)
        with _as_protocol_errors():
            text = await self._done("resource", context, lambda window, key: reading.read(window, key, uri))
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=asked.uri, text=text, mime_type=reading.FORM)]
        )

    async def list_prompts(self, context: Context, _: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=one.name,
                    title=one.title,
                    description=one.about,
                    arguments=[types.PromptArgument(name=one.takes, description=one.meaning, required=True)],
                )
                for one in prompting.PROMPTS
            ]
        )

    async def get_prompt(self, context: Context, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        said = asked.arguments or {}
        with _as_protocol_errors():
            prompt, text = await self._done(
                "prompt", context, lambda window, key: prompting.prompted(window, key, asked.name, said)
            )
        content = types.TextContent(type="text", text=text)
        return types.GetPromptResult(
            description=prompt.about, messages=[types.PromptMessage(role="user", content=content)]
        )


@contextmanager
def _as_protocol_errors() -> Iterator[None]:
    """What is asked for and cannot be had, where there is no other place to say so."""
    try:
        yield
    except AftermindError as error:
        raise MCPError(code=types.INVALID_PARAMS, message=told(error)) from error


async def _beat(context: Context, name: str) -> None:
    """Tells whoever asked to be told that it is still being done: a share that grows and never is the whole."""
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # nobody is there any more
        for seconds in count():
            await context.session.report_progress(1 - 1 / (seconds + 1), 1.0, name)
            await anyio.sleep(BEAT)


async def _roots(context: Context) -> list[str] | None:
    """The client's roots; none where it has none, None where it does not say in time."""
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.roots is None or not context.session.can_send_request:
        return []
    with anyio.move_on_after(PATIENCE):
        try:
            told = await context.session.send_request(types.ListRootsRequest(), types.ListRootsResult)
        except (MCPError, ValidationError):  # it has none after all, or what it says is no list of any
            return []
        return [str(root.uri) for root in told.roots]
    return None


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


def _wrong(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)
