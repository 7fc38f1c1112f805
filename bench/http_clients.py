"""The open port under clients: fifty that each ask for a minute. Errors, and how long they wait.

    python -m bench.http_clients [--clients 50] [--seconds 60] [--rate 8] [--json OUT]

A real daemon opens a port of loopback. Each client keeps a connection and asks /health, /ready, /stats and /metrics in
turn, `rate` times a second; one in five has a session of MCP and searches, by the official client. What is no answer
with 200, and no tool's answer, is an error. Meanwhile one more asks the daemon's socket for a recall, and is compared
with the same daemon before anybody asked: the port must not hold that up. And what an open port costs in memory.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from aftermind.cli.language.requests import Recall, Remember, Report
from aftermind.cli.web.token import FILE
from bench.metrics import percentile
from bench.residents import at_rest, cpu_seconds, joined, megabytes, resident

PATHS = ("/health", "/ready", "/stats", "/metrics")
MEMORIES = 2_000
SESSIONS = 5
"""One client in so many speaks MCP."""


class Counted:
    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {}
        self.errors: Counter[str] = Counter()

    def note(self, what: str, began: float, error: str = "") -> None:
        self.seconds.setdefault(what, []).append(time.perf_counter() - began)
        if error:
            self.errors[f"{what}: {error}"] += 1


def figures(number: int, token: str, until: float, pause: float, counted: Counted) -> None:
    """One client on one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", number, timeout=60)
    at = 0
    while time.perf_counter() < until:
        path, began = PATHS[at % len(PATHS)], time.perf_counter()
        at += 1
        try:
            connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            answer.read()
            counted.note(path, began, "" if answer.status == 200 else str(answer.status))
        except (OSError, http.client.HTTPException) as error:
            counted.note(path, began, type(error).__name__)
            connection.close()
        time.sleep(max(0.0, pause - (time.perf_counter() - began)))
    connection.close()


def searches(number: int, token: str, until: float, pause: float, counted: Counted) -> None:
    """One client with a session of MCP."""

    async def asked() -> None:
        headers = {"Authorization": f"Bearer {token}", "Aftermind-Project": "/nowhere/webshop"}
        async with httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http_:
            transport = streamable_http_client(f"http://127.0.0.1:{number}/mcp", http_client=http_)
            async with Client(transport, mode="legacy", read_timeout_seconds=60) as client:
                while time.perf_counter() < until:
                    began = time.perf_counter()
                    result = await client.call_tool("search_memory", {"query": "staging port", "limit": 5})
                    counted.note("/mcp search_memory", began, "failed" if result.is_error else "")
                    await anyio.sleep(max(0.0, pause - (time.perf_counter() - began)))

    try:
        anyio.run(asked)
    except Exception as error:
        counted.note("/mcp session", time.perf_counter(), type(error).__name__)


async def filled(folder: Path) -> None:
    asking = await joined(folder)
    for n in range(MEMORIES):
        await asking.ask(Remember(text=f"Staging host{n} of team {n % 40} listens on port {8000 + n}"))
    await asking.close()


async def recalls(folder: Path, until: float) -> list[float]:
    """What somebody waits who asks the socket, in milliseconds."""
    asking, took = await joined(folder), []
    while time.perf_counter() < until:
        began = time.perf_counter()
        await asking.ask(Recall(query="which port has host7 of staging"))
        took.append((time.perf_counter() - began) * 1000)
        await anyio.sleep(0.1)
    await asking.close()
    return took


async def opened(folder: Path) -> int:
    asking = await joined(folder)
    while not (state := await asking.ask(Report())).http:
        await anyio.sleep(0.1)
    await asking.close()
    return int(state.http.rpartition(":")[2])


def idle_memory(folder: Path, config: Path, serve: str) -> float:
    """Megabytes of a daemon that has settled, its port closed or open, and asked once where it is open."""
    config.write_text(f'[http]\nserve = "{serve}"\nport = 0\n')
    with resident(folder, "none") as process:
        if serve == "on":
            number = anyio.run(opened, folder)
            figures(number, (folder / FILE).read_text().strip(), time.perf_counter() + 0.5, 0.1, Counted())
        else:
            anyio.run(recalls, folder, time.perf_counter() + 0.5)
        anyio.run(at_rest, process.pid)
        return megabytes(process.pid)


def measured(folder: Path, config: Path, clients: int, seconds: float, rate: float) -> dict[str, float]:
    config.write_text('[http]\nserve = "on"\nport = 0\n')
    counted = Counted()
    with resident(folder, "none") as process:
        anyio.run(filled, folder)
        number = anyio.run(opened, folder)
        token = (folder / FILE).read_text().strip()
        anyio.run(at_rest, process.pid)
        alone = anyio.run(recalls, folder, time.perf_counter() + 10)
        used, until = cpu_seconds(process.pid), time.perf_counter() + seconds
        with ThreadPoolExecutor(clients + 1) as pool:
            beside = pool.submit(anyio.run, recalls, folder, until)
            for client in range(clients):
                does = searches if client % SESSIONS == 0 else figures
                pool.submit(does, number, token, until, 1 / rate, counted)
        used = cpu_seconds(process.pid) - used
        found: dict[str, float] = {"clients": clients, "seconds": seconds, "errors": counted.errors.total()}
        every = [one * 1000 for took in counted.seconds.values() for one in took]
        found |= {"requests": len(every), "requests a second": len(every) / seconds}
        for what, took in {**counted.seconds, "all": [one / 1000 for one in every]}.items():
            for cut in (0.5, 0.99):
                found[f"{what}, p{cut * 100:g} ms"] = percentile([one * 1000 for one in took], cut)
        found["daemon, processor seconds a request (ms)"] = used / max(1, len(every)) * 1000
        found["recall over the socket alone, p50 ms"] = statistics.median(alone)
        found["recall over the socket beside them, p50 ms"] = statistics.median(beside.result())
        found["daemon with a port and MCP loaded, MB"] = megabytes(process.pid)
        for what, count in counted.errors.items():
            print(f"  {count} × {what}", file=sys.stderr)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=8, help="requests a second of each")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        config = Path(place) / "config.toml"
        os.environ["AFTERMIND_CONFIG"] = str(config)
        for name in ("idle", "asked"):
            (Path(place) / name).mkdir(mode=0o700)
        found = {
            f"idle daemon without a model, port {serve}, MB": idle_memory(Path(place) / "idle", config, serve)
            for serve in ("off", "on")
        }
        found |= measured(Path(place) / "asked", config, arguments.clients, arguments.seconds, arguments.rate)
    for name, value in found.items():
        print(f"{name:<58} {value:>12,.2f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
