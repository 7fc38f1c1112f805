"""Twenty assistants at once, fifty turns each, by the hooks they would run: is anything lost, does recall stay quick?

    python -m bench.turns [--clients 20] [--turns 50] [--pause 2] [--memories 10000] [--json OUT]

A turn is three real hook processes of Claude Code's form: the prompt, a tool, the answer. Between prompt and answer
the assistant thinks for `--pause` seconds, more or less. Beside them somebody asks over a socket of their own, all the
time, and is timed. In the end every turn has to be one exchange with its prompt, its answer and its tool.

It takes the turns times the pause, at least, here two minutes, and what filling the store takes. Cut off, it ends
its sessions and its daemon, and takes its folder away.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import NoReturn

import anyio

import aftermind
from aftermind.cli.doors import copied
from aftermind.cli.language.requests import Recall
from aftermind.engine.events import ExchangeRecorded
from aftermind.engine.store import spool
from bench.figures import parser_of, show_each
from bench.metrics import percentile
from bench.residents import hook, joined, of_claude_code, resident, settled
from bench.stores import filled

EVERY = 0.05
"""Seconds between two questions over the socket."""
DRAINED = 60.0
"""Seconds in which the spool has to be empty after the last turn; what is in it then is lost."""


def client(
    folder: Path,
    number: int,
    turns: int,
    pause: float,
    questions: list[str],
    took: list[float],
    over: threading.Event,
) -> None:
    """One assistant's session, until it is over; the milliseconds of its prompts go into `took`."""
    chance = random.Random(number)
    over.wait(chance.uniform(0, pause))
    for turn in range(turns):
        if over.is_set():
            return
        said = (f"session-{number}", f"turn-{number}-{turn}", folder)
        question = f"{questions[(number * turns + turn) % len(questions)]} ({number}, {turn})"
        took.append(
            hook(folder, "prompt", of_claude_code("UserPromptSubmit", *said, prompt=question), "claude-code")[0]
        )
        over.wait(chance.uniform(0.25, 0.75) * pause)
        used = of_claude_code("PostToolUse", *said, tool_name=f"Tool{turn}", tool_use_id=f"use-{number}-{turn}")
        hook(folder, "tool", used, "claude-code")
        over.wait(chance.uniform(0.25, 0.75) * pause)
        hook(folder, "turn", of_claude_code("Stop", *said, last_assistant_message=f"so {number} {turn}"), "claude-code")


async def asked(folder: Path, questions: list[str], over: threading.Event) -> list[float]:
    """Milliseconds of each recall over one socket, until it is over."""
    took = []
    asking = await joined(folder)
    while not over.is_set():
        started = time.perf_counter()
        await asking.ask(Recall(query=questions[len(took) % len(questions)]))
        took.append((time.perf_counter() - started) * 1000)
        await anyio.sleep(EVERY)
    await asking.close()
    return took


async def kept(folder: Path) -> set[tuple[str, str, tuple[str, ...]]]:
    """What is recorded: session, answer and tools of every exchange whose prompt is told."""
    found = set()
    async with aftermind.open_memory(folder, patience=30) as memory:
        after = 0
        while events := await memory.events(after, limit=10_000):
            after = events[-1].position
            for one in events:
                event = one.draft.event
                if isinstance(event, ExchangeRecorded) and event.prompt:
                    found.add((event.session, event.answer, tuple(tool.name for tool in event.tools)))
    return found


def run(folder: Path, arguments: argparse.Namespace, questions: list[str]) -> dict[str, float]:
    prompts: list[float] = []
    recalls: list[float] = []
    over = threading.Event()
    copied(folder)
    with resident(folder):
        anyio.run(settled, folder)
        asking = threading.Thread(target=lambda: recalls.extend(anyio.run(asked, folder, questions, over)))
        asking.start()
        sessions = [
            threading.Thread(
                target=client, args=(folder, n, arguments.turns, arguments.pause, questions, prompts, over)
            )
            for n in range(arguments.clients)
        ]
        began = time.monotonic()
        try:
            for session in sessions:
                session.start()
            for session in sessions:
                session.join()
            lasted = time.monotonic() - began
        finally:
            over.set()
            asking.join()
        drained = time.monotonic() + DRAINED
        while spool.spooled(folder).waiting and time.monotonic() < drained:
            time.sleep(0.1)
        there = anyio.run(kept, folder)
    said = {
        (f"session-{n}", f"so {n} {turn}", (f"Tool{turn}",))
        for n in range(arguments.clients)
        for turn in range(arguments.turns)
    }
    return {
        "turns": float(len(said)),
        "lost or not whole": float(len(said - there)),
        "recorded and never said": float(len(there - said)),
        "turns a second": len(said) / lasted,
        "recall over a socket, p50 ms": statistics.median(recalls),
        "recall over a socket, p95 ms": percentile(recalls, 0.95),
        "hook of a prompt, p50 ms": statistics.median(prompts),
        "hook of a prompt, p95 ms": percentile(prompts, 0.95),
        "load of the machine": os.getloadavg()[0],
    }


def cut_off(number: int, _: object) -> NoReturn:
    raise SystemExit(128 + number)


def main() -> int:
    signal.signal(signal.SIGTERM, cut_off)
    parser = parser_of(__doc__)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--turns", type=int, default=50)
    parser.add_argument("--pause", type=float, default=2.0)
    parser.add_argument("--memories", type=int, default=10_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-turns-", dir=Path.cwd()) as name:
        folder = Path(name) / "store"
        figures = run(folder, arguments, anyio.run(filled, folder, arguments.memories))
    show_each(f"{arguments.clients} assistants, {arguments.memories:,} memories", figures, arguments.json)
    return 1 if figures["lost or not whole"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
