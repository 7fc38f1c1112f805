"""Finds the model servers of this machine by asking the ports they usually have.

Only loopback is asked, directly (no proxy, no redirect), with nothing but a GET that has no key; all at one time. Who
does not answer in time, or not as such a server does, is not there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from json import loads
from socket import SHUT_RDWR, socket
from urllib.parse import urlsplit

import anyio
from anyio import to_thread

from aftermind.sidecar.models.endpoint import Endpoint, is_loopback
from aftermind.sidecar.models.offers import Server, from_lm_studio, from_ollama, from_openai, program_of

PLACES = ("http://127.0.0.1:11434", "http://127.0.0.1:1234", "http://127.0.0.1:8080", "http://127.0.0.1:8000")
"""Ollama, LM Studio, llama.cpp, vLLM, each at the port it has unless somebody says otherwise."""
SECONDS = 3.0
_CONNECTING = 2.0
_NOT_YET = (HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT)
"""Of who may answer otherwise later; who fails at a path it does not know has said that it is no Ollama."""
_MOST = 4_000_000
"""Bytes of a listing. Some servers list hundreds of models."""


async def servers(addresses: Sequence[str] = PLACES, seconds: float = SECONDS) -> tuple[Server, ...]:
    """Those that answer within so many seconds, in the order of their addresses, each with what it has."""
    found: dict[int, Server] = {}

    async def look(place: int, address: str) -> None:
        with anyio.move_on_after(seconds):
            if (server := await server_at(address)) is not None:
                found[place] = server

    async with anyio.create_task_group() as tasks:
        for place, address in enumerate(dict.fromkeys(addresses)):
            tasks.start_soon(look, place, address)
    return tuple(server for _, server in sorted(found.items()))


async def server_at(address: str) -> Server | None:
    """Who answers at an address of this machine, with or without its `/v1`; None where nobody does."""
    parts = urlsplit(address)
    if parts.scheme != "http" or not is_loopback(parts.hostname or ""):
        return None
    root = address.rstrip("/").removesuffix("/v1")
    asked = _asker(root)
    tags = await asked("/api/tags")
    if isinstance(tags, dict) and isinstance(tags.get("models"), list) and "data" not in tags:  # llama.cpp has both
        return Server(program="Ollama", address=root, offers=from_ollama(tags))
    if offers := from_lm_studio(await asked("/api/v0/models")):
        return Server(program="LM Studio", address=f"{root}/v1", offers=offers)
    listed = await asked("/v1/models")
    if not from_openai(listed):
        return None
    program, path = program_of(listed), ""
    if program == "llama.cpp":
        props = await asked("/props")
        path = str(props.get("model_path", "")) if isinstance(props, dict) else ""
    return Server(program=program, address=f"{root}/v1", offers=from_openai(listed, path))


async def handed_on_to(there: Endpoint) -> str | None:
    """The host an Ollama at a place of this machine says it hands that model on to, whatever its name is; empty where
    it says nothing of the kind, or is no Ollama. None where nobody answers there now, so that nobody knows."""
    parts = urlsplit(there.address)
    if not there.local or parts.scheme != "http" or not is_loopback(parts.hostname or ""):
        return ""
    name = there.model.partition("/")[2].strip().casefold()
    try:
        with anyio.fail_after(SECONDS):
            told = await _got(there.address.removesuffix("/v1"), "/api/tags")
    except OSError:
        return None
    names = {name, f"{name}:latest"}
    host = next((offer.elsewhere for offer in from_ollama(told) if offer.name.casefold() in names), "")
    at = urlsplit(host if "://" in host else f"https://{host}")
    usual = {"https": 443, "http": 80}.get(at.scheme)
    return at.netloc.removesuffix(f":{usual}")


def _asker(root: str) -> Callable[[str], Awaitable[object]]:
    """Asks one server for one path after another: its answer as JSON, None where it has none."""

    async def asked(path: str) -> object:
        with suppress(OSError):
            return await _got(root, path)
        return None

    return asked


async def _got(root: str, path: str) -> object:
    """What a server answers there as JSON, None where that is none. OSError where it does not answer."""
    parts = urlsplit(root)
    connection = _Connection(parts.hostname or "", parts.port or 80, timeout=_CONNECTING)
    try:
        return await to_thread.run_sync(_get, connection, f"{parts.path}{path}", abandon_on_cancel=True)
    finally:
        if connection.waited_on is not None:
            with suppress(OSError):
                connection.waited_on.shutdown(SHUT_RDWR)  # a thread that still waits for it waits no more


class _Connection(HTTPConnection):
    """Keeps its socket in view, which it lets go of as soon as a server says that it answers once."""

    waited_on: socket | None = None

    def connect(self) -> None:
        super().connect()
        self.waited_on = self.sock


def _get(connection: HTTPConnection, path: str) -> object:
    """Closes it, for who asked may be gone before it is connected."""
    try:
        connection.request("GET", path, headers={"Accept": "application/json"})
        with connection.getresponse() as response:
            if response.status in _NOT_YET:
                raise ConnectionError(f"it failed ({response.status})")
            if response.status != 200:
                return None
            body = response.read(_MOST + 1)
        return loads(body) if len(body) <= _MOST else None
    except HTTPException as error:
        raise ConnectionError("it broke off, or is no such server") from error
    except (ValueError, RecursionError):
        return None
    finally:
        connection.close()
