"""The listening side of a held store: who connects is checked, welcomed, and answered one request after the other.

Guarantees: a request whose frame was read is answered or its connection was lost, also while the process is closing.
A slow, silent, oversized or vanishing client costs its own connection and nobody else's.
"""

from __future__ import annotations

import asyncio
import errno
import hmac
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, TypeAlias
from weakref import WeakSet

import anyio
import msgspec

from aftermind import __version__
from aftermind.cli.holding.askers import is_waited_for, may_ask_another
from aftermind.cli.holding.binding import loopback, unix
from aftermind.cli.language.process import Holder, Phase
from aftermind.cli.language.requests import Beyond, Converse, Embed
from aftermind.cli.language.wire import (
    ADDRESS,
    LARGEST_CALL,
    LARGEST_REPLY,
    RUN,
    SOCKET,
    WIRE,
    Answered,
    Broken,
    Call,
    NotUnderstood,
    Reply,
    TooLate,
    Welcome,
    call_of,
    failed,
    framed,
    run_folder,
    socket_name,
    to_json,
)
from aftermind.cli.logbook import Logbook
from aftermind.cli.reaching.peers import is_ours
from aftermind.engine.errors import AftermindError, Left, Refused, StoreUnusable

MOST = 256
"""Connections at once; who comes then waits at the door, until one ends or has been silent for a while."""
SILENT = 1.0
"""Seconds of silence after which a connection may be closed to make room."""
LARGE = 1024 * 1024
"""Bytes that are read ahead."""
ALONE, FEW = 16 * LARGE, 4
"""Bytes of a frame that is one of a few at a time: a hundred of these would be all the memory there is."""
SLOWEST = 256 * 1024
"""Bytes a second a client has to manage, after ten seconds' grace."""
GRACE = 10.0
DRAINED = 60.0
"""Seconds that accepted requests have to end in when the process closes."""
LAST_WORDS = 1.0
"""Seconds for half a request to become a whole one, and for the end of an answer to be taken, when the process closes;
who does not take it asks the next holder."""
LONGEST_WAIT = 60.0
"""Seconds for which somebody may wait for news: who waits may be gone without a word."""

Answer: TypeAlias = Callable[[Call], Awaitable[Any]]
Hear: TypeAlias = Callable[[], Awaitable[bytes | None]]
Say: TypeAlias = Callable[[bytes], Awaitable[None]]
Converses: TypeAlias = Callable[[Call, Hear, Say], Awaitable[None]]
"""A session on a connection: what hears its next message (None when there will be none), and what says one."""


class Door:
    """One store's listening socket and its conversations."""

    def __init__(self, folder: Path, holder: Holder, answer: Answer, converses: Converses, logbook: Logbook) -> None:
        self.phase: Phase = "opening"
        self.answered = self.failed = self.windows = 0
        self.is_replaced: Callable[[], bool] = lambda: False
        """Whether another build lies ready to answer, and this one is about to go."""
        self._converses = converses
        self.last = anyio.current_time()
        self._holder, self._answer, self._logbook = holder, answer, logbook
        self._folder = folder
        self._name, self._inode = folder, 0
        self._listener: socket.socket | None = None
        self._accepting: asyncio.Task[None] | None = None
        self._conversations: set[asyncio.Task[None]] = set()
        self._silent: dict[asyncio.Timeout, float] = {}
        """Who has asked nothing since when, the longest first."""
        self._reading: set[asyncio.Timeout] = set()
        self._waiting: set[anyio.CancelScope] = set()
        self._busy = 0
        self._alone = anyio.Semaphore(FEW)
        self._token = b""
        _open.add(self)

    def lose(self) -> None:
        """In a forked child: the socket is its parent's."""
        if self._listener is not None:
            self._listener.close()
        self._accepting = None

    @property
    def connections(self) -> int:
        return len(self._conversations)

    @property
    def idle(self) -> float:
        """Seconds since something was asked or answered. An open window of an assistant is not idle."""
        return 0.0 if self._busy or self.windows else anyio.current_time() - self.last

    async def open(self) -> None:
        """Bound beside its name and then renamed onto it, so that the name is there only while somebody listens, and
        what a dead process left is replaced. Only who holds the lock may do this. `StoreUnusable` where it cannot."""
        try:
            await self._bind()
        except OSError as error:
            if self._listener is not None:
                self._listener.close()
            why = f"nothing can be made in {RUN}/ ({error.strerror})"
            raise StoreUnusable(self._folder, why, hint="see that the folder can be written by you") from error
        assert self._listener is not None
        self._inode = self._name.stat().st_ino
        self._accepting = asyncio.create_task(self._accept(self._listener))

    async def _bind(self) -> None:
        run = run_folder(self._folder)
        for leftover in (*run.glob(f"{SOCKET}.*"), *run.glob(f"{ADDRESS}*")):
            leftover.unlink(missing_ok=True)
        own = f"{SOCKET}.{os.getpid()}"
        async with socket_name(run, own) as name:
            if name is not None:
                self._listener, self._name = unix(name), run / SOCKET
                (run / own).chmod(0o600)
                (run / own).replace(self._name)
            else:
                self._listener, self._token = loopback()
                self._name = run / ADDRESS
                (run / SOCKET).unlink(missing_ok=True)
                beside = run / f"{ADDRESS}.{os.getpid()}"
                beside.touch(mode=0o600)
                beside.write_bytes(b"%d %s" % (self._listener.getsockname()[1], self._token))
                beside.replace(self._name)

    async def keep_open(self) -> None:
        """A socket that somebody removed is made again: a holder nobody reaches would keep everybody out."""
        if not self._is_named() and self.phase != "closing" and self._accepting is not None:
            self._logbook.note("reopened", why="the socket was gone")
            await self._shut()
            await self.open()

    def _is_named(self) -> bool:
        try:
            return self._name.stat().st_ino == self._inode
        except OSError:
            return False

    async def _shut(self) -> None:
        if self._accepting is not None and self._listener is not None:
            if self._is_named():  # where the store was moved away, another's may have come into its place
                self._name.unlink(missing_ok=True)
            self._accepting.cancel()
            await asyncio.wait([self._accepting])
            self._listener.close()

    async def close(self) -> None:
        """Nobody comes in any more; returns when what was accepted is answered."""
        self.phase = "closing"
        await self._shut()
        while self._silent:
            self._end(next(iter(self._silent)))
        for scope in self._waiting:
            scope.cancel()
        last = anyio.current_time() + LAST_WORDS
        for reading in self._reading:
            if not reading.expired():
                reading.reschedule(min(reading.when() or last, last))
        if self._conversations:
            _, left = await asyncio.wait(self._conversations, timeout=DRAINED)
            for task in left:
                task.cancel()
            if left:
                await asyncio.wait(left)

    async def _accept(self, listener: socket.socket) -> None:
        """Welcomes whoever connects, for ever."""
        while True:
            await self._room()
            try:
                await anyio.wait_readable(listener)
                connection, _ = listener.accept()
            except BlockingIOError:  # a client that is gone already
                continue
            except Exception as error:  # a holder that is deaf would be worse than one that tries again
                self._logbook.broke("accepting", error)
                if getattr(error, "errno", 0) in (errno.EMFILE, errno.ENFILE):
                    self._make_room()
                await anyio.sleep(0.1)
                continue
            task = asyncio.create_task(self._conversation(connection))
            self._conversations.add(task)
            task.add_done_callback(self._ended)

    async def _room(self) -> None:
        """Returns when one more may come in. Who has been silent the longest makes room: a program that finds its
        connection closed makes another, and nothing was under way on the old one."""
        while len(self._conversations) >= MOST:
            self._make_room()
            await anyio.sleep(0.02)

    def _make_room(self) -> None:
        longest, since = next(iter(self._silent.items()), (None, 0.0))
        if longest is not None and anyio.current_time() - since >= SILENT:
            self._end(longest)

    def _end(self, silent: asyncio.Timeout) -> None:
        """Nothing more is heard of who is silent."""
        del self._silent[silent]
        silent.reschedule(anyio.current_time())

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._conversations.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._logbook.broke("conversation", error)

    async def _conversation(self, connection: socket.socket) -> None:
        with connection:
            if not is_ours(connection):
                self._logbook.note("stranger", uid="another")
                return
            connection.setblocking(False)
            reader, writer = await asyncio.open_connection(sock=connection, limit=LARGE)
            try:
                with suppress(OSError, asyncio.IncompleteReadError):  # it went away, or took too long
                    await self._converse(reader, writer)
                    writer.close()
                    with anyio.fail_after(LAST_WORDS if self.phase == "closing" else GRACE):
                        await writer.wait_closed()
            finally:
                writer.transport.abort()  # nobody is waited for who does not read

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if await self._knows_the_token(reader):
            await self._say(writer, Welcome(aftermind=__version__, wire=WIRE, pid=os.getpid(), holder=self._holder))
            while (payload := await self._heard(reader, writer)) is not None:
                call, reply = await self._reply(payload)
                await self._say(writer, reply)
                if isinstance(reply, Answered) and call is not None and isinstance(call.request, Converse):
                    return await self._window(call, reader, writer)
        return None

    async def _window(self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def say(payload: bytes) -> None:
            await self._send(writer, len(payload).to_bytes(4, "big") + payload)

        self.windows += 1
        try:
            await self._converses(call, partial(self._heard, reader, writer), say)
        finally:
            self.windows -= 1
            self.last = anyio.current_time()

    async def _knows_the_token(self, reader: asyncio.StreamReader) -> bool:
        if not self._token:
            return True
        return hmac.compare_digest(await self._read(reader, len(self._token), GRACE), self._token)

    async def _heard(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes | None:
        """The next request's payload. None when there will be none."""
        if self.phase == "closing":
            return None
        try:
            async with asyncio.timeout(None) as silent:  # before its first byte, a client has all the time it wants
                self._silent[silent] = anyio.current_time()
                try:
                    head = await reader.read(4)
                finally:
                    self._silent.pop(silent, None)
        except TimeoutError:
            return None
        if len(head) < 4:
            head += await self._read(reader, 4 - len(head), GRACE)
        size = int.from_bytes(head, "big")
        if size > LARGEST_CALL:
            self.failed += 1
            why = NotUnderstood(f"it has {size:,} bytes, and at most {LARGEST_CALL:,} are taken")
            await self._say(writer, failed(why))
            return None
        if size <= ALONE:
            return await self._read(reader, size, GRACE + size / SLOWEST)
        async with self._alone:
            return await self._read(reader, size, GRACE + size / SLOWEST)

    async def _read(self, reader: asyncio.StreamReader, size: int, seconds: float) -> bytes:
        """So many bytes, or TimeoutError."""
        async with asyncio.timeout(min(seconds, LAST_WORDS) if self.phase == "closing" else seconds) as reading:
            self._reading.add(reading)
            try:
                return await reader.readexactly(size)
            finally:
                self._reading.discard(reading)

    async def _say(self, writer: asyncio.StreamWriter, message: Welcome | Reply) -> None:
        await self._send(writer, framed(message))

    async def _send(self, writer: asyncio.StreamWriter, frame: bytes) -> None:
        writer.write(frame)
        async with asyncio.timeout(GRACE + len(frame) / SLOWEST):
            await writer.drain()

    async def _reply(self, payload: bytes) -> tuple[Call | None, Reply]:
        started = self.last = anyio.current_time()
        self._busy += 1
        asked = "?"
        try:
            call = self._call(payload)
            asked = str(type(call.request).__struct_config__.tag)
            answer = msgspec.Raw(to_json(await self._in_time(call)))
            if (size := len(bytes(answer))) > LARGEST_REPLY:
                raise Refused(f"the answer has {size:,} bytes", hint="ask for less, with a lower limit")
        except AftermindError as error:
            self.failed += 1
            why = {"why": error.logged} if isinstance(error, NotUnderstood) and error.logged else {}
            self._logbook.note(asked, bytes=len(payload), failed=type(error).__name__, **why)
            return None, failed(error)
        except Exception as error:
            self.failed += 1
            self._logbook.broke(asked, error)
            return None, failed(Broken(f"{asked} failed: unexpected {type(error).__name__}"))
        else:
            self.answered += 1
            took = round((anyio.current_time() - started) * 1000, 1)
            note = partial(self._logbook.note, asked, bytes=len(payload), out=size, ms=took)
            asyncio.get_running_loop().call_soon(note)  # once the answer is on its way
            return call, Answered(answer=answer)
        finally:
            self._busy -= 1
            self.last = anyio.current_time()

    def _call(self, payload: bytes) -> Call:
        """The call in a frame, as far as it is for this build. `Left` sends a program to the one that comes."""
        is_replaced = self.is_replaced()
        try:
            call = call_of(payload)
        except NotUnderstood:
            if is_replaced:
                raise Left(self._folder) from None
            raise
        if is_replaced and may_ask_another(call.request):
            raise Left(self._folder)
        return call

    async def _in_time(self, call: Call) -> Any:
        if isinstance(call.request, Beyond | Embed):  # what may never come must not keep the house open
            with anyio.move_on_after(LONGEST_WAIT if isinstance(call.request, Beyond) else inf) as scope:
                self._waiting.add(scope)
                try:
                    return await self._answer(call)
                finally:
                    self._waiting.discard(scope)
            if isinstance(call.request, Embed):  # the next holder goes on with it
                raise Left(self._folder)
            return call.request.position
        if not is_waited_for(call.request):
            return await self._answer(call)
        try:
            with anyio.fail_after(call.seconds):
                return await self._answer(call)
        except TimeoutError:
            raise TooLate(call.seconds) from None


_open: WeakSet[Door] = WeakSet()


def _lose_all() -> None:
    for door in _open:
        door.lose()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_lose_all)
