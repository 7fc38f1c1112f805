"""roampal: vectors in ChromaDB; 0.6.0 adds tags and a cross-encoder. A store of its own for each project, as its
profiles are. It downloads a 768-dimensional embedder at the first start and has nothing to search by without one, so a
lent model is padded with zeros to that length (cosines stay what they are). The cross-encoder stays away: it then ranks
by its cosine, as it does for a user whose download failed."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.peers.shape import CannotRun, Embedder, Memory, Taken, Version

NAME = "roampal"
NEEDS_A_MODEL = True
DIMENSIONS = 768
OLD = Taken(recall_ms=169, p95_ms=214, resident_mb=182, install_mb=532, of="1,000 memories, hashes as vectors")
NEW = Taken(recall_ms=299, p95_ms=700, resident_mb=121, install_mb=535, of="1,000 memories, hashes as vectors")
OF_OLD = ("roampal==0.4.3", "chromadb==1.5.9", "onnxruntime==1.31.1")
OF_NEW = ("roampal==0.6.0", "chromadb==1.5.9", "onnxruntime==1.31.1")
NO_WAL = {"ROAMPAL_TEST_DISABLE_WAL": "1"}
"""Without it a fresh store of 0.6.0 fails with a disk I/O error more often than not."""
NO_MODEL = "0.6.0, no model"
VERSIONS = (
    Version(version="0.4.3", requirements=OF_OLD, taken=OLD),
    Version(version="0.6.0", requirements=OF_NEW, environment=NO_WAL, taken=NEW),
    Version(version=NO_MODEL, requirements=OF_NEW, environment=NO_WAL, taken=NEW),
)


class Lent:
    """Stands where its embedding service stands."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def embed_text(self, text: str, role: str = "passage", skip_cache: bool = False) -> list[float]:
        return (await self.embed_texts([text]))[0]

    async def embed_texts(self, texts: Sequence[str], role: str = "passage") -> list[list[float]]:
        return [vector + [0.0] * (DIMENSIONS - len(vector)) for vector in self._embedder(texts)]

    async def prewarm(self) -> None:
        pass

    def get_embedding_dimension(self) -> int:
        return DIMENSIONS


class Stores:
    def __init__(self, folder: Path, system: Any, remarks: list[str]) -> None:
        self._folder = folder
        self._system = system
        self._of: dict[str, Any] = {}
        self._ids: dict[str, str] = {}
        self.pid = os.getpid()
        self.remarks = remarks

    async def _store(self, project: str) -> Any:
        if project not in self._of:
            store = self._system(data_path=str(self._folder / str(len(self._of))))
            await store.initialize()
            self._of[project] = store
        return self._of[project]

    async def keep(self, memories: Sequence[Memory]) -> None:
        for memory in memories:
            store = await self._store(memory["project"])
            if memory["stated"]:
                kept = await store.store_memory_bank(memory["said"])
            else:
                kept = await store.store(memory["said"], collection="history")
            self._ids[kept] = memory["id"]

    async def search(self, project: str, text: str, limit: int) -> Sequence[str]:
        hits = await (await self._store(project)).search(text, limit=limit)
        return [self._ids[hit["id"]] for hit in hits if hit["id"] in self._ids]

    async def prompted(self, project: str, text: str) -> None:
        await (await self._store(project)).get_context_for_injection(text, conversation_id="asking")

    async def close(self) -> None:
        pass


async def opened(folder: Path, version: str, embedder: Embedder | None) -> Stores:
    system: Any = importlib.import_module("roampal.backend.modules.memory.unified_memory_system")
    if embedder is None or version == NO_MODEL:
        store = Stores(folder, system.UnifiedMemorySystem, [])
        try:
            await store.search("probe", "probe", 1)
        except Exception as error:
            raise CannotRun(f"no model, no start: {type(error).__name__}; it cannot search by words") from error
        return store
    system.EmbeddingService = lambda *_, **__: Lent(embedder)
    remarks = ["lent MiniLM, padded to 768", *(["no cross-encoder"] if version != "0.4.3" else [])]
    return Stores(folder, system.UnifiedMemorySystem, remarks)
