"""The open port: who is let in, what is told, and that a bad guest costs only itself."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import anyio
import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests import windows
from tests.daemons import command, none_left, wait_until
from tests.ports import Port, answer, opened_port

import aftermind
from aftermind.cli.doors.http import MOST
from aftermind.cli.web.guarding import LARGEST

JSON = "application/json"
INITIALIZE = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": windows.INITIALIZE}).encode()
SECRETIVE = "The launch code of the penguins"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Port]:
    with opened_port(tmp_path_factory.mktemp("http") / "store") as found:
        yield found


def test_no_authentication_on_the_local_server_a_page_whose_name_was_pointed_here_is_refused(port):
    for host in (
        "evil.example",
        f"evil.example:{port.number}",
        f"127.0.0.1:{port.number}.evil.example",
        "",
        "127.0.0.1",
    ):
        for path in ("/health", "/stats", "/mcp"):
            said = port.ask(path, Host=host) if host else port.ask(path, Host="x", host="y")
            assert said.status in (400, 421), (host, path)
    for name in ("localhost", "LOCALHOST", "127.0.0.1", "[::1]"):
        assert port.ask("/health", Host=f"{name}:{port.number}").status == 200


def test_no_authentication_on_the_local_server_a_page_of_another_site_is_refused_even_with_the_token(port):
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port.number}", "http://127.0.0.1:1"):
        assert port.ask("/stats", Origin=origin).status == 403
        assert port.ask("/mcp", "POST", b"{}", Origin=origin, Content_Type=JSON).status == 403
    assert port.ask("/stats", Sec_Fetch_Site="cross-site").status == 403
    assert port.ask("/stats", Origin=port.url, Sec_Fetch_Site="same-origin").status == 200
    asked = port.ask("/mcp", "OPTIONS", Origin="http://evil.example", Access_Control_Request_Method="POST")
    assert asked.status == 403
    assert not [name for name in asked.headers if name.startswith("access-control")]


def test_no_authentication_on_the_local_server_without_the_token_nothing_is_told(port):
    wrong = port.token[:-1] + ("0" if port.token[-1] != "0" else "1")
    for said in ("", "Bearer", "Bearer ", f"Bearer {wrong}", f"Basic {port.token}", port.token, "Bearer \xff"):
        for path in ("/stats", "/mcp", "/nothing"):
            refused = port.ask(path, known=False, Authorization=said)
            assert refused.status == 401, (said, path)
            assert refused.headers["www-authenticate"].startswith("Bearer")
            assert str(port.folder).encode() not in refused.body
    for path in (f"/stats?token={port.token}", "/metrics", "/openapi.json"):
        assert port.ask(path, known=False).status == 401
    for path, told in (("/health", {"status": "ok"}), ("/ready", {"status": "ready"})):
        assert port.ask(path, known=False).json == told


def test_no_authentication_on_the_local_server_a_form_and_a_post_without_a_body_are_refused(port):
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", ""):
        assert port.ask("/mcp", "POST", b'{"method": "x"}', Content_Type=kind).status == 415
        assert port.ask("/mcp", "POST", Content_Type=kind).status == 415
    assert port.ask("/mcp", "POST", Content_Type=JSON, Accept=f"{JSON}, text/event-stream").status == 400
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        for path in ("/health", "/stats", "/metrics"):
            refused = port.ask(path, method, Content_Type=JSON)
            assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD")


def test_a_body_of_a_gigabyte_is_refused_and_not_taken_in(port):
    before = memory_of(port)
    said = {"Content_Type": JSON, "Content_Length": str(1 << 30)}
    assert port.ask("/mcp", "POST", known=False, **said).status == 401
    assert port.ask("/mcp", "POST", **said).status == 413
    piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    head = f"POST /mcp HTTP/1.1\r\nHost: {port.host}:{port.number}\r\nAuthorization: Bearer {port.token}\r\n"
    with port.connection() as connection:  # one that does not say how much it will be
        connection.sendall(f"{head}Content-Type: {JSON}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        sent = 0
        try:
            while sent < 1 << 30:
                connection.sendall(piece)
                sent += 0x10000
        except OSError:
            pass
        assert LARGEST < sent < 128 << 20
    assert memory_of(port) - before < 64
    assert port.ask("/mcp", "POST", b"", Content_Type=JSON, Content_Length="-1").status == 400
    assert port.ask("/health").status == 200


def memory_of(port: Port) -> float:
    return port.ask("/stats").json["daemon"]["memory_mb"]


def test_where_somebody_says_he_comes_from_is_nothing_to_the_limit(tmp_path):
    """And who has no token uses up nobody's allowance but that of others without."""
    with opened_port(tmp_path / "store", "rate = 5\n") as port:
        statuses = [
            port.ask("/stats", X_Forwarded_For=f"10.0.0.{n}", Forwarded=f"for=10.0.0.{n}").status for n in range(40)
        ]
        assert 429 in statuses
        refused = next(found for _ in range(100) if (found := port.ask("/stats")).status == 429)
        assert int(refused.headers["retry-after"]) >= 1
        for n in range(60):
            port.ask("/stats", known=False, X_Real_IP=f"10.0.0.{n}")
        wait_until(lambda: port.ask("/stats").status == 200, "there is an allowance again")


def test_figures_are_numbers_and_no_texts_or_names(port, tmp_path):
    project = tmp_path / "acme-rockets"
    project.mkdir()

    async def told() -> None:
        async with aftermind.open_memory(port.folder) as memory:
            await memory.remember(SECRETIVE, project=project)

    anyio.run(told)
    wait_until(lambda: port.ask("/stats").json["store"]["collections"]["memory_bank"] == 1, "it is counted")
    said = port.ask("/metrics")
    assert said.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    text = said.body.decode()
    families = {family.name: family for family in text_string_to_metric_families(text)}
    assert families["aftermind_http_requests"].type == "counter"
    assert families["aftermind_http_request_seconds"].type == "histogram"
    assert {s.labels["collection"] for s in families["aftermind_memories"].samples} >= {"memory_bank", "books"}
    assert families["aftermind_resident_memory_bytes"].samples[0].value > 1e6
    for word in ("penguins", "acme-rockets", str(tmp_path), str(port.folder), port.token):
        assert word not in text
    here, elsewhere = (port.ask(f"/stats?project={where}").json["store"] for where in (project, tmp_path))
    assert (here["collections"]["memory_bank"], elsewhere["collections"]["memory_bank"]) == (1, 0)
    refused = port.ask("/stats?project=notes")  # a folder of the daemon's own is not meant
    assert (refused.status, refused.json["hint"]) == (400, "say the folder's whole path")


def test_what_was_refused_and_asked_is_in_the_log_without_a_text(port):
    port.ask("/stats?project=/secret/launch-code", Aftermind_Session="launch-code")
    port.ask("/launch-code")
    logged = (port.folder / "logs" / "daemon.log").read_text()
    assert '"event": "http"' in logged
    assert "launch-code" not in logged
    assert (
        (port.folder / "logs" / "daemon.out").read_text() == ""
        if (port.folder / "logs" / "daemon.out").exists()
        else True
    )


def test_connections_that_say_nothing_make_room_for_who_asks(port):
    silent = [port.connection() for _ in range(150)]
    try:
        assert port.ask("/health").status == 200
    finally:
        for connection in silent:
            connection.close()


def test_of_many_that_come_at_once_no_more_stay_than_there_may_be(port):
    many = [port.connection() for _ in range(2 * MOST + 40)]
    try:
        assert port.ask("/health").status == 200
        assert sum(map(_was_ended, many)) >= MOST + 40
    finally:
        for connection in many:
            connection.close()


def _was_ended(connection: socket.socket) -> bool:
    """Whether the other side has."""
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_strangers_that_say_they_will_send_something_keep_nobody_out(tmp_path):
    """What is waited for, and what is refused and read to its end, would have been every connection there is."""
    with opened_port(tmp_path / "store") as port, ExitStack() as began:
        for line in ("GET /health", "POST /mcp"):
            said = f"{line} HTTP/1.1\r\nHost: {port.host}:{port.number}\r\nContent-Length: 100\r\n\r\n".encode()
            for _ in range(MOST + 10):
                connection = began.enter_context(port.connection())
                with suppress(OSError):
                    connection.sendall(said)
        assert port.ask("/stats").status == 200


def test_where_a_body_ends_is_said_once_and_what_asks_for_something_has_none(port):
    asked = f"Host: {port.host}:{port.number}\r\nAuthorization: Bearer {port.token}\r\nContent-Type: {JSON}\r\n"
    for line, lengths in (
        ("POST /mcp", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n"),
        ("GET /stats", "Transfer-Encoding: chunked\r\n"),
        ("GET /stats", "Content-Length: 4\r\n"),
    ):
        with port.connection() as connection:
            second = f"GET /stats HTTP/1.1\r\n{asked}\r\n"
            connection.sendall(f"{line} HTTP/1.1\r\n{asked}{lengths}\r\n0\r\n\r\n{second}".encode())
            assert answer(connection).status == 400
            assert b"200 OK" not in connection.recv(10_000)  # it is closed, and the second one no request
    assert port.ask("/stats", Content_Length="0").status == 200


def test_half_a_request_and_noise_cost_their_own_connection(port):
    for said in (b"\x16\x03\x01\x02", b"GET /health HTTP/1.1\r\n" + b"x: " + b"y" * 100_000, b"GET  HTTP/9\r\n\r\n"):
        with port.connection() as connection:
            connection.sendall(said)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1000)
    with port.connection() as connection:  # two at once, on one connection
        line = f"GET /health HTTP/1.1\r\nHost: {port.host}:{port.number}\r\n\r\n".encode()
        connection.sendall(line)
        assert answer(connection).status == 200
        connection.sendall(line)
        assert answer(connection).status == 200


def test_a_new_token_locks_out_who_knows_the_old_one_and_a_file_others_can_read_everybody(port, cli, monkeypatch):
    monkeypatch.setenv("AFTERMIND_HOME", str(port.folder))
    old = port.token
    assert cli("http", "token").out.strip() == old
    new = cli("http", "token", "--new").out.strip()
    assert new != old
    assert (port.folder / "http.token").stat().st_mode & 0o777 == 0o600
    assert port.ask("/stats", known=False, Authorization=f"Bearer {old}").status == 401
    assert port.ask("/stats", known=False, Authorization=f"Bearer {new}").status == 200
    (port.folder / "http.token").chmod(0o644)
    assert port.ask("/stats").status == 401
    refused = cli("http", "token")
    assert refused.status == 5
    assert "http token --new" in refused.err
    assert cli("http", "token", "--new").status == 0
    assert port.ask("/stats").status == 200


def test_it_is_closed_unless_it_is_opened_and_closes_again(cli, place, store):
    assert "No port is open" in cli("http").out
    assert cli("http", "on", "--help").out.startswith("usage: aftermind http on [-h]")
    assert cli("start").status == 0
    assert cli("status", "--json").json["http"] == ""
    opened = cli("http", "on", "--port", "0", "--json").json
    address = opened["address"]
    assert address.startswith("http://127.0.0.1:")
    assert f"http      {address}" in cli("status").out
    asked = Port(store, "127.0.0.1", int(address.rpartition(":")[2]))
    assert asked.ask("/ready").status == 200
    assert tuple(asked.ask(path, "HEAD", Connection="close").status for path in ("/ready", "/mcp")) == (200, 405)
    assert cli("http", "off", "--json").json["address"] is None
    with pytest.raises(ConnectionRefusedError):
        asked.connection()
    elsewhere = cli("http", "on", "--host", "192.0.2.1", "--port", "0")  # nobody's: kept for documents
    assert (elsewhere.status, "--host 127.0.0.1" in elsewhere.err) == (6, True)
    with socket.create_server(("127.0.0.1", 0)) as theirs:  # what is told is of this port, not of that before
        number = theirs.getsockname()[1]
        taken = cli("http", "on", "--host", "127.0.0.1", "--port", str(number)).err
        assert (f"port {number} of 127.0.0.1" in taken, f"sport = :{number}" in taken) == (True, True)
    assert cli("stop").status == 0
    assert cli("http", "on", "--host", "0.0.0.0").status == 2  # not every address at once


def test_a_port_that_is_anothers_is_told_and_stops_nothing(cli, store):
    with socket.create_server(("127.0.0.1", 0)) as theirs:
        number = theirs.getsockname()[1]
        taken = cli("http", "on", "--port", str(number))
        assert (taken.status, f"port {number} of 127.0.0.1 cannot be had" in taken.err) == (6, True)
        assert f"closed: port {number}" in cli("status").out
        finding = next(one for one in cli("doctor", "--json").json["findings"] if one["looked_at"] == "http")
        assert (finding["level"], str(number) in finding["found"]) == ("warning", True)
        assert cli("remember", "Staging has two nodes").status == 0
    wait_until(lambda: cli("http", "--json").json["address"] is not None, "the port is tried again")
    assert cli("stop").status == 0


def test_a_port_is_that_of_the_store_it_was_opened_for(cli, place, store):
    """Two daemons of one configuration: the first to try would have it, with a token that nobody was told."""
    other = str(place / "other")
    with none_left(place / "other"):
        assert cli("start").status == 0
        assert cli("--home", other, "start").status == 0
        opened = cli("--home", other, "http", "on", "--port", "0", "--json").json
        number = int(opened["address"].rpartition(":")[2])
        assert Port(place / "other", "127.0.0.1", number).ask("/stats").status == 200
        assert cli("status", "--json").json["http"] == ""
        assert f"the port is that of the store in {other}" in cli("http").out
        finding = next(one for one in cli("doctor", "--json").json["findings"] if one["looked_at"] == "http")
        assert (finding["level"], other in finding["found"]) == ("ok", True)
        taken = cli("http", "on", "--port", "0", "--json").json
        number = int(taken["address"].rpartition(":")[2])
        assert Port(store, "127.0.0.1", number).ask("/stats").status == 200
        wait_until(lambda: cli("--home", other, "http", "--json").json["address"] is None, "it is left to this store")
        assert cli("--home", other, "stop").status == cli("stop").status == 0


def test_an_open_port_ends_with_its_daemon_and_nothing_is_left(tmp_path):
    """Process leaks: who listens to what the daemon may say, and never reads, does not keep it."""
    with opened_port(tmp_path / "store") as port:
        begun = port.ask("/mcp", "POST", INITIALIZE, Content_Type=JSON, Accept=f"{JSON}, text/event-stream")
        session = begun.headers["mcp-session-id"]
        said = f"Authorization: Bearer {port.token}\r\nMcp-Session-Id: {session}\r\nAccept: text/event-stream\r\n"
        with port.connection() as half, port.connection() as listening:
            half.sendall(b"POST /mcp HTTP/1.1\r\nHost: ")
            listening.sendall(f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port.number}\r\n{said}\r\n".encode())
            assert listening.makefile("rb").readline() == b"HTTP/1.1 200 OK\r\n"
            env = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", "AFTERMIND_HOME": str(port.folder)}
            program = [*command(port.folder)[:3], "aftermind", "stop"]
            assert subprocess.run(program, env=env, timeout=60, check=False).returncode == 0
        with pytest.raises(ConnectionRefusedError):
            port.connection()


def test_nothing_of_it_is_loaded_where_it_is_closed(tmp_path):
    """What every daemon loads at its start has no server of HTTP in it."""
    loads = "import sys, aftermind.cli.daemon, aftermind.cli.holding.listening"
    code = f"{loads}; print([name for name in sys.modules if 'uvicorn' in name or 'mcp' in name or 'h11' in name])"
    ran = subprocess.run([command(Path())[0], "-I", "-c", code], capture_output=True, check=True)
    assert ran.stdout.strip() == b"[]"
