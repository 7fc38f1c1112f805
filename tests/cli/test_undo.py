"""undo, through the real command."""

from __future__ import annotations

from tests.cli.test_commands import TEXT, remembered


def test_the_last_thing_is_undone_and_the_list_says_what_can_be(cli):
    id = remembered(cli)
    cli("correct", id, "We deploy by hand")
    listed = cli("undo", "--list", "--json").json
    assert (listed[0]["memory"], listed[0]["why_not"]) == (id, "")
    said = cli("undo").out
    assert said.startswith(f"Undid {listed[0]['position']} of {id}: corrected: ")
    assert cli("show", id, "--json").json["text"] == TEXT
    assert "undone already" in cli("undo", str(listed[0]["position"])).out
    again = said.split("`")[1]
    assert f"(it is undone; `{again}` undoes that)" in cli("undo", "--list").out
    again = said.split("`")[1].split()
    said = cli(*again[1:])
    assert said.status == 0
    assert cli("show", id, "--json").json["text"] == "We deploy by hand"
    assert cli(*said.out.split("`")[1].split()[1:]).status == 0
    undone = [one for one in cli("undo", "--list").out.splitlines() if "it is undone" in one]
    for line in undone:  # also of what was undone a second time
        assert cli(*line.split("`")[1].split()[1:]).status == 0
    assert cli("show", id, "--json").json["text"] == "We deploy by hand"


def test_it_is_the_last_thing_of_here_and_not_of_another_project(cli, place, tmp_path):
    id = remembered(cli)
    other = tmp_path / "other"
    other.mkdir()
    there = cli("remember", "the other one says so", "--project", str(other), "--json").json["id"]
    assert [one["memory"] for one in cli("undo", "--list", "--json").json] == [id]
    listed = cli("undo", "--list", "--all").out
    assert there in listed
    assert "PROJECT" in listed
    assert f" of {id}: recorded" in cli("undo").out
    assert cli("undo").status == 4
    assert cli("show", there, "--json").json["status"] == "live"
    assert f" of {there}: recorded" in cli("undo", "--project", str(other)).out
    assert cli("undo", "--all", "--global").status == 2
    told = cli("why", id).out
    assert "archived, by undoing" in told
    assert "(undone)" not in told


def test_what_came_after_a_statement_is_undone_first_and_what_is_archived_was_not_undone(cli):
    id = remembered(cli)
    number = str(cli("undo", "--list", "--json").json[0]["position"])
    cli("correct", id, "We deploy by hand")
    refused = cli("undo", number)
    assert (refused.status, "it was corrected after that" in refused.err) == (4, True)
    cli("undo")
    cli("archive", id)
    refused = cli("undo", number)
    assert (refused.status, f"{id} is archived, which is all" in refused.err) == (4, True)
    assert "it is undone" not in [
        one["why_not"] for one in cli("undo", "--list", "--json").json if one["position"] == int(number)
    ]
    cli("restore", id)
    assert cli("undo", number).status == 0
    cli("forget", id, "--yes")
    refused = cli("undo", number)
    assert (refused.status, "what was forgotten is gone" in refused.err) == (4, True)


def test_what_cannot_be_undone_ends_with_the_reason(cli):
    id = remembered(cli)
    cli("forget", id, "--yes")
    number = cli("undo", "--list", "--json").json[0]["position"]
    failed = cli("undo", str(number))
    assert failed.status == 4
    assert "what was forgotten is gone" in failed.err
    assert cli("undo", "--list", str(number)).status == 2
    assert cli("undo", "999999").status == 3


def test_what_was_before_a_forgetting_is_not_taken_back_unasked(cli, place):
    kept = cli("remember", "The deploy key is in the vault", "--json").json["id"]
    gone = cli("remember", "The ferry leaves at noon", "--json").json["id"]
    assert cli("forget", gone, "--yes").status == 0
    refused = cli("undo")
    assert refused.status == 4
    assert "the last thing here was a forgetting" in refused.err
    assert "takes back what was before: recorded as fact" in refused.err
    (place / "runbook.md").write_text("# Runbook\n\nDeploy with make deploy.\n")
    assert cli("ingest", str(place / "runbook.md")).status == 0
    assert cli("remove", cli("books", "--json").json[0]["id"], "--yes").status == 0
    assert "`aftermind ingest` takes it in again" in cli("undo").err
    assert cli("ingest", str(place / "runbook.md")).status == 0
    assert "the last thing here was a forgetting" in cli("undo").err
    cli("remember", "The lighthouse is red")
    assert "recorded as fact" in cli("undo").out
    assert kept in cli("search", "deploy", "key").out


def test_who_would_take_back_the_removal_of_what_onboard_read_is_told_to_onboard_again(cli, place):
    (place / "shop").mkdir()
    (place / "shop" / "Makefile").write_text("db: ## Start the database\n\ttrue\n")
    assert cli("onboard", str(place / "shop")).status == 0
    assert cli("remove", str(place / "shop" / "Makefile"), "--yes").status == 0
    assert "`aftermind onboard` takes it in again" in cli("undo", "--all").err
