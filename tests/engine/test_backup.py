"""Backups: incremental, whole or none, told from damaged ones, pruned, and rewritten when something is forgotten."""

from __future__ import annotations

import os
import shutil
import stat
from base64 import b64encode
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from aftermind.engine.backups.backup import (
    MANIFEST,
    SEGMENTS,
    BackupBusy,
    BackupDamaged,
    cleaned,
    found,
    rows_of,
    turn,
    verified,
)
from aftermind.engine.backups.erasing import erase_in, erased_everywhere
from aftermind.engine.backups.making import Made, backed_up
from aftermind.engine.backups.registry import REGISTRY, Place, backups_of, entered, highest_seen
from aftermind.engine.backups.restoring import built, decided, finished
from aftermind.engine.backups.segment import Row
from aftermind.engine.erasing import erased
from aftermind.engine.errors import AftermindError, LogDamaged, StoreUnusable
from aftermind.engine.events import MemoryRecorded
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import SqliteLog, sqlite_log
from aftermind.engine.logs.verify import LINKS
from aftermind.engine.names import GLOBAL, EventId, MemoryId, memory_stream
from aftermind.engine.sqlite import foreign
from aftermind.engine.stamp import Stamp
from aftermind.engine.store import spool
from tests.given import NOON

pytestmark = pytest.mark.anyio
KEY = "0197f0000000" + "a" * 20


async def said(log: SqliteLog, stamp: Stamp, *texts: str) -> list[EventId]:
    """A memory of each text."""
    appends: list[Append] = []
    for text in texts:
        memory = MemoryId(f"m{stamp.new_id()}")
        event = MemoryRecorded(memory=memory, kind="fact", collection="books", scope=GLOBAL, text=text)
        appends.append(Append(stream=memory_stream(memory), drafts=(stamp.draft(event),)))
    if appends:
        await log.append(*appends)
    return [append.drafts[0].id for append in appends]


async def begun(store: Path, stamp: Stamp, *texts: str) -> list[EventId]:
    store.mkdir(mode=0o700, exist_ok=True)
    async with sqlite_log(store / "log.db", stamp) as log:
        return await said(log, stamp, *texts)


def rows_in(store: Path) -> list[Row]:
    with foreign(store / "log.db") as connection:
        return connection.execute(LINKS, (0,)).fetchall()


def backed(made: Made) -> list[Row]:
    return [row for some in rows_of(made.backup) for row in some]


def texts(count: int, word: str = "rhubarb") -> list[str]:
    return [f"{word} number {number}" for number in range(count)]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


async def test_a_backup_holds_what_the_log_held_and_the_next_one_costs_what_is_new(store: Path, stamp: Stamp) -> None:
    await begun(store, stamp, *texts(2_300))
    first = await backed_up(store, None, stamp, largest=4_000)
    assert backed(first) == rows_in(store)
    assert (first.new, first.backup.manifest.head) == (2_300, 2_300)
    assert len(first.backup.segments) > 1  # several pieces, each checked against the one before
    before = rows_in(store)
    await begun(store, stamp, "one more")
    second = await backed_up(store, None, stamp)
    assert (second.new, second.backup.manifest.events) == (1, 2_301)
    assert second.size < first.size / 10
    assert backed(second) == rows_in(store)
    assert backed(first) == before
    assert verified(first.backup) == verified(second.backup) == 0
    assert [backup.path for backup in found(store / "backups")[0]] == [first.backup.path, second.backup.path]


async def test_it_is_made_while_others_append(store: Path, stamp: Stamp) -> None:
    await begun(store, stamp, *texts(10))
    async with sqlite_log(store / "log.db", stamp) as log:
        await said(log, stamp, "held in the WAL")
        made = await backed_up(store, None, stamp)
        await said(log, stamp, "too late for it")
    assert [row[0] for row in backed(made)] == list(range(1, 12))
    assert verified(made.backup) == 0


async def test_an_empty_log_can_be_backed_up(store: Path, stamp: Stamp) -> None:
    await begun(store, stamp)
    made = await backed_up(store, None, stamp)
    assert (made.backup.manifest.head, backed(made), verified(made.backup)) == (0, [], 0)
    await begun(store, stamp, "the first")
    assert backed(await backed_up(store, None, stamp)) == rows_in(store)


async def test_what_waits_in_the_spool_is_in_it(store: Path, stamp: Stamp) -> None:
    await begun(store, stamp, "one")
    spool.write(store, KEY, b"a request")
    made = await backed_up(store, None, stamp)
    ((path, _),) = made.backup.spool
    assert path.read_bytes() == b"a request"
    path.write_bytes(b"another")
    with pytest.raises(BackupDamaged, match="spool"):
        verified(made.backup)


async def test_what_waits_is_copied_without_what_the_log_would_not_have(store: Path, stamp: Stamp) -> None:
    await begun(store, stamp, "one")
    payload = b64encode(b'{"prompt":"hello <private>wombat</private>"}')
    spool.write(store, KEY, b'{"key":"%s","request":{"ask":"deliver","payload":"%s"}}' % (KEY.encode(), payload))
    made = await backed_up(store, None, stamp)
    ((path, _),) = made.backup.spool
    assert b64encode(b'{"prompt":"hello [private]"}') in path.read_bytes()
    verified(made.backup)


async def test_its_files_are_their_owners_alone(store: Path, stamp: Stamp) -> None:
    await begun(store, stamp, "one")
    spool.write(store, KEY, b"a request")
    made = await backed_up(store, store.parent / "elsewhere", stamp)
    folder = made.backup.path.parent
    for path in (folder, *folder.rglob("*"), store / REGISTRY):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


async def test_keep_leaves_the_newest_and_all_they_need(store: Path, stamp: Stamp) -> None:
    for number in range(4):
        await begun(store, stamp, *texts(3))
        made = await backed_up(store, None, stamp, keep=2)
        assert len(made.pruned) == (1 if number > 1 else 0)
    left = found(store / "backups")[0]
    assert [backup.manifest.events for backup in left] == [9, 12]
    assert [verified(backup) for backup in left] == [0, 0]
    again = await backed_up(store, None, stamp, keep=1, full=True)
    assert [path.name for path in (store / "backups" / SEGMENTS).iterdir()] == [again.backup.segments[0][0].name]


async def test_a_clock_that_went_back_does_not_cost_the_newest(store: Path, stamp: Stamp) -> None:
    await begun(store, stamp, "one")
    await backed_up(store, None, stamp)
    await begun(store, stamp, "two")
    early = Stamp(now=lambda: NOON - timedelta(days=400), random=stamp.random)
    made = await backed_up(store, None, early, keep=1)
    assert [backup.path for backup in found(store / "backups")[0]] == [made.backup.path]
    assert backed(made) == rows_in(store)


async def test_another_history_begins_anew_beside_the_one_before(store: Path, stamp: Stamp) -> None:
    await begun(store, stamp, *texts(5))
    first = await backed_up(store, None, stamp)
    (store / "log.db").unlink()
    await begun(store, stamp, *texts(7, "barberry"))
    second = await backed_up(store, None, stamp)
    assert second.new == 7
    assert verified(first.backup) == verified(second.backup) == 0


async def test_an_interrupted_one_is_never_taken_for_whole_and_goes(store: Path, stamp: Stamp) -> None:
    await begun(store, stamp, *texts(50))
    first = await backed_up(store, None, stamp)
    await begun(store, stamp, *texts(50))
    second = await backed_up(store, None, stamp)
    (second.backup.path / MANIFEST).unlink()  # it was cut off before it became one
    half = store / "backups" / SEGMENTS / "000000000101.part"
    half.write_bytes(b"half")
    assert [backup.path for backup in found(store / "backups")[0]] == [first.backup.path]
    third = await backed_up(store, None, stamp)
    assert set(third.cleaned) == {second.backup.path.name, second.backup.segments[-1][0].name, half.name}
    assert backed(third) == rows_in(store)


async def test_a_damaged_log_is_not_copied_in_silence(store: Path, stamp: Stamp) -> None:
    await begun(store, stamp, *texts(50, "nightshade"))
    good = await backed_up(store, None, stamp)
    raw = (store / "log.db").read_bytes()
    place = raw.index(b"nightshade number 33")
    (store / "log.db").write_bytes(raw[:place] + b"N" + raw[place + 1 :])
    with pytest.raises(LogDamaged) as caught:
        await backed_up(store, store.parent / "elsewhere", stamp)
    assert caught.value.position == 33
    assert found(store.parent / "elsewhere") == ([], [])
    assert list((store.parent / "elsewhere" / SEGMENTS).iterdir()) == []
    assert verified(good.backup) == 0


@pytest.mark.parametrize("seed", range(12))
async def test_a_flipped_bit_anywhere_is_noticed(store: Path, stamp: Stamp, seed: int) -> None:
    await begun(store, stamp, *texts(40))
    spool.write(store, KEY, b"a request")
    made = await backed_up(store, None, stamp)
    files = [
        path for path in (store / "backups").rglob("*") if path.is_file() and path.name not in ("turn", "erased.ids")
    ]
    chance = Random(seed)
    path = sorted(files)[seed % len(files)]
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    whole, damaged = found(store / "backups")
    if not damaged:
        with pytest.raises(BackupDamaged):
            verified(whole[0])
    assert made.backup.path.name in str(damaged or whole)


async def test_two_at_once_are_one_after_the_other(store: Path, stamp: Stamp) -> None:
    await begun(store, stamp, "one")
    await backed_up(store, None, stamp)
    with turn(store / "backups"), pytest.raises(BackupBusy):
        await backed_up(store, None, stamp)


async def test_a_folder_with_something_else_in_it_is_refused(store: Path, stamp: Stamp) -> None:
    await begun(store, stamp, "one")
    other = store.parent / "photos"
    other.mkdir()
    (other / "cat.jpg").touch()
    with pytest.raises(StoreUnusable, match="no backup of ours"):
        await backed_up(store, other, stamp)
    assert backups_of(store) == []


# --- where they are, and forgetting ---------------------------------------------------------------------------


async def test_the_store_knows_where_its_backups_are_and_how_far_they_saw(store: Path, stamp: Stamp) -> None:
    await begun(store, stamp, *texts(4))
    assert (backups_of(store), highest_seen(store)) == ([], None)
    away = store.parent / "away"
    await backed_up(store, away, stamp)
    await begun(store, stamp, "one more")
    inside = (await backed_up(store, None, stamp)).backup
    assert backups_of(store) == [away, store / "backups"]
    seen = highest_seen(store)
    assert seen is not None
    assert (seen.position, seen.seal, seen.where) == (5, inside.manifest.seal, str(store / "backups"))
    (store / REGISTRY).write_bytes(b"{torn")
    assert backups_of(store) == [store / "backups"]
    entered(store, Place(folder=str(away)))
    assert backups_of(store) == [store / "backups", away]
    assert (store / "backups.json.damaged").read_bytes() == b"{torn"


async def test_what_is_forgotten_goes_from_every_backup_that_can_be_reached(store: Path, stamp: Stamp) -> None:
    ids = await begun(store, stamp, "keep this", "the password is swordfish", "keep that")
    spool.write(store, KEY, b"swordfish again")
    first = await backed_up(store, None, stamp)
    await backed_up(store, store.parent / "away", stamp)
    await backed_up(store, store.parent / "gone", stamp)
    shutil.rmtree(store.parent / "gone")
    told = await erased_everywhere(store, ids[1:2])
    assert [(one.folder.name, one.events, one.spooled, one.why) for one in told] == [
        ("backups", 1, 1, ""),
        ("away", 1, 1, ""),
        ("gone", 0, 0, "it cannot be reached"),
    ]
    for folder in (store / "backups", store.parent / "away"):
        (backup,) = found(folder)[0]
        assert verified(backup) == 1  # the chain holds
        kept = [row for some in rows_of(backup) for row in some]
        assert [row[9] is None for row in kept] == [False, True, False]
        assert not any(b"swordfish" in row[9] for row in kept if row[9])
        assert erased.noted(folder) == {ids[1]}
    assert await erased_everywhere(store, ids[1:2]) != told  # nothing was left to be done
    again = await backed_up(store, None, stamp)  # the log still has it: whoever forgets empties it next
    assert (again.new, first.backup.manifest.head) == (0, 3)


async def test_a_backup_does_not_take_in_what_is_being_forgotten(store: Path, stamp: Stamp) -> None:
    ids = await begun(store, stamp, "keep this", "the password is swordfish")
    erased.note(store, ids[1:])
    made = await backed_up(store, None, stamp)
    assert [row[9] is None for row in backed(made)] == [False, True]
    assert erase_in(made.backup.path.parent, ids[1:]).events == 0


async def test_what_was_forgotten_while_a_disk_was_away_goes_from_it_with_the_next_backup(
    store: Path, stamp: Stamp
) -> None:
    ids = await begun(store, stamp, "keep this", "the password is swordfish")
    away = store.parent / "away"
    spool.write(store, KEY, b"a request")
    await backed_up(store, away, stamp)
    (store / "spool" / f"{KEY}.json").unlink()
    assert len((await backed_up(store, away, stamp)).backup.spool) == 0
    assert len(found(away)[0][0].spool) == 1
    away.rename(store.parent / "unplugged")
    assert [one.why for one in await erased_everywhere(store, ids[1:])] == ["it cannot be reached"]
    erased.note(store, ids[1:])
    (store.parent / "unplugged").rename(away)
    made = await backed_up(store, away, stamp)
    assert [row[9] is None for row in backed(made)] == [False, True]
    assert erased.unfinished(away) == frozenset()
    assert not list(away.glob("store-*/spool/*"))  # nobody knows what that said


async def test_what_is_forgotten_goes_from_a_log_that_was_set_aside(store: Path, stamp: Stamp) -> None:
    ids = await begun(store, stamp, "keep this", "the password is swordfish " * 300)
    made = await backed_up(store, None, stamp)
    now = await built(store, rows_of(made.backup), frozenset())
    decided(store, now.tail, "a test", stamp.now(), frozenset())
    aside = finished(store)
    assert aside is not None
    assert b"swordfish" in (aside / "log.db").read_bytes()
    told = await erased_everywhere(store, ids[1:])
    assert [(one.folder.name, one.events, one.why) for one in told] == [("backups", 1, ""), (aside.name, 1, "")]
    assert [path for path in aside.rglob("*") if path.is_file() and b"swordfish" in path.read_bytes()] == []
    (aside / "log.db").write_bytes(b"no database")
    assert "not a database" in (await erased_everywhere(store, ids[1:]))[-1].why


async def test_a_damaged_segment_is_told_by_who_forgets(store: Path, stamp: Stamp) -> None:
    ids = await begun(store, stamp, "one", "two")
    made = await backed_up(store, None, stamp)
    ((path, _),) = made.backup.segments
    data = path.read_bytes()
    path.write_bytes(data[:-40])
    assert "is damaged" in erase_in(store / "backups", ids[:1]).why


# --- a disk that refuses --------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="there is no limit to set")
async def test_a_full_disk_leaves_the_backups_that_were_there(store: Path, stamp: Stamp) -> None:
    import resource
    import signal

    await begun(store, stamp, *texts(10))
    first = await backed_up(store, None, stamp)
    chance = Random(0)
    await begun(store, stamp, *[" ".join(str(chance.random()) for _ in range(400)) for _ in range(60)])
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(AftermindError, match="no file of this process may have more than 100,000"):
            await backed_up(store, None, stamp)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert [backup.path for backup in found(store / "backups")[0]] == [first.backup.path]
    assert cleaned(store / "backups") == []
    assert verified(first.backup) == 0
    assert backed(await backed_up(store, None, stamp)) == rows_in(store)


async def test_segments_that_are_a_link_are_neither_written_nor_passed_over_in_silence(
    store: Path, stamp: Stamp
) -> None:
    ids = await begun(store, stamp, "the password is swordfish")
    away = store.parent / "away"
    await backed_up(store, away, stamp)
    (away / "segments").rename(store.parent / "larger")
    (away / "segments").symlink_to(store.parent / "larger")
    with pytest.raises(StoreUnusable, match="a link"):
        await backed_up(store, away, stamp)
    (told,) = await erased_everywhere(store, ids)
    assert "a link" in told.why
