"""Exchanges as a judge is handed them, and lists of what people say of one."""

from __future__ import annotations

from aftermind.engine.events import ToolUse
from aftermind.engine.names import EventId
from aftermind.sidecar.ports import Case, Known, Ticket

QUESTION = "How do I get the staging deploy past its health check?"
ANSWER = "The check asks port 8080. Set healthcheck.port to 8081 in deploy/staging.yaml."


def exchange(
    follow_up: str | None,
    *,
    prompt: str = QUESTION,
    answer: str = ANSWER,
    tools: tuple[ToolUse, ...] = (),
    shown: tuple[Known, ...] = (),
) -> Case:
    return Case(
        ticket=Ticket("t"),
        exchange=EventId("e"),
        prompt=prompt,
        answer=answer,
        tools=tools,
        shown=shown,
        follow_up=follow_up,
    )


def cases(text: str) -> list[str]:
    return text.strip().splitlines()
