"""What lies in logs that a restore set aside is forgotten there, too."""

from __future__ import annotations

from pathlib import Path

from tests.cli.test_commands import remembered
from tests.erased import holding

EARLIER, LATER, SINCE = "quokkaparade", "hippogriffin", "zebrafinches"


def test_what_a_restore_set_aside_is_forgotten_there(cli):
    id = remembered(cli, f"The gate is {EARLIER}")
    store = Path(cli("stats", "--json").json["folder"])
    kept = remembered(cli, "A neighbour lives in the garden house")
    assert cli("backup").status == 0
    assert cli("correct", id, f"The gate is {LATER}").status == 0
    other = remembered(cli, f"The fence is {SINCE} since yesterday")
    cli("stop")
    assert cli("restore", "latest", "--yes").status == 0
    (aside,) = store.glob("set-aside-*")
    assert {*holding(aside, LATER, SINCE)} >= {"log.db"}

    gone = cli("forget", id, "--yes")
    assert (gone.status, gone.err) == (0, "")
    assert holding(store, EARLIER, LATER) == {}
    assert [path.name for path in aside.iterdir() if path.name.startswith(("views", "embeddings", "vectors"))] == []

    assert cli("forget", other, "--dry-run").out == "0 memories; and 1 event besides their own.\n"
    assert cli("forget", "--text", SINCE, "--project", str(store), "--yes").status in (0, 3)
    assert holding(aside, SINCE)
    assert cli("forget", "--text", SINCE, "--yes").status == 0
    assert holding(store, SINCE) == {}
    assert cli("show", kept).status == 0
    assert cli("verify").status == 0

    (aside / "log.db").write_bytes(b"no database at all" * 1000)
    told = cli("forget", kept, "--yes")
    assert told.status == 0
    assert f"set aside in {aside} may still hold it" in told.out
    assert "remove that folder" in told.out
    assert f"set aside in {aside} cannot be read" in cli("forget", "--text", "said by nobody", "--yes").err


def test_each_log_that_was_set_aside_is_told_however_many_there_are(cli):
    """What is opened after a restore looks once more for all that was ever forgotten; what is forgotten meanwhile is
    told all the same."""
    remembered(cli, "A neighbour lives in the garden house")
    store = Path(cli("stats", "--json").json["folder"])
    assert cli("backup").status == 0
    for count, word in enumerate((EARLIER, LATER, SINCE), 1):
        remembered(cli, f"The gate is {word}")
        assert cli("restore", "latest", "--yes").status == 0
        aside = max(store.glob("set-aside-*"))
        assert len([*store.glob("set-aside-*")]) == count
        gone = cli("forget", "--text", word, "--yes").out
        assert f"The log that was set aside in {aside}: 1 event emptied.\n" in gone
        assert "of files were read for it, and nothing is left of it" in gone
        assert holding(store, word) == {}
    assert cli("log").out.splitlines()[-1].endswith("the words of 1 event were forgotten")


def test_what_several_logs_that_were_set_aside_say_is_told_of_each(cli):
    id = remembered(cli, f"The gate is {EARLIER}")
    store = Path(cli("stats", "--json").json["folder"])
    assert cli("backup").status == 0
    for word in (LATER, SINCE):
        assert cli("correct", id, f"The gate is {word}").status == 0
        assert cli("restore", "latest", "--yes").status == 0
    gone = cli("forget", id, "--yes").out
    for aside in store.glob("set-aside-*"):
        assert f"The log that was set aside in {aside}: 2 events emptied.\n" in gone
    assert holding(store, EARLIER, LATER, SINCE) == {}


def test_backups_that_are_not_known_any_more_are_no_promise(cli, tmp_path):
    id = remembered(cli, f"The gate is {EARLIER}")
    store = Path(cli("stats", "--json").json["folder"])
    assert cli("backup", str(tmp_path / "away")).status == 0
    (store / "backups.json").write_bytes(b"{torn")
    told = cli("forget", id, "--yes")
    assert told.status == 5
    assert "The backups in folders elsewhere may still hold it" in told.out
    assert "backups.json cannot be read" in told.out


def test_words_of_the_program_itself_are_no_leak(cli):
    id = remembered(cli, "The daemon waits on the standard library socket of the process")
    store = Path(cli("stats", "--json").json["folder"])
    (store / "bin").mkdir(exist_ok=True)
    (store / "bin" / "hook.py").write_text("# The daemon waits on the standard library socket of the process, ")
    (store / "clients.json").write_text('{"folder": "/the/standard/library"}')
    told = cli("forget", id, "--yes", "--json")
    assert (told.status, told.json["left"]) == (0, [])
