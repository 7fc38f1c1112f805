"""Windows of an assistant: the SDK's own client, or raw lines, at a real pipe in front of a real daemon."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import IO, Any, Literal

from mcp import Client
from mcp.client.stdio import StdioServerParameters

PIPE = Path(__file__).parents[1] / "cli" / "doors" / "pipe.py"
LATE = 60.0
"""Seconds after which something counts as hanging, on a machine that is busy with other tests."""
Mode = Literal["legacy", "auto"]
MODES: tuple[Mode, ...] = ("legacy", "auto")
"""The handshake of 2025, and what the SDK takes where it is left alone: the protocol of 2026 without one."""
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "0"},
}


def command(store: Path, *more: str) -> list[str]:
    return [sys.executable, "-I", "-S", str(PIPE), "--home", str(store), *more]


def clean(store: Path) -> dict[str, str]:
    """An environment that says nothing of any other store."""
    return {"PATH": os.environ["PATH"], "HOME": "/nowhere", "AFTERMIND_CONFIG": str(store.parent / "config.toml")}


@asynccontextmanager
async def window(
    store: Path, mode: Mode, work: Path, *, env: Mapping[str, str] | None = None, **more: Any
) -> AsyncIterator[Client]:
    """A session of the SDK's client."""
    python, *words = command(store)
    server = StdioServerParameters(command=python, args=words, env={**clean(store), **(env or {})}, cwd=work)
    async with Client(server, mode=mode, read_timeout_seconds=LATE, **more) as client:
        yield client


async def called(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool gives; it must not fail, and its text must say the same."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    (content,) = result.content
    assert json.loads(content.text) == result.structured_content
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """What a tool says that does not do what it is asked."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert result.structured_content is None
    (content,) = result.content
    return str(content.text)


class Lines:
    """A pipe of which nothing is taken for granted: bytes in, lines out."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self.stdin: IO[bytes] = process.stdin
        self._lines: Queue[bytes] = Queue()
        self._reader = Thread(target=self._read, args=(process.stdout,), daemon=True)
        self._reader.start()

    def _read(self, stdout: IO[bytes]) -> None:
        for line in stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def say(self, *messages: Mapping[str, Any] | bytes) -> None:
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.stdin.write(line + b"\n")
        self.stdin.flush()

    def heard(self) -> Any:
        """The next message; None when there is none any more."""
        line = self._lines.get(timeout=LATE)
        return json.loads(line) if line else None

    def ask(self, id: int | str, method: str, **params: Any) -> Any:
        """The answer to one request; nothing else may come before it."""
        self.say({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        answer = self.heard()
        assert answer["id"] == id
        return answer.get("result", answer.get("error"))

    def call(self, id: int | str, tool: str, **arguments: Any) -> Any:
        return self.ask(id, "tools/call", name=tool, arguments=arguments)

    def initialize(self) -> Any:
        found = self.ask("begin", "initialize", **INITIALIZE)
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return found

    def ended(self) -> int:
        """Its status, once there is no more input."""
        self.stdin.close()
        return self.process.wait(LATE)


@contextmanager
def lines(store: Path, *more: str, work: Path | None = None, env: Mapping[str, str] | None = None) -> Iterator[Lines]:
    """A pipe's process, which does not outlive the block."""
    process = subprocess.Popen(
        command(store, *more),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**clean(store), **(env or {})},
        cwd=work or store.parent,
    )
    with process:
        try:
            yield Lines(process)
        finally:
            process.kill()
