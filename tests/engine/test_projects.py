"""Which project is this: aliases, the strongest first, and what makes two places one project."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.names import ProjectId
from aftermind.engine.projects import (
    Place,
    aliases,
    display_name,
    former_aliases,
    known_project,
    new_project,
    plain_remote,
    same_by_both,
)


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("https://github.com/owner/repo.git", "github.com/owner/repo"),
        ("https://github.com/owner/repo", "github.com/owner/repo"),
        ("https://github.com/owner/repo/", "github.com/owner/repo"),
        ("http://git.example.org:8080/a/b/c.git", "git.example.org:8080/a/b/c"),
        ("https://GitHub.com/Owner/Repo.git", "github.com/owner/repo"),
        ("https://user:password@github.com/owner/repo.git", "github.com/owner/repo"),
        ("https://token@github.com/owner/repo.git", "github.com/owner/repo"),
        ("ssh://git@github.com/owner/repo.git", "github.com/owner/repo"),
        ("ssh://git@github.com:22/owner/repo.git", "github.com/owner/repo"),
        ("git+ssh://git@github.com/owner/repo.git", "github.com/owner/repo"),
        ("git://github.com/owner/repo.git", "github.com/owner/repo"),
        ("git@github.com:owner/repo.git", "github.com/owner/repo"),
        ("git@github.com:/owner/repo.git", "github.com/owner/repo"),
        ("github.com:owner/repo", "github.com/owner/repo"),
        ("  git@github.com:owner/repo.git\n", "github.com/owner/repo"),
        ("https://[2001:db8::1]:8443/owner/repo.git", "[2001:db8::1]:8443/owner/repo"),
        ("https://user@github.com:443/owner/repo", "github.com/owner/repo"),
        ("http://localhost:3000/me/app.git", "localhost:3000/me/app"),
        ("ssh://alice@host:22/~/app.git", "host/~alice/app"),
        ("ssh://alice@host/~bob/app.git", "host/~bob/app"),
        ("ssh://host/~/app.git", "host/~/app"),
        ("ssh://alice@host/srv/app.git", "host/srv/app"),
        ("ssh://alice@host:x/srv/app.git", "host/srv/app"),
        ("alice@host:app.git", "host/~alice/app"),
        ("alice@host:~/app.git", "host/~alice/app"),
        ("alice@host:~bob/app.git", "host/~bob/app"),
        ("alice@host:/srv/app.git", "host/srv/app"),
        ("https://github.com/", ""),
        ("/srv/git/repo.git", ""),
        ("./repo.git", ""),
        ("../repo", ""),
        ("~/repo", ""),
        ("file:///srv/git/repo.git", ""),
        ("file://server/git/repo.git", ""),
        ("C:\\work\\repo", ""),
        ("C:/home/ada/repo", ""),
        ("\\\\server\\share\\repo", ""),
        ("", ""),
    ],
)
def test_a_remote_is_known_by_host_owner_and_name(url: str, plain: str) -> None:
    assert plain_remote(url) == plain


def test_aliases_come_the_strongest_first() -> None:
    place = Place(
        directory="/home/ada/repo",
        git_folder="/home/ada/repo/.git",
        remotes=("git@github.com:me/fork.git", "https://github.com/owner/repo", "/srv/mirror.git"),
    )
    assert aliases(place) == (
        "remote:github.com/me/fork",
        "remote:github.com/owner/repo",
        "git:/home/ada/repo/.git",
        "path:/home/ada/repo",
    )


def test_a_name_somebody_gave_is_all_it_is_known_by() -> None:
    assert aliases(Place(name=" Billing ", directory="/home/ada/repo")) == ("name:billing",)


def test_two_spellings_of_one_remote_are_one_alias() -> None:
    place = Place(remotes=("git@github.com:owner/repo.git", "https://github.com/Owner/Repo"))
    assert aliases(place) == ("remote:github.com/owner/repo",)


def test_the_same_remote_in_two_paths_is_one_project() -> None:
    here = aliases(Place(directory="/a", git_folder="/a/.git", remotes=("git@github.com:owner/repo.git",)))
    there = aliases(Place(directory="/b", git_folder="/b/.git", remotes=("https://token@github.com/owner/repo",)))
    known = dict.fromkeys(here, new_project(here))
    assert known_project(there, known) == new_project(here) == new_project(there)


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("ssh://alice@host/~/app.git", "ssh://bob@host/~/app.git"),
        ("http://localhost:3000/me/app.git", "http://localhost:4000/me/app.git"),
    ],
)
def test_a_project_of_an_earlier_build_is_known_in_its_folder_and_takes_in_no_other(here: str, there: str) -> None:
    """It was known by a remote without port or user."""
    place = Place(directory="/a", git_folder="/a/.git", remotes=(here,))
    (former,) = former_aliases(place)
    known = dict.fromkeys([former, "git:/a/.git", "path:/a"], ProjectId("p1"))
    assert known_project(aliases(place), known, former_aliases(place)) == "p1"
    other = Place(directory="/b", git_folder="/b/.git", remotes=(there,))
    assert known_project(aliases(other), known, former_aliases(other)) is None
    now = dict.fromkeys(aliases(place), ProjectId("p1"))
    assert known_project(aliases(other), now, former_aliases(other)) is None
    reused = Place(directory="/a", git_folder="/a/.git", remotes=(there,))
    assert known_project(aliases(reused), now, former_aliases(reused)) is None, "the folder holds another one"


def test_what_is_written_as_before_has_no_other_spelling() -> None:
    assert former_aliases(Place(remotes=("git@github.com:me/app.git", "https://github.com/owner/repo"))) == ()
    assert former_aliases(Place(name="billing")) == ()


def test_a_worktree_is_its_repository_and_a_reused_folder_with_another_remote_is_known_by_the_remote() -> None:
    known = {"git:/a/.git": ProjectId("p1"), "path:/b": ProjectId("p2"), "remote:h/o/r": ProjectId("p3")}
    assert known_project(aliases(Place(directory="/b", git_folder="/a/.git")), known) == "p1"
    assert known_project(aliases(Place(directory="/b", remotes=("https://h/o/r",))), known) == "p3"
    assert known_project(aliases(Place(directory="/c")), known) is None


@pytest.mark.parametrize(
    ("mine", "theirs", "same"),
    [
        ("path:/a", "path:/a", None),
        ("git:/a/.git root:1", "git:/a/.git", None),
        ("git:/a/.git root:1", "git:/a/.git remote:h/o/r", None),
        ("git:/a/.git root:1", "git:/a/.git root:2", False),
        ("git:/a/.git root:1 root:2", "git:/a/.git root:2 root:3", True),
        ("remote:h/o/r root:1", "remote:h/o/r root:2", True),  # one is shallow
        ("remote:h/o/r git:/a/.git", "remote:h/o/x git:/a/.git", False),
        ("remote:h/o/r root:1", "remote:h/o/x root:1", False),  # of one template
        ("remote:h/o/r root:1", "remote:h/me/r root:1", True),  # a fork
        ("remote:h/o/r", "remote:h/me/r", False),
        ("remote:h/o/r root:1", "git:/a/.git root:1", True),
        ("remote:h/o/r root:1", "git:/a/.git root:2", False),
        ("name:billing", "name:billing", True),
        ("name:billing root:1", "name:billing root:2", False),
    ],
)
def test_what_two_stores_know_by_one_id_is_the_same_another_or_untold(mine: str, theirs: str, same: bool | None):
    assert same_by_both(mine.split(), theirs.split()) is same
    assert same_by_both(theirs.split(), mine.split()) is same


def test_a_project_is_called_by_its_name_its_remote_or_its_folder() -> None:
    assert display_name(Place(name=" Billing ")) == "Billing"
    assert display_name(Place(directory="/a/b", remotes=("/srv/x.git", "git@github.com:owner/repo.git"))) == "repo"
    assert display_name(Place(directory="/a/folder/")) == "folder"
    assert display_name(Place(directory="C:\\work\\folder")) == "folder"
    assert display_name(Place(directory="/")) == "/"


PASSWORDS = st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S"], exclude_characters="/?#"), min_size=6)


@given(st.sampled_from(["https", "ssh", "git+ssh", "http"]), PASSWORDS, st.sampled_from(["", ":8443"]))
def test_no_alias_ever_holds_a_password(scheme: str, password: str, port: str) -> None:
    secret = f"Zq{password}qZ"
    url = f"{scheme}://user:{secret}@git.example.org{port}/owner/repo.git"
    found = aliases(Place(directory="/home/ada/repo", remotes=(url,)))
    assert found in ((f"remote:git.example.org{port}/owner/repo", "path:/home/ada/repo"), ("path:/home/ada/repo",))
