"""A client's hook: hands its standard input to the store's daemon and prints what comes back.

    python -I -S hook.py [--home FOLDER] CLIENT EVENT [SECONDS]

Standard library only, and little of that: it is started at every prompt, and must not be felt. It understands
nothing of what it forwards. Whatever goes wrong, it says nothing and ends with 0: the assistant's turn goes on. What
was said is not lost then: where no daemon answers in time it goes into the store's spool, and a daemon is started.
"""

from __future__ import annotations

import os
import sys
from binascii import b2a_base64
from time import monotonic, sleep, time_ns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket

LATEST = 2.0
"""Seconds after which the assistant is let go on."""
WELCOMED = 0.5
ANSWERS = ("prompt", "start")
"""Events whose answer is waited for while a daemon starts; the others are told and not waited for."""
LARGEST = 64 * 1024 * 1024


class Lost(OSError):
    """Nobody answers."""


def main() -> None:
    began = monotonic()
    words = sys.argv[1:]
    home = words[1] if words[:1] == ["--home"] else own_home()
    client, event, *seconds = words[2:] if words[:1] == ["--home"] else words
    end = began + (float(seconds[0]) if seconds else LATEST)
    payload = everything()
    key = b"%012x%s" % (time_ns() // 1_000_000, os.urandom(10).hex().encode())
    where = os.fsencode(os.getcwd())
    facts = {b"ask": b"deliver", b"client": word(client), b"event": word(event), b"directory": escaped(where)}
    facts[b"payload"] = b2a_base64(payload, newline=False)
    request = b",".join(b'"%s":"%s"' % fact for fact in facts.items())
    call = b'{"key":"%s","seconds":%.3f,"request":{%s}}' % (key, end - monotonic(), request)
    os.makedirs(home, 0o700, exist_ok=True)
    os.chdir(home)
    reply = answered(call, end, event in ANSWERS)
    if reply is None:
        spooled(key, call)
    elif text := text_of(reply):
        text += b"\n"
        while text:
            text = text[os.write(1, text) :]


def own_home() -> str:
    """A copy in a store's `bin/` belongs to that store."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return os.environ.get("AFTERMIND_HOME") or folder


def everything() -> bytes:
    parts = []
    while part := os.read(0, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def word(text: str) -> bytes:
    return "".join(c for c in text if c.isalnum() or c in "-_").encode()


def escaped(text: bytes) -> bytes:
    """Inside a JSON string. A folder whose name is no text cannot be told, and is not."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return b""
    return b"".join(b"\\u%04x" % c if c < 32 or c in b'"\\' else bytes((c,)) for c in text)


def answered(call: bytes, end: float, waited_for: bool) -> bytes | None:
    """The reply's JSON; None when there was none in time. Starts a daemon where there is none."""
    started = False
    pause = 0.002
    while monotonic() < end:
        try:
            return asked(call, end)
        except OSError:
            if not started:
                started = True
                start()
            if not waited_for:
                return None
            sleep(pause)
            pause = min(pause * 1.5, 0.05)
    return None


def asked(call: bytes, end: float) -> bytes:
    connection, token = reached()
    try:
        connection.settimeout(min(WELCOMED, max(end - monotonic(), 0.01)))
        connection.sendall(token)
        message(connection)  # the welcome, which alone proves that somebody is there
        connection.settimeout(max(end - monotonic(), 0.01))
        connection.sendall(len(call).to_bytes(4, "big") + call)
        return message(connection)
    finally:
        connection.close()


def reached() -> tuple[socket, bytes]:
    """A connection, and the word that opens the door. The working directory is the store, so no path is too long."""
    import _socket

    try:
        connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        connection.settimeout(WELCOMED)
        connection.connect("run/socket")
        return connection, b""
    except (AttributeError, OSError):
        with open("run/address", "rb") as file:
            port, _, token = file.read().partition(b" ")
        connection = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
        connection.settimeout(WELCOMED)
        connection.connect(("127.0.0.1", int(port)))
        return connection, token


def message(connection: socket) -> bytes:
    size = int.from_bytes(exactly(connection, 4), "big")
    if size > LARGEST:
        raise Lost
    return exactly(connection, size)


def exactly(connection: socket, size: int) -> bytes:
    parts = []
    while size:
        part = connection.recv(min(size, 1 << 20))
        if not part:
            raise Lost
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def text_of(reply: bytes) -> bytes:
    """What the reply says to the client. Most say nothing; `json` would take longer to load than all else here."""
    begins = b'{"reply":"answered","answer":{"text":"'
    if not reply.startswith(begins):
        return b""
    text = reply[len(begins) :].decode()
    try:
        from _json import scanstring
    except ImportError:
        from json.decoder import scanstring  # type: ignore[attr-defined,no-redef]
    return str(scanstring(text, 0, False)[0]).encode("utf-8", "replace")


def spooled(key: bytes, call: bytes) -> None:
    """The request, kept as it is until somebody drains it; a briefing nobody waits for any more is not one."""
    if b'"event":"prompt"' in call or b'"event":"start"' in call:
        return
    os.makedirs("spool", 0o700, exist_ok=True)
    half, whole = (b"spool/" + key + end for end in (b".part", b".json"))
    file = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        rest = call
        while rest:
            rest = rest[os.write(file, rest) :]
        os.fsync(file)
    finally:
        os.close(file)
    os.replace(half, whole)
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open("spool", os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def start() -> None:
    """A daemon, detached. That there will be only one is its own concern."""
    os.makedirs("logs", 0o700, exist_ok=True)
    command = [sys.executable, "-I", "-m", "aftermind.cli.daemon", os.getcwd()]
    if not hasattr(os, "posix_spawn"):
        import subprocess

        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return
    files = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, "logs/daemon.out", os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    os.posix_spawn(sys.executable, command, os.environ, file_actions=files, setsid=True)


if __name__ == "__main__":
    try:
        main()
    except BaseException:  # a hook fails open, whatever it was
        pass
    os._exit(0)
