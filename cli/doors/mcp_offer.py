"""What an assistant is offered, in the forms of the Model Context Protocol, wherever its messages come from.

What is offered is `cli/offering/`. Who asks, from where, and under which key a request is done once is the transport's
to say: `Place`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any, Protocol, TypeAlias, TypeVar

import anyio
import mcp_types as types
import msgspec
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from msgspec import structs
from pydantic import ValidationError

from aftermind import __version__
from aftermind.cli.offering import prompting, reading
from aftermind.cli.offering.catalog import instructions, tools
from aftermind.cli.offering.tool import Tool, arguments, schema, told
from aftermind.cli.offering.window import Window
from aftermind.engine.errors import AftermindError, Left
from aftermind.engine.names import EventId
from aftermind.projections.recalling.shown.wording import shortened

Context: TypeAlias = ServerRequestContext[Any, Any]
BEAT = 1.0
"""Seconds between two signs that something is still being done."""
PATIENCE = 2.0
"""Seconds for a client to tell its roots."""
T = TypeVar("T")


class Place(Protocol):
    """Where requests come from."""

    async def here(self, context: Context) -> Window:
        """The window a request is asked in, as well as its client has told of it by now."""
        ...

    def key(self, context: Context) -> EventId:
        """The same for a request that is delivered again."""
        ...

    def look_again(self, context: Context) -> None:
        """The client's roots are others now."""
        ...

    def leave(self) -> None:
        """This process lets the store go: whoever holds it next is asked again."""
        ...


class Offer:
    """What is offered, in the protocol's forms. `window` says which tools, and where what happens is noted."""

    def __init__(self, window: Window, place: Place) -> None:
        self._window, self._place = window, place

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
            return await does(await self._place.here(context), self._place.key(context))
        except Left:
            self._place.leave()
            raise
        except Exception as error:
            failed = type(error).__name__
            raise
        finally:
            beating.cancel()
            facts = {"failed": failed} if failed else {}
            self._window.note(name, ms=round((anyio.current_time() - began) * 1000, 1), **facts)

    async def look_again(self, context: Context, _: types.NotificationParams) -> None:
        self._place.look_again(context)

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


async def roots(context: Context) -> list[str] | None:
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


def named(window: Window, context: Context) -> Window:
    """The window, with the name its client told, where no other is known."""
    told = context.session.client_params
    return window if window.client or told is None else structs.replace(window, client=told.client_info.name)


def _offered(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.about,
        input_schema=schema(tool.takes),
        output_schema=schema(tool.gives),
        annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
        if tool.reads
        else types.ToolAnnotations(
            destructive_hint=tool.destroys, idempotent_hint=not tool.adds, open_world_hint=False
        ),
    )


def _wrong(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)
