"""ocm: by its checkpoint tool, in a project of its own."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

SESSIONS = 12


async def keep(project: Path) -> tuple[dict[str, int], Any]:
    checkpoint: Any = importlib.import_module("ocm.tools.checkpoint")
    listing: Any = importlib.import_module("ocm.tools.session")
    database: Any = importlib.import_module("ocm.storage.db").Database
    store = database.init(project / ".openCodeMemory" / "memory.db")
    checkpoint._init(store)  # noqa: SLF001 - as its server does
    listing._init(store)  # noqa: SLF001
    for number in range(SESSIONS):
        checkpoint.ocm__checkpoint(
            f"{number:08d}-session",
            goal=f"Move service {number} to the new cluster",
            tool="cursor",
            work_completed=[f"- wrote the chart of service {number}\n- tested it in staging {number}"],
            work_pending=[f"switch the traffic of service {number}"],
            work_summary=[f"Service {number} runs beside the old one"],
            decisions=[f"**Rollout {number}:** blue and green"],
            plan_files=[{"path": f"docs/{number}.md", "header": "the plan"}],
            references=[{"url": f"https://example.org/{number}", "title": "the ticket"}],
        )
    sessions = listing.ocm__list_sessions(limit=1000)
    a_session = 1 + 2 + 1 + 1 + 1 + 1 + 1
    """Goal, two done, one to do, a summary, a decision, a plan file, a reference."""
    return {"memories": len(sessions) * a_session, "live": len(sessions) * a_session}, store
