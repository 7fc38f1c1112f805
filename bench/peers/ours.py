"""Ours, in the same harness, as a user gets it: installed from this folder into an environment of its own, its model
chosen by `aftermind model use`, and asked through its daemon's socket, the hop included. A memory goes in with speaker,
session and time where they belong. The ranking alone (ten answers, no floor), and what is shipped (floor, limit and
all): with words alone, with the static model that is installed with it, and with the model that is lent, through
fastembed."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.peers.shape import CannotRun, Embedder, Memory, Version

NAME = "aftermind"
NEEDS_A_MODEL = True
HERE = str(Path(__file__).parents[2])
ALONE, SHIPPED = "ranking alone", "shipped"
MODELS = {"words": "none", "static": "static", "lent": ""}
VERSIONS = tuple(
    Version(version=f"{row}, {model}", requirements=(f"{HERE}[models]" if model == "lent" else HERE,))
    for model in MODELS
    for row in (ALONE, SHIPPED)
)
ENDING, WAITING = 60, 24 * 3600
"""Seconds. For vectors there is all the time that the run itself has."""


class Ours:
    def __init__(self, memory: Any, stack: AsyncExitStack, daemon: subprocess.Popen[bytes], shipped: bool) -> None:
        self._memory = memory
        self._stack = stack
        self._daemon = daemon
        self._shipped = shipped
        self._ids: dict[str, str] = {}
        self._brief: Any = importlib.import_module("aftermind.cli.language.requests").Brief
        self.pid = daemon.pid
        self.remarks = ["through its daemon"]

    async def keep(self, memories: Sequence[Memory]) -> None:
        for memory in memories:
            id = await self._memory.remember(
                memory["text"],
                kind="fact" if memory["stated"] else "conversation",
                project=memory["project"],
                speaker=memory["speaker"],
                session=memory["session"],
                at=datetime.fromisoformat(memory["at"]),
            )
            self._ids[id] = memory["id"]
        await self._memory.caught_up()
        embedded = await self._memory.embedded(WAITING)
        if embedded.name != "none" and (embedded.why or not embedded.used):
            raise CannotRun(embedded.why or f"the model {embedded.name} is not in use")
        self.remarks.append(f"{embedded.vectors} vectors" if embedded.used else "no vectors")
        if self._shipped:
            self.remarks.append("shows five at the most")

    async def search(self, project: str, text: str, limit: int) -> Sequence[str]:
        if self._shipped:
            hits = await self._memory.recall(text, project=project, prompt=True)
        else:
            hits = await self._memory.recall(text, project=project, limit=limit, floor=False, prompt=True)
        return [self._ids[hit.id] for hit in hits]

    async def prompted(self, project: str, text: str) -> None:
        """What a hook has the daemon do: what is shown is noted."""
        await self._memory.ask(self._brief(prompt=text, session="asking", project=project))

    async def close(self) -> None:
        await self._stack.aclose()
        self._daemon.terminate()
        self._daemon.wait(ENDING)


async def opened(folder: Path, version: str, embedder: Embedder | None) -> Ours:
    import aftermind

    row, _, model = version.partition(", ")
    name = MODELS[model] or (embedder.folder if embedder else "")
    if not name:
        raise CannotRun("no model was lent")
    store = folder / "store"
    daemon = _resident(store, name)
    stack = AsyncExitStack()
    memory = await stack.enter_async_context(aftermind.open_memory(store))
    if (pid := (await memory.state()).pid) != daemon.pid:
        raise CannotRun(f"process {pid} holds the store, and not the daemon {daemon.pid}")
    return Ours(memory, stack, daemon, row == SHIPPED)


def _resident(store: Path, model: str) -> subprocess.Popen[bytes]:
    """A daemon that answers and goes by that model; started as clients start it, but not detached: it ends with this
    run, whatever happens."""
    store.mkdir(mode=0o700)
    aftermind = [str(Path(sys.executable).with_name("aftermind"))]
    environment = {**os.environ, "AFTERMIND_HOME": str(store)}
    subprocess.run([*aftermind, "model", "use", model], env=environment, check=True)
    daemon = subprocess.Popen([sys.executable, "-I", "-m", "aftermind.cli.daemon", str(store)])
    subprocess.run([*aftermind, "start"], env=environment, check=True)  # returns when it answers
    return daemon
