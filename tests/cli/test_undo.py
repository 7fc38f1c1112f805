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
    assert "it is undone" in cli("undo", "--list").out
    again = said.split("`")[1].split()
    assert cli(*again[1:]).status == 0
    assert cli("show", id, "--json").json["text"] == "We deploy by hand"


def test_what_cannot_be_undone_ends_with_the_reason(cli):
    id = remembered(cli)
    cli("forget", id, "--yes")
    number = cli("undo", "--list", "--json").json[0]["position"]
    failed = cli("undo", str(number))
    assert failed.status == 4
    assert "what was forgotten is gone" in failed.err
    assert cli("undo", "--list", str(number)).status == 2
    assert cli("undo", "999999").status == 3
