"""Ours, in the same harness: from this folder, in an environment of its own. A memory goes in with speaker, session and
time where they belong."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.peers.shape import Embedder, Memory, Version

NAME = "aftermind"
VERSIONS = (
    Version(version="ranking alone", requirements=(str(Path(__file__).parents[2]),)),
    Version(version="shipped", requirements=(str(Path(__file__).parents[2]),)),
)


class Ours:
    def __init__(self, memory: Any, stack: AsyncExitStack, shipped: bool) -> None:
        self._memory = memory
        self._stack = stack
        self._shipped = shipped
        self._ids: dict[str, str] = {}
        self.remarks = ["words alone"]

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

    stack = AsyncExitStack()
    memory = await stack.enter_async_context(aftermind.open_memory(folder / "store"))
    return Ours(memory, stack, version == "shipped")
