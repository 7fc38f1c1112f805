"""How long everything derived takes to grow back: the views from the log, the vectors from the log and their cache.

    python -m bench.rebuild [--events 1000000] [--model static|FOLDER] [--json OUT]

The log is `bench.replay`'s, and the views grow as a daemon grows them, in processes of their own. The vectors are made
up (the model's size), and kept in the cache as a model's would be; then the views are thrown away, and where each
vector belongs. No model is called while both are rebuilt.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from aftermind.cli.config import compute_alone
from aftermind.cli.holding.apart import grown_apart
from aftermind.engine.logs.sqlite_log import SqliteLog, sqlite_log
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.derived import CACHE
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.generations import views
from aftermind.projections.catalog import ALL
from aftermind.projections.meaning.embedding import Model, loaded
from aftermind.projections.meaning.model_files import STATIC
from aftermind.projections.meaning.vectors import vectors
from bench.figures import parser_of, show_each
from bench.replay import fill
from bench.stores import Pretended

if TYPE_CHECKING:
    from aftermind.projections.meaning.embedding import Vectors


class Uncalled:
    """A model that may not be asked."""

    def __init__(self, model: Model) -> None:
        self.name, self.fingerprint, self.dimensions = model.name, model.fingerprint, model.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise RuntimeError(f"{len(texts)} texts were not in the cache")


def processor() -> float:
    """Seconds of it that this process took, and those it started that have ended."""
    return sum(os.times()[:4])


async def followed(folder: Path, log: SqliteLog, model: Model) -> tuple[float, float, int]:
    """Seconds until the views are level, until the vectors are, and how many vectors there are."""
    started = time.perf_counter()
    async with views(folder, log, ALL, grown_apart) as seen:
        level = time.perf_counter()
        async with vectors(folder, log, model, Stamp()) as found:
            while await found.follow(log, seen):
                pass
            return level - started, time.perf_counter() - level, found.count


async def measured(folder: Path, events: int, name: str) -> dict[str, float]:
    model = loaded(name, folder)
    assert model is not None
    async with sqlite_log(folder / LOG, Stamp()) as log:
        await fill(log, Stamp(), events)
        await followed(folder, log, Pretended(model, ["one", "another"]))
        for file in folder.glob("views-*"):
            file.unlink()
        cache = sqlite3.connect(folder / CACHE)
        with cache:
            cache.execute("DELETE FROM placed")
            cache.execute("DELETE FROM followed")
        cache.close()
        used = processor()
        seen, meant, count = await followed(folder, log, Uncalled(model))
        used = processor() - used
        total = log.head.position
    return {
        "events": total,
        "vectors": count,
        "all views, seconds": seen,
        "all vectors, seconds": meant,
        "both, seconds": seen + meant,
        "both, seconds of processor": used,
    }


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--model", default=STATIC, help="static, or a folder with an ONNX model")
    arguments = parser.parse_args()
    compute_alone()
    with tempfile.TemporaryDirectory(prefix="bench-rebuild-", dir=Path.cwd()) as folder:
        figures = anyio.run(measured, Path(folder), arguments.events, arguments.model)
    show_each("what", figures, arguments.json, digits=0)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
