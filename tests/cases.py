"""Exchanges to be judged, as a desk hands them out."""

from __future__ import annotations

from typing import Any

from aftermind.engine.events import ToolUse
from aftermind.engine.names import EventId, MemoryId
from aftermind.sidecar.ports import Case, Known, Ticket

PORT = Known(id=MemoryId("m-port"), kind="configuration", text="Staging listens on port 8080")
TEA = Known(id=MemoryId("m-tea"), kind="preference", text="Prefers terse commits")


def case(number: int = 1, **changes: Any) -> Case:
    """An exchange that failed, with a memory that misled."""
    told: dict[str, Any] = {
        "ticket": Ticket(f"ticket-{number}"),
        "exchange": EventId(f"exchange-{number}"),
        "prompt": "Deploy staging, and remember that we use port 8081 there.",
        "answer": "I set the health check to 8080 and deployed; all checks pass now.",
        "tools": (ToolUse(name="Bash", paths=("deploy.sh",), ok=False, error="health check timed out"),),
        "shown": (PORT, TEA),
        "known": (),
        "follow_up": "No, that's wrong, it still fails: staging is on 8081.",
    }
    return Case(**{**told, **changes})
