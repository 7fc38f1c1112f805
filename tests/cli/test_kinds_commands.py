"""Kinds at the command line: what stands behind a memory, how long it holds, what is due, many at once."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest


@pytest.fixture
def kept(cli):
    """One decision with all that can stand behind it."""
    said = ("--why", "one backup for all", "--learned", "ask for the volume first", "--what", "The database")
    return cli("remember", "We chose Postgres", "--kind", "decision", *said, "--json").json["id"]


def test_what_stands_behind_a_memory_is_printed_and_told_anew(cli, kept, tmp_path: Path):
    shown = cli("show", kept).out
    assert "What: The database\nWhy: one backup for all\nLearned: ask for the volume first" in shown
    assert "answer:" not in shown
    assert kept in cli("search", "one backup").out
    assert cli("detail", kept, "--why", "nobody knows").out == f"Noted of {kept}.\n"
    assert cli("detail", kept, "--why", "nobody knows").out == f"That is known of {kept} already.\n"
    assert cli("show", kept, "--json").json["particulars"]["why"] == "nobody knows"
    assert "told what stands behind it" in cli("why", kept).out
    refused = cli("detail", kept)
    assert (refused.status, "nothing is said of it" in refused.err) == (2, True)
    assert "memory-detailed" in cli("timeline", kept).out
    cli("detail", kept, "--valid-until", "2036-12-31")
    assert cli("export", "--markdown", str(tmp_path / "pages")).status == 0
    (page,) = (tmp_path / "pages").rglob("*postgres*.md")
    said = page.read_text(encoding="utf-8")
    assert "## Behind it\n\nWhat: The database\nWhy: nobody knows" in said
    assert 'valid_until: "20' in said


def test_what_held_until_yesterday_is_said_to_hold_no_more(cli):
    over = cli("remember", "Port 8081 is open", "--valid-until", "yesterday", "--json").json["id"]
    coming = cli("remember", "Port 9090 is open", "--valid-from", "+3d", "--json").json["id"]
    assert ": not any more" in cli("show", over).out
    assert ": not yet" in cli("show", coming).out
    assert "valid: until " in cli("why", over).out
    assert "not any more" in cli("why", over).out
    assert cli("search", "port open", "--json").json == []
    assert over in cli("search", "port open", "--history").out
    cli("detail", over, "--valid-until", "none")
    assert over in cli("search", "port open").out
    refused = cli("detail", over, "--valid-until", "blursday")
    assert refused.status != 0
    assert "next monday" in refused.err


def test_what_is_over_or_not_yet_is_said_so_when_it_is_kept(cli):
    yesterday = datetime.now().astimezone() - timedelta(days=1)
    told = cli("remember", "Port 8081 is open", "--valid-until", "yesterday").out
    assert f"It was so until {yesterday:%Y-%m-%d} 23:59:59, which is over: it is kept as history" in told
    told = cli("remember", "Port 9090 is open", "--valid-from", "2036-03-01").out
    assert "It is so from 2036-03-01 00:00:00 on: until then it is kept" in told
    kept = cli("remember", "Port 7070 is open", "--valid-until", "2036-03-01")
    assert kept.out.count("\n") == 1
    id = kept.out.split()[1]
    assert "which is over" in cli("detail", id, "--valid-until", "2 days ago").out
    assert "which is over" not in cli("detail", id, "--why", "it was asked for").out


def test_a_reminder_from_the_first_word_to_the_last(cli):
    said = cli("remind", "Renew the certificate", "--on", "+2h", "--every", "week", "--zone", "Europe/Berlin", "--json")
    id = said.json["id"]
    assert cli("due").out == ""
    assert [one["id"] for one in cli("due", "--ahead", "1d", "--json").json] == [id]
    assert re.search(r"\(every week, \S+ \S+ in Europe/Berlin\)", cli("due", "--ahead", "3h").out)
    assert "reminder  " in cli("show", id).out
    assert cli("snooze", id, "--until", "+1d").out.startswith(f"{id} comes up on 2")
    assert cli("done", id).out.startswith(f"Done: {id} comes up again on 2")
    cli("remind", id, "--on", "+3h")
    assert cli("done", id).out == f"Done: {id}, which is put away.\n"
    assert cli("done", id).status != 0
    assert cli("undo", id).status == 0
    assert cli("show", id, "--json").json["status"] == "live"
    assert cli("remind", id, "--on", "none").out == f"Nobody is reminded of {id} any more.\n"
    for words, told in (
        (("remind", "x", "--on", "2020-01-01"), "that is over: it was 2020-01-01"),
        (("remind", "x", "--on", "soon"), "no time to come"),
        (("remind", "x", "--on", "+2d", "--zone", "Mars/Olympus"), "no time zone"),
        (("remind", "x", "--on", "none"), "by its memory's id"),
        (("due", "--ahead", "soon"), "a time of up to ten years is expected"),
        (("due", "--ahead", "999999y999999y999999y"), "a time of up to ten years is expected"),
    ):
        refused = cli(*words)
        assert refused.status != 0, words
        assert told in refused.err, refused.err
    gap = cli("remind", "x", "--on", "2037-03-29 02:30", "--zone", "Europe/Berlin")
    assert "The clock jumps over 02:30 on that day: 03:30 is taken." in gap.err


def test_a_blocker_and_a_procedure(cli):
    blocker = cli("remember", "No quota", "--kind", "blocker", "--json").json["id"]
    assert "kept until" in cli("resolve", blocker, "--how", "asked the vendor").out
    assert "resolved  asked the vendor" in cli("show", blocker).out
    assert cli("resolve", blocker, "--reopen").out == f"{blocker} blocks.\n"
    procedure = cli("remember", "Build, tag, push", "--kind", "procedure", "--review", "30d", "--json").json["id"]
    assert ", then every 30 days" in cli("show", procedure).out
    assert [one["what"] for one in cli("due", "--ahead", "31d", "--json").json] == ["review"]
    assert "it asks again on" in cli("review", procedure).out
    cli("review", procedure, "--again", "none")
    assert "never asks for a review" in cli("show", procedure).out
    stats = cli("stats").out
    assert "open blockers 1" in stats
    assert "conversations 180 days (0 now), resolved blockers 90 days (0 now)" in stats


def test_many_are_archived_and_restored_after_a_look(cli):
    ids = {cli("remember", f"The old cluster, part {n}", "--kind", "event", "--json").json["id"] for n in range(3)}
    seen = cli("archive", "--match", "OLD cluster", "--dry-run", "--json").json
    assert {one["id"] for one in seen["first"]} == ids
    refused = cli("archive", "--match", "old cluster")
    assert (refused.status, "asks before" in refused.err) == (2, True)
    assert cli("search", "old cluster part").out != ""
    done = cli("archive", "--match", "old cluster", "--kind", "event", "--reason", "gone", "--yes").out
    assert done.startswith("Archived 3 memories.\n  (`aftermind undo ")
    assert cli("search", "old cluster part", "--json").json == []
    assert "part 1" in cli("restore", "--match", "part 1", "--dry-run").out
    assert "--dry-run with --kind and the like:" in " ".join(cli("restore", "--help").out.split())
    assert cli("restore", "latest", "--dry-run").status == 2
    assert cli("restore", "--match", "part 1", "--yes").out.startswith("Restored 1 memory.")
    assert "part 1" in cli("search", "old cluster part").out
    root = done.split("`")[1].split()[-1]
    assert cli("undo", root).status == 0
    assert {one["id"] for one in cli("search", "old cluster part", "--json").json} == ids
    for words in (("archive",), ("restore",), ("archive", "m1", "--kind", "event"), ("archive", "--older-than", "x")):
        assert cli(*words).status == 2, words
    cli("lock", *ids)
    kept = cli("archive", *ids, "--reason", "no more")
    assert (kept.out, "3 memories are locked and stay as they are" in kept.err) == ("Nothing was changed.\n", True)
    assert cli("archive", "--match", "nowhere said", "--yes").out == "Nothing was changed.\n"
    assert cli("archive", "--match", "nowhere said").out == "Nothing is meant by that.\n"  # and nobody is asked
    assert cli("restore", "--match", "nowhere said").out == "Nothing in the archive is meant by that.\n"


def test_a_reminder_by_another_clock_is_told_by_that_clock_and_by_this_one(cli):
    said = cli("remind", "Call", "--on", "2031-03-30 02:30", "--zone", "Europe/Berlin")
    assert "03:30 is taken" in said.err  # the clock jumps over 02:30
    assert re.search(r"comes up on 2031-03-30 03:30 in Europe/Berlin \(2031-03-\d\d \S+ here\)\.", said.out)
    later = cli("snooze", said.out.split()[0], "--until", "2031-04-01 10:00", "--zone", "Asia/Kathmandu")
    assert "2031-04-01 10:00 in Asia/Kathmandu (" in later.out
    refused = cli("remind", "Call", "--on", "blursday")
    assert "'next monday'" in refused.err


def test_consolidation_tells_and_does_nothing_until_it_is_said(cli):
    first = cli("remember", "The API is v2", "--json").json["id"]
    second = cli("remember", "API is v2.", "--tag", "api", "--json").json["id"]
    assert "says the same" in cli("consolidate").out
    done = cli("consolidate", "--apply").out
    assert "Merged and archived 1 memory." in done
    assert cli("show", first, "--json").json["successor"] == second
    assert cli("undo", done.split("`")[-2].split()[-1]).status == 0
    assert cli("show", first, "--json").json["status"] == "live"
    assert cli("consolidate", "--only", "stale").out == "Nothing is stale, and no two say the same.\n"
    assert cli("consolidate", "--stale-after", "soon").status == 2
