"""A real OpenCode with a home of its own, the scripted model as its only model, and no network but loopback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.scripted_model import MODEL, ScriptedModel

HERE = Path(__file__).parent
PATIENCE = 60.0
"""Seconds for one turn, on a machine that is busy with other tests."""
OFF = "AUTOUPDATE MODELS_FETCH LSP_DOWNLOAD SHARE DEFAULT_PLUGINS CLAUDE_CODE"


def installed() -> Path | None:
    """OpenCode itself, where `make e2e` installed it or OPENCODE_BIN says."""
    if named := os.environ.get("OPENCODE_BIN"):
        return Path(named)
    return min(HERE.glob("node_modules/opencode-*/bin/opencode"), key=lambda path: len(str(path)), default=None)


def binary() -> str:
    """The same; skips the test where it is not."""
    if (found := installed()) is None:
        pytest.skip("not installed: OpenCode; `make e2e` does it, or name it with OPENCODE_BIN")
    return str(found)


class OpenCode:
    """One user's OpenCode: `home` with its configuration and database, `project` where they work."""

    def __init__(self, folder: Path, model: ScriptedModel) -> None:
        self.home, self.project, self.model = folder / "home", folder / "project", model
        self.config = self.home / ".config" / "opencode"
        self.config.mkdir(parents=True)
        self.project.mkdir()
        self.env = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "npm_config_registry": f"{model.url}/registry/",
            **{f"OPENCODE_DISABLE_{name}": "1" for name in OFF.split()},
        }
        git = ["git", "-C", str(self.project), "-c", "user.name=t", "-c", "user.email=t@example.invalid"]
        subprocess.run([*git, "init", "-q"], check=True)
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "begin"], check=True, env=self.env)

    @property
    def database(self) -> Path:
        return self.home / ".local" / "share" / "opencode" / "opencode.db"

    def configure(self, **more: Any) -> None:
        """The user's configuration: the scripted model, and what a test adds."""
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Scripted",
            "options": {"baseURL": f"{self.model.url}/v1", "apiKey": "none"},
            "models": {MODEL: {"name": MODEL, "limit": {"context": 128_000, "output": 8_000}, "tool_call": True}},
        }
        whole = {
            "$schema": "https://opencode.ai/config.json",
            "model": f"scripted/{MODEL}",
            "small_model": f"scripted/{MODEL}",
            "enabled_providers": ["scripted"],
            "provider": {"scripted": provider},
            "share": "disabled",
            **more,
        }
        (self.config / "opencode.jsonc").write_text("// this user's own\n" + json.dumps(whole, indent=2))

    def run(self, prompt: str, *words: str, env: Mapping[str, str] | None = None) -> str:
        """One headless turn; what it printed."""
        done = subprocess.run(
            [binary(), "run", *words],
            input=prompt,
            cwd=self.project,
            env={**self.env, **(env or {})},
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    @contextmanager
    def serving(self, env: Mapping[str, str] | None = None, name: str = "serve") -> Iterator[Served]:
        """`opencode serve`, until the block ends. Of two at one time each has a `name` of its own."""
        said = self.home / f"{name}.log"
        words = [binary(), "serve", "--port", "0", "--print-logs"]
        with (
            said.open("w+") as log,
            subprocess.Popen(
                words,
                cwd=self.project,
                env={**self.env, **(env or {})},
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            ) as process,
        ):
            try:
                yield Served(self._port(process, said), process)
            finally:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()

    def _port(self, process: subprocess.Popen[bytes], log: Path) -> str:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and process.poll() is None:
            if found := re.search(r"listening on (http://\S+)", log.read_text(errors="replace")):
                return found[1]
            time.sleep(0.05)
        raise AssertionError(log.read_text(errors="replace"))


class Served:
    """A running server, asked as its own clients ask."""

    def __init__(self, url: str, process: subprocess.Popen[bytes]) -> None:
        self.url, self.process = url, process

    def ask(self, path: str, body: Any = None, method: str | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.url + path,
            data,
            {"content-type": "application/json"},
            method=method or ("GET" if data is None else "POST"),
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
            raw = reply.read()
        return json.loads(raw) if raw else None

    def session(self) -> str:
        return str(self.ask("/session", {})["id"])

    def say(self, session: str, text: str, *, refused: bool = False) -> Any:
        """One turn; the assistant's last message, which failed where the model `refused`."""
        said = self.ask(f"/session/{session}/message", {"parts": [{"type": "text", "text": text}]})
        assert ("error" in said["info"]) is refused, said["info"]
        return said
