"""agentmemory: by its store, as its MCP tools use it."""

from __future__ import annotations

import hashlib
import importlib
from pathlib import Path
from typing import Any

COUNT = 40


async def keep(project: Path) -> tuple[dict[str, int], Any]:
    of = hashlib.sha256(str(project.resolve()).encode()).hexdigest()[:12]
    folder = Path.home() / ".agentmemory" / "projects" / of
    folder.mkdir(parents=True)
    (folder / "project.txt").write_text(f"{project.resolve()}\n", encoding="utf-8")
    store: Any = importlib.import_module("agentmemory.store").MemoryStore(folder / "memory.db")
    sorts = ("factual", "preference", "procedural", "requirement", "correction")
    beliefs = []
    for number in range(COUNT):
        sort = sorts[number % len(sorts)]
        beliefs.append(
            store.insert_belief(
                content=f"Service number {number} listens on port {4000 + number}",
                belief_type=sort,
                source_type="user_stated",
                alpha=9.0,
                beta_param=0.5,
                locked=sort == "requirement" and number < 20,
                classified_by="user",
            )
        )
    store.supersede_belief(beliefs[0].id, beliefs[1].id, "moved")
    store.soft_delete_belief(beliefs[2].id)
    session = store.create_session(model="none", project_context=str(project))
    for belief, outcome in zip(beliefs[4:12], ("confirmed", "used", "harmful", "ignored") * 2, strict=True):
        store.record_test_result(belief.id, session.id, outcome, "explicit")
    store.insert_edge(beliefs[5].id, beliefs[6].id, "SUPPORTS", 1.0, "common words")
    store.checkpoint(session.id, "decision", "Chose SQLite over Postgres for the queue")
    store.insert_observation(
        content="The user tried Redis today", observation_type="user_statement", source_type="user", source_id=""
    )
    says = {
        "memories": COUNT + 2,
        "live": len(store.get_active_belief_ids()) + 2,
        "locked": len(store.get_locked_beliefs()),
        "superseded": 1,
        "archived": 1,
        "outcomes": store.query("SELECT count(*) FROM tests")[0][0],
    }
    return says, store
