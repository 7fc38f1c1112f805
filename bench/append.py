"""What a durable append costs: alone, and with others.

    python -m bench.append [--json OUT]

In one run, interleaved, all WAL and synchronous=FULL: a bare SQLite commit of the same row into the same table from
one thread; the least commit there is (one short row, no index); and an append alone, through masking, chain, group
commit and the hop to the database's thread. Then 64 tasks appending at once. Payloads are about 1 kB of prose.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
import time
from pathlib import Path

import anyio
from rich.table import Table

from aftermind.engine.events import MemoryRecorded
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import SqliteLog, sqlite_log
from aftermind.engine.logs.sqlite_pen import INSERT, SCHEMA
from aftermind.engine.moments import microseconds
from aftermind.engine.names import GLOBAL, MemoryId, memory_stream
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.folder import LOG
from aftermind.engine.stored import to_bytes
from bench.figures import parser_of, show

TEXT = "The deploy of the staging server went through after the port in its settings was changed to 8081. " * 9
ROUNDS, ALONE = 10, 200
TASKS, EACH = 64, 400


def one(stamp: Stamp, memory: str) -> Append:
    event = MemoryRecorded(
        memory=MemoryId(memory), kind="fact", collection="memory_bank", scope=GLOBAL, text=TEXT, speaker="user"
    )
    return Append(stream=memory_stream(MemoryId(memory)), drafts=(stamp.draft(event),))


def bare(connection: sqlite3.Connection, sql: str, row: tuple[object, ...]) -> float:
    started = time.perf_counter()
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(sql, row)
    connection.execute("COMMIT")
    return time.perf_counter() - started


def bare_database(path: Path, schema: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.executescript(schema)
    return connection


def row(stamp: Stamp, version: int) -> tuple[object, ...]:
    """A row like those of the log."""
    payload = to_bytes(one(stamp, "bare").drafts[0].event)
    times = (microseconds(stamp.now()),) * 2
    return (None, stamp.new_id(), "memory-bare", version, "memory-recorded", *times, None, b"s" * 16, payload) + (
        b"d" * 32,
    ) * 2


async def measured(folder: Path) -> dict[str, float]:
    stamp = Stamp()
    same = bare_database(folder / "same.db", SCHEMA)
    least = bare_database(folder / "least.db", "CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT)")
    commits: list[float] = []
    smallest: list[float] = []
    alone: list[float] = []
    rates: list[float] = []
    async with sqlite_log(folder / LOG, stamp) as log:
        for round in range(ROUNDS):
            commits += [bare(same, INSERT, row(stamp, round * ALONE + i + 1)) for i in range(ALONE)]
            smallest += [bare(least, "INSERT INTO row (text) VALUES (?)", (TEXT,)) for _ in range(ALONE)]
            for _ in range(ALONE):
                append = one(stamp, f"alone{round}")
                started = time.perf_counter()
                await log.append(append)
                alone.append(time.perf_counter() - started)
        for round in range(5):
            started = time.perf_counter()
            async with anyio.create_task_group() as tasks:
                for task in range(TASKS):
                    tasks.start_soon(_appender, log, stamp, f"task{round}x{task}")
            rates.append(TASKS * EACH / (time.perf_counter() - started))
        verified = await log.verify()
    same.close()
    least.close()
    assert verified.events == ROUNDS * ALONE + 5 * TASKS * EACH
    return {
        "bare commit of the same row, ms": statistics.median(commits) * 1000,
        "least commit, ms": statistics.median(smallest) * 1000,
        "append alone, ms": statistics.median(alone) * 1000,
        "append alone / bare commit": statistics.median(alone) / statistics.median(commits),
        "append alone / least commit": statistics.median(alone) / statistics.median(smallest),
        "64 appenders, events/s (median of 5)": statistics.median(rates),
        "64 appenders, events/s (best of 5)": max(rates),
    }


async def _appender(log: SqliteLog, stamp: Stamp, memory: str) -> None:
    for _ in range(EACH):
        await log.append(one(stamp, memory))


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure (default: the current one)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-append-", dir=arguments.folder or Path.cwd()) as folder:
        figures = anyio.run(measured, Path(folder))
    table = Table("what", "figure")
    for name, figure in figures.items():
        table.add_row(name, f"{figure:,.2f}" if figure < 100 else f"{figure:,.0f}")
    show(table, figures, arguments.json)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
