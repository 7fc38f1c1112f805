"""Two machines may have different things at the same path, which gives both projects one id: an import keeps apart what
is known to be different, and says where nothing tells."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import aftermind
from aftermind.cli.carrying.tally import Carried, sentences
from aftermind.cli.language.projects import Join, Projects
from aftermind.cli.past.choosing import Choice
from tests.api.test_carrying import bring, events, export
from tests.api.test_repositories_beginning import commit, fresh
from tests.api.test_scope import repository, texts

pytestmark = pytest.mark.anyio


async def said(store: Path, app: Path, *words: str) -> None:
    async with aftermind.open_memory(store) as memory:
        for word in words:
            await memory.remember(word, project=app)
            await memory.record(f"what of {word}?", f"{word} it is", session="s", project=app)
            await memory.score("worked", session="s", project=app)


async def seen(store: Path, project: Path | str) -> list[str]:
    async with aftermind.open_memory(store) as memory:
        return await texts(memory, project, "zebra walrus quokka")


def told(done: Carried) -> str:
    return " ".join(sentences(done, Path("file")))


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return tmp_path / "w" / "app"


@pytest.fixture
async def theirs(tmp_path: Path, app: Path) -> Path:
    """What another machine knows of the repository it has at that path."""
    repository(app)
    await said(tmp_path / "theirs", app, "zebra")
    shutil.rmtree(app)
    return await export(tmp_path / "theirs", tmp_path / "theirs.jsonl")


async def test_another_repository_at_the_same_path_is_a_project_of_its_own(theirs, app, tmp_path):
    repository(app)
    await said(tmp_path / "mine", app, "walrus")
    would = await bring(tmp_path / "mine", theirs, dry_run=True)
    done = await bring(tmp_path / "mine", theirs)
    ((own, name),) = done.apart.items()
    assert (would.apart, name, done.untold) == (done.apart, "app", ())
    assert f"app in the file is another repository than app here: it is the project {own}." in told(done)
    assert await seen(tmp_path / "mine", app) == ["walrus", "what of walrus?"]
    assert await seen(tmp_path / "mine", own) == ["what of zebra?", "zebra"]
    async with aftermind.open_memory(tmp_path / "mine") as memory:
        (exchange,) = await memory.latest(project=own, kinds=("exchange",))
        assert exchange.outcomes.worked == 1
        await memory.context("hello", session="s2", project=app)
    assert await seen(tmp_path / "mine", app) == ["walrus", "what of walrus?"]


async def test_it_is_the_same_project_however_often_it_comes_and_what_is_new_comes_to_it(theirs, app, tmp_path):
    repository(app)
    await said(tmp_path / "mine", app, "walrus")
    first = await bring(tmp_path / "mine", theirs)
    before = events(tmp_path / "mine")
    again = await bring(tmp_path / "mine", theirs)
    assert (again.new, again.erased, again.apart) == (0, 0, first.apart)
    assert events(tmp_path / "mine") == before
    async with aftermind.open_memory(tmp_path / "theirs") as memory:
        (known,) = await memory.ask(Projects(project="app"))
        await memory.remember("quokka", project=known.id)
    part = Choice(types=frozenset({"memory-recorded"}))  # nothing in it says what the project is known by
    (own,) = first.apart
    await bring(tmp_path / "mine", await export(tmp_path / "theirs", tmp_path / "later.jsonl"))
    await bring(tmp_path / "mine", await export(tmp_path / "theirs", tmp_path / "part.jsonl", part))
    assert await seen(tmp_path / "mine", own) == ["quokka", "what of zebra?", "zebra"]
    assert await seen(tmp_path / "mine", app) == ["walrus", "what of walrus?"]


async def test_one_repository_on_two_machines_is_one_project(tmp_path, app):
    repository(app)
    await said(tmp_path / "theirs", app, "zebra")
    await said(tmp_path / "mine", app, "walrus")
    done = await bring(tmp_path / "mine", await export(tmp_path / "theirs", tmp_path / "theirs.jsonl"))
    assert (done.apart, done.untold) == ({}, ())
    assert await seen(tmp_path / "mine", app) == ["walrus", "what of walrus?", "what of zebra?", "zebra"]


async def test_what_is_global_and_what_only_one_side_has_is_merged_as_it_was(theirs, app, tmp_path):
    async with aftermind.open_memory(tmp_path / "theirs") as memory:
        await memory.remember("quokka everywhere")
        await memory.remember("zebra of billing", project="billing")
    repository(app)
    await said(tmp_path / "mine", app, "walrus")
    await bring(tmp_path / "mine", await export(tmp_path / "theirs", tmp_path / "later.jsonl"))
    assert await seen(tmp_path / "mine", app) == ["quokka everywhere", "walrus", "what of walrus?"]
    assert await seen(tmp_path / "mine", "billing") == ["quokka everywhere", "zebra of billing"]


async def test_a_repository_of_which_it_was_not_kept_how_it_began_is_asked(theirs, app, tmp_path):
    fresh(app)
    await said(tmp_path / "mine", app, "walrus")
    commit(app, "only now")
    assert list((await bring(tmp_path / "mine", theirs)).apart.values()) == ["app"]
    assert await seen(tmp_path / "mine", app) == ["walrus", "what of walrus?"]


async def test_of_plain_folders_nothing_tells_and_that_is_said(app, tmp_path):
    app.mkdir(parents=True)
    await said(tmp_path / "theirs", app, "zebra")
    await said(tmp_path / "mine", app, "walrus")
    file = await export(tmp_path / "theirs", tmp_path / "theirs.jsonl")
    assert "what is known of both would be in one project" in told(await bring(tmp_path / "mine", file, dry_run=True))
    done = await bring(tmp_path / "mine", file)
    assert (done.apart, done.untold) == ({}, ("app",))
    assert "app has the same path here and there" in told(done)
    assert await seen(tmp_path / "mine", app) == ["walrus", "what of walrus?", "what of zebra?", "zebra"]
    assert "nothing tells" not in told(await bring(tmp_path / "mine", file)), "nothing is new"


async def test_what_came_apart_can_be_joined_with_a_folder_and_a_scope_is_what_it_was(theirs, app, tmp_path):
    repository(app)
    await said(tmp_path / "mine", app, "walrus")
    (own,) = (await bring(tmp_path / "mine", theirs)).apart
    elsewhere = repository(tmp_path / "elsewhere")
    async with aftermind.open_memory(tmp_path / "mine") as memory:
        await memory.ask(Join(folder=str(elsewhere), project=own))
    assert await seen(tmp_path / "mine", elsewhere) == ["what of zebra?", "zebra"]
    assert (await bring(tmp_path / "mine", theirs, project="colleague")).apart == {}
    assert await seen(tmp_path / "mine", "colleague") == ["what of zebra?", "zebra"]
