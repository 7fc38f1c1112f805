"""Each command on its normal path, for people and as JSON."""

from __future__ import annotations

import json
import re
import subprocess
from contextlib import chdir

import pytest

from aftermind.cli.commands import log

TEXT = "We deploy the billing service with make deploy"
EXCHANGE = b'{"prompt": "how do we deploy the billing service?", "answer": "make deploy", "id": "msg-1"}'


def remembered(cli, text=TEXT, *options):
    return cli("remember", text, "--json", *options).json["id"]


def recorded(cli, *options, stdin=EXCHANGE):
    return cli("record", "--json", *options, stdin=stdin).json


def test_remember_says_what_was_kept_and_knows_it_the_second_time(cli):
    first = cli("remember", TEXT)
    assert (first.status, first.err) == (0, "")
    assert re.fullmatch(r"Remembered m\w{16} \(fact in memory_bank\)\.\n", first.out)
    assert cli("remember", TEXT).out == first.out.replace("Remembered", "Known already:")


def test_remember_takes_kind_collection_tags_and_a_lock(cli):
    kept = cli(
        *("remember", TEXT, "--kind", "decision", "--collection", "books"),
        *("--tag", "ops", "--tag", "ci", "--locked", "--json"),
    ).json
    assert kept["text"] == TEXT
    assert (kept["kind"], kept["collection"], kept["tags"], kept["locked"]) == (
        "decision",
        "books",
        ["ops", "ci"],
        True,
    )


def test_remember_reads_standard_input_and_replaces_what_is_not_utf_8(cli):
    id = cli("remember", "-", "--json", stdin=b"caf\xe9 is closed \xff\n").json["id"]
    assert cli("show", id, "--json").json["text"] == "caf\ufffd is closed \ufffd"


def test_texts_and_prompts_may_be_said_without_quotes(cli):
    id = cli("remember", "We", "deploy", "with", "just", "--json").json["id"]
    assert cli("show", id, "--json").json["text"] == "We deploy with just"
    assert cli("correct", id, "We", "deploy", "by", "hand", "--json").json["text"] == "We deploy by hand"
    briefing = cli("context", "how", "do", "we", "deploy?")
    assert "We deploy by hand" in briefing.out
    assert "We deploy by hand" in cli("context", "-", stdin=b"how do we deploy?").out
    assert cli("context", "deploy", "--prompt", "deploy").status == 2


def test_an_id_may_be_copied_with_its_brackets(cli):
    id = remembered(cli)
    copied = f" [{id}] "
    assert cli("show", copied, "--json").json["id"] == id
    assert cli("lock", copied).out.startswith(f"Locked {id}")
    assert cli("unlock", copied).status == 0
    assert cli("correct", copied, "We deploy with just").status == 0
    assert cli("why", copied, "--json").json["id"] == id
    assert cli("remember", "We deploy by hand", "--supersedes", copied).status == 0
    born = recorded(cli)
    assert cli("score", "--memory", f"[{born['memory']}]=worked", "--exchange", f"[{born['id']}]").status == 0


def test_show_and_why_name_the_project_beside_its_id(cli):
    id = remembered(cli, TEXT, "--project", "webshop")
    assert re.search(r"^scope     \w+ \(project webshop\)$", cli("show", id).out, re.MULTILINE)
    assert cli("why", id).out.splitlines()[2].endswith("; project webshop")
    assert "scope     global\n" in cli("show", remembered(cli, TEXT, "--global")).out


def test_show_prints_the_whole_memory(cli):
    id = remembered(cli, "first line\nsecond line", "--tag", "ops")
    shown = cli("show", id).out
    assert shown.startswith(f"{id}  fact in memory_bank, live\n")
    assert "tags      ops\n" in shown
    assert shown.endswith("\nfirst line\nsecond line\n")
    assert cli("show", id, "--json").json["id"] == id


def test_correct_names_the_earlier_wording_which_can_be_shown(cli):
    id = remembered(cli)
    said = cli("correct", id, "-", "--reason", "it changed", stdin=b"We deploy with just").out
    past = re.fullmatch(rf"Corrected {id}\. The earlier wording stays in history: ({id}@\d+)\n", said)[1]
    assert cli("show", past, "--json").json["text"] == TEXT
    assert cli("show", id, "--json").json["text"] == "We deploy with just"
    assert cli("correct", id, "We deploy with just").out == f"{id} says that already.\n"
    assert cli("correct", id, "We deploy by hand", "--json").json["text"] == "We deploy by hand"


def test_correct_says_what_it_takes_the_place_of_and_names_the_earlier_wording_all_the_same(cli):
    old = remembered(cli, "Staging listens on port 8080")
    id = remembered(cli, "Production listens on port 9090")
    said = cli("correct", id, "Staging listens on port 8081").out
    assert cli("show", re.search(rf"{id}@\d+", said)[0], "--json").json["text"] == "Production listens on port 9090"
    assert f"It takes the place of {old}, which stays in history; `aftermind undo {id}` takes that back." in said
    assert cli("undo", id).status == 0
    assert cli("show", old, "--json").json["status"] == "live"
    assert cli("correct", id, "Staging listens on port 8082", "--json").json["replaced"] == [old]


def test_forget_with_yes_takes_memories_out_of_every_answer(cli):
    one, other = remembered(cli), remembered(cli, "Another thing entirely")
    said = cli("forget", one, one, "--yes").out
    assert said.startswith(f"Forgot {one}: no answer shows it any more.\n1 event emptied, ")
    assert said.endswith("and nothing is left of it but what others say as well.\n")
    told = cli("forget", other, "--yes", "--json").json
    assert (told["forgotten"], told["step"], told["clean"], told["events"]) == ([other], "done", True, 1)
    assert cli("show", one).status == 3


def test_lock_unlock_archive_and_restore_say_what_became(cli):
    id = remembered(cli)
    assert cli("lock", id).out.startswith(f"Locked {id}")
    assert cli("lock", id).out == f"{id} is locked already.\n"
    assert cli("unlock", id).out == f"Unlocked {id}.\n"
    assert cli("archive", id).out.startswith(f"Archived {id}")
    assert cli("search", "deploy billing service", "--json").json == []
    (now,) = cli("restore", id, "--json").json
    assert (now["id"], now["text"], now["status"]) == (id, TEXT, "live")


def test_a_verdict_counts_for_what_is_locked_and_that_is_said(cli):
    id = remembered(cli, "The gate code lives in vault nine")
    assert id in cli("context", "where does the gate code live?").out
    said = f"Locked {id}: verdicts count, and nothing else changes it until `aftermind unlock {id}`.\n"
    assert cli("lock", id).out == said
    cli("record", stdin=b"where does the gate code live?\n---\nvault")
    assert cli("score", "failed").status == 0
    assert "failed 1" in cli("show", id).out
    for refused in (("correct", id, "Another"), ("archive", id), ("promote", id), ("forget", id, "--yes")):
        assert f"{id} is locked" in cli(*refused).err, refused
    assert "Protect memories from every change but verdicts" in cli("lock", "--help").out


def test_archiving_a_current_value_says_what_it_had_replaced(cli):
    was = remembered(cli, "Staging listens on port 8080")
    now = remembered(cli, "Staging listens on port 8081")
    assert f"`aftermind restore {was}` makes that true again" in cli("archive", now).out
    cli("restore", was)
    (live,) = cli("search", "staging port", "--json").json
    assert live["id"] == was


def test_promote_and_demote_move_one_step(cli):
    id = remembered(cli, TEXT, "--collection", "working")
    assert cli("promote", id).out == f"Promoted {id} to history.\n"
    assert cli("demote", id).out == f"Demoted {id} to working.\n"


def test_several_ids_are_all_checked_before_one_is_changed(cli):
    id = remembered(cli)
    assert cli("archive", id, "mnothing").status == 3
    assert cli("show", id, "--json").json["status"] == "live"


def test_context_prints_the_briefing_and_nothing_else(cli):
    recorded(cli)
    printed = cli("context", "--prompt", "how is the billing service deployed?").out
    assert printed.startswith("<aftermind-memory>\n")
    assert printed.endswith("</aftermind-memory>\n")
    assert printed.count("- [m") == 1
    assert cli("context", "--prompt", "-", stdin=b"violins and lanterns").out == ""


def test_context_without_a_prompt_briefs_on_the_newest_exchanges(cli):
    recorded(cli)
    shown = cli("context", "--json", "--limit", "1", "--budget", "500").json
    assert shown["memories"][0]["text"] == "how do we deploy the billing service?"
    assert shown["injection"]


def test_what_context_showed_is_scored_with_the_exchange_of_that_prompt(cli):
    born = recorded(cli)["memory"]
    cli("context", "--prompt", "deploy the billing service please")
    recorded(cli, stdin=b"deploy it\n---\nRun make release-billing, as before.")
    assert born not in cli("score", "worked").out
    recorded(cli, stdin=b"deploy the billing service please\n---\nRun make release-billing, as before.")
    assert born in cli("score", "worked", "--evidence", "it is up").out
    story = cli("why", born).out.splitlines()
    assert [line.split()[2] for line in story if "context-injected" in line or "memory-scored" in line] == [
        "context-injected:",
        "memory-scored:",
    ]


def test_score_takes_an_outcome_for_each_memory(cli):
    born = recorded(cli)
    judged = cli("score", "--memory", f"{born['memory']}=failed", "--json").json
    assert (judged["memories"][0]["id"], judged["memories"][0]["outcome"]) == (born["memory"], "failed")
    assert cli("score", "worked", "--memory", born["memory"], "--exchange", born["id"]).status == 0
    assert cli("show", born["memory"], "--json").json["outcomes"]["worked"] == 1


def test_a_word_on_one_memory_leaves_the_verdict_of_its_exchange(cli):
    """A word for memories is no word on the exchange, unless that is named, or each has one of its own."""
    born = recorded(cli)
    mine = born["memory"]
    cli("score", "failed", "--exchange", born["id"])
    said = cli("score", "worked", "--memory", mine).out
    assert said.startswith(f"1 memory scored, of exchange {born['id']}.")
    assert cli("show", mine, "--json").json["outcomes"]["worked"] == 1
    said = cli("score", "partial", "--memory", f"{mine}=failed").out
    assert said.startswith(f"Judged exchange {born['id']} as partial; 1 memory scored.")
    verdicts = cli("why", born["id"], "--json").json["verdicts"]
    assert [one["outcome"] for one in verdicts] == ["failed", "failed", "partial"]
    for named in (("--exchange", born["id"]), ("--session", "s")):
        stdin = b'{"prompt": "again?", "answer": "so", "session": "s"}'
        born = born if named[0] == "--exchange" else recorded(cli, stdin=stdin)
        said = cli("score", "worked", "--memory", born["memory"], *named).out
        assert said.startswith(f"Judged exchange {born['id']} as worked; 1 memory scored.")


def test_why_indents_a_step_under_the_one_that_led_to_it(cli):
    born = recorded(cli)["memory"]
    cli("score", "worked")
    steps = [line[21:] for line in cli("why", born).out.split("\n\n")[-1].splitlines()]
    depths = {step.strip().split(":")[0]: len(step) - len(step.lstrip()) for step in steps}
    born_of = {"exchange-recorded": 0, "memory-recorded": 2, "exchange-judged": 2}
    assert depths == {**born_of, "memory-scored": 4, "memory-promoted": 6}
    assert len(cli("why", born, "--json").json["steps"]) == 5


def test_log_prints_a_line_an_event_and_filters(cli):
    born = recorded(cli)["memory"]
    lines = cli("log").out.splitlines()
    assert [line.split()[3] for line in lines] == [
        *("project-seen", "session-started", "exchange-recorded", "memory-recorded")
    ]
    assert cli("log", "--limit", "1").out.splitlines() == lines[-1:]
    assert cli("log", "--after", "1", "--limit", "2").out.splitlines() == lines[1:3]
    assert cli("log", "--stream", f"memory-{born}").out.splitlines() == lines[3:]
    (line,) = map(json.loads, cli("log", "--type", "memory-recorded", "--json").out.splitlines())
    assert set(line) == {"position", "stream", "version", "id", "at", "noted", "because", "event"}
    assert (line["position"], line["version"], line["event"]["type"]) == (4, 1, "memory-recorded")


def test_log_leaves_nothing_out_between_its_batches(cli, monkeypatch):
    recorded(cli)
    lines = cli("log").out.splitlines()
    for batch in (1, 2, 3, 4):
        monkeypatch.setattr(log, "BATCH", batch)
        assert cli("log").out.splitlines() == lines


def test_log_names_the_type_that_may_have_been_meant(cli):
    refused = cli("log", "--type", "memory-record")
    assert (refused.status, "did you mean memory-recorded" in refused.err) == (2, True)


def test_stats_counts_the_store_and_what_a_project_sees(cli):
    remembered(cli)
    assert "memories  working 0, history 0, patterns 0, memory_bank 1, books 0\n" in cli("stats").out
    assert cli("stats", "--json").json["collections"]["memory_bank"] == 1
    assert cli("stats", "--global", "--json").json["collections"]["memory_bank"] == 0


def test_verify_says_that_every_link_holds(cli):
    remembered(cli)
    assert cli("verify").out.startswith("2 events, 0 erased, head 2: every link holds.\n")
    assert cli("--home", "other", "remember", TEXT, "--global").status == 0
    assert cli("--home", "other", "verify").out.startswith("1 event, 0 erased, head 1: every link holds.\n")
    told = cli("verify", "--json").json
    assert (told["events"], told["erased"], told["head"]) == (2, 0, 2)
    assert [one["looked_at"] for one in told["checked"]] == ["log", "seen", "erased", "spool", "views", "vectors"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_prints_a_script(cli, shell):
    script = cli("completion", shell).out
    assert "remember" in script
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=script.encode(), check=True)


def test_the_last_prompts_are_those_of_this_project_and_name_it(cli, place):
    cli("context", "--prompt", "which xylophone?", "--project", "billing")
    cli("context", "--prompt", "which zebra?")
    here = cli("status", "--last").out
    assert ("which zebra?" in here, "which xylophone?" in here, "in     work" in here) == (True, False, True)
    everything = cli("status", "--last", "--all").out
    assert "which xylophone?" in everything
    assert "in     billing" in everything
    assert cli("status", "--last", "--project", "billing", "--json").json[0]["project"] == "billing"


def test_a_memory_judged_otherwise_outside_of_an_exchange_is_not_said_to_be_judged_as_all(cli):
    shown = cli("remember", "deploy the billing service with make", "--json").json["id"]
    cli("context", "--prompt", "deploy the billing service please")
    assert cli("score", "failed", "--memory", f"{shown}=worked").out.startswith("Judged; 1 memory scored.")
    assert cli("score", "failed", "--memory", shown).out.startswith("Judged as failed; 1 memory scored.")


def test_a_verdict_on_a_wording_that_is_no_more_is_told_as_that(cli):
    shown = remembered(cli, "The otter linter exits with 3")
    cli("context", "--prompt", "what does the otter linter exit with?")
    cli("correct", shown, "The otter linter exits with 4")
    said = cli("score", "failed", "--memory", shown).out
    assert said.startswith("Judged as failed; 0 memories scored.")
    assert "the verdict is on a wording that is no more" in said
    assert cli("show", shown, "--json").json["outcomes"]["failed"] == 0
    cli("context", "--prompt", "what does the otter linter exit with?")
    assert "1 memory scored." in cli("score", "failed", "--memory", shown).out


def test_a_correction_is_told_by_its_words_and_not_by_what_stands_behind(cli):
    id = remembered(cli, "The lamp is red")
    cli("detail", id, "--why", "because of taste")
    cli("correct", id, "The lamp is green")
    assert "corrected: The lamp is green" in cli("why", id).out
    assert "corrected: The lamp is green" in cli("undo", "--list", "--limit", "1").out


def test_who_changes_what_is_another_projects_is_told_and_how_that_is_taken_back(cli, place):
    mine, theirs = place / "mine", place / "theirs"
    mine.mkdir()
    theirs.mkdir()
    own = cli("remember", "The sky is blue", "--project", str(mine), "--json").json["id"]
    other = cli("remember", "The sea is green", "--project", str(theirs), "--json").json["id"]
    both = cli("remember", "The sun is warm", "--global", "--json").json["id"]
    with chdir(mine):
        said = cli("correct", other, "The sea is grey").out
        assert f"It is the project theirs's, and not this one's: `aftermind undo {other}` takes that back." in said
        assert "the project theirs's" in cli("detail", other, "--why", "it was cold").out
        assert "the project theirs's" in cli("review", other, "--again", "30d").out
        assert "the project theirs's" in cli("remind", other, "--on", "+2h").out
        for command in ("show", "why"):
            whose = "It is the project theirs's, and not this one's.\n"
            assert cli(command, other).out.startswith(whose)
            assert "this one's" not in cli(command, own).out + cli(command, both).out
            assert "theirs's" not in cli(command, other, "--json").out
        cli("project", "share", str(theirs))
        assert "the project theirs's" in cli("correct", other, "The sea is blue").out, "also where it is seen"
        assert "the project theirs's" in cli("lock", other).out
        for id in (own, both):
            assert "the project" not in cli("correct", id, "The sky is another one").out
        assert cli("undo", other).status == 0


def test_who_states_a_secret_or_pipes_in_what_is_no_utf8_is_told(cli):
    token = "ghp_" + "a1B2" * 10
    said = cli("remember", f"Deploy with {token}")
    assert "1 secret in it (github-token) is masked, and not kept." in said.out
    id = remembered(cli, "Deploy by hand")
    assert "1 secret in it (github-token) is masked" in cli("correct", id, f"Deploy with {token} by hand").out
    assert "masked" not in cli("remember", "Deploy with [masked github-token, 44 characters]").out
    assert "masked" not in cli("remember", f"Deploy with <private>{token}</private> as before").out
    assert "1 secret in it (github-token) is masked" in cli("directive", "add", f"Never use {token}").out
    assert "1 secret in it (github-token) is masked" in cli("detail", id, "--why", f"{token} is slow").out
    strange = cli("remember", "-", stdin="café au lait".encode("latin-1"))
    assert "1 place of what was piped in, no UTF-8, is kept as \ufffd" in strange.err
    assert cli("remember", "-", stdin="tea \ufffd kept as it came".encode()).err == ""


def test_a_project_that_nobody_knew_is_told_as_new_where_it_is_named(cli, place):
    new = "“projcet” is a new project"
    assert new in cli("remember", "The first note", "--project", "projcet").out
    assert new not in cli("remember", "The second note", "--project", "projcet").out
    (place / "folder").mkdir()
    assert "new project" not in cli("remember", "A note", "--project", str(place / "folder")).out
    assert "new project" not in cli("remember", "A note of here").out
