"""What a text names by its shape."""

from __future__ import annotations

import pytest

from aftermind.engine.entities.shapes import MOST, entities
from aftermind.engine.lately import given_up, held


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("see src/payments/webhooks.py", ("src/payments/webhooks.py", "webhooks.py")),
        ("fixed with issue 318", ("#318",)),
        ("Fixes #0318, as PR 12 said", ("#318", "#12")),
        ("Error E1042, then TS2345 and 0x00000003", ("e1042", "ts2345", "0x00000003")),
        ("ENOENT in FlagReader, flag_reader() or std::vector", ("enoent", "flagreader", "flag_reader", "std::vector")),
        ("run `make deploy-staging` with --no-input", ("make deploy-staging", "--no-input", "noinput")),
        ("the package @types/node", ("@types/node",)),
        ("left-pad@^1.3.0, (react@18) and `@types/node@20`", ("left-pad", "react", "@types/node", "@types/node@20")),
        ("uvicorn[standard]==0.30.1, example.com/acme/lib@v1.2.3", ("uvicorn", "example.com/acme/lib")),
        ("icon@2x.png on root@10.0.0.5 where count==10", ("2x.png",)),
        ("CVE-2024-1234 is not CVE-2024-9999", ("cve-2024-1234", "cve-2024-9999")),
        ("ask @ada, not ada@example.org", ("@ada", "example.org")),
        ("the database db-2.internal.", ("db-2.internal",)),
    ],
)
def test_things_are_known_by_their_shape(text: str, keys: tuple[str, ...]) -> None:
    assert entities(text) == keys


def test_the_same_file_is_known_by_its_path_and_by_its_last_part() -> None:
    assert set(entities("in webhooks.py")) & set(entities("./src/payments/webhooks.py"))


def test_a_symbol_is_known_by_its_letters_however_its_words_are_set_apart() -> None:
    written = ("maxRetries", "max_retries", "MAX_RETRIES", "--max-retries", "MaxRetries()")
    assert all("maxretries" in entities(symbol) for symbol in written)
    assert entities("a_b is short") == ("a_b",)


@pytest.mark.parametrize("text", ["It was great", "Thanks! e.g. this, i.e. that", "We met at 5 pm in May", ""])
def test_ordinary_words_are_no_things(text: str) -> None:
    assert entities(text) == ()


def test_a_long_text_names_a_bounded_number_of_things() -> None:
    assert len(entities(" ".join(f"file{n}.py" for n in range(1000)))) == MOST


def test_a_word_that_names_nothing_does_so_again_and_one_that_names_something_too() -> None:
    """Words that were looked at are known: which, and in what order, changes nothing."""
    text = "we moved webhooks.py to `make deploy` on 8081, said nothing of webhooks.py or flag_reader() 8081"
    first = entities(text)
    assert first == ("webhooks.py", "make deploy", "flag_reader", "flagreader")
    assert entities(text) == first
    assert entities(" ".join(reversed(text.replace("`", "").split()))) == ("flag_reader", "flagreader", "webhooks.py")


def test_what_was_looked_at_is_given_up_with_all_that_was_made_of_texts() -> None:
    given_up()
    assert entities("the key is in `quokka vault`, as @quokka_keeper said") == ("quokka vault", "@quokka_keeper")
    assert held()
    given_up()
    assert not held()


@pytest.mark.parametrize("unit", ["-", "a_", "a-", "a.", "/", "a/", "::a", "`", "a@", "a/@1", "a=="])
def test_a_text_made_to_be_tried_in_every_way_is_read_in_one_go(unit: str) -> None:
    """Twenty thousand dashes took ten seconds while each was a beginning of its own."""
    for end in ("", "!x", "é"):
        assert len(entities(unit * (20_000 // len(unit)) + end)) <= MOST
