"""The commands `directive`, and the same over MCP, where the project's tools are asked for."""

from __future__ import annotations

import json
from pathlib import Path

from tests.daemons import none_left
from tests.windows import lines


def test_rules_are_added_listed_and_removed(cli):
    wide = cli("directive", "add", "Never push to main", "--global", "--json").json
    own = cli("directive", "add", "Always", "push", "to", "main", "--locked")
    assert "It goes before" in own.out
    assert "on push" in cli("directive", "add", "run make check", "--on", "push", "--in", "src/").out
    assert cli("directive", "list", "--at", "push src/a.py").out.count("run make check") == 1
    listed = cli("directive", "list", "--json").json
    assert [one["text"] for one in listed] == ["Always push to main", "Never push to main", "run make check"]
    assert listed[2]["within"] == ["src/"]
    assert cli("directive", "remove", wide["id"]).out.startswith(f"{wide['id']} holds no more")
    assert len(cli("directive", "list", "--json").json) == 2
    assert cli("directive", "remove", listed[0]["id"]).status != 0
    assert cli("directive", "list", "--global").out == ""
    cli("restore", wide["id"])
    assert wide["id"] in cli("directive", "list", "--global").out


def test_rules_that_contradict_are_told_once_and_a_path_that_is_in_no_other_is_refused(cli):
    one = cli("directive", "add", "Always run make check before pushing", "--json").json["id"]
    other = cli("directive", "add", "Never run make check before pushing", "--json").json["id"]
    (line,) = [line for line in cli("context", "push it").out.splitlines() if line.startswith(f"- [{other}]")]
    assert line.count(f"contradicts {one}") == line.count(one) == 1
    refused = cli("directive", "add", "Be careful", "--in", "../x")
    assert (refused.status, "compared by its names" in refused.err) == (2, True)


def test_a_rule_that_takes_the_place_of_another_says_so_and_how_that_is_taken_back(cli):
    old = cli("directive", "add", "Answer in German", "--json").json
    new = cli("directive", "add", "Answer in French").out
    id = cli("directive", "list", "--json").json[0]["id"]
    assert f"It takes the place of {old['id']}, which stays in history; `aftermind undo {id}` takes that back." in new
    assert old["replaced"] == []
    last = cli("directive", "add", "Answer in English", "--json").json
    assert last["replaced"] == [id]
    assert cli("undo", last["id"]).status == 0
    assert [one["text"] for one in cli("directive", "list", "--json").json] == ["Answer in French"]


def test_a_tool_surface_that_is_too_big_is_a_choice(tmp_path: Path):
    """Core is what is offered; the project's tools where the window or the configuration asks for them."""
    store = tmp_path / "store"
    with none_left(store):
        with lines(store, "--tools", "project") as pipe:
            pipe.initialize()
            listed = pipe.ask(1, "tools/list")
            names = {tool["name"] for tool in listed["tools"]}
            assert {"search_memory", "directive"} <= names
            assert len(json.dumps(listed, separators=(",", ":"), ensure_ascii=False)) < 14 * 1024
            added = pipe.call(2, "directive", action="add", text="run make check first", on=["push"])
            (rule,) = added["structuredContent"]["rules"]
            assert (rule["when"], rule["notes"]) == ("on push", ["this project"])
            assert pipe.call(3, "directive", action="list", text="commit it")["structuredContent"]["rules"] == []
            assert pipe.call(4, "directive", action="remove")["isError"]
            asked = {"action": "remove", "id": rule["id"]}
            removed = pipe.ask(5, "tools/call", name="directive", arguments=asked)["structuredContent"]
            assert removed == {"rules": [], "removed": rule["id"]}
        with lines(store) as pipe:
            pipe.initialize()
            core = pipe.ask(1, "tools/list")
            assert "directive" not in {tool["name"] for tool in core["tools"]}
            assert len(json.dumps(core, separators=(",", ":"), ensure_ascii=False)) < 8 * 1024
            assert pipe.call(2, "directive", action="list")["isError"]
        (tmp_path / "config.toml").write_text('[mcp]\ntools = "project"\n')
        with lines(store) as pipe:
            pipe.initialize()
            assert "directive" in {tool["name"] for tool in pipe.ask(1, "tools/list")["tools"]}
