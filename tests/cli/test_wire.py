"""What goes over the wire comes out as it went in: every request, every answer, every error; and what is none of
those is refused without harm."""

from __future__ import annotations

import asyncio
import inspect
import os
import socket
import sys
from datetime import datetime
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.needed_fields import NEEDED
from tests.strategies import FEW, events_of, texts, values_of

from aftermind.cli.language import wire
from aftermind.cli.language.requests import Forget, Record, Remember, Request, Score, Show, answer_type
from aftermind.cli.language.wire import (
    FIRST,
    UNDERSTOOD,
    WIRE,
    Answered,
    Broken,
    Call,
    Failed,
    Newer,
    NotUnderstood,
    Older,
    Unreachable,
    call_of,
    error_of,
    failed,
    frame,
    framed,
    is_older,
    reply_of,
    run_folder,
    socket_name,
    to_json,
)
from aftermind.engine import errors
from aftermind.engine.backups.backup import BackupBusy, BackupDamaged
from aftermind.engine.errors import AftermindError
from aftermind.engine.stored import storable
from aftermind.projections.meaning.model_files import NoModel

pytestmark = pytest.mark.anyio
REQUESTS: tuple[type[msgspec.Struct], ...] = get_args(Request)
ERRORS = [
    form
    for module in (errors, wire)
    for form in vars(module).values()
    if isinstance(form, type) and issubclass(form, AftermindError)
]
KEY = "0190" + "a1" * 14


def plain(value: Any) -> Any:
    """The value without its types, every text in it as the store would keep it."""
    match value:
        case str():
            return storable(value)
        case dict():
            return {plain(key): plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [plain(inner) for inner in value]
        case msgspec.Struct():
            return plain(msgspec.to_builtins(value, builtin_types=(bytes, datetime)))
        case _:
            return value


def is_text(value: Any) -> bool:
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:
        return False
    return True


# --- requests and answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", REQUESTS, ids=lambda form: form.__name__)
def test_a_request_arrives_as_it_was_sent(form):
    @FEW
    @given(events_of(form))
    def arrives(request):
        call = Call(key=KEY, seconds=1.5, request=request)
        size, payload = framed(call)[:4], framed(call)[4:]
        assert int.from_bytes(size, "big") == len(payload)
        arrived = call_of(payload)
        assert type(arrived.request) is form
        assert plain(arrived) == plain(call)
        if is_text(call):
            assert arrived == call

    arrives()


@pytest.mark.parametrize("form", REQUESTS, ids=lambda form: form.__name__)
def test_every_request_has_an_answer_that_arrives_as_it_was_given(form):
    type = answer_type(form)

    @FEW
    @given(values_of(type))
    def arrives(answer):
        if not is_text(answer):
            return
        reply = reply_of(framed(Answered(answer=msgspec.Raw(msgspec.json.encode(answer))))[4:])
        assert isinstance(reply, Answered)
        assert msgspec.json.decode(reply.answer, type=type) == answer

    arrives()


def test_a_tag_names_one_request():
    tags = [str(form.__struct_config__.tag) for form in REQUESTS]
    assert len(set(tags)) == len(tags)


def test_only_the_telling_fields_of_a_request_have_no_default():
    """A field that came later needs one, or what an older program sends is not understood any more."""
    needed = {
        str(form.__struct_config__.tag): {field.encode_name for field in msgspec.structs.fields(form) if field.required}
        for form in REQUESTS
    }
    assert {tag: fields for tag, fields in needed.items() if fields} == NEEDED


@given(texts)
@example("\ud83d")
@example("one \udc00 two")
def test_half_a_surrogate_pair_arrives_as_the_log_would_keep_it(text):
    call = Call(key=KEY, request=Record(prompt=text, answer="so", session="s"))
    arrived = call_of(framed(call)[4:])
    assert isinstance(arrived.request, Record)
    assert storable(arrived.request.prompt) == storable(text)
    both = Call(key=KEY, request=Score(memories={text: "worked", "m": "failed"}))
    assert plain(call_of(framed(both)[4:])) == plain(both)


@pytest.mark.parametrize("escape", [rb"\ud800", rb"\udfff", rb"a\ud83d", rb"\ud83d\ud83d\ude00"])
def test_half_a_surrogate_pair_that_another_language_wrote_is_taken(escape):
    """JSON.stringify writes a lone surrogate as its escape."""
    payload = b'{"key":"%s","request":{"ask":"remember","text":"the port %s is 5432"}}' % (KEY.encode(), escape)
    request = call_of(payload).request
    assert isinstance(request, Remember)
    assert storable(request.text) == request.text
    assert request.text.startswith("the port ")
    assert request.text.endswith(" is 5432")
    assert "\ufffd" in request.text


# --- what is no call ------------------------------------------------------------------------------------------

NO_CALLS = {
    "nothing": b"",
    "half": b'{"key":"',
    "not JSON": b"GET / HTTP/1.1\r\n\r\n",
    "not UTF-8": b'{"key":"%s","request":{"ask":"show","id":"\xff"}}' % KEY.encode(),
    "a list": b"[]",
    "nothing in it": b"{}",
    "null": b"null",
    "no request": b'{"key":"%s"}' % KEY.encode(),
    "an unknown request": b'{"key":"%s","request":{"ask":"dream"}}' % KEY.encode(),
    "no tag": b'{"key":"%s","request":{}}' % KEY.encode(),
    "an unknown field": b'{"key":"%s","request":{"ask":"show","id":"m","colour":"red"}}' % KEY.encode(),
    "a missing field": b'{"key":"%s","request":{"ask":"show"}}' % KEY.encode(),
    "a wrong type": b'{"key":"%s","request":{"ask":"show","id":7}}' % KEY.encode(),
    "a word off its list": b'{"key":"%s","request":{"ask":"remember","text":"x","kind":"dream"}}' % KEY.encode(),
    "a wire that is no number": b'{"key":"%s","wire":"one","request":{"ask":"sweep"}}' % KEY.encode(),
    "no base64": b'{"key":"%s","request":{"ask":"deliver","client":"json","event":"turn","payload":"!"}}'
    % KEY.encode(),
    "too deep": b'{"key":' * 50_000,
    "too deep in a field nobody knows": b'{"key":"%s","x":%s' % (KEY.encode(), b"[" * 50_000),
    "too deep a list": b"[" * 50_000,
    "two values": b'{"key":"%s","request":{"ask":"sweep"}} {}' % KEY.encode(),
    "a surrogate in an unknown request": b'{"key":"%s","request":{"ask":"\\ud800"}}' % KEY.encode(),
}


@pytest.mark.parametrize("payload", NO_CALLS.values(), ids=NO_CALLS)
def test_what_is_no_call_is_not_understood(payload):
    with pytest.raises(NotUnderstood) as error:
        call_of(payload)
    assert error.value.hint
    assert error.value.status == 2


@given(st.binary(max_size=200))
def test_garbage_is_not_understood(payload):
    with pytest.raises(NotUnderstood):
        call_of(payload)


@pytest.mark.parametrize(
    "key", ["", "a" * 31, "a" * 33, "a" * 31 + "-", "../../../../../../etc/passwd/.../a", "é" * 32, "²" * 32]
)
def test_a_key_is_32_letters_and_digits(key):
    with pytest.raises(NotUnderstood, match="key"):
        call_of(to_json(Call(key=key, request=Show(id="m"))))


@pytest.mark.parametrize(
    "asked",
    [b'{"ask":"dream"}', b'{"ask":"show","id":"m","colour":"red"}', b"[]", b"7", b'{"ask":"show","id":"\xff"}'],
)
def test_a_call_of_a_newer_wire_is_told_from_a_broken_one(asked):
    with pytest.raises(Newer):
        call_of(b'{"key":"x","wire":%d,"request":%s}' % (WIRE + 1, asked))


def test_fields_a_newer_program_adds_beside_the_request_are_understood():
    payload = b'{"key":"%s","wire":%d,"patience":3,"request":{"ask":"show","id":"m"}}' % (KEY.encode(), WIRE)
    assert call_of(payload).request == Show(id="m")


def test_who_says_no_wire_speaks_the_first(monkeypatch):
    silent = b'{"key":"%s","request":{"ask":"show","id":"m"}}' % KEY.encode()
    monkeypatch.setattr(wire, "WIRE", FIRST + UNDERSTOOD)
    assert call_of(silent).wire == FIRST
    monkeypatch.setattr(wire, "WIRE", FIRST + UNDERSTOOD + 1)
    with pytest.raises(Older):
        call_of(silent)


@pytest.mark.parametrize("number", [0, -1, -(2**70)])
def test_a_wire_that_never_was_is_not_understood(number):
    with pytest.raises(Older):
        call_of(b'{"key":"%s","wire":%d,"request":{"ask":"show","id":"m"}}' % (KEY.encode(), number))


# --- errors ---------------------------------------------------------------------------------------------------


def raised(form: type[AftermindError]) -> st.SearchStrategy[AftermindError]:
    """An error of the class, as its own code would make it."""
    kinds = {
        str: texts,
        int: st.integers(-(2**70), 2**70),
        int | None: st.none() | st.integers(-(2**70), 2**70),
        bool: st.booleans(),
        float: st.floats(allow_nan=False, allow_infinity=False),
        Path: texts.map(lambda text: Path(text.replace("\0", ""))),
        object: st.one_of(texts, st.integers(-(2**70), 2**70), st.none(), st.tuples(st.integers(), st.integers())),
    }
    if not any("__init__" in vars(base) for base in form.__mro__ if issubclass(base, AftermindError)):
        return texts.map(form)
    hints = get_type_hints(form.__init__)
    parameters = list(inspect.signature(form.__init__).parameters.values())[1:]
    plain_ones = [kinds[hints[p.name]] for p in parameters if p.kind is not p.KEYWORD_ONLY]
    named = {p.name: kinds[hints[p.name]] for p in parameters if p.kind is p.KEYWORD_ONLY}
    return st.builds(form, *plain_ones, **named)


@pytest.mark.parametrize("form", dict.fromkeys(ERRORS), ids=lambda form: form.__name__)
def test_an_error_is_raised_here_as_it_was_raised_there(form):
    @given(raised(form))
    def arrives(error):
        reply = reply_of(framed(failed(error))[4:])
        assert isinstance(reply, Failed)
        again = error_of(reply)
        assert type(again) is form
        assert plain(str(again)) == plain(str(error))
        assert (plain(again.hint), again.status) == (plain(error.hint), error.status)
        for name, value in vars(error).items():
            kept = value if isinstance(value, str | int | float | Path | None) else str(value)
            assert plain(str(getattr(again, name))) == plain(str(kept))
            assert type(getattr(again, name)) is type(kept) or isinstance(kept, Path)

    arrives()


@pytest.mark.parametrize("name", ["NoSuchError", "Path", "annotations", "", "__builtins__", "AftermindErrors"])
def test_an_error_this_program_does_not_know_keeps_its_words(name):
    error = error_of(Failed(error=name, what="the moon is full", hint="wait", values={"phase": 1}))
    assert isinstance(error, Broken)
    assert (str(error), error.hint) == ("the moon is full", "wait")


@pytest.mark.parametrize("error", [BackupBusy(Path("/b")), BackupDamaged(Path("/b"), "cut"), NoModel("m", "gone")])
def test_an_error_of_another_module_keeps_its_words_and_its_exit_code(error):
    again = error_of(failed(error))
    assert isinstance(again, Broken)
    assert (str(again), again.hint, again.status) == (str(error), error.hint, error.status)
    assert error.status != Broken.status


@given(st.binary(max_size=100))
@example(b'{"reply":"answered"}')
@example(b'{"reply":"dreamt"}')
@example(b"[" * 50_000)
@example(b'{"reply":"failed","error":"x","what":"\xff","hint":"","values":{}}')
def test_a_reply_that_cannot_be_read_is_as_good_as_none(payload):
    with pytest.raises(Unreachable):
        reply_of(payload)


# --- frames ---------------------------------------------------------------------------------------------------


async def test_frames_follow_each_other_however_they_are_cut():
    messages = [Call(key=KEY, request=Forget(id="x" * size)) for size in (0, 1, 300, 70_000)]
    stream = asyncio.StreamReader()
    whole = b"".join(map(framed, messages))

    async def dribble() -> None:
        for start in range(0, len(whole), 997):
            stream.feed_data(whole[start : start + 997])
            await asyncio.sleep(0)
        stream.feed_eof()

    feeding = asyncio.create_task(dribble())
    assert [call_of(await frame(stream, 100_000)) for _ in messages] == messages
    with pytest.raises(asyncio.IncompleteReadError):
        await frame(stream, 100_000)
    await feeding


async def test_a_frame_that_is_announced_too_large_is_refused_before_it_is_read():
    stream = asyncio.StreamReader()
    stream.feed_data(b"\xff\xff\xff\xff")
    with pytest.raises(NotUnderstood, match="4,294,967,295 bytes"):
        await frame(stream, 1000)


# --- versions and places --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "than", "older"),
    [
        ("0.1.0", "0.1.0", False),
        ("0.1.0", "0.1.1", True),
        ("0.9.0", "0.10.0", True),
        ("1.0.0", "0.99.99", False),
        ("1.0.0rc1", "1.0.0", True),
        ("1.0.0+local", "1.0.0", False),
        ("", "0.0.1", True),
        ("nonsense", "0.0.1", True),
        ("1.²", "1.0", True),
        ("0.1.0", "nonsense", False),
    ],
)
def test_versions_come_one_before_the_other(version, than, older):
    assert is_older(version, than) is older


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no way to name it")
async def test_a_socket_in_a_folder_that_is_too_deep_can_be_bound_and_reached(tmp_path):
    deep = tmp_path.joinpath(*["deeper" * 8] * 8)
    deep.mkdir(parents=True)
    assert len(os.fsencode(deep)) > 300
    run = run_folder(deep)
    descriptors = len(list(Path("/proc/self/fd").iterdir()))
    async with socket_name(run, "socket") as name:
        assert len(os.fsencode(name)) <= wire.LONGEST_PATH
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(name)
            assert (run / "socket").is_socket()
    assert len(list(Path("/proc/self/fd").iterdir())) == descriptors


async def test_a_socket_has_no_name_where_there_are_none(tmp_path, monkeypatch):
    async with socket_name(run_folder(tmp_path), "socket") as name:
        assert name is not None
    monkeypatch.setattr(wire, "UNIX", False)
    async with socket_name(run_folder(tmp_path), "socket") as name:
        assert name is None
