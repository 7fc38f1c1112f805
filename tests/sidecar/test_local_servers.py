"""Servers are found by asking this machine's ports: real sockets, also ones that are no model server."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import anyio
import anyio.to_thread
import pytest

from aftermind.sidecar.models import local_servers
from aftermind.sidecar.models.endpoint import endpoint_of
from aftermind.sidecar.models.local_servers import handed_on_to, server_at, servers
from tests.model_servers import closed_port
from tests.sidecar.test_offers import LLAMA_CPP, LM_STUDIO, OLLAMA, VLLM

pytestmark = pytest.mark.anyio


class Mute(BaseHTTPRequestHandler):
    """Takes no GET at all, and says so."""

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def listening(answers: dict[str, object]) -> Iterator[str]:
    """A server that answers those paths with JSON (bytes: as they are), all others with 404."""

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = answers.get(self.path)
            body = found if isinstance(found, bytes) else json.dumps(found).encode()
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with serving(Answering) as address:
        yield address


def failing(status: int) -> type[BaseHTTPRequestHandler]:
    class Failing(Mute):
        def do_GET(self) -> None:
            self.send_error(status)

    return Failing


@contextmanager
def serving(answering: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), answering)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def test_each_program_is_told_by_what_it_answers():
    with (
        listening({"/api/tags": OLLAMA, "/v1/models": {"data": [{"id": "qwen3:8b", "owned_by": "library"}]}}) as ollama,
        listening({"/api/v0/models": LM_STUDIO, "/v1/models": LM_STUDIO}) as studio,
        listening({"/api/tags": LLAMA_CPP, "/v1/models": LLAMA_CPP, "/props": {"model_path": "/m/x.gguf"}}) as llama,
        listening({"/v1/models": VLLM}) as vllm,
    ):
        found = await servers((ollama, studio, llama, vllm))
        assert [(server.program, server.address) for server in found] == [
            ("Ollama", ollama),
            ("LM Studio", f"{studio}/v1"),
            ("llama.cpp", f"{llama}/v1"),
            ("vLLM", f"{vllm}/v1"),
        ]
        assert [len(server.offers) for server in found] == [8, 3, 1, 1]
        assert await server_at(f"{vllm}/v1/") == found[-1]


async def test_an_ollama_that_has_no_model_yet_is_found_all_the_same():
    with listening({"/api/tags": {"models": []}}) as ollama:
        found = await server_at(ollama)
        assert found is not None
        assert (found.program, found.offers) == ("Ollama", ())


async def test_who_is_no_model_server_is_not_found():
    with (
        listening({"/": b"<html>hello</html>"}) as web,
        listening({"/v1/models": b"<html>hello</html>", "/api/tags": b'{"models": [{"na'}) as garbled,
        listening({"/v1/models": b"[" * 100_000, "/api/tags": 5, "/api/v0/models": {"data": "x"}}) as nested,
    ):
        assert await servers((web, garbled, nested)) == ()


async def test_nobody_is_asked_beyond_this_machine():
    for address in ("http://192.0.2.1:11434", "https://127.0.0.1:8000", "http://models.example/v1", "file:///etc"):
        assert await server_at(address) is None


async def test_who_never_answers_costs_the_time_that_is_given_and_no_more():
    with socket.create_server(("127.0.0.1", 0)) as silent, listening({"/v1/models": VLLM}) as vllm:
        with anyio.fail_after(10):
            found = await servers((f"http://127.0.0.1:{silent.getsockname()[1]}", vllm), seconds=0.5)
        assert [server.program for server in found] == ["vLLM"]


@pytest.mark.parametrize("protocol", ["HTTP/1.0", "HTTP/1.1"])
async def test_nobody_goes_on_reading_who_drips_once_nobody_waits_any_more(monkeypatch, protocol):
    gone, get = threading.Event(), local_servers._get

    class Dripping(Mute):
        protocol_version = protocol

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            with suppress(OSError):
                while not gone.wait(0.01):
                    self.wfile.write(b" ")

    def ended(*asked: object) -> object:
        try:
            return get(*asked)
        finally:
            gone.set()

    monkeypatch.setattr(local_servers, "_get", ended)
    with serving(Dripping) as server:
        assert await servers((server,), seconds=0.5) == ()
        try:
            assert await anyio.to_thread.run_sync(gone.wait, 10)
        finally:
            gone.set()


async def test_what_is_connected_when_nobody_waits_any_more_is_closed(monkeypatch):
    connect, gone, given_up, left = HTTPConnection.connect, threading.Event(), threading.Event(), []

    def late(self: HTTPConnection) -> None:
        given_up.wait(10)
        connect(self)
        left.append(self.sock)

    def ended(*asked: object) -> object:
        try:
            return get(*asked)
        finally:
            gone.set()

    get = local_servers._get
    monkeypatch.setattr(local_servers, "_CONNECTING", 0.2)
    monkeypatch.setattr(local_servers, "_get", ended)
    monkeypatch.setattr(HTTPConnection, "connect", late)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert await servers((f"http://127.0.0.1:{silent.getsockname()[1]}",), seconds=0.1) == ()
        given_up.set()
        assert await anyio.to_thread.run_sync(gone.wait, 10)
    assert [one.fileno() for one in left] == [-1]


@pytest.mark.parametrize("door", ["openai", "ollama_chat"])
async def test_an_ollama_is_asked_where_its_model_runs(door):
    models = [
        {"name": "mine:latest", "remote_host": "https://ollama.com:443"},
        {"name": "here:3b"},
        {"name": "other:7b", "remote_host": "http://models.example.com:8080/"},
    ]
    with listening({"/api/tags": {"models": models}}) as ollama, listening({"/v1/models": VLLM}) as vllm:
        address = f"{ollama}/v1" if door == "openai" else ollama

        async def host(name: str, address: str = address) -> str:
            return await handed_on_to(endpoint_of(f"{door}/{name}", address))

        assert await host("mine") == await host("MINE:latest") == "ollama.com"
        assert await host("other:7b") == "models.example.com:8080"
        assert [await host("here:3b"), await host("nobody"), await host("mine", f"{vllm}/v1")] == ["", "", ""]
        assert await host("mine", "https://models.example.com/v1") == "", "which is elsewhere by its address"


async def test_who_does_not_answer_has_not_said_that_a_model_runs_here(monkeypatch):
    monkeypatch.setattr(local_servers, "SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent_at, there = f"http://127.0.0.1:{silent.getsockname()[1]}", f"http://127.0.0.1:{closed_port()}"
        assert [await handed_on_to(endpoint_of("ollama_chat/mine", at)) for at in (silent_at, there)] == [None, None]
    with listening({"/api/tags": b"<html>hello</html>"}) as web, serving(Mute) as mute:
        assert [await handed_on_to(endpoint_of("openai/mine", f"{at}/v1")) for at in (web, mute)] == ["", ""]


@pytest.mark.parametrize(("status", "said"), [(404, ""), (500, ""), (502, None), (503, None), (504, None)])
async def test_who_fails_at_a_path_is_no_ollama_but_who_may_answer_later_has_said_nothing(status, said):
    with serving(failing(status)) as server:
        assert await handed_on_to(endpoint_of("openai/mine", f"{server}/v1")) == said
