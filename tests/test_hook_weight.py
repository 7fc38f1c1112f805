"""The hook is started at every prompt and must not be felt: what it loads is counted, module by module."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

import aftermind
from aftermind.engine.store import spool
from tests.daemons import none_left, wait_until
from tests.hooked import HOOK, LATE, clean, command, said

ALLOWED = {"os", "stat", "posixpath", "genericpath", "_collections_abc", "abc", "_abc", "_stat", "_signal", "time"}
ALLOWED |= {"__future__", "binascii", "_socket", "_json"}
"""What it may load beside what the interpreter loads for itself. Those of a leading underscore are in C."""
HEAVY = {
    "json",
    "socket",
    "subprocess",
    "asyncio",
    "pathlib",
    "re",
    "typing",
    "argparse",
    "signal",
    "selectors",
    "enum",
}
HEAVY |= {"base64", "logging", "tempfile", "datetime", "dataclasses", "collections", "functools", "contextlib", "site"}


def loaded(words: list[str | bytes], stdin: bytes) -> tuple[set[str], bytes]:
    """The modules a run loaded, and what it printed."""
    python, *rest = words
    ran = subprocess.run(
        [python, "-X", "importtime", *rest], input=stdin, capture_output=True, env=clean(), timeout=LATE, check=False
    )
    assert ran.returncode == 0
    names = re.findall(rb"^import time:\s+\d+ \|\s+\d+ \|\s+(\S+)$", ran.stderr, re.MULTILINE)
    return {name.decode() for name in names}, ran.stdout


def bare() -> set[str]:
    """What the interpreter loads before it does anything."""
    return loaded([sys.executable, "-I", "-S", "-c", "pass"], b"")[0]


def of_standard_library(names: set[str]) -> bool:
    return all(name.partition(".")[0] in sys.stdlib_module_names for name in names)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.mark.parametrize(
    ("event", "prompt"),
    [
        ("prompt", "how do penguins fly?"),
        ("prompt", "how do I deploy the billing service?"),
        ("turn", "how?"),
        ("end", ""),
    ],
)
@pytest.mark.anyio
async def test_with_a_daemon_it_loads_next_to_nothing(folder, event, prompt):
    async with aftermind.open_memory(folder) as memory:
        await memory.remember("To deploy the billing service run make release-billing")
        words = command("json", event, "30", home=folder)
        names, out = await anyio.to_thread.run_sync(lambda: loaded(words, said(prompt)))
        assert (b"make release-billing" in out) == ("billing" in prompt)
        assert names - bare() <= ALLOWED
        assert names & HEAVY == set()
        assert of_standard_library(names)
        assert {"_socket", "binascii"} & names, "it did what it is there for"


def test_without_one_it_loads_next_to_nothing_either(folder):
    with none_left(folder):
        names, out = loaded(command("json", "turn", home=folder), said())
        assert out == b""
        assert names - bare() <= ALLOWED
        assert names & HEAVY == set()
        wait_until(lambda: not spool.spooled(folder).waiting, "what it left is drained")


def test_it_is_one_file_of_the_standard_library():
    tree = ast.parse(HOOK.read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in imports if isinstance(node, ast.ImportFrom)}
    assert of_standard_library(names)
