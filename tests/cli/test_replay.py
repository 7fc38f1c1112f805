"""`replay`: what was known at a moment, asked by the commands that ask what is known now."""

from __future__ import annotations

import json
import signal
import time

import pytest

EXCHANGE = b'{"prompt": "how do we deploy the billing service?", "answer": "make deploy-billing"}'


@pytest.fixture
def told(cli):
    """Three moments of a store, by their positions: one fact, another wording, an exchange with its briefing."""
    id = cli("remember", "We deploy billing with make deploy", "--json").json["id"]
    one = cli("stats", "--json").json["head"]
    cli("correct", id, "We deploy billing with just deploy")
    two = cli("stats", "--json").json["head"]
    cli("context", "how is billing deployed", "--session", "s1")
    cli("record", "--session", "s1", stdin=EXCHANGE)
    return id, one, two


def files(place):
    """All but what SQLite lays beside a file that is read."""
    beside = ("-shm", "-wal")
    found = (path for path in (place / "store").rglob("*") if path.is_file() and not path.name.endswith(beside))
    return {path: path.read_bytes() for path in found}


def test_a_moment_is_searched_as_it_was_and_the_store_stays_as_it_is(cli, place, told):
    id, one, two = told
    cli("stats")  # whatever opening it does is done
    before = files(place)
    then = cli("replay", "--until", str(one), "search", "deploy", "billing", "--json").json
    assert [(hit["id"], hit["text"]) for hit in then] == [(id, "We deploy billing with make deploy")]
    assert "just deploy" in cli("replay", "--until", str(two), "search", "deploy billing").out
    assert (
        cli("replay", "--until", "0", "search", "deploy").out
        == "Nothing is relevant to that. `--all` shows the weak matches too.\n"
    )
    assert cli("replay", "--until", str(one), "show", id).out.endswith("make deploy\n")
    assert "make deploy" in cli("replay", "--until", str(one), "context", "deploy billing how").out
    assert cli("replay", "--until", str(one), "context", "deploy billing how", "--json").json["injection"]
    assert cli("replay", "--until", str(one), "stats", "--json").json["events"] == one
    assert files(place) == before
    assert not (place / "store" / "past").exists()


def test_without_a_command_it_says_what_there_was(cli, told):
    _, one, two = told
    assert f"position {one}: 2 events." in cli("replay", "--until", str(one)).out.replace(f"{one} events", "2 events")
    found = cli("replay", "--until", str(two), "--json").json
    assert found["position"] == two
    assert found["collections"]["memory_bank"] == 1
    assert cli("replay", "--json").json["sessions"] == 1


def test_what_is_chosen_is_as_if_nothing_else_was_recorded(cli, told):
    id, *_ = told
    assert cli("replay", "--type", "memory-recorded", "show", id).out.endswith("make deploy\n")
    assert cli("replay", "--stream", f"memory-{id}", "--json").json["collections"]["working"] == 0
    assert cli("replay", "--session", "s1", "--json").json["collections"]["memory_bank"] == 0


def test_the_events_are_printed_as_lines(cli, told):
    id, one, _ = told
    first, *lines, last = map(json.loads, cli("replay", "--stream", f"memory-{id}", "--as-jsonl").out.splitlines())
    assert first["aftermind"] == "events"
    assert first["filters"] == {"stream": f"memory-{id}"}
    assert [line["tag"] for line in lines] == ["memory-recorded", "memory-corrected"]
    assert last["events"] == 2
    until = cli("replay", "--until", str(one), "--as-jsonl").out.splitlines()
    assert len(until) == one + 2


def test_a_moment_is_kept_as_a_store_of_its_own(cli, place, told):
    id, one, _ = told
    kept = cli("replay", "--until", str(one), "--keep", str(place / "then"), "--json").json
    assert kept["events"] == kept["position"] == one
    assert cli("--home", str(place / "then"), "show", id).out.endswith("make deploy\n")
    assert cli("--home", str(place / "then"), "verify").status == 0
    again = cli("replay", "--keep", str(place / "then"))
    assert again.status == 5
    assert "not empty" in again.err


def test_what_was_forgotten_since_is_not_there_either(cli, place, told):
    id, one, _ = told
    cli("forget", "--yes", id)
    assert "Nothing is relevant" in cli("replay", "--until", str(one), "search", "deploy", "billing").out
    assert "make deploy\\" not in (lines := cli("replay", "--until", str(one), "--as-jsonl").out)
    assert "We deploy" not in lines
    cli("replay", "--until", str(one), "--keep", str(place / "then"))
    assert b"We deploy" not in b"".join(path.read_bytes() for path in (place / "then").rglob("*") if path.is_file())
    assert cli("--home", str(place / "then"), "verify").status == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--until", "99999"), "the log ends at position"),
        (("--until", "someday"), "that is no moment"),
        (("--type", "memory-score"), "memory-scored"),
        (("--project", "nowhere"), "no project"),
        (("serch", "x"), "did you mean search?"),
        (("forget", "x"), "cannot be asked of the past"),
        (("--as-jsonl", "search"), "only one of"),
        (("--keep", "f", "--session", "s"), "a store that is kept is whole"),
    ],
)
def test_what_cannot_be_is_refused(cli, told, words, said):
    found = cli("replay", *words)
    assert found.status in (2, 3)
    assert said in found.err


def test_there_must_be_a_store(cli):
    assert cli("replay").status == 5


def test_a_store_that_is_named_behind_the_command_is_the_one_that_is_asked(cli, place, told):
    other = str(place / "other")
    assert cli("remember", "Production listens on port 9090", "--home", other).status == 0
    for words in (("search", "port", "--home", other), ("--home", other, "search", "port")):
        answer = cli("replay", *words).out
        assert ("9090" in answer, "billing" in answer) == (True, False)


def test_the_help_of_a_command_in_the_past_is_its_own(cli):
    assert "aftermind replay search" in cli("replay", "search", "--help").out


def test_what_if_is_told_in_a_table_and_for_each_prompt(cli, place, told):
    id, *_ = told
    cli("score", "worked", "--session", "s1", "--memory", id)
    (place / "other.toml").write_text("floor = 0.99\none_word_told = 0.99\nnear_floor = 1.0\nasked_floor = 1.0\n")
    policy = ("replay", "--policy", str(place / "other.toml"))
    out = cli(*policy, "--each").out
    assert "1 prompt asked again, each with what was known at its moment: floor 0.99 instead of 0.1," in out
    assert "1 it drops, 1 had worked there and 0 failed" in out
    assert f"- {id} (worked)" in out
    found = cli(*policy, "--json", "--last", "5").json
    assert (found["prompts"], found["dropped"]["worked"], found["each"]) == (1, 1, [])
    assert "shows the same for every prompt" in cli("replay", "--model", "static").out
    nobody = cli(*policy, "--session", "nobody")
    assert (nobody.status, "no session with the id" in nobody.err) == (3, True)
    assert "--last and --each" in cli("replay", "--each").err
    assert "cannot be used" in cli("replay", "--model", "no/such-model").err


def test_a_damaged_log_is_named_and_nothing_of_the_past_is_left(cli, place, told):
    log = place / "store" / "log.db"
    cli("stats")
    data = bytearray(log.read_bytes())
    place_of = data.index(b"make deploy")
    data[place_of : place_of + 4] = b"MAKE"
    log.write_bytes(data)
    for words in (("replay", "search", "deploy"), ("diff", "0"), ("timeline", "deploy")):
        found = cli(*words)
        assert found.status == 7
        assert "is not what was recorded; intact up to position" in found.err
    assert not (place / "store" / "past").exists()


def test_ctrl_c_leaves_nothing_of_the_past(place, process, cli, told):
    """Of a real process, which is interrupted while it asks."""
    past = place / "store" / "past"
    running = process("replay", "context", "-")
    while not (past.is_dir() and any(past.iterdir())):
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    running.communicate()
    assert running.returncode == 130
    assert not past.exists()


def test_a_query_of_the_past_says_of_when_it_is_and_what_was_not_there_yet(cli, told):
    id, *_ = told
    asked = cli("replay", "--until", "0", "search", "deploy")
    assert "position 0, before anything was recorded" in asked.err
    absent = cli("replay", "--until", "0", "show", id)
    assert (absent.status, "not yet then: it was recorded at position" in absent.err) == (3, True)
    assert "no daemon runs" not in cli("replay", "--until", "3", "stats").out
    for words in (("--from", "3", "--to", "2"), ("--until", "2999-01-01")):
        assert cli("replay", *words, "search", "deploy").status == cli("diff", "3", "2").status
    assert "still to come" in cli("diff", "0", "2999-01-01").err
    assert "no session 'nosuch'" in cli("export", "--session", "nosuch").err


def test_what_was_meant_is_told_to_who_scores_a_memory_or_imports_rules_or_asks_of_a_book(cli, place, told):
    id, *_ = told
    assert f"`aftermind score --memory {id}=worked`" in cli("score", "worked", id).err
    (place / "CLAUDE.md").write_text("# Rules\n\n- Never commit to `main` directly.\n")
    assert f"`aftermind import rules {place / 'CLAUDE.md'}`" in cli("import", str(place / "CLAUDE.md")).err
    (place / "guide.md").write_text("# Guide\n\nStaging has port 99.\n")
    assert "1 chunk" in cli("ingest", str(place / "guide.md")).out
    (book,) = cli("books", "--json").json
    for command in ("why", "timeline"):
        assert "that is a book: `aftermind books`" in cli(command, book["id"]).err
