"""Law 1 on a real history: imported once, replayed in three processes, and every time the same rows.

    python -m bench.digests --data PATH [--chats N] [--times 3] [--json OUT]

PATH is the folder of the BEAM set, or its file (one chat a line, see `bench/sets/beam.py`). Its exchanges go in through
the public API with their times, some are scored, corrected and forgotten, and the views that served meanwhile give the
first digest: SHA-256 over every row of every table, each table in an order of its own. Then each of three new processes
grows the views from the log alone, in batches of another size. Status 1 when a digest differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

import anyio
from rich.progress import track
from rich.table import Table

import aftermind
from aftermind.engine.logs.sqlite_log import sqlite_log_reader
from aftermind.engine.sqlite import Connection, database
from aftermind.engine.store.folder import LOG
from aftermind.engine.views import batches
from aftermind.engine.views.growing import Growth, current, grown
from aftermind.projections.catalog import ALL
from bench.fault_check import rows
from bench.figures import parser_of, show
from bench.sets import beam

BATCHES = (1, 7, 1_000, 333, 64)
EVERY_SCORED, EVERY_CORRECTED, EVERY_FORGOTTEN = 5, 17, 23


def digest(connection: Connection) -> str:
    found = sha256()
    for table, held in sorted(rows(connection).items()):
        found.update(f"{table} {len(held)}\n".encode())
        for row in held:
            found.update(repr(row).encode("utf-8", "surrogatepass") + b"\n")
    return found.hexdigest()


async def imported(folder: Path, data: Path, chats: int | None) -> tuple[int, str]:
    """Exchanges that went in, and the digest of the views that served."""
    file = beam.find(data)
    if file is None:
        raise SystemExit(f"there is no BEAM file in {data}")
    count = 0
    async with aftermind.open_memory(folder, model="none") as memory:
        for chat in track(beam.chats(file)[:chats], description="importing", transient=True):
            asked: beam.Message | None = None
            for message in chat.messages:
                if message.role == "user":
                    asked = message
                    continue
                if asked is None:
                    continue
                session = f"{chat.id} {message.session}"
                exchange = await memory.record(
                    asked.text,
                    message.text,
                    session=session,
                    id=f"{chat.id}-{asked.id}",
                    at=asked.at,
                    project=f"chat {chat.id}",
                )
                count, asked = count + 1, None
                if count % EVERY_SCORED == 0:
                    await memory.score("worked" if count % 2 else "failed", exchange=exchange.id)
                if count % EVERY_CORRECTED == 0:
                    await memory.correct(exchange.memory, f"corrected: {message.text[:200]}")
                elif count % EVERY_FORGOTTEN == 0:
                    await memory.forget(exchange.memory)
        await memory.caught_up()
    path = current(folder)
    assert path is not None
    async with database(path, "read") as reader:
        return count, await reader.run(digest)


async def replayed(folder: Path, batch: int) -> tuple[int, str]:
    """Events, and the digest of the views they build, in a folder of its own."""
    batches.BATCH = batch  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory(dir=folder.parent) as elsewhere:
        path = Path(elsewhere) / "views-1.db"
        async with sqlite_log_reader(folder / LOG) as log:
            await grown(Growth(path=path), log, ALL)
            events = log.head.position
        async with database(path, "read") as reader:
            return events, await reader.run(digest)


async def _replayed(folder: Path, batch: int) -> None:
    print(json.dumps(await replayed(folder, batch)))


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--data", type=Path, help="the folder or the file of BEAM")
    parser.add_argument("--chats", type=int, help="only so many of its chats")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--replay", nargs=2, metavar=("STORE", "BATCH"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.replay:
        anyio.run(_replayed, Path(arguments.replay[0]), int(arguments.replay[1]))
        return 0
    if arguments.data is None:
        parser.error("--data names the set")
    table, digests, events = Table("views", "digest"), [], 0
    with tempfile.TemporaryDirectory(prefix="bench-digests-", dir=Path.cwd()) as place:
        folder = Path(place) / "store"
        exchanges, live = anyio.run(imported, folder, arguments.data, arguments.chats)
        table.add_row(f"that served while {exchanges:,} exchanges went in", live)
        for batch in (BATCHES * arguments.times)[: arguments.times]:
            command = [sys.executable, "-m", "bench.digests", "--replay", str(folder), str(batch)]
            said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            events, found = json.loads(said)
            digests.append(found)
            table.add_row(f"from {events:,} events, {batch:,} at once, in a process of its own", found)
    same = set(digests) == {live}
    figures = {"exchanges": exchanges, "events": events, "live": live, "replayed": digests, "same": same}
    show(table, figures, arguments.json)
    print("all the same" if same else "they differ")
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
