"""What a window of an assistant costs: how soon it can be used, what it keeps in memory, what a call takes; and what
is left of calls under a daemon that is killed and stopped while they are under way.

    python -m bench.mcp_start [--memories N] [--restarts N] [--json OUT]

A window is the pipe as clients start it (`python -I -S pipe.py`), asked in raw lines of JSON, so that no client's own
time is counted. "Cold" is without a daemon: the pipe starts one; beside it, in the same run, the bare import of the
library that serves the session.
"""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

import anyio

from aftermind.engine.store.lock import holder, is_held
from bench.figures import parser_of, show_each
from bench.hook_start import bare
from bench.metrics import percentile
from bench.residents import cpu_seconds, megabytes, resident
from bench.stores import filled

PIPE = Path(__file__).parents[1] / "cli" / "doors" / "pipe.py"
WARM, COLD, CALLS, WINDOWS, UNDER_WAY = 40, 5, 300, 10, 8
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "0"}}


class Window:
    """A pipe and what is said to it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._id = 0

    def say(self, method: str, **params: Any) -> int:
        assert self.process.stdin is not None
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        return self._id

    def heard(self) -> tuple[dict[str, Any], int]:
        """The next answer, and its bytes."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return json.loads(line), len(line)

    def ask(self, method: str, **params: Any) -> tuple[float, int, dict[str, Any]]:
        """Milliseconds, bytes and the answer."""
        began = time.perf_counter()
        self.say(method, **params)
        answer, size = self.heard()
        assert "result" in answer, answer
        return (time.perf_counter() - began) * 1000, size, answer["result"]


@contextmanager
def opened(folder: Path) -> Iterator[tuple[Window, float]]:
    """A window, and the milliseconds from the start of its process to the answer to `initialize`."""
    began = time.perf_counter()
    words = [sys.executable, "-I", "-S", str(PIPE), "--home", str(folder)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder.parent) as process:
        window = Window(process)
        window.ask("initialize", **INITIALIZE)
        took = (time.perf_counter() - began) * 1000
        try:
            yield window, took
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(60)


def imported() -> float:
    """Milliseconds of a process that does nothing but import the library."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-c", "import mcp.server.lowlevel"], check=True)
    return (time.perf_counter() - began) * 1000


def another(folder: Path, last: int = 0) -> int:
    """The process that holds the store, another than the last one; 0 while there is none. The lock may still name one
    that is gone."""
    pid = holder(folder).pid
    return 0 if pid == last else pid


def told(pid: int, number: signal.Signals) -> None:
    """Signals a daemon, which may be gone already."""
    assert pid, "that would be everybody here"
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def ended(folder: Path) -> None:
    """Whoever holds the store is told to end, and has."""
    while not (pid := another(folder)):
        time.sleep(0.001)
    told(pid, signal.SIGTERM)
    while is_held(folder):
        time.sleep(0.01)


def cold(folder: Path) -> dict[str, float]:
    starts, imports = [], []
    for _ in range(COLD):
        imports.append(imported())
        with opened(folder) as (_, took):
            starts.append(took)
        ended(folder)
    return {
        "cold: pipe start to initialize answered, p50 ms": statistics.median(starts),
        "cold: pipe start to initialize answered, max ms": max(starts),
        "import of the library, p50 ms": statistics.median(imports),
        "cold - import, ms (≤ 500)": statistics.median(starts) - statistics.median(imports),
    }


def warm(folder: Path, questions: list[str]) -> dict[str, float]:
    with resident(folder) as daemon:
        while not (folder / "run" / "socket").exists():
            time.sleep(0.01)
        time.sleep(5)  # it has loaded what it loads beside
        found = {"daemon without a window, MB": megabytes(daemon.pid)}
        with opened(folder) as (window, _):
            found["tools/list, bytes"] = float(window.ask("tools/list")[1])
            time.sleep(3)
            found["daemon with 1 window, MB"] = megabytes(daemon.pid)
            found["pipe, MB"] = megabytes(window.process.pid)
            found["pipe, MB of its own"] = private_megabytes(window.process.pid)
            starts, bares = [], []
            for _ in range(WARM):
                bares.append(bare())
                with opened(folder) as (_, took):
                    starts.append(took)
            found["bare interpreter, p50 ms"] = statistics.median(bares)
            found["warm: pipe start to initialize answered, p50 ms (≤ 100)"] = statistics.median(starts)
            found["warm: pipe start to initialize answered, p95 ms"] = percentile(starts, 0.95)
            calls = [
                window.ask("tools/call", name="search_memory", arguments={"query": question})[0]
                for question in (questions * (CALLS // len(questions) + 1))[:CALLS]
            ]
            found["search_memory, p50 ms"] = statistics.median(calls)
            found["search_memory, p95 ms"] = percentile(calls, 0.95)
            with ExitStack() as windows:
                for _ in range(WINDOWS - 1):
                    windows.enter_context(opened(folder))
                found[f"daemon with {WINDOWS} windows, MB"] = megabytes(daemon.pid)
                before = cpu_seconds(daemon.pid)
                time.sleep(10)
                found[f"daemon idle with {WINDOWS} windows, % of a core"] = (cpu_seconds(daemon.pid) - before) * 10
        return found


def private_megabytes(pid: int) -> float:
    """What no other process shares."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    sizes = [int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Private_")]
    return sum(sizes) / 1000


class Writing:
    """Calls that write, so many of them always under way."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._asked: dict[int, int] = {}
        self._answers: Queue[dict[str, Any]] = Queue()
        self.sent = 0
        self.exchanges: list[str] = []
        """What the answers name, each one exchange."""
        Thread(target=self._hear, daemon=True).start()

    def _hear(self) -> None:
        with suppress(ValueError):  # the pipe ended
            while True:
                self._answers.put(self._window.heard()[0])

    def say(self) -> None:
        while len(self._asked) < UNDER_WAY:
            self.sent += 1
            arguments = {"prompt": f"restart question {self.sent}", "response": f"answer {self.sent}"}
            asked = self._window.say("tools/call", name="record_response", arguments=arguments)
            self._asked[asked] = self.sent

    def hear(self, seconds: float) -> None:
        """What is answered by then."""
        with suppress(Empty):
            answer = self._answers.get(timeout=seconds)
            assert not answer.get("result", {"isError": True})["isError"], answer
            del self._asked[answer["id"]]
            self.exchanges.append(answer["result"]["structuredContent"]["exchange"])

    def hear_all(self) -> None:
        while self._asked:
            self.hear(1.0)

    def kept(self) -> int:
        """The exchanges that the store has now."""
        self._window.say("tools/call", name="memory_status", arguments={})
        status = self._answers.get()["result"]["structuredContent"]
        return int(status["memories"]["working"])


def restarted(folder: Path, times: int) -> dict[str, float]:
    """What is left of calls that write, while the daemon is killed or told to end again and again. More are asked until
    the next one is there: one that goes may still answer all that was, and then nobody calls for the next one."""
    dice = random.Random(4)
    waits = []
    last = 0
    with opened(folder) as (window, _):
        writing = Writing(window)
        for number in range(times):
            end = time.perf_counter() + dice.random() * 0.03
            while not (pid := another(folder, last)) or time.perf_counter() < end:
                writing.say()
                writing.hear(0.001)
            writing.say()
            began = time.perf_counter()
            told(pid, signal.SIGKILL if number % 2 else signal.SIGTERM)
            last = pid
            writing.hear_all()
            waits.append(time.perf_counter() - began)
        kept = writing.kept()
        ended(folder)
    sent, exchanges = writing.sent, writing.exchanges
    return {
        "restarts during calls": float(times),
        "calls sent": float(sent),
        "calls answered": float(len(exchanges)),
        "lost": float(max(sent - kept, 0)),
        "doubled": float(max(kept - sent, 0)),
        "ids given twice": float(len(exchanges) - len(set(exchanges))),
        "wait for all answers of a restart, p50 s": statistics.median(waits),
        "wait for all answers of a restart, max s": max(waits),
    }


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--restarts", type=int, default=50)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-mcp-", dir=Path.cwd()) as name:
        folder = Path(name) / "store"
        questions = anyio.run(filled, folder, arguments.memories)
        figures = cold(folder) | warm(folder, questions)
        figures |= restarted(Path(name) / "restarted", arguments.restarts)
    show_each(f"what, at {arguments.memories:,} memories", figures, arguments.json)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
