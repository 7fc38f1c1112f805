"""The process that reads documents, as seen from here: asked for one file at a time, ended when it hangs, begun anew
when it died. What happens to it over one file is said of that file, and the next one is read.
"""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias

import anyio
import msgspec
from msgspec import Struct

from aftermind.cli.reading.child import Answer, Ended, Failed, Look, Order, Part, Passed, Read, Saw
from aftermind.cli.reading.decoding import Looked
from aftermind.cli.reading.document import PassedOver, Unreadable
from aftermind.engine.errors import AftermindError
from aftermind.engine.memories.book import Chunk

PATIENCE = 60.0
"""Seconds without a sign of life after which a file is given up: no page and no megabyte takes so long."""
AHEAD = 512 * 1024
"""Bytes that are read ahead of who asks for chunks."""
Advance: TypeAlias = Callable[[float], None]
_decode = msgspec.json.Decoder(Saw | Passed | Failed | Part | Ended).decode


class NoReader(AftermindError):
    """The process that reads documents cannot be started: no file can be read."""

    status = 5

    def __init__(self, error: OSError) -> None:
        super().__init__(f"the process that reads documents could not be started: {error.strerror}")
        self.hint = f"see that {sys.executable} is there and may be run, and that one more process and its files fit"


class Reading(Struct, frozen=True):
    """A file that is being read: its title, its chunks as they are asked for, and behind the last one what there is to
    remark on it. The chunks end with `Unreadable` where the file does."""

    title: str
    chunks: AsyncIterator[Chunk]
    remarks: list[str]


class Reader:
    """Made by `reader`."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._process: Process | None = None
        self._answering = False

    async def look(self, path: bytes, *, called: str = "", asked_for: bool = False) -> Looked:
        """The file as it is now, which may be `called` otherwise by a link. `PassedOver` for what is no
        book, `Unreadable` for what should be one and is not."""
        await self._order(Look(path=path, called=os.fsencode(called), asked_for=asked_for))
        while not isinstance(answer := await self._answer(), Saw):
            assert isinstance(answer, Part)  # a sign of life
        return answer.looked

    async def read(self, looked: Looked, advance: Advance = lambda _: None) -> Reading:
        """The file that was looked at; `advance` is told the share of it that is read. Raises as `look` does."""
        await self._order(Read(looked=looked))
        while not (isinstance(answer := await self._answer(), Part) and answer.title):
            assert isinstance(answer, Part)  # a sign of life
        remarks: list[str] = []
        return Reading(answer.title, self._chunks(advance, remarks), remarks)

    async def _chunks(self, advance: Advance, remarks: list[str]) -> AsyncIterator[Chunk]:
        while True:
            match await self._answer():
                case Part(chunks=chunks, share=share):
                    advance(share)
                    for chunk in chunks:
                        yield chunk
                case Ended(remarks=found):
                    remarks += found
                    return
                case other:
                    raise AssertionError(other)

    async def _order(self, order: Order) -> None:
        if self._answering:  # somebody did not want to hear the rest
            await self.end()
        payload = msgspec.json.encode(order)
        frame = len(payload).to_bytes(4, "big") + payload
        process = await self._begun()
        assert process.stdin is not None
        with suppress(OSError):  # it died since the last file: whoever waits for the answer hears of it
            process.stdin.write(frame)
            self._answering = True
            await process.stdin.drain()

    async def _answer(self) -> Answer:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        try:
            with anyio.fail_after(self._patience):
                size = int.from_bytes(await process.stdout.readexactly(4), "big")
                answer: Answer = _decode(await process.stdout.readexactly(size))
        except TimeoutError:
            await self.end()
            raise Unreadable(f"given up: nothing came of it for {self._patience:g} seconds") from None
        except (asyncio.IncompleteReadError, ConnectionError):
            status = await process.wait()
            await self.end()
            raise Unreadable(f"reading it ended the process that reads (status {status})") from None
        self._answering = isinstance(answer, Part)
        match answer:
            case Passed(why=why):
                raise PassedOver(why)
            case Failed(why=why):
                raise Unreadable(why)
            case _:
                return answer

    async def _begun(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-I", "-m", "aftermind.cli.reading.child"),
                    stdin=PIPE,
                    stdout=PIPE,
                    stderr=DEVNULL,
                    limit=AHEAD,
                )
            except OSError as error:
                raise NoReader(error) from error
        return self._process

    async def end(self) -> None:
        """The process is gone when this returns."""
        process, self._process, self._answering = self._process, None, False
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        assert process.stdout is not None
        with anyio.CancelScope(shield=True):
            while await process.stdout.read(AHEAD):  # it is gone for asyncio only when nothing of it is left unread
                pass
            await process.wait()


@asynccontextmanager
async def reader(patience: float = PATIENCE) -> AsyncIterator[Reader]:
    """A reader, whose process is begun with the first file and gone when the block ends."""
    made = Reader(patience)
    try:
        yield made
    finally:
        await made.end()
