"""`why` of a briefing, a prompt, an exchange: what is recorded, what is computed anew, and which is which."""

from __future__ import annotations

import json

import anyio
import pytest
from msgspec import structs

from aftermind import open_memory
from aftermind.cli.language.requests import Search
from aftermind.cli.terminal.tree import Branch, drawn

ASKED = "how are the staging deploys done with make"


def position(cli, type):
    return cli("log", "--type", type).out.splitlines()[-1].split()[0]


@pytest.fixture
def told(cli, place):
    """A briefing of two memories, of which one worked; others said too little, were superseded, or are another
    project's."""
    (place / "other").mkdir()
    words = {
        "best": "staging deploys are done with make staging",
        "good": "production deploys are done with make production",
        "weak": "the staging area is downstairs",
        "old": "staging deploys are done with make old-staging",
    }
    ids = {name: cli("remember", text, "--json").json["id"] for name, text in words.items()}
    cli("remember", "staging deploys are done with make elsewhere", "--project", str(place / "other"))
    ids["new"] = cli("remember", "nothing of the kind", "--supersedes", ids["old"], "--json").json["id"]
    ids["injection"] = cli("context", ASKED, "--session", "s", "--json").json["injection"]
    said = json.dumps({"prompt": ASKED, "answer": "make staging"}).encode()
    ids["exchange"] = cli("record", "--session", "s", "--json", stdin=said).json["id"]
    cli("score", "failed", "--session", "s", "--memory", ids["best"], "--evidence", "it broke")
    cli("score", "worked", "--session", "s", "--memory", ids["best"])
    cli("correct", ids["best"], "staging deploys itself")
    return ids


def test_a_briefing_is_told_with_what_was_left_out_of_it(cli, told):
    found = cli("why", told["injection"], "--json").json
    assert [line["memory"] for line in found["lines"]] == [told["best"], told["good"]]
    assert found["lines"][0]["text"] == "staging deploys are done with make staging"  # as it was worded then
    assert [line["outcome"] for line in found["lines"]] == ["worked", None]
    assert found["exchange"] == told["exchange"]
    again = found["again"]
    assert again["as_shown"] is True
    assert again["position"] == found["position"] - 1
    left = {one["memory"]: one["why"] for one in again["left_out"]}
    assert left == {
        told["weak"]: "says too little of the query",
        told["old"]: f"it is superseded by {told['new']}",
    }
    assert again["elsewhere"] == 1


def test_where_a_prompt_is_what_says_too_little_that_is_the_reason(cli, place):
    assert cli("remember", "Staging listens on port 8081").status == 0
    left = cli("context", "port", "--json").json["left_out"]
    assert [one["why"] for one in left] == ["the query says too little that is not small talk"]


def test_the_picture_says_what_is_recorded_and_what_is_not(cli, told):
    out = cli("why", told["injection"]).out
    assert "|- shown (recorded, " in out
    assert f"1. {told['best']}" in out
    assert "then it worked, by person" in out
    assert "left out (recomputed as of position" in out
    assert "1 memory of other projects, not seen here" in out
    assert "elsewhere" not in out
    assert f"`- exchange {told['exchange']} (recorded)" in out
    recorded = cli("why", told["injection"], "--recorded").out
    assert "recomputed" not in recorded
    assert "what was left out is not told: not asked for" in recorded


def test_a_score_that_is_otherwise_when_it_is_asked_again_is_told_beside_the_recorded_one(cli, told):
    """Nobody had loaded a model then; what was left out is compared by it."""
    found = cli("why", told["injection"], "--json").json
    recorded, again = (tree["lines"][0]["score"] for tree in (found, found["again"]))
    assert f"{recorded:.2f}" != f"{again:.2f}"
    assert f"1. {told['best']} {recorded:.2f} (asked again {again:.2f})" in cli("why", told["injection"]).out
    assert "asked again" not in cli("why", told["injection"], "--recorded").out


def test_a_prompt_and_a_position_lead_to_their_briefing(cli, told):
    whole = cli("why", told["injection"], "--json").json
    assert cli("why", whole["prompt"], "--json").json == whole
    assert cli("why", position(cli, "context-injected"), "--json").json == whole
    cli("context", "what about lunch", "--session", "s")
    out = cli("why", position(cli, "prompt-received")).out
    assert "nothing was shown (recorded)" in out
    cli("context", "--session", "s9")
    assert "a session began with it" in cli("why", position(cli, "context-injected")).out


def test_an_exchange_is_told_with_every_verdict_on_it(cli, told):
    whole = cli("why", told["exchange"], "--json").json
    assert [(one["outcome"], one["stands"]) for one in whole["verdicts"]] == [("failed", False), ("worked", True)]
    assert whole["verdicts"][0]["evidence"] == "it broke"
    assert whole["verdicts"][1]["memories"] == {told["best"]: "worked"}
    out = cli("why", told["exchange"]).out
    assert "failed, by person, on the words “it broke” (was replaced)" in out
    assert "(stands)" in out
    verdict = position(cli, "exchange-judged")
    assert cli("why", verdict, "--json").json["id"] == whole["id"]
    assert cli("why", position(cli, "memory-corrected"), "--json").json["id"] == told["best"]


def test_what_was_forgotten_is_not_told(cli, told):
    cli("forget", "--yes", told["good"])
    found = cli("why", told["injection"], "--json")
    assert "production" not in found.out
    if found.status == 0:
        assert [line["text"] for line in found.json["lines"]] == ["staging deploys are done with make staging", ""]


@pytest.mark.parametrize(("id", "said"), [("99999", "no event"), ("0", "no event"), ("f" * 32, "no memory")])
def test_what_is_not_there_is_said(cli, told, id, said):
    found = cli("why", id)
    assert found.status == 3
    assert said in found.err


def test_a_session_is_told_by_another_command(cli, told):
    session = cli("session", "list", "--json").json[0]["id"]
    found = cli("why", session)
    assert found.status == 3
    assert f"`aftermind session show {session}`" in found.err
    assert "aftermind search" in cli("why", "mnothing").err


def test_an_event_that_is_about_none_of_these_is_named(cli, told):
    found = cli("why", position(cli, "project-seen"))
    assert found.status == 3
    assert "that is a project-seen" in found.err


def test_a_tree_is_as_wide_as_it_may_be():
    tree = [Branch("one", (Branch("two " * 10, (Branch("three"),)), Branch("four"))), Branch("five")]
    assert list(drawn(tree, None))[1] == "|  |- " + "two " * 9 + "two"
    lines = list(drawn(tree, 30))
    assert max(map(len, lines)) <= 30
    assert lines[0] == "|- one"
    assert [line.strip("|` -") for line in lines].count("five") == 1
    deep = Branch("end")
    for _ in range(30):
        deep = structs.replace(Branch("x"), below=(deep,))
    assert len(list(drawn([deep], 40))) == 31


def test_what_was_asked_for_by_its_id_is_no_session_s_beginning(cli, place):
    kept = cli("remember", "walruses sleep on port 4000", "--json").json["id"]

    async def shown() -> str:
        async with open_memory(place / "store") as memory:
            found = await memory.ask(Search(session="s", ids=(kept,), project=str(place / "work"), client="x"))
        assert found.injection is not None
        return found.injection

    out = cli("why", anyio.run(shown)).out
    assert "what was asked for without words" in out
    assert "begins" not in out
    assert "it was asked for without words, which nothing was looked up for" in out
