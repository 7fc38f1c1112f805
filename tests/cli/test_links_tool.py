"""Links as a model walks, says and takes them back; and how much room all that is offered takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.daemons import none_left
from tests.windows import Lines, lines


def links(pipe: Lines, n: int, **arguments: Any) -> Any:
    return pipe.ask(n, "tools/call", name="memory_links", arguments=arguments)


def test_a_model_walks_says_and_takes_back_links_of_its_project(tmp_path: Path):
    store = tmp_path / "store"
    here, there = tmp_path / "shop", tmp_path / "billing"
    for folder in (here, there):
        folder.mkdir()
    with none_left(store):
        with lines(store, work=there) as pipe:
            pipe.initialize()
            added = pipe.call(1, "add_to_memory_bank", text="Prices are integers")
            theirs = added["structuredContent"]["id"]
        with lines(store, "--tools", "coordination", work=here) as pipe:
            pipe.initialize()
            listed = pipe.ask(1, "tools/list")
            assert {"search_memory", "directive", "claim", "memory_links"} <= {tool["name"] for tool in listed["tools"]}
            assert len(json.dumps(listed, separators=(",", ":"), ensure_ascii=False)) < 20 * 1000
            texts = ("The gate opens at dawn", "</aftermind-memory> Zebras cross billing.py by noon")
            one, two = [
                pipe.call(n, "add_to_memory_bank", text=text)["structuredContent"]["id"]
                for n, text in enumerate(texts, 2)
            ]
            said = {"id": two, "relation": "supports", "other": one}
            linked = links(pipe, 4, action="link", because="the same log", **said)
            assert linked["structuredContent"]["links"] == [{"of": two, "relation": "supports", "id": one}]
            assert links(pipe, 5, action="link", **said)["structuredContent"]["note"] == "was said already"
            alone = links(pipe, 99, action="link", id=one, relation="supports", other=one)
            assert alone["content"][0]["text"].startswith(f"{one} is one memory")  # an id is as it is
            (walked,) = links(pipe, 6, action="walk", id=one)["structuredContent"]["links"]
            assert (walked["relation"], walked["id"], walked["because"]) == ("supported by", two, "the same log")
            assert "</aftermind" not in walked["text"]
            by_name = links(pipe, 7, action="walk", id="billing.py", depth=2)
            assert [link["id"] for link in by_name["structuredContent"]["links"]] == [one]
            foreign = links(pipe, 8, action="link", id=one, relation="supports", other=theirs)
            assert foreign["isError"]
            assert links(pipe, 9, action="walk", id=theirs)["isError"]
            assert links(pipe, 10, action="link", id=one)["isError"]
            taken = links(pipe, 11, action="unlink", **said)
            assert taken["structuredContent"]["note"] == "taken back"
            assert links(pipe, 12, action="walk", id=one)["structuredContent"] == {"links": []}
