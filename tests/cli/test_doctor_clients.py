"""doctor and the assistants: what each one's file starts is really run, and what is wrong with it is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.cli.test_doctor import everything, examined
from tests.configs import CLIENTS, FLAGS
from tests.daemons import processes


def test_each_assistant_is_checked_by_running_what_its_files_start_and_nothing_is_recorded(
    cli, home, store, place, monkeypatch
):
    assert cli("remember", "Staging is down").status == 0
    assert cli("init", "--no-input", *FLAGS).status == 0
    monkeypatch.setenv("PYTHONPATH", ".")
    for name in ("json.py", "os.py", "cli/__init__.py", "engine/__init__.py", "aftermind/__init__.py"):
        file = place / "work" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("raise SystemExit(99)")
    before, events = everything(home), cli("stats", "--json").json["head"]
    status, found = examined(cli)
    assert status == 0
    for name in CLIENTS:
        assert found[name]["level"] == "ok"
        assert "the MCP server" in found[name]["found"]
        assert ("the hook" in found[name]["found"]) == (name != "opencode")
    assert everything(home) == before
    assert len(processes(store)) == 1  # as the assistants would have started it
    assert cli("stats", "--json").json["head"] == events
    assert cli("stop").status == 0


def spoil(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_what_is_wrong_is_told_with_the_command_that_mends_it(cli, home, store):
    assert cli("init", "--no-input", "--gemini", "--cursor", "--claude-code").status == 0
    settings = home / ".gemini" / "settings.json"
    spoil(settings, "pipe.py", "gone.py")
    assert "is an entry of your own" in examined(cli)[1]["gemini"]["found"]
    spoil(settings, "gone.py", "pipe.py")
    spoil(settings, '"-S"', '"-E"')
    spoil(home / ".cursor" / "mcp.json", '"mcpServers"', '"others"')
    (home / ".claude.json").write_text("{")
    status, found = examined(cli)
    assert status == 1
    assert found["cursor"]["level"] == found["gemini"]["level"] == "warning"
    assert str(home / ".cursor" / "mcp.json") in found["cursor"]["found"]
    assert "aftermind init --cursor" in found["cursor"]["mend"]
    assert found["claude-code"]["level"] == "fault"
    assert "line 1" in found["claude-code"]["found"]
    assert cli("init", "--no-input", "--gemini", "--cursor").status == 0
    assert examined(cli)[1]["cursor"]["level"] == "ok"
    assert cli("stop").status == 0


@pytest.mark.parametrize(
    ("client", "path", "off"),
    [
        ("claude-code", ".claude/settings.json", '{"disableAllHooks": true}'),
        ("gemini", ".gemini/settings.json", '{"tools": {"enableHooks": false}}'),
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n"),
    ],
)
def test_what_switches_an_assistants_hooks_off_is_told(cli, home, store, client, path, off):
    (home / path).parent.mkdir()
    (home / path).write_text(off)
    told = cli("init", "--no-input", f"--{client}")
    assert told.status == 0
    assert f"Warning: {home / path} keeps" in told.out
    found = examined(cli)[1][client]
    assert found["level"] == "warning"
    assert f"{home / path} switches it off" in found["found"]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 3", "ended with 3"),
        ("exit 0", "got no answer from the daemon"),
    ],
)
def test_a_hook_that_does_not_get_through_is_a_fault(cli, home, store, script, said):
    assert cli("init", "--no-input", "--gemini").status == 0
    (store / "bin" / "hook").write_text(f"#!/bin/sh\n{script}\n")
    found = examined(cli)[1]["gemini"]
    assert found["level"] == "fault"
    assert f"the hook {said}: {store / 'bin' / 'hook'} gemini check 10" in found["found"]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("raise SystemExit(4)", "ended with 4 before it answered"),
        ("print('hello'); input()", "answered what is no JSON"),
        ('input(); print(\'{"id": 1, "error": {"code": 5}}\')', "refused"),
    ],
)
@pytest.mark.anyio
async def test_an_mcp_server_that_does_not_greet_is_told_of(program, said):
    from aftermind.cli.examining.clients import _greeted

    assert said in await _greeted([sys.executable, "-I", "-c", program])


def test_commands_of_a_shell_are_taken_apart_as_a_shell_does(place):
    from aftermind.cli.clients.catalog import ALL
    from aftermind.cli.clients.client import Setting
    from aftermind.cli.editing.ledger import Changed
    from aftermind.cli.editing.wanted import put_in
    from aftermind.cli.examining.clients import commands

    store = Path("/ho me/o'brien")
    for client in ALL:
        texts = []
        for file in client.files(Setting(store=store, home=place)):
            one = Changed(client=client.name, path="", form=file.form, wants=file.wants, before=None, after="")
            texts.append((one, put_in("", file.form, file.wants)))
        found = list(commands(client, texts))
        assert len([words for words, is_server in found if is_server]) == 1
        hooks = [words for words, is_server in found if not is_server]
        assert hooks == ([] if client.name == "opencode" else [["/ho me/o'brien/bin/hook", client.name, "check", "10"]])
