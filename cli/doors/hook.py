"""A client's hook: hands its standard input to the store's daemon and prints what comes back.

    python -I -S hook.py [--home FOLDER] CLIENT EVENT [SECONDS] [PAYLOAD]

One client hands its payload over as the last word, a JSON object.

Standard library only, and little of that: it is started at every prompt, and must not be felt. It understands
nothing of what it forwards. Whatever goes wrong, it says nothing and ends with 0: the assistant's turn goes on. What
was said is not lost then: where no daemon answers in time it goes into the store's spool, and a daemon is started.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` itself loads much more
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
WIRE = 1
"""The form of what is said here, as `wire.py` counts them."""
CHECK = "check"
"""Tells whether a daemon answers. Nothing of it is ever kept."""
GATE = "gate"
"""Asks whether a tool may be used. Nothing of it is ever kept, and where no daemon is, none is waited for: it may."""
ANSWERS = ("start", "prompt", "compact", CHECK, GATE)
"""Events whose answer is waited for, most of them while a daemon starts; the others are told and not waited for."""
MARGIN = 0.05
"""Seconds by which an answer has to be there earlier, so that what is told of as shown is shown."""
LARGEST = 64 * 1024 * 1024
AT_ONCE = 64 * 1024
"""Bytes that any socket holds for who has not looked yet: so much is said without waiting for the welcome."""
FORM_AND_OTHERS, PLAIN_FILE = 0o170077, 0o100000
"""The bits of a mode that say what it is and what others may do; those of a file nobody else may open."""
PLAIN = b"-./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"
"""What stands for itself in a URL."""
REFUSALS = (b"Unusable", b"NotUnderstood", b"ExchangeDiffers")
"""Errors that say of what was asked that it can never be done. After any other it is kept for later."""
ANSWERED, FAILED = b'{"reply":"answered",', b'{"reply":"failed","error":"'


class Lost(OSError):
    """Nobody answers."""


def main() -> None:
    began = monotonic()
    words = sys.argv[1:]
    home = words[1] if words[:1] == ["--home"] else own_home()
    client, event, *more = words[2:] if words[:1] == ["--home"] else words
    end = began + patience(more)
    alarm(end - monotonic())
    payload = os.fsencode(more[-1]) if more and more[-1].startswith("{") else everything()
    alarm(0)
    key = b"%012x%s" % (time_ns() // 1_000_000, os.urandom(10).hex().encode())
    facts = {b"ask": b"deliver", b"client": word(client), b"event": word(event), b"directory": escaped(place())}
    facts[b"payload"] = b2a_base64(payload, newline=False)
    request = b",".join(b'"%s":"%s"' % fact for fact in facts.items())
    enter(home)
    waited_for = event in ANSWERS
    reply = answered(key, request, end, waited_for and event != GATE)
    if is_to_be_kept(reply) and event not in (CHECK, GATE):
        spooled(key, call(key, request, end))
        if reply is None and not waited_for:
            start()
    elif waited_for and reply and (text := text_of(reply)):
        alarm(WELCOMED)
        text += b"\n"
        while text:
            text = text[os.write(1, text) :]


def patience(seconds: list[str]) -> float:
    try:
        found = float(seconds[0])
    except (IndexError, ValueError):
        return LATEST
    return found if 0 < found < 3600 else LATEST


def call(key: bytes, request: bytes, end: float) -> bytes:
    left = max(end - monotonic() - MARGIN, 0)
    return b'{"key":"%s","wire":%d,"seconds":%.3f,"request":{%s}}' % (key, WIRE, left, request)


def alarm(seconds: float) -> None:
    """Whatever is waited for then is lost: input that never ends, an answer that comes drop by drop. 0 is never."""
    if hasattr(_signal, "setitimer"):
        _signal.signal(_signal.SIGALRM, late)
        _signal.setitimer(_signal.ITIMER_REAL, seconds and max(seconds, 0.001))


def late(number: int, frame: object) -> None:
    raise Lost


def own_home() -> str:
    """A copy in a store's `bin/` belongs to that store."""
    if named := os.environ.get("AFTERMIND_HOME"):
        if named.startswith("$"):  # as in an editor's configuration; commands refuse it, too
            raise Lost(2, f"no shell has read the variable in {named}")
        return named
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if not os.path.exists(os.path.join(folder, "lock")):
        raise Lost
    return folder


def enter(home: str) -> None:
    """The store is the working directory from now on. Nothing is left in a folder of another user, or of other things:
    whoever comes after would take it for a store."""
    home = os.path.expanduser(home)
    os.makedirs(home, 0o700, exist_ok=True)
    os.chdir(home)
    if hasattr(os, "geteuid") and os.stat(".").st_uid != os.geteuid():
        raise Lost
    there = os.listdir(".")
    if not there:
        os.makedirs("spool", 0o700, exist_ok=True)
    elif not {"lock", "log.db", "spool"} & set(there) and not os.path.exists("bin/hook.py"):
        raise Lost


def is_to_be_kept(reply: bytes | None) -> bool:
    """Whether what was asked was neither done nor refused; who drains it judges anew."""
    if reply is None or not reply.startswith((ANSWERED, FAILED)):
        return True
    return reply.startswith(FAILED) and reply[len(FAILED) :].split(b'"', 1)[0] not in REFUSALS


def place() -> bytes:
    """Where the client works, which may have been removed meanwhile."""
    try:
        return os.fsencode(os.getcwd())
    except OSError:
        pass
    try:
        return os.fsencode(os.readlink("/proc/self/cwd")).removesuffix(b" (deleted)")
    except OSError:
        return b""


def everything() -> bytes:
    parts = []
    while part := os.read(0, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def word(text: str) -> bytes:
    return "".join(c for c in text if c.isalnum() or c in "-_").encode()


def escaped(text: bytes) -> bytes:
    """Inside a JSON string. A folder whose name is no text is told as a URL."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return b"file://" + b"".join(bytes((c,)) if c in PLAIN else b"%%%02X" % c for c in text)
    return b"".join(b"\\u%04x" % c if c < 32 or c in b'"\\' else bytes((c,)) for c in text)


def answered(key: bytes, request: bytes, end: float, waited_for: bool) -> bytes | None:
    """The reply's JSON; None when there was none in time. Where no daemon is, one is started for what is waited for."""
    child: int | None = None
    pause = 0.002
    while monotonic() < end:
        try:
            alarm(end - monotonic())
            reply = asked(key, request, end)
            alarm(0)
            return reply
        except (OSError, ValueError, OverflowError):
            alarm(0)
            if not waited_for or monotonic() >= end:
                return None
            try:
                child = start() if child is None else child
            except OSError:  # then it waits in the spool all the same
                return None
            if child and failed(child):
                return None
            sleep(pause)
            pause = min(pause * 1.5, 0.05)
    return None


def failed(child: int) -> bool:
    """Whether a daemon could not start; the package may be gone."""
    try:
        return os.waitpid(child, os.WNOHANG)[1] != 0
    except OSError:  # it ended well: there is another one
        return False


def asked(key: bytes, request: bytes, end: float) -> bytes:
    connection, token = reached()
    try:
        frame = call(key, request, end)
        frame = len(frame).to_bytes(4, "big") + frame
        is_short = len(frame) <= AT_ONCE
        connection.settimeout(min(WELCOMED, max(end - monotonic(), 0.01)))
        connection.sendall(token + frame if is_short else token)
        message(connection)  # the welcome, which alone proves that somebody is there
        connection.settimeout(max(end - monotonic(), 0.01))
        if not is_short:
            connection.sendall(frame)
        return message(connection)
    finally:
        connection.close()


def reached() -> tuple[socket, bytes]:
    """A connection, and the word that opens the door. The working directory is the store, so no path is too long.
    Where there is a socket, no port is tried: whoever took the port would be told the word."""
    import _socket

    if hasattr(_socket, "AF_UNIX"):
        try:
            return connected(_socket.AF_UNIX, "run/socket"), b""
        except FileNotFoundError:
            pass
    port, _, token = address().partition(b" ")
    return connected(_socket.AF_INET, ("127.0.0.1", int(port))), token


def connected(family: int, where: str | tuple[str, int]) -> socket:
    """Closed where nobody listens, or somebody else: a window's pipe looks for a daemon for months."""
    import _socket

    connection = _socket.socket(family, _socket.SOCK_STREAM)
    try:
        connection.settimeout(WELCOMED)
        connection.connect(where)
        if family != _socket.AF_INET and not is_ours(connection):
            raise Lost
    except BaseException:
        connection.close()
        raise
    return connection


def is_ours(connection: socket) -> bool:
    """Whether this user listens there. The kernel tells; where it does not, the folder's rights have to do."""
    import _socket

    if hasattr(_socket, "SO_PEERCRED"):
        found = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)[4:8]
    elif sys.platform == "darwin":
        found = connection.getsockopt(0, 1, 76)[4:8]  # LOCAL_PEERCRED: version, uid, …
    else:
        return True
    return int.from_bytes(found, sys.byteorder) == os.geteuid()


def address() -> bytes:
    """Port and token, as a file of ours tells them that nobody else can read."""
    file = os.open("run/address", os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        facts = os.fstat(file)
        if hasattr(os, "geteuid") and (facts.st_mode & FORM_AND_OTHERS != PLAIN_FILE or facts.st_uid != os.geteuid()):
            raise Lost
        return os.read(file, 1000)
    finally:
        os.close(file)


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


def spooled(key: bytes, whole: bytes) -> None:
    """The request, kept as it is until somebody drains it."""
    os.makedirs("spool", 0o700, exist_ok=True)
    half, file = b"spool/" + key + b".part", b"spool/" + key + b".json"
    written(half, whole)
    try:
        os.replace(half, file)
    except FileNotFoundError:  # who forgets something took it for one that was left; what waits is not touched
        written(half, whole)
        os.replace(half, file)
    if hasattr(os, "O_DIRECTORY"):
        for name in ("spool", "."):  # where the spool is new, its own name has to last as well
            folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def written(half: bytes, whole: bytes) -> None:
    file = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        try:
            while whole:
                whole = whole[os.write(file, whole) :]
            os.fsync(file)
        finally:
            os.close(file)
    except OSError:
        os.unlink(half)
        raise


def start() -> int:
    """A daemon, detached; its process, 0 where that is not watched. That there will be only one is its own concern."""
    os.makedirs("logs", 0o700, exist_ok=True)
    command = [sys.executable, "-I", "-m", "aftermind.cli.daemon", os.getcwd()]
    if not hasattr(os, "posix_spawn"):
        import subprocess

        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return 0
    files = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, "logs/daemon.out", os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    for name in os.listdir("/dev/fd"):  # the client's own files are none of the daemon's
        try:
            os.set_inheritable(int(name), int(name) <= 2)
        except OSError:  # the one that listed them
            continue
    return os.posix_spawn(sys.executable, command, os.environ, file_actions=files, setsid=True)


if __name__ == "__main__":
    try:
        main()
    except BaseException:  # a hook fails open, whatever it was
        pass
    os._exit(0)
