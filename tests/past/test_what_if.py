"""What if another policy or model had ranked: prompts asked again, at their own moments."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

import aftermind
from aftermind.cli.past.choosing import Choice
from aftermind.cli.past.policies import ranking_of
from aftermind.cli.past.what_if import Tally, what_if
from aftermind.cli.settings import Misconfigured
from aftermind.engine.policy import Policy, Ranking
from tests.opened import clock, folder, stamp

__all__ = ["clock", "folder", "stamp"]
pytestmark = pytest.mark.anyio
NOW = Policy()


async def lived(folder, stamp, model="none"):
    """A few turns in which two memories are shown: one works, one fails, and later both have another wording."""
    async with aftermind.open_memory(folder, stamp=stamp, model=model) as memory:
        good = await memory.remember("Deploy billing with make deploy", project="shop")
        bad = await memory.remember("Deploy billing with rsync and hope", project="shop")
        for n in range(3):
            if model != "none":
                await memory.embedded()
            await memory.context("how do we deploy billing", session="s", project="shop")
            done = await memory.record(
                "how do we deploy billing", f"make deploy, take {n}", session="s", project="shop"
            )
            if n:
                await memory.score(exchange=done.id, memories={good: "worked", bad: "failed"})
        await memory.context("what about lunch", session="s", project="shop")
        await memory.context(session="s2", project="shop")
        await memory.correct(good, "Something else altogether")
        await memory.correct(bad, "Another thing altogether")
    return good, bad


@pytest.mark.parametrize("model", ["none", "static"])
async def test_the_same_policy_and_model_show_what_was_shown(folder, stamp, model):
    await lived(folder, stamp, model)
    found = await what_if(folder, NOW, model, NOW.ranking, model)
    assert (found.prompts, found.same_as_shown, found.differing) == (4, 4, 0)
    assert found.shown == found.present == found.other
    assert found.added == found.dropped == Tally()
    assert found.shown.prompts == 3
    assert (found.shown.worked, found.shown.failed) == (2, 2)
    assert found.shown.not_judged == found.shown.memories - 4
    assert found.unasked == 1


async def test_another_policy_is_told_by_how_what_it_drops_had_done(folder, stamp):
    good, bad = await lived(folder, stamp)
    before = {path: path.read_bytes() for path in folder.iterdir() if path.suffix == ".db"}
    other = structs.replace(NOW.ranking, limit=1)
    found = await what_if(folder, NOW, "none", other, "none", each=True)
    assert {path: path.read_bytes() for path in before} == before
    assert not (folder / "past").exists()
    assert found.other.memories == found.other.prompts == 3
    assert found.dropped.failed + found.other.failed == found.present.failed == 2
    assert found.dropped.worked + found.other.worked == 2
    assert found.differing == len(found.each) == 3
    assert found.each[-1].fates[good] == "worked"
    assert found.each[-1].fates[bad] == "failed"
    assert found.each[0].fates == {good: "not_judged", bad: "not_judged"}
    one = await what_if(folder, NOW, "none", other, "none", last=2)
    assert one.prompts == 2
    assert (await what_if(folder, NOW, "none", other, "none", choice=Choice(until=0))).prompts == 0


async def test_what_was_not_shown_then_has_no_verdict(folder, stamp):
    await lived(folder, stamp)
    strict = structs.replace(NOW, ranking=structs.replace(NOW.ranking, limit=1))
    async with aftermind.open_memory(folder, policy=strict, model="none", stamp=stamp) as memory:
        await memory.remember("Deploy parcels with make parcels", project="shop")
        await memory.remember("Deploy parcels by hand", project="shop")
        await memory.context("how do we deploy parcels", session="s", project="shop")
    found = await what_if(folder, NOW, "none", NOW.ranking, "none", last=1)
    assert (found.shown.memories, found.shown.not_judged) == (1, 1)
    assert found.present.memories == found.present.not_shown + 1
    assert found.present.not_shown >= 1
    assert found.same_as_shown == 0


async def test_another_model_is_compared_too(folder, stamp):
    await lived(folder, stamp, "static")
    async with aftermind.open_memory(folder, model="static", stamp=stamp) as memory:
        await memory.remember("The database listens on port 5432", project="shop")
        await memory.embedded()
        await memory.context("the postgres databases are listening where", session="s", project="shop")
    found = await what_if(folder, NOW, "static", NOW.ranking, "none")
    assert found.prompts == found.same_as_shown == 5
    assert found.present.memories >= found.other.memories


async def test_a_forgotten_prompt_is_not_asked_again(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        await memory.context("a prompt to be forgotten", session="s")
        done = await memory.record("a prompt to be forgotten", "so be it", session="s")
        await memory.forget(done.memory)
    found = await what_if(folder, NOW, "none", NOW.ranking, "none")
    assert (found.prompts, found.withheld) == (0, 1)


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("flor = 0.2", "'flor'", "did you mean floor?"),
        ("[ranking]\nlimit = 2.5", "limit must be a whole number", ""),
        ("limit = 0", "at least 1", ""),
        ("floor = true", "floor must be a number", ""),
        ("near_weight = -1", "at least 0", ""),
        ("ranking = 3", "'ranking'", "the keys are"),
        ("floor = ", "is not TOML", ""),
    ],
)
def test_a_policy_that_does_not_fit_is_refused(tmp_path, text, said, hint):
    file = tmp_path / "other.toml"
    file.write_text(text)
    with pytest.raises(Misconfigured, match=said) as refused:
        ranking_of(file, Ranking())
    assert hint in refused.value.hint


def test_a_policy_changes_what_it_names(tmp_path):
    file = tmp_path / "other.toml"
    file.write_text("floor = 1\n[ranking]\nlimit = 3\n")
    assert ranking_of(file, Ranking(budget=7)) == Ranking(budget=7, floor=1.0, limit=3)
    with pytest.raises(Misconfigured, match="there is no file"):
        ranking_of(Path("/nowhere.toml"), Ranking())
