"""The asking side: a program's connections to whoever holds the store.

A request whose connection is lost is asked again under the same key, of whoever holds the store then; where nobody
does, a daemon is started. What was done already is not done again.
"""

from __future__ import annotations

import asyncio
import socket
from datetime import datetime
from pathlib import Path
from typing import TypeVar, cast

import anyio
import msgspec
from anyio import to_thread

from aftermind.cli.language.requests import Asked, Request, Stop, answer_type
from aftermind.cli.language.wire import (
    LARGEST_REPLY,
    RUN,
    SOCKET,
    WIRE,
    Answered,
    Call,
    Failed,
    NotUnderstood,
    Silent,
    Unreachable,
    Welcome,
    address_of,
    error_of,
    frame,
    framed,
    reply_of,
    socket_name,
)
from aftermind.cli.reaching import hung, starting
from aftermind.cli.reaching.outdated import made_room
from aftermind.cli.reaching.peers import is_ours, pid_of
from aftermind.engine.errors import Left, Unusable
from aftermind.engine.names import EventId
from aftermind.engine.stamp import Stamp

T = TypeVar("T")
WELCOMED = 3.0
"""Seconds a holder has for its welcome."""
AGAIN = 5
"""Holders that are lost with a request before it is given up: it may be what ends them."""
DOUBTED = 10.0
"""Seconds without a reply after which a holder has to show that it lives."""
GOING = 0.1
"""Seconds between two questions to whoever lets the store go, until it is gone, and to somebody who has to come."""
KEPT = 4
"""Connections that are kept for the next questions."""
FOUND = 15.0
"""Seconds in which somebody has to hold the store again."""


class Connection:
    """One connection to the holder of a store, welcomed."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, welcome: Welcome) -> None:
        self.welcome = welcome
        self._reader, self._writer = reader, writer

    async def ask(self, call: Call) -> Answered | Failed:
        """The reply to a call; `Unreachable` when the connection is lost before it is there."""
        try:
            self._writer.write(framed(call))
            await self._writer.drain()
            return reply_of(await frame(self._reader, LARGEST_REPLY))
        except (OSError, asyncio.IncompleteReadError) as error:
            raise Unreachable(f"the connection was lost ({error})") from None

    def close(self) -> None:
        self._writer.close()

    def abort(self) -> None:
        """What is not sent yet is not: who waits for the other end to take it waits no longer."""
        self._writer.transport.abort()


class Joined:
    """A store that another process holds. Where nobody does any more a daemon is started, unless `starts` is false. One
    that is there has to let the store go, and another one to hold it, within `seconds` each."""

    def __init__(self, folder: Path, first: Connection, *, starts: bool = True, seconds: float = FOUND) -> None:
        self.folder = folder
        self._starts, self._seconds = starts, seconds
        self._stamp = Stamp()
        self._free = [first]
        self._closed = False

    async def ask(self, asked: Asked[T], key: EventId | None = None) -> T:
        """The answer, or the error, of whoever holds the store."""
        call = Call(key=key or self._stamp.new_id(), wire=WIRE, request=cast("Request", _fitting(asked)))
        lost: set[int] = set()
        patient = 0.0
        while True:
            if self._closed:
                raise Left(self.folder)
            connection = self._free.pop() if self._free else await self._found()
            try:
                reply = await self._replied(connection, call)
            except Unreachable as error:
                why, holder = error, connection.welcome.pid
                again = holder in lost  # one that ends still opens its door for a moment
                lost.add(holder)
            except BaseException:  # cancelled with half a question or half a reply on the way
                connection.abort()
                raise
            else:
                if not (isinstance(reply, Failed) and reply.error == Left.__name__):
                    self._keep(connection)
                    try:
                        return answer_of(asked, reply)
                    except NotUnderstood:
                        if not (self._starts and await made_room(self.folder, connection.welcome)):
                            raise
                why, again = Unreachable("its holder is letting it go"), True
            self._gone(connection)
            if again:
                patient = patient or anyio.current_time() + self._seconds
                await anyio.sleep(GOING)
            if len(lost) == AGAIN or (again and anyio.current_time() > patient) or isinstance(asked, Stop):
                raise why

    def _gone(self, connection: Connection) -> None:
        """Nor are the others to the same holder of any use."""
        for one in (connection, *self._free):
            one.close()
        self._free = []

    async def _replied(self, connection: Connection, call: Call) -> Answered | Failed:
        """The reply. Who lets one wait for long is asked whether it lives."""
        doubts: list[asyncio.Task[None]] = []  # one at most, and hardly ever: most replies come before it
        late = asyncio.get_running_loop().call_later(
            DOUBTED, lambda: doubts.append(asyncio.create_task(self._doubted(connection)))
        )
        try:
            reply = await connection.ask(call)
        except Unreachable:
            for doubt in doubts:
                if doubt.done():
                    doubt.result()
            raise
        finally:
            late.cancel()
            for doubt in doubts:
                doubt.cancel()
                doubt.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody else asks for it
        return reply

    async def _doubted(self, connection: Connection) -> None:
        """Asks again and again whether the holder lives, and replaces it when it does not: then the connection is lost.
        It is aborted where that cannot be done."""
        try:
            while True:
                try:
                    (await connected(self.folder, WELCOMED)).close()
                except Silent as error:
                    await to_thread.run_sync(hung.replaced, self.folder, error.pid)
                except Unreachable:
                    pass  # then the connection is lost, too, and that is noticed
                await anyio.sleep(DOUBTED)
        except Exception:
            connection.abort()
            raise

    def _keep(self, connection: Connection) -> None:
        if self._closed or len(self._free) >= KEPT:
            connection.close()
        else:
            self._free.append(connection)

    async def _found(self) -> Connection:
        try:
            return await connected(self.folder, WELCOMED)
        except Silent as error:
            if not await to_thread.run_sync(hung.replaced, self.folder, error.pid):
                raise
        except Unreachable:
            pass
        if self._starts:
            return await starting.started(self.folder, self._seconds)
        with anyio.move_on_after(self._seconds):
            while True:
                try:
                    return await connected(self.folder, WELCOMED)
                except Unreachable:
                    await anyio.sleep(GOING)
        raise Unreachable(f"nobody holds {self.folder} any more")

    async def close(self) -> None:
        self._closed = True
        for connection in self._free:
            connection.close()


def _fitting(asked: Asked[T]) -> Asked[T]:
    """The request in plain types; `Unusable` for others, as bytes would arrive as a text that nobody said."""
    try:
        plain = msgspec.to_builtins(asked, builtin_types=(bytes, datetime), enc_hook=_plain)
        return msgspec.convert(plain, type(asked))
    except (TypeError, msgspec.ValidationError) as error:
        raise Unusable("what is asked does not fit", str(error)) from None


def _plain(value: object) -> str:
    """A text of a class of its own."""
    if isinstance(value, str):
        return str.__str__(value)
    raise TypeError(f"{type(value).__name__} is nothing that can be asked")


def answer_of(asked: Asked[T], reply: Answered | Failed) -> T:
    """What a reply says, or raises."""
    if isinstance(reply, Failed):
        raise error_of(reply)
    try:
        return cast("T", msgspec.json.decode(reply.answer, type=answer_type(type(asked))))
    except msgspec.DecodeError as error:  # an older program's, which knows less
        raise NotUnderstood(f"its answer ({error})") from None


async def connected(folder: Path, seconds: float) -> Connection:
    """A welcomed connection. `Unreachable` when nobody listens, `Silent` when somebody does and says nothing."""
    pid = 0
    writer: asyncio.StreamWriter | None = None
    try:
        with anyio.fail_after(seconds):
            connection, token = await _reached(folder)
            reader, writer = await asyncio.open_connection(sock=connection)
            pid = pid_of(connection)
            writer.write(token)
            welcome = msgspec.json.decode(await frame(reader, LARGEST_REPLY), type=Welcome)
        return Connection(reader, writer, welcome)
    except BaseException as error:
        if writer is not None:
            writer.close()
        if isinstance(error, TimeoutError):
            raise Silent(pid, seconds) from None
        if isinstance(error, OSError | asyncio.IncompleteReadError | msgspec.DecodeError | NotUnderstood):
            raise Unreachable(f"no welcome ({type(error).__name__})") from None
        raise


async def _reached(folder: Path) -> tuple[socket.socket, bytes]:
    """A connection, and the word that opens the door."""
    run = folder / RUN
    try:
        async with socket_name(run, SOCKET) as name:
            if name is not None and (run / SOCKET).exists():
                connection = await _connected(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM), name)
                if is_ours(connection):
                    return connection, b""
                connection.close()
                raise Unreachable("the socket is another user's")
        port, token = address_of(run)
        there = ("127.0.0.1", port)
        return await _connected(socket.socket(socket.AF_INET, socket.SOCK_STREAM), there), token
    except (OSError, ValueError, OverflowError) as error:
        raise Unreachable(f"nobody listens in {run}") from error


async def _connected(connection: socket.socket, where: str | tuple[str, int]) -> socket.socket:
    """The socket, connected. Where a crowd waits at the door, the kernel says "try again", and asyncio takes that for
    "under way"."""
    connection.setblocking(False)
    try:
        if isinstance(where, tuple):
            await asyncio.get_running_loop().sock_connect(connection, where)
            return connection
        while True:
            try:
                connection.connect(where)
            except BlockingIOError:
                await anyio.sleep(0.01)
            else:
                return connection
    except BaseException:
        connection.close()
        raise
