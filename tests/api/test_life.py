"""What becomes of a memory, by hand and by time; what is forgotten is in no view and no answer."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import aftermind
from aftermind.cli.language.undoing import Undo
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.quoting import quoted

pytestmark = pytest.mark.anyio
SECRET = "quokkaparade"


async def head(memory) -> int:
    return (await memory.stats()).head


def told(folder: Path) -> Iterator[str]:
    """Every text in every table of the views, those of the full-text index included."""
    (path,) = folder.glob("views-*.db")
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            for row in connection.execute(f"SELECT * FROM {quoted(name)}"):
                yield from (f"{name}: {value}" for value in row if isinstance(value, str))
    finally:
        connection.close()


# --- by hand --------------------------------------------------------------------------------------------------


async def test_a_correction_keeps_the_id_and_starts_a_new_record(memory):
    id = await memory.remember("the port is 5432")
    await memory.context("which port is it?", session="s")
    await memory.score(memories={id: "worked"})
    corrected = await memory.correct(id, "  the port is 6432 ", reason="it moved")
    assert (corrected.id, corrected.text, corrected.outcomes.uses) == (id, "the port is 6432", 0)
    assert [hit.text for hit in await memory.recall("port")] == ["the port is 6432"]
    assert "it moved" in " ".join(step.what for step in (await memory.why(id)).steps)


@pytest.mark.parametrize("text", ["the port is 6432", "the password=hunter2x9Yq", "a\x00b"])
async def test_the_same_correction_again_is_a_no_op(memory, text):
    id = await memory.remember("the port is 5432")
    await memory.correct(id, text)
    before = await head(memory)
    await memory.correct(id, text)
    assert await head(memory) == before


async def test_a_correction_needs_words(memory):
    id = await memory.remember("the port is 5432")
    for text in ("", " \n"):
        with pytest.raises(Unusable):
            await memory.correct(id, text)


async def test_a_locked_memory_is_changed_by_nobody_until_it_is_unlocked(memory):
    id = (await memory.record("the port?", "5432", session="s", collection="history")).memory
    assert (await memory.lock(id)).locked
    before = await head(memory)
    refused = (memory.demote, memory.archive, memory.forget, lambda id: memory.correct(id, "x"))
    for call in (*refused, lambda id: memory.remember("y", supersedes=id)):
        with pytest.raises(Refused) as error:
            await call(id)
        assert "unlock" in error.value.hint
    assert (await memory.lock(id)).locked
    assert await head(memory) == before
    assert not (await memory.unlock(id)).locked
    await memory.unlock(id)
    assert await head(memory) == before + 1
    assert (await memory.demote(id)).collection == "working"


async def test_an_archived_memory_comes_back_as_it_was(memory):
    id = await memory.remember("the zebra crossing")
    assert (await memory.archive(id, "not now")).status == "archived"
    before = await head(memory)
    await memory.archive(id)
    assert await head(memory) == before
    for call in (memory.promote, memory.demote, lambda id: memory.correct(id, "x")):
        with pytest.raises(Refused) as error:
            await call(id)
        assert "restore" in error.value.hint
    assert await memory.recall("zebra crossing") == ()
    assert (await memory.restore(id)).status == "live"
    assert len(await memory.recall("zebra crossing")) == 1
    before = await head(memory)
    await memory.restore(id)
    assert await head(memory) == before


async def test_a_superseded_memory_can_be_restored(memory):
    old = await memory.remember("the zebra crossing is closed")
    await memory.remember("the zebra crossing is open", supersedes=old)
    restored = await memory.restore(old)
    assert (restored.status, restored.successor) == ("live", None)
    assert len(await memory.recall("zebra crossing", floor=False)) == 2


async def test_what_is_restored_contradicts_what_holds_in_its_place_however_often_that_was_replaced(memory):
    first = await memory.remember("The staging API port is 8081", kind="configuration")
    await memory.remember("The staging API port is 9090", kind="configuration")
    last = await memory.remember("The staging API port is 7070", kind="configuration")
    await memory.restore(first)
    assert await _shown_against(memory, first, last) == {first: last, last: first}
    await memory.ask(Undo(what=(first,)))
    shown = await memory.show(first)
    assert (shown.status, shown.successor is not None) == ("superseded", True)
    assert await _shown_against(memory, first, last) == {last: ""}


async def _shown_against(memory, *ids):
    """Of what is recalled, which of the others it is said to contradict."""
    found = await memory.recall("staging API port")
    against = {one.id: [other for other in ids if f"contradicts {other}" in one.reasons] for one in found}
    return {id: others[0] if others else "" for id, others in against.items()}


async def test_what_is_restored_contradicts_nothing_where_what_took_its_place_is_put_away(memory):
    old = await memory.remember("The staging API port is 8081", kind="configuration")
    new = await memory.remember("The staging API port is 9090", kind="configuration")
    await memory.archive(new)
    await memory.restore(old)
    assert await _shown_against(memory, old, new) == {old: ""}


async def test_steps_by_hand_stay_on_the_ladder(memory, clock):
    id = (await memory.record("the port?", "5432", session="s")).memory
    with pytest.raises(Refused):
        await memory.demote(id)
    assert [(await memory.promote(id)).collection for _ in range(2)] == ["history", "patterns"]
    assert (await memory.show(id)).expires is None
    with pytest.raises(Refused):
        await memory.promote(id)
    assert (await memory.demote(id)).collection == "history"
    sunk = await memory.demote(id)
    assert sunk.collection == "working"
    assert clock.time < sunk.expires <= clock.time + timedelta(hours=24)
    for collection in ("memory_bank", "books"):
        fixed = await memory.remember(f"the port of {collection}", collection=collection)
        for call in (memory.promote, memory.demote):
            with pytest.raises(Refused):
                await call(fixed)


# --- forgetting -----------------------------------------------------------------------------------------------


async def test_what_is_forgotten_is_in_no_view_and_no_answer(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        kept = await memory.remember("a zebra crossing", project="p")
        fact = await memory.remember(f"the {SECRET} begins", project="p", speaker=SECRET, tags=[SECRET])
        await memory.correct(fact, f"the {SECRET} ends")
        await memory.context(f"zebra crossing and {SECRET}?", session="s", project="p")
        asked = await memory.record(
            f"zebra crossing and {SECRET}?", f"{SECRET} 漢字漢字", session="s", id="1", project="p"
        )
        await memory.record(
            f"zebra crossing and {SECRET}?", f"{SECRET} 漢字漢字 {SECRET}", session="s", id="1", project="p"
        )
        await memory.score("worked", exchange=asked.id, evidence=f"{SECRET} was fine")
        assert any(SECRET in text for text in told(folder))
        for id in (fact, asked.memory):
            await memory.forget(id)
            for call in (memory.show, memory.why, memory.forget, memory.lock, memory.restore):
                with pytest.raises(NotFound):
                    await call(id)
        await memory.caught_up()
        assert [text for text in told(folder) if SECRET in text] == []
        assert await memory.recall(SECRET, project="p", history=True, floor=False) == ()
        assert [hit.text for hit in await memory.recall("zebra crossing", project="p")] == ["a zebra crossing"]
        assert (await memory.stats("p")).verdicts == {}, "what is kept was shown, and left no trace"
        await memory.show(kept)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert await memory.recall(SECRET, project="p", history=True, floor=False) == ()
        assert [text for text in told(folder) if SECRET in text] == []


async def test_the_story_of_a_neighbour_does_not_tell_what_was_forgotten(memory):
    neighbour = await memory.remember("a zebra crossing")
    await memory.context(f"zebra crossing and {SECRET}?", session="s")
    asked = await memory.record(f"zebra crossing and {SECRET}?", f"the {SECRET}", session="s")
    await memory.score("worked", evidence=f"the {SECRET} went well")
    await memory.forget(asked.memory)
    assert SECRET not in str(await memory.why(neighbour))


async def test_the_same_words_can_be_kept_anew(memory):
    first = await memory.remember(f"the {SECRET} begins")
    await memory.forget(first)
    second = await memory.remember(f"the {SECRET} begins")
    assert second != first
    assert [hit.id for hit in await memory.recall(SECRET)] == [second]
    with pytest.raises(NotFound):
        await memory.show(first)


async def test_a_forgotten_exchange_is_not_brought_back_by_its_client(memory):
    recorded = await memory.record(f"the {SECRET}?", "begins", session="s", id="1")
    await memory.forget(recorded.memory)
    for answer in ("begins", "begins at noon"):
        await memory.record(f"the {SECRET}?", answer, session="s", id="1")
        assert await memory.recall(f"{SECRET} noon", history=True, floor=False) == ()


async def test_forgetting_a_successor_leaves_what_it_superseded_in_history(memory):
    old = await memory.remember("the zebra crossing is closed")
    new = await memory.remember("the zebra crossing is open", supersedes=old)
    await memory.forget(new)
    assert (await memory.show(old)).status == "superseded"
    assert [hit.id for hit in await memory.recall("zebra crossing", history=True)] == [old]


# --- time -----------------------------------------------------------------------------------------------------


async def test_lifetimes_end_on_time_over_reopenings(folder, stamp, clock):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        ids = {
            collection: (await memory.record(f"zebra {collection}", "yes", session="s", collection=collection)).memory
            for collection in ("working", "history", "patterns", "memory_bank", "books")
        }
        locked = (await memory.record("zebra locked", "yes", session="s")).memory
        await memory.lock(locked)

    async def live_after(**time: float) -> set[str]:
        clock.wait(**time)
        async with aftermind.open_memory(folder, stamp=stamp) as memory:
            return {name for name, id in ids.items() if (await memory.show(id)).status == "live"}

    everything = set(ids)
    assert await live_after(hours=23, minutes=59) == everything
    assert await live_after(minutes=1) == everything - {"working"}
    assert await live_after(days=28, hours=23) == everything - {"working"}
    assert await live_after(hours=1) == {"patterns", "memory_bank", "books"}
    assert await live_after(days=3650) == {"patterns", "memory_bank", "books"}
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert (await memory.show(locked)).status == "live"
        steps = (await memory.why(ids["history"])).steps
        assert [step.what for step in steps if step.type == "memory-expired"] == [
            "expired: its time in history was over"
        ]
        before = await head(memory)
        assert await memory.sweep() == 0
        assert await head(memory) == before
        restored = await memory.restore(ids["working"])
        assert (restored.status, restored.expires > clock.time) == ("live", True)


async def test_a_memory_unlocked_after_its_time_ends_with_the_next_sweep(memory, clock):
    id = (await memory.record("zebra", "yes", session="s")).memory
    await memory.lock(id)
    clock.wait(days=2)
    await memory.unlock(id)
    assert await memory.recall("zebra") == ()
    assert await memory.sweep() == 1
    assert (await memory.show(id)).status == "expired"


async def test_what_is_over_is_not_counted_as_live_before_it_is_swept(memory, clock):
    await memory.record("zebra", "yes", session="s")
    locked = (await memory.record("locked zebra", "yes", session="s")).memory
    await memory.lock(locked)
    clock.wait(days=2)
    stats = await memory.stats()
    assert (stats.collections["working"], stats.statuses) == (1, {"live": 1, "expired": 1})
    assert await memory.sweep() == 1
    assert (await memory.stats()).statuses == {"live": 1, "expired": 1}
