"""What a search by signs first loses against a look at every vector, and what each costs.

    python -m bench.nearest [--sizes 10000,100000] [--model static|FOLDER] [--json OUT]

The vectors are the model's, of made-up prose; each question holds half of one text's words. Found is the share of the
truly nearest that the search by signs returns too.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
from rich.progress import track
from rich.table import Table

from aftermind.cli.config import compute_alone
from aftermind.engine.names import GLOBAL
from aftermind.projections.meaning import nearest
from aftermind.projections.meaning.embedding import Model, loaded
from aftermind.projections.meaning.model_files import STATIC
from aftermind.projections.meaning.nearest import Nearest, Placed
from bench.figures import parser_of, show
from bench.stores import Prose, tokens

ASKED, AT_ONCE = 100, 1_000


def index(file: Path, rows: np.ndarray[tuple[int, int], np.dtype[np.float32]], exact: int) -> Nearest:
    """An index that compares each vector up to so many."""
    nearest.EXACT = exact
    found = Nearest(file, rows.shape[1])
    for start in range(0, len(rows), AT_ONCE):
        some = rows[start : start + AT_ONCE]
        found.put([Placed(start + n, GLOBAL, (start + n,)) for n in range(len(some))], some)
    return found


def measured(folder: Path, size: int, model: Model) -> dict[str, float]:
    prose = Prose(1, tokens())
    texts = [prose.text() for _ in range(size)]
    starts = track(range(0, size, AT_ONCE), description=f"{size:,} vectors", transient=True)
    rows = np.concatenate([model.embed(texts[start : start + AT_ONCE]) for start in starts])
    rows.tofile(folder / "rows")
    questions = model.embed([prose.question(texts[n * 97 % size]) for n in range(ASKED)])
    every, signs = index(folder / "rows", rows, size), index(folder / "rows", rows, AT_ONCE)
    taken: dict[str, list[float]] = {"every": [], "signs": []}
    shares: dict[int, list[float]] = {10: [], 100: []}
    for question in questions:
        answers = {}
        for name, one in (("every", every), ("signs", signs)):
            started = time.perf_counter()
            answers[name] = one.compared(question, (GLOBAL,), 100).positions.tolist()
            taken[name].append((time.perf_counter() - started) * 1000)
        for depth, found in shares.items():
            found.append(len({*answers["every"][:depth]} & {*answers["signs"][:depth]}) / depth)
    return {
        "every vector, p50 ms": statistics.median(taken["every"]),
        "signs first, p50 ms": statistics.median(taken["signs"]),
        "of the 10 nearest found": statistics.fmean(shares[10]),
        "of the 100 nearest found": statistics.fmean(shares[100]),
    }


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--sizes", default="10000,100000", help="vectors, one figure for each")
    parser.add_argument("--model", default=STATIC, help="static, or a folder with an ONNX model")
    arguments = parser.parse_args()
    compute_alone()
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="bench-nearest-", dir=Path.cwd()) as place:
        model = loaded(arguments.model, Path(place))
        if model is None:
            parser.error("a model is needed")
        for size in map(int, arguments.sizes.split(",")):
            figures[f"{size:,}"] = measured(Path(place), size, model)
    table = Table("what", *figures)
    for what in next(iter(figures.values())):
        table.add_row(what, *(f"{column[what]:,.3f}" for column in figures.values()))
    show(table, figures, arguments.json)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
