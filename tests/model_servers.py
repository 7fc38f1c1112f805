"""Model servers on loopback that answer what a test says, in the form of OpenAI's protocol and in Ollama's, and every
way they can go wrong. In a thread of their own; what they were asked is kept.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Say(NamedTuple):
    """An answer. `usage` is None where the server does not count."""

    text: str | None
    usage: tuple[int, int] | None = (900, 60)
    refusal: str | None = None


class Refuse(NamedTuple):
    """A status that is no 200."""

    status: int
    message: str = "no"
    headers: tuple[tuple[str, str], ...] = ()
    code: str = ""
    kind: str = "error"


class Raw(NamedTuple):
    """A body that is no answer at all. With `cut` the connection ends before the promised length."""

    body: bytes
    kind: str = "application/json"
    cut: bool = False


class Hang(NamedTuple):
    """Nothing, until the test is over; with `trickle` a space now and then, so that it never falls silent."""

    trickle: bool = False


class Reset(NamedTuple):
    """The connection is torn down."""


Does = Say | Refuse | Raw | Hang | Reset
Script = Callable[[dict[str, Any]], Does]
"""What is done for the body of a request."""


class ModelServer:
    """`url` is its address without a path; `asked` are the bodies it was sent, `keys` the authorizations."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str] = []
        self.listed: dict[str, object] = {}
        """What it says it has, by path; of other paths it knows nothing."""
        self.over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _answering(self))
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def model_server(script: Script | Does) -> Iterator[ModelServer]:
    """One that follows the script, or does the same always."""
    server = ModelServer(script if callable(script) else lambda body: script)
    try:
        yield server
    finally:
        server.close()


def closed_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def question_in(body: dict[str, Any]) -> str:
    """The data a model was sent."""
    return str(body["messages"][-1]["content"])


def of_openai(said: Say, model: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": said.text, "refusal": said.refusal}
    answer: dict[str, Any] = {
        "id": "a", "object": "chat.completion", "created": 1, "model": model,
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
    }  # fmt: skip
    if said.usage is not None:
        read, wrote = said.usage
        answer["usage"] = {"prompt_tokens": read, "completion_tokens": wrote, "total_tokens": read + wrote}
    return answer


def of_ollama(said: Say, model: str) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "model": model, "created_at": "2026-01-01T00:00:00Z", "done": True, "done_reason": "stop",
        "message": {"role": "assistant", "content": said.text or ""},
    }  # fmt: skip
    if said.usage is not None:
        answer |= {"prompt_eval_count": said.usage[0], "eval_count": said.usage[1]}
    return answer


def _answering(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.asked.append(body)
            server.paths.append(self.path)
            server.keys.append(self.headers.get("Authorization", ""))
            with suppress(OSError):
                self._does(server.script(body), body)

        def do_GET(self) -> None:
            found = server.listed.get(self.path)
            self._send(404 if found is None else 200, json.dumps(found).encode())

        def _does(self, does: Does, body: dict[str, Any]) -> None:
            match does:
                case Say():
                    form = of_ollama if self.path.startswith("/api/") else of_openai
                    self._send(200, json.dumps(form(does, body["model"])).encode())
                case Refuse(status, message, headers, code, type_):
                    error: Any = {"message": message, "type": type_, "code": code or None}
                    if self.path.startswith("/api/"):
                        error = message
                    self._send(status, json.dumps({"error": error}).encode(), headers=headers)
                case Raw(content, kind, cut):
                    self._send(200, content, kind, promised=len(content) + 1000 if cut else None)
                case Hang(trickle):
                    self._hang(trickle)
                case Reset():
                    linger = struct.pack("ii", 1, 0)
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    self.close_connection = True
                    self.connection.close()

        def _send(
            self,
            status: int,
            content: bytes,
            kind: str = "application/json",
            *,
            headers: tuple[tuple[str, str], ...] = (),
            promised: int | None = None,
        ) -> None:
            self.send_response(status)
            for name, value in (*headers, ("Content-Type", kind), ("Content-Length", str(promised or len(content)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)
            if promised:
                self.close_connection = True

        def _hang(self, trickle: bool) -> None:
            if trickle:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "1000000")
                self.end_headers()
            while not server.over.wait(0.05):
                if trickle:
                    self.wfile.write(b" ")
                    self.wfile.flush()
            self.close_connection = True

        def log_message(self, *said: object) -> None:
            pass

    return Answering
