"""Bytes ⇄ Event. The one way to bytes cuts out what is private, masks secrets and makes text storable; the way back
never fails: what this program cannot read is kept byte for byte as `Unknown`, what was erased is `Erased`. Pure.

When a form changes in a way that a default cannot express, a function here lifts the old form, named after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct, structs

from aftermind.engine.events import Erased, Event, Known, Unknown
from aftermind.engine.masking.private import without_private
from aftermind.engine.masking.secrets import mask
from aftermind.engine.moments import storable as storable_time
from aftermind.engine.names import Label

S = TypeVar("S")
T = TypeVar("T", bound=Struct)

FORMS: dict[str, type[Struct]] = {str(form.__struct_config__.tag): form for form in get_args(Known)}
_TAGS = {form: Label(tag) for tag, form in FORMS.items()}
_TIMES = {
    tag: tuple(name for name, hint in get_type_hints(form).items() if datetime in (hint, *get_args(hint)))
    for tag, form in FORMS.items()
}
"""The fields of each form that hold a time."""
LEAST_SECRET = 8
"""No rule of `masking/secrets.py` speaks of fewer characters."""
_ESCAPE = re.compile(
    rb"""\\(?: u[dD][89abAB][0-9a-fA-F]{2} \\u[dD][c-fC-F][0-9a-fA-F]{2}   # a pair
       | (?P<half> u[dD][89a-fA-F][0-9a-fA-F]{2})
       | . )""",
    re.VERBOSE | re.DOTALL,
)
_PLAIN = re.compile("[a-z]?[0-9a-f]{8,64}|[a-z]{1,12}(-[a-z]{1,12}){0,3}")
"""Ids and words of closed lists, which are most of an event: no rule of `masking/secrets.py` speaks of them."""
_encode = msgspec.json.Encoder().encode
_decoders: dict[str, msgspec.json.Decoder[Any]] = {tag: msgspec.json.Decoder(form) for tag, form in FORMS.items()}
LIFTS: dict[str, tuple[type[Struct], Callable[[Any], Known]]] = {}
"""By the tag of a form that is not written any more: that form, and what it means now (docs/events.md). None so far:
every change was a field with a default."""


def tag_of(event: Event) -> Label:
    """The stored name of what happened."""
    tag = _TAGS.get(type(event))
    return Label(event.tag) if tag is None else tag  # type: ignore[union-attr]


def to_bytes(event: Event) -> bytes:
    """The payload: JSON, secrets masked. An `Erased` has none (`ValueError`)."""
    if isinstance(event, Unknown):
        return bytes(event.raw)
    if isinstance(event, Erased):
        raise ValueError(f"an erased {event.tag} has no bytes")
    return _encode(masked(event))


def from_bytes(tag: str, payload: bytes | None) -> Event:
    """The event as it was written."""
    if payload is None:
        return Erased(tag=tag)
    decoder = _decoders.get(tag)
    try:
        if decoder is None:
            return _lifted(tag, payload)
        event: Known = decoder.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # another program's form of this tag, or none
        return Unknown(tag=tag, raw=msgspec.Raw(payload))
    for name in _TIMES[tag]:
        at: datetime | None = getattr(event, name)
        if at is not None and (at.tzinfo is None or not storable_time(at)):  # views could not keep it, or read it back
            return Unknown(tag=tag, raw=msgspec.Raw(payload))
    return event


def _lifted(tag: str, payload: bytes) -> Event:
    if tag not in LIFTS:
        return Unknown(tag=tag, raw=msgspec.Raw(payload))
    old, lift = LIFTS[tag]
    return lift(msgspec.json.decode(payload, type=old))


def storable(text: str) -> str:
    """The text, valid for UTF-8 and SQLite: a lone surrogate or a NUL becomes U+FFFD."""
    if text.isascii():
        return text.replace("\x00", "\ufffd")
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace").replace("\x00", "\ufffd")


def from_json(decode: Callable[[bytes], S], payload: bytes) -> S:
    """What is `decode`d; half a surrogate pair, which JavaScript writes as an escape and msgspec refuses, as U+FFFD."""
    try:
        return decode(payload)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        return decode(_ESCAPE.sub(lambda found: b"\\ufffd" if found["half"] else found[0], payload))


def cleaned(payload: bytes) -> bytes:
    """A payload another log or a newer program wrote, as it may be stored: byte for byte, unless a text in it is not
    storable, private or holds a secret. Ids and words of closed lists are never taken for one."""
    try:
        told = msgspec.json.decode(payload)
        clean_told = _clean_document(told)
        return payload if clean_told is told else _encode(clean_told)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # what nests too deep is a text, too
        text = payload.decode("utf-8", "replace")
        clean = clean_text(text)
        return payload if clean == text else clean.encode()


def _clean_document(told: Any) -> Any:
    match told:
        case str():
            clean = told if _PLAIN.fullmatch(told) else clean_text(told)
            return told if clean == told else clean
        case dict():
            cleaned_items = {_clean_document(key): _clean_document(value) for key, value in told.items()}
            same = all(a is b for a, b in zip(told.values(), cleaned_items.values(), strict=False))
            return told if same and told.keys() == cleaned_items.keys() else cleaned_items
        case list():
            cleaned_list = list(map(_clean_document, told))
            return told if all(a is b for a, b in zip(told, cleaned_list, strict=True)) else cleaned_list
        case _:
            return told


def masked(struct: T) -> T:
    """The same event, every text in it storable, without secrets and what is private. What is clean is returned as it
    is."""
    changes: dict[str, Any] = {}
    for name, clean in _text_fields(type(struct)):
        value = getattr(struct, name)
        if value and (cleaned := clean(value)) is not value:
            changes[name] = cleaned
    return structs.replace(struct, **changes) if changes else struct


def clean_text(text: str) -> str:
    """A text as it may be stored. Whoever cuts one does so behind this: of half a token, or a part of what is private,
    nobody can tell what it is."""
    if len(text) < LEAST_SECRET:  # nor is there room for a tag
        return storable(text)
    return mask(without_private(storable(text)))


def clean_texts(texts: tuple[str, ...]) -> tuple[str, ...]:
    cleaned = tuple(map(clean_text, texts))
    return cleaned if cleaned != texts else texts


def _clean_structs(parts: tuple[Struct, ...]) -> tuple[Struct, ...]:
    cleaned = tuple(map(masked, parts))
    return cleaned if any(a is not b for a, b in zip(cleaned, parts, strict=True)) else parts


@cache
def _text_fields(form: type[Struct]) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """Which fields hold text: those of plain `str`, alone or in a tuple, and structs that may hold some."""
    found: list[tuple[str, Callable[[Any], Any]]] = []
    for name, hint in get_type_hints(form).items():
        if hint is str:
            found.append((name, clean_text))
        elif isinstance(hint, type) and issubclass(hint, Struct) and _text_fields(hint):
            found.append((name, masked))
        elif get_origin(hint) is tuple:
            inner = get_args(hint)[0]
            if inner is str:
                found.append((name, clean_texts))
            elif isinstance(inner, type) and issubclass(inner, Struct) and _text_fields(inner):
                found.append((name, _clean_structs))
    return tuple(found)
