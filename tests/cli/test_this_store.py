"""Whatever command is printed as a next step, it works on the store that was named, and on no other."""

from __future__ import annotations

import re

import pytest
from tests.cli.test_terminal import on_a_terminal
from tests.windows import lines

from aftermind.cli.terminal.this_store import home_in, is_of, of_this_store

COMMAND = re.compile(r"`aftermind ([^`]+)`")


@pytest.fixture
def other(cli, place):
    """A store that is not the configured one, with a memory in it."""
    folder = place / "other one"
    assert cli("remember", "Staging listens on port 8081", "--home", str(folder)).status == 0
    return folder


def commands(text: str) -> list[str]:
    """Those that are printed; that there is one at all is part of what is tested."""
    found = COMMAND.findall(text)
    assert found
    return found


def emptied(folder) -> None:
    """The log is lost; the views, which grew from it, are there."""
    (folder / "log.db").write_bytes(b"")
    (folder / "log.db-wal").unlink(missing_ok=True)


def test_the_doctor_of_a_store_never_names_a_command_for_another(cli, other):
    emptied(other)
    named = f"--home '{other}'"
    told = cli("doctor", "--home", str(other)).out
    assert {f"{named} repair", f"{named} reset"} <= set(commands(told))
    assert all(named in one for one in commands(told))
    as_json = "".join(
        one["found"] + one["mend"] for one in cli("--home", str(other), "doctor", "--json").json["findings"]
    )
    assert all(named in one for one in commands(as_json))


@pytest.mark.parametrize(
    "words",
    [
        ("status",),
        ("stats", "--nonsense"),
        ("verify", "--quick"),
        ("reset", "--dry-run"),
        ("reset",),
        ("blocker", "add", "The quota is used up"),
        ("show", "nope"),
        ("forget",),
        ("model", "status"),
        ("sidecar", "status"),
        ("pause",),
        ("logs",),
    ],
    ids=" ".join,
)
def test_every_command_names_the_store_in_its_next_steps(cli, other, words):
    for place in (("--home", str(other), *words), (*words, f"--home={other}")):
        ran = cli(*place)
        for one in COMMAND.findall(ran.out + ran.err):
            assert f"--home '{other}'" in one or "--help" in one


def test_so_do_sentences_errors_and_the_lines_of_a_terminal(cli, other, process):
    named = f"--home '{other}'"
    assert f"`aftermind {named} start`" in cli("status", "--home", str(other)).out
    assert f"`aftermind {named} search WORDS`" in cli("show", "nope", "--home", str(other), "--json").err
    assert (
        f"`aftermind {named} start`" in on_a_terminal(process, "search", "port", "--home", str(other), columns=200)[1]
    )
    (other / "log.db").write_bytes((other / "log.db").read_bytes() + b"xx")
    repaired = cli("repair", "--yes", "--home", str(other)).out
    assert f"Repaired. `aftermind {named} verify` looks again." in repaired


@pytest.mark.parametrize("words", [("--home", ""), ("--home=",), ("--home", "  ")])
def test_an_empty_word_as_of_a_variable_that_is_not_set_is_no_store(cli, place, words):
    for line in ((*words, "remember", "x"), ("remember", "x", *words)):
        refused = cli(*line)
        assert (refused.status, refused.out) == (2, "")
        assert "--home: an empty word names no store" in refused.err
    assert not (place / "work" / "log.db").exists()
    assert not (place / "store" / "log.db").exists()


def test_a_variable_that_no_shell_has_read_is_no_store(cli, place):
    refused = cli("--home", "$HOME/memory", "remember", "x")
    assert (refused.status, refused.out) == (2, "")
    assert "no shell has read the variable in '$HOME/memory'" in refused.err
    assert not list(place.glob("**/$HOME"))


def test_a_store_of_a_run_before_is_named_no_more(cli, other):
    assert "--home" in cli("status", "--home", str(other)).out
    assert "--home" not in cli("status").out


def test_a_projects_own_store_is_named_when_it_is_purged(cli, place, home, monkeypatch):
    monkeypatch.delenv("AFTERMIND_HOME")
    assert cli("init", "--cursor", "--project", "--no-input").status == 0
    store = place / "work" / ".aftermind"
    assert cli("remember", "Staging is down", "--home", str(store)).status == 0
    said = cli("uninstall", "--project", "--purge", "--dry-run").out
    assert f"`aftermind --home {store} reset --export FILE`" in said


def test_a_memory_is_printed_as_it_is(cli, other):
    text = "Run `aftermind reset` after the workshop"
    id = cli("remember", text, "--home", str(other), "--json").json["id"]
    for words in (("show", id), ("search", "workshop"), ("log",), ("context", "what after the workshop?")):
        assert "`aftermind reset`" in cli(*words, "--home", str(other)).out


def test_so_it_is_where_it_goes_or_comes_back(cli, other):
    text, here = "Run `aftermind reset` after the workshop", ("--home", str(other))
    id = cli("remember", "Run nothing after the workshop", *here, "--json").json["id"]
    cli("correct", id, text, *here)
    assert f"{id}  (work) {text}\n" in cli("forget", id, "--dry-run", *here).out
    first, second = cli("undo", *here).out.splitlines()
    assert first.endswith(f": corrected: {text}")
    assert second.startswith(f"  (`aftermind --home '{other}' undo ")


def test_so_it_is_where_it_holds_again_because_its_successor_went(cli, other):
    here = ("--home", str(other))
    cli("remember", "The owner of `aftermind reset` is Priya", *here)
    new = cli("remember", "The owner of `aftermind reset` is Tom", *here, "--json").json["id"]
    told = cli("forget", new, "--dry-run", *here).out
    assert "is so again, which it had taken the place of: The owner of `aftermind reset` is Priya\n" in told


def test_what_an_undo_is_undone_by_is_of_this_store_in_a_list_too(cli, other):
    cli("undo", "--home", str(other))
    named = f"`aftermind --home '{other}' undo "
    assert named in cli("undo", "--list", "--home", str(other)).out
    assert cli("undo", "--list", "--home", str(other), "--json").json[0]["hint"].startswith(named)


def test_what_a_window_is_told_for_its_user_is_of_the_store_it_is_on(cli, store):
    """Nobody else knows which that is: a project may have its own one."""
    assert cli("pause", "--everywhere").status == 0
    with lines(store, work=store.parent / "work") as pipe:
        pipe.initialize()
        said = pipe.call(1, "add_to_memory_bank", text="Staging listens on port 8081")["content"][0]["text"]
    assert "the user can mend it: `aftermind --home" in said
    assert {f"--home {store} {one.split(' ')[2]}" for one in commands(said)} == {f"--home {store} resume"}


def test_a_name_in_a_command_can_be_copied(cli, place):
    cli("remember", "x", "--project", "the shop")
    assert "`aftermind project unshare 'the shop'` ends that" in cli("project", "share", "the shop").out


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("`aftermind stats` counts", "`aftermind --home /s stats` counts"),
        ("`aftermind stop`, then `aftermind start`", "`aftermind --home /s stop`, then `aftermind --home /s start`"),
        ('`eval "$(aftermind hook) prompt"` runs it', '`eval "$(aftermind --home /s hook) prompt"` runs it'),
        ("`aftermind show m1 --home /t` has it", "`aftermind show m1 --home /t` has it"),
        ("`aftermind --home /t show m1` has it", "`aftermind --home /t show m1` has it"),
        ("`aftermind recall --help` lists more", "`aftermind recall --help` lists more"),
        ("AFTERMIND_HOME=FOLDER aftermind …", "AFTERMIND_HOME=FOLDER aftermind …"),
        ("it said “run `aftermind reset`” there", "it said “run `aftermind reset`” there"),
        ("a program called aftermind runs", "a program called aftermind runs"),
    ],
)
def test_only_a_command_that_names_no_store_gets_one(said, printed):
    is_of("/s")
    try:
        assert of_this_store(said) == of_this_store(printed) == printed
    finally:
        is_of("")
    assert of_this_store(said) == said


@pytest.mark.parametrize(
    ("words", "home"),
    [
        (("--home", "/s", "stats"), "/s"),
        (("stats", "--home=/s"), "/s"),
        (("--home", "/s", "stats", "--home", "/t"), "/t"),
        (("remember", "--", "--home", "/s"), ""),
        (("stats", "--home"), ""),
        (("stats",), ""),
        ((), ""),
    ],
)
def test_the_store_is_read_from_the_words_even_where_they_are_not_understood(words, home):
    assert home_in(words) == home
