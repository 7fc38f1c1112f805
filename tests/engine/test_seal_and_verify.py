"""What was recorded cannot be changed unseen: the triggers refuse it, the chain finds it, and a log that lost its
end or its shape is refused and left as it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from aftermind.engine.errors import LogDamaged
from aftermind.engine.events import Erased, MemoryRecorded
from aftermind.engine.log import Draft
from aftermind.engine.logs.sqlite_log import sqlite_log, sqlite_log_reader
from aftermind.engine.logs.verify import Verified
from aftermind.engine.names import START, EventId, MemoryId, Position, Scope, StreamName
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.folder import log_is_there
from aftermind.engine.views.generations import views
from aftermind.projections.catalog import ALL
from tests.given import NOON, append, draft, simulated

pytestmark = pytest.mark.anyio
EVENTS = 6


def remembered(n: int, text: str = "") -> Draft:
    memory = MemoryId(f"m{n}")
    event = MemoryRecorded(
        memory=memory, kind="fact", collection="memory_bank", scope=Scope("global"), text=text or f"fact {n}"
    )
    return draft(f"event-{n}", event, because=f"event-{n - 1}" if n > 1 else None)


async def written(path: Path, texts: Sequence[str] = ("",) * EVENTS) -> None:
    async with sqlite_log(path, simulated()) as log:
        for n, text in enumerate(texts, start=1):
            await log.append(append("memory-odd" if n % 2 else "memory-even", remembered(n, text)))


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    await written(tmp_path / "log.db")
    return tmp_path / "log.db"


def straight(path: Path, *statements: str, unguarded: bool = False) -> None:
    """In the file itself, as somebody with a database tool."""
    with closing(sqlite3.connect(path)) as connection, connection:
        if unguarded:
            connection.execute("DROP TRIGGER event_stays")
            connection.execute("DROP TRIGGER event_is_immutable")
        for statement in statements:
            connection.execute(statement)


async def verified(path: Path) -> Verified:
    async with sqlite_log_reader(path, START) as log:
        return await log.verify()


SWAP_PAYLOADS = """UPDATE event SET (salt, payload, digest) =
  (SELECT salt, payload, digest FROM event other WHERE other.position = 7 - event.position) WHERE position IN (3, 4)"""
MAKE_ROOM = "DELETE FROM event WHERE position = 4"
OTHER_BYTES = "x'99'"
PLACES = dict.fromkeys(("position", "version", "at", "noted"), "99")
PLACES |= dict.fromkeys(("id", "stream", "tag", "because"), "'other'") | dict.fromkeys(("digest", "seal"), OTHER_BYTES)

TAMPERINGS = {
    "the payload": ["UPDATE event SET payload = CAST(replace(payload, 'fact 3', 'fact 9') AS BLOB) WHERE position = 3"],
    "the salt": ["UPDATE event SET salt = zeroblob(16) WHERE position = 3"],
    "the payload without its salt": ["UPDATE event SET payload = NULL WHERE position = 3"],
    "the digest": ["UPDATE event SET digest = zeroblob(32) WHERE position = 3"],
    "the seal": ["UPDATE event SET seal = zeroblob(32) WHERE position = 3"],
    "the digest of an erased event": ["UPDATE event SET payload = NULL, salt = NULL, digest = salt WHERE position = 3"],
    "its id": ["UPDATE event SET id = 'event-9' WHERE position = 3"],
    "its stream": ["UPDATE event SET stream = 'memory-9' WHERE position = 3"],
    "its version": ["UPDATE event SET version = 9 WHERE position = 3"],
    "its tag": ["UPDATE event SET tag = 'memory-locked' WHERE position = 3"],
    "when it happened": ["UPDATE event SET at = at + 1 WHERE position = 3"],
    "when it was noted": ["UPDATE event SET noted = noted - 1 WHERE position = 3"],
    "its cause": ["UPDATE event SET because = 'event-9' WHERE position = 3"],
    "that it had a cause": ["UPDATE event SET because = NULL WHERE position = 3"],
    "its position": [MAKE_ROOM, "UPDATE event SET position = 4 WHERE position = 3"],
    "one cut out": ["DELETE FROM event WHERE position = 3"],
    "two cut out": ["DELETE FROM event WHERE position IN (3, 4)"],
    "one cut out and the gap closed": [
        "DELETE FROM event WHERE position = 3",
        "UPDATE event SET position = position - 1 WHERE position > 3",
    ],
    "the payloads of two swapped": [SWAP_PAYLOADS],
    "two swapped": [
        "UPDATE event SET position = 100 WHERE position = 3",
        "UPDATE event SET position = 3 WHERE position = 4",
        "UPDATE event SET position = 4 WHERE position = 100",
    ],
}


@pytest.mark.parametrize("statements", TAMPERINGS.values(), ids=TAMPERINGS)
async def test_it_is_found_at_the_position_before_it_when_somebody_changes(path: Path, statements: list[str]) -> None:
    straight(path, *statements, unguarded=True)
    with pytest.raises(LogDamaged) as damage:
        await verified(path)
    assert damage.value.position == 2
    assert "intact up to position 2" in str(damage.value)


async def test_the_first_event_is_sealed_as_well(path: Path) -> None:
    straight(path, "DELETE FROM event WHERE position = 1", unguarded=True)
    with pytest.raises(LogDamaged) as damage:
        await verified(path)
    assert damage.value.position == 0


async def test_a_change_of_the_last_event_is_noticed_when_the_log_is_opened(path: Path, stamp: Stamp) -> None:
    straight(path, f"UPDATE event SET at = 0 WHERE position = {EVENTS}", unguarded=True)
    with pytest.raises(LogDamaged) as damage:
        async with sqlite_log(path, stamp):
            pass
    assert damage.value.position == EVENTS - 1


async def test_an_end_that_was_cut_off_is_found_where_somebody_saw_it(path: Path) -> None:
    straight(path, f"DELETE FROM event WHERE position > {EVENTS - 2}", unguarded=True)
    async with sqlite_log_reader(path, Position(EVENTS)) as log:
        with pytest.raises(LogDamaged) as damage:
            await log.verify()
    assert damage.value.position == EVENTS - 2


async def test_an_untouched_log_verifies(path: Path) -> None:
    assert await verified(path) == Verified(events=EVENTS, erased=0, head=Position(EVENTS))


@pytest.mark.parametrize("column", [*PLACES, "salt", "payload"])
async def test_an_event_cannot_be_changed_in_its(path: Path, column: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="cannot be changed"):
        straight(path, f"UPDATE event SET {column} = {PLACES.get(column, OTHER_BYTES)} WHERE position = 3")


async def test_an_event_cannot_be_deleted_and_nothing_can_be_emptied_unless_it_is_being_erased(path: Path) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="cannot be deleted"):
        straight(path, "DELETE FROM event WHERE position = 3")
    with pytest.raises(sqlite3.IntegrityError, match="cannot be changed"):
        straight(path, "UPDATE event SET payload = NULL, salt = NULL WHERE position = 3")
    with pytest.raises(sqlite3.IntegrityError, match="cannot be changed"):
        straight(
            path, "INSERT INTO erasing VALUES (4)", "UPDATE event SET payload = NULL, salt = NULL WHERE position = 3"
        )
    assert (await verified(path)).erased == 0


# --- erasing --------------------------------------------------------------------------------------------------

ERASE = "UPDATE event SET payload = NULL, salt = NULL{} WHERE position = 3"


async def test_an_erased_event_leaves_its_place_and_the_chain_verifies(path: Path, stamp: Stamp) -> None:
    straight(path, "INSERT INTO erasing VALUES (3)", ERASE.format(""), "DELETE FROM erasing")
    assert await verified(path) == Verified(events=EVENTS, erased=1, head=Position(EVENTS))
    async with sqlite_log(path, stamp) as log:
        found = await log.find(EventId("event-3"))
        assert found is not None
        assert (found.position, found.version, found.draft.event) == (3, 2, Erased(tag="memory-recorded"))
        await log.append(append("memory-odd", remembered(7), expected=3))
        assert (await log.verify()).events == EVENTS + 1


async def test_the_last_event_can_be_erased_and_the_log_goes_on(path: Path, stamp: Stamp) -> None:
    straight(path, "INSERT INTO erasing VALUES (6)", ERASE.replace("= 3", "= 6").format(""), "DELETE FROM erasing")
    async with sqlite_log(path, stamp) as log:
        await log.append(append("memory-odd", remembered(7)))
        assert (await log.verify()).erased == 1


@pytest.mark.parametrize("column", PLACES)
async def test_erasing_cannot_change_the_column(path: Path, column: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="cannot be changed"):
        straight(path, "INSERT INTO erasing VALUES (3)", ERASE.format(f", {column} = {PLACES[column]}"))


@pytest.mark.parametrize(
    "half", ["payload = NULL", "salt = NULL", "payload = x'7b7d'", "payload = x'7b7d', salt = NULL"]
)
async def test_erasing_empties_payload_and_salt_and_never_fills_them(path: Path, half: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="cannot be changed"):
        straight(path, "INSERT INTO erasing VALUES (3)", f"UPDATE event SET {half} WHERE position = 3")


# --- a log that lost something --------------------------------------------------------------------------------


async def test_a_log_whose_end_was_cut_off_after_views_have_seen_it_is_refused(path: Path, stamp: Stamp) -> None:
    async with sqlite_log(path, stamp) as log, views(path.parent, log, ALL) as seen:
        await seen.reached(None)
    straight(path, f"DELETE FROM event WHERE position > {EVENTS - 2}", unguarded=True)
    async with sqlite_log(path, stamp) as log:
        with pytest.raises(LogDamaged) as damage:
            async with views(path.parent, log, ALL):
                pass
    assert damage.value.position == EVENTS - 2
    assert f"position {EVENTS}" in str(damage.value)


async def test_a_log_whose_end_was_cut_off_is_refused_by_a_newer_program_too(path: Path, stamp: Stamp) -> None:
    async with sqlite_log(path, stamp) as log, views(path.parent, log, ALL[:2]) as seen:
        await seen.reached(None)
    straight(path, f"DELETE FROM event WHERE position > {EVENTS - 2}", unguarded=True)
    async with sqlite_log(path, stamp) as log:
        with pytest.raises(LogDamaged):
            async with views(path.parent, log, ALL):
                pass


def halves(whole: bytes) -> dict[str, bytes]:
    return {
        "ten bytes": whole[:10],
        "one page": whole[:4096],
        "half": whole[: len(whole) // 2],
        "all but a page": whole[:-4096],
        "a garbled header": b"garbage!" * 2 + whole[16:],
        "no database": b"not a database, " * 1000,
        "zeros": bytes(len(whole)),
    }


@pytest.mark.parametrize("damage", halves(b""))
async def test_a_log_is_refused_and_left_as_it_is_when_of_the_file_is_left(
    tmp_path: Path, damage: str, stamp: Stamp
) -> None:
    path = tmp_path / "log.db"
    await written(path, ["long " * 500] * 20)
    damaged = halves(path.read_bytes())[damage]
    path.write_bytes(damaged)
    with pytest.raises(LogDamaged):
        async with sqlite_log(path, stamp) as log, views(tmp_path, log, ALL) as seen:
            await seen.reached(None)
    assert path.read_bytes() == damaged


@pytest.mark.parametrize("left", ["an empty file", "no file"])
async def test_nothing_is_begun_where_views_have_grown_from_a_log_that_is_gone(
    path: Path, stamp: Stamp, left: str
) -> None:
    async with sqlite_log(path, stamp) as log, views(path.parent, log, ALL) as seen:
        await seen.reached(None)
    path.unlink()
    if left == "an empty file":
        path.touch()
    with pytest.raises(LogDamaged) as damage:
        log_is_there(path.parent)
    assert damage.value.position == 0
    assert not path.exists() or path.stat().st_size == 0


async def test_another_program_s_database_is_refused_and_left_as_it_is(tmp_path: Path, stamp: Stamp) -> None:
    path = tmp_path / "log.db"
    straight(path, "CREATE TABLE theirs (text)", "INSERT INTO theirs VALUES ('kept')")
    with pytest.raises(LogDamaged):
        async with sqlite_log(path, stamp):
            pass
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT * FROM theirs").fetchall() == [("kept",)]


async def test_a_stream_is_read_in_the_order_of_its_versions(path: Path) -> None:
    async with sqlite_log_reader(path, START) as log:
        assert [r.version for r in await log.stream(StreamName("memory-odd"))] == [1, 2, 3]
        assert (await log.stream(StreamName("memory-odd")))[0].draft.at == NOON
