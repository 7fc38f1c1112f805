"""The spool: a file counts when it is whole and durable, and only what a door of ours wrote is read."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.errors import DiskFull, StoreUnusable
from aftermind.engine.stamp import Stamp
from aftermind.engine.store import spool

SOURCE = str(Path(__file__).parents[2] / "src")
KEYS = st.text("0123456789abcdefXYZ", min_size=32, max_size=32)


def key(number: int) -> str:
    return f"{number:012x}" + "a" * 20


def waiting(folder: Path) -> list[str]:
    return [file.stem for file in spool.spooled(folder).waiting]


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").is_dir() else 0


# --- writing --------------------------------------------------------------------------------------------------


def test_what_was_written_waits_as_it_is_for_its_owner_alone(tmp_path):
    request = bytes(range(256)) * 1000
    file = spool.write(tmp_path / "store", key(1), request)
    assert spool.read(file) == request
    assert spool.spooled(tmp_path / "store").waiting == (file,)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert list(file.parent.iterdir()) == [file]


@given(st.lists(KEYS, max_size=8, unique=True))
def test_the_oldest_comes_first(tmp_path_factory, keys):
    folder = tmp_path_factory.mktemp("store")
    for one in keys:
        spool.write(folder, one, b"{}")
    assert waiting(folder) == sorted(keys)


def test_the_same_key_again_is_the_same_file(tmp_path):
    for request in (b"first", b"again"):
        file = spool.write(tmp_path, key(1), request)
    assert spool.read(file) == b"again"
    assert len(waiting(tmp_path)) == 1


TRACED = """
import os, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from aftermind.engine.store import spool

def told(what, path):
    print(what, os.path.basename(str(path)), flush=True)

real = {name: getattr(os, name) for name in ("fsync", "replace", "open")}
names = {}

def opened(path, *rest, **more):
    descriptor = real["open"](path, *rest, **more)
    names[descriptor] = path
    return descriptor

def synced(descriptor):
    told("sync", names.get(descriptor, "?"))
    return real["fsync"](descriptor)

def audit(event, arguments):
    if event == "os.rename":
        told("rename", arguments[1])

sys.addaudithook(audit)
os.open, os.fsync = opened, synced
spool.write(Path(sys.argv[1]), "a" * 32, b"request")
"""


def test_the_file_is_synced_then_named_and_then_its_folders_synced(tmp_path):
    command = [sys.executable, "-c", TRACED, str(tmp_path), SOURCE]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    steps = [f"sync {'a' * 32}.part", f"rename {'a' * 32}.json", "sync spool", f"sync {tmp_path.name}"]
    assert ran.stdout.splitlines() == steps


def test_a_spool_that_cannot_be_written_is_named_with_a_next_step(tmp_path):
    (tmp_path / "spool").write_bytes(b"a file in its place")
    with pytest.raises(StoreUnusable) as error:
        spool.write(tmp_path, key(1), b"{}")
    assert error.value.hint
    assert str(tmp_path / "spool") in str(error.value)
    assert os.strerror(errno.EEXIST) in str(error.value)
    assert spool.spooled(tmp_path).waiting == ()


@pytest.mark.parametrize("limit", [0, 10_000])
def test_a_full_disk_is_told_and_leaves_no_half_file(tmp_path, limit):
    spool.write(tmp_path, key(1), b"before")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        with pytest.raises(DiskFull, match=f"no file of this process may have more than {limit:,} bytes") as error:
            spool.write(tmp_path, key(2), bytes(50_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert error.value.hint
    assert [file.name for file in (tmp_path / "spool").iterdir()] == [f"{key(1)}.json"]
    assert spool.read(spool.write(tmp_path, key(2), bytes(50_000))) == bytes(50_000)


# --- reading --------------------------------------------------------------------------------------------------


def test_where_there_is_no_spool_nothing_waits(tmp_path):
    assert spool.spooled(tmp_path) == spool.spooled(tmp_path / "nowhere") == spool.Spooled(waiting=(), broken=())
    assert spool.clear_halves(tmp_path, Stamp().now()) == 0


def test_a_file_that_is_gone_is_none(tmp_path):
    file = spool.write(tmp_path, key(1), b"{}")
    spool.drained(file)
    assert spool.read(file) is None
    spool.drained(file)


FOREIGN: dict[str, Callable[[Path], object]] = {
    "a folder": lambda path: path.mkdir(),
    "a link to a secret": lambda path: path.symlink_to("/etc/passwd"),
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a pipe nobody writes to": lambda path: os.mkfifo(path),
    "a device": lambda path: os.mknod(path, 0o600 | 0o020000, os.makedev(1, 3)),
    "another user's": lambda path: (path.write_bytes(b"{}"), os.chown(path, 12345, 12345)),
    "too large": lambda path: (path.touch(), os.truncate(path, spool.LARGEST + 1)),
}


@pytest.mark.parametrize("form", FOREIGN)
def test_what_no_door_of_ours_wrote_is_not_read(tmp_path, form):
    path = spool.write(tmp_path, key(1), b"{}")
    path.unlink()
    try:
        FOREIGN[form](path)
    except PermissionError:
        pytest.skip("only root can make one")
    before = descriptors()
    with pytest.raises(ValueError, match=r"."):
        spool.read(path)
    assert descriptors() == before
    aside = spool.set_aside(path)
    assert spool.spooled(tmp_path) == spool.Spooled(waiting=(), broken=(aside,))


UNREADABLE = """
import os, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from aftermind.engine.store import spool
folder = Path(sys.argv[1])
os.setgid(65534)
os.setuid(65534)
(file,) = spool.spooled(folder).waiting
try:
    spool.read(file)
except ValueError as error:
    print(error, spool.set_aside(file).name == file.name)
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
def test_a_file_that_may_not_be_read_is_set_aside(tmp_path):
    import tempfile

    with tempfile.TemporaryDirectory() as place:  # which somebody else may enter
        Path(place).chmod(0o755)
        file = spool.write(Path(place), key(1), b"{}")  # root's own, in a folder of another's
        os.chown(file.parent, 65534, 65534)
        ran = subprocess.run(
            [sys.executable, "-c", UNREADABLE, place, SOURCE], capture_output=True, text=True, check=True, timeout=60
        )
    assert ran.stdout == "Permission denied True\n"


def test_what_may_pass_is_no_reason_to_set_a_file_aside(tmp_path):
    file = spool.write(tmp_path, key(1), b"{}")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (1, hard))
        with pytest.raises(OSError, match=os.strerror(errno.EMFILE)):
            spool.read(file)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert spool.read(file) == b"{}"


@pytest.mark.parametrize("name", ["notes.json", "a" * 31 + ".json", "a" * 33 + ".json", "a" * 31 + "-.json", ".json"])
def test_a_name_that_is_not_ours_is_left_alone(tmp_path, name):
    spool.write(tmp_path, key(1), b"{}")
    (tmp_path / "spool" / name).write_bytes(b"somebody's own")
    assert waiting(tmp_path) == [key(1)]


def test_what_was_set_aside_waits_no_more_and_stays(tmp_path):
    file = spool.write(tmp_path, key(1), b"garbage")
    aside = spool.set_aside(file)
    assert spool.spooled(tmp_path) == spool.Spooled(waiting=(), broken=(aside,))
    assert aside.read_bytes() == b"garbage"
    spool.set_aside(spool.write(tmp_path, key(1), b"the same again"))
    assert aside.read_bytes() == b"the same again"


# --- what a crash left half written ---------------------------------------------------------------------------


def half(folder: Path, name: str, age: timedelta) -> Path:
    (folder / "spool").mkdir(exist_ok=True)
    path = folder / "spool" / name
    path.write_bytes(b'{"key":"a')
    then = (Stamp().now() - age).timestamp()
    os.utime(path, (then, then))
    return path


def test_what_is_half_written_waits_for_nobody(tmp_path):
    half(tmp_path, f"{key(1)}.part", timedelta())
    assert spool.spooled(tmp_path) == spool.Spooled(waiting=(), broken=())


def test_what_stayed_half_written_for_a_day_is_cleared_away_and_nothing_else(tmp_path):
    old = half(tmp_path, f"{key(1)}.part", timedelta(days=1, minutes=1))
    kept = [
        half(tmp_path, f"{key(2)}.part", timedelta(hours=23)),
        half(tmp_path, f"{key(3)}.part", -timedelta(days=400)),
        half(tmp_path, f"{key(4)}.json", timedelta(days=400)),
        half(tmp_path, "movie.part", timedelta(days=400)),
        half(tmp_path, f"{key(5)}.part.txt", timedelta(days=400)),
    ]
    folder = tmp_path / "spool" / f"{key(6)}.part"
    folder.mkdir()
    then = (Stamp().now() - timedelta(days=9)).timestamp()
    os.utime(folder, (then, then))
    assert spool.clear_halves(tmp_path, Stamp().now()) == 1
    assert not old.exists()
    assert all(path.exists() for path in (*kept, folder))


def test_a_clock_that_is_behind_clears_nothing_away(tmp_path):
    path = half(tmp_path, f"{key(1)}.part", timedelta(days=3))
    assert spool.clear_halves(tmp_path, Stamp().now() - timedelta(days=365)) == 0
    assert path.exists()


def test_a_link_is_cleared_away_and_not_what_it_points_at(tmp_path):
    target = half(tmp_path, "movie.txt", timedelta(days=3))
    link = tmp_path / "spool" / f"{key(1)}.part"
    link.symlink_to(target)
    then = (Stamp().now() - timedelta(days=3)).timestamp()
    os.utime(link, (then, then), follow_symlinks=False)
    assert spool.clear_halves(tmp_path, Stamp().now()) == 1
    assert target.exists()
    assert not link.is_symlink()


# --- killed while writing -------------------------------------------------------------------------------------

WRITE = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from aftermind.engine.store import spool
for number in range(100_000):
    key = f"{number:012x}" + "a" * 20
    spool.write(Path(sys.argv[1]), key, key.encode() * 5000)
    print(key, flush=True)
"""


@pytest.mark.parametrize("lines", [1, 7, 40])
def test_a_writer_killed_at_any_instant_leaves_whole_files_and_all_it_acknowledged(tmp_path, lines):
    command = [sys.executable, "-c", WRITE, str(tmp_path), SOURCE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [process.stdout.readline().strip() for _ in range(lines)]
        process.kill()
        told += [line for line in process.stdout.read().split("\n") if len(line) == 32]
    assert set(told) <= set(waiting(tmp_path))
    for file in spool.spooled(tmp_path).waiting:
        assert spool.read(file) == file.stem.encode() * 5000
