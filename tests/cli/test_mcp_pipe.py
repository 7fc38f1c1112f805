"""The pipe: what a client notices of daemons that come and go, and of its own mistakes. Raw lines at real processes."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.daemons import holding, none_left, processes, wait_until
from tests.windows import INITIALIZE, LATE, clean, command, lines

from aftermind.cli.doors.mcp_server import MOST
from aftermind.cli.main import main


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A store whose daemon several tests may share: those that do not end it."""
    folder = tmp_path_factory.mktemp("pipes") / "store"
    with none_left(folder):
        yield folder


def told(store: Path, number: signal.Signals) -> None:
    """Signals the daemon; process 0 would be everybody here."""
    wait_until(lambda: holding(store), "the daemon has signed its lock")
    os.kill(holding(store), number)


def gone(store: Path) -> None:
    wait_until(lambda: not processes(store), "the daemon ended")


def texts(answer: Any) -> list[str]:
    return [memory["text"] for memory in json.loads(answer["content"][0]["text"])["memories"]]


def test_a_daemon_that_is_killed_or_stopped_is_replaced_and_nobody_notices(store, cli):
    with lines(store) as pipe:
        found = pipe.initialize()
        assert found["protocolVersion"] == "2025-11-25"
        assert found["serverInfo"]["name"] == "aftermind"
        for number, end in enumerate((signal.SIGKILL, signal.SIGTERM, None)):
            pipe.call(number, "add_to_memory_bank", text=f"fact number {number} about penguins")
            if end is None:
                assert cli("stop").status == 0
                assert processes(store) == [], "who was told to stop is not called back by an idle pipe"
            else:
                told(store, end)
            gone(store)
        found = pipe.call("last", "search_memory", query="penguins")
        assert sorted(texts(found)) == [f"fact number {number} about penguins" for number in range(3)]
        assert pipe.ended() == 0
        assert pipe.heard() is None, "the second answer to initialize is nobody's concern"


def test_what_was_asked_of_daemons_that_died_is_done_once(store):
    """Twenty calls are under way each time the daemon is killed; they are numbered, and recorded once each."""
    asked = []
    with lines(store) as pipe:
        pipe.initialize()
        for turn in range(3):
            numbers = range(turn * 20, turn * 20 + 20)
            for number in numbers:
                arguments = {"prompt": f"question {number}", "response": f"answer {number}"}
                params = {"name": "record_response", "arguments": arguments}
                pipe.say({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
            asked += numbers
            first = pipe.heard()
            told(store, signal.SIGKILL)
            answers = [first, *(pipe.heard() for _ in numbers[1:])]
            assert sorted(answer["id"] for answer in answers) == list(numbers)
            assert not any(answer["result"]["isError"] for answer in answers)
        found = json.loads(pipe.call("status", "memory_status")["content"][0]["text"])
        assert found["memories"]["working"] == len(asked)


WRONG = {
    "no JSON": (b"hello", -32700),
    "half of it": (b'{"jsonrpc":"2.0","id":1', -32700),
    "not UTF-8": (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', -32700),
    "deep": (b"[" * 100_000, -32700),
    "a batch": (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
    "a text": (b'"ping"', -32600),
    "no message": (b'{"colour":"red"}', -32600),
    "a strange id": (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
}


def test_what_is_no_message_is_answered_with_an_error_and_the_next_one_as_ever(shared):
    with lines(shared) as pipe:
        pipe.initialize()
        for name, (line, code) in WRONG.items():
            pipe.say(line)
            answer = pipe.heard()
            assert answer["error"]["code"] == code, name
        pipe.say(b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}')
        assert [pipe.heard()["id"] for _ in range(2)] == [1.5, None]
        pipe.say(b"", b"  \r", b'{"jsonrpc":"2.0","id":7,"method":"ping"}\r')
        assert pipe.heard() == {"jsonrpc": "2.0", "id": 7, "result": {}}
        broken = '"\\ud83d half of a smile"'
        pipe.say(
            b'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"add_to_memory_bank","arguments":'
            b'{"text":%s}}}' % broken.encode()
        )
        assert pipe.heard()["result"]["isError"] is False


def test_a_message_that_is_nested_too_deep_is_refused_and_no_daemon_ends_of_it(shared):
    with lines(shared) as pipe:
        pipe.initialize()
        for depth in (500, 990):
            deep = b"[" * depth + b"]" * depth
            pipe.say(
                b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"x","arguments":%s}}' % (depth, deep)
            )
            answer = pipe.heard()
            assert (answer["id"], answer["error"]["code"]) == (depth, -32600)
        assert pipe.ask("after", "ping") == {}
        for params in (b"NaN", b'[{"a":"]}"}]'):
            pipe.say(b'{"jsonrpc":"2.0","params":%s,"id":90,"method":"ping"}' % params)
            answer = pipe.heard()
            assert (answer["id"], answer["error"]["code"]) == (90, -32600)
        assert pipe.ended() == 0


def test_a_window_has_so_many_requests_under_way_and_no_more(shared):
    """None of them can be answered before the client told its roots."""
    with lines(shared) as pipe:
        pipe.ask("begin", "initialize", **{**INITIALIZE, "capabilities": {"roots": {}}})
        pipe.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        params = {"name": "memory_status", "arguments": {}}
        pipe.say(*({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params} for id in range(2 * MOST)))
        answers: list[Any] = []
        while len(answers) < 2 * MOST:
            answers += [one for one in [pipe.heard()] if "method" not in one]
        refused = {one["id"] for one in answers if "error" in one}
        assert refused
        assert min(refused) >= MOST
        assert {one["id"] for one in answers} == set(range(2 * MOST))
        assert pipe.ask("after", "ping") == {}


def test_roots_that_are_no_folders_are_as_none(shared):
    said = ["http://x", "vscode-remote://ssh/home", "file://[bad/", 5, None, f"file://{shared.parent}/deeper"]
    for uris, refined in ((said[:1], False), (said, False), ([*said[:2], *said[3:]], True)):
        with lines(shared) as pipe:
            pipe.ask("begin", "initialize", **{**INITIALIZE, "capabilities": {"roots": {}}})
            pipe.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
            params = {"name": "memory_status", "arguments": {}}
            pipe.say({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
            asked = pipe.heard()
            assert asked["method"] == "roots/list"
            result = {"roots": [{"uri": uri} for uri in uris]}
            pipe.say({"jsonrpc": "2.0", "id": asked["id"], "result": result})
            found = pipe.heard()["result"]
            assert found["isError"] is False
            assert ("deeper" in found["structuredContent"]["project"]) == refined


def test_messages_of_megabytes_pass_and_larger_ones_are_refused(shared):
    with lines(shared) as pipe:
        pipe.initialize()
        kept = pipe.call(1, "add_to_memory_bank", text="penguin " * 250_000)
        assert kept["isError"] is False
        assert len(json.dumps(pipe.call(2, "search_memory", query="penguin"))) < 10_000
        pipe.say(b'{"jsonrpc":"2.0","id":3,"method":"ping","params":{"x":"%s"}}' % (b"x" * (65 << 20)))
        assert "more than" in pipe.heard()["error"]["message"]
        assert pipe.ask(4, "ping") == {}


def test_a_client_that_goes_in_the_middle_leaves_nothing_behind(shared):
    with lines(shared) as pipe:
        pipe.initialize()
        pipe.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"pi')
        assert pipe.ended() == 0
    with lines(shared) as pipe:
        pipe.initialize()
        assert pipe.process.stdout is not None
        pipe.process.send_signal(signal.SIGTERM)
        assert pipe.process.wait(LATE) == -signal.SIGTERM


def test_who_does_not_read_the_answers_does_not_keep_the_pipe(shared):
    process = subprocess.Popen(
        command(shared), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean(shared)
    )
    with process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(LATE) == 0


def test_a_window_that_does_not_take_its_answers_does_not_hold_up_a_daemon_that_is_told_to_end(store):
    """One whose pipe was stopped, say. Of the two hundred answers more are left than a socket holds."""
    with lines(store) as pipe, socket.socket(socket.AF_UNIX) as window:
        pipe.initialize()
        window.connect("../store/run/socket")
        said = [b'{"key":"%032d","wire":1,"seconds":60,"request":{"ask":"converse"}}' % 0]
        begin = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": INITIALIZE}
        said += [b"%032d" % 0 + json.dumps(begin).encode()]
        said += [b'%032d{"jsonrpc":"2.0","id":%d,"method":"tools/list"}' % (id, id) for id in range(1, 201)]
        window.sendall(b"".join(len(one).to_bytes(4, "big") + one for one in said))
        heard = b""
        while b'"tools"' not in heard:  # it is at it
            heard += window.recv(1000)
        told(store, signal.SIGTERM)
        gone(store)


def test_a_call_that_waits_for_the_clients_roots_is_left_to_the_next_daemon_which_asks_for_them_too(store):
    """The one that goes would not hear them, and what it does without them may be done in another project."""
    with lines(store) as pipe:
        pipe.ask("begin", "initialize", **{**INITIALIZE, "capabilities": {"roots": {}}})
        call = {"name": "add_to_memory_bank", "arguments": {"text": "penguins"}}
        pipe.say({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
        assert pipe.heard()["method"] == "roots/list"
        told(store, signal.SIGTERM)
        again = pipe.heard()
        assert again["method"] == "roots/list"
        pipe.say({"jsonrpc": "2.0", "id": again["id"], "result": {"roots": []}})
        assert pipe.heard()["result"]["isError"] is False


def test_where_no_daemon_can_start_every_request_is_told_why(store):
    (store.parent / "config.toml").write_text("colour = 'red'\n")
    with lines(store) as pipe:
        for id in (1, 2):
            error = pipe.ask(id, "initialize", **INITIALIZE)
            assert "there is no key 'colour'" in error["message"]
            assert f"`aftermind doctor --home {store}` tells" in error["message"]
        (store.parent / "config.toml").unlink()
        assert pipe.ask(3, "initialize", **INITIALIZE)["serverInfo"]["name"] == "aftermind"
        assert pipe.ended() == 0


@pytest.mark.parametrize("what", ["a file", "other things"])
def test_a_folder_that_is_no_store_is_left_as_it_is(place, what):
    folder = place / "elsewhere"
    if what == "a file":
        folder.write_text("mine")
    else:
        folder.mkdir()
        (folder / "thesis.txt").write_text("mine")
    with lines(folder) as pipe:
        assert "no daemon answers" in pipe.ask(1, "initialize", **INITIALIZE)["message"]
        assert pipe.ended() == 0
    left = folder if what == "a file" else folder / "thesis.txt"
    assert left.read_text() == "mine"
    assert [*place.glob("elsewhere/*")] == ([] if left is folder else [left])


def test_the_command_is_the_pipe(store, env):
    process = subprocess.Popen(
        [sys.executable, "-m", "aftermind", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
    )
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE})
    out, _ = process.communicate(line.encode(), timeout=LATE)
    assert process.returncode == 0
    assert json.loads(out)["result"]["serverInfo"]["name"] == "aftermind"


def test_the_help_of_the_command_names_its_configuration(capsys):
    assert main(["mcp", "--help"]) == 0
    assert "mcpServers" in capsys.readouterr().out
