"""What a spooled request says, whoever wrote it, and what of it may be copied."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.cli.erasing.needles import needles
from aftermind.cli.language.requests import Remember
from aftermind.cli.language.wire import Call, call_of, to_json
from aftermind.engine.store.spoken import as_kept, sayings, texts_of
from tests.spooling import turn
from tests.wired import new_key

TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5"


def hooked(**said: str) -> bytes:
    """As a hook spools it."""
    return to_json(Call(key=new_key(), request=turn(**said)))


def payload(request: bytes) -> dict[str, str]:
    found = call_of(request).request
    told: dict[str, str] = json.loads(found.payload)  # type: ignore[union-attr]
    return told


@given(st.text(max_size=60))
def test_every_text_of_a_hooks_payload_is_read(text):
    assert text in list(texts_of(hooked(prompt=text)))
    assert text in list(texts_of(to_json(Call(key=new_key(), request=Remember(text=text, project=None)))))


@given(st.binary(max_size=80), st.integers(0, 400))
def test_any_bytes_are_taken_also_of_a_file_that_was_cut_short(data, end):
    for request in (data, hooked(prompt="how do we deploy?")[:end]):
        assert as_kept(as_kept(request)) == as_kept(request)
        assert list(texts_of(request)) is not None
        assert list(sayings(request))


def test_half_of_a_payload_says_what_is_there():
    whole = hooked(prompt="The wombat sleeps below the third stone of the old cellar", answer="so " * 100)
    assert any("wombat sleeps" in text for text in texts_of(whole[: len(whole) - 150]))


def test_what_is_clean_is_copied_as_it_is():
    request = hooked(prompt="how do we deploy?")
    assert as_kept(request) is request


def test_a_copy_is_the_same_request_without_what_the_log_would_not_have():
    request = hooked(prompt=f"hello <private>wombat</private> {TOKEN}", answer="fine")
    kept = as_kept(request)
    assert call_of(kept).key == call_of(request).key
    told = payload(kept)
    assert told["prompt"].startswith("hello [private] [masked github-token")
    assert told["answer"] == "fine"


@pytest.mark.parametrize("said", ["hello [private] and good night", f"the key is {TOKEN} of the deployment"])
def test_what_the_log_says_of_a_request_is_found_in_it(said):
    raw = said.replace("[private]", "<private>wombat</private>")
    (logged,) = [text for text in texts_of(as_kept(hooked(prompt=raw))) if "the key" in text or "hello" in text]
    assert needles([logged]).asked_in(hooked(prompt=raw))
    assert not needles([logged]).asked_in(hooked(prompt="another"))
