"""An assistant's MCP server: moves messages between its stdio and a session inside the store's daemon.

    python -I -S pipe.py [--home FOLDER] [--client NAME] [--tools GROUP]

Standard library only, and little of that: every window of an assistant keeps one. It understands of a message no more
than which request it is. Each request gets a key when it comes in; when the daemon goes away (stopped, killed, replaced
by a newer one), the pipe opens the session again with the next one, sends what was not answered under the same keys,
so that nothing is done twice, and the assistant notices nothing. Where no daemon can be had, every request is answered
with an error that says why. Ends with 0 when its input does, after what was asked is answered.

What it has in common with the hook, it has from the hook's file, which lies beside it.
"""

from __future__ import annotations

import os
import sys
from select import POLLERR, POLLHUP, POLLIN, POLLNVAL, POLLOUT, poll
from time import monotonic, sleep, time_ns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket

    from aftermind.cli.doors import hook
else:
    sys.dont_write_bytecode = True  # its folder is the store's
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))
    import hook

PATIENCE = 25.0
"""Seconds for a daemon, below the thirty that clients wait for a server. One that cannot start says so at once."""
RESPITE = 0.5
"""Seconds before another daemon is started, where one was not needed or was killed."""
WELCOMED = 3.0
DOUBTED = 10.0
"""Seconds without a word after which a daemon that owes an answer has to show that it lives."""
AT_THE_END = 30.0
"""Seconds for what is still to be answered when there is no more input."""
MOST = 4
"""Times one request is sent; it may be what daemons die of."""
LARGEST = 64 * 1024 * 1024
"""Bytes of a message, and of what is held back for a client that does not read."""
PIECE, WRITTEN = 1 << 16, 4096
"""Bytes read at once; bytes a pipe takes without making anybody wait, once it takes any."""
FACTS = (
    b"CLAUDE_PROJECT_DIR",
    b"CLAUDE_CODE_SESSION_ID",
    b"CURSOR_PROJECT_DIR",
    b"WORKSPACE_FOLDER_PATHS",
    b"OPENCODE",
    b"GEMINI_CLI",
)
"""Of the environment: where the client works, in which session, and which one it is."""
NOBODY = b"0" * 32
"""The key of a message that answers nothing."""
UNREADABLE, NO_REQUEST, UNANSWERED = -32700, -32600, -32000


class Waiting:
    """A request without an answer."""

    def __init__(self, id: object, line: bytes) -> None:
        self.id, self.line, self.sent = id, line, 0


class Pipe:
    def __init__(self, home: str, client: str, tools: str) -> None:
        self.key, self.request = new_key(), converse(client, tools)
        self.socket: socket | None = None
        self.waiting: dict[bytes, Waiting] = {}
        self.opening: dict[str, tuple[bytes, bytes]] = {}
        """What a session of the 2025 protocol begins with, to be said to the next daemon too."""
        self.heard = 0.0
        self.input: list[bytes] = []
        self.read, self.too_long = 0, False
        self.from_daemon = bytearray()
        self.to_daemon = bytearray()
        self.to_client = bytearray()
        self.ends = 0.0
        self.home, self.unusable = home or "FOLDER", ""
        try:
            self.home = home = home or hook.own_home()
            hook.enter(home)
        except OSError as error:
            self.unusable = f"{home or 'no folder'} can be the store: {error.strerror or 'it holds other things'}"

    def run(self) -> None:
        """Until there is no more input and everything is answered, or nobody reads the answers."""
        while not self.ends or ((self.waiting or self.to_client) and monotonic() < self.ends):
            watched = poll()
            watched.register(1, POLLOUT if self.to_client else 0)
            if not self.ends and len(self.to_daemon) < LARGEST:
                watched.register(0, POLLIN)
            if self.socket is not None:
                wanted = POLLIN if len(self.to_client) < LARGEST else 0
                watched.register(self.socket, wanted | (POLLOUT if self.to_daemon else 0))
            ready = dict(watched.poll(1000 if self.waiting or self.ends else None))
            if ready.get(1, 0) & (POLLERR | POLLHUP | POLLNVAL):
                return
            if ready.get(1, 0) & POLLOUT:
                del self.to_client[: os.write(1, self.to_client[:WRITTEN])]
            if self.socket is not None and (event := ready.get(self.socket.fileno(), 0)):
                self.move(event)
            if ready.get(0, 0) & (POLLIN | POLLHUP | POLLERR | POLLNVAL):
                self.listen()
            if self.waiting and self.socket is not None and monotonic() - self.heard > DOUBTED:
                self.doubt()
            if self.waiting and self.socket is None:
                self.reach()

    # --- the client's side ------------------------------------------------------------------------------------

    def listen(self) -> None:
        try:
            piece = os.read(0, PIECE)
        except OSError:
            piece = b""
        if not piece:
            self.ends = monotonic() + AT_THE_END
            piece = b"\n" if self.input else b""  # the last line may lack its end
        *whole, rest = piece.split(b"\n")
        for part in whole:
            self.take(part)
            line, self.input, self.read = b"".join(self.input).strip(b" \t\r\xef\xbb\xbf"), [], 0
            if self.too_long:
                self.too_long = False
                self.complain(None, NO_REQUEST, f"a message has more than {LARGEST:,} bytes")
            elif line:
                self.said(line)
        self.take(rest)

    def take(self, part: bytes) -> None:
        self.read += len(part)
        if self.read > LARGEST:
            self.too_long, self.input = True, []
        elif part:
            self.input.append(part)

    def said(self, line: bytes) -> None:
        try:
            message = parsed(line)
        except (ValueError, RecursionError) as error:
            return self.complain(None, UNREADABLE, f"this is not JSON: {error}")
        if not isinstance(message, dict):
            return self.complain(None, NO_REQUEST, "a message is one JSON object")
        method, id = message.get("method"), message.get("id")
        if id is not None and (isinstance(id, bool) or not isinstance(id, int | str)):
            told = id if isinstance(id, float) and id - id == 0 else None
            return self.complain(told, NO_REQUEST, "an id is a whole number or a text")
        key = new_key()
        if method == "notifications/cancelled":
            self.cancelled(message.get("params"))
        if method in ("initialize", "notifications/initialized"):
            self.opening[method] = key, line
        if isinstance(method, str) and id is not None:
            if not self.waiting:
                self.heard = monotonic()
            self.waiting[key] = Waiting(id, line)
        if self.socket is not None:
            self.send(key, line)
        return None

    def cancelled(self, params: object) -> None:
        """Nobody waits for its answer any more, and it is not sent again."""
        id = params.get("requestId") if isinstance(params, dict) else None
        for key in [key for key, one in self.waiting.items() if one.id == id]:
            del self.waiting[key]

    def complain(self, id: object, code: int, why: str) -> None:
        from json import dumps

        error = {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": f"aftermind: {why}"}}
        self.to_client += dumps(error).encode() + b"\n"

    # --- the daemon's side ------------------------------------------------------------------------------------

    def send(self, key: bytes, line: bytes) -> None:
        if key in self.waiting:
            self.waiting[key].sent += 1
        self.to_daemon += (len(key) + len(line)).to_bytes(4, "big") + key + line

    def move(self, event: int) -> None:
        """What can be sent is sent, and what came is passed on, whole messages only."""
        assert self.socket is not None
        try:
            if event & POLLOUT:
                del self.to_daemon[: self.socket.send(self.to_daemon[:PIECE])]
            if event & ~POLLOUT:
                piece = self.socket.recv(PIECE)
                if not piece:
                    raise hook.Lost
                self.heard = monotonic()
                self.from_daemon += piece
                self.pass_on()
        except BlockingIOError:
            return
        except OSError:
            self.lose()

    def pass_on(self) -> None:
        begin, end = 0, len(self.from_daemon)
        while end - begin >= 4:
            size = int.from_bytes(self.from_daemon[begin : begin + 4], "big")
            if end - begin - 4 < size:
                break
            key = bytes(self.from_daemon[begin + 4 : begin + 4 + len(NOBODY)])
            line = self.from_daemon[begin + 4 + len(NOBODY) : begin + 4 + size]
            begin += 4 + size
            if key != NOBODY and self.waiting.pop(key, None) is None:
                continue  # the client has had this answer, or does not wait for it any more
            self.to_client += line + b"\n"
        del self.from_daemon[:begin]

    def lose(self) -> None:
        """Who is not owed anything does not call for another daemon: one that was told to stop stays stopped."""
        if self.socket is not None:
            self.socket.close()
        self.socket = None
        self.from_daemon.clear()
        self.to_daemon.clear()

    def reach(self) -> None:
        """A session with whoever holds the store, in which everything that waits is asked; or everybody is told why
        not."""
        for key in [key for key, one in self.waiting.items() if one.sent >= MOST]:
            self.complain(self.waiting.pop(key).id, UNANSWERED, f"{MOST} daemons ended while they answered this")
        if not self.waiting:
            return
        try:
            if self.unusable:
                raise hook.Lost(self.unusable)
            self.connect(monotonic() + PATIENCE)
        except OSError as error:
            from shlex import quote

            why = f"no daemon answers ({error}); `aftermind doctor --home {quote(self.home)}` tells what to do"
            print(f"aftermind: {why}", file=sys.stderr, flush=True)
            for one in self.waiting.values():
                self.complain(one.id, UNANSWERED, why)
            self.waiting.clear()
            return
        self.heard = monotonic()
        for key, line in self.opening.values():
            self.send(key, line)
        opened = {key for key, _ in self.opening.values()}
        for key, one in self.waiting.items():
            if key not in opened:
                self.send(key, one.line)

    def connect(self, end: float) -> None:
        """OSError with the reason when there is nobody."""
        reap()
        child, pause = 0, 0.002
        while True:
            try:
                self.socket = conversing(self.key, self.request, end)
                return
            except (OSError, ValueError, OverflowError) as error:
                why = str(error)  # the error itself would keep itself, and all it came through
            if monotonic() >= end:
                raise hook.Lost(why or "nobody came in time")
            if not child:
                child = hook.start() or -1
            elif child > 0 and (fate := ended(child)) is not None:
                if fate > 0:
                    raise hook.Lost(last_words())
                child, pause = 0, RESPITE  # it was killed, or found another at work, who may have been about to go
            sleep(pause)
            pause = min(pause * 1.5, 0.05) if child else pause

    def doubt(self) -> None:
        """A daemon that hangs lets a connection wait, too; the one that is started then takes its place."""
        self.heard = monotonic()
        try:
            welcomed(WELCOMED).close()
        except (OSError, ValueError, OverflowError):
            self.lose()


def new_key() -> bytes:
    """Begins with its time, so that what is written together stands together."""
    return b"%012x%s" % (time_ns() // 1_000_000, os.urandom(10).hex().encode())


def converse(client: str, tools: str = "") -> bytes:
    """What makes a session of a connection."""
    facts = {b"ask": b"converse", b"client": hook.word(client), b"directory": hook.escaped(hook.place())}
    facts |= {b"tools": hook.word(tools)} if tools else {}
    request = b",".join(b'"%s":"%s"' % fact for fact in facts.items())
    said = ((name, os.environ.get(name.decode(), "")) for name in FACTS)
    known = b",".join(b'"%s":"%s"' % (name, hook.escaped(os.fsencode(value))) for name, value in said if value)
    return b'%s,"environment":{%s}' % (request, known)


def welcomed(seconds: float) -> socket:
    connection, token = hook.reached()
    try:
        connection.settimeout(seconds)
        connection.sendall(token)
        hook.message(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def conversing(key: bytes, request: bytes, end: float) -> socket:
    """A connection that is a session from now on."""
    left = max(end - monotonic(), 0.1)
    connection = welcomed(min(WELCOMED, left))
    try:
        frame = hook.call(key, request, end)
        connection.settimeout(left)
        connection.sendall(len(frame).to_bytes(4, "big") + frame)
        reply = hook.message(connection)
        if not reply.startswith(hook.ANSWERED):
            raise hook.Lost(what(reply))
        connection.setblocking(False)
    except BaseException:
        connection.close()
        raise
    return connection


def what(reply: bytes) -> str:
    """What a refusal says."""
    said = parsed(reply)
    return str(said.get("what")) if isinstance(said, dict) else "it was refused"


def ended(child: int) -> int | None:
    """How a daemon that was started here ended, below 0 by a signal; None while it runs."""
    try:
        found, status = os.waitpid(child, os.WNOHANG)
    except OSError:
        return 0
    return os.waitstatus_to_exitcode(status) if found else None


def reap() -> None:
    """Daemons of an earlier time, which ended since."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except OSError:  # there are none
        return


def last_words() -> str:
    """What a daemon said that could not start."""
    try:
        with open("logs/daemon.out", "rb") as file:
            lines = file.read(4000).decode(errors="replace").strip().splitlines()
    except OSError:
        lines = []
    return "; ".join(lines[-2:])[:500] or "it cannot be started"


def parsed(line: bytes) -> object:
    """What a message says, whatever it is. ValueError or RecursionError for what is no JSON."""
    try:
        from _json import make_scanner

        text = line.decode()
        found, end = make_scanner(_Plain)(text, 0)  # type: ignore[arg-type]  # any object with these words
        if end == len(text):
            return found
    except (ImportError, StopIteration, SystemError, ValueError):  # what is wrong with it is said by who can
        pass
    from json import loads

    return loads(line)


class _Plain:
    """How `_json` reads: as `json` would, which takes longer to load than all else here."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float, parse_int = float, int
    parse_constant = float


def main() -> None:
    for number in (0, 1, 2):  # what the client left closed must not become the connection's
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    words = dict(zip(sys.argv[1::2], sys.argv[2::2], strict=False))
    Pipe(words.get("--home", ""), words.get("--client", ""), words.get("--tools", "")).run()


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, ConnectionResetError, KeyboardInterrupt):  # nobody reads on
        pass
    os._exit(0)
