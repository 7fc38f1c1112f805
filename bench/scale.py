"""How recall, the daemon's memory and the store grow, from a thousand memories to a million.

    python -m bench.scale [--sizes 1000,10000,100000] [--models none,static,FOLDER] [--folder STORES] [--more 2000]
                          [--exhaustive] [--json OUT] [--plots FOLDER]

The stores are those of `years.py`. A daemon is asked over its socket, by a program that is connected already: questions
of 12 and of 100 words (of about a token each), none of them twice, in the project that holds 80 % of all and in one
that holds 5 %; beside them, in the same run, the model's encoding of the same questions alone. Processor time is the
daemon's. The memories' vectors of a slow model are made up, like those it gives to some of them; the questions' are its
own. `--folder` keeps the stores, and takes those there are; a million memories take 5 GB and some minutes to make.
`--exhaustive` also asks with every word read whole and every vector compared: how often are the first five the same?
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

import anyio
import msgspec
from rich.console import Console
from rich.table import Table

from aftermind.cli.config import compute_alone
from aftermind.cli.house import open_memory
from aftermind.cli.language.requests import Embed, Recall
from aftermind.engine.policy import Policy, Ranking
from aftermind.projections.meaning import nearest
from aftermind.projections.meaning.embedding import Model, loaded
from aftermind.projections.meaning.model_files import STATIC
from bench import plots
from bench.metrics import percentile
from bench.residents import at_rest, cpu_seconds, joined, megabytes, resident
from bench.stores import Pretended, Prose, embedded, tokens
from bench.years import LARGE, SMALL, Made, lived

LENGTHS, WARM = (12, 100), 20
"""Words of a question, and questions before those that count."""


async def there(folder: Path, size: int) -> Made:
    """The store of that size; made where it is not there yet."""
    known = folder.with_suffix(".json")
    if known.exists():
        return msgspec.json.decode(known.read_bytes(), type=Made)
    made = await lived(folder, size)
    known.write_bytes(msgspec.json.encode(made))
    return made


def on_disk(folder: Path) -> dict[str, float]:
    """Megabytes of the store's parts."""
    parts = {"log": "log.db*", "views": "views-*.db*", "vectors": "vectors-*.f32", "cache of vectors": "embeddings.db*"}
    return {
        f"{part} on disk, MB": sum(file.stat().st_size for file in folder.glob(files)) / 1e6
        for part, files in parts.items()
    }


async def measured(folder: Path, name: str, made: Made, more: int) -> dict[str, float]:
    figures: dict[str, float] = {}
    model, prose = loaded(name, folder), Prose(2, tokens())
    if model is not None:
        started = time.perf_counter()
        await embedded(folder, model if name == STATIC else Pretended(model, made.questions[LARGE]))
        figures["vectors computed or read, s"] = time.perf_counter() - started
    started = time.perf_counter()
    with resident(folder, name) as process:
        asking = await joined(folder)
        await asking.ask(Recall(query=prose.question(made.questions[LARGE][0]), project=LARGE))
        figures["first answer after start, s"] = time.perf_counter() - started
        await asking.ask(Embed(seconds=1_200))
        figures["level after start, s"] = time.perf_counter() - started
        await at_rest(process.pid)
        figures["memory at rest, MB"] = megabytes(process.pid)
        for length in LENGTHS:
            for project in (LARGE, SMALL):
                asked = [prose.long_question(text, length) for text in made.questions[project]]
                for question in asked[:WARM]:
                    await asking.ask(Recall(query=question, project=project))
                alone, recalls, used = [], [], 0.0
                for question in asked[WARM:]:
                    if model is not None:
                        alone.append(encoding(model, question))
                    before, begun = cpu_seconds(process.pid), time.perf_counter()
                    await asking.ask(Recall(query=question, project=project))
                    recalls.append((time.perf_counter() - begun) * 1000)
                    used += cpu_seconds(process.pid) - before
                what = f"{length} words{', small project' if project == SMALL else ''}"
                if alone and project == LARGE:
                    figures[f"{what}, encoding alone p50 ms"] = statistics.median(alone)
                figures[f"{what}, recall p50 ms"] = statistics.median(recalls)
                figures[f"{what}, recall p95 ms"] = percentile(recalls, 0.95)
                figures[f"{what}, processor ms"] = used / len(recalls) * 1000
        figures["memory, MB"] = megabytes(process.pid)
        for n in range(more):
            text = made.questions[LARGE][n % len(made.questions[LARGE])]
            await asking.ask(Recall(query=prose.long_question(text, LENGTHS[0]), project=LARGE))
        if more:
            figures[f"memory {more:,} recalls later, MB"] = megabytes(process.pid)
        await asking.close()
    return {**figures, **on_disk(folder)}


def encoding(model: Model, question: str) -> float:
    """Milliseconds of the model's encoding of one question."""
    started = time.perf_counter()
    model.embed([question])
    return (time.perf_counter() - started) * 1000


async def exhaustive(folder: Path, name: str, made: Made) -> dict[str, float]:
    """How often the first and the first five are those of a search that leaves nothing out."""
    found: list[list[tuple[str, ...]]] = []
    usual, prose = nearest.EXACT, Prose(3, tokens())
    questions = [prose.long_question(text, LENGTHS[n % 2]) for n, text in enumerate(made.questions[LARGE])]
    for whole in (False, True):
        nearest.EXACT = 1 << 40 if whole else usual
        policy = Policy(ranking=Ranking(matched_rows=1 << 40)) if whole else Policy()
        async with open_memory(folder, policy=policy, model=name) as memory:
            await memory.embedded()
            answers = [await memory.recall(question, project=LARGE, prompt=True) for question in questions]
        found.append([tuple(one.id for one in answer) for answer in answers])
    nearest.EXACT = usual
    pairs = list(zip(*found, strict=True))
    return {
        "same first as an exhaustive search": sum(one[:1] == other[:1] for one, other in pairs) / len(pairs),
        "same first five": sum(one == other for one, other in pairs) / len(pairs),
        "of the first five found": sum(len({*one} & {*other}) for one, other in pairs)
        / max(1, sum(len(other) for _, other in pairs)),
    }


async def _run(folder: Path, size: int, name: str, arguments: argparse.Namespace) -> dict[str, float]:
    made = await there(folder, size)
    growth = {"events": made.events, "appending, s": made.appending, "growing views, s": made.growing}
    figures = {**growth, **await measured(folder, name, made, arguments.more)}
    return {**figures, **await exhaustive(folder, name, made)} if arguments.exhaustive else figures


def drawn(figures: dict[str, dict[str, float]], folder: Path) -> None:
    """Milliseconds and megabytes by the number of memories, a line a model."""
    for what, file in (
        ("12 words, recall p50 ms", "scale-12-words.svg"),
        ("100 words, recall p50 ms", "scale-100-words.svg"),
        ("memory, MB", "scale-memory.svg"),
    ):
        lines: dict[str, list[tuple[float, float]]] = {}
        for label, column in figures.items():
            model, _, size = label.rpartition(", ")
            lines.setdefault(model, []).append((float(size.replace("_", "")), column[what]))
        plots.lines(folder / file, f"Recall as a store grows: {what}", "memories", what, lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,100000", help="memories, one figure for each")
    parser.add_argument("--models", default="none,static", help="none, static, or folders with an ONNX model")
    parser.add_argument("--folder", type=Path, help="keeps the stores here, and takes those that are there")
    parser.add_argument("--more", type=int, default=0, help="recalls at the end, to see whether memory grows")
    parser.add_argument("--exhaustive", action="store_true", help="also compares with a search that leaves nothing out")
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--plots", type=Path, help="a folder to draw the figures in")
    arguments = parser.parse_args()
    figures: dict[str, dict[str, float]] = {}
    compute_alone()
    with tempfile.TemporaryDirectory(prefix="bench-scale-", dir=Path.cwd()) as place:
        kept = arguments.folder or Path(place)
        kept.mkdir(parents=True, exist_ok=True)
        for size in map(int, arguments.sizes.split(",")):
            for name in arguments.models.split(","):
                label = f"{Path(name).name}, {size:_}"
                figures[label] = anyio.run(_run, kept / str(size), size, name, arguments)
                if arguments.json:  # after each: a run takes long, and may be ended
                    arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    table = Table("what", *figures)
    for what in dict.fromkeys(what for column in figures.values() for what in column):
        table.add_row(what, *(f"{column[what]:,.2f}" if what in column else "" for column in figures.values()))
    Console(width=None if sys.stdout.isatty() else 160).print(table)
    if arguments.plots:
        drawn(figures, arguments.plots)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
