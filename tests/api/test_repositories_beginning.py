"""A repository that was seen before its first commit, or while git did not answer, is known by how it began, too."""

from __future__ import annotations

import os
import shutil

import anyio
import pytest

import aftermind
from aftermind.cli import repositories
from aftermind.cli.language.projects import Join, Projects
from aftermind.engine.projects import ROOTS
from tests.api.test_scope import git, repository, texts

pytestmark = pytest.mark.anyio


def fresh(folder):
    """A repository in which nothing was committed yet."""
    folder.mkdir(parents=True)
    git(folder, "init")
    return folder


def commit(folder, message: str):
    git(folder, "commit", "--allow-empty", "-m", message)


async def roots(memory, folder) -> list[str]:
    (known,) = await memory.ask(Projects(project=str(folder)))
    return [alias for alias in known.aliases if alias.startswith("root:")]


async def moved_and_replaced(memory, app) -> tuple[list[str], list[str]]:
    """What is seen of `zebra` where a repository was moved to, and in another one in its place, once it is gone."""
    moved = app.rename(app.with_name("moved"))
    there = await texts(memory, moved)
    moved.rename(app)
    shutil.rmtree(app)
    commit(fresh(app), "of another one")
    return there, await texts(memory, app)


async def test_a_repository_seen_before_its_first_commit_is_known_again_elsewhere_and_another_in_its_place_is_not(
    memory, tmp_path
):
    app = fresh(tmp_path / "app")
    await memory.remember("zebra", project=app)
    assert await roots(memory, app) == []
    commit(app, "one")
    await memory.context("hello", session="s", project=app)
    assert len(await roots(memory, app)) == 1
    assert await moved_and_replaced(memory, app) == (["zebra"], [])


async def test_what_a_project_is_known_by_is_written_once_and_not_by_who_only_asks(memory, tmp_path):
    app = fresh(tmp_path / "app")
    await memory.remember("zebra", project=app)
    commit(app, "one")
    before = (await memory.state()).head
    assert await texts(memory, app) == ["zebra"]
    assert (await memory.state()).head == before
    await memory.remember("walrus", project=app)
    written = (await memory.state()).head
    assert len(await roots(memory, app)) == 1
    await memory.remember("quokka", project=app)
    assert (await memory.state()).head - written == written - before - 1, "the alias was written the first time alone"


async def test_git_is_asked_no_more_while_the_branches_stay_as_they_are(memory, tmp_path, monkeypatch):
    app, known = fresh(tmp_path / "app"), repository(tmp_path / "known")
    await memory.remember("zebra", project=app)
    await memory.remember("walrus", project=known)
    for folder in (app, known, app, known):
        await memory.context("hello", session="s", project=folder)
    asked, ran = [], anyio.run_process

    async def noted(command, **how):
        asked.append(command)
        return await ran(command, **how)

    monkeypatch.setattr(anyio, "run_process", noted)
    for folder in (app, known, app, known):
        await memory.context("hello again", session="s", project=folder)
    assert asked == []
    commit(app, "one")
    await memory.context("hello at last", session="s", project=app)
    assert asked


async def test_a_repository_of_which_git_told_too_late_once_is_known_when_it_tells(tmp_path, monkeypatch):
    app = repository(tmp_path / "app")
    async with aftermind.open_memory(tmp_path / "store") as memory:
        monkeypatch.setattr(repositories, "PATIENCE", 0.0)
        await memory.remember("zebra", project=app)
        await memory.context("hello", session="s", project=app)
        assert await roots(memory, app) == []
        monkeypatch.undo()
        monkeypatch.setattr("aftermind.cli.answering.filing.AGAIN", 0.0)
    async with aftermind.open_memory(tmp_path / "store") as memory:
        await memory.context("hello", session="s", project=app)
        assert await moved_and_replaced(memory, app) == (["zebra"], [])


async def test_git_that_was_away_is_asked_again_after_a_while(memory, tmp_path, monkeypatch):
    app = repository(tmp_path / "app")
    monkeypatch.setattr("aftermind.cli.answering.filing.AGAIN", 0.0)
    path = os.environ["PATH"]
    monkeypatch.setenv("PATH", "/nowhere")
    await memory.remember("zebra", project=app)
    await memory.context("hello", session="s", project=app)
    assert await roots(memory, app) == []
    monkeypatch.setenv("PATH", path)
    await memory.context("hello", session="s", project=app)
    assert await moved_and_replaced(memory, app) == (["zebra"], [])


async def test_a_repository_of_many_beginnings_is_known_by_some_of_them(memory, tmp_path):
    app = repository(tmp_path / "app")
    for number in range(ROOTS + 3):
        git(app, "checkout", "-q", "--orphan", f"other{number}")
        commit(app, f"other {number}")
        git(app, "checkout", "-q", "main")
        git(app, "merge", "-q", "--allow-unrelated-histories", "-m", "both", f"other{number}")
    await memory.remember("zebra", project=app)
    assert len(await roots(memory, app)) == ROOTS
    assert await moved_and_replaced(memory, app) == (["zebra"], [])


async def test_a_repository_that_was_joined_stays_joined_however_it_began(memory, tmp_path):
    one, two = repository(tmp_path / "one"), repository(tmp_path / "two")
    await memory.remember("zebra", project=one)
    await memory.ask(Join(folder=str(two), project="one"))
    for folder in (two, one, two):
        await memory.context("hello", session="s", project=folder)
        assert await texts(memory, folder) == ["zebra"]


async def test_two_repositories_joined_before_their_first_commits_stay_one_project(memory, tmp_path):
    one, two = fresh(tmp_path / "one"), fresh(tmp_path / "two")
    await memory.remember("zebra", project=one)
    await memory.ask(Join(folder=str(two), project="one"))
    for folder in (one, two):
        commit(folder, f"first of {folder.name}")
    for folder in (one, two, one):
        await memory.context("hello", session="s", project=folder)
        assert await texts(memory, folder) == ["zebra"]


async def test_a_repository_without_commits_in_the_place_of_another_is_another_project(memory, tmp_path):
    app = repository(tmp_path / "app")
    await memory.remember("zebra", project=app)
    old = app.rename(tmp_path / "app-old")
    fresh(app)
    assert await texts(memory, app) == []
    await memory.remember("walrus", project=app)
    commit(app, "of another one")
    for _ in range(2):
        await memory.context("hello", session="s", project=app)
        assert await texts(memory, app, "walrus zebra") == ["walrus"]
    assert len(await roots(memory, app)) == 1
    assert await texts(memory, old, "walrus zebra") == ["zebra"]
    await memory.remember("quokka", project=old)
    assert len((await memory.stats()).projects) == 2


async def test_each_of_several_repositories_without_commits_in_one_place_is_told_from_those_that_had_some(
    memory, tmp_path
):
    app, said = tmp_path / "app", []
    for number in range(3):
        fresh(app)
        word = f"zebra{number}"
        await memory.remember(word, project=app)
        assert await texts(memory, app, "zebra0 zebra1 zebra2") == [word]
        commit(app, f"one of {number}")
        await memory.context("hello", session="s", project=app)
        said.append(app.rename(tmp_path / f"app{number}"))
    for number, folder in enumerate(said):
        assert await texts(memory, folder, "zebra0 zebra1 zebra2") == [f"zebra{number}"]


async def test_what_comes_back_to_its_place_is_itself_though_an_empty_repository_lay_there(memory, tmp_path):
    app = repository(tmp_path / "app")
    await memory.remember("zebra", project=app)
    old = app.rename(tmp_path / "app-old")
    fresh(app)
    await memory.remember("walrus", project=app)
    shutil.rmtree(app)
    old.rename(app)
    assert await texts(memory, app, "zebra walrus") == ["zebra"]
    await memory.remember("quokka", project=app)
    assert await texts(memory, app, "zebra walrus quokka") == ["quokka", "zebra"]


async def test_an_empty_repository_that_is_joined_stays_joined_with_its_first_commit(memory, tmp_path):
    one, two = repository(tmp_path / "one"), fresh(tmp_path / "two")
    await memory.remember("zebra", project=one)
    await memory.ask(Join(folder=str(two), project="one"))
    assert await texts(memory, two) == ["zebra"]
    commit(two, "of its own")
    await memory.context("hello", session="s", project=two)
    assert await texts(memory, two) == await texts(memory, one) == ["zebra"]
    assert len(await roots(memory, one)) == 2


@pytest.mark.parametrize("how", ["orphan", "amended", "no branch"])
async def test_a_repository_whose_branch_has_no_commit_now_is_what_it_was(memory, tmp_path, how):
    app = repository(tmp_path / "app")
    await memory.remember("zebra", project=app)
    if how == "orphan":
        git(app, "checkout", "--orphan", "again")
    elif how == "amended":
        git(app, "commit", "--amend", "--allow-empty", "-m", "in other words")
    else:
        git(app, "update-ref", "-d", "refs/heads/main")
    assert await texts(memory, app) == ["zebra"]


async def test_an_unanswered_git_does_not_settle_whose_a_place_is(memory, tmp_path, monkeypatch):
    app = repository(tmp_path / "app")
    await memory.remember("zebra", project=app)
    shutil.rmtree(app)
    commit(fresh(app), "of another one")
    path = os.environ["PATH"]
    monkeypatch.setattr("aftermind.cli.answering.filing.AGAIN", 0.0)
    monkeypatch.setenv("PATH", "/nowhere")
    assert await texts(memory, app) == ["zebra"]
    monkeypatch.setenv("PATH", path)
    assert await texts(memory, app) == []


@pytest.mark.parametrize("instead", ["another", "an empty one", "a plain folder"])
async def test_a_repository_that_moved_is_known_though_another_lies_where_it_was(memory, tmp_path, instead):
    app = repository(tmp_path / "app")
    await memory.remember("zebra", project=app)
    old = app.rename(tmp_path / "app-old")
    if instead == "another":
        repository(app)
    elif instead == "an empty one":
        fresh(app)
    else:
        app.mkdir()
    assert await texts(memory, old) == ["zebra"]
    await memory.remember("walrus", project=old)
    if instead != "a plain folder":  # which stays what it was
        assert await texts(memory, app, "zebra walrus") == []
    assert await texts(memory, old, "zebra walrus") == ["walrus", "zebra"]


async def test_a_copy_is_another_project_while_the_one_it_was_made_of_is_there_or_cannot_be_asked(
    memory, tmp_path, monkeypatch
):
    app = repository(tmp_path / "app")
    await memory.remember("zebra", project=app)
    copy = shutil.copytree(app, tmp_path / "copy")
    commit(app, "more")
    assert await texts(memory, copy) == []
    shutil.rmtree(app / ".git" / "objects")  # git refuses it: nobody can tell
    assert await texts(memory, copy) == []
