"""agenda, as a model uses it: reminders, reviews and blockers of the project it works in, in few bytes."""

from __future__ import annotations

import json
from pathlib import Path

from tests.daemons import none_left
from tests.windows import lines


def test_a_model_keeps_the_agenda_of_its_project(tmp_path: Path):
    store = tmp_path / "store"
    with none_left(store), lines(store, "--tools", "project") as pipe:
        pipe.initialize()
        listed = pipe.ask(1, "tools/list")
        assert len(json.dumps(listed, separators=(",", ":"), ensure_ascii=False)) < 14 * 1024
        numbers = iter(range(2, 99))

        def agenda(**asked: str) -> dict:
            answer = pipe.ask(next(numbers), "tools/call", name="agenda", arguments=asked)
            return answer if answer["isError"] else answer["structuredContent"]

        assert agenda(action="list") == {"items": []}
        (item,) = agenda(action="remind", text="Renew the certificate", on="+2h", every="week")["items"]
        assert (item["text"], item["every"]) == ("Renew the certificate", "week")
        (seen,) = agenda(action="list")["items"]
        assert (seen["id"], seen["what"], seen.get("due", False)) == (item["id"], "reminder", False)
        (later,) = agenda(action="snooze", id=item["id"], on="+3d")["items"]
        assert later["on"] > item["on"]
        (again,) = agenda(action="done", id=item["id"])["items"]
        assert again["on"] > item["on"], "it comes back"
        assert agenda(action="drop", id=item["id"])["items"][0].get("on") is None
        for asked, told in (
            ({"action": "remind", "text": "x", "on": "yesterday"}, "no time to come"),
            ({"action": "remind", "text": "x", "on": "2020-01-01"}, "is over"),
            ({"action": "remind", "on": "+2d"}, "needs a text"),
            ({"action": "done"}, "needs the id"),
            ({"action": "done", "id": item["id"]}, "nobody is reminded"),
            ({"action": "dance"}, "Invalid enum value"),
        ):
            refused = agenda(**asked)
            assert refused["isError"]
            assert told.casefold() in refused["content"][0]["text"].casefold()
        kept = pipe.call(
            next(numbers),
            "add_to_memory_bank",
            text="No quota",
            kind="blocker",
            why="They said so",
            learned="Ask first",
        )["structuredContent"]
        (solved,) = agenda(action="resolved", id=kept["id"], text="asked the vendor")["items"]
        assert solved["what"] == "resolved"
        found = pipe.call(next(numbers), "search_memory", query="no quota: ask first")
        assert "Ask first" in found["content"][0]["text"]
