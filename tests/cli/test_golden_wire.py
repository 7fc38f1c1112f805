"""What is spoken on the wire, as hooks and programs in use write and read it. A file here never changes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tests.hooked import HOOK

from aftermind.cli.doors import hook
from aftermind.cli.language.answers import Said
from aftermind.cli.language.requests import Converse, Deliver
from aftermind.cli.language.wire import WIRE, Answered, Failed, Welcome, call_of, error_of, reply_of
from aftermind.engine.errors import ExchangeDiffers

GOLDEN = Path(__file__).parents[1] / "golden" / "wire"
KEY = "0190" + "a1" * 14
TURN = Deliver(
    client="json",
    event="turn",
    directory='/home/ada/café \n"',
    payload=b'{"prompt":"Which port?","answer":"8081","session":"s1"}',
)


def golden(name: str) -> bytes:
    return (GOLDEN / f"{name}.json").read_bytes()


def test_a_call_of_wire_1_is_understood():
    call = call_of(golden("call-1"))
    assert (call.key, call.wire, call.seconds, call.request) == (KEY, 1, 1.95, TURN)


def test_a_call_of_a_hook_that_says_no_wire_is_one_of_wire_1():
    call = call_of(golden("call-without-a-wire"))
    assert (call.wire, call.request) == (1, Deliver(client="json", event="end", payload=b'{"session":"s1"}'))


def test_replies_and_the_welcome_of_wire_1_are_understood():
    answered = reply_of(golden("reply-answered-1"))
    assert isinstance(answered, Answered)
    assert msgspec.json.decode(answered.answer, type=Said) == Said(text='Which port? → 8081\n"quoted"')
    failed = reply_of(golden("reply-failed-1"))
    assert isinstance(failed, Failed)
    error = error_of(failed)
    assert isinstance(error, ExchangeDiffers)
    assert (str(error), error.exchange) == ("exchange e1 is recorded with another text", "e1")
    welcome = msgspec.json.decode(golden("welcome-1"), type=Welcome)
    assert welcome == Welcome(aftermind="0.1.0", wire=1, pid=4711, holder="daemon")


def test_a_hook_understands_the_replies_too():
    assert hook.text_of(golden("reply-answered-1")).decode() == 'Which port? → 8081\n"quoted"'
    assert hook.text_of(golden("reply-failed-1")) == b""
    assert [hook.is_to_be_kept(golden(f"reply-{form}-1")) for form in ("answered", "failed")] == [False, False]


def test_a_pipes_call_of_wire_1_is_understood():
    call = call_of(golden("call-converse-1"))
    told = {"CLAUDE_PROJECT_DIR": "/home/ada/café", "CLAUDE_CODE_SESSION_ID": "s-1"}
    assert (call.key, call.wire, call.seconds) == (KEY, 1, 24.95)
    assert call.request == Converse(client="claude-code", directory="/home/ada", environment=told)


WRITES = """
import sys
sys.path.insert(0, sys.argv[1])
import hook
hook.monotonic = lambda: 0.0
payload = hook.b2a_base64(sys.argv[2].encode(), newline=False)
facts = {b"ask": b"deliver", b"client": b"json", b"event": b"turn"}
facts |= {b"directory": hook.escaped(sys.argv[3].encode()), b"payload": payload}
request = b",".join(b'"%s":"%s"' % fact for fact in facts.items())
sys.stdout.buffer.write(hook.call(sys.argv[4].encode(), request, 2.0))
"""


CONVERSES = """
import os, sys
sys.path.insert(0, sys.argv[1])
import pipe
pipe.hook.monotonic = lambda: 0.0
pipe.hook.place = lambda: b"/home/ada"
sys.stdout.buffer.write(pipe.hook.call(sys.argv[2].encode(), pipe.converse("claude-code"), 25.0))
"""


@pytest.mark.skipif(WIRE != 1, reason="it writes a later wire by now")
def test_a_pipe_writes_the_call_of_wire_1_byte_for_byte():
    told = {"CLAUDE_PROJECT_DIR": "/home/ada/café", "CLAUDE_CODE_SESSION_ID": "s-1"}
    words = [sys.executable, "-I", "-B", "-c", CONVERSES, str(HOOK.parent), KEY]
    ran = subprocess.run(words, capture_output=True, check=True, timeout=60, env=told)
    assert ran.stdout == golden("call-converse-1")


@pytest.mark.skipif(WIRE != 1, reason="it writes a later wire by now")
def test_a_hook_writes_the_call_of_wire_1_byte_for_byte():
    words = [str(HOOK.parent), TURN.payload.decode(), TURN.directory, KEY]
    ran = subprocess.run(
        [sys.executable, "-B", "-c", WRITES, *words], capture_output=True, check=True, timeout=60, env=os.environ
    )
    assert ran.stdout == golden("call-1")


def test_a_hook_says_the_wire_this_program_speaks():
    assert hook.WIRE == WIRE
