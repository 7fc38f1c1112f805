"""A real daemon with an open port, and what is said to it byte by byte."""

from __future__ import annotations

import json
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import aftermind
from aftermind.cli.web.token import FILE
from tests.daemons import command, none_left, wait_until

PATIENCE = 30.0


class Said(NamedTuple):
    """An answer over HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Port(NamedTuple):
    """An open one."""

    folder: Path
    host: str
    number: int

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.number}"

    @property
    def token(self) -> str:
        return (self.folder / FILE).read_text().strip()

    def ask(self, path: str, method: str = "GET", body: bytes = b"", *, known: bool = True, **headers: str) -> Said:
        """One request on a connection of its own. A header's `_` is `-`; one that is empty is left out."""
        said = {"Host": f"{self.host}:{self.number}", "Content-Length": str(len(body)) if body else ""}
        said |= {"Authorization": f"Bearer {self.token}"} if known else {}
        said |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = "".join(f"{name}: {value}\r\n" for name, value in said.items() if value)
        with self.connection() as connection:
            connection.sendall(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1") + body)
            return answer(connection)

    def connection(self) -> socket.socket:
        return socket.create_connection((self.host, self.number), timeout=PATIENCE)


def answer(connection: socket.socket) -> Said:
    """What comes next: as many bytes as it says."""
    file = connection.makefile("rb")
    first = file.readline()
    found = re.fullmatch(rb"HTTP/1\.1 (\d{3}) .*\r\n", first)
    assert found, first
    headers: dict[str, str] = {}
    while line := file.readline().strip().decode("latin-1"):
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    return Said(int(found[1]), headers, file.read(int(headers.get("content-length", 0))))


@contextmanager
def opened_port(folder: Path, more: str = "") -> Iterator[Port]:
    """A daemon that opens a port which is free; it ends with the block."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    config = folder.parent / f"{folder.name}.toml"
    config.write_text(f'[http]\nserve = "on"\nport = 0\n{more}')
    env = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", "AFTERMIND_CONFIG": str(config)}
    with none_left(folder), subprocess.Popen(command(folder), stderr=subprocess.DEVNULL, env=env) as process:
        try:
            log = folder / "logs" / "daemon.log"
            wait_until(lambda: log.is_file() and b'"open": true' in log.read_bytes(), "the port is open")
            yield Port(folder, "127.0.0.1", address_in(folder))
        finally:
            process.terminate()


def address_in(folder: Path) -> int:
    """The number of the port, by what the daemon tells of itself."""
    import anyio

    async def asked() -> str:
        async with aftermind.open_memory(folder) as memory:
            return (await memory.state()).http

    return int(anyio.run(asked).rpartition(":")[2])
