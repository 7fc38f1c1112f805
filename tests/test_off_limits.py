"""What a list puts off limits: by folder and file, nearest first, never less than a list further up or the user's own
says, and everything where a list cannot be heeded."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aftermind.cli.privacy.lists import LARGEST, MOST_LINES, NAME, Lists


def made(top: Path, lists: dict[str, str], own: str | None = None) -> Lists:
    for folder, text in lists.items():
        (top / folder).mkdir(parents=True, exist_ok=True)
        (top / folder / NAME).write_text(text)
    if own is not None:
        (top / "own").write_text(own)
    return Lists(top / "own")


CASES = [
    ({"repo": "secret-client/\n"}, "repo/secret-client", True),
    ({"repo": "secret-client/\n"}, "repo/secret-client/deep/er", True),
    ({"repo": "secret-client/\n"}, "repo/a/secret-client", True),
    ({"repo": "/secret-client\n"}, "repo/a/secret-client", False),
    ({"repo": "secret-client/\n"}, "repo", False),
    ({"repo": "secret-client/\n"}, "repo/secret-clients", False),
    ({"repo": "*\n"}, "repo", True),
    ({"repo": "*\n"}, "repo/deep", True),
    ({"repo": "**\n"}, "repo", True),
    ({"repo": " . \r\n"}, "repo", True),
    ({"repo": "./\n"}, "repo/deep", True),
    ({"repo": "\ufeff*\n"}, "repo", True),
    ({"repo": "*.md\n"}, "repo", False),
    ({"repo": "secret-client/\t\n"}, "repo/secret-client", True),
    ({"repo": "*\n!docs/\n!docs/**\n"}, "repo/docs", False),
    ({"repo": "*\n!docs/\n!docs/**\n"}, "repo", True),
    ({"": "repo/\n", "repo": "!*\n"}, "repo", True),
    ({"": "repo/*\n", "repo": "!docs/\n!docs/**\n"}, "repo/docs", False),
    ({"": "repo/*\n"}, "repo", True),
    ({"": "acme/\n"}, "clients/acme/repo", True),
    ({"repo": "# remark\n\n"}, "repo", False),
    ({}, "repo", False),
]


@pytest.mark.parametrize(("lists", "folder", "off"), CASES)
def test_a_folder_is_off_limits_where_a_list_says_so(tmp_path, lists, folder, off):
    (tmp_path / folder).mkdir(parents=True)
    why = made(tmp_path, lists).why(tmp_path / folder, is_folder=True)
    assert bool(why) is off
    assert not off or NAME in why


def test_files_are_off_limits_by_their_names_and_by_their_folders(tmp_path):
    lists = made(tmp_path, {"repo": "*.key\nprivate/\n", "repo/docs": "!public.key\n"})
    off = {name for name in ("a.key", "a.md", "private/a.md", "docs/b.key", "docs/public.key", "not/there.key")
           if lists.why(tmp_path / "repo" / name, is_folder=False)}  # fmt: skip
    assert off == {"a.key", "private/a.md", "docs/b.key", "not/there.key"}


def test_the_users_own_list_has_absolute_patterns_and_nothing_takes_back_from_it(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    lists = made(tmp_path, {"repo": "!*\n!secret/\n!secret/**\n"}, own=f"{tmp_path}/repo/secret\n~/taxes/\n*.kdbx\n")
    for path, folder in (("repo/secret/x", True), ("home/taxes", True), ("repo/a.kdbx", False)):
        assert str(tmp_path / "own") in lists.why(tmp_path / path, is_folder=folder)
    assert lists.why(tmp_path / "repo", is_folder=True) == ""
    assert lists.why(tmp_path / "home", is_folder=True) == ""


@pytest.mark.parametrize("line", ["clients/acme/", "./clients/acme", "clients/*/"])
def test_a_path_of_the_users_own_list_that_does_not_say_where_it_begins_is_meant_wherever_it_is(tmp_path, line):
    lists = made(tmp_path, {"work": ""}, own=f"{line}\n")
    for path in ("clients/acme", "work/clients/acme", "work/clients/acme/notes"):
        assert f"names it ({line})" in lists.why(tmp_path / path, is_folder=True)
    for path in ("clients", "acme", "work/acme", "work/myclients/acme"):
        assert lists.why(tmp_path / path, is_folder=True) == ""


@pytest.mark.parametrize("line", ["~/taxes/", "$HOME/taxes/", "${HOME}/taxes", "~/tax*", "$HOME", "~", "~/"])
def test_the_users_own_list_knows_the_home_however_it_is_written(tmp_path, monkeypatch, line):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    lists = made(tmp_path, {}, own=f"{line}\n")
    assert f"names it ({tmp_path / 'home'}" in lists.why(tmp_path / "home" / "taxes", is_folder=True)
    assert lists.why(tmp_path / "elsewhere" / "taxes", is_folder=True) == ""


AT_HOME = (
    ("home", "~/taxes/"),
    ("home", "$HOME/taxes"),
    ("home/taxes", "~/taxes"),
    ("", "~/taxes/"),
    ("home", "~/"),
    ("home", "*\n!~/code\n!~/code/**"),
)


@pytest.mark.parametrize(("folder", "line"), AT_HOME)
def test_a_folders_list_knows_the_home_too_where_that_is_in_it(tmp_path, monkeypatch, folder, line):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    lists = made(tmp_path, {folder: f"{line}\n"})
    assert lists.why(tmp_path / "home" / "taxes", is_folder=True)
    assert bool(lists.why(tmp_path / "home" / "code", is_folder=True)) is (line == "~/")
    assert lists.why(tmp_path / "homes" / "taxes", is_folder=True) == ""


def test_a_home_that_is_a_link_is_known_by_both_ways(tmp_path, monkeypatch):
    (tmp_path / "disk" / "home" / "taxes").mkdir(parents=True)
    (tmp_path / "home").symlink_to("disk/home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for way in ("home", "disk/home"):
        assert made(tmp_path, {"home": "~/taxes/\n"}).why(tmp_path / way / "taxes", is_folder=True), way


@pytest.mark.parametrize("line", ["$WORK/acme/", "${XDG_DATA_HOME}/acme", "!$WORK/acme/", "$HOMES/acme/"])
def test_a_variable_in_the_users_own_list_that_nobody_knows_puts_everything_off_limits(tmp_path, line):
    lists = made(tmp_path, {"repo": ""}, own=f"*.key\n{line}\n")
    assert "line 2 begins with a variable" in lists.why(tmp_path / "repo", is_folder=True)


def test_a_name_with_a_dollar_or_a_tilde_in_it_is_a_name(tmp_path):
    lists = made(tmp_path, {"repo": "$gen/out/\n"}, own="$RECYCLE.BIN/\n~backup\n\\$WORK/acme\n")
    for path in ("work/$RECYCLE.BIN", "work/~backup", "work/$WORK/acme", "repo/$gen/out"):
        assert lists.why(tmp_path / path, is_folder=True), path
    assert lists.why(tmp_path / "work", is_folder=True) == ""


def test_what_the_users_own_list_takes_back_is_where_it_says(tmp_path):
    lists = made(tmp_path, {}, own="acme/\n!clients/acme/\n")
    assert "names it (acme/)" in lists.why(tmp_path / "clients" / "acme", is_folder=True)


def test_a_link_is_off_limits_by_its_own_name_and_by_where_it_leads(tmp_path):
    lists = made(tmp_path, {"repo": "secret/\nalias\n"})
    (tmp_path / "repo" / "secret").mkdir()
    (tmp_path / "way").symlink_to("repo/secret")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "repo" / "alias").symlink_to("../elsewhere")
    assert lists.why(tmp_path / "way", is_folder=True)
    assert lists.why(tmp_path / "repo" / "alias", is_folder=True)
    assert lists.why(tmp_path / "repo" / ".." / "repo" / "secret" / "..", is_folder=True) == ""


def test_a_way_through_a_link_and_back_is_followed_as_the_system_follows_it(tmp_path):
    lists = made(tmp_path, {"": "clienta/\n"})
    (tmp_path / "clienta" / "sub").mkdir(parents=True)
    (tmp_path / "ok").mkdir()
    (tmp_path / "ok" / "link").symlink_to("../clienta/sub")
    (tmp_path / "clienta" / "z.md").touch()
    for path in ("ok/link/../z.md", "ok/link/../none.md"):
        assert lists.why(tmp_path / path, is_folder=False), path
    assert lists.why(tmp_path / "ok" / "link" / "..", is_folder=True)
    assert not lists.why(tmp_path / "ok" / ".." / "ok" / "z.md", is_folder=False)


def test_some_names_in_a_folder_are_not_the_folder(tmp_path):
    for number, (names, whole) in enumerate((("a*\n", False), ("?\n", False), ("*\n", True), ("*\n!a*\n", False))):
        lists = made(tmp_path / str(number), {"repo": names})
        assert bool(lists.why(tmp_path / str(number) / "repo", is_folder=True)) is whole


def test_a_list_is_read_again_when_it_changed_came_or_went(tmp_path):
    lists = made(tmp_path, {"repo": "a/\n"})
    file, folder = tmp_path / "repo" / NAME, tmp_path / "repo" / "b"
    assert not lists.why(folder, is_folder=True)
    file.write_text("b/\n")
    assert lists.why(folder, is_folder=True)
    file.unlink()
    assert not lists.why(folder, is_folder=True)
    (tmp_path / "own").write_text("b\n")
    assert lists.why(folder, is_folder=True)


BROKEN = {
    "no pattern": lambda file: file.write_text("ok/\n!\n"),
    "an open bracket": lambda file: file.write_text("foo/[\n"),
    "a folder": lambda file: file.mkdir(),
    "a pipe": lambda file: os.mkfifo(file),
    "a pattern that no name fits": lambda file: file.write_text("[z-a]\n"),
    "too many": lambda file: file.write_text("a\n" * (MOST_LINES + 1)),
    "too large": lambda file: file.write_bytes(b"a\n" * LARGEST),
    "a link that leads nowhere": lambda file: file.symlink_to("nowhere"),
    "a link to itself": lambda file: file.symlink_to(file.name),
}


@pytest.mark.parametrize("how", BROKEN)
def test_where_a_list_cannot_be_heeded_everything_below_is_off_limits(tmp_path, how):
    (tmp_path / "repo" / "deep").mkdir(parents=True)
    BROKEN[how](tmp_path / "repo" / NAME)
    lists = Lists(tmp_path / "own")
    for place in ("repo", "repo/deep"):
        assert "cannot be heeded" in lists.why(tmp_path / place, is_folder=True)
    assert lists.why(tmp_path / "repo" / "a.md", is_folder=False)
    assert not lists.why(tmp_path, is_folder=True)
    assert [one.file.name for one in lists.wrong(tmp_path / "repo" / "deep")] == [NAME]


def test_where_the_users_own_list_cannot_be_heeded_everything_is_off_limits(tmp_path):
    assert "line 1 is no pattern" in made(tmp_path, {}, own="!\n").why(tmp_path, is_folder=True)


def test_a_name_that_is_no_text_is_matched_by_its_bytes(tmp_path):
    name = os.fsdecode(b"caf\xe9")
    (tmp_path / NAME).write_bytes(b"caf\xe9/\n")
    lists = Lists(tmp_path / "own")
    assert lists.why(tmp_path / name, is_folder=True)
    assert not lists.why(tmp_path / "x\x00y", is_folder=False)


def test_a_path_that_cannot_be_is_judged_by_the_folders_before_it(tmp_path):
    lists = made(tmp_path, {"repo": "secret/\n"})
    for long in ("x" * 300, "y/" * 5000, "z" * 100_000):
        assert lists.why(tmp_path / long, is_folder=False) == ""
        assert lists.why(tmp_path / "repo" / "secret" / long, is_folder=False)
        assert list(lists.wrong(tmp_path / long)) == []
    assert lists.why(tmp_path / "repo" / ("x" * 300), is_folder=False) == ""
    assert "too long" in lists.why(tmp_path / "repo" / ("x/" * 600), is_folder=False)
    assert lists.why(tmp_path / "\ud800half", is_folder=False) == ""
    assert lists.why(tmp_path / "repo" / "secret" / "\ud800half", is_folder=False)


def test_what_the_own_list_cannot_be_asked_about_is_off_limits(tmp_path):
    assert "too long" in made(tmp_path, {}, own="*.kdbx\n").why(tmp_path / "/".join("x" * 200), is_folder=True)


LINKED = [
    ("~/taxes/", "taxes", True),
    ("~/taxes/", "taxes/2025", True),
    ("~/taxes", "taxes", True),
    ("{real}/taxes/", "taxes", True),
    ("{link}/taxes/", "taxes", True),
    ("~/*/2025/", "taxes/2025", True),
    ("~/ta[x]es/", "taxes", True),
    ("~/t*\n!~/taxes/\n", "taxes", False),
    ("~/taxes/\n", "other", False),
]


@pytest.mark.parametrize(("own", "folder", "off"), LINKED)
def test_the_users_own_list_holds_by_every_way_to_what_it_names(tmp_path, monkeypatch, own, folder, off):
    """As `/tmp` leads to `/private/tmp`: the list may be written by one way and the folder asked about by another."""
    real, link, other = tmp_path / "real [1]", tmp_path / "link", tmp_path / "other"
    (real / "taxes" / "2025").mkdir(parents=True)
    (real / "other").mkdir()
    link.symlink_to(real)
    other.symlink_to(link)
    written = str(real).replace("[", "\\[")
    for home in (real, link):
        monkeypatch.setenv("HOME", str(home))
        lists = made(tmp_path, {}, own=own.format(real=written, link=link))
        for way in (real, link, other):
            assert bool(lists.why(way / folder, is_folder=True)) is off, (home, way)


def test_a_line_that_names_a_link_holds_where_it_leads_also_when_it_leads_elsewhere_later(tmp_path):
    (tmp_path / "a" / "deep").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "alias").symlink_to("a")
    lists = made(tmp_path, {}, own=f"{tmp_path}/alias/\n")
    assert lists.why(tmp_path / "a" / "deep", is_folder=True).endswith(f"names it ({tmp_path}/alias/)")
    assert not lists.why(tmp_path / "b", is_folder=True)
    (tmp_path / "alias").unlink()
    (tmp_path / "alias").symlink_to("b")
    assert lists.why(tmp_path / "b", is_folder=True)
    assert not lists.why(tmp_path / "a", is_folder=True)


def test_a_folders_list_holds_for_what_its_links_lead_to_below_it(tmp_path):
    lists = made(tmp_path, {"repo": "data/secret/\nalias\n"})
    for folder in ("store/secret", "hidden"):
        (tmp_path / "repo" / folder).mkdir(parents=True)
    (tmp_path / "repo" / "data").symlink_to("store")
    (tmp_path / "repo" / "alias").symlink_to("hidden")
    assert lists.why(tmp_path / "repo" / "store" / "secret", is_folder=True)
    assert lists.why(tmp_path / "repo" / "hidden", is_folder=True)
    assert not lists.why(tmp_path / "repo" / "store", is_folder=True)


def test_a_link_takes_nothing_back_of_what_is_off_limits(tmp_path):
    (tmp_path / "secret" / "deep").mkdir(parents=True)
    (tmp_path / "open").symlink_to("secret/deep")
    lists = made(tmp_path, {}, own=f"{tmp_path}/secret/*\n!{tmp_path}/open\n")
    assert lists.why(tmp_path / "secret" / "deep", is_folder=True)
    assert lists.why(tmp_path / "open", is_folder=True)


def test_a_line_that_is_no_pattern_is_named_by_its_own_number_behind_one_that_names_a_link(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "alias").symlink_to("a")
    lists = made(tmp_path, {}, own=f"{tmp_path}/alias/\n[\n")
    assert "line 2 is no pattern" in lists.why(tmp_path / "b", is_folder=True)
