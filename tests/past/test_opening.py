"""A store as it was at a moment: the knowledge and the clock of then, beside whoever holds it now."""

from __future__ import annotations

from datetime import timedelta

import pytest

import aftermind
from aftermind.cli.past import aside as asides
from aftermind.cli.past.aside import PAST, PREFIX, aside, clear
from aftermind.cli.past.differing import difference
from aftermind.cli.past.moments import AtPosition, AtTime
from aftermind.cli.past.opening import open_past
from aftermind.cli.store_folder.belongings import belongings
from aftermind.engine.errors import NotFound, NotYetErased, Unusable
from aftermind.engine.store.folder import fit_folder
from aftermind.projections.meaning.cached_model import CachedModel
from aftermind.projections.meaning.embedding import loaded
from tests.opened import clock, folder, stamp

__all__ = ["clock", "folder", "stamp"]
pytestmark = pytest.mark.anyio
ASKED = "how do we deploy billing"


async def test_what_has_expired_since_was_there_then(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        await memory.record(ASKED, "make deploy", session="s")
        clock.wait(hours=20)
        then = clock.time
        clock.wait(hours=20)
        await memory.sweep()
        assert await memory.recall(ASKED) == ()
        async with open_past(folder, AtTime(then), model="none", stamp=stamp) as past:
            assert [hit.text for hit in await past.memory.recall(ASKED)] == [ASKED]
            assert (await past.memory.stats()).statuses == {"live": 1}
            shown = await past.memory.context(ASKED, session="s")
            assert "20 hours ago" in shown.text
        found = await difference(folder, AtTime(then), None, stamp.now)
        assert [change.what for change in found.changes] == [("expired",)]


async def test_recall_by_meaning_is_that_of_then_and_computes_nothing_anew(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        id = await memory.remember("Deploy billing with make deploy")
        await memory.embedded()
        position = (await memory.stats()).head
        live = await memory.recall(ASKED)
        await memory.remember("Deploy billing by rsync")
        await memory.correct(id, "Something else")
        await memory.embedded()
        async with open_past(folder, AtPosition(position), stamp=stamp) as past:
            then = await past.memory.recall(ASKED)
    assert [(hit.id, hit.score, hit.reasons) for hit in then] == [(hit.id, hit.score, hit.reasons) for hit in live]
    assert any("means the like" in reason for reason in then[0].reasons)
    model = CachedModel(loaded("static", folder), folder)
    model.embed(["Deploy billing with make deploy", "Something else", "never said before"])
    assert model.computed == 1
    assert (model.embed(["Something else"]) == loaded("static", folder).embed(["Something else"])).all()


async def test_nothing_that_is_told_to_the_past_is_kept(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        await memory.remember("Deploy billing with make deploy")
        before = await memory.stats()
        async with open_past(folder, model="none", stamp=stamp) as past:
            shown = await past.memory.context(ASKED, session="elsewhere")
            assert (await past.memory.why(shown.memories[0].id)).steps[-1].type == "context-injected"
            assert (await past.memory.stats()).sessions == before.sessions + 1
        assert await memory.stats() == before


async def test_a_moment_before_a_memory_does_not_know_it(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        id = await memory.remember("Deploy billing with make deploy")
        async with open_past(folder, AtPosition(0), model="none", stamp=stamp) as past:
            with pytest.raises(NotFound):
                await past.memory.show(id)
        async with aftermind.open_past(folder, "yesterday", model="none", stamp=stamp) as past:
            assert past.point.position == 0
    with pytest.raises(Unusable, match="the log ends at position 1"):
        async with open_past(folder, AtPosition(2), stamp=stamp):
            pass


async def test_a_pause_of_then_holds_then(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        await memory.remember("Deploy billing with make deploy")
        await memory.pause()
        paused = clock.time
        clock.wait(hours=1)
        await memory.resume()
        async with open_past(folder, AtTime(paused + timedelta(minutes=1)), model="none", stamp=stamp) as past:
            assert "paused" in (await past.memory.context(ASKED, session="s")).withheld


async def test_forgetting_takes_away_what_was_left_of_the_past_and_waits_for_who_looks_at_it(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        gone = await memory.remember("the vault is behind the aquarium")
        left = folder / PAST / f"{PREFIX}left"
        left.mkdir(parents=True)
        (left / "views-1.db").write_text("the vault is behind the aquarium")
        with aside(folder), pytest.raises(NotYetErased, match="somebody reads the past"):
            await memory.forget(gone)
        assert not left.exists()
        with pytest.raises(NotFound):
            await memory.show(gone)


def test_what_a_killed_program_left_goes_and_what_is_in_use_stays(tmp_path):
    left = tmp_path / PAST / f"{PREFIX}left"
    left.mkdir(parents=True)
    (left / "views-1.db").write_text("what was known")
    with aside(tmp_path) as mine:
        assert not left.exists()
        assert mine.stat().st_mode & 0o777 == 0o700
        (mine / "views-1.db").write_text("what is looked at")
        assert clear(tmp_path) == 0
        assert mine.exists()
        found = belongings(tmp_path)
        assert mine / "views-1.db" in found.views
        assert found.foreign == ()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(KeyboardInterrupt), aside(tmp_path):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_strangers_folder_of_that_name_stays_as_it_is(tmp_path):
    (tmp_path / PAST).mkdir()
    (tmp_path / PAST / "diary.txt").write_text("dear")
    with aside(tmp_path):
        pass
    assert (tmp_path / PAST / "diary.txt").read_text() == "dear"
    assert tmp_path / PAST / "diary.txt" in belongings(tmp_path).foreign
    (tmp_path / "away").mkdir()
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / PAST).symlink_to(tmp_path / "away", target_is_directory=True)
    assert clear(tmp_path / "linked") == 0
    with aside(tmp_path / "linked") as place:
        assert not place.is_relative_to(tmp_path)


def test_a_store_that_cannot_be_written_is_looked_at_all_the_same(tmp_path, monkeypatch):
    def refuses(prefix, dir=None):
        if dir is not None:
            raise PermissionError
        place = tmp_path / "system"
        place.mkdir(mode=0o700)
        return str(place)

    monkeypatch.setattr(asides, "mkdtemp", refuses)
    (tmp_path / "store").mkdir()
    with aside(tmp_path / "store") as place:
        assert place == tmp_path / "system"
    assert not place.exists()


def test_what_a_killed_look_at_a_store_that_cannot_be_written_left_goes_too(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    store, left = tmp_path / "store", tmp_path / "temporary" / f"{asides.OUTSIDE}left"
    store.mkdir()
    left.mkdir(parents=True, mode=0o700)
    (left / "views-1.db").write_text("what was known")
    others = tmp_path / "temporary" / f"{asides.OUTSIDE}others"
    others.mkdir(mode=0o755)
    (store / PAST).symlink_to(tmp_path)
    with aside(store) as mine:
        assert mine.parent == tmp_path / "temporary"
        assert not left.exists()
        assert clear(store) == 0
        assert mine.is_dir()
    assert others.is_dir()


def test_a_leftover_alone_makes_no_strangers_folder(tmp_path):
    (tmp_path / PAST).mkdir()
    assert fit_folder(tmp_path, make=True) == tmp_path
