"""Who answers a hook: only this user's own process is told anything, and only its plain refusal lets a turn go."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from tests.daemons import processes, wait_until
from tests.hooked import EVENTS, LATE, hooked, kept, said

from aftermind.cli.doors import hook
from aftermind.cli.language import wire
from aftermind.engine import errors
from aftermind.engine.errors import AftermindError

ALL = {
    name
    for module in (errors, wire)
    for name, form in vars(module).items()
    if isinstance(form, type) and issubclass(form, AftermindError)
}
REFUSED = {"Unusable", "NotUnderstood", "ExchangeDiffers"}
WELCOME = b'{"aftermind":"0.1.0","wire":1,"pid":1,"holder":"daemon"}'


def framed(payload: bytes) -> bytes:
    return len(payload).to_bytes(4, "big") + payload


@contextmanager
def heard_by(listener: socket.socket, reply: bytes = b"{}") -> Iterator[list[bytes]]:
    """Whatever is said to somebody who welcomes everybody and answers the same to everything."""
    heard: list[bytes] = []

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                heard.append(b"")
                connection.sendall(framed(WELCOME))
                connection.settimeout(LATE)
                while part := connection.recv(65536):
                    heard.append(part)
                    connection.sendall(framed(reply))

    serving = threading.Thread(target=serve, daemon=True)
    serving.start()
    try:
        yield heard
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        serving.join(10)


@contextmanager
def at_the_socket(store: Path, reply: bytes) -> Iterator[list[bytes]]:
    (store / "lock").touch()
    (store / "run").mkdir()
    with closing(socket.socket(socket.AF_UNIX)) as listener:
        listener.bind(str(store / "run" / "socket"))
        listener.listen(50)
        with heard_by(listener, reply) as heard:
            yield heard


# --- what a reply means for a turn ------------------------------------------------------------------------------


def failed(name: str) -> bytes:
    return json.dumps({"reply": "failed", "error": name, "what": "", "hint": "", "values": {}}).encode().replace(
        b'": ', b'":'
    ).replace(b', "', b',"')  # fmt: skip


def test_what_lets_a_turn_go_are_three_errors_that_there_are():
    assert {name.decode() for name in hook.REFUSALS} == REFUSED <= ALL


@pytest.mark.parametrize("name", sorted({*ALL, "NoSuchError", ""}))
def test_a_turn_is_kept_after_every_error_but_a_refusal_of_itself(store, name):
    with at_the_socket(store, failed(name)) as heard:
        hooked(store, "json", "turn", "20", stdin=said(answer="so"))
        assert any(b'"wire":1' in part for part in heard)
        assert kept(store) == (name not in REFUSED)


@pytest.mark.parametrize(
    ("reply", "waits"),
    [
        (b'{"reply":"answered","answer":{"text":""}}', 0),
        (b'{"reply":"answered","answer":null}', 0),
        (b'{"reply":"later","seconds":7}', 1),
        (b'{"reply":"failed"}', 1),
        (b"{}", 1),
        (b"", 1),
        (b"Unusable", 1),
    ],
)
def test_what_was_neither_answered_nor_refused_is_kept(store, reply, waits):
    with at_the_socket(store, reply):
        hooked(store, "json", "turn", "20", stdin=said(answer="so"))
        assert kept(store) == waits


def test_an_error_on_the_wire_is_written_as_a_hook_reads_it():
    for name in ("DiskFull", "Unusable"):
        error = errors.DiskFull(Path("x")) if name == "DiskFull" else errors.Unusable("x", 1)
        payload = wire.framed(wire.failed(error))[4:]
        assert payload.startswith(failed(name)[: -len(b'"what":"","hint":"","values":{}}')])
        assert hook.is_to_be_kept(payload) == (name == "DiskFull")


# --- who is told anything ---------------------------------------------------------------------------------------

SOMEBODY = """
import os, socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
heard = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT, 0o600)
os.setgid(65534)
os.setuid(65534)
listener.listen(50)
print("listening", flush=True)
while True:
    connection, _ = listener.accept()
    os.write(heard, b"came;")
    connection.sendall(bytes.fromhex(sys.argv[3]))
    while part := connection.recv(65536):
        os.write(heard, part)
"""


@pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED") or os.geteuid() != 0, reason="only root can become somebody")
def test_nothing_is_said_to_another_user_who_listens(store, place):
    (store / "lock").touch()
    (store / "run").mkdir()
    heard = place / "heard"
    words = [str(store / "run" / "socket"), str(heard), framed(WELCOME).hex()]
    with subprocess.Popen([sys.executable, "-c", SOMEBODY, *words], stdout=subprocess.PIPE) as somebody:
        try:
            assert somebody.stdout.readline() == b"listening\n"
            hooked(store, "json", "turn", "1", stdin=said(answer="so"))
            wait_until(lambda: b"came;" in heard.read_bytes(), "it was there")
        finally:
            somebody.kill()
    assert set(heard.read_bytes().split(b";")) == {b"came", b""}
    wait_until(lambda: not kept(store), "a daemon of this user's takes it")


@contextmanager
def at_the_port(store: Path, mode: int = 0o600) -> Iterator[list[bytes]]:
    """Somebody who has the port that `run/address` names."""
    (store / "lock").touch()
    (store / "run").mkdir(exist_ok=True)
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(50)
        address = store / "run" / "address"
        address.write_bytes(b"%d secret-token" % listener.getsockname()[1])
        address.chmod(mode)
        with heard_by(listener, b'{"reply":"answered","answer":{"text":"trust me"}}') as heard:
            yield heard


def no_daemon(store: Path) -> None:
    """A store in which none can be started: what is heard is the hook alone."""
    (store / "logs").write_bytes(b"")


def test_where_there_is_no_socket_the_port_is_asked(store):
    no_daemon(store)
    with at_the_port(store) as heard:
        assert hooked(store, "json", "prompt", "20", stdin=said()).out == b"trust me\n"
        assert any(b"secret-token" in part for part in heard)


@pytest.mark.parametrize("event", EVENTS)
def test_where_a_socket_refuses_no_port_is_asked(store, event):
    no_daemon(store)
    with at_the_port(store) as heard:
        with closing(socket.socket(socket.AF_UNIX)) as dead:
            dead.bind(str(store / "run" / "socket"))
        assert hooked(store, "json", event, "1", stdin=said()).out == b""
        assert heard == []
    assert kept(store) == 1


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o602])
def test_an_address_others_can_open_is_not_believed(store, mode):
    no_daemon(store)
    with at_the_port(store, mode) as heard:
        assert hooked(store, "json", "prompt", "1", stdin=said()).out == b""
        assert heard == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_an_address_another_user_wrote_is_not_believed(store):
    no_daemon(store)
    with at_the_port(store) as heard:
        os.chown(store / "run" / "address", 65534, 65534)
        assert hooked(store, "json", "prompt", "1", stdin=said()).out == b""
        assert heard == []


@pytest.mark.parametrize("form", ["link", "pipe", "folder"])
def test_an_address_that_is_no_file_is_not_believed(store, form):
    no_daemon(store)
    with at_the_port(store) as heard:
        address = store / "run" / "address"
        address.rename(store / "run" / "elsewhere")
        match form:
            case "link":
                address.symlink_to("elsewhere")
            case "pipe":
                os.mkfifo(address, 0o600)
            case _:
                address.mkdir(mode=0o700)
        assert hooked(store, "json", "turn", "1", stdin=said()).out == b""
        assert heard == []
    assert kept(store) == 1
    assert processes(store) == []


@pytest.mark.parametrize("mode", [0o644, 0o620, 0o604])
def test_a_program_believes_no_other_address_either(tmp_path, mode):
    file = tmp_path / "address"
    file.write_bytes(b"4711 token")
    file.chmod(0o600)
    assert wire.address_of(tmp_path) == (4711, b"token")
    file.chmod(mode)
    with pytest.raises(PermissionError):
        wire.address_of(tmp_path)
    file.chmod(0o600)
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="address"):
        wire.address_of(tmp_path)
    file.unlink()
    os.mkfifo(file, 0o600)
    with pytest.raises(PermissionError):
        wire.address_of(tmp_path)


def test_the_modes_it_compares_are_those_of_the_system():
    assert stat.S_IFMT(0o777777) | 0o077 == hook.FORM_AND_OTHERS
    assert stat.S_IFREG == hook.PLAIN_FILE
