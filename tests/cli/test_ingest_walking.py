"""Which files a folder gives: what git would look at, each once, however the folders are tangled."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from aftermind.cli.ingesting.walking import File, OutOfReach, Ways, files


def made(top: Path, *names: str) -> Path:
    for name in names:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text("text")
    return top


def names(*paths: Path, globs: tuple[str, ...] = (), top: Path | None = None, ways: Ways | None = None) -> list[str]:
    found = list(files(paths, globs, ways or Ways()))
    assert all(isinstance(one, File) for one in found), found
    return [one.path.relative_to((top or paths[0]).resolve()).as_posix() for one in found]


def test_files_come_in_the_order_of_their_names_and_folders_after_them(tmp_path):
    made(tmp_path, "b.md", "a.md", "c/d.md", "b/x.md", "c/a/z.md")
    assert names(tmp_path) == ["a.md", "b.md", "b/x.md", "c/d.md", "c/a/z.md"]


def test_a_file_that_is_named_twice_comes_once(tmp_path):
    made(tmp_path, "a.md", "b/c.md")
    (tmp_path / "z.md").symlink_to("a.md")
    assert names(tmp_path, tmp_path / "b", tmp_path / "a.md", tmp_path / "z.md") == ["a.md", "b/c.md"]


# --- .gitignore -----------------------------------------------------------------------------------------------


def test_what_git_ignores_is_left_out_and_counted(tmp_path):
    made(tmp_path, "a.md", "b.log", "keep.log", "build/x.md", "docs/y.md", "docs/draft.md", "docs/build/z.md")
    (tmp_path / ".gitignore").write_text("*.log\n!keep.log\n/build/\n")
    (tmp_path / "docs" / ".gitignore").write_text("draft.md\n")
    ways = Ways()
    assert names(tmp_path, ways=ways) == ["a.md", "keep.log", "docs/y.md", "docs/build/z.md"]
    assert (ways.ignored, ways.hidden) == (3, 2)


def repository(folder: Path, **settings: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    for name, value in settings.items():
        subprocess.run(["git", "-C", str(folder), "config", name.replace("_", "."), value], check=True)
    return folder


def test_a_repository_below_a_named_folder_has_its_own_lists(tmp_path):
    app = made(repository(tmp_path / "app", core_excludesFile=str(tmp_path / "mine")), "a.md", "private.md", "notes.md")
    (tmp_path / "mine").write_text("notes.md\n")
    (app / ".git" / "info" / "exclude").write_text("private.md\n")
    assert [one for one in names(tmp_path) if one != "mine"] == ["app/a.md"]


def test_into_a_repository_below_a_repository_git_does_not_look(tmp_path):
    outer = made(repository(tmp_path), "a.md", "docs/b.md")
    inner = made(repository(outer / "vendor" / "other"), "c.md")
    (made(outer / "tree", "d.md") / ".git").write_text("gitdir: elsewhere\n")  # a worktree, or a submodule
    (outer / "link.md").symlink_to(inner / "c.md")
    ways = Ways()
    assert names(outer, ways=ways) == ["a.md", "docs/b.md"]
    assert (ways.repositories, ways.linked) == (2, 1)
    assert names(inner) == ["c.md"]


def test_an_empty_folder_called_git_is_no_repository(tmp_path):
    outer = made(repository(tmp_path / "work"), "a.md", "docs/b.md")
    (outer / "docs" / ".git").mkdir()
    assert names(outer) == ["a.md", "docs/b.md"]


def test_capitals_and_bytes_of_names_are_taken_as_git_takes_them(tmp_path):
    folded = made(repository(tmp_path / "folded", core_ignorecase="true"), "secret.md", "b.md", "docs/Draft.md")
    (folded / ".gitignore").write_text("Secret.md\ndraft.MD\n")
    assert names(folded) == ["b.md"]
    exact = made(repository(tmp_path / "exact", core_ignorecase="false"), "secret.md")
    (exact / ".gitignore").write_text("Secret.md\n")
    assert names(exact) == ["secret.md"]
    if sys.platform == "linux":  # where a name is bytes
        (exact / os.fsdecode(b"caf\xe9.md")).write_text("text")
        (exact / ".gitignore").write_bytes(b"caf\xe9.md\n")
        assert names(exact) == ["secret.md"]


def test_a_folder_that_is_named_is_taken_though_git_ignores_it(tmp_path):
    made(tmp_path, "a.md", "build/x.md", "build/out/y.md", "build/out/z.log")
    repository(tmp_path)
    (tmp_path / ".gitignore").write_text("build/\n*.log\n")
    assert names(tmp_path) == ["a.md"]
    assert names(tmp_path / "build") == ["x.md", "out/y.md"]


def test_a_list_may_begin_with_a_mark_and_end_its_lines_as_windows_does(tmp_path):
    made(tmp_path, "a.md", "build/b.md", "draft.md")
    (tmp_path / ".gitignore").write_bytes(b"\xef\xbb\xbfbuild/\r\ndraft.md")
    assert names(tmp_path) == ["a.md"]


def test_the_users_own_list_and_that_of_a_worktrees_repository_hold(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    made(tmp_path, "config/git/ignore", "repo/a.md", "repo/b.md", "repo/c.md", "repo/d.md")
    (tmp_path / "config" / "git" / "ignore").write_text("b.md\n")
    git = ["git", "-C", str(tmp_path / "repo"), "-c", "user.name=n", "-c", "user.email=e"]
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["commit", "-qm", "one"],
        ["worktree", "add", "-q", str(tmp_path / "tree")],
    ):
        subprocess.run([*git, *words], check=True, capture_output=True)
    (tmp_path / "repo" / ".git" / "info" / "exclude").write_text("c.md\n")
    made(tmp_path, "tree/b.md", "tree/c.md")
    assert names(tmp_path / "tree") == names(tmp_path / "repo") == ["a.md", "d.md"]
    (tmp_path / "gitconfig").write_text(f"[core]\n\texcludesFile = {tmp_path}/mine\n")
    (tmp_path / "mine").write_text("d.md\n")
    assert names(tmp_path / "repo") == ["a.md", "b.md"]
    monkeypatch.setenv("PATH", "")  # without git
    assert names(tmp_path / "repo") == ["a.md", "d.md"]


def test_what_is_off_limits_is_so_by_every_way_to_it(tmp_path):
    made(tmp_path, "x/dir/a.md", "x/secret.md", "x/.aftermindignore", "x/priv/keep.md", "y/good.md", "z/b.md")
    (tmp_path / "x" / ".aftermindignore").write_text("secret.md\npriv/\n")
    (tmp_path / "y" / "link").symlink_to("../x/dir")
    (tmp_path / "x" / "priv" / "link").symlink_to("../../z")
    ways = Ways()
    named = [tmp_path / "y" / "good.md", tmp_path / "y" / "link" / ".." / "secret.md", tmp_path / "x" / "priv" / "link"]
    assert [one.path.name for one in files(named, (), ways)] == ["good.md"]
    assert ways.off_limits == 2


def test_a_file_is_what_the_link_to_it_is_called(tmp_path):
    made(tmp_path, "objects/4f2a")
    (tmp_path / "doc.md").symlink_to("objects/4f2a")
    assert {(one.path.name, one.called) for one in files([tmp_path / "doc.md"], (), Ways())} == {("4f2a", "doc.md")}


def test_the_lists_of_the_folders_above_hold_up_to_the_repository(tmp_path):
    made(tmp_path, "repo/docs/a.md", "repo/docs/b.md", "repo/docs/c.md", "repo/docs/deep/d.md")
    (tmp_path / ".gitignore").write_text("c.md\n")
    repository(tmp_path / "repo")
    (tmp_path / "repo" / ".git" / "info" / "exclude").write_text("docs/deep/\n")
    (tmp_path / "repo" / ".gitignore").write_text("/docs/b.md\n")
    assert names(tmp_path / "repo" / "docs") == ["a.md", "c.md"]


def test_a_nearer_list_takes_back_what_one_above_says_but_not_below_an_ignored_folder(tmp_path):
    made(tmp_path, "a/x.txt", "a/y.txt", "out/z.txt")
    (tmp_path / ".gitignore").write_text("*.txt\nout/\n")
    (tmp_path / "a" / ".gitignore").write_text("!x.txt\n")
    (tmp_path / "out" / ".gitignore").write_text("!z.txt\n")
    assert names(tmp_path) == ["a/x.txt"]


def test_a_file_that_is_named_is_taken_whatever_git_says_of_it(tmp_path):
    made(tmp_path, "a.md")
    (tmp_path / ".gitignore").write_text("*\n")
    assert names(tmp_path / "a.md", top=tmp_path) == ["a.md"]


@pytest.mark.parametrize("list", [b"\xff\xfe\x00", b"[\n", b"/\n\n#\n!\n", b"a" * 3_000_000])
def test_a_list_that_makes_no_sense_ignores_nothing(tmp_path, list):
    made(tmp_path, "a.md")
    (tmp_path / ".gitignore").write_bytes(list)
    assert names(tmp_path) == ["a.md"]


def test_hidden_folders_and_what_somebody_else_wrote_are_left_out_unless_named(tmp_path):
    made(tmp_path, "a.md", ".hidden/b.md", ".c.md", "node_modules/d/README.md", "x/venv/e.md")
    assert names(tmp_path) == ["a.md"]
    assert names(tmp_path / ".hidden") == ["b.md"]
    assert names(tmp_path / "node_modules") == ["d/README.md"]


# --- globs ----------------------------------------------------------------------------------------------------


def test_globs_choose_among_the_files_of_folders(tmp_path):
    made(tmp_path, "a.md", "b.py", "docs/c.md", "docs/drafts/d.md", "src/e.py")
    assert names(tmp_path, globs=("*.py",)) == ["b.py", "src/e.py"]
    assert names(tmp_path, globs=("docs/*.md",)) == ["docs/c.md"]
    assert names(tmp_path, globs=("*.md", "!drafts/")) == ["a.md", "docs/c.md"]
    (found,) = files([tmp_path / "b.py"], ("*.py",), Ways())
    assert isinstance(found, File)
    assert found.asked_for
    (found,) = files([tmp_path / "b.py"], ("*.md",), Ways())
    assert isinstance(found, File)
    assert not found.asked_for


# --- trouble --------------------------------------------------------------------------------------------------


def test_links_to_folders_are_not_followed_so_that_no_walk_has_a_loop(tmp_path):
    made(tmp_path, "a/b/c.md", "elsewhere/d.md")
    (tmp_path / "a" / "b" / "up").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "other").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "a" / "file.md").symlink_to(tmp_path / "elsewhere" / "d.md")
    ways = Ways()
    found = [one.path for one in files([tmp_path / "a"], (), ways)]
    assert found == [tmp_path / "a" / "b" / "c.md"]
    assert ways.linked == 3


@pytest.mark.parametrize("in_one", [True, False])
def test_a_link_brings_in_nothing_that_is_left_out_itself(tmp_path, in_one):
    made(tmp_path, "private.md", "work/README.md", "work/.env.md", "work/gi.md", "work/build/out.md")
    made(tmp_path, "work/docs/own.md", "work/node_modules/theirs.md")
    if in_one:
        repository(tmp_path / "work")
        (tmp_path / "work" / ".gitignore").write_text("gi.md\nbuild/\n")
    left_out = (".env.md", "gi.md", "../private.md", "build/out.md", "node_modules/theirs.md")
    for name, target in zip("abcdefg", (*left_out, "README.md", "docs/own.md"), strict=True):
        (tmp_path / "work" / "docs" / f"{name}.md").symlink_to(tmp_path / "work" / target)
    ways = Ways()
    found = {one.path.name for one in files([tmp_path / "work" / "docs"], (), ways)}
    assert found == ({"README.md", "own.md"} if in_one else {"own.md"})
    assert ways.linked == (5 if in_one else 6)
    (named,) = files([tmp_path / "work" / "docs" / "c.md"], (), Ways())
    assert named.path.name == "private.md", "who names a link means it"


def told(*paths: Path) -> list[tuple[str, str]]:
    return [(one.path.name, one.why) for one in files(paths, (), Ways()) if isinstance(one, OutOfReach)]


def test_links_that_lead_nowhere_are_told(tmp_path):
    made(tmp_path, "a.md")
    (tmp_path / "b.md").symlink_to(tmp_path / "nowhere")
    (tmp_path / "c.md").symlink_to(tmp_path / "c.md")
    reasons = told(tmp_path)
    assert [name for name, _ in reasons] == ["b.md", "c.md"]
    assert "leads nowhere" in reasons[0][1]
    assert told(tmp_path / "c.md") != []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are none")
def test_what_is_no_file_is_passed_by(tmp_path):
    made(tmp_path, "a.md")
    os.mkfifo(tmp_path / "pipe.md")
    assert names(tmp_path) == ["a.md"]


@contextmanager
def nobody() -> Iterator[Path]:
    """A folder of a user who may do nothing; root becomes one for the while."""
    with TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        for one in folder.iterdir():
            one.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="folders are closed in other ways there")
def test_a_folder_that_cannot_be_looked_into_is_told_and_ends_nothing(monkeypatch):
    with nobody() as folder:
        monkeypatch.setenv("AFTERMIND_CONFIG", str(folder / "config.toml"))  # another user may not look into ours
        made(folder, "a.md", "closed/b.md", "open/c.md")
        (folder / "closed").chmod(0)
        user = os.geteuid()
        if user == 0:
            os.seteuid(65534)
        try:
            found = list(files([folder], (), Ways()))
        finally:
            if user == 0:
                os.seteuid(user)
        assert [one.path.name for one in found] == ["a.md", "closed", "c.md"]
        assert isinstance(found[1], OutOfReach)
        assert found[1].why == "you may not read it"


def test_folders_are_walked_however_deep(tmp_path):
    here = tmp_path
    for _ in range(400):
        here /= "d"
        here.mkdir()
    made(here, "a.md")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(300)
    try:
        assert names(tmp_path)[0].endswith("d/a.md")
    finally:
        sys.setrecursionlimit(limit)
