"""What a spooled request says, and how it is copied. A hook hands over what its client wrote as it is, in base64:
nothing that looks for a text finds it in the bytes of such a file. Pure.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from typing import Any

import msgspec

from aftermind.engine.stored import cleaned

_PAYLOAD = re.compile(rb'("payload"\s*:\s*")([A-Za-z0-9+/]*)={0,2}')
"""What a hook hands over; the file may be cut short in the middle of it."""


def texts_of(request: bytes) -> Iterator[str]:
    """Every text in it, as somebody reads it: what is no JSON, or half of it, whole."""
    for part in _parts(request):
        try:
            yield from _texts(msgspec.json.decode(part))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            yield part.decode("utf-8", "replace")


def sayings(request: bytes) -> Iterator[bytes]:
    """Each form in which it may say something: its bytes and those of its payload, and the texts in them, as they are
    and as the log has them, without what is private and secrets."""
    yield from _parts(request)
    yield "\n".join(texts_of(request)).encode("utf-8", "replace")
    if (kept := as_kept(request)) != request:
        yield "\n".join(texts_of(kept)).encode("utf-8", "replace")


def as_kept(request: bytes) -> bytes:
    """The same request, without what the log would not have of it; what is clean is returned as it is."""
    payload = _payload(request)
    if payload is None:
        return cleaned(request)
    around = _without_payload(request)
    clean_around, clean = cleaned(around), cleaned(payload)
    if (clean_around, clean) == (around, payload):
        return request
    return _PAYLOAD.sub(lambda found: found[1] + b64encode(clean), clean_around, count=1)


def _parts(request: bytes) -> tuple[bytes, ...]:
    payload = _payload(request)
    return (request,) if payload is None else (_without_payload(request), payload)


def _without_payload(request: bytes) -> bytes:
    return _PAYLOAD.sub(rb"\1", request, count=1)


def _payload(request: bytes) -> bytes | None:
    """Of a file that was cut short, what is there: a single letter of base64 at its end says nothing."""
    if (found := _PAYLOAD.search(request)) is None:
        return None
    letters = found[2][:-1] if len(found[2]) % 4 == 1 else found[2]
    return b64decode(letters + b"=" * (-len(letters) % 4))


def _texts(told: Any) -> Iterator[str]:
    match told:
        case str():
            yield told
        case dict():
            for key, value in told.items():
                yield from _texts(key)
                yield from _texts(value)
        case list():
            for one in told:
                yield from _texts(one)
