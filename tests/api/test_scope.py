"""Law 5: no read path returns a memory of another project; and what is one project, under all its names."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aftermind
from aftermind.engine.errors import Unusable

pytestmark = pytest.mark.anyio
WORDS = ("zebra", "crossing", "deploy", "漢字", "port")
places = st.sampled_from([None, "one", "two", "three"])
memories = st.lists(
    st.tuples(
        places,
        st.sampled_from(["fact", "exchange", "corrected", "superseded", "archived", "session"]),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
    ),
    min_size=1,
    max_size=12,
)


NUMBERS = count()
"""Commits of one second with one message are one commit, and what began with it one repository."""


def git(folder: Path, *words: str) -> None:
    who = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "PATH": os.environ["PATH"]}
    settings = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True, env=who)


def repository(folder: Path, **remotes: str) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init")
    git(folder, "commit", "--allow-empty", "-m", f"first, {next(NUMBERS)}")
    for name, url in remotes.items():
        git(folder, "remote", "add", name, url)
    return folder


async def texts(memory, project, query: str = "zebra") -> list[str]:
    return sorted(hit.text for hit in await memory.recall(query, project=project, floor=False, limit=50))


@settings(max_examples=25)
@given(memories, st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join))
async def test_a_project_sees_its_own_and_what_is_global_and_nothing_else(tmp_path_factory, memories, query):
    async with aftermind.open_memory(tmp_path_factory.mktemp("store")) as memory:
        home: dict[str, str | None] = {}
        for number, (project, form, words) in enumerate(memories):
            text = f"{words} {number}"
            if form == "exchange":
                id = (await memory.record(text, words, session=f"{project} {number % 2}", project=project)).memory
            else:
                session = "shared by all" if form == "session" else None
                id = await memory.remember(text, project=project, session=session)
            home[id] = project
            if form == "corrected":
                await memory.correct(id, f"{text} again")
            elif form == "superseded":
                home[await memory.remember(f"{text} later", project=project, supersedes=id)] = project
            elif form == "archived":
                await memory.archive(id)
        for project in (None, "one", "two", "three", "four"):
            hits = await memory.recall(query, project=project, history=True, floor=False, limit=1000)
            everything = [hit.id.partition("@")[0] for hit in hits]
            for prompt in (query, None):
                shown = await memory.context(prompt, session=f"reader {project}", project=project, budget=10_000)
                everything += [one.id for one in shown.memories] + [left.memory for left in shown.left_out]
            assert {home[id] for id in everything if id in home} <= {None, project}


async def test_an_unknown_project_sees_what_is_global_only(memory):
    await memory.remember("zebra of everyone")
    await memory.remember("zebra of one", project="one")
    assert await texts(memory, "never seen") == ["zebra of everyone"]
    assert await texts(memory, None) == ["zebra of everyone"]
    assert await texts(memory, "one") == ["zebra of everyone", "zebra of one"]


async def test_how_rare_a_word_is_elsewhere_changes_no_score(memory):
    await memory.remember("zebra crossing", project="one")
    await memory.remember("something else", project="one")
    before = [(hit.text, hit.score) for hit in await memory.recall("zebra crossing", project="one")]
    for number in range(30):
        await memory.remember(f"zebra crossing {number}", project="two")
    assert [(hit.text, hit.score) for hit in await memory.recall("zebra crossing", project="one")] == before


async def test_counts_of_a_project_are_of_what_it_sees(memory):
    await memory.remember("zebra of everyone")
    await memory.remember("zebra of one", project="one")
    await memory.record("zebra of two", "yes", session="s", project="two")
    assert (await memory.stats("one")).collections["memory_bank"] == 2
    assert (await memory.stats("one")).waiting == 0
    assert (await memory.stats("two")).waiting == 1
    assert (await memory.stats()).collections == {
        "working": 1,
        "history": 0,
        "patterns": 0,
        "memory_bank": 2,
        "books": 0,
    }


# --- what one project is --------------------------------------------------------------------------------------


async def test_a_folder_is_the_same_by_path_text_trailing_slash_and_link(memory, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "link").symlink_to(work)
    await memory.remember("zebra", project=work)
    for name in (work, str(work), f"{work}/", f"{work}/../work", tmp_path / "link"):
        assert await texts(memory, name) == ["zebra"]
    assert await texts(memory, tmp_path) == []


async def test_a_repository_is_one_by_subfolder_and_by_worktree(memory, tmp_path):
    work = repository(tmp_path / "work")
    git(work, "worktree", "add", str(tmp_path / "tree"), "-b", "other")
    (work / "deep" / "er").mkdir(parents=True)
    (tmp_path / "tree" / "deep").mkdir()
    await memory.remember("zebra", project=work / "deep" / "er")
    for place in (work, work / "deep", tmp_path / "tree", tmp_path / "tree" / "deep"):
        assert await texts(memory, place) == ["zebra"]
    assert len((await memory.stats()).projects) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/ada/billing.git", "git@example.org:ada/billing.git"),
        ("https://user:word@example.org/ada/Billing", "ssh://git@example.org:22/ada/billing"),
    ],
)
async def test_two_clones_of_one_remote_are_one_project(memory, tmp_path, one, other):
    first, second = repository(tmp_path / "a", origin=one), repository(tmp_path / "b", origin=other)
    await memory.remember("zebra", project=first)
    assert await texts(memory, second) == ["zebra"]
    assert list((await memory.stats()).projects.values()) in (["billing"], ["Billing"])


@pytest.mark.parametrize("form", ["{}", "file://{}", "../origin", "bare.git"])
async def test_a_clone_of_a_folder_on_this_machine_is_one_project_with_it(memory, tmp_path, form):
    origin = repository(tmp_path / "origin")
    git(tmp_path, "clone", str(origin), "copy")
    if form == "bare.git":
        git(tmp_path, "clone", "--bare", str(origin), "bare.git")
        git(origin, "remote", "add", "origin", str(tmp_path / "bare.git"))
        git(tmp_path / "copy", "remote", "set-url", "origin", str(tmp_path / "bare.git"))
    else:
        git(tmp_path / "copy", "remote", "set-url", "origin", form.format(origin))
    await memory.remember("zebra", project=origin)
    assert await texts(memory, tmp_path / "copy") == ["zebra"]


@pytest.mark.parametrize("first", ["fork", "original"])
async def test_a_fork_that_names_the_original_is_the_same_project(memory, tmp_path, first):
    original = "https://example.org/ada/billing.git"
    folders = {
        "fork": repository(tmp_path / "fork", origin="https://example.org/bob/billing.git", upstream=original),
        "original": repository(tmp_path / "original", origin=original),
    }
    await memory.remember("zebra", project=folders.pop(first))
    assert await texts(memory, *folders.values()) == ["zebra"]


async def test_two_unrelated_repositories_in_folders_of_one_name_never_mix(memory, tmp_path):
    one = repository(tmp_path / "a" / "app", origin="https://example.org/ada/app.git")
    two = repository(tmp_path / "b" / "app", origin="https://example.org/bob/app.git")
    three = repository(tmp_path / "c" / "app")
    for folder in (one, two, three):
        await memory.remember(f"zebra {folder.parent.name}", project=folder)
    assert [await texts(memory, folder) for folder in (one, two, three)] == [["zebra a"], ["zebra b"], ["zebra c"]]
    with pytest.raises(Unusable, match="several") as error:
        await texts(memory, "app")
    assert all(id in error.value.hint for id in (await memory.stats()).projects)


async def test_a_folder_is_found_by_its_name_while_only_one_has_it(memory, tmp_path):
    await memory.remember("zebra", project=repository(tmp_path / "a" / "App"))
    assert await texts(memory, "app") == ["zebra"]
    await memory.remember("zebra two", project="APP")
    assert await texts(memory, tmp_path / "a" / "App") == ["zebra", "zebra two"]


async def test_a_name_is_a_project_whatever_its_case_and_an_id_is_one_too(memory):
    await memory.remember("zebra", project="Billing")
    assert await texts(memory, " billing ") == ["zebra"]
    (id,) = (await memory.stats()).projects
    assert await texts(memory, id) == ["zebra"]


@pytest.mark.parametrize(
    "project", ["\x00", "a\x00/b", "\ud800", "/\ud800", "x" * 5000, "/" + "x" * 5000, '"; --', "漢字", "👩‍💻"]
)
async def test_any_name_is_a_project_or_refused_with_a_reason(memory, project):
    try:
        await memory.remember("zebra", project=project)
    except Unusable:
        with pytest.raises(Unusable):
            await memory.recall("zebra", project=project)
    else:
        assert await texts(memory, project) == ["zebra"]


@pytest.mark.skipif(sys.platform != "linux", reason="only here may a name be any bytes")
async def test_a_folder_whose_name_is_not_unicode_is_a_project(memory, tmp_path):
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/w\xff"))
    folder.mkdir()
    await memory.remember("zebra", project=folder)
    assert await texts(memory, folder) == ["zebra"]


async def test_a_folder_whose_name_looks_like_a_secret_is_a_project(memory, tmp_path):
    folder = tmp_path / "password=hunter2x9Yq" / "work"
    folder.mkdir(parents=True)
    await memory.remember("zebra", project=folder)
    assert await texts(memory, folder) == ["zebra"]


async def test_a_folder_that_holds_another_repository_now_is_another_project(memory, tmp_path):
    app = repository(tmp_path / "app", origin="https://example.org/ada/one.git")
    await memory.remember("zebra of one", project=app)
    shutil.rmtree(app)
    repository(app, origin="https://example.org/bob/two.git")
    assert await texts(memory, app) == []
    await memory.remember("zebra of two", project=app)
    assert await texts(memory, app) == ["zebra of two"]
    clone = repository(tmp_path / "elsewhere", origin="https://example.org/ada/one.git")
    assert await texts(memory, clone) == ["zebra of one"]


async def test_a_verdict_of_another_project_is_not_told_to_who_asks_about_a_global_memory(memory):
    shared = await memory.remember("To deploy the billing service run make release-billing")
    await memory.context("how do I deploy the billing service of B?", session="s", project="B")
    await memory.record("how do I deploy the billing service of B?", "make release-billing", session="s", project="B")
    await memory.score("worked", session="s", evidence="quokkaparade is up")
    story = [step.what for step in (await memory.why(shared)).steps]
    assert "quokkaparade" not in str(story)
    assert "in another project" in story
