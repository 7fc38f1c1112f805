"""pause and resume as they are typed, and everybody who tells of it: with a daemon and without one, by every door."""

from __future__ import annotations

import json
import sqlite3
from argparse import ArgumentTypeError
from datetime import timedelta

import pytest
from tests.daemons import daemon, none_left, wait_until
from tests.documents import pdf
from tests.hooked import hooked, kept, said

from aftermind.cli.terminal.arguments import stretch

PROMPT = said("Which port does staging listen on?")


def head(store) -> int:
    with sqlite3.connect(f"file:{store / 'log.db'}?mode=ro", uri=True) as connection:
        return connection.execute("SELECT max(position) FROM event").fetchone()[0]


def test_a_pause_acts_at_once_in_the_daemon_and_through_the_hook_and_outlives_it(cli, place, store):
    """The hook prints nothing and ends with 0, live and out of the spool; --check tells why."""
    work = {"cwd": place / "work"}
    with none_left(store):
        with daemon(store):
            assert cli("remember", "Staging listens on port 8081").status == 0
            assert b"8081" in hooked(store, "json", "prompt", stdin=PROMPT, **work).out
            paused = cli("pause")
            assert paused.out.startswith("Paused in work (since ")
            before = head(store)
            assert hooked(store, "json", "prompt", stdin=PROMPT, **work).out == b""
            assert hooked(store, "json", "turn", stdin=said(answer="8081"), **work).out == b""
            assert hooked(store, "json", "end", stdin=said(), **work).out == b""
            wait_until(lambda: not kept(store), "nothing waits")
            checked = cli("hook", "--check", "prompt", stdin=PROMPT)
            assert "withheld  capture is paused in this project since" in checked.out
            assert "capture is paused" in cli("hook", "--check", "prompt", "--json", stdin=PROMPT).json["withheld"]
            assert "paused    in work" in cli("status").out
            assert cli("status", "--json").json["paused"][0]["project"] == "work"
            context = cli("context", "Which port does staging listen on?")
            assert (context.status, context.out) == (0, "")
            assert "Nothing is shown: capture is paused" in context.err
            refused = cli("record", stdin=PROMPT)
            assert (refused.status, "aftermind resume --project" in refused.err) == (4, True)
            assert "8081" in cli("search", "staging", "port").out
            assert head(store) == before
        assert cli("status").status == 3
        assert "Paused in work" in cli("status").out
        hooked(store, "json", "turn", stdin=said(answer="8081"), **work)  # nobody answers: it waits, and is dropped
        wait_until(lambda: not kept(store), "what waited is dropped")
        assert cli("resume").out.startswith("Resumed in this project.")
        assert "cheap" not in cli("search", "deploy", "billing").out
        assert cli("stats", "--json").json["collections"]["working"] == 0
        assert b"8081" in hooked(store, "json", "prompt", stdin=PROMPT, **work).out


def test_pause_and_resume_tell_what_holds(cli, place, store):
    assert cli("resume").status == 5
    cli("remember", "the till is red", "--project", "shop")
    everywhere = cli("pause", "--everywhere", "--for", "2h")
    assert everywhere.out.startswith("Paused everywhere until ")
    assert "`aftermind resume --everywhere` ends it" in everywhere.out
    named = cli("pause", "--project", "shop", "--json").json
    assert (named["project"], named["until"]) == ("shop", None)
    found = {one["looked_at"]: one for one in cli("doctor", "--json").json["findings"]}
    assert found["pauses"]["level"] == "note"
    assert "Paused everywhere until" in found["pauses"]["found"]
    assert "Paused in shop" in found["pauses"]["found"]
    assert "nothing is paused" not in cli("doctor").out
    told = cli("resume").out.splitlines()
    assert told[0] == "It was not paused in this project."
    assert [line.split(" (")[0].split(" until")[0] for line in told[1:]] == ["Paused everywhere", "Paused in shop"]
    ended = cli("resume", "--everywhere", "--json").json
    assert ended["resumed"] is True
    assert [one["project"] for one in ended["limits"]["paused"]] == ["shop"]
    assert cli("resume", "--project", "shop").out == "Resumed in this project.\n"
    assert "paused" not in cli("status").out.lower()


def test_a_second_pause_without_an_end_says_that_the_first_one_had_one(cli):
    assert "now it does not" not in cli("pause", "--for", "2h").out
    assert "It would have ended by itself at " in cli("pause").out
    assert "It would have ended" not in cli("pause").out


def test_times_are_understood_or_refused(cli):
    assert stretch("1h30m") == timedelta(minutes=90)
    assert stretch("1.5 h") == timedelta(minutes=90)
    assert stretch("2W") == timedelta(weeks=2)
    for text in ("", "2", "h", "-1h", "1h x", "0m", "999999w", "11y", "999999y999999y999999y"):
        with pytest.raises(ArgumentTypeError):
            stretch(text)
    assert cli("pause", "--for", "soon").status == 2


def test_in_a_folder_that_is_off_limits_the_hook_says_nothing_and_check_and_doctor_tell_why(cli, place, store):
    (place / ".aftermindignore").write_text("work/\n")
    with none_left(store), daemon(store):
        assert cli("remember", "Staging listens on port 8081").status == 0
        before = head(store)
        for event in ("prompt", "turn", "end"):
            assert hooked(store, "json", event, stdin=said(answer="8081"), cwd=place / "work").out == b""
        wait_until(lambda: not kept(store), "nothing waits")
        assert head(store) == before
        checked = cli("hook", "--check", "turn", stdin=said(answer="8081"))
        assert checked.status == 0
        assert f"withheld  {place / 'work'} is off limits: {place / '.aftermindignore'} names it (work/)" in checked.out
        found = {one["looked_at"]: one for one in cli("doctor", "--json").json["findings"]}
        assert found["off limits"]["level"] == "note"
        (place / ".aftermindignore").write_text("work/\n!\n")
        found = {one["looked_at"]: one for one in cli("doctor", "--json").json["findings"]}
        assert found["off limits"]["level"] == "warning"
        assert "line 2 is no pattern" in found["off limits"]["found"]
        (place / ".aftermindignore").unlink()
        assert b"8081" in hooked(store, "json", "prompt", stdin=PROMPT, cwd=place / "work").out


def test_what_is_off_limits_or_private_is_not_imported(cli, place):
    (place / "work" / "secret").mkdir()
    (place / "work" / ".aftermindignore").write_text("secret/\n")
    lines = [
        {"prompt": "open?", "answer": "yes", "session": "s", "project": str(place / "work")},
        {"prompt": "closed?", "answer": "quokka", "session": "s", "project": str(place / "work" / "secret")},
        {"prompt": "<private>mine?</private>", "answer": "quokka", "session": "s", "project": str(place / "work")},
    ]
    (place / "said.jsonl").write_text("\n".join(map(json.dumps, lines)))
    ran = cli("import", str(place / "said.jsonl"))
    assert "Imported 1 new exchange, 2 were off limits, private, or said during a pause." in ran.out
    again = cli("import", str(place / "said.jsonl"), "--project", "shop", "--json").json
    assert (again["new"], again["off_limits"]) == (0, 2), "what is known elsewhere is not filed a second time"
    assert "quokka" not in cli("log").out


def test_what_is_off_limits_is_not_ingested_also_where_it_is_named_and_what_is_private_in_a_book_is_cut_out(cli, place):
    work = place / "work"
    (work / "secret").mkdir()
    (work / ".aftermindignore").write_text("secret/\nnotes.md\n")
    for name in ("secret/a.md", "notes.md"):
        (work / name).write_text("# Off limits\n\nquokka")
    page = "# Runbook\n\nDeploy with make.\n\n<private>\nquokka\n\nquokka\n</private>\n\nThen `<private>` tests.\n"
    (work / "runbook.md").write_text(page)
    (work / "page.html").write_text("<h1>Page</h1><p>kept</p><private><p>quokka</p></private><p>kept too</p>")
    (work / "mine.txt").write_text("<private>\nquokka")
    (work / "paper.pdf").write_bytes(pdf("Lanterns are lit. <private>quokka", "quokka</private> Lorries wait."))
    ran = cli("ingest", ".", "secret/a.md", "--json").json
    assert (ran["new"], ran["off_limits"]) == (3, 2)
    assert "Left out 2 files that a list puts off limits" in cli("ingest", ".", "secret/a.md").out
    found = cli("search", "--json", "--limit", "20").json
    texts = [one["text"] for one in found]
    assert not [text for text in texts if "quokka" in text]
    assert [text for text in texts if "[private]" in text and "Then `<private>` tests." in text]
    for kept_too in ("kept too", "Lanterns are lit. [private]", "Lorries wait."):
        assert [text for text in texts if kept_too in text]


def test_a_pause_names_the_plainest_command_that_ends_it(cli, store):
    assert "`aftermind resume` ends it" in cli("pause").out
    (told,) = [line for line in cli("status").out.splitlines() if line.lower().startswith("paused")]
    assert told.lower().count("paused") == 1
    assert cli("resume").out == "Resumed in this project.\n"
    assert "`aftermind resume --everywhere` ends it" in cli("pause", "--everywhere").out
    cli("resume", "--everywhere")
    cli("remember", "the till is red", "--project", "shop")
    assert "`aftermind resume --project p" in cli("pause", "--project", "shop").out
