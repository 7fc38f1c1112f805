"""The command `blocker`: what stands in the way, on one line each, and what showed that it does no more."""

from __future__ import annotations


def test_a_list_of_blockers_stays_a_list_whatever_showed_that_they_are_over(cli):
    first = cli("blocker", "add", "The quota is used up", "--on", "#412", "--json").json["id"]
    cli("blocker", "add", "The gate is closed, see !12")
    evidence = "the quota was raised " * 40
    assert cli("blocker", "resolve", "#412", "--evidence", evidence).status == 0
    assert cli("blocker", "list", "--on", "ticket 12").out == ""  # a number alone is no merge request
    assert first not in cli("blocker", "list").out
    listed = cli("blocker", "list", "--resolved").out.splitlines()
    assert len(listed) == 3
    assert all(len(line) < 160 for line in listed)
    assert "resolved: the quota was raised" in listed[2]
    assert evidence.strip() in cli("blocker", "list", "--resolved", "--json").json[1]["how"]


def test_a_blocker_that_is_not_there_is_not_found_and_the_list_is_named(cli):
    cli("remember", "The quota is 10,000")
    nothing = cli("blocker", "resolve", "#99", "--evidence", "closed")
    assert (nothing.status, "no open blocker" in nothing.err) == (3, True)
    assert "`aftermind blocker list --resolved` shows" in nothing.err
    never = cli("blocker", "reopen", "#99")
    assert (never.status, "`aftermind blocker list` shows" in never.err) == (3, True)
    other = cli("blocker", "add", "The quota is used up", "--on", "#412", "--json").json["id"]
    assert other in cli("blocker", "resolve", "#99", "--evidence", "closed").err
