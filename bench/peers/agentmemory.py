"""agentmemory-rrs: full text picks fifty, a graph and holographic vectors add some, a random draw from each belief's
record orders them, and 2,000 tokens are packed. One store a project; what its `remember` and `search` tools do, without
the server. Needs Python 3.12."""

from __future__ import annotations

import importlib
import os
import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from bench.peers.shape import Embedder, Memory, Taken, Version

NAME = "agentmemory-rrs"
NEEDS_A_MODEL = False
TAKEN = Taken(recall_ms=27, p95_ms=None, resident_mb=96, install_mb=None, of="1,000 beliefs, without its HRR layer")
VERSIONS = (Version(version="3.0.2", requirements=("agentmemory-rrs==3.0.2",), python=(3, 12), taken=TAKEN),)
SEED = 1
RELATED = 5_000
"""Memories up to which the new are related to those there are: it looks at all of them for each."""


class Beliefs:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._store: Any = importlib.import_module("agentmemory.store").MemoryStore
        self._relate: Any = importlib.import_module("agentmemory.relationship_detector").detect_relationships
        self._retrieve: Any = importlib.import_module("agentmemory.retrieval").retrieve
        self._of: dict[str, Any] = {}
        self._paths: dict[str, Path] = {}
        self._ids: dict[str, str] = {}
        self.pid = os.getpid()
        self._at_a_prompt: Any = importlib.import_module("agentmemory.hook_search").search_for_prompt
        self.remarks = ["no vectors; ranks by chance (a seeded draw here)"]
        random.seed(SEED)
        importlib.import_module("numpy").random.seed(SEED)

    def _project(self, project: str) -> Any:
        if project not in self._of:
            self._paths[project] = self._folder / f"{len(self._of)}.db"
            self._of[project] = self._store(self._paths[project])
        return self._of[project]

    async def keep(self, memories: Sequence[Memory]) -> None:
        related = len(memories) <= RELATED
        if not related:
            self.remarks.append("nothing related, which takes half a second a memory at this size")
        for memory in memories:
            store = self._project(memory["project"])
            belief = store.insert_belief(
                content=memory["said"],
                belief_type="factual",
                source_type="user_stated",
                alpha=9.0,
                beta_param=0.5,
                locked=False,
                classified_by="user",
            )
            if related:
                self._relate(store, belief)
            self._ids.setdefault(belief.id, memory["id"])

    async def search(self, project: str, text: str, limit: int) -> Sequence[str]:
        return [self._ids[belief.id] for belief in self._retrieve(self._project(project), text).beliefs]

    async def prompted(self, project: str, text: str) -> None:
        """What its hook does, which opens the file itself."""
        with closing(sqlite3.connect(self._paths[project])) as connection:
            connection.row_factory = sqlite3.Row
            self._at_a_prompt(connection, text)

    async def close(self) -> None:
        for store in self._of.values():
            store.close()


async def opened(folder: Path, version: str, embedder: Embedder | None) -> Beliefs:
    return Beliefs(folder)
