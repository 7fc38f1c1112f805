"""`docs/defects.md` names the tests that hold each class of defect, and these are there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
_ROW = re.compile(r"\| (?P<number>\d+) \| (?P<fault>[^|]{10,}) \| (?P<instead>[^|]{10,}) \| (?P<tests>`[^|]+`) \|")
_TEST = re.compile(r"`(?P<file>[\w/.]+\.py)(?:::(?P<name>\w+))?`")


@cache
def named_in(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / "tests" / file).read_text())
    forms = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, forms) and node.name.startswith("test_"))


def test_each_of_the_26_classes_is_held_by_tests_that_exist():
    lines = (ROOT / "docs" / "defects.md").read_text().splitlines()
    rows = [found for line in lines if (found := _ROW.fullmatch(line))]
    assert [int(row["number"]) for row in rows] == list(range(1, 27))
    for row in rows:
        named = [(found["file"], found["name"]) for found in _TEST.finditer(row["tests"])]
        assert len(named) == row["tests"].count("`") // 2 >= 2, row["number"]
        missing = [f"{file}::{name}" for file, name in named if name not in named_in(file)]
        assert missing == [], row["number"]


def test_every_test_of_this_folder_is_named_there():
    page = (ROOT / "docs" / "defects.md").read_text()
    for path in Path(__file__).parent.glob("test_*.py"):
        if path != Path(__file__):
            for name in named_in(f"defects/{path.name}"):
                assert f"`defects/{path.name}::{name}`" in page
