"""The command line, run here and now: a store, a configuration and a project of its own for each test."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.daemons import none_left
from tests.documents import RUNBOOK

from aftermind.cli.main import main
from aftermind.cli.terminal.this_store import is_of


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Ran]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder everything of a test is in; its `work` is the current one."""
    for name in list(os.environ):
        if name.startswith("AFTERMIND_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AFTERMIND_HOME", str(tmp_path / "store"))
    monkeypatch.setenv("AFTERMIND_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


@pytest.fixture(autouse=True)
def no_store_is_named() -> Iterator[None]:
    """What `--home` was ends with a command's process, which many of them share here."""
    yield
    is_of("")


@pytest.fixture
def cli(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs a command in this process; `stdin` is what is piped into it."""

    def run(*words: str, stdin: bytes = b"") -> Ran:
        piped = place / "stdin"
        piped.write_bytes(stdin)
        with io.TextIOWrapper(piped.open("rb")) as file:
            monkeypatch.setattr(sys, "stdin", file)
            capsys.readouterr()
            status = main(words)
        out, err = capsys.readouterr()
        return Ran(status, out, err)

    return run


@pytest.fixture
def home(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of nobody, and no assistant in it or on the path."""
    folder = place / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", "/nowhere")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def store(place: Path) -> Iterator[Path]:
    """An empty folder for a store. Whatever daemon is started for it ends with the test."""
    folder = place / "store"
    folder.mkdir(mode=0o700)
    with none_left(folder):
        yield folder
        time.sleep(0.05)  # a process that has just been started has no name yet


@pytest.fixture
def env(place: Path) -> Mapping[str, str]:
    """A clean environment for a real process."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    return {**kept, "AFTERMIND_HOME": str(place / "store"), "AFTERMIND_CONFIG": str(place / "config.toml")}


@pytest.fixture
def process(env: Mapping[str, str]) -> Callable[..., subprocess.Popen[bytes]]:
    """Starts the real command."""

    def start(*words: str, **changes: Any) -> subprocess.Popen[bytes]:
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen([sys.executable, "-m", "aftermind", *words], **{"env": env, **pipes, **changes})

    return start


@pytest.fixture
def docs(place: Path) -> Path:
    """A folder of the project with one document in it."""
    folder = place / "work" / "docs"
    folder.mkdir()
    (folder / "runbook.md").write_text(RUNBOOK)
    return folder
