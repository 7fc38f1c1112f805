"""docs/exit-codes.md tells every code an error or a command ends with, and none that is nobody's."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from aftermind.cli.interrupting import INTERRUPTED
from aftermind.cli.main import PIPE_CLOSED

ROOT = Path(__file__).parents[1]
FOLDERS = ("engine", "projections", "sidecar", "cli")


def of_errors() -> set[int]:
    """The `status` of every class that has one."""
    files = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    classes = (node for path in files for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return {
        line.value.value
        for node in classes
        if isinstance(node, ast.ClassDef) and any(isinstance(base, ast.Name) for base in node.bases)
        for line in node.body
        if isinstance(line, ast.Assign)
        and [ast.unparse(target) for target in line.targets] == ["status"]
        and isinstance(line.value, ast.Constant)
        and isinstance(line.value.value, int)
    }


def test_the_table_has_every_code_and_no_other():
    text = (ROOT / "docs" / "exit-codes.md").read_text(encoding="utf-8")
    told = {int(code) for row in re.findall(r"^\| ([\d, ]+) \|", text, re.MULTILINE) for code in row.split(", ")}
    found = of_errors()
    assert len(found) > 5
    assert told == found | {0, INTERRUPTED, PIPE_CLOSED}
