"""An event's line holds all there is of it, and tells when it was changed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aftermind.cli.carrying.line import Changed, line, line_of, link_of
from aftermind.engine.events import Unknown
from aftermind.engine.log import Draft, Recorded
from aftermind.engine.logs import seal
from aftermind.engine.logs.chain import Link
from aftermind.engine.names import EventId, Position, StreamName, Version

EVENTS = Path(__file__).parents[1] / "golden" / "events"
SALT = bytes(range(16))


def link(payload: bytes | None, tag: str = "memory-locked") -> Link:
    salt = SALT if payload is not None else None
    digest = seal.digest(SALT, b"gone" if payload is None else payload)
    facts = (7, "0190", "memory-m1", 3, tag, -1, 1_800_000_000_000_001, "cause")
    return Link(
        position=Position(7),
        id=EventId("0190"),
        stream=StreamName("memory-m1"),
        version=Version(3),
        tag=tag,
        at=-1,
        noted=1_800_000_000_000_001,
        because=EventId("cause"),
        salt=salt,
        payload=payload,
        digest=digest,
        seal=seal.seal(seal.FIRST, *facts, digest),
    )


@pytest.mark.parametrize("file", sorted(EVENTS.iterdir()), ids=lambda file: file.stem)
def test_every_form_comes_back_byte_for_byte(file: Path):
    told = link(file.read_bytes().removesuffix(b"\n"), file.stem.partition(".")[0])
    assert link_of(line(told)) == told


ODD = [
    *(
        None,
        b"",
        b"{",
        b"\xff\xfe",
        b' {"a":1} ',
        b'{"a":\n1}',
        b'{"a": 1.0e5, "b":"\\ud83d\\ude00"}',
        b'{"a":"\\ud800"}',
    ),
    *(b'{"a":1}{"b":2}', b'"text"', b'{"x":"' + b"\\u00e9" * 50 + b'"}', b'{"a":1,"a":2}', b"null"),
]


@pytest.mark.parametrize("payload", ODD)
def test_whatever_a_newer_program_wrote_comes_back_byte_for_byte(payload: bytes | None):
    told = link(payload, "from-the-future")
    text = line(told)
    assert text.count(b"\n") == 1
    assert link_of(text) == told


@settings(max_examples=60)
@given(st.binary(max_size=60))
def test_any_bytes_come_back(payload: bytes):
    assert link_of(line(link(payload))) == link(payload)


@settings(max_examples=150)
@given(st.data())
def test_no_changed_byte_of_a_line_goes_unnoticed(data: st.DataObject):
    told = link(b'{"type":"memory-locked","memory":"m1"}')
    text = bytearray(line(told)[:-1])
    place = data.draw(st.integers(0, len(text) - 1))
    text[place] ^= 1 << data.draw(st.integers(0, 7))
    try:
        found = link_of(bytes(text))
    except Changed:
        return
    assert found == told  # what its sum does not cover is the sum's own spelling


def test_a_line_somebody_edited_is_taken_only_when_that_is_allowed():
    told = link(b'{"type":"memory-locked","memory":"m1"}')
    text = line(told).replace(b'"memory":"m1"', b'"memory":"m2"')
    with pytest.raises(Changed, match="not as it was exported"):
        link_of(text)
    edited = link_of(text, edited=True)
    assert (edited.payload, edited.salt, edited.digest) == (b'{"type":"memory-locked","memory":"m2"}', b"", b"")


def test_an_event_that_was_decoded_has_a_line_too():
    at = datetime(2026, 1, 31, 12, tzinfo=UTC)
    event = Unknown(tag="newer", raw=msgspec.Raw(b'{ "type":"newer" }'))
    draft = Draft(id=EventId("e1"), at=at, noted=at, because=None, event=event)
    text = line_of(Recorded(position=Position(1), stream=StreamName("x-1"), version=Version(1), draft=draft))
    found = link_of(text)
    assert (found.id, found.payload, found.because, found.digest) == ("e1", b'{ "type":"newer" }', None, b"")
