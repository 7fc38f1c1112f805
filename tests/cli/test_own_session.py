"""What a window is shown, what it scores and what it holds is of its own session, and never of another client's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.daemons import none_left
from tests.windows import Lines, lines

from aftermind.engine.masking.private import MARK

REQUESTS = count(1)
ASKED = "When do I restart the indexer of the catalogue?"
ADVICE = "Restart the indexer after every import of the catalogue"


@pytest.fixture
def store(place: Path) -> Iterator[Path]:
    (place / "config.toml").write_text('scoring = "assistant"\n')
    with none_left(place / "store"):
        yield place / "store"


@pytest.fixture
def opencode(store: Path) -> Iterator[Lines]:
    with lines(store, "--client", "opencode", work=store.parent / "work") as pipe:
        pipe.initialize()
        yield pipe


def recorded(cli, client: str, session: str, prompt: str = "And now?", answer: str = "x") -> None:
    cli("record", "--session", session, "--client", client, stdin=f"{prompt}\n---\n{answer}".encode())


def scored(pipe: Lines, **arguments: object) -> dict[str, Any]:
    return dict(pipe.call(next(REQUESTS), "score_memories", **arguments))


def outcomes(cli) -> dict[str, str]:
    """Of each exchange that was judged, by its session."""
    of = {one["id"]: one["event"]["session"] for one in logged(cli, "exchange-recorded")}
    return {of[one["event"]["exchange"]]: one["event"]["outcome"] for one in logged(cli, "exchange-judged")}


def logged(cli, type: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in cli("log", "--type", type, "--json").out.splitlines()]


def test_the_last_exchange_is_that_of_its_own_session_whoever_said_something_since(cli, opencode):
    recorded(cli, "opencode", "ses-1")
    recorded(cli, "claude-code", "cc-x")
    assert not scored(opencode, outcome="failed").get("isError")
    assert outcomes(cli) == {"ses-1": "failed"}


def test_who_has_no_session_scores_nobodys_exchange(cli, opencode):
    recorded(cli, "claude-code", "cc-x")
    said = scored(opencode, outcome="worked")
    assert said["isError"]
    assert "name memories by their ids instead" in said["content"][0]["text"]
    for session in ("ses-1", "ses-2"):
        recorded(cli, "opencode", session)
    assert scored(opencode, outcome="worked")["isError"], "either may be its own"
    cli("context", "And how is it now?", "--session", "ses-1")
    assert not scored(opencode, outcome="partial").get("isError")
    assert outcomes(cli) == {"ses-1": "partial"}


def shown(cli, client: str, session: str) -> None:
    recorded(cli, client, session)
    assert ADVICE in cli("context", ASKED, "--session", session).out
    recorded(cli, client, session, ASKED, ADVICE)


def test_a_memory_that_was_shown_to_another_client_as_well_is_scored_where_it_was_shown_here(cli, opencode):
    memory = cli("remember", ADVICE, "--json").json["id"]
    shown(cli, "claude-code", "cc-x")
    recorded(cli, "opencode", "ses-1")
    said = scored(opencode, memories={memory: "failed"})["content"][0]["text"]
    assert "a memory is scored where it was shown: search_memory shows it" in said
    shown(cli, "opencode", "ses-1")
    shown(cli, "claude-code", "cc-x")
    assert not scored(opencode, memories={memory: "worked"}, outcome="worked").get("isError")
    assert outcomes(cli) == {"ses-1": "worked"}
    opencode.call(next(REQUESTS), "search_memory", query="indexer")
    assert not scored(opencode, memories={memory: "partial"}).get("isError"), "where it was found"


def test_of_a_prompt_that_was_broken_off_no_earlier_exchange_is_scored(cli, opencode):
    memory = cli("remember", ADVICE, "--json").json["id"]
    shown(cli, "opencode", "ses-1")
    for prompt in ("Restart it at noon", "No, stop that"):
        cli("context", prompt, "--session", "ses-1")
    for memories in ({}, {memory: "failed"}):
        assert scored(opencode, memories=memories, outcome="failed")["isError"]
    assert outcomes(cli) == {}
    assert not scored(opencode, memories={memory: "worked"}).get("isError"), "where it was shown"
    recorded(cli, "opencode", "ses-1", "No, stop that", "Stopped")
    cli("context", "Thanks", "--session", "ses-1")
    assert not scored(opencode, outcome="worked").get("isError")
    (judged,) = logged(cli, "exchange-judged")[-1:]
    told = {one["id"]: one["event"]["answer"] for one in logged(cli, "exchange-recorded")}
    assert told[judged["event"]["exchange"]] == "Stopped"


def test_a_memory_that_another_client_is_just_being_shown_is_scored_where_it_was_shown_here(cli, opencode):
    memory = cli("remember", ADVICE, "--json").json["id"]
    shown(cli, "opencode", "ses-1")
    recorded(cli, "claude-code", "cc-x")
    assert ADVICE in cli("context", ASKED, "--session", "cc-x").out
    assert not scored(opencode, memories={memory: "worked"}, outcome="worked").get("isError")
    assert outcomes(cli) == {"ses-1": "worked"}


def test_nor_does_a_window_of_another_project_matter_that_found_it_since(cli, opencode, store):
    memory = cli("remember", ADVICE, "--global", "--json").json["id"]
    shown(cli, "opencode", "ses-1")
    elsewhere = store.parent / "elsewhere"
    elsewhere.mkdir()
    with lines(store, "--client", "cursor", work=elsewhere) as pipe:
        pipe.initialize()
        assert ADVICE in str(pipe.call(next(REQUESTS), "search_memory", query="indexer"))
    assert not scored(opencode, memories={memory: "worked"}, outcome="worked").get("isError")
    assert outcomes(cli) == {"ses-1": "worked"}


def test_who_has_no_session_says_nothing_of_anothers_exchange_beside_a_memory_either(cli, opencode):
    memory = cli("remember", ADVICE, "--json").json["id"]
    shown(cli, "claude-code", "cc-x")
    said = scored(opencode, memories={memory: "failed"}, outcome="failed")["content"][0]["text"]
    assert "a memory is scored where it was shown: search_memory shows it" in said
    assert outcomes(cli) == {}


def test_what_an_assistant_looks_up_for_a_prompt_is_credited_with_its_exchange(cli, opencode):
    """As in OpenCode, whose one process is the window of all its sessions."""
    memory = cli("remember", ADVICE, "--json").json["id"]
    for session in ("ses-1", "ses-2"):
        recorded(cli, "opencode", session)
    cli("context", "What is slow here?", "--session", "ses-2")
    found = opencode.call(next(REQUESTS), "search_memory", query="indexer catalogue")
    assert [one["id"] for one in found["structuredContent"]["memories"]] == [memory]
    recorded(cli, "opencode", "ses-2", "What is slow here?", ADVICE)
    verdict = cli("score", "worked", "--session", "ses-2", "--json").json
    assert memory in {one["id"] for one in verdict["memories"]}
    assert {one["id"] for one in cli("session", "list", "--json").json} == {"ses-1", "ses-2"}


def test_what_is_looked_up_for_a_wholly_private_prompt_does_not_tell_what_it_was(cli, opencode):
    cli("remember", ADVICE)
    recorded(cli, "opencode", "ses-1")
    for prompt, query in (
        ("<private>Is the catalogue sold?</private>", MARK),
        ("And the indexer?", "indexer catalogue"),
    ):
        cli("context", prompt, "--session", "ses-1")
        opencode.call(next(REQUESTS), "search_memory", query="indexer catalogue")
        assert logged(cli, "context-injected")[-1]["event"]["query"] == query


def test_what_is_held_for_a_session_is_no_other_sessions_of_the_same_window_and_ends_with_it(cli, store):
    with lines(store, "--tools", "coordination", "--client", "opencode", work=store.parent / "work") as pipe:
        pipe.initialize()

        def held(session: str, tool: str, **arguments: object) -> dict[str, Any]:
            cli("context", "Go on", "--session", session)
            said = pipe.call(next(REQUESTS), tool, **arguments)
            recorded(cli, "opencode", session, "Go on")
            return dict(said)

        for session in ("ses-1", "ses-2"):
            recorded(cli, "opencode", session)
        assert not held("ses-1", "claim", action="take", item="parser.py").get("isError")
        (one,) = held("ses-1", "claim", action="list")["structuredContent"]["claims"]
        (another,) = held("ses-2", "claim", action="list")["structuredContent"]["claims"]
        assert (one.get("mine"), another.get("mine")) == (True, None)
        assert held("ses-2", "claim", action="release", item="parser.py")["isError"]
        cli("queue", "add", "Write the changelog")
        assert not held("ses-1", "queue", action="next").get("isError")
        cli("session", "end", "ses-1")
        assert held("ses-2", "claim", action="list")["structuredContent"]["claims"] == []


def test_what_a_window_took_before_its_session_was_told_of_is_given_back_in_it(cli, store):
    """As where the daemon was busy when the prompt came."""
    with lines(store, "--tools", "coordination", "--client", "opencode", work=store.parent / "work") as pipe:
        pipe.initialize()
        took = pipe.call(next(REQUESTS), "claim", action="take", item="parser.py")["structuredContent"]
        pipe.call(next(REQUESTS), "queue", action="add", item="Write the changelog")
        pipe.call(next(REQUESTS), "queue", action="next")
        recorded(cli, "opencode", "ses-1")
        renewed = pipe.call(next(REQUESTS), "claim", action="renew", item="parser.py")["structuredContent"]
        assert (renewed["claims"][0]["fence"], renewed["claims"][0]["mine"]) == (took["claims"][0]["fence"], True)
        assert not pipe.call(next(REQUESTS), "claim", action="release", item="parser.py").get("isError")
        assert not pipe.call(next(REQUESTS), "queue", action="done", item="Write the changelog").get("isError")
        assert pipe.call(next(REQUESTS), "claim", action="release", item="parser.py")["isError"]


@pytest.mark.parametrize("first", ["checkpoint", "search"])
def test_what_a_model_does_after_an_end_is_of_the_next_session(cli, store, first):
    memory = cli("remember", ADVICE, "--json").json["id"]
    with lines(store, "--tools", "project", "--client", "zed", work=store.parent / "work") as pipe:
        pipe.initialize()

        def called(tool: str, **arguments: object) -> dict[str, Any]:
            said = pipe.call(next(REQUESTS), tool, **arguments)
            assert not said.get("isError"), said
            return dict(said["structuredContent"])

        called("session", action="checkpoint", goal="Import the catalogue")
        called("session", action="end")
        if first == "search":
            called("search_memory", query="indexer catalogue")
        begun = called("session", action="checkpoint", goal="Restart the indexer")["session"]
        if first == "checkpoint":
            called("search_memory", query="indexer catalogue")
        called("record_response", prompt=ASKED, response=ADVICE)
        assert [one["id"] for one in called("score_memories", outcome="worked")["memories"]] != []
        assert memory in {one["event"]["memory"] for one in logged(cli, "memory-scored")}
    assert outcomes(cli) == {begun: "worked"}
