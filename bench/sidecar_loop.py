"""A thousand exchanges through the whole loop: the daemon starts the process that asks, a scripted server on loopback
answers, verdicts come back. How long, how many calls, how much memory; and that it ends when there is nothing left.

    python -m bench.sidecar_loop [--exchanges 1000] [--parallel 1] [--latency MS] [--model openai/scripted] [--json OUT]

The store is filled first, by this process: sessions of ten exchanges, each with a briefing of what is known. Then the
daemon is started with a model configured, and everything is counted from there. The server takes `--latency` an answer,
where a model of this machine takes seconds: what is measured is the daemon, the loop, and the library that asks.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import anyio
from rich.console import Console
from rich.table import Table
from tests.model_servers import ModelServer, Say, model_server, question_in
from tests.processes import running

import aftermind
from aftermind.cli.holding.spawning import IDLE
from aftermind.cli.language.judging import ScoringState
from aftermind.cli.settings import configuration
from aftermind.engine.events import ExchangeJudged, MemoryRecorded, ModelAnswered, ModelAsked
from bench.residents import cpu_seconds, joined, megabytes, resident

NOTES, SESSION = 40, 10
PLACES = ("staging", "production", "billing", "checkout", "search", "mail", "login", "reports")


async def filled(folder: Path, exchanges: int) -> None:
    """Exchanges that wait for their verdicts, each with a briefing, half of them followed by a complaint."""
    async with aftermind.open_memory(folder) as memory:
        for number in range(NOTES):
            place = PLACES[number % len(PLACES)]
            await memory.remember(f"The {place} service {number} listens on port {8000 + number}", kind="configuration")
        for number in range(exchanges):
            session, place = f"session-{number // SESSION}", PLACES[number % len(PLACES)]
            said = "that works, thanks." if number % 2 else "no, it still fails."
            prompt = f"({number}) {said} Now which port does the {place} service {number % NOTES} listen on?"
            await memory.context(prompt, session=session)
            answer = f"It listens on port {8000 + number % NOTES}, set in deploy/{place}.yaml. " * 8
            await memory.record(prompt, answer, session=session)
        for number in range(-(-exchanges // SESSION)):
            await memory.end_session(f"session-{number}")


def verdict(body: dict[str, Any]) -> Say:
    """What a careful model would say, by the follow-up it is given; one in ten teaches something."""
    question = question_in(body)
    followed = re.search(r'"follow_up": "\((\d+)\) (no, it still fails|that works, thanks)', question)
    outcome = "unknown" if followed is None else "failed" if followed[2].startswith("no") else "worked"
    labels = sorted(set(re.findall(r'"(M\d+)":', question)))
    helped = {"worked": "helped", "failed": "misled"}.get(outcome, "neutral")
    learned = []
    if followed is not None and int(followed[1]) % 10 == 4:
        text = f"Number {followed[1]} was asked again"
        learned.append({"text": text, "kind": "fact", "evidence": followed[2]})
    said = {
        "evidence": followed[2] if followed is not None else "",
        "outcome": outcome,
        "memories": [{"memory": label, "used": True, "effect": helped} for label in labels],
        "learned": learned,
        "summary": "asked for a port",
    }
    return Say(json.dumps(said), (len(question) // 4, 80))


def peak(pid: int) -> float:
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) * 1024 / 1e6 if found else 0.0


async def judged(folder: Path, exchanges: int, daemon: int) -> dict[str, float]:
    """From the daemon's start until nothing waits, and until the process that asks is gone."""
    started = time.perf_counter()
    asking = await joined(folder)
    began, first, pid = 0.0, 0.0, 0
    sizes = []
    while True:
        state = await asking.ask(ScoringState(limit=1))
        pid = pid or next(iter(running("aftermind.cli.sidecar", folder=folder)), 0)
        began = began or (time.perf_counter() if pid else 0.0)
        first = first or (time.perf_counter() if state.last else 0.0)
        if pid:
            sizes.append(megabytes(pid))
        if state.queue.waiting == 0:
            break
        await anyio.sleep(0.25)
    over = time.perf_counter()
    found = {
        "until the process is there s": began - started,
        "until its first verdict s": first - started,
        "all s": over - started,
        "exchanges a second": exchanges / (over - first),
        "CPU of the sidecar s": cpu_seconds(pid),
        "CPU of the daemon s": cpu_seconds(daemon),
        "RSS of the sidecar MB, middle": statistics.median(sizes),
        "RSS of the sidecar MB, peak": peak(pid),
        "RSS of the daemon MB": megabytes(daemon),
    }
    await asking.close()
    while Path(f"/proc/{pid}").exists() and time.perf_counter() - over < 3 * IDLE:
        await anyio.sleep(0.5)
    found["ends after so many idle s"] = time.perf_counter() - over if not Path(f"/proc/{pid}").exists() else -1.0
    return found


async def counted(folder: Path) -> dict[str, float]:
    """What the log says of it."""
    counts: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    async with aftermind.open_memory(folder, patience=30) as memory:
        after = 0
        while events := await memory.events(after, limit=10_000):
            after = events[-1].position
            for one in events:
                event = one.draft.event
                counts[type(event).__name__] += 1
                if isinstance(event, ExchangeJudged):
                    verdicts[event.exchange] += 1
                    counts[event.outcome] += 1
                if isinstance(event, ModelAnswered):
                    counts["tokens"] += event.tokens_in + event.tokens_out
                if isinstance(event, MemoryRecorded) and event.judge == "model":
                    counts["learned"] += 1
    return {
        "verdicts": len(verdicts),
        "judged twice": sum(count > 1 for count in verdicts.values()),
        **{f"of these {outcome}": counts[outcome] for outcome in ("worked", "failed", "unknown")},
        "set aside": counts[ModelAsked.__name__],
        "settled": counts[ModelAnswered.__name__],
        "tokens": counts["tokens"],
        "learned": counts["learned"],
    }


def measured(folder: Path, exchanges: int, server: ModelServer, model: str, parallel: int) -> dict[str, float]:
    anyio.run(filled, folder, exchanges)
    address = server.url if model.startswith("ollama") else f"{server.url}/v1"
    many = str(10**9)
    os.environ |= {
        "AFTERMIND_SCORING": "sidecar",
        "AFTERMIND_SIDECAR_MODEL": model,
        "AFTERMIND_SIDECAR_BASE_URL": address,
        "AFTERMIND_SIDECAR_CALLS_PER_DAY": str(1_000_000),
        "AFTERMIND_SIDECAR_TOKENS_PER_DAY": many,
        "AFTERMIND_SIDECAR_PARALLEL": str(parallel),
    }
    configuration()
    with resident(folder) as daemon:
        found = anyio.run(judged, folder, exchanges, daemon.pid)
    return {**found, "requests the server saw": len(server.asked), **anyio.run(counted, folder)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exchanges", type=int, default=1000)
    parser.add_argument("--parallel", type=int, default=1)
    parser.add_argument("--latency", type=float, default=0.0, metavar="MS")
    parser.add_argument("--model", default="openai/scripted")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args()

    def script(body: dict[str, Any]) -> Say:
        time.sleep(options.latency / 1000)
        return verdict(body)

    with tempfile.TemporaryDirectory() as place, model_server(script) as server:
        os.environ["AFTERMIND_CONFIG"] = str(Path(place) / "config.toml")
        folder = Path(place) / "store"
        found = measured(folder, options.exchanges, server, options.model, options.parallel)
    grid = Table(title=f"{options.exchanges:,} exchanges, {options.model}, {options.parallel} at a time")
    grid.add_column("what")
    grid.add_column("figure", justify="right")
    for name, value in found.items():
        grid.add_row(name, f"{value:,.1f}" if isinstance(value, float) else f"{value:,}")
    Console().print(grid)
    if options.json:
        options.json.write_text(json.dumps({**vars(options), "json": None, "found": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
