"""Who is let in at the open port and how often: decisions without a port."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from aftermind.cli.store_folder.belongings import belongings
from aftermind.cli.web.allowance import AT_ONCE, REMEMBERED, Allowance
from aftermind.cli.web.asking import Unfit, place_told
from aftermind.cli.web.figures import Figure, written
from aftermind.cli.web.guarding import LOOPBACK, client_of, foreign, is_known, names_of
from aftermind.cli.web.token import FILE, token_of


@given(
    rate=st.integers(1, 1000),
    gaps=st.lists(st.floats(0, 5, allow_nan=False), min_size=1, max_size=200),
)
def test_nobody_is_allowed_more_than_the_rate_and_what_comes_together(rate, gaps):
    allowance, now, taken = Allowance(rate), 0.0, 0
    for gap in gaps:
        now += gap
        wait = allowance.wait("one", now)
        taken += not wait
        assert taken <= rate * AT_ONCE + now * rate + 1
    assert allowance.wait("one", now + 3600) == 0


def test_who_waits_as_long_as_he_was_told_may_ask():
    allowance = Allowance(2)
    while not (wait := allowance.wait("one", 0.0)):
        pass
    assert allowance.wait("one", float(wait)) == 0
    for n in range(REMEMBERED * 2):
        allowance.wait(f"client {n}", 1.0)
    assert allowance.wait("one", -5.0) == 0  # forgotten; and a clock that goes back gives nothing and breaks nothing


@pytest.mark.parametrize(
    ("address", "client"),
    [
        *((address, LOOPBACK) for address in ("127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "", "nonsense")),
        ("10.0.0.7", "10.0.0.7"),
        ("::ffff:10.0.0.7", "10.0.0.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002"),
        ("fe80::1%eth0", "fe80:0000:0000:0000"),
    ],
)
def test_an_address_is_one_client_however_many_ports_and_names_it_has(address, client):
    assert client_of(address) == client


def test_the_names_of_an_address_are_its_own():
    assert set(names_of("127.0.0.1", 80)) == {
        *("127.0.0.1:80", "localhost:80", "[::1]:80"),
        "127.0.0.1",
        "localhost",
        "[::1]",
    }
    assert names_of("10.0.0.7", 8000) == ("10.0.0.7:8000",)
    assert names_of("::1", 8000)[0] == "[::1]:8000"
    assert foreign({"host": ["127.0.0.1:1", "127.0.0.1:1"]}, names_of("127.0.0.1", 1)) is not None
    assert foreign({}, names_of("127.0.0.1", 1)) is not None


@given(st.text(max_size=50))
def test_no_word_is_a_token_that_is_not_there(said):
    assert not is_known({"authorization": [f"Bearer {said}"]}, "")
    assert not is_known({"authorization": [said, "Bearer right"]}, "right")
    assert is_known({"authorization": [f"bearer {'right'}"]}, "right")


@given(st.text(), st.text())
def test_a_place_is_an_absolute_path_or_refused(header, query):
    try:
        said = place_told({"aftermind-project": [header]}, {"project": [query]})
    except Unfit:
        return
    assert said.project == "" or (said.project.startswith("/") and ".." not in said.project.split("/"))


@given(st.dictionaries(st.text(min_size=1), st.floats(0, 1e9, allow_nan=False), min_size=1))
def test_whatever_a_label_says_the_figures_are_read_back(values):
    samples = tuple(("", (("what", name),), value) for name, value in values.items())
    text = written([Figure(name="made_up", about="Made up.", kind="gauge", samples=samples)])
    (family,) = text_string_to_metric_families(text)
    assert {sample.labels["what"]: sample.value for sample in family.samples} == values


def test_the_token_belongs_to_the_store_and_goes_with_it(tmp_path):
    token = token_of(tmp_path)
    assert token_of(tmp_path) == token
    assert token_of(tmp_path, new=True) != token
    there = belongings(tmp_path)
    assert (there.foreign, there.ours) == ((), (tmp_path / FILE,))
