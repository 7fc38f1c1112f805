"""Writes a small store by the public API of whatever version of the program runs it, for `tests/golden/stores`.

    python -m tests.stores NAME       in a checkout of that version, from the folder this file is in:
    PYTHONPATH=<checkout>/src:<here> python -m tests.stores NAME

The log is kept as SQL text, and beside it what the views held that were built of it. It asks only what every version
can answer, or what this one says it can.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

STORES = Path(__file__).parent / "golden" / "stores"
LOG, VIEWS, TOLD = "log.sql", "views.db.gz", "told.json"


async def lived(folder: Path) -> None:
    """A bit of everything."""
    import aftermind

    async with aftermind.open_memory(folder) as memory:
        port = await memory.remember(
            "Staging listens on port 8081", kind="configuration", project="webshop", tags=("port",), speaker="Ada"
        )
        old = await memory.remember("The staging database is db-1", kind="fact", project="webshop")
        await memory.remember("The staging database is db-2", kind="fact", project="webshop", supersedes=old)
        await memory.lock(port)
        asked = "Which port does staging listen on?"
        await memory.context(asked, session="s1", project="webshop")
        await memory.record(asked, "Staging listens on 8081.", session="s1", project="webshop", id="1", client="c")
        await memory.score("worked", session="s1", project="webshop")
        await memory.context("And the health check?", session="s1", project="webshop")
        await memory.record(
            "And the health check?", "It asks port 8080, set it to 8081.", session="s1", project="webshop", id="2"
        )
        await memory.record(
            "And the health check?", "It asks port 8080, set it to 8081. 部署", session="s1", project="webshop", id="2"
        )
        await memory.score("failed", session="s1", project="webshop", evidence="still times out")
        born = (await memory.latest(project="webshop", kinds=("exchange",)))[0]
        await memory.promote(born.id)
        await memory.demote(born.id)
        await memory.correct(born.id, "It asks port 8080; the fix is healthcheck.port.", reason="shorter")
        aside = await memory.remember("An idea for later", kind="idea")
        await memory.archive(aside, "not now")
        await memory.restore(aside)
        await memory.forget(await memory.remember("The codeword was xylophone"))
        await _since(memory)
        await memory.end_session("s1")
        await memory.caught_up()


async def _since(memory: Any) -> None:
    """What later versions can do besides."""
    if hasattr(memory, "ingest"):
        from aftermind.engine.memories.book import Chunk

        chunks = [Chunk(text="Roll back with make rollback.", place="Deploying")]
        book = await memory.ingest("runbook.md", chunks, title="Runbook", form="markdown", project="webshop")
        await memory.ingest(
            "runbook.md", [*chunks, Chunk(text="Ask Ada.", place="Help")], title="Runbook", project="webshop"
        )
        gone = await memory.ingest("old.md", [Chunk(text="Nothing is left.", place="")], title="Old", project="webshop")
        await memory.remove((gone or book).id)
    if hasattr(memory, "pause"):
        await memory.pause("webshop")
        await memory.resume("webshop")
    await memory.record("Deploy it again", "Run make deploy-staging.", session="s2", project="webshop", id="1")
    await memory.record(
        "Thanks, that worked. Never commit .env files!", "Good.", session="s2", project="webshop", id="2"
    )
    await memory.record("Next: the docs", "Done.", session="s2", project="webshop", id="3")


def worked_on(folder: Path) -> None:
    """What only commands say, as far as this version has them."""

    def said(*words: str) -> str:
        command = [sys.executable, "-m", "aftermind", *words, "--home", str(folder), "--json"]
        ran = subprocess.run(command, check=False, timeout=300, capture_output=True, text=True)
        return str(json.loads(ran.stdout)["id"]) if words[0] == "remember" else ""

    port = said("remember", "Production listens on port 9090", "--project", "webshop")
    rule = said("remember", "Ports are given by Ada", "--global")
    said("link", port, "follows", rule, "--because", "she said so")
    said("detail", port, "--why", "the proxy asks there", "--valid-until", "2030-01-01")
    said("remind", port, "--on", "2029-12-01", "--every", "year")
    said("queue", "add", "webshop#1", "--project", "webshop")
    said("claim", "take", "webshop#1", "--session", "s1", "--by", "Ada", "--project", "webshop")
    said("blocker", "add", "No one has the key", "--project", "webshop")
    said("remember", "The ledger is kept in cents", "--project", "ledger")
    said("project", "share", "ledger", "--project", "webshop")


def judged(folder: Path) -> None:
    """By rules, where this version has any."""
    subprocess.run(
        [sys.executable, "-m", "aftermind", "--home", str(folder), "sidecar", "run"], check=False, timeout=300
    )


def dumped(log: Path) -> str:
    with closing(sqlite3.connect(log)) as connection:
        (format,) = connection.execute("PRAGMA user_version").fetchone()
        return "\n".join([*connection.iterdump(), f"PRAGMA user_version={format};", ""])


def restored(name: str, to: Path) -> None:
    """The log of a golden store, as a store; with the views of then, where these were kept."""
    from aftermind.engine.store.derived import generation
    from aftermind.engine.views.growing import point_at

    to.mkdir(mode=0o700)
    if (views := STORES / name / VIEWS).exists():
        generation(to, 1).write_bytes(gzip.decompress(views.read_bytes()))
        point_at(generation(to, 1))
    with closing(sqlite3.connect(to / "log.db")) as connection:
        connection.executescript((STORES / name / LOG).read_text(encoding="utf-8"))
        connection.execute("PRAGMA journal_mode=WAL")


async def viewed(log: Path, views: Path) -> None:
    """The views of a log, as this version builds them."""
    from aftermind.engine.logs.sqlite_log import sqlite_log_reader
    from aftermind.engine.views.growing import Growth, grown
    from aftermind.projections.catalog import ALL

    async with sqlite_log_reader(log) as reader:
        await grown(Growth(path=views), reader, ALL, lambda done, total: None)


def built() -> dict[str, str]:
    """What each view is built by: it is raised or another whenever the view holds something else."""
    from aftermind.engine.views.growing import fingerprint
    from aftermind.projections.catalog import ALL

    return {one.name: fingerprint([one]) for one in ALL}


def names() -> Iterable[str]:
    return sorted(path.name for path in STORES.iterdir() if path.is_dir())


def main() -> None:
    import anyio

    name, commit = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "store"
        anyio.run(lived, folder)
        worked_on(folder)
        judged(folder)
        text = dumped(folder / "log.db")
        with closing(sqlite3.connect(folder / "log.db")) as connection:
            events, erased = connection.execute("SELECT count(*), count(*) - count(payload) FROM event").fetchone()
            tags = sorted(row[0] for row in connection.execute("SELECT DISTINCT tag FROM event"))
        anyio.run(viewed, folder / "log.db", folder / "golden.db")
        views = gzip.compress((folder / "golden.db").read_bytes(), mtime=0)
    told = {"commit": commit, "events": events, "erased": erased, "tags": tags, "views": built()}
    (STORES / name).mkdir(parents=True, exist_ok=True)
    (STORES / name / VIEWS).write_bytes(views)
    (STORES / name / LOG).write_text(text, encoding="utf-8")
    (STORES / name / TOLD).write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
