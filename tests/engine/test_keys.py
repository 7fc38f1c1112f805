"""A private key is masked whole, wherever what it stands in was parted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.masking.keys import MOST, lines_without_keys, texts_without_keys, without_keys
from aftermind.engine.masking.secrets import mask
from tests.private_keys import body_of, pem, ppk

FIELDS = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF00FF00FF00FF\n\n"
KEYS = [pem(), pem("OPENSSH PRIVATE KEY"), pem("RSA PRIVATE KEY", fields=FIELDS), pem("PGP PRIVATE KEY BLOCK", 9_000)]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("margin", ["", "    ", "> ", "+", "\t", "  12 | "])
def test_by_lines_it_is_masked_as_in_one_piece(key, margin):
    text = f"before it\n{key}\nafter it".replace("\n", f"\n{margin}")
    assert "\n".join(lines_without_keys(text.split("\n"))) == mask(text)
    assert mask(text).endswith(f"characters]\n{margin}after it")


def without_it_in_parts(key: str, cuts: list[int]) -> Iterator[str]:
    """What is left, by either way, of lines with the key among them that come in parts."""
    lines = f"before it\n{key}\nafter it".split("\n")
    starts = sorted({0, len(lines), *(cut % len(lines) for cut in cuts)})
    parts = ["\n".join(lines[a:b]) for a, b in pairwise(starts)]
    yield "\n".join(without_keys(parts, str, lambda _, text: text))
    yield "\n".join(texts_without_keys(parts))


@given(st.sampled_from(KEYS), st.lists(st.integers(0, 10**6), max_size=6))
def test_in_parts_of_lines_nothing_of_it_is_left(key, cuts):
    for said in without_it_in_parts(key, cuts):
        assert not any(line in said for line in body_of(key))
        assert said.count("[masked private-key") == 1
        assert said.startswith("before it\n")
        assert said.rstrip("\n").endswith("after it")


PUTTYS = [ppk(), ppk(48), ppk(600), ppk(1_201)]


@pytest.mark.parametrize("key", PUTTYS)
@pytest.mark.parametrize("margin", ["", "    ", "> ", "+", "\t", "  12 | "])
def test_of_a_key_of_putty_the_private_lines_are_masked_by_lines_as_in_one_piece(key, margin):
    text = f"before it\n{key}\nafter it".replace("\n", f"\n{margin}")
    said = mask(text)
    assert not any(line in said for line in key.split("Private-Lines")[1].split("\n")[1:-1])
    assert said.count("[masked private-key") == 1
    assert said.startswith(text[: text.index("Private-Lines")])
    assert said.endswith(text[text.index("Private-MAC") :])
    assert "\n".join(lines_without_keys(text.split("\n"))) == said


@given(st.sampled_from(PUTTYS), st.lists(st.integers(0, 10**6), max_size=6))
def test_of_a_key_of_putty_in_parts_of_lines_nothing_is_left(key, cuts):
    for said in without_it_in_parts(key, cuts):
        assert not any(line in said for line in body_of(key))
        assert said.endswith("after it")


@pytest.mark.parametrize("newline", ["\r\n", "\\n", "\\r\\n"])
def test_a_key_of_putty_may_have_other_line_endings(newline):
    key = ppk()
    assert not any(line in mask(key.replace("\n", newline)) for line in body_of(key))


def test_a_key_of_putty_that_is_cut_off_is_masked_as_far_as_it_goes():
    key = ppk().split("\n")[:-3]
    left = mask("\n".join(key))
    assert not any(line in left for line in body_of("\n".join(key)))


@given(st.lists(st.text(alphabet="-BEGINDPRVATKY \nab1/", max_size=40), max_size=30))
def test_what_holds_no_key_comes_back_as_it_is(parts):
    if mask("\n".join(parts)) == "\n".join(parts):
        assert list(lines_without_keys(parts)) == parts


def test_a_key_that_is_only_named_hides_nothing():
    parts = [
        "It begins with -----" + "BEGIN PRIVATE KEY----- and so on",
        *(f"line {n} of a talk" for n in range(9_000)),
    ]
    assert list(lines_without_keys(parts)) == parts


def test_a_key_that_never_ends_is_hidden_as_far_as_it_goes():
    key = pem("PGP PRIVATE KEY BLOCK", 5 * MOST).split("\n")[:-1]
    left = list(lines_without_keys(["before it", *key, "", "after (it) all"]))
    assert not any(line in left for line in body_of("\n".join(key)))
    assert (left[0], left[-1]) == ("before it", "after (it) all")


def test_one_key_after_the_other():
    keys = [pem(seed=seed) for seed in range(4)]
    left = list(lines_without_keys("\n".join([keys[0], *keys[1:3], "between", keys[3]]).split("\n")))
    assert [line.split(",")[0] for line in left] == ["[masked private-key"] * 3 + ["between", "[masked private-key"]
