"""The library HTTP is spoken by, where this process is short of something."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from typing import Any

import anyio
import pytest

from aftermind.cli.doors.http import served

pytestmark = pytest.mark.anyio


class Short(socket.socket):
    """A listener of a process that has as many files open as it may, as long as it is `full`."""

    full = True

    def accept(self) -> tuple[socket.socket, Any]:
        if self.full:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return super().accept()


async def test_where_no_more_files_can_be_opened_that_is_told_once_a_try_and_who_waits_is_answered(monkeypatch):
    monkeypatch.setattr("asyncio.constants.ACCEPT_RETRY_DELAY", 0.01)
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context.get("exception")))
    with Short(socket.AF_INET) as listener, socket.socket() as waits:
        listener.bind(("127.0.0.1", 0))
        listener.setblocking(False)
        async with served(answer, listener, lambda *_: None):
            waits.connect(listener.getsockname())
            for tries in range(1, 4):
                while len(told) < tries:
                    await anyio.lowlevel.checkpoint()
                assert len(told) == tries
            listener.full = False
            reader, writer = await asyncio.open_connection(sock=waits)
            writer.write(b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
            assert (await reader.read()).endswith(b"here")
            writer.close()


async def answer(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    await send({"type": "http.response.body", "body": b"here"})
