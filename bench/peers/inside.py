"""Runs in a peer's own environment: keeps the memories, asks the questions one at a time, times each.

    <python of the environment> -m bench.peers.inside JOB RESULT

Nothing leaves the machine: a connection to anywhere but this host is refused, so that what a peer does without a
network is what is measured.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import random
import resource
import socket
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from bench.peers.shape import CannotRun, Done, Job, Running

MOST_TOKENS = 256
BATCH = 32
DIMENSIONS = 384
MOST_MEMORY = 12_000_000_000
"""Bytes. One of them takes more the more it is told, and would take the machine along."""
FIRST = 10
"""The priority of those that go before all others."""


def refuse_networks() -> None:
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def checked(call: Any) -> Any:
        def guarded(self: socket.socket, address: Any) -> Any:
            if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1", "localhost"):
                raise OSError(f"no network here: {address[0]}")
            return call(self, address)

        return guarded

    def nowhere(host: Any, *rest: Any, **named: Any) -> Any:
        if host not in (None, "", "127.0.0.1", "::1", "localhost"):
            raise socket.gaierror(f"no network here: {host}")
        return lookup(host, *rest, **named)

    lookup = socket.getaddrinfo
    socket.socket.connect = checked(connect)  # type: ignore[method-assign]
    socket.socket.connect_ex = checked(connect_ex)  # type: ignore[method-assign]
    socket.getaddrinfo = nowhere


class Lent:
    """The model of a folder (`model.onnx`, `tokenizer.json`): mean of the tokens, length one. Texts of one batch are of
    similar length."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.pretends = False
        self._random = random.Random(1)
        self._numpy = self._session = self._tokenizer = cast("Any", None)

    def _load(self) -> None:
        """At the first text: who embeds by himself needs but the folder."""
        self._numpy = importlib.import_module("numpy")
        onnxruntime = importlib.import_module("onnxruntime")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False  # its scratch space is not the peer's memory
        self._session = onnxruntime.InferenceSession(str(Path(self.folder) / "model.onnx"), options)
        tokenizers = importlib.import_module("tokenizers")
        self._tokenizer = tokenizers.Tokenizer.from_file(str(Path(self.folder) / "tokenizer.json"))
        self._tokenizer.enable_truncation(MOST_TOKENS)
        self._tokenizer.enable_padding()

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        if self._session is None:
            self._load()
        if self.pretends:
            return [self._any() for _ in texts]
        order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
        vectors: list[list[float]] = [[]] * len(texts)
        for start in range(0, len(order), BATCH):
            chunk = order[start : start + BATCH]
            for n, vector in zip(chunk, self._encoded([texts[n] for n in chunk]), strict=True):
                vectors[n] = [float(value) for value in vector]
        return vectors

    def _any(self) -> list[float]:
        """As good as another where nobody looks at what is found: a direction by chance."""
        vector = [self._random.gauss(0, 1) for _ in range(DIMENSIONS)]
        length = sum(value * value for value in vector) ** 0.5
        return [value / length for value in vector]

    def _encoded(self, texts: Sequence[str]) -> Any:
        numpy, batch = self._numpy, self._tokenizer.encode_batch(list(texts))
        mask = numpy.array([one.attention_mask for one in batch], dtype=numpy.int64)
        given = {"input_ids": numpy.array([one.ids for one in batch], dtype=numpy.int64), "attention_mask": mask}
        if "token_type_ids" in [wanted.name for wanted in self._session.get_inputs()]:
            given["token_type_ids"] = numpy.zeros_like(mask)
        tokens = self._session.run(None, given)[0]
        mean = (tokens * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return mean / numpy.linalg.norm(mean, axis=1, keepdims=True)


async def done(job: Job) -> Done:
    peer = importlib.import_module(f"bench.peers.{job['peer']}")
    folder = Path(job["folder"])
    lent = Lent(job["embedder"]) if job["embedder"] and peer.NEEDS_A_MODEL else None
    running: Running = await peer.opened(folder, job["version"], lent)
    if lent is not None:
        lent.pretends = job["only_time"]
    started = time.perf_counter()
    await running.keep(job["memories"])
    keeping = time.perf_counter() - started
    if lent is not None:
        lent.pretends = False
    if job["first"]:
        before_all_others(os.getpid(), running.pid)
    rankings: list[list[str]] = []
    milliseconds: list[float] = []
    worked = processor_seconds(os.getpid(), running.pid)
    for question in job["questions"]:
        started = time.perf_counter()
        found = await running.search(question["project"], question["text"], job["limit"])
        milliseconds.append((time.perf_counter() - started) * 1000)
        rankings.append(list(found)[: job["limit"]])
    worked = processor_seconds(os.getpid(), running.pid) - worked
    prompted: list[float] = []
    for question in job["questions"] if job["only_time"] else ():
        started = time.perf_counter()
        await running.prompted(question["project"], question["text"])
        prompted.append((time.perf_counter() - started) * 1000)
    resident, peak = megabytes(running.pid)
    await running.close()
    return Done(
        remarks=running.remarks,
        rankings=rankings,
        milliseconds=milliseconds,
        prompted=prompted,
        processor=worked / max(len(rankings), 1) * 1000,
        keeping=keeping,
        resident=resident,
        peak=peak,
        store=sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6,
    )


def before_all_others(*pids: int) -> None:
    """Those processes, their children and all their threads get a core whenever they want one (Linux; needs to be
    root). What they start inherits it."""
    for one in {member for pid in pids for member in family(pid)}:
        for task in Path(f"/proc/{one}/task").iterdir():
            os.sched_setscheduler(int(task.name), os.SCHED_FIFO, os.sched_param(FIRST))


def family(pid: int) -> list[int]:
    """A process and its children, as they are now."""
    found = [pid]
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(entry.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(entry.parent.name))
        except OSError:
            continue  # it ended
    return found


def processor_seconds(*pids: int) -> float:
    """What those processes and their children have used so far: asker and asked, where these are two."""
    ticks = 0
    for one in {member for pid in pids for member in family(pid)}:
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> tuple[float, float]:
    """Resident now and at the most, of a process and (now) of its children."""
    resident = sum(_status(one, "VmRSS") for one in family(pid))
    return resident, max(resident, _status(pid, "VmHWM"))


def _status(pid: int, field: str) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith(f"{field}:")), 0.0)


def main() -> int:
    job: Job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    refuse_networks()
    try:
        result = asyncio.run(done(job))
    except CannotRun as error:
        result = Done(failed=str(error))
    except Exception as error:
        traceback.print_exc()
        result = Done(failed=f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
    Path(sys.argv[2]).write_text(json.dumps(result), encoding="utf-8")
    sys.stdout.flush()
    os._exit(0)  # whatever threads a peer has left behind


if __name__ == "__main__":
    raise SystemExit(main())
