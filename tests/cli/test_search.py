"""`search`: the best answers or the newest memories, a line each; filters, scopes, and what it says of nothing."""

from __future__ import annotations

import json
import re

import pytest

from aftermind.cli.commands.search import NEWEST

TEXT = "We deploy the billing service with make deploy"
EXCHANGE = b'{"prompt": "how do we deploy the billing service?", "answer": "make deploy", "id": "msg-1"}'


def remembered(cli, text=TEXT, *options):
    return cli("remember", text, "--json", *options).json["id"]


def recorded(cli, *options, stdin=EXCHANGE):
    return cli("record", "--json", *options, stdin=stdin).json


def test_remember_supersedes_and_the_old_one_is_found_in_history_alone(cli):
    old = remembered(cli)
    said = cli("remember", "We deploy the billing service with just deploy", "--supersedes", old)
    assert f"takes the place of {old}" in said.out
    assert old not in cli("search", "deploy billing service").out
    assert old in cli("search", "deploy billing service", "--history").out


def test_what_is_over_by_its_time_is_offered_where_nothing_else_answers(cli):
    over = remembered(cli, "The freeze holds for ops", "--valid-until", "2 days ago")
    assert "`--history` shows that" in cli("search", "freeze", "ops").out
    assert over in cli("search", "freeze", "ops", "--history").out
    assert "--history" not in cli("search", "submarine").out


def test_what_took_the_place_is_told_where_only_what_was_replaced_answers(cli):
    oldest = remembered(cli, "The CI runs on Jenkins")
    older = remembered(cli, "The CI is a Concourse of our own", "--supersedes", oldest)
    newest = remembered(cli, "Pipelines are GitHub Actions now", "--supersedes", older)
    said = cli("search", "where does Jenkins run").out
    assert f"In the place of {oldest}, {newest} says now: Pipelines are GitHub Actions now\n" in said
    assert "`--history` shows that" in said
    assert "says now" in cli("search", "where does Jenkins run", "--all").out
    cli("archive", newest)
    said = cli("search", "where does Jenkins run").out
    assert "says now" not in said
    assert "`--history` shows that" in said
    cli("correct", newest := remembered(cli, "The cellar holds ninety barrels"), "The cellar holds a hundred casks")
    assert f"\n{newest} says now: The cellar holds a hundred casks\n" in cli("search", "ninety barrels").out


def test_plain_words_say_nothing_of_a_prompt_and_are_what_is_looked_for(cli):
    memory = remembered(cli, "Release checklist: tag, build, push the images")
    assert cli("context", "run the release", "--json").json["memories"] == []
    assert memory in cli("search", "release").out


def test_a_newer_value_takes_the_place_by_itself_and_the_older_one_is_found_by_its_time(cli):
    old = remembered(cli, "Staging listens on port 8080", "--kind", "configuration")
    said = cli("remember", "Staging now listens on port 8081", "--kind", "configuration")
    assert f"It takes the place of {old}, which stays in history" in said.out
    assert "8080" not in cli("search", "staging", "port").out
    assert "`--history` shows that" in cli("search", "8080").out
    assert "--history" not in cli("search", "zebras").out
    assert "(superseded)" in cli("search", "staging", "port", "--history").out
    assert "8081" in cli("search", "staging", "port", "--at", "today").out
    assert "8080" not in cli("search", "--at", "today").out
    assert "8081" not in cli("search", "staging", "port", "--at", "yesterday").out
    error = cli("search", "staging", "--at", "12").err
    assert "a position, where a time is asked for" in error


def test_why_tells_of_a_newer_value_by_what_it_took_the_place_and_how_both_are_kept(cli):
    old = remembered(cli, "Staging listens on port 8080", "--kind", "configuration")
    new = remembered(cli, "Staging now listens on port 8081", "--kind", "configuration")
    step = cli("why", new, "--json").json["steps"][-1]["what"]
    assert f"took the place of {old} (" in step
    assert "both are about “port staging”" in step
    undo = re.search(r"`aftermind (undo \d+)` keeps both", step)
    cli(*undo[1].split())
    found = cli("search", "staging", "port", "--json").json
    assert {one["memory"]["id"] for one in found} == {old, new}
    assert "took the place" not in cli("why", new).out


def test_search_prints_one_plain_line_a_hit_into_a_pipe_and_show_the_whole_text(cli):
    id = remembered(cli, f"{TEXT} {'and waits ' * 30}until it is up")
    found = cli("search", "deploy", "billing", "service")
    heading, row = found.out.splitlines()
    assert heading.split() == ["SCORE", "ID", "COLLECTION", "TEXT"]
    assert row.split()[1] == id
    assert row.endswith("…")
    assert len(row[row.index("We deploy") :]) <= 200
    assert cli("show", id).out.endswith("until it is up\n")


def test_search_tells_how_a_memory_did_where_it_was_judged(cli):
    refuted = recorded(cli)["memory"]
    untried = remembered(cli)
    assert "RECORD" not in cli("search", "deploy", "billing").out
    cli("score", "--memory", f"{refuted}=failed")
    heading, *rows = cli("search", "deploy", "billing").out.splitlines()
    assert heading.split() == ["SCORE", "ID", "COLLECTION", "RECORD", "TEXT"]
    told = {row.split()[1]: row for row in rows}
    assert "  failed 1 of 1  how do we deploy" in told[refuted]
    assert "judged" not in told[untried]
    assert "failed 1 of 1" in cli("search").out


def test_search_shows_of_an_exchange_the_question_and_the_answer(cli):
    long = {"prompt": "how do we ship the parcels? " + "so " * 200, "answer": "with make ship " + "now " * 200}
    recorded(cli, stdin=json.dumps(long).encode())
    recorded(cli)
    assert "how do we deploy the billing service? → make deploy\n" in cli("search", "billing").out
    text = cli("search", "ship", "parcels").out.splitlines()[1].partition("working")[2].strip()
    assert re.fullmatch(r"how do we ship the parcels\? (so )+s?o?… → with make ship (now )+n?o?w?…", text)
    assert len(text) <= 200


def test_search_shows_the_part_of_a_long_memory_that_says_it(cli):
    remembered(cli, "The harbour opens at seven and the quarry at nine. " * 30 + "Roll the ledger back with make undo.")
    said = cli("search", "roll", "ledger", "back").out
    assert "…The harbour" in said
    assert "Roll the ledger back with make undo." in said
    assert cli("search", "harbour").out.split("memory_bank")[1].strip().startswith("The harbour")


def test_search_without_words_lists_the_newest_first(cli):
    ids = [remembered(cli, f"thing number {number}", "--tag", f"t{number}") for number in range(3)]
    assert [row.split()[2] for row in cli("search").out.splitlines()[1:]] == ids[::-1]
    assert [memory["id"] for memory in cli("search", "--limit", "2", "--json").json] == ids[:0:-1]
    assert [memory["id"] for memory in cli("search", "--tag", "t1", "--json").json] == [ids[1]]
    assert cli("search", "--kind", "plan").out == "There is no such memory here.\n"
    assert cli("search", "--global").out == "There are no memories here yet.\n"


def test_search_without_words_says_when_there_are_more_than_it_lists(cli):
    for number in range(NEWEST):
        remembered(cli, f"thing number {number}")
    assert "more than these" not in cli("search").out
    remembered(cli, "one thing more")
    said = cli("search").out.splitlines()
    assert (len(said), said[-1]) == (1 + NEWEST + 1, "There are more than these 20: `--limit N` shows so many.")
    assert len(cli("search", "--json").json) == NEWEST
    for limit in ("5", "30"):
        assert "more than these" not in cli("search", "--limit", limit).out


def test_search_with_words_and_a_tag_finds_only_what_has_it(cli):
    remembered(cli, "We deploy the billing service on Mondays", "--tag", "ci")
    id = remembered(cli, TEXT, "--tag", "ops")
    assert [hit["id"] for hit in cli("search", "deploy billing", "--tag", "ops", "--json").json] == [id]
    assert len(cli("search", "deploy billing", "--tag", "ops", "--tag", "ci", "--json").json) == 2
    assert len(cli("search", "deploy billing", "--tag", "ops", "--tag", "ci", "--limit", "1", "--json").json) == 1


@pytest.mark.parametrize("words", ["", "???", "what is that"])
def test_search_says_when_only_common_words_were_asked(cli, words):
    remembered(cli)
    assert "only common words or signs" in cli("search", words).out
    assert cli("search", words, "--json").json == []


def test_search_as_json_has_id_and_text_on_top_and_respects_its_filters(cli):
    id = remembered(cli)
    (hit,) = cli("search", "deploy billing service", "--json").json
    assert (hit["id"], hit["text"], hit["rank"]) == (id, TEXT, 1)
    assert cli("search", "deploy billing service", "--kind", "plan", "--json").json == []
    assert cli("search", "deploy billing service", "--collection", "books", "--json").json == []


def test_search_says_when_nothing_is_relevant_and_all_shows_the_weak(cli):
    remembered(cli)
    query = ("search", "service", "zebra", "quantum", "violin", "harbour", "lantern")
    assert cli(*query).out.startswith("Nothing is relevant")
    assert TEXT in cli(*query, "--all").out
    assert cli("search", "zebra", "--all").out == "Nothing has a word in common with that.\n"


def test_where_nothing_is_relevant_a_person_is_shown_what_is_nearest_and_a_program_nothing(cli):
    for service in ("billing", "search", "mail", "login"):
        remembered(cli, f"The {service} service has an owner")
    remembered(cli, "Nothing but frogs")
    query = ("search", "service", "zebra", "quantum", "violin", "harbour", "lantern")
    told = cli(*query).out
    assert told.startswith("Nothing is relevant to that for certain. This is nearest")
    assert told.count("service has an owner") == 3
    assert "frogs" not in told
    assert cli(*query, "--limit", "1").out.count("service has an owner") == 1
    assert cli(*query, "--kind", "plan").out == "Nothing is relevant to that. `--all` shows the weak matches too.\n"
    assert cli(*query, "--json").json == []
    assert len(cli(*query, "--all", "--json").json) == 4


def test_what_is_global_is_seen_everywhere_and_a_project_sees_no_other(cli):
    shared = remembered(cli, TEXT, "--global")
    mine = remembered(cli, "We deploy the billing service on Mondays", "--project", "alpha")
    ids = {hit["id"] for hit in cli("search", "deploy billing service", "--project", "alpha", "--json").json}
    assert ids == {shared, mine}
    assert [hit["id"] for hit in cli("search", "deploy billing service", "--json").json] == [shared]


def test_what_contradicts_what_is_found_is_told_below_it(cli):
    locked = remembered(cli, "The release day is Tuesday", "--locked")
    newer = remembered(cli, "The release day is Thursday")
    said = cli("search", "release", "day").out
    assert f"{newer} contradicts {locked}." in said
    assert f"{locked} contradicts {newer}." in said


def test_of_a_time_in_which_nothing_was_done_that_is_told(cli):
    remembered(cli)
    assert re.search(
        r"Nothing is kept of \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\.", cli("search", "what did we do last week").out
    )
    assert re.search(r"Nothing is kept of \d{4}-\d\d-\d\d\.\n", cli("search", "what did we do yesterday").out)


def test_a_tag_is_a_filter_and_what_has_none_takes_no_place(cli):
    """A hundred and ten memories say or mean more of it."""
    tagged = remembered(cli, "The kiwi harbour has an automobile ferry", "--tag", "boats")
    for number in range(110):
        remembered(cli, f"The harbour ferry number {number} leaves the harbour")
    found = cli("search", "harbour", "ferry", "--tag", "boats", "--json").json
    assert [hit["memory"]["id"] if "memory" in hit else hit["id"] for hit in found] == [tagged]
    assert cli("search", "harbour", "ferry", "--tag", "none", "--json").json == []


def test_history_says_what_is_not_so_yet_and_what_is_over(cli):
    cli("remember", "Lynx gateway uses port 7001", "--kind", "configuration")
    cli("remember", "Lynx gateway uses port 7002", "--kind", "configuration", "--valid-from", "2101-12-01")
    cli("remember", "Lynx gateway uses a Sun", "--valid-until", "2001-12-01")
    rows = {
        row.split("  ")[-1].strip(): row for row in cli("search", "lynx gateway", "--history", "--all").out.splitlines()
    }
    assert ["memory_bank (not yet)" in rows[f"Lynx gateway uses port {port}"] for port in (7001, 7002)] == [False, True]
    assert "memory_bank (over)" in rows["Lynx gateway uses a Sun"]


def test_stats_say_of_what_nothing_was_said_and_that_a_memory_took_anothers_place(cli):
    old = remembered(cli, "The lantern is red")
    assert "scored    no memory yet\n" in cli("stats").out
    remembered(cli, "The beacon is green", "--supersedes", old)
    assert "corrected, or in another's place  1 memory, shown 0 times since" in cli("stats").out


def test_pages_are_said_to_be_where_they_are(cli, place):
    remembered(cli)
    assert f"to {place / 'pages'};" in cli("export", "--markdown", "../pages").out
