"""Chosen projects see each other by somebody's word, until it is taken back; nothing else ever mixes."""

from __future__ import annotations

import pytest

import aftermind
from aftermind.cli.language.erasing import Erasing, ForgetAll, Selection
from aftermind.cli.language.projects import Directives, Join, Projects, Share, Unshare
from aftermind.cli.language.requests import Correct, Forget, Recall, Search, Show
from aftermind.engine.errors import NotFound, Refused, Unusable
from tests.api.test_carrying import bring, export

pytestmark = pytest.mark.anyio


async def told(memory, project: str) -> set[str]:
    """Everything that is shown in a project, by every path that reads."""
    found = {hit.text for hit in await memory.recall("zebra", project=project, floor=False)}
    assert found == {one.text for one in await memory.latest(project=project)}
    searched = await memory.ask(Search(session="s", query="zebra", project=project))
    assert found == {hit.text for hit in searched.memories}
    shown = await memory.context("where is the zebra?", session=f"of {project}", project=project)
    assert {one.text for one in shown.memories} <= found
    return found


async def stated(memory) -> dict[str, str]:
    places = {"a": "a", "b": "b", "c": "c", "everywhere": None}
    return {name: await memory.remember(f"the zebra of {name}", project=place) for name, place in places.items()}


async def test_a_project_sees_what_it_was_said_to_see_and_that_one_sees_nothing_for_it(memory):
    await stated(memory)
    assert await memory.ask(Share(project="a", other="b"))
    assert not await memory.ask(Share(project="a", other="b"))
    assert await told(memory, "a") == {"the zebra of a", "the zebra of b", "the zebra of everywhere"}
    assert await told(memory, "b") == {"the zebra of b", "the zebra of everywhere"}
    assert await told(memory, "c") == {"the zebra of c", "the zebra of everywhere"}
    await memory.ask(Share(project="b", other="c"))  # which is not handed on
    assert await told(memory, "a") == {"the zebra of a", "the zebra of b", "the zebra of everywhere"}
    assert await memory.ask(Unshare(project="a", other="b"))
    assert not await memory.ask(Unshare(project="a", other="b"))
    assert await told(memory, "a") == {"the zebra of a", "the zebra of everywhere"}


async def test_what_is_seen_of_another_is_changed_there_alone(memory):
    ids = await stated(memory)
    with pytest.raises(NotFound):
        await memory.ask(Show(id=ids["b"], within="a"))
    await memory.ask(Share(project="a", other="b"))
    assert (await memory.ask(Show(id=ids["b"], within="a"))).text == "the zebra of b"
    for request in (Correct(id=ids["b"], text="gone", within="a"), Forget(id=ids["b"], within="a")):
        with pytest.raises(Refused, match="belongs to another project, and is only seen here"):
            await memory.ask(request)
    with pytest.raises(NotFound):
        await memory.ask(Correct(id=ids["c"], text="gone", within="a"))
    kept = await memory.remember("the zebra of a, too", project="a")
    assert (await memory.show(kept)).scope == (await memory.show(ids["a"])).scope
    assert "the zebra of a, too" not in await told(memory, "b")


async def test_rules_of_a_shared_project_are_told_with_it_and_give_way_to_the_own(memory):
    theirs = await memory.remember("Never deploy on a friday", kind="directive", project="b")
    own = await memory.remember("Always answer in English", kind="directive", project="a")
    await memory.ask(Share(project="a", other="b"))
    rules = {rule.id: rule for rule in await memory.ask(Directives(project="a"))}
    assert set(rules) == {own, theirs}
    assert rules[theirs].notes == ("of project b",)
    assert theirs in (await memory.context(session="s", project="a")).text


async def test_a_paused_project_is_shown_nowhere(memory):
    await stated(memory)
    await memory.ask(Share(project="a", other="b"))
    await memory.pause("b")
    assert await told(memory, "a") == {"the zebra of a", "the zebra of everywhere"}
    await memory.resume("b")
    assert "the zebra of b" in await told(memory, "a")


async def test_only_projects_that_are_known_are_shared_and_none_with_itself(memory):
    await stated(memory)
    for own, other, error in (("a", "nobody", NotFound), ("nobody", "a", NotFound), ("a", "a", Unusable)):
        with pytest.raises(error):
            await memory.ask(Share(project=own, other=other))


async def test_sharing_is_there_after_the_store_was_opened_and_its_views_made_anew(folder):
    async with aftermind.open_memory(folder) as memory:
        await stated(memory)
        await memory.ask(Share(project="a", other="b"))
    for path in folder.glob("views-*"):
        path.unlink()
    async with aftermind.open_memory(folder) as memory:
        found = await memory.ask(Recall(query="zebra", project="a", floor=False))
        assert "the zebra of b" in {hit.text for hit in found}


async def test_a_folder_that_moved_without_a_trace_is_said_to_be_the_project_it_was(memory, tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    await memory.remember("the zebra of the folder", project=old)
    old.rename(new)
    assert await told(memory, str(new)) == set()
    joined = await memory.ask(Join(folder=str(new), project="old"))
    assert (joined.project.name, joined.before) == ("old", None)
    assert await told(memory, str(new)) == {"the zebra of the folder"}
    await memory.remember("another zebra", project=new)
    assert "another zebra" in await told(memory, "old")
    (tmp_path / "third").mkdir()
    await memory.remember("a third zebra", project=tmp_path / "third")
    joined = await memory.ask(Join(folder=str(tmp_path / "third"), project="old"))
    assert joined.before is not None
    assert joined.before.memories == 1
    assert "a third zebra" not in await told(memory, str(tmp_path / "third"))
    await memory.ask(Join(folder=str(tmp_path / "third"), project=joined.before.id))
    assert await told(memory, str(tmp_path / "third")) == {"a third zebra"}


async def test_an_import_opens_no_project_to_another(folder, tmp_path):
    """Their ids follow from their names, so that a foreign file could name one's own."""
    async with aftermind.open_memory(folder) as memory:
        await stated(memory)
        await memory.ask(Share(project="a", other="b"))
    events = await export(folder, tmp_path / "events.jsonl")
    async with aftermind.open_memory(tmp_path / "other") as memory:
        await memory.remember("the zebra of my own a", project="a")
        await memory.remember("the zebra of my own b", project="b")
    await bring(tmp_path / "other", events)
    async with aftermind.open_memory(tmp_path / "other") as memory:
        assert all(not project.sees for project in await memory.ask(Projects()))
        assert "the zebra of a" in await told(memory, "a")
        assert not any("of b" in text or "own b" in text for text in await told(memory, "a"))


async def test_a_forgotten_project_is_seen_nowhere_any_more(memory):
    await stated(memory)
    await memory.ask(Share(project="a", other="b"))
    begun = await memory.ask(ForgetAll(selection=Selection(projects=("b",))))
    await memory.ask(Erasing(run=begun.run, seconds=60.0))
    assert await told(memory, "a") == {"the zebra of a", "the zebra of everywhere"}
