"""What each ingredient of the ranking is worth: the same questions, asked without it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import structs
from rich.console import Console
from rich.table import Table

from aftermind.engine.policy import Ranking

WITHOUT: dict[str, dict[str, float]] = {
    "previous": {"previous_weight": 0.0},
    "next": {"next_weight": 0.0},
    "session": {"session_weight": 0.0},
    "surroundings": {"previous_weight": 0.0, "next_weight": 0.0, "session_weight": 0.0},
    "answer": {"answer_weight": 1.0},
    "outcome": {"outcome_weight": 0.0},
    "like questions": {"like_weight": 0.0, "like_floor": 2.0},
    "bringing": {"like_brought": 0, "like_floor": 2.0},
    "meant for": {"like_more": 1e9, "like_margin": 1e9, "like_answer": 0.0},
    "kinds of answers": {"like_answer": 0.0},
    "vectors": {
        "near_weight": 0.0,
        "near_floor": 2.0,
        "asked_floor": 2.0,
        "answering_weight": 0.0,
        "session_near_weight": 0.0,
    },
    "floor": {
        "floor": 0.0,
        "least_words": 0,
        "one_word_floor": 0.0,
        "one_word_sought": 0.0,
        "telling_floor": 0.0,
        "near_floor": -1.0,
        "asked_floor": -1.0,
    },
    "rare word": {"one_word_told": 2.0},
    "telling": {"telling_floor": 0.0, "telling_near": 0.0, "plain_word": 1.0},
    "alike": {"alike": 2.0},
    "names": {"name_weight": 0.0, "uncalled_floor": 0.0},
    "things": {"thing_weight": 0.0},
    "closeness": {"together_weight": 0.0},
    "full names": {"full_name_weight": 0.0},
    "answer by meaning": {"answer_near": 1.0},
    "answering": {"answering_weight": 0.0},
    "session by meaning": {"session_near_weight": 0.0},
    "lengths": {"near_most": 0.0},
    "role": {"assistant_weight": 0.0},
    "named": {"named_weight": 0.0},
    "when": {"when_weight": 0.0},
    "rules": {"rule_weight": 0.0, "taste_weight": 0.0},
    "questions": {"asks_weight": 0.0},
    "other sessions": {"again_loss": 0.0},
    "subject": {"talk_longest": 0},
    "pins": {"pinned": 0},
    "bounds": {"matched_rows": 10**9, "matched_share": 1.0, "candidates": 10**6},
}
"""By the name of an ingredient, the values that take it away: neighbours and session lend nothing, an assistant's word
counts as much as a user's, no record counts, no verdict for a like question does, none brings a memory that says
nothing itself, who quotes a memory asks the old question all the same, a cosine counts the same whatever the lengths,
no manner counts (who said it, that it says when, that it is a rule, that it only asks),
talk about the talk is looked for, an answer's last places are no other session's, nothing is pinned, nothing is too
weak, the same said twice is shown twice, and as many matches are read and ranked as there are (what `matching.py`
bounds by constants of its own stays bounded)."""


def without(name: str) -> Ranking:
    return structs.replace(Ranking(), **WITHOUT[name])


def printed(whole: Mapping[str, float], lacking: Mapping[str, Mapping[str, float]], console: Console) -> None:
    """The change of each headline figure, an ingredient a row."""
    table = Table(title="what changes without an ingredient", title_justify="left")
    table.add_column("without")
    for figure in whole:
        table.add_column(figure, justify="right")
    table.add_row("(nothing)", *(f"{value:.3f}" for value in whole.values()))
    for name, figures in lacking.items():
        table.add_row(name, *(_change(figures.get(figure), value) for figure, value in whole.items()))
    console.print(table)


def _change(figure: float | None, whole: float) -> str:
    if figure is None:
        return "–"
    change = figure - whole
    return "·" if abs(change) < 0.0005 else f"{change:+.3f}"
