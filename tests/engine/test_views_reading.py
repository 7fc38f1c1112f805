"""How views are read: in whose thread, and what is remembered of what hardly ever changes."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.errors import DiskFailed, FileDamaged
from aftermind.engine.events import CapturePaused, CaptureResumed
from aftermind.engine.logs.list_log import ListLog
from aftermind.engine.names import GLOBAL, Scope
from aftermind.engine.sqlite import Connection, database
from aftermind.engine.views.generations import views
from aftermind.engine.views.growing import Growth, Told, grown
from aftermind.engine.views.projection import Projection, Source
from aftermind.projections.catalog import ALL
from aftermind.projections.views import pauses
from tests.given import ON_DISK, append, draft
from tests.histories import histories

pytestmark = pytest.mark.anyio


@ON_DISK
@given(histories(), st.lists(st.sampled_from(("pause", "resume", "other", "rebuild", "look")), max_size=12))
async def test_what_is_remembered_of_a_view_is_what_it_says(appends, steps) -> None:
    """Whatever happens between two looks; and nothing is read again where nothing was written to that view."""
    log, reads = ListLog(), 0

    def known(connection: Connection, scope: Scope) -> tuple[bool, ...]:
        nonlocal reads
        reads += 1
        return tuple(pause.scope == scope for pause in pauses.known(connection))

    with TemporaryDirectory() as folder:
        async with views(Path(folder), log, ALL) as seen:
            for number, step in enumerate(steps):
                match step:
                    case "pause":
                        await log.append(append("p", draft(f"pause-{number}", CapturePaused(scope=GLOBAL))))
                    case "resume":
                        await log.append(append("p", draft(f"resume-{number}", CaptureResumed(scope=GLOBAL))))
                    case "other" if appends:
                        await log.append(appends.pop(0))
                    case "rebuild":
                        await seen.rebuild("it is asked for")
                await seen.reached(None)
                assert await seen.known(pauses.PAUSES, known, GLOBAL) == await seen.read(lambda c: known(c, GLOBAL))
                before = reads
                await seen.known(pauses.PAUSES, known, GLOBAL)
                assert reads == before


async def test_what_reads_here_does_so_in_this_thread_unless_somebody_reads(tmp_path: Path) -> None:
    def thread(_: Connection) -> int:
        return threading.get_ident()

    async with views(tmp_path, ListLog(), ALL) as seen:
        assert await seen.read(thread, here=True) == threading.get_ident()
        assert await seen.read(thread) != threading.get_ident()
        begun, done = threading.Event(), threading.Event()

        def long(_: Connection) -> None:
            begun.set()
            done.wait(30)

        async with anyio.create_task_group() as group:
            group.start_soon(seen.read, long)
            while not begun.is_set():
                await anyio.lowlevel.checkpoint()
            with anyio.move_on_after(0.01) as waited:
                await seen.read(thread, here=True)
            assert waited.cancelled_caught  # it stands in line, and nothing here stands still
            done.set()


async def test_damage_that_is_read_here_is_told_as_anywhere(tmp_path: Path) -> None:
    def damaged(connection: Connection) -> object:
        return connection.execute("SELECT * FROM pausing").fetchall()

    path = tmp_path / "one.db"
    async with database(path, "view") as writer:
        await writer.run(lambda c: c.execute("CREATE TABLE pausing (a)"))
        await writer.run(lambda c: c.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
    async with database(path, "read") as reader:
        with path.open("r+b") as file:
            file.write(b"no database at all" * 400)
        with pytest.raises(FileDamaged):
            await reader.here(damaged)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT nothing FROM shelf",
        "SELECT * FROM shelf LIMIT NULL",
        "SELEC",
        "SELECT zeroblob(1 << 60)",
    ],
)
async def test_a_wrong_statement_costs_nobody_the_views(tmp_path: Path, sql: str) -> None:
    async with views(tmp_path, ListLog(), ALL) as seen:
        seen.mended = ""
        for _ in range(2):
            with pytest.raises(DiskFailed):
                await seen.read(lambda c: c.execute(sql).fetchall())
        assert (seen.mended, [path.name for path in tmp_path.glob("views-*.db")]) == ("", ["views-1.db"])


async def test_what_is_damaged_is_mended_though_who_met_it_is_given_up(tmp_path: Path) -> None:
    """A prompt waits for a moment, and many events take longer."""
    log, begun, going_on = ListLog(), list[str](), anyio.Event()

    async def slow(growth: Growth, log: Source, projections: Sequence[Projection], told: Told) -> None:
        begun.append(growth.path.name)
        if growth.path.name != "views-1.db":
            await going_on.wait()
        await grown(growth, log, projections, told)

    def number(connection: Connection) -> str:
        (file,) = (path for _, name, path in connection.execute("PRAGMA database_list") if name == "main")
        if Path(file).name == "views-1.db":
            raise FileDamaged(Path(file), "a page of it is gone")
        return Path(file).name

    async with views(tmp_path, log, ALL, slow) as seen:
        for _ in range(3):
            with anyio.move_on_after(0.05):
                await seen.read(number)
        going_on.set()
        assert await seen.read(number) == "views-2.db"
    assert begun == ["views-1.db", "views-2.db"]
    assert [path.name for path in tmp_path.glob("views-*.db")] == ["views-2.db"]


async def test_what_is_being_mended_is_given_up_where_the_views_are_closed(tmp_path: Path) -> None:
    async def stuck(growth: Growth, log: Source, projections: Sequence[Projection], told: Told) -> None:
        if growth.path.name != "views-1.db":
            await anyio.sleep_forever()
        await grown(growth, log, projections, told)

    def damaged(_: Connection) -> None:
        raise FileDamaged(tmp_path / "views-1.db", "a page of it is gone")

    async with views(tmp_path, ListLog(), ALL, stuck) as seen:
        with anyio.move_on_after(0.05):
            await seen.read(damaged)
    assert [path.name for path in tmp_path.glob("views-*.db")] == ["views-1.db"]
