"""Ours, in the same harness: from this folder, in an environment of its own. A memory goes in with speaker, session and
time where they belong. The ranking alone (no floor), and what is shipped: with words alone, with the static model that
is installed with it, and with the model that is lent, through fastembed."""

from __future__ import annotations

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


class Ours:
    def __init__(self, memory: Any, stack: AsyncExitStack, shipped: bool) -> None:
        self._memory = memory
        self._stack = stack
        self._shipped = shipped
        self._ids: dict[str, str] = {}
        self.remarks: list[str] = []

    async def keep(self, memories: Sequence[Memory]) -> None:
        for memory in memories:
            id = await self._memory.remember(
                memory["text"],
                kind="conversation",
                project=memory["project"],
                speaker=memory["speaker"],
                session=memory["session"],
                at=datetime.fromisoformat(memory["at"]),
            )
            self._ids[id] = memory["id"]
        await self._memory.caught_up()
        embedded = await self._memory.embedded()
        if embedded.name != "none" and (embedded.why or not embedded.used):
            raise CannotRun(embedded.why or f"the model {embedded.name} is not in use")
        self.remarks.append(f"{embedded.vectors} vectors" if embedded.used else "no vectors")

    async def search(self, project: str, text: str, limit: int) -> Sequence[str]:
        if self._shipped:
            hits = await self._memory.recall(text, project=project)
        else:
            hits = await self._memory.recall(text, project=project, limit=limit, floor=False)
        return [self._ids[hit.id] for hit in hits]

    async def close(self) -> None:
        await self._stack.aclose()


async def opened(folder: Path, version: str, embedder: Embedder | None) -> Ours:
    import aftermind

    row, _, model = version.partition(", ")
    name = MODELS[model] or (embedder.folder if embedder else "")
    if not name:
        raise CannotRun("no model was lent")
    stack = AsyncExitStack()
    memory = await stack.enter_async_context(aftermind.open_memory(folder / "store", model=name))
    return Ours(memory, stack, row == SHIPPED)
