"""What the list of tools says of asking twice: a client may ask again what is called idempotent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Cli
from tests.windows import Lines, lines

Call = tuple[str, dict[str, Any]]
HARMLESS: tuple[Call, ...] = (
    ("add_to_memory_bank", {"text": "Turbines are counted from the north"}),
    ("update_memory", {"id": "MEMORY", "text": "Staging listens on port 9090"}),
    ("directive", {"action": "add", "text": "Never push on Fridays"}),
    ("entity", {"action": "block", "text": "The quota is used up, see #7"}),
    ("memory_links", {"action": "link", "id": "MEMORY", "relation": "supports", "other": "OTHER"}),
)
ADDING: tuple[Call, ...] = (
    ("session", {"action": "checkpoint", "goal": "mend the login"}),
    ("agenda", {"action": "snooze", "id": "REMINDER", "on": "+2d"}),
    ("claim", {"action": "renew", "item": "src/a.py", "minutes": 20}),
    ("queue", {"action": "next"}),
    ("record_response", {"prompt": "Is the cache warm?", "response": "Since noon."}),
)


@pytest.fixture
def pipe(store: Path) -> Iterator[Lines]:
    with lines(store, "--tools", "coordination") as opened:
        opened.initialize()
        yield opened


def test_what_is_called_idempotent_adds_nothing_when_it_is_asked_again(pipe: Lines, cli: Cli):
    assert added_by_the_second(pipe, cli, HARMLESS) == {tool: 0 for tool, _ in HARMLESS}
    assert idempotent(pipe) == {"delete_memory", *(tool for tool, _ in HARMLESS)}


def test_what_adds_something_when_it_is_asked_again_is_not_called_idempotent(pipe: Lines, cli: Cli):
    assert all(added_by_the_second(pipe, cli, ADDING).values())
    assert not idempotent(pipe) & {tool for tool, _ in ADDING}


def added_by_the_second(pipe: Lines, cli: Cli, calls: tuple[Call, ...]) -> dict[str, int]:
    """How many events each call adds that was carried out once."""
    remind = {"action": "remind", "text": "Renew the certificate", "on": "+2d"}
    ids = {
        "MEMORY": called(pipe, ("add_to_memory_bank", {"text": "Staging listens on port 8081"}))["id"],
        "OTHER": called(pipe, ("add_to_memory_bank", {"text": "Ada reviews what is released"}))["id"],
        "REMINDER": called(pipe, ("agenda", remind))["items"][0]["id"],
    }
    called(pipe, ("claim", {"action": "take", "item": "src/a.py"}))
    for item in ("mend the login", "mend the logout"):
        called(pipe, ("queue", {"action": "add", "item": item}))
    found = {}
    for tool, arguments in calls:
        call = tool, {key: ids.get(value, value) for key, value in arguments.items()}
        called(pipe, call)
        before = head(cli)
        called(pipe, call)
        found[tool] = head(cli) - before
    return found


def called(pipe: Lines, call: Call) -> Any:
    tool, arguments = call
    result = pipe.ask(f"{tool} {arguments}", "tools/call", name=tool, arguments=arguments)
    assert not result["isError"], result
    return result["structuredContent"]


def head(cli: Cli) -> int:
    """The last position of the log, as the daemon tells it."""
    position = cli("status", "--json").json["head"]
    assert isinstance(position, int)
    return position


def idempotent(pipe: Lines) -> set[str]:
    tools = pipe.ask("tools", "tools/list")["tools"]
    return {tool["name"] for tool in tools if tool["annotations"].get("idempotentHint")}
