"""Whoever the hook finds at the store's door, or nobody: it costs the time there is, and nothing that was said."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from tests.daemons import daemon, holding, none_left, processes, wait_until
from tests.hooked import EVENTS, LATE, command, hooked, kept, said

from aftermind.cli.doors import hook

JSON = b'{"session":"s","prompt":"how?"}'


def test_a_daemon_that_hangs_costs_the_time_there_is_and_no_turn(store):
    with daemon(store) as hung:
        hooked(store, "json", "turn", "20", stdin=JSON)
        wait_until(lambda: holding(store) == hung.pid, "it is up")
        os.kill(hung.pid, signal.SIGSTOP)
        try:
            for event in EVENTS:
                assert hooked(store, "json", event, "2", stdin=JSON).out == b""
            assert kept(store) == len(EVENTS)
            assert hung.poll() is None
        finally:
            with suppress(OSError):
                os.kill(hung.pid, signal.SIGCONT)
        wait_until(lambda: not kept(store), "it goes in when it goes on")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system does not tell what is open")
@pytest.mark.parametrize("door", ["socket", "address"])
def test_who_finds_nobody_at_the_door_keeps_no_connection(tmp_path, monkeypatch, door):
    """Windows' pipes look for a daemon in the same way, again and again."""
    monkeypatch.chdir(tmp_path)
    Path("run").mkdir()
    with socket.socket(socket.AF_UNIX if door == "socket" else socket.AF_INET) as gone:
        gone.bind("run/socket" if door == "socket" else ("127.0.0.1", 0))
        if door == "address":
            Path("run/address").touch(mode=0o600)
            Path("run/address").write_text(f"{gone.getsockname()[1]} token", encoding="utf-8")
        before = sorted(Path("/proc/self/fd").iterdir())
        with pytest.raises(ConnectionRefusedError) as refused:
            hook.reached()
        assert sorted(Path("/proc/self/fd").iterdir()) == before, f"{refused.value} holds it"


def _silent(connection: socket.socket) -> None:
    connection.recv(1)


def _gone(connection: socket.socket) -> None:
    pass


def _garbage(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    connection.recv(1)


def _too_much(connection: socket.socket) -> None:
    connection.sendall(b"\0\0\0\2{}\xff\xff\xff\xff")
    connection.recv(1)


def _half(connection: socket.socket) -> None:
    connection.sendall(b"\0\0\0\2{}\0\0\1\0{")


def _half_and_silent(connection: socket.socket) -> None:
    connection.sendall(b"\0\0\0\2{}\0\0\1\0{")
    while connection.recv(65536):
        pass


def _drop_by_drop(connection: socket.socket) -> None:
    connection.sendall(b"\0\0\0\2{}\0\0\xff\xff")
    while True:
        connection.sendall(b"x")
        time.sleep(0.05)


def _never_reads(connection: socket.socket) -> None:
    connection.sendall(b"\0\0\0\2{}")
    time.sleep(LATE)


def _no_json(connection: socket.socket) -> None:
    connection.sendall(b'\0\0\0\2{}\0\0\0\x26{"reply":"answered","answer":{"text":"')
    connection.recv(1)


STRANGE = (_silent, _gone, _garbage, _too_much, _half, _half_and_silent, _drop_by_drop, _never_reads)


@contextmanager
def listening(folder: Path, behave: Callable[[socket.socket], None]) -> Iterator[None]:
    """Somebody on the store's socket who is no daemon of ours. Its threads end with their connections."""
    (folder / "lock").touch()
    (folder / "run").mkdir(exist_ok=True)
    with closing(socket.socket(socket.AF_UNIX)) as listener:
        listener.bind(str(folder / "run" / "socket"))
        listener.listen(50)

        def one(connection: socket.socket) -> None:
            with connection, suppress(OSError):
                behave(connection)

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=one, args=(connection,), daemon=True).start()

        serving = threading.Thread(target=serve, daemon=True)
        serving.start()
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            serving.join(10)


@pytest.mark.parametrize("behave", [*STRANGE, _no_json], ids=lambda behave: behave.__name__.strip("_"))
def test_whoever_listens_costs_a_prompt_the_time_there_is(store, behave):
    with listening(store, behave):
        payload = said("x" * 2_000_000) if behave is _never_reads else JSON
        assert hooked(store, "json", "prompt", "1", stdin=payload).out == b""
    with none_left(store), daemon(store):
        wait_until(lambda: not kept(store), "that it was said goes in")


@pytest.mark.parametrize("behave", STRANGE, ids=lambda behave: behave.__name__.strip("_"))
def test_whoever_listens_costs_no_turn(store, behave):
    """The daemon that is started finds no lock taken, and takes its place."""
    with listening(store, behave):
        payload = said("x" * 2_000_000) if behave is _never_reads else JSON
        hooked(store, "json", "turn", "1", stdin=payload)
        assert kept(store) or processes(store)
        wait_until(lambda: not kept(store), "what was said goes in")
    with daemon(store):
        wait_until(lambda: (store / "log.db").stat().st_size > 0, "it is there")


def test_a_door_where_a_crowd_waits(store):
    """Nobody accepts, and the kernel takes no more."""
    (store / "lock").touch()
    (store / "run").mkdir()
    waiting = []
    with closing(socket.socket(socket.AF_UNIX)) as listener:
        listener.bind(str(store / "run" / "socket"))
        listener.listen(1)
        for _ in range(10):
            connection = socket.socket(socket.AF_UNIX)
            connection.setblocking(False)
            waiting.append(connection)
            with suppress(BlockingIOError):
                connection.connect(str(store / "run" / "socket"))
        hooked(store, "json", "turn", "1", stdin=JSON)
        for connection in waiting:
            connection.close()
    wait_until(lambda: not kept(store), "what was said goes in")


@pytest.mark.parametrize("written", [b"", b"x y", b"99999999 token", b"-1 token", b"1 token", b"\xff\xfe"])
def test_an_address_that_leads_nowhere(store, written):
    (store / "lock").touch()
    (store / "run").mkdir()
    (store / "run" / "address").write_bytes(written)
    (store / "run" / "address").chmod(0o600)
    hooked(store, "json", "turn", "1", stdin=JSON)
    wait_until(lambda: not kept(store), "what was said goes in")


def test_an_interpreter_that_cannot_say_where_it_is(store):
    words = [b"python", *map(os.fsencode, command("json", "turn", "1", home=store)[1:])]
    ran = subprocess.run(
        words, executable=sys.executable, input=JSON, capture_output=True, timeout=LATE, check=False, env={}
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert kept(store) == 1 or processes(store)
