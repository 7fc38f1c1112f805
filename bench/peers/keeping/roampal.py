"""roampal: by its memory system, as its server uses it. Its embedder would be downloaded; one that hashes stands there,
as nothing that is imported depends on a vector."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import json
import os
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

COUNT, DIMENSIONS = 30, 768


class Hashes:
    async def embed_text(self, text: str, role: str = "passage", skip_cache: bool = False) -> list[float]:
        return (await self.embed_texts([text]))[0]

    async def embed_texts(self, texts: Sequence[str], role: str = "passage") -> list[list[float]]:
        return [_vector(text) for text in texts]

    async def prewarm(self) -> None:
        pass

    def get_embedding_dimension(self) -> int:
        return DIMENSIONS


def _vector(text: str) -> list[float]:
    values = [byte - 127.5 for byte in hashlib.shake_128(text.encode()).digest(DIMENSIONS)]
    length = sum(value * value for value in values) ** 0.5
    return [value / length for value in values]


async def keep(project: Path) -> tuple[dict[str, int], Any]:
    system: Any = importlib.import_module("roampal.backend.modules.memory.unified_memory_system")
    system.EmbeddingService = lambda *_, **__: Hashes()
    data = Path(os.environ["XDG_DATA_HOME"]) / "roampal" / "data"
    store = system.UnifiedMemorySystem(data_path=str(data))
    await store.initialize()
    judged = 0
    for number in range(COUNT):
        sort = "fact" if number % 2 else "exchange_summary"
        id = await store.store(
            f"Talk {number}: the cache of service {number} was cold", "working", metadata={"memory_type": sort}
        )
        for outcome in ("worked", "failed", "worked")[: number % 4]:
            await store.record_outcome([id], outcome)
            judged += 1
        await asyncio.sleep(0)
    for number in range(10):
        await store.store_memory_bank(f"The user likes editor number {number}", tags=["preference"])
    await store.store_book("\n".join(f"Sentence {n} of the guide." for n in range(200)), title="Guide")
    await asyncio.sleep(1)  # promotions are tasks nobody waits for
    said = datetime.now() - timedelta(days=1)  # noqa: DTZ005 - without a zone, as roampal writes it
    (data / "mcp_sessions").mkdir(exist_ok=True)
    with (data / "mcp_sessions" / "c1.jsonl").open("a", encoding="utf-8") as file:
        for number in range(5):
            at = (said + timedelta(minutes=number)).isoformat()
            file.write(json.dumps({"role": "user", "content": f"question {number}", "timestamp": at}) + "\n")
            file.write(json.dumps({"role": "assistant", "content": f"answer {number}", "timestamp": at}) + "\n")
    found = {name: adapter.collection.count() for name, adapter in store.collections.items() if adapter.collection}
    memories = sum(found.get(name, 0) for name in ("working", "history", "patterns", "memory_bank"))
    says = {"memories": memories, "live": memories, "books": 1, "exchanges": 5, "outcomes": judged}
    return says, store
