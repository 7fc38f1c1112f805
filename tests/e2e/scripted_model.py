"""A model of our own on loopback, behind the interface OpenCode speaks to any OpenAI-compatible server with.

It does what the last message of the user tells it, in square brackets, and says the rest back:

    [call NAME {"key": "value"}]   uses the tool of that name, or that ends in it, once
    [fail]                         is refused with status 400
    [hold]                         is not answered until `release`
    [say TEXT]                     is answered with that text

Every request is kept; so is what anybody asks for that is not a model's business.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

_CALL = re.compile(r"\[call (\S+) (\{.*?\})\]", re.DOTALL)
_SAY = re.compile(r"\[say (.*?)\]", re.DOTALL)
MODEL = "scripted-1"
FENCE = "</aftermind-memory>"
"""What ends a briefing; what was said in other sessions is nothing it is told to do."""


class ScriptedModel:
    """One server, until its block ends. `requests` are the bodies it was sent, in their order."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.strays: list[str] = []
        self.held = threading.Event()
        """Set when a request is being held."""
        self.release = threading.Event()
        self._server = _Server(("127.0.0.1", 0), type("Bound", (_Conversation,), {"model": self}))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def serving(self) -> Iterator[ScriptedModel]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.release.set()
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    def turns(self) -> list[dict[str, Any]]:
        """The requests of conversations: those in which tools are offered."""
        return [one for one in self.requests if one.get("tools")]


def texts(request: dict[str, Any], role: str = "user") -> list[str]:
    """The texts of the messages of a role."""
    return [_text(message) for message in request["messages"] if message["role"] == role]


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content or [])


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: Any) -> None:
        """Who is told to stop hangs up."""


class _Conversation(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: ClassVar[ScriptedModel]

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        self.model.strays.append(self.path)
        self._send(404, b"{}")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers.get("content-length") or 0)))

    def _answer(self, raw: bytes) -> None:
        if not self.path.endswith("/chat/completions"):
            self.model.strays.append(self.path)
            self._send(404, b"{}")
            return
        body = json.loads(raw)
        self.model.requests.append(body)
        tools = [tool["function"]["name"] for tool in body.get("tools", [])]
        last = max((at for at, message in enumerate(body["messages"]) if message["role"] == "user"), default=0)
        told = _text(body["messages"][last]).rpartition(FENCE)[2]
        answers = sum(message["role"] == "tool" for message in body["messages"][last:])
        if not tools:
            self._stream([{"content": "A title"}], "stop")
            return
        if "[fail]" in told:
            self._send(400, b'{"error": {"message": "as it was told to", "type": "invalid_request_error"}}')
            return
        if "[hold]" in told:
            self.model.held.set()
            self.model.release.wait(60)
        calls = _CALL.findall(told)
        if answers < len(calls):
            name, arguments = calls[answers]
            found = next((tool for tool in tools if tool == name), None) or next(t for t in tools if t.endswith(name))
            function = {"name": found, "arguments": arguments}
            call = {"index": 0, "id": f"call_{last}_{answers}", "type": "function", "function": function}
            self._stream([{"role": "assistant", "tool_calls": [call]}], "tool_calls")
            return
        said = _SAY.search(told)
        self._stream([{"content": word} for word in re.split(r"(?<= )", said[1] if said else "Understood.")], "stop")

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, deltas: list[dict[str, Any]], finish: str) -> None:
        form = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": MODEL}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        choices = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
        for choice in [*choices, {"index": 0, "delta": {}, "finish_reason": finish}]:
            self._chunk({**form, "choices": [choice], **({"usage": usage} if choice["finish_reason"] else {})})
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def _chunk(self, body: dict[str, Any]) -> None:
        self.wfile.write(b"data: " + json.dumps(body).encode() + b"\n\n")
        self.wfile.flush()
