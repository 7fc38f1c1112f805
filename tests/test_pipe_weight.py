"""Every window keeps a pipe: what it loads is counted, module by module."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.daemons import none_left
from tests.test_hook_weight import ALLOWED, HEAVY, bare, of_standard_library
from tests.windows import INITIALIZE, LATE, PIPE, clean, command

OF_THE_PIPE = {"hook", "select"}
"""What it may load beside what the hook may."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store"


def loaded(store: Path, *messages: dict[str, object] | bytes) -> tuple[set[str], list[bytes]]:
    """The modules a pipe loaded, and what it said."""
    python, *rest = command(store)
    said = b"".join(one + b"\n" if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in messages)
    ran = subprocess.run(
        [python, "-X", "importtime", *rest],
        input=said,
        capture_output=True,
        env=clean(store),
        timeout=LATE,
        check=False,
    )
    assert ran.returncode == 0
    names = re.findall(rb"^import time:\s+\d+ \|\s+\d+ \|\s+(\S+)$", ran.stderr, re.MULTILINE)
    return {name.decode() for name in names}, ran.stdout.splitlines()


def test_a_pipe_loads_next_to_nothing_also_where_it_starts_the_daemon(folder):
    with none_left(folder):
        for _ in ("without a daemon", "with one"):
            names, said = loaded(
                folder,
                {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE},
                {"jsonrpc": "2.0", "method": "notifications/initialized"},
                {"jsonrpc": "2.0", "id": 2, "method": "ping"},
            )
            assert [json.loads(line)["id"] for line in said] == [1, 2]
            assert names - bare() <= ALLOWED | OF_THE_PIPE
            assert names & HEAVY == set()
            assert of_standard_library(names - {"hook"})
            assert {"_socket", "_json", "select"} <= names | set(sys.builtin_module_names), (
                "it did what it is there for"
            )


def test_it_is_one_file_of_the_standard_library_beside_the_hooks():
    tree = ast.parse(PIPE.read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in imports if isinstance(node, ast.ImportFrom)}
    assert names - sys.stdlib_module_names - {"hook", "aftermind.cli.doors"} == set()
    assert (PIPE.parent / "hook.py").is_file()
