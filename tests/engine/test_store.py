"""One folder a store: who may have it, and that one process writes it, tried with real processes."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest

from aftermind.engine.errors import StoreUnusable
from aftermind.engine.store.folder import fit_folder, log_is_there, taken
from aftermind.engine.store.lock import LOCK, Lock, is_held, take
from aftermind.engine.store.lock import holder as lock_holder

pytestmark = pytest.mark.anyio
SOURCE = str(Path(__file__).parents[2] / "src")
HOLD = """
import sys, time, anyio
from pathlib import Path
from aftermind.engine.store.folder import taken

async def main():
    lock = await taken(Path(sys.argv[2]), "program")
    print("held" if lock else "not held", flush=True)
    time.sleep(60)

anyio.run(main)
"""


@contextmanager
def holder(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that writes the store in `folder`."""
    script = folder.parent / "holder.py"
    script.write_text(HOLD)
    command = [sys.executable, str(script), "daemon", str(folder), "--token=secret"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": SOURCE})
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.communicate()


# --- the folder -----------------------------------------------------------------------------------------------


def test_a_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = fit_folder(tmp_path / "deep" / "store", make=True)
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir(mode=0o755)
    fit_folder(folder, make=True)
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    os.chown(folder, 12345, 12345)
    for make in (True, False):
        with pytest.raises(StoreUnusable, match="belongs to the user 12345"):
            fit_folder(folder, make=make)


def test_a_file_in_the_folder_s_place_is_refused_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "store"
    file.write_text("mine")
    for path in (file, file / "below"):
        for make in (True, False):
            with pytest.raises(StoreUnusable, match="not a folder") as unusable:
                fit_folder(path, make=make)
            assert unusable.value.hint
    assert file.read_text() == "mine"


def test_a_folder_that_is_not_there_is_not_made_by_a_reader(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="does not exist"):
        fit_folder(tmp_path / "store", make=False)
    assert not (tmp_path / "store").exists()


def test_a_folder_without_a_log_can_begin_one_but_not_be_read(tmp_path: Path) -> None:
    log_is_there(tmp_path)
    with pytest.raises(StoreUnusable, match="no log"):
        log_is_there(tmp_path, must_exist=True)


@contextmanager
def writing(lock: Lock | None) -> Iterator[None]:
    """While it is held by this process."""
    assert lock is not None
    try:
        yield
    finally:
        lock.release()


# --- the lock -------------------------------------------------------------------------------------------------


async def test_a_second_writer_in_another_process_is_told_who_writes(tmp_path: Path) -> None:
    folder = fit_folder(tmp_path / "store", make=True)
    with holder(folder) as other:
        assert await taken(folder, "program", 0.1) is None
        assert str(lock_holder(folder)) == f"process {other.pid} (holder.py daemon)"


async def test_a_second_writer_in_this_process_is_refused_too(tmp_path: Path) -> None:
    with writing(await taken(tmp_path, "program")):
        assert await taken(tmp_path, "program") is None
        assert lock_holder(tmp_path).pid == os.getpid()


async def test_who_waits_long_enough_gets_its_turn(tmp_path: Path) -> None:
    order: list[str] = []

    async def first() -> None:
        with writing(await taken(tmp_path, "program")):
            order.append("first")
            await anyio.sleep(0.1)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(first)
        await anyio.sleep(0.02)
        with writing(await taken(tmp_path, "program", 10)):
            order.append("second")
    assert order == ["first", "second"]


async def test_the_lock_is_free_at_once_when_its_holder_was_killed(tmp_path: Path) -> None:
    folder = fit_folder(tmp_path / "store", make=True)
    with holder(folder) as other:
        other.kill()
        other.wait()
        with writing(await taken(folder, "program")):
            assert (folder / LOCK).read_text().startswith(f"{os.getpid()} ")


@pytest.mark.parametrize("text", ["", "1 init", "99999999 gone", "\x00\xff garbage" * 200])
async def test_what_stands_in_the_lock_file_holds_nobody_up(tmp_path: Path, text: str) -> None:
    (tmp_path / LOCK).write_text(text, encoding="utf-8")
    with writing(await taken(tmp_path, "program")):
        assert (tmp_path / LOCK).read_text().split()[0] == str(os.getpid())
    assert (tmp_path / LOCK).exists()


async def test_children_do_not_inherit_the_lock(tmp_path: Path) -> None:
    with writing(await taken(tmp_path, "program")):
        child = sleeper()
    try:
        assert child.poll() is None
        with writing(await taken(tmp_path, "program")):
            pass
    finally:
        child.kill()
        child.communicate()


def sleeper() -> subprocess.Popen[bytes]:
    """A child that was given all that a child can be given."""
    script = "import time; print(1, flush=True); time.sleep(60)"
    child = subprocess.Popen([sys.executable, "-c", script], close_fds=False, stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    return child


async def test_nobody_else_can_read_the_lock_file(tmp_path: Path) -> None:
    with writing(await taken(tmp_path, "program")):
        assert (tmp_path / LOCK).stat().st_mode & 0o077 == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system does not tell what is open")
def test_where_the_disk_knows_no_locks_nothing_is_left_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(descriptor: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", unknown)
    before = sorted(Path("/proc/self/fd").iterdir())
    with pytest.raises(OSError, match="No locks available"):
        take(tmp_path)
    assert sorted(Path("/proc/self/fd").iterdir()) == before


@pytest.mark.parametrize("name", ["log.db", "log.db-wal"])
def test_a_lock_tells_which_file_was_taken_from_its_holder(tmp_path: Path, name: str) -> None:
    lock = take(tmp_path)
    assert lock is not None
    kept = [tmp_path / "log.db", tmp_path / "log.db-wal"]
    for path in kept:
        path.touch()
    lock.keeps(*kept)
    assert lock.lost() == ""
    (tmp_path / name).rename(tmp_path / "away")
    assert f"its {name} was removed" in lock.lost()
    (tmp_path / name).touch()
    assert f"its {name} was replaced" in lock.lost()
    lock.release()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_neither_gives_the_lock_away_nor_keeps_it(tmp_path: Path) -> None:
    lock = take(tmp_path)
    assert lock is not None
    lock.sign("program")
    child = os.fork()
    if child == 0:
        lock.release()
        os._exit(0 if not lock.still_there() else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert is_held(tmp_path)
    assert lock_holder(tmp_path).pid == os.getpid()
    sleeper = os.fork()
    if sleeper == 0:
        os.execvp("sleep", ["sleep", "60"])
    lock.release()
    try:
        assert not is_held(tmp_path), "who was forked and lives on holds nothing"
    finally:
        os.kill(sleeper, 9)
        os.waitpid(sleeper, 0)


FULL = """
import resource, signal, sys
from pathlib import Path
from aftermind.engine.store.lock import holder, take

folder = Path(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limits = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))  # as a full disk refuses a write
lock = take(folder)
lock.sign("daemon")
lock.beat()
print(lock.still_there(), holder(folder).pid)
resource.setrlimit(resource.RLIMIT_FSIZE, limits)
lock.beat()
print(holder(folder))
lock.release()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_a_lock_that_a_full_disk_lets_nobody_sign_is_one_and_is_signed_later(tmp_path: Path) -> None:
    words = [sys.executable, "-c", FULL, str(tmp_path)]
    ran = subprocess.run(words, env={**os.environ, "PYTHONPATH": SOURCE}, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    full, later = ran.stdout.splitlines()
    assert full == "True 0"
    assert later.startswith("process ")


def test_a_lock_whose_file_the_disk_does_not_let_be_emptied_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = take(tmp_path)
    assert lock is not None
    with monkeypatch.context() as failing:
        failing.setattr(os, "ftruncate", refused)
        lock.release()
    with writing(take(tmp_path)):
        assert not lock.still_there()


def refused(*_: object) -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))
