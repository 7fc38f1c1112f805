"""The bench's plots show the figures they are given, the same ones the same way."""

from __future__ import annotations

from pathlib import Path

from bench import plots

RESULTS = {
    "run": {"commit": "abc", "models": ["none"]},
    "locomo": {
        "none": {"tables": {"locomo: turns": {"BM25": {"R@1": 0.3, "R@5": None}, "ours": {"R@1": 0.4, "R@5": 0.6}}}},
        "static": {"tables": {"locomo: turns": {"BM25": {"R@1": 0.3, "R@5": None}, "ours": {"R@1": 0.5, "R@5": 0.7}}}},
    },
}


def test_a_table_is_a_chart_of_bars_with_each_system_once(tmp_path: Path) -> None:
    (file,) = plots.drawn(RESULTS, tmp_path / "one", "svg")
    assert file.name == "locomo-locomo-turns.svg"
    svg = file.read_text(encoding="utf-8")
    assert all(svg.count(f">{said}<") == 1 for said in ("BM25", "ours", "ours, static", "R@1", "R@5", "locomo: turns"))
    (again,) = plots.drawn(RESULTS, tmp_path / "two", "svg")
    assert again.read_bytes() == file.read_bytes()


def test_lines_name_their_models_and_their_points_and_png_is_a_picture(tmp_path: Path) -> None:
    drawn = {"static": [(10_000.0, 4.25), (1_000.0, 3.5)], "none": [(1_000.0, 2.0)]}
    plots.lines(tmp_path / "a.svg", "Recall", "memories", "ms", drawn)
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert all(f">{said}<" in svg for said in ("static", "none", "4.25", "3.5", "memories", "ms", "Recall"))
    plots.lines(tmp_path / "a.png", "Recall", "memories", "ms", drawn)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
