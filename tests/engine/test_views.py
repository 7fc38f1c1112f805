"""Views: what is built live, batch by batch, through crashes and with forgetting in the history, is what the log
builds at once; and views that cannot be trusted grow back."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.beside_sqlite import bytes_of
from aftermind.engine.events import MemoryForgotten, WordsForgotten
from aftermind.engine.log import Append, Log, Recorded
from aftermind.engine.logs.list_log import ListLog
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.names import START, Position, memory_stream
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.derived import POINTER
from aftermind.engine.views import batches
from aftermind.engine.views.generations import Views, views
from aftermind.engine.views.growing import checkpoint, current
from aftermind.projections.catalog import ALL
from tests.given import ON_DISK, deliver, dump, erase, given_appends, simulated
from tests.histories import History, histories

pytestmark = pytest.mark.anyio
Dump = dict[str, list[tuple[object, ...]]]
STEPS = (
    *("exchange", "context", "score", "correct", "judge", "revise", "exchange", "project", "lock", "future"),
    *("ingest", "broken off", "remove"),
)


def told() -> list[Append]:
    """One history with a bit of everything."""
    return History().told(
        [
            *((step, 0, 1, "deploy with make") for step in STEPS),
            *((step, 1, 2, "漢字のメモ") for step in STEPS),
            ("remember", 0, 0, "kept"),
            ("exchange", 1, 1, "port"),
            ("forget", 3, 0, ""),
        ]
    )


async def filled(log: Log, appends: Sequence[Append]) -> None:
    for append in appends:
        await log.append(append)


async def rebuilt(log: Log) -> Dump:
    """The views as the log builds them at once."""
    with TemporaryDirectory() as folder:
        async with views(Path(folder), log, ALL) as seen:
            return await seen.read(dump)


# --- replay ---------------------------------------------------------------------------------------------------


@ON_DISK
@given(histories(), st.integers(1, 7))
async def test_views_that_followed_event_by_event_equal_views_built_at_once(appends: list[Append], step: int) -> None:
    log = ListLog()
    with TemporaryDirectory() as folder:
        async with views(Path(folder), log, ALL) as live:
            for start in range(0, len(appends), step):
                await filled(log, appends[start : start + step])
                await live.reached(None)
            assert await live.read(dump) == await rebuilt(log)


class Crash(Exception):
    """The power goes."""


class Failing(ListLog):
    """A log that can be read a number of times."""

    reads = 1_000_000

    async def after(self, position: Position, *, limit: int) -> Sequence[Recorded]:
        self.reads -= 1
        if self.reads < 0:
            raise Crash
        return await super().after(position, limit=limit)


@pytest.mark.parametrize("batch", [1, 2, 3, 5, 1000])
async def test_the_size_of_a_batch_makes_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    log = Failing()
    await filled(log, told())
    at_once = await rebuilt(log)
    before = log.reads
    monkeypatch.setattr(batches, "BATCH", batch)
    async with views(tmp_path, log, ALL) as seen:
        assert await seen.read(dump) == at_once
        assert len(at_once["shelf"]) > 3
    assert before - log.reads >= log.head.position // batch


@pytest.mark.parametrize("reads", [0, 1, 2, 5])
async def test_views_go_on_after_a_crash_between_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: int
) -> None:
    monkeypatch.setattr(batches, "BATCH", 3)
    log, appends = Failing(), told()
    async with views(tmp_path, log, ALL):
        pass
    await filled(log, appends)
    log.reads = reads
    with pytest.raises(Crash):
        async with views(tmp_path, log, ALL) as seen:
            await seen.reached(None)
    log.reads = 1_000_000
    async with views(tmp_path, log, ALL) as seen:
        assert (seen.position, seen.mended) == (3 * reads, "")
        await seen.reached(None)
        assert await seen.read(dump) == await rebuilt(log)


async def test_a_crash_while_they_are_rebuilt_leaves_the_ones_before(tmp_path: Path) -> None:
    log = Failing()
    await filled(log, told())
    async with views(tmp_path, log, ALL) as seen:
        before = await seen.read(dump)
        log.reads = 0
        with pytest.raises(Crash):
            await seen.rebuild("to see")
        assert await seen.read(dump) == before
    log.reads = 1_000_000
    async with views(tmp_path, log, ALL) as seen:
        assert (await seen.read(dump), seen.mended) == (before, "")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system does not tell what is open")
async def test_the_ones_before_take_no_room_on_the_disk_though_their_bytes_were_read(tmp_path: Path) -> None:
    log = ListLog()
    await filled(log, told())
    async with views(tmp_path, log, ALL) as seen:
        await seen.reached(None)
        before = sorted(tmp_path.glob("views-*.db*"))
        for path in before:
            with bytes_of(path) as file:
                file.read()
        assert still_open(before) == {path.name for path in before}
        await seen.rebuild("to see")
        assert still_open(before) == set()


def still_open(files: Sequence[Path]) -> set[str]:
    """Those of the files that this process has open, also where they have no name any more."""
    links = (str(link.readlink()) for link in Path("/proc/self/fd").iterdir() if link.is_symlink())
    found = {link.removesuffix(" (deleted)") for link in links}
    return {file.name for file in files if str(file) in found}


# --- forgetting -----------------------------------------------------------------------------------------------


def of_the_forgotten(events: Sequence[Recorded]) -> list[int]:
    """Where the words of forgotten memories stand: in their own streams, and where else they are quoted."""
    forgets = [r.draft.event for r in events if isinstance(r.draft.event, MemoryForgotten | WordsForgotten)]
    streams = {memory_stream(event.memory) for event in forgets if isinstance(event, MemoryForgotten)}
    quoted = {id for event in forgets for id in event.quoted_in}
    of_streams = [r for r in events if r.stream in streams and not isinstance(r.draft.event, MemoryForgotten)]
    return sorted({r.position for r in [*of_streams, *(r for r in events if r.draft.id in quoted)]})


async def live_and_rebuilt_after_erasing(appends: Sequence[Append]) -> tuple[Dump, Dump]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with sqlite_log(folder / "log.db", simulated()) as log, views(folder, log, ALL) as live:
            await filled(log, appends)
            await live.reached(None)
            events = await log.after(START, limit=10_000)
            erase(folder / "log.db", of_the_forgotten(events))
            assert (await log.verify()).events == len(events)
            return await live.read(dump), await rebuilt(log)


@ON_DISK
@given(histories())
async def test_views_rebuilt_after_the_forgotten_were_erased_equal_the_live_ones(appends: list[Append]) -> None:
    live, again = await live_and_rebuilt_after_erasing(appends)
    assert live == again


KEPT, SECRET, ASKED = [("exchange", 0, 1, "kept")], [("exchange", 0, 1, "secret")], [("prompt", 0, 1, "secret")]
SHOWN, LATER = [("context", 0, 1, "secret")], [("revise", 1, 0, "secret"), ("judge", 1, 1, "")]
FORGOTTEN = {
    "the only memory of a project": [("remember", 0, 1, "secret"), ("forget", 0, 0, "")],
    "born from the first exchange": [*SECRET, *KEPT, ("forget", 0, 0, "")],
    "born from the last exchange": [*KEPT, *SECRET, ("forget", 1, 0, "")],
    "born between two exchanges": [*KEPT, *SECRET, *KEPT, ("forget", 1, 0, "")],
    "what was asked for": [*KEPT, *ASKED, *SHOWN, *SECRET, *LATER, ("forget", 1, 0, "")],
    "what a verdict made something of": [*KEPT, *ASKED, ("verdict", 0, 1, ""), *SHOWN, *SECRET, ("forget", 1, 0, "")],
}


@pytest.mark.parametrize("forgotten", FORGOTTEN)
async def test_they_are_equal_when_what_is_forgotten_is(forgotten: str) -> None:
    live, again = await live_and_rebuilt_after_erasing(History().told(FORGOTTEN[forgotten]))
    assert live == again
    assert "secret" not in str(live)


# --- delivered twice ------------------------------------------------------------------------------------------


@ON_DISK
@given(histories(), st.integers(0, 30))
async def test_delivering_any_stretch_again_changes_nothing(appends: list[Append], start: int) -> None:
    with TemporaryDirectory() as name:
        async with given_appends(Path(name), *appends) as known:
            before = await known.dump()
            again = await known.log.after(Position(start), limit=5)
            await deliver(Path(name), again)
            assert await known.dump() == before


# --- views that cannot be trusted -----------------------------------------------------------------------------


def garbled(folder: Path, start: int, length: int | None = None) -> None:
    path = current(folder)
    assert path is not None
    whole = path.read_bytes()
    end = len(whole) if length is None else start + length
    path.write_bytes(whole[:start] + b"\x5a" * (end - start) + whole[end:])


DAMAGES = {
    "the header": lambda folder: garbled(folder, 0, 100),
    "all pages but three": lambda folder: garbled(folder, 3 * 4096),
    "everything": lambda folder: garbled(folder, 0),
    "the file": lambda folder: current(folder).unlink(),
    "the pointer": lambda folder: (folder / POINTER).unlink(),
    "the pointer's text": lambda folder: (folder / POINTER).write_bytes(b"\xff\x00"),
    "where it points": lambda folder: (folder / POINTER).write_text("../log.db"),
    "the end of the file": lambda folder: current(folder).write_bytes(current(folder).read_bytes()[:5000]),
    "all bytes of the file": lambda folder: current(folder).write_bytes(b""),
    "the checkpoint": lambda folder: straight(folder, "DELETE FROM checkpoint"),
    "the checkpoint's number": lambda folder: straight(folder, *NO_NUMBER),
    "the checkpoint's table": lambda folder: straight(folder, "DROP TABLE checkpoint"),
}


NO_NUMBER = (
    "ALTER TABLE checkpoint RENAME TO before",
    "CREATE TABLE checkpoint (catalog, position)",
    "INSERT INTO checkpoint SELECT catalog, NULL FROM before",
    "DROP TABLE before",
)
"""What a bit that flipped in its row may look like."""


def straight(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(current(folder) or "")) as connection, connection:
        for sql in statements:
            connection.execute(sql)


@pytest.mark.parametrize("damage", DAMAGES)
async def test_views_grow_back_when_they_lost(tmp_path: Path, damage: str) -> None:
    log = ListLog()
    await filled(log, told())
    async with views(tmp_path, log, ALL) as seen:
        before = await seen.read(dump)
    DAMAGES[damage](tmp_path)
    async with views(tmp_path, log, ALL) as seen:
        await seen.reached(None)
        assert await seen.read(dump) == before
        assert seen.mended
    assert len(list(tmp_path.glob("views-*.db"))) == 1


async def test_views_of_another_program_are_rebuilt_and_views_of_this_one_are_kept(tmp_path: Path) -> None:
    log = ListLog()
    await filled(log, told())
    async with views(tmp_path, log, ALL[:2]) as seen:
        assert "exchange" not in await seen.read(dump)
    async with views(tmp_path, log, ALL) as seen:
        assert seen.mended == "they were built by another version"
        assert await seen.read(dump) == await rebuilt(log)
    async with views(tmp_path, log, ALL) as seen:
        assert seen.mended == ""


@pytest.mark.timeout(20)
async def test_readers_get_their_answers_while_the_views_are_rebuilt(tmp_path: Path) -> None:
    log, over = ListLog(), anyio.Event()
    await filled(log, told())
    answers = []

    async def reader(seen: Views) -> None:
        while not over.is_set():
            answers.append(await seen.read(lambda c: c.execute("SELECT count(*) FROM shelf").fetchone()[0]))

    async with views(tmp_path, log, ALL) as seen, anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(reader, seen)
        for _ in range(3):
            await seen.rebuild("to see")
        over.set()
    assert len(answers) > 4
    assert len(set(answers)) == 1


@pytest.mark.timeout(20)
async def test_followers_reach_the_head_while_the_views_are_rebuilt(tmp_path: Path) -> None:
    log, appends = ListLog(), told()
    async with views(tmp_path, log, ALL) as seen, anyio.create_task_group() as tasks:

        async def follower(appends: Sequence[Append]) -> None:
            for append in appends:
                await seen.reached(await log.append(append))

        tasks.start_soon(follower, appends[::2])
        tasks.start_soon(follower, appends[1::2])
        for _ in range(3):
            await seen.rebuild("to see")
    async with views(tmp_path, log, ALL) as seen:
        await seen.reached(None)
        assert await seen.read(dump) == await rebuilt(log)


async def test_who_waits_for_a_position_knows_what_is_written_before_it(tmp_path: Path, stamp: Stamp) -> None:
    async with sqlite_log(tmp_path / "log.db", stamp) as log, views(tmp_path, log, ALL) as seen:
        for append in told():
            position = await log.append(append)
            await seen.reached(position)
            assert await seen.read(checkpoint) >= position
