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
import socket
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.peers.shape import CannotRun, Done, Embedder, Job

MOST_TOKENS = 256
BATCH = 32


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


def lent(folder: str) -> Embedder:
    """The model of a folder (`model.onnx`, `tokenizer.json`): mean of the tokens, length one. Texts of one batch are
    of similar length."""
    numpy = importlib.import_module("numpy")
    onnxruntime = importlib.import_module("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False  # its scratch space is not the peer's memory
    session = onnxruntime.InferenceSession(str(Path(folder) / "model.onnx"), options)
    tokenizer = importlib.import_module("tokenizers").Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))
    tokenizer.enable_truncation(MOST_TOKENS)
    tokenizer.enable_padding()
    names = [given.name for given in session.get_inputs()]

    def encoded(texts: Sequence[str]) -> Any:
        batch = tokenizer.encode_batch(list(texts))
        mask = numpy.array([one.attention_mask for one in batch], dtype=numpy.int64)
        given = {"input_ids": numpy.array([one.ids for one in batch], dtype=numpy.int64), "attention_mask": mask}
        if "token_type_ids" in names:
            given["token_type_ids"] = numpy.zeros_like(mask)
        tokens = session.run(None, given)[0]
        mean = (tokens * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return mean / numpy.linalg.norm(mean, axis=1, keepdims=True)

    def embed(texts: Sequence[str]) -> list[list[float]]:
        order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
        vectors: list[list[float]] = [[]] * len(texts)
        for start in range(0, len(order), BATCH):
            chunk = order[start : start + BATCH]
            for n, vector in zip(chunk, encoded([texts[n] for n in chunk]), strict=True):
                vectors[n] = [float(value) for value in vector]
        return vectors

    return embed


async def done(job: Job) -> Done:
    peer = importlib.import_module(f"bench.peers.{job['peer']}")
    folder = Path(job["folder"])
    embedder = lent(job["embedder"]) if job["embedder"] else None
    running = await peer.opened(folder, job["version"], embedder)
    started = time.perf_counter()
    await running.keep(job["memories"])
    keeping = time.perf_counter() - started
    rankings: list[list[str]] = []
    milliseconds: list[float] = []
    for question in job["questions"]:
        started = time.perf_counter()
        found = await running.search(question["project"], question["text"], job["limit"])
        milliseconds.append((time.perf_counter() - started) * 1000)
        rankings.append(list(found)[: job["limit"]])
    resident, peak = megabytes()
    await running.close()
    return Done(
        remarks=running.remarks,
        rankings=rankings,
        milliseconds=milliseconds,
        keeping=keeping,
        resident=resident,
        peak=peak,
        store=sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6,
    )


def megabytes() -> tuple[float, float]:
    """Resident now and at the most, of this process and (now) of its children."""
    family = [os.getpid()]
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(entry.read_text().rpartition(")")[2].split()[1]) == os.getpid():
                family.append(int(entry.parent.name))
        except OSError:
            continue  # it ended
    resident = sum(_status(pid, "VmRSS") for pid in family)
    return resident, max(resident, _status(os.getpid(), "VmHWM"))


def _status(pid: int, field: str) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith(f"{field}:")), 0.0)


def main() -> int:
    job: Job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
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
