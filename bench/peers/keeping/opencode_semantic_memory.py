"""opencode-semantic-memory: by what its MCP tools call."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

COUNT = 40


async def keep(project: Path) -> tuple[dict[str, int], Any]:
    folder = Path.home() / ".local" / "share" / "opencode-memory"
    folder.mkdir(parents=True)
    config = importlib.import_module("opencode_memory.config").Config()
    config.storage.path = str(folder)
    server: Any = importlib.import_module("opencode_memory.server").MemoryServer(config, enable_daemon=False)
    sorts = ("decision", "blocker", "procedure", "fact", "event", "directive", "plan", "idea")
    ids = []
    for number in range(COUNT):
        said = f"Point {number}: the queue of service {number} holds {number * 7} jobs"
        told = server._remember(  # noqa: SLF001 - what its tools call
            said, sorts[number % len(sorts)], [f"!{number}"], f"Queue {number}", "measured", None, project=project.name
        )
        ids.append(told["memory_id"])
    server._resolve_blocker(ids[1])  # noqa: SLF001
    server._archive_memory(ids[3], "outdated")  # noqa: SLF001
    server._archive_memory(ids[4], "outdated")  # noqa: SLF001
    kept = sum(server.sqlite.count_memories_by_category(sort) for sort in sorts)
    archived = len(server.sqlite.get_archived_memories(limit=COUNT))
    resolved = 1
    return {"memories": kept + archived, "live": kept - resolved, "archived": archived + resolved}, server
