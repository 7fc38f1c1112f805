"""A forge on loopback: it says what it is told to say, and notes what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec import Struct, field

ISSUE = {
    "number": 12,
    "title": "Prices are rounded twice",
    "state": "closed",
    "state_reason": "completed",
    "html_url": "https://git.example.org/acme/shop/issues/12",
    "labels": [{"id": 1, "name": "bug", "color": "d73a4a"}, {"id": 2, "name": "billing"}],
    "user": {"login": "ada", "id": 1},
    "body": "Not kept.",
}
PULL = ISSUE | {"number": 13, "title": "Round once", "pull_request": {"merged_at": "2026-05-01T10:00:00Z"}}
MERGE_REQUEST = {
    "id": 900,
    "iid": 4,
    "project_id": 3,
    "title": "Round once",
    "description": "Not kept.",
    "state": "opened",
    "labels": ["billing"],
    "web_url": "https://git.example.org/acme/shop/-/merge_requests/4",
}
"""As the public documentation of GitHub's and GitLab's REST interfaces shows them, in words of our own."""


class Reply(Struct, kw_only=True):
    status: int = 200
    headers: dict[str, str] = {}
    body: bytes = b""
    hangs: bool = False


def says(told: Mapping[str, Any], **headers: str) -> Reply:
    body = json.dumps(told).encode()
    return Reply(headers={"Content-Type": "application/json", **headers}, body=body)


class Forge(Struct, kw_only=True):
    """`replies` by path; what is not among them is 404. `asked`: each path, and the headers it came with."""

    port: int = 0
    replies: dict[str, Reply] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]


@contextmanager
def forge() -> Iterator[Forge]:
    told = Forge()

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            reply = told.replies.get(self.path, Reply(status=404))
            if reply.hangs:
                told.over.wait(30)
                return
            self.send_response(reply.status)
            for name, value in {**reply.headers, "Content-Length": str(len(reply.body))}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    told.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        told.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
