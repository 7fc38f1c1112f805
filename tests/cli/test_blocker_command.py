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
