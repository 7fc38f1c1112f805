"""entity, as a model uses it: what is known of a thing, what blocks, and the evidence that it does no more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.daemons import none_left
from tests.windows import lines


def test_a_model_asks_about_a_thing_and_keeps_blockers(tmp_path: Path):
    store = tmp_path / "store"
    with none_left(store), lines(store, "--tools", "coordination") as pipe:
        pipe.initialize()
        listed = pipe.ask(1, "tools/list")
        assert len(json.dumps(listed, separators=(",", ":"), ensure_ascii=False)) < 20_000
        numbers = iter(range(2, 99))

        def entity(**asked: str) -> dict[str, Any]:
            answer = pipe.ask(next(numbers), "tools/call", name="entity", arguments=asked)
            told: dict[str, Any] = answer if answer["isError"] else answer["structuredContent"]
            return told

        (first,) = entity(action="block", text="The quota is used up", ref="#412")["blockers"]
        assert first["text"] == "The quota is used up (waits for #412)."
        entity(action="block", text="ticket 4120 waits")
        (known,) = entity(action="about", ref="issue 412")["blockers"]
        assert known["id"] == first["id"]
        assert len(entity(action="blockers")["blockers"]) == 2
        refused = entity(action="resolve", ref="#413", text="closed")
        assert refused["isError"]
        assert first["id"] in refused["content"][0]["text"]
        assert entity(action="resolve", ref="#412")["isError"]
        (done,) = entity(action="resolve", ref="#412", text="it is 10,000 now")["blockers"]
        assert (done["id"], done["resolved"]) == (first["id"], "it is 10,000 now")
        assert [one["text"] for one in entity(action="blockers")["blockers"]] == ["ticket 4120 waits"]
        assert "resolved" not in entity(action="reopen", ref="#412")["blockers"][0]
