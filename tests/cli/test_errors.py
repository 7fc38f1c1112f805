"""What goes wrong: two lines on stderr, a next step, and an exit code that tells the kinds apart."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys

import anyio
import pytest

from aftermind import open_memory
from aftermind.cli import house


def remembered(cli, text="We deploy with make deploy", *options):
    return cli("remember", text, "--json", *options).json["id"]


def assert_failed(ran, status, what, hint):
    assert (ran.status, ran.out) == (status, "")
    first, second = ran.err.splitlines()
    assert first.startswith("aftermind: ")
    assert what in first
    assert second.startswith("  → ")
    assert hint in second


def test_an_unknown_command_names_the_close_ones(cli):
    assert_failed(cli("serch", "x"), 2, "no command 'serch'", "`aftermind search`")
    assert_failed(cli("zzz"), 2, "no command 'zzz'", "aftermind --help")


def test_a_misused_option_names_the_help(cli):
    assert_failed(cli("show"), 2, "required: ID", "`aftermind show --help`")
    assert_failed(cli("search", "x", "--limit", "0"), 2, "at least 1", "`aftermind search --help`")
    assert_failed(cli("search", "x", "--lim", "3"), 2, "--lim", "`aftermind search --help`")


@pytest.mark.parametrize("command", ["show", "why", "lock", "promote", "archive"])
def test_an_unknown_id_is_3(cli, command):
    remembered(cli)
    assert_failed(cli(command, "mnothing"), 3, "no memory with the id 'mnothing'", "aftermind search")


def test_an_unknown_id_to_correct_or_forget_is_3(cli):
    assert cli("correct", "mnothing", "text").status == 3
    assert cli("forget", "mnothing", "--yes").status == 3
    assert cli("score", "worked", "--exchange", "nothing").status == 3
    assert cli("score", "worked").status == 3


def test_a_bad_outcome_is_2_and_the_outcomes_are_listed(cli):
    refused = cli("score", "great")
    assert refused.status == 2
    assert "worked" in refused.err
    assert_failed(cli("score"), 2, "needs an outcome", "worked, partial, failed, unknown")
    assert_failed(cli("score", "--memory", "m1=great"), 2, "'great' is none", "worked, partial")
    assert_failed(cli("score", "--memory", "m1"), 2, "m1 needs an outcome", "worked, partial")


def test_a_locked_memory_is_4_and_the_hint_unlocks_it(cli):
    id = remembered(cli, "text", "--locked")
    assert_failed(cli("forget", id, "--yes"), 4, f"{id} is locked", f"aftermind unlock {id}")
    assert_failed(cli("correct", id, "other"), 4, f"{id} is locked", f"aftermind unlock {id}")


def test_what_was_done_before_a_refusal_is_said(cli):
    one, two = remembered(cli, "one thing"), remembered(cli, "two things", "--locked")
    ran = cli("archive", one, two)
    assert ran.status == 4
    assert ran.out.startswith(f"Archived {one}")
    assert [memory["id"] for memory in cli("restore", one, "--json").json] == [one]


def test_an_empty_text_is_2(cli):
    assert cli("remember", " ").status == 2
    assert cli("remember", "-", stdin=b"").status == 2


def test_forget_without_a_terminal_and_without_yes_refuses(cli):
    id = remembered(cli)
    assert_failed(cli("forget", id), 2, "no terminal to ask at", f"aftermind forget --yes {id}")
    assert cli("show", id).status == 0


def test_errors_are_json_where_json_was_asked_for(cli):
    remembered(cli)
    failed = cli("show", "mnothing", "--json")
    error = json.loads(failed.err)
    assert set(error) == {"error", "hint", "type"}
    assert (failed.status, failed.out, error["type"]) == (3, "", "NotFound")
    assert json.loads(cli("--json", "serch").err)["type"] == "Misused"


@pytest.mark.parametrize(
    "words", [("search",), ("search", "x"), ("show", "m1"), ("why", "m1"), ("stats",), ("log",), ("verify",)]
)
def test_reading_a_store_that_is_not_there_is_5_and_makes_none(cli, place, words):
    assert_failed(cli(*words), 5, f"there is no store in {place / 'store'} yet", "aftermind remember")
    assert not (place / "store").exists()
    (place / "store").mkdir()
    assert_failed(cli(*words), 5, "there is no store in", "aftermind remember")
    assert list((place / "store").iterdir()) == []


def test_a_store_that_lost_its_log_is_no_store_that_never_was(cli, place):
    remembered(cli)
    (place / "store" / "log.db").unlink()
    assert cli("stats").status == 7
    (place / "file").touch()
    assert "it is not a folder" in cli("stats", "--home", str(place / "file")).err


def test_a_store_held_by_who_answers_nobody_is_6_and_the_holder_is_named(cli):
    remembered(cli)
    script = (
        "import os, time\n"
        "from pathlib import Path\n"
        "from aftermind.engine.store.lock import take\n"
        "take(Path(os.environ['AFTERMIND_HOME'])).sign('program')\n"
        "print('held', flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as holder:
        try:
            assert holder.stdout.readline() == b"held\n"
            assert_failed(cli("stats"), 6, f"process {holder.pid}", "wait until it ends")
            assert cli("verify").status == 0, "who only reads the log needs no turn"
        finally:
            holder.kill()


def test_a_damaged_log_is_7_and_the_last_good_position_is_named(cli, place):
    remembered(cli)
    remembered(cli, "Another thing")
    with sqlite3.connect(place / "store" / "log.db") as log:
        for (trigger,) in log.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            log.execute(f"DROP TRIGGER {trigger}")
        log.execute("UPDATE event SET payload = x'7b7d' WHERE position = 2")
    log.close()
    assert_failed(cli("verify"), 7, "intact up to position 1", "aftermind repair")


def test_an_unexpected_error_is_one_line_until_a_traceback_is_asked_for(cli, monkeypatch):
    remembered(cli)

    def broken(path):
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(house, "fit_folder", lambda path, make: broken(path))
    assert_failed(cli("stats"), 1, "unexpected ZeroDivisionError: by zero", "--traceback")
    assert "in broken" in cli("stats", "--traceback").err


def test_log_prints_what_stands_before_the_damage(cli, place):
    async def filled():
        async with open_memory() as memory:
            for number in range(40):
                await memory.remember(f"thing {number} {f'and {number} ' * 100}")

    anyio.run(filled)
    log = place / "store" / "log.db"
    content = bytearray(log.read_bytes())
    page = content.index(b"thing 30 ") // 4096 * 4096
    content[page : page + 4096] = bytes(4096)
    log.write_bytes(content)
    ran = cli("log", "--json")
    positions = [json.loads(line)["position"] for line in ran.out.splitlines()]
    assert ran.status == 7
    assert len(positions) > 10
    assert positions == list(range(1, len(positions) + 1))
    assert f"intact up to position {len(positions)}" in ran.err


def test_what_cannot_be_kept_is_told_with_what_can(cli):
    id = remembered(cli)
    private = "<private>the code is 5</private>"
    for words in (["remember", ""], ["directive", "add", ""], ["blocker", "add", " "], ["correct", id, ""]):
        assert_failed(cli(*words), 2, "must not be empty", "in words")
    for words in (["remember", private], ["correct", id, private], ["checkpoint", private]):
        assert_failed(cli(*words), 4, "is private", "<private> and </private>")
    assert_failed(cli("record", stdin=b"{}"), 2, "needs a prompt or an answer", "`aftermind record --help`")
    kept = b'{"prompt": "<private>x</private>", "answer": "so"}'
    assert_failed(cli("record", stdin=kept), 4, "wholly private", "<private> and </private>")
    assert_failed(cli("promote", id), 4, "only working and history", f"`aftermind lock {id}`")
    assert_failed(cli("demote", id), 4, "only history and patterns", f"`aftermind archive {id}`")


def test_an_error_that_names_no_step_has_the_commands_help_for_one(cli, monkeypatch):
    from aftermind.engine.errors import Refused

    async def refused(*_: object) -> None:
        raise Refused("it is too late")

    monkeypatch.setattr("aftermind.cli.opening.open_memory", refused)
    monkeypatch.setattr("aftermind.cli.commands.stats.run", refused)
    assert_failed(cli("stats"), 4, "too late", "`aftermind stats --help`")
    assert json.loads(cli("stats", "--json").err)["hint"] == "`aftermind stats --help` tells what it does"
