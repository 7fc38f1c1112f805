"""Events as lines of JSON, losing nothing: what an export holds, and whatever else prints events for programs. Pure.

    {"aftermind":"events","format":1, …}                      the header, first
    {"position":1,"stream":"memory-…","version":1, … ,"sum":"…"}    an event a line
    {"aftermind":"end","events":1,"digest":"…"}               the end: a file without it was cut

A payload that is JSON on one line stands in the line as it is, byte for byte; any other is base64 under `bytes`; an
erased event has neither. `sum` stands for the bytes of its line before it, so a line that was changed on its way is
noticed; `salt`, `digest` and `seal` are the chain's (engine/logs/seal.py).
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from aftermind.engine.events import Erased
from aftermind.engine.log import Recorded
from aftermind.engine.logs.chain import Link
from aftermind.engine.moments import microseconds, moment, storable
from aftermind.engine.names import EventId, Position, StreamName, Version
from aftermind.engine.stored import tag_of, to_bytes

FORMAT = 1
EVENTS, END = "events", "end"
_SUM = b',"sum":"'
_SUM_DIGITS = 32


class Header(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a file of events says first. `store` is the seal of the store's first event, which no other store has;
    `head` is where its log ended, `filters` what was asked for of it."""

    aftermind: str
    format: int
    program: str = ""
    store: str = ""
    head: int = 0
    exported: datetime | None = None
    filters: Mapping[str, str] = {}


class End(Struct, frozen=True, kw_only=True):
    """What it says last: how many events there are, and the SHA-256 of all bytes before this line, in hex."""

    aftermind: str
    events: int
    digest: str


class Line(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The schema of an event's line. Times are ISO 8601 in UTC; bytes are in hex."""

    position: int
    stream: str
    version: int
    id: str
    tag: str
    at: datetime
    noted: datetime
    because: str | None = None
    payload: Raw | UnsetType = UNSET
    bytes: str | None = None
    salt: str = ""
    digest: str = ""
    seal: str = ""
    sum: str = ""


class Changed(ValueError):
    """A line that is not, or not any more, one of an event; the text says why."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Line).decode
_is_json = msgspec.json.Decoder(Raw).decode
_NAME = re.compile(r"[^\x00-\x1f\x7f]{1,400}")
"""What an id, a stream and a tag are made of; no seal can be mistaken for another's."""
_MOST = 2**63


def header(*, program: str, store: str, head: int, exported: datetime, filters: Mapping[str, str]) -> bytes:
    told = Header(
        aftermind=EVENTS, format=FORMAT, program=program, store=store, head=head, exported=exported, filters=filters
    )
    return _encode(told) + b"\n"


def end(events: int, digest: str) -> bytes:
    return _encode(End(aftermind=END, events=events, digest=digest)) + b"\n"


def line(link: Link) -> bytes:
    """The line of an event, its line break included."""
    return _line(
        Line(
            position=link.position,
            stream=link.stream,
            version=link.version,
            id=link.id,
            tag=link.tag,
            at=moment(link.at),
            noted=moment(link.noted),
            because=link.because,
            salt=(link.salt or b"").hex(),
            digest=link.digest.hex(),
            seal=link.seal.hex(),
        ),
        link.payload,
    )


def line_of(recorded: Recorded) -> bytes:
    """The line of an event that was read and decoded: without what seals it."""
    draft = recorded.draft
    told = Line(
        position=recorded.position,
        stream=recorded.stream,
        version=recorded.version,
        id=draft.id,
        tag=tag_of(draft.event),
        at=draft.at,
        noted=draft.noted,
        because=draft.because,
    )
    return _line(told, None if isinstance(draft.event, Erased) else to_bytes(draft.event))


def _line(told: Line, payload: bytes | None) -> bytes:
    if payload is not None:
        fits = b"\n" not in payload and b"\r" not in payload and _is_one_document(payload)
        part = {"payload": Raw(payload)} if fits else {"bytes": b64encode(payload).decode()}
        told = msgspec.structs.replace(told, **part)
    body = _encode(told)[:-1]
    return body + _SUM + _sum(body) + b'"}\n'


def _is_one_document(payload: bytes) -> bool:
    """Whether JSON can hold it as it is: space around it would be lost."""
    if not payload or payload != payload.strip():
        return False
    try:
        return bytes(_is_json(payload)) == payload and bool(payload.decode("utf-8"))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False


def _sum(body: bytes) -> bytes:
    return sha256(body).hexdigest()[:_SUM_DIGITS].encode()


def link_of(text: bytes, *, edited: bool = False) -> Link:
    """The event of a line. `Changed` where the line is not what was written, unless it may have been `edited`: then an
    event whose text is another has no seal any more."""
    text = text.rstrip(b"\r\n")
    try:
        told = _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Changed(f"it is no event's line ({error})") from error
    names = (told.id, told.stream, told.tag, told.because or told.id)
    if not all(map(_NAME.fullmatch, names)) or not all(1 <= n < _MOST for n in (told.position, told.version)):
        raise Changed("its id, stream, tag, version or position is none")
    body, _, _ = text.rpartition(_SUM)
    if not edited and told.sum and _sum(body).decode() != told.sum:
        raise Changed("it is not as it was exported")
    payload = None if told.payload is UNSET else bytes(told.payload)
    try:
        if told.bytes is not None:
            payload = b64decode(told.bytes, validate=True)
        salt, digest, seal = (bytes.fromhex(part) for part in (told.salt, told.digest, told.seal))
        at, noted = microseconds(told.at), microseconds(told.noted)
        if not (storable(told.at) and storable(told.noted)):
            raise ValueError("its time has no year")
    except (TypeError, ValueError) as error:
        raise Changed(f"it cannot be read ({error})") from error
    link = Link(
        position=Position(told.position),
        id=EventId(told.id),
        stream=StreamName(told.stream),
        version=Version(told.version),
        tag=told.tag,
        at=at,
        noted=noted,
        because=EventId(told.because) if told.because is not None else None,
        salt=salt if payload is not None else None,
        payload=payload,
        digest=digest,
        seal=seal,
    )
    if digest and salt and not link.holds():
        if not edited:
            raise Changed("its text is not the one that was recorded")
        link = msgspec.structs.replace(link, salt=b"", digest=b"", seal=b"")
    return link
