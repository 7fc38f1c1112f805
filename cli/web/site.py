"""What is answered over HTTP: a small site of fixed paths, written to ASGI and knowing no library of it.

Guarantee: who is not one of this machine's programs with the token learns nothing but that somebody is here. No body
is kept that is larger than `LARGEST`, and none is waited for longer than `SLOWEST`. Nothing that is asked here holds up
the socket: what is counted is counted once in `FRESH` seconds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from email.utils import format_datetime
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import parse_qs

import anyio
import msgspec
from msgspec import Struct

from aftermind.cli.language.answers import Stats
from aftermind.cli.language.process import State
from aftermind.cli.language.requests import Count
from aftermind.cli.offering.window import Note
from aftermind.cli.web.allowance import STRANGERS, Allowance
from aftermind.cli.web.asking import Unfit, place_told
from aftermind.cli.web.described import PATHS, described
from aftermind.cli.web.figures import FORM, Asked, figures, written
from aftermind.cli.web.guarding import (
    LARGEST,
    REFUSED,
    TOO_LARGE,
    UNKNOWN,
    Headers,
    Refusal,
    client_of,
    foreign,
    is_known,
    names_of,
    unfit,
)
from aftermind.cli.web.token import Token
from aftermind.engine.errors import AftermindError
from aftermind.engine.stamp import Stamp

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Serve: TypeAlias = Callable[[str, Scope, Receive, Send], Awaitable[None]]
"""MCP: with the group of tools, and ASGI's three."""
SLOWEST = 20.0
"""Seconds for a body."""
LINGER, READ_ON = 1.0, 8 * 1024 * 1024
"""Seconds and bytes for which what is refused is still read, and thrown away: who is in the middle of sending does not
look at an answer, and loses it where the connection is closed at once."""
LARGE, FEW = 256 * 1024, 4
"""Bytes of a body that is one of a few at a time."""
FRESH = 5.0
"""Seconds for which a count is told again."""
REMEMBERED = 16
"""Projects whose count is."""
QUIET = 60.0
"""Seconds between two lines of the log about refusals."""
OPEN = ("/health", "/ready")
"""What is told to whoever is on this machine: that somebody is here, and whether the store is open."""


class Store(Struct, frozen=True, kw_only=True):
    """What the site is about."""

    folder: Path
    state: Callable[[], State]
    ask: Callable[[Count], Awaitable[Stats]]
    note: Note
    broke: Callable[[str, BaseException], None]
    stamp: Stamp


class Site:
    """At one address: `host`, `port`. `rate`: requests a second of one client. `mcp` serves what is asked at /mcp."""

    def __init__(self, store: Store, host: str, port: int, rate: int, mcp: Serve) -> None:
        self.names = names_of(host, port)
        self._store, self._mcp = store, mcp
        self._token = Token(store.folder)
        self._known, self._strangers = Allowance(rate), Allowance(min(rate, STRANGERS))
        self._asked = Asked()
        self._few = anyio.Semaphore(FEW)
        self._counted: dict[str, tuple[float, Stats]] = {}
        self._counting = anyio.Lock()
        self._refused, self._told = 0, -QUIET

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        began, status = anyio.current_time(), 0
        path = scope["path"] if scope["path"] in PATHS else "other"
        if (path, scope["method"]) == ("/mcp", "GET"):  # it is open for as long as somebody listens
            path = "/mcp events"

        async def say(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *self._always()]
            await send(message)

        try:
            await self._answer(scope, receive, say)
        except AftermindError as error:
            if not status:
                refusal = Refusal(status=503, what=str(error), hint=error.hint)
                await self._refuse(refusal, scope, receive, say)
        except Exception as error:
            self._store.broke("http", error)
            if not status:
                refusal = Refusal(status=500, what=f"unexpected {type(error).__name__}", hint="`aftermind logs` has it")
                await self._refuse(refusal, scope, receive, say)
        finally:
            took = anyio.current_time() - began
            self._asked.note(path, status, took)
            self._log(path, status, took)

    def _always(self) -> list[tuple[bytes, bytes]]:
        date = format_datetime(self._store.stamp.now(), usegmt=True).encode()
        return [(b"date", date), (b"x-content-type-options", b"nosniff")]

    def _log(self, path: str, status: int, took: float) -> None:
        if status in (401, 403, 421, 429):  # who is refused does not fill the log either
            self._refused += 1
            if (now := anyio.current_time()) - self._told >= QUIET:
                self._store.note("http-refused", status=status, times=self._refused)
                self._refused, self._told = 0, now
        else:
            self._store.note("http", path=path, status=status, ms=round(took * 1000, 1))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _headers(scope)
        path, method = scope["path"], scope["method"]
        refusal = foreign(headers, self.names) or self._allowed(path, headers, scope.get("client"))
        refusal = refusal or _misdirected(path, method) or unfit(method, headers)
        if refusal is not None:
            return await self._refuse(refusal, scope, receive, send)
        body = await self._body(receive)
        if isinstance(body, Refusal):
            return await self._refuse(body, scope, receive, send)
        try:
            query = parse_qs(scope["query_string"].decode("ascii", "replace"), max_num_fields=20)
            said = place_told(headers, query)
        except Unfit as error:
            refusal = Refusal(status=400, what=str(error), hint=error.hint)
            return await self._refuse(refusal, scope, receive, send)
        except ValueError:
            refusal = Refusal(status=400, what="the query cannot be read")
            return await self._refuse(refusal, scope, receive, send)
        match path:
            case "/mcp":
                return await self._mcp(said.tools, scope, _again(body, receive), send)
            case "/health":
                return await _say(send, 200, {"status": "ok"})
            case "/ready":
                phase = self._store.state().phase
                told = {"status": "ready" if phase == "open" else phase}
                return await _say(send, 200 if phase == "open" else 503, told)
            case "/stats":
                stats = await self._counts(said.project)
                return await _say(send, 200, {"daemon": self._store.state(), "store": stats})
            case "/metrics":
                told_of = (*figures(self._store.state(), await self._counts()), *self._asked.figures())
                return await _say(send, 200, written(told_of).encode(), FORM)
            case _:
                return await _say(send, 200, described())

    def _allowed(self, path: str, headers: Headers, client: tuple[str, int] | None) -> Refusal | None:
        """Whether there is the token where it is needed, and whether it is not too often."""
        who, now = client_of(client[0] if client else ""), anyio.current_time()
        known = is_known(headers, self._token.now())
        allowance = self._known if known else self._strangers
        if wait := allowance.wait(who, now):
            return Refusal(
                status=429,
                what=f"one client may ask {allowance.rate:g} times a second",
                hint="`aftermind config set http.rate N` allows more",
                headers=(("retry-after", str(wait)),),
            )
        return None if known or path in OPEN else UNKNOWN

    async def _counts(self, project: str = "") -> Stats:
        """Of a project, or of all: those of a moment ago, where somebody asked then."""
        async with self._counting:  # one at a time, however many ask
            when, stats = self._counted.get(project, (0.0, None))
            if stats is None or anyio.current_time() - when > FRESH:
                stats = await self._store.ask(Count(project=project or None))
                self._counted.pop(project, None)
                self._counted[project] = anyio.current_time(), stats
                if len(self._counted) > REMEMBERED:
                    del self._counted[next(iter(self._counted))]
            return stats

    async def _body(self, receive: Receive) -> bytes | Refusal:
        """All of it, or why it is not taken."""
        body, more, alone = bytearray(), True, False
        try:
            with anyio.fail_after(SLOWEST):
                while more:
                    message = await receive()
                    if message["type"] != "http.request":
                        return Refusal(status=400, what="the connection was lost")
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
                    if len(body) > LARGEST:
                        return TOO_LARGE
                    if len(body) > LARGE and not alone:
                        await self._few.acquire()
                        alone = True
        except TimeoutError:
            return Refusal(status=408, what=f"the body was not there after {SLOWEST:g} seconds")
        finally:
            if alone:
                self._few.release()
        return bytes(body)

    async def _refuse(self, refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
        """Says why, and closes the connection, for what is still to come on it is no request."""
        scope[REFUSED] = True
        told = {"error": refusal.what, "hint": refusal.hint} if refusal.hint else {"error": refusal.what}
        await _say(send, refusal.status, told, headers=(*refusal.headers, ("connection", "close")), more=True)
        read = 0
        with anyio.move_on_after(LINGER):
            while read < READ_ON:
                message = await receive()
                read += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body", False):
                    break
        await send({"type": "http.response.body", "body": b""})


def _misdirected(path: str, method: str) -> Refusal | None:
    if path not in PATHS:
        return Refusal(status=404, what="there is nothing here", hint=f"there is {', '.join(PATHS)}")
    known = PATHS[path] if path == "/mcp" else (*PATHS[path], "HEAD")  # what answers GET tells its head alone, too
    if method not in known:
        allowed = ", ".join(known)
        return Refusal(status=405, what=f"this takes {allowed}", headers=(("allow", allowed),))
    return None


def _headers(scope: Scope) -> Headers:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def _again(body: bytes, receive: Receive) -> Receive:
    """What hands a body over that was read already, and then whatever comes."""
    left = [{"type": "http.request", "body": body, "more_body": False}]

    async def handed() -> MutableMapping[str, Any]:
        return left.pop() if left else await receive()

    return handed


async def _say(
    send: Send,
    status: int,
    told: Any,
    form: str = "application/json",
    *,
    headers: tuple[tuple[str, str], ...] = (),
    more: bool = False,
) -> None:
    body = told if isinstance(told, bytes) else msgspec.json.encode(told)
    said = (("content-type", form), ("content-length", str(len(body))), ("cache-control", "no-store"), *headers)
    sent = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in said]
    await send({"type": "http.response.start", "status": status, "headers": sent})
    await send({"type": "http.response.body", "body": body, "more_body": more})
