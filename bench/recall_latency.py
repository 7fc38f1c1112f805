"""How quick the daemon answers as a store grows, by words and by meaning, and while others write.

    python -m bench.recall_latency [--sizes 1000,10000,100000] [--models none,static,FOLDER] [--in-sessions N]
                                   [--json OUT]

For each size and model: recall for questions of 12 and of 100 tokens (words that are one token of every model asked
for) over the socket, on a connection that is there already and waits as a hook's does; in turn with it the model's
encoding of the same question alone; a briefing (which also records the prompt and what was shown); the time of one
append while four windows record exchanges without a pause; and the daemon's memory, right after hundreds of questions
and when nobody has asked for some seconds. The memories' vectors of a slow model are made up, like those it gives to
some of them; the questions' are its own.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

import anyio
from rich.table import Table

from aftermind.cli.config import compute_alone
from aftermind.cli.holding.unused import QUIET
from aftermind.cli.language.requests import Brief, Embed, Recall, Record, Remember
from aftermind.cli.reaching.joining import Joined
from aftermind.engine.store.lock import BEAT
from aftermind.projections.meaning.embedding import loaded
from aftermind.projections.meaning.model_files import STATIC
from bench.figures import parser_of, show
from bench.metrics import percentile
from bench.residents import at_rest, cpu_seconds, joined, megabytes, plain, resident
from bench.stores import Pretended, Prose, embedded, filled, tokens

ASKED, WINDOWS, APPENDS = 150, 4, 300
LENGTHS = (12, 100)
"""Tokens of a question."""
REST = BEAT + QUIET
"""Seconds after which a daemon has given back what questions took."""


async def timed(asking: Joined, request: Remember) -> float:
    started = time.perf_counter()
    await asking.ask(request)
    return (time.perf_counter() - started) * 1000


async def window(folder: Path, number: int) -> None:
    """An editor that records one exchange after the other."""
    asking = await joined(folder)
    turn = 0
    while True:
        turn += 1
        said = f"why is test {turn} of window {number} red?"
        await asking.ask(
            Record(prompt=said, answer="the fixture was stale " * 20, session=f"w{number}", project="bench")
        )


async def measured(folder: Path, size: int, name: str, in_sessions: int, words: list[str]) -> dict[str, float]:
    prose = Prose(1, words)
    shorter = await filled(folder, size, prose=prose, in_sessions=in_sessions)
    questions = {n: [prose.long_question(question, n) for question in shorter] for n in LENGTHS}
    figures: dict[str, float] = {}
    model = loaded(name, folder)
    if model is not None:
        await embedded(folder, model if name == STATIC else Pretended(model, shorter))
    with resident(folder, name) as process:
        asking = await joined(folder)
        await asking.ask(Embed(seconds=120))
        hooked = await plain(folder)
        await at_rest(process.pid)  # as it is every day: what a daemon does when it starts is behind it
        for length, asked in questions.items():
            alone, recalls, used = [], [], 0.0
            for question in asked[:ASKED]:
                if model is not None:
                    started = time.perf_counter()
                    model.embed([question])
                    alone.append((time.perf_counter() - started) * 1000)
                before = cpu_seconds(process.pid)
                recalls.append(hooked.timed(Recall(query=question)))
                used += cpu_seconds(process.pid) - before
            if alone:
                figures[f"{length} tokens, encoding alone p50 ms"] = statistics.median(alone)
            figures[f"{length} tokens, recall p50 ms"] = statistics.median(recalls)
            figures[f"{length} tokens, recall, processor ms"] = used / len(recalls) * 1000
            figures[f"{length} tokens, recall p95 ms"] = percentile(recalls, 0.95)
        figures["memory when asked, MB"] = megabytes(process.pid)
        await anyio.sleep(REST)
        figures["memory at rest, MB"] = megabytes(process.pid)
        briefs = [hooked.timed(Brief(prompt=q, session="s", project="bench", left_out=False)) for q in shorter[:ASKED]]
        hooked.close()
        async with anyio.create_task_group() as windows:
            for number in range(WINDOWS):
                windows.start_soon(window, folder, number)
            await anyio.sleep(0.5)
            appends = [await timed(asking, Remember(text=f"fact {n}", tags=("bench",))) for n in range(APPENDS)]
            windows.cancel_scope.cancel()
        await asking.close()
    figures["briefing p50 ms"] = statistics.median(briefs)
    figures["briefing p95 ms"] = percentile(briefs, 0.95)
    figures["append beside 4 windows p50 ms"] = statistics.median(appends)
    figures["append beside 4 windows p99 ms"] = percentile(appends, 0.99)
    return figures


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--sizes", default="1000,10000,100000", help="memories, one figure for each")
    parser.add_argument("--models", default="none,static", help="none, static, or folders with an ONNX model")
    parser.add_argument("--in-sessions", type=int, default=0, help="memories a session; 0: facts, said in none")
    arguments = parser.parse_args()
    figures: dict[str, dict[str, float]] = {}
    compute_alone()
    names = arguments.models.split(",")
    words = tokens(*(Path(name) for name in names if Path(name).is_dir()))
    for name in names:
        for size in map(int, arguments.sizes.split(",")):
            with tempfile.TemporaryDirectory(prefix="bench-recall-", dir=Path.cwd()) as place:
                label = f"{Path(name).name}, {size:,}"
                figures[label] = anyio.run(measured, Path(place) / "store", size, name, arguments.in_sessions, words)
    table = Table("what", *figures)
    for what in dict.fromkeys(what for column in figures.values() for what in column):
        table.add_row(what, *(f"{column[what]:,.2f}" if what in column else "" for column in figures.values()))
    show(table, figures, arguments.json)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
