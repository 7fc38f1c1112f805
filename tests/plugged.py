"""OpenCode's plugin in a bare Node, with `opencode_host.mjs` where OpenCode would be, and what was recorded of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio

import aftermind
from aftermind.cli.doors import PLUGIN
from aftermind.engine.events import ExchangeRecorded
from tests.hooked import kept

HOST = Path(__file__).with_name("opencode_host.mjs")
PATIENT = 20_000
OF_NPM = Path(__file__).parent / "e2e/inspector/node_modules/node/bin/node"
"""The Node that `make e2e` installs, where the system's is too old."""


def is_fit(node: str | None) -> bool:
    """Whether it takes a module by what is in it, as Bun does."""
    if node is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(map(int, said.strip().lstrip("v").split(".")[:2])) >= (20, 19)


NODE = next(filter(is_fit, (shutil.which("node"), str(OF_NPM) if OF_NPM.exists() else None)), None)


class Plugin:
    """The plugin, and OpenCode around it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def tell(self, **line: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(line), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def prompt(self, text: str, session: str = "ses_1", id: str = "msg_1", busy: int = 0) -> dict[str, Any]:
        """A prompt is sent, and OpenCode is busy with its own for so many milliseconds. What the model is shown."""
        message = {"id": id, "role": "user", "sessionID": session}
        parts = [{"id": "prt_1", "type": "text", "text": text}]
        output = {"message": message, "parts": parts}
        self.tell(hook="chat.message", input={"sessionID": session}, output=output, busy=busy)
        shown = {"messages": [{"info": message, "parts": parts}]}
        told = self.tell(hook="experimental.chat.messages.transform", input={}, output=shown)
        return {"parts": told["output"]["messages"][0]["parts"]}

    def happens(self, type: str, **properties: Any) -> None:
        self.tell(hook="event", input={"event": {"type": type, "properties": properties}})

    def idle(self, session: str = "ses_1", times: int = 1) -> None:
        for _ in range(times):
            self.happens("session.idle", sessionID=session)
        self.tell(hook="dispose")

    def turn(self, prompt: str, answer: str, session: str = "ses_1", id: str = "msg_1") -> dict[str, Any]:
        shown = self.prompt(prompt, session, id)
        self.tell(messages={session: [user(id, prompt), assistant(f"{id}a", id, answer)]})
        self.idle(session)
        return shown


@contextmanager
def plugged(store: Path, directory: Path, milliseconds: int = PATIENT) -> Iterator[Plugin]:
    assert NODE is not None
    words = [
        NODE,
        str(HOST),
        str(store / "bin" / PLUGIN[0]),
        str(directory),
        json.dumps({"milliseconds": milliseconds}),
    ]
    env = {"PATH": os.environ["PATH"], "HOME": str(directory)}
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    ) as process:
        try:
            yield Plugin(process)
            assert process.stdin is not None
            assert process.stderr is not None
            process.stdin.close()
            assert process.wait(30) == 0
            assert [line for line in process.stderr if "Warning" not in line and "node --trace" not in line] == []
        finally:
            process.kill()


def user(id: str, *parts: str | dict[str, Any]) -> dict[str, Any]:
    return {"info": {"id": id, "role": "user", "summary": {"diffs": ["…"]}}, "parts": list(map(part, parts))}


def assistant(id: str, to: str, *parts: str | dict[str, Any], **info: Any) -> dict[str, Any]:
    done = {"created": 1, "completed": 2}
    return {
        "info": {"id": id, "role": "assistant", "parentID": to, "time": done, **info},
        "parts": list(map(part, parts)),
    }


def part(said: str | dict[str, Any]) -> dict[str, Any]:
    return {"type": "text", "text": said} if isinstance(said, str) else said


def told(store: Path, form: type = ExchangeRecorded) -> list[Any]:
    """What was recorded; whatever waits in the spool goes in first."""

    async def run() -> list[Any]:
        async with aftermind.open_memory(store) as memory:
            with anyio.fail_after(30):
                while kept(store):
                    await anyio.sleep(0.02)
            return [one.draft.event for one in await memory.events(limit=1000)]

    return [event for event in anyio.run(run) if isinstance(event, form)]
