"""How well recall finds what answers a question.

    python -m bench.recall --dataset locomo --data PATH [--json OUT]

Every conversation goes in through the public API as one project, turn by turn; every question is asked in its
project. Printed: the ranking alone (depth 100, floor off), beside SQLite's BM25 over dated turns measured in the
same run; and what is shipped (floor, limit and all). Levels: the turn, and the session a turn is in.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import anyio
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that `python bench/recall.py` works too

import aftermind
from bench.locomo import Conversation, Question, conversations
from bench.metrics import first_seen, summary

Rankings: TypeAlias = list[tuple[Question, list[str]]]
COLUMNS = ("R@1", "R@5", "R@10", "MRR", "NDCG@10")
STOP = frozenset(
    """
    a an the is are was were be been being do does did of in on at to for and or with by from as that this it its his
    her their he she they i you we what when where who which how why has have had will would can could should about
    s t
    """.split()  # noqa: SIM905
)


class Result:
    """Rankings of one system, and what they cost."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rankings: Rankings = []
        self.milliseconds: list[float] = []

    def levels(self) -> dict[str, dict[str, float]]:
        answerable = [(q, r) for q, r in self.rankings if q.category != 5]
        return {
            "turn, without adversarial": summary((r, q.gold) for q, r in answerable),
            "turn, all questions": summary((r, q.gold) for q, r in self.rankings),
            "session, all questions": summary(
                (first_seen(map(session_of, r)), {session_of(g) for g in q.gold}) for q, r in self.rankings
            ),
        }


def session_of(turn: str) -> str:
    return turn.split(":")[0]


async def locomo(path: Path, folder: Path) -> list[Result]:
    """All conversations of the file in one store, each its own project."""
    deep, shipped, bm25 = Result("aftermind, depth 100"), Result("aftermind, shipped"), Result("BM25 dated")
    read = conversations(path)
    floor = dated_bm25(read)
    async with aftermind.open_memory(folder) as memory:
        for conversation in track(read, description="conversations", transient=True):
            turn_of = await _import(memory, conversation)

            async def ask(question: Question, turn_of: dict[str, str] = turn_of, **how: int | bool) -> list[str]:
                hits = await memory.recall(question.text, project=project_of(conversation), **how)  # type: ignore[arg-type]  # noqa: B023
                return [turn_of[hit.id] for hit in hits]

            for question in conversation.questions:
                await _timed(deep, question, lambda q=question: ask(q, limit=100, floor=False))  # type: ignore[misc]
                await _timed(shipped, question, lambda q=question: ask(q))  # type: ignore[misc]
                bm25.rankings.append((question, floor(conversation.id, question.text)))
    return [bm25, deep, shipped]


def project_of(conversation: Conversation) -> str:
    return f"conversation {conversation.id}"


async def _import(memory: aftermind.OpenMemory, conversation: Conversation) -> dict[str, str]:
    """The turns of a conversation as memories; which memory is which turn."""
    turn_of: dict[str, str] = {}
    for turn in conversation.turns:
        id = await memory.remember(
            turn.text,
            kind="conversation",
            project=project_of(conversation),
            speaker=turn.speaker,
            session=f"{conversation.id}-{turn.session}",
            at=turn.at,
        )
        turn_of[id] = turn.id
    return turn_of


async def _timed(result: Result, question: Question, ask: Callable[[], object]) -> None:
    started = time.perf_counter()
    ranking = await ask()  # type: ignore[misc]
    result.milliseconds.append((time.perf_counter() - started) * 1000)
    result.rankings.append((question, ranking))


def dated_bm25(read: Sequence[Conversation]) -> Callable[[str, str], list[str]]:
    """The floor: FTS5's bm25 over `[date] speaker: text`, any of the question's words, the first 100 of its own
    conversation. One index over all of them, as published figures have it: how rare a word is, is counted over all."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE turn USING fts5(text, tokenize='porter unicode61')")
    places = [(conversation.id, turn.id) for conversation in read for turn in conversation.turns]
    texts = [f"[{turn.date}] {turn.speaker}: {turn.text}" for conversation in read for turn in conversation.turns]
    connection.executemany("INSERT INTO turn (rowid, text) VALUES (?, ?)", enumerate(texts))

    def search(conversation: str, question: str) -> list[str]:
        words = list(dict.fromkeys(re.findall(r"[A-Za-z0-9_]+", question.lower())))
        words = [word for word in words if word not in STOP] or words
        asked = " OR ".join(f'"{word}"' for word in words)
        rows = connection.execute("SELECT rowid FROM turn WHERE turn MATCH ? ORDER BY bm25(turn)", (asked,))
        return [turn for row in rows for own, turn in [places[row[0]]] if own == conversation][:100]

    return search


def report(results: Sequence[Result], console: Console) -> dict[str, object]:
    out: dict[str, object] = {}
    for level in results[0].levels():
        table = Table(title=level, title_justify="left")
        for column in ("system", *COLUMNS, "questions"):
            table.add_column(column, justify="left" if column == "system" else "right")
        for result in results:
            figures = result.levels()[level]
            out.setdefault(level, {})[result.name] = figures  # type: ignore[index]
            table.add_row(result.name, *(f"{figures[c]:.3f}" for c in COLUMNS), f"{figures['questions']:.0f}")
        console.print(table)
    for result in results:
        if result.milliseconds:
            cuts = statistics.quantiles(result.milliseconds, n=20)
            out[f"{result.name}, ms a query"] = {"p50": cuts[9], "p95": cuts[18]}
            console.print(f"{result.name}: {cuts[9]:.1f} ms a query in the middle, {cuts[18]:.1f} ms at 95 %")
    empty = sum(not ranking for _, ranking in results[-1].rankings) / len(results[-1].rankings)
    out["shipped: share of questions with nothing shown"] = empty
    console.print(f"{results[-1].name}: nothing shown for {empty:.1%} of the questions")
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", choices=("locomo",), default="locomo")
    parser.add_argument("--data", type=Path, required=True, help="a file of that shape, or the folder it is in")
    parser.add_argument("--json", type=Path, help="write the figures there")
    arguments = parser.parse_args()
    console = Console()
    if not arguments.data.exists():
        console.print(f"skipped: there is no {arguments.data}")
        return 0
    with tempfile.TemporaryDirectory(prefix="aftermind-bench-") as folder:
        results = anyio.run(locomo, arguments.data, Path(folder))
    figures = report(results, console)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
