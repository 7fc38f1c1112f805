"""ocm-session-memory: BM25 over sessions, all words required. Each memory is the goal of a session of its own, through
its checkpoint tool; its search tool shows five at the most. A question mark is a syntax error to its index, which it
takes for no match: so its second row has the questions without any marks."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.peers.shape import Embedder, Memory, Taken, Version

NAME = "ocm-session-memory"
NEEDS_A_MODEL = False
TAKEN = Taken(recall_ms=4.7, p95_ms=15, resident_mb=57, install_mb=None, of="1,000 sessions")
REQUIREMENTS = ("ocm-session-memory==0.2.0", "mcp[cli]==1.30.0")  # its server does not start with mcp 2
NO_MARKS = "0.2.0, no marks"
VERSIONS = (
    Version(version="0.2.0", requirements=REQUIREMENTS, taken=TAKEN),
    Version(version=NO_MARKS, requirements=REQUIREMENTS, taken=TAKEN),
)


class Sessions:
    def __init__(self, folder: Path, marks: bool) -> None:
        self._folder = folder
        self._marks = marks
        self._checkpoint: Any = importlib.import_module("ocm.tools.checkpoint")
        self._search: Any = importlib.import_module("ocm.tools.search")
        self._database: Any = importlib.import_module("ocm.storage.db").Database
        self._of: dict[str, Any] = {}
        self._ids: dict[tuple[str, str], str] = {}
        self.pid = os.getpid()
        self.remarks = ["no vectors; all words of a query must be there; shows five at the most"]

    def _use(self, project: str) -> None:
        if project not in self._of:
            path = self._folder / str(len(self._of)) / ".openCodeMemory" / "memory.db"
            self._of[project] = self._database.init(path)
        self._checkpoint._init(self._of[project])  # noqa: SLF001 - as its server does
        self._search._init(self._of[project])  # noqa: SLF001

    async def keep(self, memories: Sequence[Memory]) -> None:
        for n, memory in enumerate(memories):
            session = f"{n:08d}"  # its files are named after the first eight characters
            self._use(memory["project"])
            self._checkpoint.ocm__checkpoint(session, goal=memory["said"])
            self._ids[memory["project"], session] = memory["id"]

    async def search(self, project: str, text: str, limit: int) -> Sequence[str]:
        self._use(project)
        text = text if self._marks else re.sub(r"[^\w\s]", " ", text)
        hits = self._search.ocm__search_sessions(text, limit=limit)
        return [] if isinstance(hits, str) else [self._ids[project, hit["session_id"]] for hit in hits]

    async def prompted(self, project: str, text: str) -> None:
        await self.search(project, text, 5)  # it has no other way to be asked

    async def close(self) -> None:
        pass


async def opened(folder: Path, version: str, embedder: Embedder | None) -> Sessions:
    return Sessions(folder, marks=version != NO_MARKS)
