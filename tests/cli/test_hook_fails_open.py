"""Whatever is wrong, the hook says nothing and ends with 0 in time: the assistant's turn goes on. Every run here goes
through `hooked`, which holds it to that."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from tests.daemons import daemon, none_left, processes, wait_until
from tests.hooked import EVENTS, HOOK, LATE, clean, hooked, kept, said

JSON = b'{"session":"s","prompt":"how?"}'


# --- what it is told ------------------------------------------------------------------------------------------

WORDS: dict[str, tuple[str | bytes, ...]] = {
    "nothing": (),
    "a client alone": ("json",),
    "an unknown event": ("json", "dream", "1"),
    "an unknown client": ("nobody", "turn", "1"),
    "no text": (b"\xff", b"\xfe\xff", "1"),
    "empty words": ("", "", ""),
    "words that are code": ('"}{', "turn\n\0".replace("\0", ""), "1"),
    "too many words": ("json", "turn", "1", "2", "3"),
    "no number": ("json", "turn", "soon"),
    "a time that is over": ("json", "turn", "-1"),
    "no time at all": ("json", "turn", "0"),
    "not a time": ("json", "turn", "nan"),
    "all the time there is": ("json", "turn", "inf"),
    "a home and nothing else": ("--home",),
    "help": ("--help",),
}


def test_whatever_words_it_is_started_with(store):
    with daemon(store) as there:
        for words in WORDS.values():
            assert hooked(store, *words, stdin=JSON).out == b"", words
        assert there.poll() is None


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_whatever_words_it_is_started_with_where_nobody_answers(store, words):
    assert hooked(store, *words, stdin=JSON).out == b""


@pytest.mark.parametrize("words", [("json", "turn", "soon"), ("json", "turn", "-1"), ("json", "turn", "nan")])
def test_a_time_that_cannot_be_loses_no_turn(store, words):
    with daemon(store):
        hooked(store, *words, stdin=JSON)
    wait_until(lambda: (store / "log.db").exists(), "it was asked")
    with daemon(store):
        wait_until(lambda: not kept(store), "what was spooled goes in")


INPUT = {
    "garbage": b"garbage \x00\xff" * 1000,
    "binary": bytes(range(256)) * 100,
    "empty": b"",
    "a newline": b"\n",
    "half": b'{"prompt":"how',
    "deep": b'{"prompt":' + b"[" * 1_000_000,
    "a list": b"[]",
    "other keys": b'{"hook_event_name":"Stop"}',
    "a wrong type": b'{"prompt":7,"session":[]}',
    "megabytes": b"x" * 2_000_000,
    "megabytes of JSON": said("x" * 2_000_000),  # ten of them are kept whole: `test_hook.py`
}


def test_whatever_is_piped_into_it(store):
    with daemon(store) as there:
        for what, stdin in INPUT.items():
            for event in EVENTS:
                assert hooked(store, "json", event, "20", stdin=stdin).out == b"", what
            assert there.poll() is None, what


@pytest.mark.parametrize("stdin", INPUT.values(), ids=INPUT)
def test_whatever_is_piped_into_it_where_nobody_answers(store, stdin):
    for event in ("turn", "end"):
        assert hooked(store, "json", event, stdin=stdin).out == b""
    wait_until(lambda: not kept(store), "what can be drained is, and the rest set aside")
    wait_until(lambda: len(processes(store)) == 1, "one daemon is left")


# --- what it is given to read and write -----------------------------------------------------------------------


CLOSED = ("<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-", ">/dev/full", "</dev/null")


def test_whatever_is_closed(store):
    with daemon(store) as there:
        for closed, event in product(CLOSED, EVENTS):
            line = f"exec {sys.executable} -I -S {HOOK} --home {store} json {event} 1 {closed}"
            ran = subprocess.run(
                ["sh", "-c", line], input=JSON, capture_output=True, timeout=LATE, check=False, env=clean()
            )
            assert (ran.returncode, ran.stderr) == (0, b""), line
        assert there.poll() is None


def test_a_reader_that_is_gone(store):
    with daemon(store):
        read, write = os.pipe()
        os.close(read)
        try:
            hooked(store, "json", "prompt", "20", stdin=JSON, stdout=write)
        finally:
            os.close(write)


@pytest.mark.parametrize("event", EVENTS)
def test_input_that_never_ends(store, event):
    read, write = os.pipe()
    try:
        os.write(write, b'{"prompt":"how')
        assert hooked(store, "json", event, "0.5", stdin=read).out == b""
    finally:
        os.close(read)
        os.close(write)
    assert kept(store) == 0, "half of it is nothing"


def test_input_that_never_ends_and_never_stops_coming(store):
    flood = subprocess.Popen(["sh", "-c", "exec yes"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with flood:
        try:
            hooked(store, "json", "turn", "0.5", stdin=flood.stdout.fileno())
        finally:
            flood.kill()


# --- the place it finds ---------------------------------------------------------------------------------------


def test_without_a_home_it_does_nothing(place):
    before = sorted(path.name for path in HOOK.parents[1].iterdir())
    for event in EVENTS:
        assert hooked(None, "json", event, "1", stdin=JSON).out == b""
    assert sorted(path.name for path in HOOK.parents[1].iterdir() if path.name != "__pycache__") == [
        name for name in before if name != "__pycache__"
    ]
    assert list((place / "work").iterdir()) == []


def test_a_home_with_a_variable_that_no_shell_has_read_is_none(place):
    """Commands refuse it, and whatever was spooled in a folder of that name would wait there for ever."""
    for event in EVENTS:
        hooked(None, "json", event, "1", stdin=JSON, cwd=place / "work", env={"AFTERMIND_HOME": "$HOME/memory"})
    assert list((place / "work").iterdir()) == []


def test_a_home_of_other_things_is_left_as_it_is(place):
    """A daemon would take it for a store, once a spool is in it."""
    home = place / "home"
    (home / "bin").mkdir(parents=True)
    (home / "letters.txt").write_text("mine")
    with none_left(home):
        for event in EVENTS:
            hooked(home, "json", event, "1", stdin=JSON)
        assert sorted(path.name for path in home.rglob("*")) == ["bin", "letters.txt"]
        assert processes(home) == []


HOMES: dict[str, Callable[[Path], Path]] = {
    "a file": lambda place: _made(place / "file", Path.touch),
    "below a file": lambda place: _made(place / "file", Path.touch) / "store",
    "a link to nothing": lambda place: _made(place / "link", lambda path: path.symlink_to("nowhere")),
    "a link to itself": lambda place: _made(place / "link", lambda path: path.symlink_to("link")),
    "a name that is too long": lambda place: place / ("x" * 300),
    "a path that is too long": lambda place: place.joinpath(*["deeper" * 30] * 40),
    "nowhere": lambda _: Path("/proc/nowhere"),
}


def _made(path: Path, how: Callable[[Path], object]) -> Path:
    how(path)
    return path


@pytest.mark.parametrize("form", HOMES)
def test_whatever_its_home_is(place, form):
    home = HOMES[form](place)
    with none_left(home):
        for event in EVENTS:
            hooked(home, "json", event, "0.5", stdin=JSON, cwd=place / "work")


SOMEBODY_ELSE = f"""
import __future__, _socket, binascii, os, sys
with open({str(HOOK)!r}) as file:
    hook = compile(file.read(), "hook", "exec")  # which somebody else may not be able to read
os.setgid(65534)
os.setuid(65534)
sys.argv[:] = ["hook", "--home", sys.argv[1], "json", "turn", "1"]
exec(hook, {{"__name__": "__main__"}})
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize(("owner", "rights"), [(0, 0o755), (0, 0o777), (0, 0o000), (65534, 0o500), (65534, 0o000)])
def test_a_home_that_may_not_or_must_not_be_written_stays_as_it_is(owner, rights):
    with tempfile.TemporaryDirectory() as outside:
        Path(outside).chmod(0o755)
        home = Path(outside) / "store"
        home.mkdir()
        (home / "lock").touch()
        os.chown(home, owner, owner)
        home.chmod(rights)
        ran = subprocess.run(
            [sys.executable, "-c", SOMEBODY_ELSE, str(home)],
            input=JSON,
            capture_output=True,
            timeout=LATE,
            check=False,
            env=clean(),
        )
        home.chmod(0o700)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
        assert [path.name for path in home.rglob("*")] == ["lock"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_the_superuser_leaves_nothing_in_somebodys_store(store):
    os.chown(store, 12345, 12345)
    for event in EVENTS:
        hooked(store, "json", event, "1", stdin=JSON)
    assert list(store.iterdir()) == []


@pytest.mark.parametrize("name", ["spool", "logs", "run"])
def test_whatever_is_in_the_way_inside_of_it(store, name):
    (store / "lock").touch()
    (store / name).write_bytes(b"a file in its place")
    for event in EVENTS:
        hooked(store, "json", event, "0.5", stdin=JSON)
    assert (store / name).read_bytes() == b"a file in its place"
    assert kept(store) == (0 if name == "spool" else len(EVENTS))


FULL = f"""
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
sys.argv[:] = ["hook", "--home", sys.argv[2], "json", "turn", "1"]
runpy.run_path({str(HOOK)!r}, run_name="__main__")
"""


@pytest.mark.parametrize("limit", [0, 100])
def test_a_full_disk_leaves_no_half_file(store, limit):
    ran = subprocess.run(
        [sys.executable, "-B", "-c", FULL, str(limit), str(store)],
        input=said("x" * 1000),
        capture_output=True,
        timeout=LATE,
        check=False,
        env=clean(),
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert list((store / "spool").iterdir()) == []
