"""One repository is one project wherever it lies: forked, moved, renamed. What only began alike is not."""

from __future__ import annotations

import shutil

import pytest

from aftermind.cli.language.projects import Join, Projects
from tests.api.test_scope import git, repository, texts

pytestmark = pytest.mark.anyio


@pytest.fixture
async def original(memory, tmp_path):
    folder = repository(tmp_path / "webshop", origin="https://example.org/acme/webshop.git")
    await memory.remember("zebra", project=folder)
    return folder


def cloned(original, folder, **remotes: str):
    git(original.parent, "clone", str(original), str(folder))
    git(folder, "remote", "remove", "origin")
    for name, url in remotes.items():
        git(folder, "remote", "add", name, url)
    return folder


async def seen(memory, folder) -> list[str]:
    """Whoever comes first: somebody who only asks, or somebody who works there."""
    asked = await texts(memory, folder)
    await memory.context("hello", session=str(folder), project=folder)
    assert await texts(memory, folder) == asked
    return asked


async def test_a_fork_that_does_not_name_the_original_is_known_by_how_it_began(memory, original, tmp_path):
    fork = cloned(original, tmp_path / "mine", origin="git@example.org:me/webshop.git")
    git(fork, "commit", "--allow-empty", "-m", "mine")
    assert await seen(memory, fork) == ["zebra"]
    assert len((await memory.stats()).projects) == 1
    again = cloned(original, tmp_path / "again", origin="git@example.org:me/webshop.git")
    assert await texts(memory, again) == ["zebra"]  # by its remote now


async def test_a_repository_whose_remote_was_renamed_is_the_same_in_its_folder(memory, original):
    git(original, "remote", "set-url", "origin", "https://example.org/acme/shop.git")
    assert await seen(memory, original) == ["zebra"]


async def test_a_pause_holds_where_a_repository_moved_to_before_anything_was_written_there(memory, tmp_path):
    old = repository(tmp_path / "old")
    await memory.remember("zebra", project=old)
    await memory.pause(old)
    old.rename(tmp_path / "new")
    before = (await memory.state()).head
    assert "paused" in (await memory.context("a secret", session="s", project=tmp_path / "new")).withheld
    assert (await memory.state()).head == before


async def test_only_asked_nothing_is_written_and_a_project_that_is_joined_keeps_its_place(memory, original, tmp_path):
    fork = cloned(original, tmp_path / "mine", origin="git@example.org:me/webshop.git")
    before = (await memory.state()).head
    assert await texts(memory, fork) == ["zebra"]
    assert (await memory.state()).head == before
    await memory.ask(Join(folder=str(fork), project="webshop"))
    (known,) = await memory.ask(Projects(project="webshop"))
    assert f"path:{fork}" in known.aliases


async def test_what_began_as_the_same_template_is_another_project(memory, original, tmp_path):
    other = cloned(original, tmp_path / "intranet", origin="https://example.org/acme/intranet.git")
    plain = cloned(original, tmp_path / "scratch")
    assert await seen(memory, other) == []
    assert await seen(memory, plain) == []


async def test_a_repository_without_a_remote_is_known_again_after_it_moved_and_not_where_it_was_copied(
    memory, tmp_path
):
    old = repository(tmp_path / "old")
    await memory.remember("zebra", project=old)
    copy = tmp_path / "copy"
    shutil.copytree(old, copy)
    assert await seen(memory, copy) == []
    old.rename(tmp_path / "new")
    assert await seen(memory, tmp_path / "new") == ["zebra"]


async def test_a_repository_that_moved_is_known_though_there_is_a_plain_folder_where_it_was(memory, tmp_path):
    old, new = repository(tmp_path / "app"), tmp_path / "app2"
    await memory.remember("zebra", project=old)
    old.rename(new)
    old.mkdir()
    assert await seen(memory, new) == ["zebra"]
    assert len((await memory.stats()).projects) == 1


@pytest.mark.parametrize("gone", ["given up", "unmounted"])
async def test_a_repository_that_lies_nowhere_is_what_it_was_and_stays_paused(memory, tmp_path, gone):
    folder = repository(tmp_path / "app")
    await memory.remember("zebra", project=folder)
    shutil.rmtree(folder / ".git" if gone == "given up" else folder)
    assert await texts(memory, folder) == ["zebra"]
    await memory.pause(folder)
    assert "paused" in (await memory.context("a secret", session="s", project=folder)).withheld


async def test_a_folder_that_holds_another_repository_now_is_another_project(memory, original):
    shutil.rmtree(original)
    repository(original, origin="https://example.org/bob/blog.git")
    git(original, "commit", "--allow-empty", "-m", "of bob's blog")
    assert await seen(memory, original) == []


@pytest.mark.parametrize("origin", ["", "https://example.org/bob/blog.git"])
async def test_a_folder_without_a_remote_that_holds_another_repository_now_is_another_project(memory, tmp_path, origin):
    old = repository(tmp_path / "app")
    await memory.remember("zebra", project=old)
    assert await texts(memory, old) == ["zebra"]
    old.rename(tmp_path / "app-old")
    new = repository(tmp_path / "app", **{"origin": origin} if origin else {})
    git(new, "commit", "--allow-empty", "-m", "another beginning", "--amend")
    assert await seen(memory, new) == []
    await memory.remember("walrus", project=new)
    assert await texts(memory, new, "walrus") == ["walrus"]
    assert await seen(memory, tmp_path / "app-old") == ["zebra"]
    assert len((await memory.stats()).projects) == 2


async def test_another_repository_is_seen_at_once_though_it_lies_in_a_folder_of_the_same_number(memory, tmp_path):
    """A system may give the number of what was deleted to what is made next."""
    app = repository(tmp_path / "app")
    await memory.remember("zebra", project=app)
    assert await texts(memory, app) == ["zebra"]
    other = repository(tmp_path / "other")
    git(other, "commit", "--allow-empty", "-m", "another beginning", "--amend")
    number = (app / ".git").stat().st_ino
    for path in (app / ".git").iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(other / ".git", app / ".git", dirs_exist_ok=True)
    assert (app / ".git").stat().st_ino == number
    assert await seen(memory, app) == []


async def test_a_first_commit_that_is_amended_leaves_the_project_as_it_is(memory, tmp_path):
    folder = repository(tmp_path / "app")
    await memory.remember("zebra", project=folder)
    git(folder, "commit", "--amend", "--allow-empty", "-m", "in other words")
    assert await seen(memory, folder) == ["zebra"]


async def test_two_clients_clones_of_one_starter_are_two_projects_also_when_one_is_gone(memory, tmp_path):
    starter = repository(tmp_path / "starter")
    acme = cloned(starter, tmp_path / "acme-shop", origin="git@example.org:acme/acme-shop.git")
    await memory.remember("zebra", project=acme)
    shutil.rmtree(acme)
    globex = cloned(starter, tmp_path / "globex-portal", origin="git@example.org:globex/globex-portal.git")
    assert await seen(memory, globex) == []
    again = cloned(starter, tmp_path / "again", origin="git@example.org:acme/acme-shop.git")
    assert await texts(memory, again) == ["zebra"]


@pytest.mark.parametrize("has_remote", ["the one that is gone", "the new one"])
async def test_of_a_starters_clones_a_remote_of_one_alone_tells_them_apart(memory, tmp_path, has_remote):
    starter = repository(tmp_path / "starter")
    remote = {"origin": "git@example.org:acme/acme-shop.git"}
    acme = cloned(starter, tmp_path / "acme-shop", **(remote if has_remote == "the one that is gone" else {}))
    await memory.remember("zebra", project=acme)
    shutil.rmtree(acme)
    other = cloned(starter, tmp_path / "portal", **(remote if has_remote == "the new one" else {}))
    assert await seen(memory, other) == []


async def test_no_git_nothing_committed_and_a_broken_repository_are_projects_too(memory, tmp_path, monkeypatch):
    broken = repository(tmp_path / "broken")
    (broken / ".git" / "HEAD").write_text("ref: refs/heads/nowhere\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init")
    (tmp_path / "bare").mkdir()
    without = repository(tmp_path / "without")
    for folder in (broken, empty, tmp_path / "bare"):
        await memory.remember(f"zebra of {folder.name}", project=folder)
        assert await texts(memory, folder) == [f"zebra of {folder.name}"]
    monkeypatch.setenv("PATH", "/nowhere")
    await memory.remember("zebra without git", project=without)
    assert await texts(memory, without) == ["zebra without git"]
