"""The command `project`: who sees whom, and which project a folder is."""

from __future__ import annotations


def test_projects_are_listed_shared_and_unshared(cli, place):
    cli("remember", "the zebra of the shop", "--project", "shop")
    cli("remember", "the zebra of billing", "--project", "billing")
    assert [one["name"] for one in cli("project", "list", "--json").json] == ["billing", "shop"]
    assert "shop sees the memories of billing;" in cli("project", "share", "billing", "--project", "shop").out
    assert "already" in cli("project", "share", "billing", "--project", "shop").out
    assert len(cli("search", "zebra", "--project", "shop", "--json").json) == 2
    assert len(cli("search", "zebra", "--project", "billing", "--json").json) == 1
    shown = cli("project", "show", "billing")
    assert "is seen by shop" in shown.out
    assert "billing" in cli("project", "list").out
    events = cli("log", "--type", "project-shared").out
    assert "also sees the memories" in events
    position = events.splitlines()[-1].split()[0]
    assert "unshare" in cli("undo", position).err
    assert "any more" in cli("project", "unshare", "billing", "--project", "shop").out
    assert len(cli("search", "zebra", "--project", "shop", "--json").json) == 1
    assert cli("project", "share", "nobody", "--project", "shop").status == 3
    assert (cli("project", "show", "nobody").status, cli("project", "show", "nobody").out) == (3, "")


def test_a_folder_is_said_to_be_a_project_that_is_known(cli, place):
    (place / "old").mkdir()
    cli("remember", "the zebra is striped", "--project", str(place / "old"))
    (place / "old").rename(place / "new")
    assert cli("search", "zebra", "--project", str(place / "new"), "--json").json == []
    assert "is old from now on" in cli("project", "join", "old", "--project", str(place / "new")).out
    assert len(cli("search", "zebra", "--project", str(place / "new"), "--json").json) == 1


def test_a_folder_of_which_nothing_was_kept_yet_may_see_another_project(cli, place):
    cli("remember", "Emus build with bazel", "--project", "birds")
    (place / "new").mkdir()
    said = cli("project", "share", "birds", "--project", str(place / "new"))
    assert "new sees the memories of birds" in said.out
    assert "bazel" in cli("search", "emus", "--project", str(place / "new")).out
    assert cli("project", "share", "birds", "--project", "nobody").status == 3
