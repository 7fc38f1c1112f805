"""The tables of `bench/README.md`, out of what the benches wrote.

    python -m bench.published --recall JSON… [--peers JSON…] [--readme FILE]

The files are those of `bench.recall --json` and `bench.peers --json`; what is in several of them counts as it is in the
last one. A set's models, and a set's peers, may be spread over several files.
Prints the tables; with `--readme`, they take the place of what stands there between the two marks. No figure in those
tables is typed by hand.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.opening import MODELS
from bench.peers.shape import COSTS, QUALITY
from bench.reporting import shown

BEGIN, END = "<!-- tables: bench.published -->", "<!-- end of tables -->"
RANKED = ("R@1", "R@5", "R@10", "R@20", "MRR", "NDCG@10")
COLUMNS: dict[str, Mapping[str, Sequence[str]]] = {
    "locomo": {
        "turn, without adversarial": RANKED,
        "turn, all questions": RANKED,
        "session, all questions": RANKED,
        "NDCG@10 of turns by category": (),
    },
    "beam": {"user messages": RANKED, "all messages": RANKED},
    "factconsolidation": {},
    "precisionmembench": {},
    "outcomes": {},
    "outcomes_harder": {},
}
"""The tables that are published (none named: all) and their columns (none named: all)."""
ASKED = "questions"
WORDS = "none"
OURS = "aftermind"
LEAST_CHANGE = 0.0005


def table(
    title: str, columns: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]], of: str = "system"
) -> Iterator[str]:
    yield f"\n**{title}**\n"
    yield f"| {of} | {' | '.join(columns)} |"
    yield f"|---|{'---:|' * len(columns)}"
    for name, cells in rows:
        bold = "**" if name.startswith(OURS) else ""
        yield f"| {bold}{name}{bold} | {' | '.join(cells)} |"
    yield ""


def of_set(name: str, models: Mapping[str, Any]) -> Iterator[str]:
    """Floors once where no model has a part in them, else a row a model; ours always a row a model."""
    first = next(iter(models.values()))
    for title in COLUMNS[name] or first["tables"]:
        tables = {model: found["tables"][title] for model, found in models.items()}
        every = list(dict.fromkeys(column for one in tables.values() for row in one.values() for column in row))
        columns = COLUMNS[name].get(title) or [column for column in every if column != ASKED]
        asked = next((f", {row[ASKED]} questions" for row in tables[next(iter(tables))].values() if ASKED in row), "")
        yield from table(f"{name}: {title}{asked}", columns, list(_rows(tables, columns)))
    if name in ("locomo", "beam"):
        for model, found in models.items():
            for note in found["notes"]:
                yield f"- {model}: {note}"
        yield ""


def _rows(tables: Mapping[str, Any], columns: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    by_words = tables.get(WORDS, {})
    names = list(dict.fromkeys(name for one in tables.values() for name in one))
    for name in sorted(names, key=lambda one: (one.startswith(OURS), "shipped" in one)):
        for model, one in tables.items():
            if name not in one or (not name.startswith(OURS) and name in by_words and model != WORDS):
                continue
            labelled = name if name in by_words and not name.startswith(OURS) else f"{name}, {model}"
            yield labelled, [_cell(one[name].get(column)) for column in columns]


def _cell(value: float | None) -> str:
    return shown(value).replace("0.", ".", 1) if isinstance(value, float) and 0 <= value < 1 else shown(value)


def ablated(name: str, model: str, found: Mapping[str, Any]) -> Iterator[str]:
    """What each headline figure loses without an ingredient; those that move none are named in a sentence."""
    whole, lacking = found["headline"], found["headline without"]
    rows = [("(nothing)", [_cell(value) for value in whole.values()])]
    inert: list[str] = []
    for ingredient, figures in lacking.items():
        changes = [figures.get(figure, value) - value for figure, value in whole.items()]
        if any(abs(change) >= LEAST_CHANGE for change in changes):
            rows.append((ingredient, list(map(_change, changes))))
        else:
            inert.append(ingredient)
    yield from table(f"{name}, {model}", list(whole), rows, of="without")
    if inert:
        yield f"Nothing changes without: {', '.join(inert)}."


def _change(change: float) -> str:
    if abs(change) < LEAST_CHANGE:
        return "·"
    return f"{change:+d}" if isinstance(change, int) else f"{change:+.3f}".replace("0.", ".", 1)


def of_peers(name: str, found: Mapping[str, Any]) -> Iterator[str]:
    rows = []
    known = {figure for row in found.values() for figure in row["figures"]}
    qualities, costs = ([c for c in columns if c in known] for columns in (QUALITY, COSTS))
    for number, (system, row) in enumerate(found.items(), 1):
        figures, mark = row["figures"], "†" if row["taken"] else ""
        quality = [f"{figures[c]:.3f}" if c in figures else "–" for c in qualities]
        cost = [f"{figures[c]:,.1f}{mark}" if c in figures else "–" for c in costs]
        rows.append((system, [*quality, *cost, str(number)]))
    yield from table(f"{name}, beside the peers: ten answers a question", (*qualities, *costs, "see"), rows)
    for number, (system, row) in enumerate(found.items(), 1):
        yield f"{number}. {system}: {'; '.join(row['remarks'])}"


def _circumstances(one: Mapping[str, Any]) -> str:
    what = ", ".join(f"{name} ({', '.join(models)})" for name, models in one.items() if name != "run")
    run = one["run"]
    return f"{what}: commit {run['commit']}, Python {run['python']}, {run['machine']}"


def _place(model: tuple[str, Any]) -> int:
    """Words alone, then what ships, then the others as they came."""
    return MODELS.index(model[0]) if model[0] in MODELS else len(MODELS)


def published(recall: Sequence[Mapping[str, Any]], peers: Sequence[Mapping[str, Any]]) -> str:
    """All tables, in the order of `COLUMNS`, then the ablations, then the peers."""
    sets: dict[str, dict[str, Any]] = {}
    for one in recall:
        for name, found in one.items():
            if name != "run":
                sets.setdefault(name, {}).update(found)
    sets = {name: dict(sorted(models.items(), key=_place)) for name, models in sets.items()}
    lines = ["", *(f"- {_circumstances(one)}" for one in recall)]
    for name in COLUMNS:
        if name in sets:
            lines += [f"\n### {name}", *of_set(name, sets[name])]
    if "lifecycle" in sets:
        lines.append("\n### lifecycle\n")
        for model, found in sets["lifecycle"].items():
            checks = next(iter(found["tables"].values()))
            failed = [check for check, row in checks.items() if not row["passed"]]
            lines.append(f"- {model}: {found['notes'][0]}{'; not: ' if failed else ''}{'; '.join(failed)}")
    lacking: list[str] = []
    for one in recall:
        for name, models in one.items():
            for model, found in models.items() if name != "run" else ():
                if found["headline without"]:
                    lacking += ablated(name, f"{model}, at {one['run']['commit']}", found)
    if lacking:
        lines += ["\n### What each ingredient of the ranking is worth", *lacking]
    beside: dict[str, dict[str, Any]] = {}
    for one in peers:
        for name, found in one.items():
            beside.setdefault(name, {}).update(found)
    for name, found in beside.items():
        lines += [f"\n### {name}, beside the peers", *of_peers(name, found)]
    return "\n".join([*lines, ""])


def _read(files: Sequence[Path]) -> list[Mapping[str, Any]]:
    return [json.loads(file.read_text("utf-8")) for file in files]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recall", type=Path, nargs="+", required=True, metavar="JSON")
    parser.add_argument("--peers", type=Path, nargs="+", default=[], metavar="JSON")
    parser.add_argument("--readme", type=Path, help="the file to write them into")
    arguments = parser.parse_args()
    text = published(_read(arguments.recall), _read(arguments.peers))
    if arguments.readme is None:
        print(text)
        return 0
    before, begin, rest = arguments.readme.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        parser.error(f"{arguments.readme} does not have the marks {BEGIN} and {END}")
    arguments.readme.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
