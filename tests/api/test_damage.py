"""Views grow back by themselves; a damaged log is named and left as it is; a full disk loses nothing acknowledged."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

import aftermind
from aftermind.engine.errors import FileDamaged, LogDamaged
from aftermind.engine.sqlite import foreign

pytestmark = pytest.mark.anyio


async def filled(folder: Path, stamp) -> list[object]:
    """A store with something in it; what it answers."""
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        for number in range(60):
            await memory.remember(f"zebra crossing {number} of {'abcdefghij'[number % 10] * 5}", session="s")
        return await answers(memory)


async def answers(memory) -> list[object]:
    return [await memory.recall("zebra crossing 7", limit=20, floor=False), (await memory.stats()).collections]


def view(folder: Path) -> Path:
    return folder / (folder / "views.current").read_text(encoding="utf-8")


async def verify(folder: Path, stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.verify()


# --- views ----------------------------------------------------------------------------------------------------

JUNK = bytes(range(256)) * 16
VIEW_FAULTS: dict[str, Callable[[Path], object]] = {
    "deleted": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "zeroed": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "not a database": lambda path: path.write_bytes(b"not a database " * 1000),
    "cut in half": lambda path: os.truncate(path, path.stat().st_size // 2),
    "garbled from page two on": lambda path: path.write_bytes(path.read_bytes()[:4096] + JUNK * 20),
    "another database": lambda path: shutil.copyfile(path.with_name("log.db"), path),
}


@pytest.mark.parametrize("fault", VIEW_FAULTS)
async def test_a_damaged_view_grows_back_at_the_next_opening(folder, stamp, fault):
    before = await filled(folder, stamp)
    VIEW_FAULTS[fault](view(folder))
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert await answers(memory) == before
        assert (await memory.stats()).views_mended
        await memory.remember("another zebra")
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        stats = await memory.stats()
        assert (stats.views_mended, stats.collections["memory_bank"]) == ("", 61)
    assert len(list(folder.glob("views-*.db"))) == 1


@pytest.mark.parametrize("fault", VIEW_FAULTS)
async def test_a_view_damaged_while_it_is_open_goes_on_answering(folder, stamp, fault):
    before = await filled(folder, stamp)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        VIEW_FAULTS[fault](view(folder))
        assert await answers(memory) == before
        new = await memory.remember("the giraffe stands")
        assert [hit.id for hit in await memory.recall("giraffe")] == [new]
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert [hit.id for hit in await memory.recall("giraffe")] == [new]


@pytest.mark.parametrize(
    "pointer",
    [None, b"", b"\xff\xfe", b"\x00", b"views-99.db", b"../log.db", b"views-", b"views-" + b"9" * 300, b"/"],
)
async def test_a_pointer_that_names_nothing_is_made_anew(folder, stamp, pointer):
    before = await filled(folder, stamp)
    path = folder / "views.current"
    path.unlink() if pointer is None else path.write_bytes(pointer)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert await answers(memory) == before
        assert (await memory.stats()).views_mended
    assert len(list(folder.glob("views-*.db"))) == 1


async def test_what_a_crash_left_beside_the_views_is_cleared_away(folder, stamp):
    before = await filled(folder, stamp)
    for name in ("views-77.db", "views-78.db-wal", "views.current.new"):
        (folder / name).write_bytes(b"left over")
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert await answers(memory) == before
        assert (await memory.stats()).views_mended == ""
    assert len(list(folder.glob("views-*"))) == 1


# --- the log --------------------------------------------------------------------------------------------------

LOG_FAULTS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "zeroed": lambda whole: bytes(len(whole)),
    "not a database": lambda whole: b"not a database " * (len(whole) // 15),
    "cut in half": lambda whole: whole[: len(whole) // 2],
    "cut by a page": lambda whole: whole[:-4096],
    "garbled from page two on": lambda whole: whole[:4096] + JUNK * (len(whole) // 4096 - 1),
}


@pytest.mark.parametrize("fault", LOG_FAULTS)
async def test_a_damaged_log_is_refused_and_left_as_it_is(folder, stamp, fault):
    await filled(folder, stamp)
    log = folder / "log.db"
    log.write_bytes(LOG_FAULTS[fault](log.read_bytes()))
    before = {path: path.read_bytes() for path in (log, folder / "views.current", view(folder))}
    for _ in range(2):
        with pytest.raises(LogDamaged) as error:
            await verify(folder, stamp)
        assert error.value.hint
        assert {path: path.read_bytes() for path in before} == before


async def test_an_older_copy_of_the_log_is_noticed_and_a_log_that_is_gone_not_begun_anew(folder, stamp):
    await filled(folder, stamp)
    shutil.copyfile(folder / "log.db", folder / "older")
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.remember("one more")
        await memory.caught_up()
    shutil.copyfile(folder / "older", folder / "log.db")
    with pytest.raises(LogDamaged, match="end of the log is missing"):
        await verify(folder, stamp)
    (folder / "log.db").unlink()
    with pytest.raises(LogDamaged):
        await verify(folder, stamp)


async def test_one_changed_letter_is_found_by_verify(folder, stamp):
    await filled(folder, stamp)
    whole = (log := folder / "log.db").read_bytes()
    log.write_bytes(whole.replace(b"zebra crossing 7 of", b"zebra crossing 9 of"))
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        with pytest.raises(LogDamaged) as error:
            await memory.verify()
        assert len(await memory.events(limit=error.value.position)) == error.value.position
        with pytest.raises(LogDamaged) as again:
            await memory.events(limit=error.value.position + 1)
        assert again.value.position == error.value.position


async def test_views_are_not_rebuilt_from_a_damaged_log(folder, stamp):
    await filled(folder, stamp)
    whole = (log := folder / "log.db").read_bytes()
    log.write_bytes(whole.replace(b"zebra crossing 7 of", b"zebra crossing 9 of"))
    for path in folder.glob("views*"):
        path.unlink()
    with pytest.raises(LogDamaged):
        async with aftermind.open_memory(folder, stamp=stamp):
            pass


async def test_a_file_of_somebody_else_in_the_folder_stays(folder, stamp):
    await filled(folder, stamp)
    (folder / "views-note.db").write_bytes(b"mine")
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.stats()
    assert (folder / "views-note.db").read_bytes() == b"mine"


async def test_damage_of_another_programs_file_is_not_blamed_on_the_log(folder, stamp, tmp_path):
    other = tmp_path / "theirs.db"
    other.write_bytes(b"not a database " * 1000)

    async def look() -> None:
        async with aftermind.open_memory(folder, stamp=stamp):
            with foreign(other) as connection:
                connection.execute("SELECT * FROM sqlite_schema")

    with pytest.raises(FileDamaged) as error:
        await look()
    assert error.value.path == other


# --- the disk -------------------------------------------------------------------------------------------------

PREPARED = """
import asyncio, os, resource, sys, tempfile, aftermind
from aftermind.engine.errors import AftermindError
folder, argument = sys.argv[1], int(sys.argv[2])
"""
READ_ONLY = """
async def main(folder):
    async with aftermind.open_memory(folder, patience=0.1) as memory:
        await memory.remember("zebra")

with tempfile.TemporaryDirectory() as elsewhere:
    asyncio.run(main(elsewhere))  # loads what another user may not be able to read
if os.geteuid() == 0:
    os.setgid(argument)
    os.setuid(argument)
try:
    asyncio.run(main(folder))
except AftermindError as error:
    print(type(error).__name__, bool(error.hint), error)
"""
FULL_DISK = """
async def main():
    async with aftermind.open_memory(folder) as memory:
        resource.setrlimit(resource.RLIMIT_FSIZE, (argument, resource.RLIM_INFINITY))
        refused = 0
        for number in range(150):
            try:
                print(await memory.remember(f"zebra {number} " + "crossing " * 200, session="s"), flush=True)
            except AftermindError as error:
                assert error.hint, error
                refused += 1
        assert refused
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(await memory.remember("the giraffe, when there was room again"), flush=True)

asyncio.run(main())
"""


def run(script: str, folder: Path, argument: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PREPARED + script, str(folder), str(argument)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders are protected otherwise here")
@pytest.mark.parametrize("existing", [False, True])
async def test_a_folder_that_cannot_be_written_is_refused_with_a_next_step(stamp, existing):
    nobody = 65534 if os.geteuid() == 0 else os.geteuid()
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        folder = Path(place) / "store"
        if existing:
            await filled(folder, stamp)
        else:
            folder.mkdir()
        if os.geteuid() == 0:
            for path in (folder, *folder.iterdir()):
                os.chown(path, nobody, nobody)
        folder.chmod(0o500)
        ran = run(READ_ONLY, folder, nobody)
        folder.chmod(0o700)
    assert ran.stderr == ""
    assert ran.stdout.startswith("StoreUnusable True"), ran.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files")
@pytest.mark.parametrize("limit", [60_000, 200_000, 500_000])
async def test_a_full_disk_loses_nothing_that_was_acknowledged(folder, limit):
    ran = run(FULL_DISK, folder, limit)
    assert (ran.returncode, ran.stderr) == (0, "")
    acknowledged = ran.stdout.split()
    assert len(set(acknowledged)) == len(acknowledged) > 0
    async with aftermind.open_memory(folder) as memory:
        assert (await memory.verify()).events == (await memory.stats()).events
        assert {(await memory.show(id)).id for id in acknowledged} == set(acknowledged)
        assert len(await memory.recall("giraffe")) == 1
        assert (await memory.stats()).collections["memory_bank"] == len(acknowledged)
