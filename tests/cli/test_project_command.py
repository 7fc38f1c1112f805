"""The command `project`: who sees whom, and which project a folder is."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest


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


QUUX = b'{"session": "s", "prompt": "what is the quux?", "answer": "5"}'


def repository(folder):
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


@pytest.mark.parametrize(
    ("words", "stdin", "search"),
    [
        (["remember", "The quux is 5"], b"", True),
        (["record"], QUUX, True),
        (["blocker", "add", "The quux is 5 and wrong"], b"", True),
        (["directive", "add", "The quux is always 5"], b"", True),
        (["ingest", "quux.md"], b"", True),
        (["import", "quux.jsonl"], b"", True),
        (["queue", "add", "the quux"], b"", False),
        (["checkpoint", "--goal", "the quux"], b"", False),
        (["claim", "take", "the quux"], b"", False),
        (["session", "start", "s"], b"", False),
        (["remind", "look at the quux", "--on", "+2h"], b"", True),
        (["pause"], b"", False),
    ],
)
def test_a_name_that_nobody_knows_is_the_repository_one_is_in_where_it_is_called_so(cli, place, words, stdin, search):
    with chdir(repository(place / "Shop")):
        Path("quux.md").write_text("# The quux\n\nThe quux is 5, in every release of the shop.\n")
        Path("quux.jsonl").write_bytes(QUUX + b"\n")
        ran = cli(*words, "--project", "shop", stdin=stdin)
        assert (ran.status, "new project" in ran.out, "another project" in ran.out) == (0, False, False), ran.err
        (mine,) = cli("project", "list", "--json").json
        assert mine["id"] == cli("project", "show", "--json").json["id"]
        assert bool(cli("search", "quux", "--json").json) is search
    assert cli("project", "show", "SHOP", "--json").json["id"] == mine["id"], "from elsewhere too"


def test_exported_events_that_are_filed_under_the_repositorys_name_are_seen_in_it(cli, place):
    cli("remember", "The quux is 5", "--project", "blog")
    cli("export", str(place / "blog.jsonl"))
    for store, known in (("empty", False), ("used", True)):
        with chdir(repository(place / store / "shop")):
            home = ("--home", str(place / f"store-{store}"))
            if known:
                cli("remember", "A note of somewhere", "--project", "else", *home)
            assert cli("import", str(place / "blog.jsonl"), "--scope", "shop", *home).status == 0
            assert [one["text"] for one in cli("search", "quux", "--json", *home).json] == ["The quux is 5"]


def test_a_name_that_is_known_or_not_the_repositorys_own_means_what_it_did(cli, place):
    cli("remember", "The quux is 3", "--project", "shop")
    with chdir(repository(place / "shop")):
        said = cli("remember", "The quux is 4", "--project", "shop").out
        assert "is another project: `--project .`" in said
        assert cli("search", "quux", "--json").json == []
        assert "another project" not in cli("remember", "The quux is 6", "--project", "blog").out
        assert "another project" not in cli("remember", "The quux is 7").out
        (place / "shop" / "docs").mkdir()
        with chdir("docs"):
            assert "“docs” is a new project" in cli("remember", "The quux is 8", "--project", "docs").out
            assert "is another project: `--project .`" in cli("remember", "The quux is 9", "--project", "shop").out
    (place / "plain").mkdir()
    with chdir(place / "plain"):
        said = cli("remember", "The quux is 5", "--project", "plain").out
        assert "“plain” is a new project" in said
        assert "is another project: `--project .`" in said
        assert cli("search", "quux", "--json").json == []
    names = sorted(one["name"] for one in cli("project", "list", "--json").json)
    assert names == ["blog", "docs", "plain", "shop", "shop"]
