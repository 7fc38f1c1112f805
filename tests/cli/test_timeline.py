"""`timeline`: the life of a memory, of a session, of a name, event by event."""

from __future__ import annotations

import json

import pytest


def told(cli, prompt, answer, session, *paths):
    cli("context", prompt, "--session", session)
    turn = {"prompt": prompt, "answer": answer, "tools": [{"name": "Edit", "paths": paths}]}
    return cli("record", "--session", session, "--json", stdin=json.dumps(turn).encode()).json


def types(found):
    return [one["type"] for one in found.json]


TOLD = [
    *("memory-recorded", "prompt-received", "context-injected", "exchange-recorded", "memory-recorded"),
    *("exchange-judged", "memory-scored", "memory-scored", "memory-promoted", "memory-promoted"),
]
"""What there is of `deploy.sh`: a fact, the turn that asked for it, what was said of both."""


@pytest.fixture
def lived(cli):
    id = cli("remember", "deploy.sh needs the staging key", "--json").json["id"]
    done = told(cli, "what does deploy.sh need?", "the staging key", "s1", "src/deploy.sh")
    cli("score", "worked", "--session", "s1")
    cli("promote", done["memory"])
    other = told(cli, "what about lunch?", "at noon", "s2")
    return id, done, other


def test_a_name_is_told_wherever_it_is_mentioned(cli, lived):
    id, done, other = lived
    found = cli("timeline", "deploy.sh", "--json")
    assert types(found) == TOLD
    assert {one["memory"] for one in found.json} == {None, id, done["memory"]}
    assert other["memory"] not in found.out
    judged = next(one for one in found.json if one["type"] == "exchange-judged")
    assert found.json[judged["came_of"] - 1]["type"] == "exchange-recorded"
    assert cli("timeline", "DEPLOY.SH", "--json").json == found.json
    assert cli("timeline", "eploy.sh").status == 3  # a part of a name is none
    assert types(cli("timeline", "src/deploy.sh", "--json"))[0] == "exchange-recorded"


def test_a_session_is_told_with_what_became_of_its_memories(cli, lived):
    _, done, other = lived
    found = cli("timeline", "s1", "--json")
    assert types(found)[:2] == ["session-started", "prompt-received"]
    assert "memory-promoted" in types(found)
    assert other["memory"] not in {one["memory"] for one in found.json}
    assert cli("timeline", "--as", "entity", "s1").status == 3
    out = cli("timeline", "s1").out
    assert f"{done['memory']}  memory-promoted: promoted to" in out
    assert "just now" in out


def test_a_memory_is_told_with_what_led_to_it(cli, lived):
    _, done, _ = lived
    by_memory, by_exchange = (cli("timeline", id, "--json") for id in (done["memory"], done["id"]))
    assert by_memory.json == by_exchange.json
    assert types(by_memory)[0] == "prompt-received"
    assert "memory-promoted" in types(by_memory)
    assert len(cli("timeline", done["memory"], "--limit", "2").out.splitlines()) == 2


def test_another_project_is_not_told_of_unless_it_is_asked_for(cli, place, lived):
    (place / "other").mkdir()
    cli("remember", "their deploy.sh is another", "--project", str(place / "other"))
    assert "another" not in cli("timeline", "deploy.sh").out
    assert "their deploy.sh is another" in cli("timeline", "deploy.sh", "--all").out
    assert "their deploy.sh is another" in cli("timeline", "deploy.sh", "--project", "other").out
    assert cli("timeline", "deploy.sh", "--global").status == 3


def test_what_was_forgotten_is_told_nowhere(cli, lived):
    id, done, _ = lived
    cli("forget", "--yes", id, done["memory"])
    assert "staging key" not in cli("timeline", "s1").out
    assert "staging key" not in cli("timeline", "deploy.sh").out
