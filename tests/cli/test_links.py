"""Links by the command line: said, taken back, undone, walked, and told where a memory is shown or searched for."""

from __future__ import annotations

import pytest

TEXTS = ("The gate opens at dawn", "Zebras cross by noon", "Lamps burn until dusk")


@pytest.fixture
def three(cli):
    return [cli("remember", text, "--json").json["id"] for text in TEXTS]


def test_a_link_is_said_walked_and_undone(cli, three):
    one, two, last = three
    said = cli("link", one, "supports", two, "--because", "the same log")
    assert (said.status, said.out) == (0, f"{one} supports {two}.\n")
    assert cli("link", one, "supports", two).out.startswith("Known already: ")
    cli("link", two, "same-entity", last)
    walked = cli("links", one, "--depth", "2").out.splitlines()
    assert walked == [
        one,
        f"  supports: {two}  Zebras cross by noon (on the words “the same log”)",
        f"    same entity: {last}  Lamps burn until dusk",
    ]
    found = cli("links", one, "--depth", "2", "--relation", "supports", "--json").json
    assert [(link["relation"], link["of"], link["id"], link["depth"]) for link in found["links"]] == [
        ("supports", one, two, 1)
    ]
    assert cli("unlink", one, "supports", two).out == f"Taken back: {one} supports {two}.\n"
    assert cli("links", one, "--json").json["links"] == []
    assert cli("unlink", one, "supports", two).status == 3
    assert cli("undo").status == 0
    assert two in cli("links", one).out


def test_what_is_reached_twice_goes_on_below_the_shorter_way(cli, three):
    one, two, last = three
    cli("link", one, "contradicts", two)
    cli("link", two, "same-entity", last)
    cli("link", last, "supports", one)
    end = cli("remember", "Wells dry out in August", "--json").json["id"]
    cli("link", last, "follows", end)
    walked = cli("links", one, "--depth", "2").out.splitlines()
    indents = {line.split(": ")[1].split()[0]: len(line) - len(line.lstrip()) for line in walked[1:]}
    assert walked[1].startswith(f"  contradicts: {two}")
    assert indents[end] == 4  # two links away, whatever else leads to what it is linked with


def test_a_memory_is_shown_with_what_is_around_it(cli, three):
    one, two, last = three
    cli("link", one, "contradicts", two)
    cli("link", two, "follows", last)
    assert f"\nlinks\n  contradicts: {two}  Zebras cross by noon\n" in cli("show", one).out
    assert last not in cli("show", one).out
    assert f"    follows: {last}" in cli("show", one, "--depth", "2").out
    assert two not in cli("show", one, "--depth", "0").out
    shown = cli("show", one, "--json").json
    assert [(link["relation"], link["id"]) for link in shown["links"]] == [("contradicts", two)]
    assert shown["more_links"] is False


def test_a_search_tells_what_is_around_its_hits_and_links_are_counted(cli, three):
    one, two, _ = three
    cli("link", two, "supports", one)
    found = cli("search", "when does the gate open", "--with-links", "--json").json
    assert [hit["id"] for hit in found] == [one, two]
    assert cli("search", "when does the gate open", "--with-links").out.splitlines()[2].startswith("linked")
    assert "links     supports 1" in cli("stats").out
    counted = cli("links").out.splitlines()
    assert counted[0] == "supports  1"
    assert counted[-1].startswith(f"  {one}  1 link") or counted[-1].startswith(f"  {two}  1 link")
    assert cli("links", "--json", "--all").json["relations"] == {"supports": 1}


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("link", "ID", "loves", "OTHER"), 2),
        (("link", "ID", "supports", "m0000000000000000"), 3),
        (("links", "ID", "--depth", "9"), 2),
        (("links", "ID", "--relation", "loves"), 2),
        (("links", "ID", "--all"), 2),
        (("links", "never-heard-of.py"), 3),
        (("search", "--with-links"), 2),
        (("link", "ID", "supports", "ID"), 4),
    ],
)
def test_what_cannot_be_says_what_helps(cli, three, words, status):
    named = {"ID": three[0], "OTHER": three[1]}
    ran = cli(*(named.get(word, word) for word in words))
    assert (ran.status, len(ran.err.splitlines())) == (status, 2), ran.err


def test_a_walk_of_then_is_what_it_was(cli, three):
    one, two, _ = three
    before = cli("log", "--json").out.count('"position"')
    cli("link", one, "supports", two)
    assert cli("replay", "links", one, "--json").json["links"]
    assert cli("replay", "--until", str(before), "links", one, "--json").json["links"] == []
