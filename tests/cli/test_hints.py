"""What was misspelt, mistaken or left out: the next step is named."""

from __future__ import annotations

import pytest

from aftermind.cli.main import COMMANDS
from aftermind.cli.terminal.arguments import MEANINGS
from aftermind.engine.names import KINDS

EXCHANGE = b'{"prompt": "how do we deploy?", "answer": "make deploy"}'


@pytest.mark.parametrize(
    ("words", "what", "hint"),
    [
        (("score", "wroked"), "no outcome 'wroked'", "did you mean worked?"),
        (("search", "x", "--kind", "pref"), "no kind 'pref'", "did you mean preference?"),
        (("search", "x", "--collection", "membank"), "no collection 'membank'", "did you mean memory_bank?"),
        (("search", "x", "--kind", "zzz"), "no kind 'zzz'", "the kinds are: exchange, fact"),
        (("consolidate", "--only", "other"), "--only is not 'other'", "it is one of: same, stale"),
        (("search", "x", "--knd", "fact"), "no option --knd", "did you mean --kind?"),
        (("remember", "x", "--colection=books"), "no option --colection", "did you mean --collection"),
        (("--jsn", "stats"), "no option --jsn", "did you mean --json?"),
        (("config", "gte"), "no action 'gte'", "did you mean get?"),
        (("completion", "bsh"), "no shell 'bsh'", "did you mean bash"),
        (("import", "x", "--format", "opncode"), "no format 'opncode'", "did you mean opencode?"),
        (("search", "a", "--limit", "3", "b"), "more words than fit: b", "options before or after"),
        (("remember", "a", "--kind", "fact", "--", "--b"), "more words than fit: -- --b", "options before or after"),
        (("books", "list"), "more words than fit: list", "`aftermind books --help`"),
        (("backup", "list"), "no folder 'list' here", "`aftermind backup --list`"),
        (("hlep",), "no command 'hlep'", "did you mean `aftermind help`?"),
        (("serch",), "no command 'serch'", "did you mean `aftermind search`?"),
        (("Search",), "no command 'Search'", "did you mean `aftermind search`?"),
        (("queue", "add", " "), "an item must not be empty", "`aftermind queue add TEXT`"),
        (("context", "--budget", "5", "x"), "a whole number of at least 100 is expected, not '5'", "--help"),
        (("help", "seach"), "no command 'seach'", "did you mean `aftermind search`?"),
    ],
)
def test_a_misspelt_word_names_the_one_that_may_have_been_meant(cli, words, what, hint):
    refused = cli(*words)
    first, second = refused.err.splitlines()
    assert (refused.status, refused.out) == (2, "")
    assert what in first
    assert hint in second


def test_help_is_a_command_too(cli):
    assert cli("help").out == cli("help", "help").out == cli("--help").out
    assert cli("help", "remember").out == cli("remember", "--help").out
    assert cli("help", "config", "set").out == cli("config", "set", "--help").out


@pytest.mark.parametrize("name", [name for name, _ in COMMANDS])
def test_help_fits_a_terminal_of_80_columns(cli, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    shown = cli(name, "--help").out + cli("--help").out
    assert [line for line in shown.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("name", ["remember", "search", "correct", "context", "log", "config", "score"])
def test_the_help_of_what_is_used_most_has_examples(cli, name):
    assert f"examples:\n  aftermind {name} " in cli(name, "--help").out


def test_the_kinds_are_explained_where_they_can_be_said(cli):
    assert set(MEANINGS) == set(KINDS)
    for name in ("remember", "search"):
        shown = cli(name, "--help").out
        assert all(f"  {kind} " in shown and meaning in shown for kind, meaning in MEANINGS.items())


def test_help_names_the_folder_of_the_store_and_the_keys_of_the_configuration(cli, monkeypatch):
    monkeypatch.setattr("aftermind.cli.config.default_home", lambda: "/data/aftermind")
    assert "/data/aftermind" in cli("stats", "--help").out
    shown = cli("config", "--help").out
    assert "ranking.limit " in shown
    assert "lifecycle.history_days " in shown


def test_an_exchanges_id_is_told_from_a_memorys(cli):
    exchange = cli("record", "--json", stdin=EXCHANGE).json
    for command in ("lock", "promote"):
        refused = cli(command, exchange["id"])
        assert (refused.status, "that is an exchange's id" in refused.err) == (3, True)
    refused = cli("score", "worked", "--exchange", exchange["memory"])
    assert (refused.status, "that is a memory's id" in refused.err) == (3, True)
    assert f"--memory {exchange['memory']}" in refused.err


def test_correct_says_that_the_id_comes_first(cli):
    id = cli("remember", "We deploy by hand", "--json").json["id"]
    refused = cli("correct", "We", "deploy", "with", "make", f"[{id}]")
    assert refused.status == 2
    assert f"the id comes first: `aftermind correct {id} TEXT`" in refused.err


@pytest.mark.parametrize("command", ["search", "remember", "context", "stats", "record"])
def test_a_folder_that_is_not_there_is_no_project(cli, place, command):
    cli("remember", "We deploy by hand")
    given = [] if command in ("stats", "record") else ["deploy"]
    refused = cli(command, *given, "--project", "./typo/", stdin=EXCHANGE)
    assert refused.status == 2
    assert f"there is no folder {place / 'work' / 'typo'}" in refused.err
    assert "`--project .`" in refused.err
    assert list(cli("stats", "--json").json["projects"].values()) == ["work"]


def test_reading_from_an_unknown_project_says_so_and_goes_on(cli):
    cli("remember", "We deploy by hand", "--project", "webshop")
    cli("remember", "We deploy by hand", "--project", "blog")
    said = "there is no project called 'nope' yet; known: blog, webshop\n"
    for words in (("search", "deploy"), ("stats",), ("context", "deploy")):
        ran = cli(*words, "--project", "nope")
        assert (ran.status, ran.err) == (0, said)
    assert cli("search", "deploy", "--project", "Webshop").err == ""
    assert cli("score", "worked", "--project", "shop").err.startswith("there is no project called 'shop' yet")


WRITES = [
    ("pause",),
    ("resume",),
    ("forget", "--yes"),
    ("consolidate", "--apply"),
    ("archive", "--tag", "old", "--yes"),
    ("undo",),
    ("blocker", "resolve", "--evidence", "it rings", "till"),
    ("session", "resume"),
    ("session", "export"),
    ("project", "show"),
    ("sidecar", "rescore", "--scorer", "rules", "--since", "7d"),
    ("summarize", "--dry-run"),
    ("export",),
]


@pytest.mark.parametrize("words", WRITES, ids=lambda words: " ".join(words[:2]))
def test_what_is_asked_of_a_project_that_nobody_knows_by_that_name_is_refused(cli, words):
    """What is there was misspelt then: nothing becomes of a new project, nor of what is global."""
    cli("remember", "the till is red", "--tag", "old", "--global")
    cli("remember", "The till is red!", "--tag", "old", "--global")
    cli("remember", "The till is broken", "--kind", "blocker", "--global")
    cli("remember", "We deploy by hand", "--project", "checkout")
    before = cli("log", "--json", "--limit", "1").out
    last = [] if words[0] == "project" else ["--project"]
    refused = cli(*words, *last, "chekout")
    assert (refused.status, refused.out) == (3, ""), refused
    assert "no project" in refused.err
    assert "known: checkout" in refused.err
    assert cli("log", "--json", "--limit", "1").out == before
    assert list(cli("stats", "--json").json["projects"].values()) == ["checkout"]


def test_nothing_is_merged_for_a_folder_that_nothing_was_kept_of(cli, place):
    """What is global is not that folder's own."""
    cli("remember", "the till is red", "--tag", "old", "--global")
    (place / "new").mkdir()
    archived = cli("archive", "--tag", "old", "--yes", "--project", str(place / "new"))
    assert archived.status == 0
    assert len(cli("search", "till", "--json").json) == 1
    assert cli("pause", "--project", str(place / "new")).status == 0, "before anything is captured there"


def test_empty_standard_input_is_called_so(cli):
    for words in (("record",), ("remember", "-"), ("correct", "m0", "-")):
        refused = cli(*words)
        assert (refused.status, "standard input was empty" in refused.err) == (2, True)


def test_what_there_is_none_of_yet_has_no_id_that_nobody_said(cli, home, place):
    assert cli("remember", "xylophone").status == 0
    for words, told in (
        (("backup", "--verify"), f"there is no backup of {place / 'store'} yet"),
        (("restore", "latest", "--yes"), f"there is no backup of {place / 'store'} yet"),
        (("session", "export"), "there is no session in this project yet"),
        (("session", "export", "--all"), "there is no session in any project yet"),
    ):
        refused = cli(*words)
        assert (refused.status, told in refused.err, "with the id" in refused.err) == (3, True, False), refused.err


@pytest.mark.parametrize("program", ["roampal", "opencode-semantic-memory", "agentmemory", "claude-mem", "ocm"])
def test_a_program_that_is_not_there_is_told_with_the_folder_that_was_looked_into(cli, home, program):
    refused = cli("import", program)
    folder = refused.err.splitlines()[0].rpartition(": ")[2].strip("'")
    assert refused.status == 2
    assert folder.startswith(f"{home}/"), refused.err


def test_resume_says_what_it_does_and_not_what_a_pause_does(cli):
    told = cli("help", "resume").out
    assert "are captured again" in told
    assert "Nothing of prompts" not in told
    assert "Nothing of prompts" in cli("help", "pause").out


def test_remember_says_what_it_replaced_to_programs_too(cli):
    old = cli("remember", "Staging listens on port 8080", "--kind", "configuration", "--json").json
    new = cli("remember", "Staging listens on port 8081", "--kind", "configuration", "--json").json
    assert (old["replaced"], new["replaced"]) == ([], [old["id"]])
