"""init and uninstall ask before they change anything, and every command they name works where they did."""

from __future__ import annotations

import json
import os
import signal
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.cli.test_terminal import on_a_terminal
from tests.configs import everything


@pytest.fixture
def home(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = place / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    return folder


def test_without_a_terminal_nothing_is_installed_unless_it_is_said(cli, home, place):
    for words in ((), ("--json",), ("--history",)):
        refused = cli("init", "--cursor", *words)
        assert refused.status == 2
        assert "there is no terminal to ask at" in refused.err + refused.out
        assert "`aftermind init --cursor --no-input`" in refused.err + refused.out
    assert list(home.iterdir()) == []
    assert cli("init", "--cursor", "--dry-run").status == 0
    assert list(home.iterdir()) == []
    assert cli("init", "--cursor", "--no-input").status == 0
    assert (home / ".cursor" / "hooks.json").exists()


def test_what_is_said_of_a_projects_store_names_that_store(cli, home, place, monkeypatch):
    monkeypatch.delenv("AFTERMIND_HOME")
    monkeypatch.chdir(place / "work")
    store = place / "work" / ".aftermind"
    refused = cli("init", "--cursor", "--project")
    assert "`aftermind init --cursor --project --no-input`" in refused.err
    made = cli("init", "--cursor", "--project", "--no-input")
    assert "`aftermind uninstall --project` undoes it" in made.out
    assert (store / ".gitignore").stat().st_mode & 0o777 == 0o600
    assert "`aftermind uninstall --project --purge --yes`" in cli("uninstall", "--project", "--purge").err
    gone = cli("uninstall", "--project")
    assert f"stays in {store}; `aftermind uninstall --project --purge` takes it away" in gone.out
    assert "until you restart them" in gone.out


def test_a_store_named_by_hand_is_named_again(cli, home, place):
    named = ("--home", str(place / "named"))
    made = cli("init", "--cursor", "--no-input", *named)
    assert f"`aftermind doctor --home {place / 'named'}`" in made.out
    assert f"`aftermind uninstall --home {place / 'named'}` undoes it" in made.out
    said = cli("reset", "--dry-run", *named).out
    assert f"`aftermind --home {place / 'named'} uninstall` first" in said


def test_a_purge_asks_before_anything_goes_and_a_no_changes_nothing(cli, home, place, process):
    assert cli("remember", "Staging is down").status == 0
    assert cli("init", "--cursor", "--no-input").status == 0
    before = everything(home)
    status, sent = on_a_terminal(process, "uninstall", "--purge", types=b"n\n", columns=200)
    asked, answer = sent.split("for good?")
    assert (status, everything(home)) == (0, before)
    assert "~/.cursor/hooks.json (hooks) would be deleted" in asked
    assert "1 memory" in asked
    assert "Nothing was changed: the assistants stay set up, and the store stays" in answer
    for wrong in ("`aftermind uninstall`", "out of their configuration"):
        assert wrong not in sent
    assert "Staging" in cli("search", "staging").out


def test_a_yes_to_the_purge_takes_both(cli, home, place, process):
    assert cli("remember", "Staging is down").status == 0
    assert cli("init", "--cursor", "--no-input").status == 0
    status, sent = on_a_terminal(process, "uninstall", "--purge", types=b"y\n", columns=200)
    assert (status, sent.count("for good?"), sent.count("holds     ")) == (0, 1, 1)
    assert "Removed the store" in sent
    assert (everything(home), (place / "store").exists()) == ({}, False)


def test_who_gives_up_at_the_history_is_told_what_was_done_and_how_to_go_on(cli, home, place, process):
    folder = home / ".claude" / "projects" / "-work-shop"
    folder.mkdir(parents=True)
    facts = {"sessionId": "s", "timestamp": datetime.now(UTC).isoformat(), "cwd": str(place / "work")}
    asked = {"type": "user", "uuid": "u", "message": {"role": "user", "content": "a question"}}
    said = {"type": "assistant", "uuid": "a", "message": {"role": "assistant", "content": "42"}}
    (folder / "one.jsonl").write_text("\n".join(json.dumps({**one, **facts}) for one in (asked, said)))
    master, slave = os.openpty()
    running = process("init", "--claude-code", stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    os.write(master, b"y\n")
    sent = b""
    told = False
    try:
        while chunk := os.read(master, 65536):
            sent += chunk
            if not told and b"Import the last" in sent:
                running.send_signal(signal.SIGINT)
                told = True
    except OSError:
        pass  # how Linux says that the other side is closed
    os.close(master)
    assert running.wait() == 130
    assert b"The files were changed" in sent
    assert b"`aftermind init --claude-code --history` imports" in sent
    assert (home / ".claude" / "settings.json").exists()
    report = cli("init", "--claude-code", "--history", "--no-input", "--json").json["history"][0]["imported"]
    assert report["new"] == 1
