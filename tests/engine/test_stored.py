"""Bytes and events: what goes in is masked and storable, what comes back is what went in."""

from __future__ import annotations

import json
from typing import Any, NewType, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, Struct, structs

from aftermind.engine import stored
from aftermind.engine.events import Erased, Event, MemoryScored, Unknown
from aftermind.engine.names import EventId, Label, MemoryId
from aftermind.engine.stored import FORMS, from_bytes, from_json, masked, storable, tag_of, to_bytes
from tests.strategies import FEW, events, events_of, known, texts

TOKENS = ("ghp_" + "a1B2" * 9, "sk-ant-" + "x9Y8" * 6, "password = 'hunter2-Tr0ub4dor'")
SECRETS = (TOKENS[0], TOKENS[1], "hunter2-Tr0ub4dor")


@given(events)
def test_what_is_written_comes_back_masked_and_no_other(event: Event) -> None:
    clean = event if isinstance(event, Unknown) else masked(event)  # type: ignore[type-var]
    assert from_bytes(tag_of(event), to_bytes(event)) == clean


@given(known)
def test_masking_twice_is_masking_once(event: Any) -> None:
    assert masked(masked(event)) == masked(event)


def text_places(form: type[Struct]) -> list[tuple[str, str]]:
    """Where a form holds somebody's text: field, and field of a part where it is in one."""
    places = []
    for name, hint in get_type_hints(form).items():
        inner = get_args(hint)[0] if get_origin(hint) is tuple else hint
        if inner is str:
            places.append((name, ""))
        elif isinstance(inner, type) and issubclass(inner, Struct):
            places += [(name, part) for part, _ in text_places(inner)]
    return places


PLACES = [(form, *place) for form in FORMS.values() for place in text_places(form)]


def planted(form: type[Struct], name: str, part: str, event: Struct, secret: str, draw: Any) -> Struct:
    hint = get_type_hints(form)[name]
    if hint is str:
        return structs.replace(event, **{name: secret})
    if isinstance(hint, type):
        return structs.replace(event, **{name: planted(hint, part, "", draw(events_of(hint)), secret, draw)})
    inner = get_args(hint)[0]
    if inner is str:
        return structs.replace(event, **{name: ("before", secret)})
    one = draw(events_of(inner))
    return structs.replace(event, **{name: (planted(inner, part, "", one, secret, draw),)})


@pytest.mark.parametrize(("form", "name", "part"), PLACES, ids=lambda x: getattr(x, "__name__", x))
@FEW
@given(data=st.data())
def test_a_secret_in_any_text_of_any_form_never_reaches_the_bytes(
    form: type[Struct], name: str, part: str, data: st.DataObject
) -> None:
    token = data.draw(st.sampled_from(TOKENS))
    text = f"{data.draw(texts)}\n{token}\n{data.draw(texts)}"
    event = planted(form, name, part, data.draw(events_of(form)), text, data.draw)
    stored = to_bytes(event)  # type: ignore[arg-type]
    assert not [secret for secret in SECRETS if secret.encode() in stored]


@pytest.mark.parametrize(("form", "name", "part"), PLACES, ids=lambda x: getattr(x, "__name__", x))
@FEW
@given(data=st.data())
def test_nothing_private_in_any_text_of_any_form_reaches_the_bytes(
    form: type[Struct], name: str, part: str, data: st.DataObject
) -> None:
    text = f"{data.draw(texts)}<private>quokka{data.draw(texts)}</private>{data.draw(texts)}"
    event = planted(form, name, part, data.draw(events_of(form)), text, data.draw)
    assert b"quokka" not in to_bytes(event)  # type: ignore[arg-type]


def id_fields(form: type[Struct]) -> list[str]:
    return [name for name, hint in get_type_hints(form).items() if isinstance(hint, NewType)]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@FEW
@given(data=st.data())
def test_ids_are_never_touched(form: type[Struct], data: st.DataObject) -> None:
    names = id_fields(form)
    event = structs.replace(data.draw(events_of(form)), **dict.fromkeys(names, TOKENS[0]))
    after = masked(event)
    assert [getattr(after, name) for name in names] == [TOKENS[0]] * len(names)


@given(texts)
def test_any_text_becomes_one_that_can_be_kept(text: str) -> None:
    kept = storable(text)
    assert "\x00" not in kept
    assert kept.encode().decode() == kept == storable(kept)


def testclean_text_is_not_copied() -> None:
    event = from_bytes("memory-corrected", b'{"type":"memory-corrected","memory":"m1","scope":"global","text":"plain"}')
    assert masked(event) is event  # type: ignore[type-var]


def test_no_bytes_are_an_erased_event_and_it_has_none_to_write() -> None:
    assert from_bytes("memory-recorded", None) == Erased(tag="memory-recorded")
    with pytest.raises(ValueError, match="erased"):
        to_bytes(Erased(tag="memory-recorded"))


@pytest.mark.parametrize(
    "payload",
    [
        b'{"type":"memory-promoted","memory":"m1","to":"dreams","reason":""}',
        b'{"type":"memory-promoted","memory":"m1"}',
        b'{"type":"memory-promoted","memory":7,"to":"history","reason":""}',
        b"[]",
        b"",
        b"\xff\xfe not json",
    ],
)
def test_what_this_program_cannot_read_is_kept_byte_for_byte(payload: bytes) -> None:
    event = from_bytes("memory-promoted", payload)
    assert event == Unknown(tag="memory-promoted", raw=msgspec.Raw(payload))
    assert (tag_of(event), to_bytes(event)) == ("memory-promoted", payload)


def test_a_field_at_its_default_is_not_stored() -> None:
    event = from_bytes("memory-corrected", b'{"type":"memory-corrected","memory":"m1","scope":"p1","text":"x"}')
    assert to_bytes(event) == b'{"type":"memory-corrected","memory":"m1","scope":"p1","text":"x"}'


@given(texts)
def test_half_a_surrogate_pair_in_json_is_no_reason_to_refuse_the_rest(text: str) -> None:
    """As JavaScript writes it. A pair is one sign, and a written backslash is no escape."""
    pairs = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    whole = "".join("\ufffd" if "\ud800" <= sign <= "\udfff" else sign for sign in pairs)
    payload = json.dumps({"said": text, "written": "\\ud800"}).encode()
    assert from_json(msgspec.json.decode, payload) == {"said": whole, "written": "\\ud800"}


@pytest.mark.parametrize("payload", [b"", b"{", b'{"a":"\\ud800"', b'"\\u00', b"\xff", b'"\\'])
def test_what_is_no_json_stays_none(payload: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        from_json(msgspec.json.decode, payload)


class Scored1(Struct, frozen=True, tag_field="type", tag="memory-rated"):
    memory: MemoryId
    score: int


def scored_1(old: Scored1) -> Any:
    return MemoryScored(
        memory=old.memory,
        outcome="worked" if old.score > 0 else "failed",
        occasion=EventId("e1"),
        judge=Label("person"),
    )


def test_a_form_that_is_not_written_any_more_is_lifted(monkeypatch: pytest.MonkeyPatch) -> None:
    payload = b'{"type":"memory-rated","memory":"m1","score":-1}'
    assert isinstance(from_bytes("memory-rated", payload), Unknown)
    monkeypatch.setitem(stored.LIFTS, "memory-rated", (Scored1, scored_1))
    assert from_bytes("memory-rated", payload) == scored_1(Scored1(memory=MemoryId("m1"), score=-1))
    unreadable = payload.replace(b"-1", b'"bad"')
    assert from_bytes("memory-rated", unreadable) == Unknown(tag="memory-rated", raw=Raw(unreadable))


def test_a_payload_from_elsewhere_is_kept_byte_for_byte_or_masked() -> None:
    clean = b'{ "type":"dreamt", "depth":3.0, "of":["m1", {"text":"a \\ud83d\\ude42"}] }'
    assert stored.cleaned(clean) == clean
    secret = clean.replace(b"a ", TOKENS[0].encode())
    assert TOKENS[0].encode() not in stored.cleaned(secret)
    assert stored.cleaned(stored.cleaned(secret)) == stored.cleaned(secret)
    assert stored.cleaned(b"\xff not JSON") == b"\xff not JSON"
    assert TOKENS[0].encode() not in stored.cleaned(b"not JSON " + TOKENS[0].encode())


@given(st.from_regex(stored._PLAIN, fullmatch=True))
def test_what_is_plain_is_never_masked(word: str) -> None:
    assert stored.clean_text(word) == word
