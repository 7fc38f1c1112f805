"""The protocol's own inspector, on the command line, against the pipe as an assistant's configuration names it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.daemons import none_left
from tests.windows import command

HERE = Path(__file__).parent / "inspector" / "node_modules"
LAUNCHER = HERE / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build" / "index.js"
LATE = 120.0
"""Seconds after which a run counts as hanging."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    with none_left(tmp_path / "store"):
        yield tmp_path / "store"


def node() -> str:
    """Node as `npm ci` installed it, or NODE_BIN says: the inspector needs 22.19; skips the test where it is not."""
    if not LAUNCHER.exists():
        pytest.skip("not installed: the inspector; `make e2e` does it")
    if named := os.environ.get("NODE_BIN"):
        return named
    found = [*HERE.glob("node/bin/node"), *HERE.glob("node-*/bin/node")]
    if not found:
        pytest.skip("not installed: a Node that the inspector takes; name one with NODE_BIN")
    return str(found[0])


def inspected(store: Path, *words: str) -> Any:
    """What the inspector prints for one method; a session of its own, from `initialize` to the end of input."""
    config = store.parent / "config.toml"
    env = {"HOME": str(store.parent), "PATH": os.environ["PATH"], "AFTERMIND_CONFIG": str(config)}
    ran = subprocess.run(
        [node(), str(LAUNCHER), "--cli", *command(store), "--method", *words],
        capture_output=True,
        text=True,
        env=env,
        cwd=store.parent,
        timeout=LATE,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_the_inspector_lists_calls_and_reads(store):
    tools = {tool["name"]: tool for tool in inspected(store, "tools/list")["tools"]}
    assert tools["search_memory"]["annotations"]["readOnlyHint"] is True
    text = "Staging listens on port 8081"
    kept = inspected(store, "tools/call", "--tool-name", "add_to_memory_bank", "--tool-arg", f"text={text}")
    id = kept["structuredContent"]["id"]
    query = ("--tool-arg", "query=staging port", "--tool-arg", "limit=3")
    found = inspected(store, "tools/call", "--tool-name", "search_memory", *query)
    assert [memory["text"] for memory in found["structuredContent"]["memories"]] == [text]
    assert json.loads(found["content"][0]["text"]) == found["structuredContent"]
    uris = {resource["uri"] for resource in inspected(store, "resources/list")["resources"]}
    assert f"aftermind://memory/{id}" in uris
    read = inspected(store, "resources/read", "--uri", f"aftermind://memory/{id}")
    assert json.loads(read["contents"][0]["text"])["memories"][0]["text"] == text
    prompts = {prompt["name"] for prompt in inspected(store, "prompts/list")["prompts"]}
    assert prompts == {"recall", "remember"}


def test_the_lock_file_names_no_place_to_download_from():
    lock = (Path(__file__).parent / "inspector" / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    assert "registry" not in lock
