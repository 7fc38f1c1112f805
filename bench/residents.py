"""A daemon to measure: started as users' programs start it, asked over its socket, ended by its pid."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
from tests.daemons import command

from aftermind.cli import doors
from aftermind.cli.language.requests import Embed, Request
from aftermind.cli.language.wire import (
    RUN,
    SOCKET,
    WIRE,
    Answered,
    Call,
    Silent,
    Unreachable,
    framed,
    reply_of,
    socket_name,
)
from aftermind.cli.reaching.joining import Joined, connected
from aftermind.engine.stamp import Stamp
from aftermind.projections.meaning.model_files import STATIC


@contextmanager
def resident(folder: Path, model: str = STATIC) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(command(folder), env={**os.environ, "AFTERMIND_MODEL_NAME": model}) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(90)


async def joined(folder: Path) -> Joined:
    """A connection, as soon as there is somebody to connect to."""
    while True:
        try:
            return Joined(folder, await connected(folder, 10))
        except (Unreachable, Silent):
            await anyio.sleep(0.002)


class Plain:
    """A connection as a hook has one: a socket on which it waits. Hardly anything that is timed is the asker's own."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket, self._stamp = connection, Stamp()
        self._frame()  # the welcome

    def timed(self, request: Request) -> float:
        """Milliseconds from the request's first byte to the answer's last."""
        frame = framed(Call(key=self._stamp.new_id(), wire=WIRE, request=request))
        started = time.perf_counter()
        self._socket.sendall(frame)
        reply = self._frame()
        took = (time.perf_counter() - started) * 1000
        if not isinstance(told := reply_of(reply), Answered):
            raise SystemExit(told.what)
        return took

    def _frame(self) -> bytes:
        size = int.from_bytes(self._read(4), "big")
        return self._read(size)

    def _read(self, size: int) -> bytes:
        read = b""
        while len(read) < size:
            if not (some := self._socket.recv(size - len(read))):
                raise SystemExit("the daemon is gone")
            read += some
        return read

    def close(self) -> None:
        self._socket.close()


async def plain(folder: Path) -> Plain:
    """A hook's connection to a daemon that is there."""
    async with socket_name(folder / RUN, SOCKET) as name:
        connection = socket.socket(socket.AF_UNIX)
        assert name is not None  # as it is on Linux
        connection.connect(name)
        return Plain(connection)


async def settled(folder: Path) -> None:
    """Returns when the daemon has computed what it computes behind the log: then it is as it is every day."""
    asking = await joined(folder)
    await asking.ask(Embed(seconds=600.0))
    await asking.close()


async def at_rest(pid: int, longest: float = 120.0) -> None:
    """Returns when a process has used next to no processor time for a second, or after so many."""
    with anyio.move_on_after(longest):
        while True:
            before = cpu_seconds(pid)
            await anyio.sleep(1)
            if cpu_seconds(pid) - before <= 0.02:
                return


def cpu_seconds(pid: int) -> float:
    """Processor time a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def hook(folder: Path, event: str, payload: bytes, client: str = "json") -> tuple[float, bytes]:
    """A hook as an assistant runs it, start to exit, in milliseconds; and what it printed. The store's copy of the door
    has to be there."""
    words = [*doors.command(folder), client, event]
    started = time.perf_counter()
    ran = subprocess.run(words, input=payload, capture_output=True, check=True, cwd=folder)
    return (time.perf_counter() - started) * 1000, ran.stdout


def of_claude_code(event: str, session: str, turn: str, cwd: Path, **more: object) -> bytes:
    """What Claude Code hands a hook."""
    said = {"session_id": session, "prompt_id": turn, "cwd": str(cwd), "hook_event_name": event}
    return json.dumps({**said, "permission_mode": "default", **more}).encode()
