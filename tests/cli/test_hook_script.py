"""The command a client keeps: it works wherever the store is, and ends with 0 whatever has been taken away."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from tests.daemons import none_left, wait_until
from tests.hooked import LATE, clean, kept, said
from tests.processes import every

from aftermind.cli import doors
from aftermind.engine.store import spool

SOURCES = (Path(__file__).parents[2] / "src", *(Path(entry) for entry in sys.path if entry.endswith("site-packages")))
SHELLS = [shell for shell in ("sh", "dash", "bash", "zsh", "ksh", "busybox") if shutil.which(shell)]
ADVICE = "Staging listens on port 8081"
EVENTS = ("prompt", "turn", "end")


HOMES = ("plain", "Application Support", 'it\'s "$HOME" `x` \\ *')


@pytest.fixture(params=HOMES)
def home(request: pytest.FixtureRequest, place: Path) -> Iterator[Path]:
    """A store whose path a shell may misread."""
    folder = place / request.param / "store"
    folder.parent.mkdir()
    with none_left(folder):
        yield folder


def aftermind(home: Path, *words: str, python: str = sys.executable) -> str:
    env = {**clean(), "AFTERMIND_HOME": str(home)}
    command = [python, "-m", "aftermind", *words]
    return subprocess.run(command, capture_output=True, text=True, env=env, check=True, timeout=LATE).stdout


def shelled(line: str, stdin: bytes = b"", shell: str = "sh", **env: str) -> subprocess.CompletedProcess[bytes]:
    words = [shell, "sh", "-c"] if shell == "busybox" else [shell, "-c"]
    return subprocess.run(
        [*words, line], input=stdin, capture_output=True, timeout=LATE, check=False, env={**clean(), **env}
    )


def test_what_is_printed_works_pasted_and_kept_in_a_variable_of_any_shell(home):
    aftermind(home, "remember", ADVICE, "--global")
    line = aftermind(home, "hook")
    assert line.count("\n") == 1
    piped = said("which port does staging listen on?")
    ways = (
        f"{line.strip()} prompt 30",
        f"eval {shlex.quote(line.strip())}' prompt 30'",
        'eval "$hook prompt 30"',
        f'eval "$(AFTERMIND_HOME={shlex.quote(str(home))} {sys.executable} -m aftermind hook) prompt 30"',
    )
    for shell, used in product(SHELLS, ways):
        ran = shelled(used, piped, shell, hook=line.strip())
        assert (ran.returncode, ran.stderr) == (0, b""), (shell, used)
        assert ADVICE in ran.stdout.decode(), (shell, used)


def test_the_words_for_programs_are_the_same(home):
    words = aftermind(home, "hook", "--json")
    assert shlex.split(aftermind(home, "hook")) == [str(home / "bin" / "hook"), "json"]
    assert str(home / "bin" / "hook").replace("\\", "\\\\").replace('"', '\\"') in words


def installation(folder: Path) -> str:
    """The interpreter of an environment of its own, which has the package."""
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python3*/site-packages")
    (site / "tree.pth").write_text("".join(f"{source}\n" for source in SOURCES))
    return str(folder / "bin" / "python")


def test_when_the_installation_is_gone_it_is_silent_and_ends_with_0(home, place):
    python = installation(place / "environment")
    line = aftermind(home, "hook", python=python).strip()
    assert shelled(f"{line} turn 0.1", said(answer="so")).returncode == 0
    wait_until(lambda: (home / "log.db").exists() and not kept(home), "it goes in")
    shutil.rmtree(place / "environment")
    for event in EVENTS:
        ran = shelled(f"{line} {event}", said(answer="so"))
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b""), event


@pytest.mark.parametrize("home", HOMES[-1:], indirect=True)
@pytest.mark.parametrize("harm", ["another version's", "half", "gone"])
def test_what_was_compiled_by_another_python_costs_time_and_no_turn(home, harm):
    line = aftermind(home, "hook").strip()
    compiled = home / "bin" / doors.COMPILED
    whole = compiled.read_bytes()
    match harm:
        case "half":
            compiled.write_bytes(whole[: len(whole) // 2])
        case "gone":
            compiled.unlink()
        case _:
            compiled.write_bytes(b"\x00\x00\r\n" + whole[4:])
    ran = shelled(f"{line} turn 0.1", said(answer="so"))
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    wait_until(lambda: (home / "log.db").exists() and not kept(home), "it goes in")


def test_a_hook_whose_time_is_over_is_not_run_once_more(home, place):
    """Its input never ends, and it is killed for that."""
    line = aftermind(home, "hook").strip()
    counted, runs = place / "counted", place / "runs"
    counted.write_text(f'#!/bin/sh\necho >> {runs}\nexec {sys.executable} "$@"\n')
    counted.chmod(0o755)
    script = home / "bin" / "hook"
    script.write_text(script.read_text(encoding="utf-8").replace(sys.executable, str(counted)), encoding="utf-8")
    read, write = os.pipe()
    try:
        subprocess.run(["sh", "-c", f"{line} turn 1"], stdin=read, timeout=LATE, check=True, env=clean())
    finally:
        os.close(read)
        os.close(write)
    assert len(runs.read_text().splitlines()) == 1


GONE = ("hook.py", "the interpreter", "its library")


@pytest.fixture(scope="module", params=[*product(HOMES, GONE)], ids=" without ".join)
def broken(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The command of a hook that cannot work any more, and so leaves everything as it is for the next test."""
    name, gone = request.param
    place = tmp_path_factory.mktemp("broken")
    home = place / name / "store"
    home.parent.mkdir()
    with none_left(home):
        python = installation(place / "environment")
        line = aftermind(home, "hook", python=python).strip()
        match gone:
            case "hook.py":
                (home / "bin" / "hook.py").unlink()
            case "the interpreter":
                Path(python).unlink()
            case _:
                Path(python).unlink()
                Path(python).write_text("#!/bin/sh\necho cannot find my library >&2\nexit 2\n")
                Path(python).chmod(0o755)
        left = {file for file in place.rglob("*") if file.is_file()}
        yield line
        assert {file for file in place.rglob("*") if file.is_file()} == left


def test_whatever_is_gone_what_is_piped_in_is_read_to_its_end(broken):
    ran = shelled(f"{{ head -c 5000000 /dev/zero; echo $? >&2; }} | {broken} turn; echo $?")
    assert (ran.stdout, ran.stderr) == (b"0\n", b"0\n")


def test_whatever_is_gone_input_that_never_ends_holds_nobody(broken):
    read, write = os.pipe()
    try:
        ran = subprocess.run(
            ["sh", "-c", f"{broken} turn"], stdin=read, capture_output=True, timeout=LATE, check=False, env=clean()
        )
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    finally:
        os.close(read)
        os.close(write)


def test_whatever_is_closed(broken):
    for shell, closed in product(SHELLS, ("<&-", ">&-", "2>&-", "<&- >&- 2>&-", "</dev/null")):
        ran = shelled(f"{broken} turn {closed}", b"", shell)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b""), (shell, closed)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="only Linux tells of every process")
def test_nothing_of_it_stays(broken):
    shelled(f"{broken} turn", said())
    marked = shlex.split(broken)[0].encode()
    wait_until(lambda: not any(marked in word for one in every() for word in one.words), "it ends")


# --- how it gets there ----------------------------------------------------------------------------------------

TRACED = """
import os, sys
sys.path[:0] = sys.argv[2].split(os.pathsep)
from pathlib import Path
from aftermind.cli import doors

real = {name: getattr(os, name) for name in ("fsync", "open")}
names = {}

def told(what, path):
    name = os.path.basename(str(path))
    print(what, name.removesuffix(f".{os.getpid()}"), flush=True)

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
os.umask(0)
for _ in range(2):
    doors.copied(Path(sys.argv[1]))
    print("done")
"""


def test_a_copy_is_synced_then_named_and_its_folders_synced_and_the_same_again_is_left(tmp_path):
    command = [sys.executable, "-c", TRACED, str(tmp_path), os.pathsep.join(map(str, SOURCES))]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    copy = [step for name in doors.COPIES for step in (f"sync .{name}", f"rename {name}")]
    assert ran.stdout.splitlines() == [*copy, "sync bin", f"sync {tmp_path.name}", "done", "done"]
    modes = {file.name: file.stat().st_mode & 0o777 for file in (tmp_path / "bin").iterdir()}
    assert modes == {name: 0o700 if name == "hook" else 0o600 for name in doors.COPIES}


@pytest.mark.parametrize("name", doors.COPIES)
@pytest.mark.parametrize("harm", ["empty", "half", "other", "link", "mode"])
def test_a_copy_that_is_not_as_it_should_be_is_put_right(tmp_path, name, harm):
    doors.copied(tmp_path)
    file = tmp_path / "bin" / name
    whole = file.read_bytes()
    match harm:
        case "empty":
            file.write_bytes(b"")
        case "half":
            file.write_bytes(whole[: len(whole) // 2])
        case "other":
            file.write_bytes(b"exit 1\n")
        case "link":
            file.rename(tmp_path / "elsewhere")
            file.symlink_to(tmp_path / "elsewhere")
        case _:
            file.chmod(0o777)
    doors.copied(tmp_path)
    assert not file.is_symlink()
    assert file.read_bytes() == whole
    assert file.stat().st_mode & 0o777 == (0o700 if name == "hook" else 0o600)
    assert sorted(path.name for path in file.parent.iterdir()) == sorted(doors.COPIES)


def test_a_copy_that_cannot_be_made_leaves_what_was_there(tmp_path):
    doors.copied(tmp_path)
    (tmp_path / "bin" / "hook.py").write_bytes(b"older")
    (tmp_path / "bin" / f".hook.py.{os.getpid()}").mkdir()
    with pytest.raises(OSError, match=r"hook\.py"):
        doors.copied(tmp_path)
    assert (tmp_path / "bin" / "hook.py").read_bytes() == b"older"


def test_what_was_spooled_by_it_belongs_to_its_store_whatever_the_environment_says(home, place):
    line = aftermind(home, "hook").strip()
    (home / "lock").touch()
    (home / "run").write_text("a file in its place: nobody can listen")
    shelled(f"{line} turn 0.5", said(answer="so"), AFTERMIND_HOME=str(place / "another"))
    assert len(spool.spooled(home).waiting) == 1
    assert not (place / "another").exists()
