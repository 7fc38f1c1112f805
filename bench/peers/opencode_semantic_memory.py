"""opencode-semantic-memory: 0.3 of the rank in SQLite's full text, 0.7 of the distance in LanceDB, by its own
`remember` and `recall` tools. What its worker would do later (embedding) is done when everything is kept; its check for
near duplicates is left out, which can only help it. Without its model `recall` is an error: then its full-text half is
measured alone."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.peers.shape import CannotRun, Embedder, Memory, Taken, Version

NAME = "opencode-semantic-memory"
NEEDS_A_MODEL = True
OLD = Taken(recall_ms=102, p95_ms=None, resident_mb=471, install_mb=2100, of="1,000 memories")
NEW = Taken(recall_ms=29, p95_ms=None, resident_mb=509, install_mb=2000, of="300 memories, no vectors")
NO_MODEL = "0.68.0, no model"
LENT = ("torch==2.13.0", "onnxruntime==1.31.1")
VERSIONS = (
    Version(version="0.3.1", requirements=("opencode-semantic-memory==0.3.1", "mcp==1.30.0", *LENT), taken=OLD),
    Version(version="0.68.0", requirements=("opencode-semantic-memory==0.68.0", "mcp==1.30.0", *LENT), taken=NEW),
    Version(version=NO_MODEL, requirements=("opencode-semantic-memory==0.68.0", "mcp==1.30.0", *LENT), taken=NEW),
)


class Tools:
    """Its MCP tools, called where its server would call them."""

    def __init__(self, server: Any, embedder: Embedder | None, remarks: list[str]) -> None:
        self._server = server
        self._remember, self._recall = server._remember, server._recall  # noqa: SLF001 - what its tools call
        self._embedder = embedder
        self._ids: dict[int, str] = {}
        self.pid = os.getpid()
        self.remarks = remarks

    async def keep(self, memories: Sequence[Memory]) -> None:
        kept: list[int] = []
        for memory in memories:
            told = self._remember(memory["said"], "fact", [], None, None, None, project=memory["project"])
            self._ids.setdefault(told["memory_id"], memory["id"])
            kept.append(told["memory_id"])
        if self._embedder is not None:
            found = self._server.sqlite.get_memories_by_ids(kept)
            texts = {id: memory.embedding_content() for id, memory in found.items()}
            vectors = dict(zip(texts, self._embedder(list(texts.values())), strict=True))
            rows = [{"id": f"mem_{n}", "memory_id": n, "text": texts[n], "vector": vectors[n]} for n in texts]
            if hasattr(self._server.vectors, "add_batch"):
                for start in range(0, len(rows), 64):
                    self._server.vectors.add_batch(rows[start : start + 64])
            else:
                for row in rows:
                    self._server.vectors.add(row["id"], row["memory_id"], row["text"], row["vector"])

    async def search(self, project: str, text: str, limit: int) -> Sequence[str]:
        if self._embedder is None:
            hits = self._server.sqlite.search_fts(text, limit, project=project)
            return [self._ids[hit.id] for hit in hits]
        told = await self._recall(text, limit, project=project)
        return [self._ids[hit["id"]] for hit in told["results"]]

    async def prompted(self, project: str, text: str) -> None:
        await self.search(project, text, 5)  # it has no other way to be asked

    async def close(self) -> None:
        pass


async def opened(folder: Path, version: str, embedder: Embedder | None) -> Tools:
    os.environ["OPENCODE_MEMORY_PATH"] = str(folder)
    config = importlib.import_module("opencode_memory.config").Config()
    config.storage.path = str(folder)
    server = importlib.import_module("opencode_memory.server").MemoryServer(config, enable_daemon=False)
    if embedder is None or version == NO_MODEL:
        try:
            await server._recall("probe", 1, project="probe")  # noqa: SLF001
        except Exception as error:
            failed = type(error).__name__
            return Tools(server, None, [f"no model: its recall is an error ({failed}); its full-text half alone"])
        raise CannotRun("it found a model of its own, which this run was to do without")

    async def embed_async(text: str) -> list[float]:
        return embedder([text])[0]

    server.embeddings.embed_async = embed_async
    return Tools(server, embedder, ["lent its own model, MiniLM; without its duplicate check"])
