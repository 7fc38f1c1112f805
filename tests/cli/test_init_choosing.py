"""Which assistants init sets up, where, and for which store; and what it does not trust in a project."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.configs import FLAGS, everything, holds, states

# --- choosing -------------------------------------------------------------------------------------------------

PATCH, GIT = shutil.which("patch"), shutil.which("git")


def test_who_is_installed_is_found_by_folders_and_programs(cli, home, place, monkeypatch):
    assert "no assistant was found" in cli("init", "--no-input").err
    (home / ".cursor").mkdir()
    (place / "bin").mkdir()
    (place / "bin" / "gemini").write_text("#!/bin/sh\n")
    (place / "bin" / "gemini").chmod(0o755)
    monkeypatch.setenv("PATH", str(place / "bin"))
    assert [client["client"] for client in cli("init", "--no-input", "--json").json["clients"]] == ["cursor", "gemini"]


def test_without_a_name_all_that_were_set_up_are_undone_also_those_that_are_found_no_more(cli, home, place):
    cli("init", "--no-input", "--cursor", "--codex")
    shutil.rmtree(home / ".cursor")
    undone = cli("uninstall").out
    assert "Cursor" in undone
    assert "Codex CLI" in undone
    assert not (home / ".codex" / "hooks.json").exists()
    assert "assistants (default: all that were set up)" in cli("uninstall", "--help").out
    assert "assistants (default: those that are found)" in cli("init", "--help").out


def test_variables_of_the_clients_are_respected(cli, home, place, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place / "x d g"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(place / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(place / "codex"))
    ran = cli("init", "--no-input", *FLAGS, "--json")
    paths = set(states(ran))
    assert str(place / "claude" / "settings.json") in paths
    assert str(place / "claude" / ".claude.json") in paths
    assert str(place / "codex" / "config.toml") in paths
    assert str(place / "x d g" / "opencode" / "opencode.json") in paths
    assert str(place / "x d g" / "Code" / "User" / "mcp.json") in paths
    monkeypatch.setenv("OPENCODE_CONFIG", str(place / "own.jsonc"))
    paths = set(states(cli("init", "--no-input", "--opencode", "--json")))
    assert str(place / "own.jsonc") in paths
    assert str(place / "x d g" / "opencode" / "opencode.json") not in paths


def test_which_tools_are_offered_is_chosen_with_init(cli, home, place):
    (home / ".cursor").mkdir()
    cli("init", "--dry-run", "--cursor", "--tools", "project")
    assert cli("config", "get", "mcp.tools").out.strip() == "core"
    assert cli("init", "--no-input", "--cursor", "--tools", "project").status == 0
    assert cli("config", "get", "mcp.tools").out.strip() == "project"
    assert cli("init", "--no-input", "--cursor").status == 0  # what is not said stays
    assert cli("config", "get", "mcp.tools").out.strip() == "project"
    assert cli("init", "--no-input", "--cursor", "--tools", "everything").status == 2


def test_the_plugin_goes_where_plugins_are(cli, home):
    folder = home / ".config" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.json").write_text('{"plugin": ["a"]}')
    (folder / "opencode.jsonc").write_text("{}")
    assert str(folder / "opencode.json") in states(cli("init", "--no-input", "--opencode", "--json"))
    assert not holds(folder / "opencode.jsonc")


def test_a_dry_run_prints_the_exact_diff_and_makes_nothing(cli, home, place):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(b'{\r\n  "model": "opus"\r\n}')
    before = everything(home)
    ran = cli("init", "--no-input", "--claude-code", "--dry-run")
    assert ran.status == 0
    assert f"--- {path}\n+++ {path}\n@@ -1,3 " in ran.out
    assert everything(home) == before
    assert not (place / "store").exists()
    assert cli("init", "--no-input", "--claude-code").status == 0
    patched(ran.out, path, before=b'{\r\n  "model": "opus"\r\n}', after=path.read_bytes(), place=place)
    back = cli("uninstall", "--dry-run")
    assert "+++ /dev/null" in back.out
    assert holds(path)


def patched(diff: str, path: Path, *, before: bytes, after: bytes, place: Path) -> None:
    """The program that reads diffs makes of the one file the other."""
    (place / "old").write_bytes(before)
    own = diff[diff.index(f"--- {path}") : diff.index("--- /dev/null")]
    (place / "diff").write_bytes(own.encode())
    if PATCH is None:
        pytest.skip("not installed: patch")
    words = [PATCH, "--binary", "-s", str(place / "old"), str(place / "diff")]
    subprocess.run(words, check=True)
    assert (place / "old").read_bytes() == after


def test_a_home_and_a_store_with_spaces_quotes_and_other_letters(cli, place, monkeypatch):
    odd = place / 'Ünï o\'Brien "q" 家'
    odd.mkdir()
    monkeypatch.setenv("HOME", str(odd))
    monkeypatch.setenv("AFTERMIND_HOME", str(odd / "my store"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert cli("init", "--no-input", *FLAGS).status == 0
    once = everything(odd)
    assert cli("init", "--no-input", *FLAGS).status == 0
    assert everything(odd) == once
    assert cli("uninstall").status == 0
    assert [path.name for path in odd.iterdir()] == ["my store"]


def test_a_project_has_a_store_of_its_own_that_git_ignores(cli, home, place, monkeypatch):
    monkeypatch.delenv("AFTERMIND_HOME")
    (place / "work" / ".git").mkdir()
    (place / "work" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (place / "work" / "src").mkdir()
    monkeypatch.chdir(place / "work" / "src")
    before = everything(place / "work")
    ran = cli("init", "--no-input", *FLAGS, "--project", "--json")
    store = place / "work" / ".aftermind"
    told = " ".join(ran.json["next"])
    assert ".cursor/mcp.json" in told
    assert "AGENTS.md" not in told  # no path in it
    assert "aftermind pause" not in told
    assert ran.json["store"] == str(store)
    assert (store / ".gitignore").read_text() == "*\n"
    assert f"`aftermind doctor --home {store}`" in cli("init", "--no-input", "--cursor", "--project").out
    assert all(path.startswith(str(place / "work")) or path.endswith(".claude.json") for path in states(ran))
    claude = json.loads((home / ".claude.json").read_bytes())
    assert "aftermind" in claude["projects"][str(place / "work")]["mcpServers"]
    assert cli("uninstall", "--project", "--purge", "--yes").status == 0
    assert everything(place / "work") == before
    assert everything(home) == {}


def test_purge_takes_the_store_away_and_asks_before(cli, home, place):
    assert cli("remember", "Staging is down").status == 0
    assert cli("init", "--no-input", "--cursor").status == 0
    refused = cli("uninstall", "--purge")
    assert (refused.status, "--yes" in refused.err) == (2, True)
    assert (place / "store" / "log.db").exists()
    ran = cli("uninstall", "--purge", "--yes", "--json")
    assert (ran.status, ran.json["purged"]["folder_removed"]) == (0, True)
    assert not (place / "store").exists()
    assert everything(home) == {}


# --- projects of other people ---------------------------------------------------------------------------------


def test_a_link_out_of_a_project_is_not_followed(cli, home, place):
    work, outside = place / "work", home / "notes.md"
    (work / ".github" / "instructions").mkdir(parents=True)
    (work / ".github" / "instructions" / "aftermind.instructions.md").symlink_to(outside)
    outside.write_text("mine\n")
    ran = cli("init", "--no-input", "--vscode", "--project")
    assert ran.status == 1
    assert "leads out of the project" in ran.err
    assert outside.read_text() == "mine\n"
    assert not (work / ".vscode").exists()


def test_a_store_that_came_with_a_repository_is_not_used(cli, home, place, monkeypatch):
    if (git := GIT) is None:
        pytest.skip("not installed: git")
    work = place / "work"
    (work / ".aftermind").mkdir(mode=0o700)
    (work / ".aftermind" / "clients.json").write_text("{}")
    for words in (("init", "-q"), ("add", "-f", ".aftermind")):
        subprocess.run([git, "-C", str(work), *words], check=True)
    monkeypatch.setenv("PATH", str(Path(git).parent))
    ran = place / "ran"
    watch = place / "watch"
    watch.write_text(f"#!/bin/sh\ntouch {ran}\nexit 1\n")
    watch.chmod(0o755)
    subprocess.run([git, "-C", str(work), "config", "core.fsmonitor", str(watch)], check=True)
    for command in ("init", "uninstall"):
        refused = cli(command, "--cursor", "--project", *["--no-input"] * (command == "init"))
        assert refused.status == 2
        assert "came with the repository" in refused.err
    assert not ran.exists(), "a program that the repository names"
    (work / ".git" / "index").write_text("broken")
    assert "git cannot tell whether" in cli("init", "--cursor", "--project", "--no-input").err


def test_a_projects_store_is_no_link(cli, home, place):
    elsewhere = place / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    (place / "work" / ".aftermind").symlink_to(elsewhere)
    refused = cli("init", "--cursor", "--project", "--no-input")
    assert (refused.status, "is a link" in refused.err) == (2, True)
    assert list(elsewhere.iterdir()) == []


def test_a_ledger_that_names_other_files_undoes_nothing_there(cli, home, place, monkeypatch):
    """Of a project that was unpacked, not cloned."""
    mine = home / "mine.txt"
    mine.write_text("mine")
    assert cli("init", "--no-input", "--gemini", "--project").status == 0
    kept = place / "work" / ".aftermind" / "clients.json"
    told = json.loads(kept.read_bytes())
    told["changed"][0].update(path=str(mine), before=None, after=hashlib.sha256(b"mine").hexdigest())
    kept.write_text(json.dumps(told))
    ran = cli("uninstall", "--project")
    assert ran.status == 1
    assert f"{mine}: it is no file of this project's assistants" in ran.err
    assert mine.read_text() == "mine"


def test_a_ledger_that_names_a_file_elsewhere_as_its_backup_deletes_nothing_there(cli, home, place, monkeypatch):
    mine = home / "mine.txt"
    mine.write_text("mine")
    settings = place / "work" / ".gemini" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{}")
    assert cli("init", "--no-input", "--gemini", "--project").status == 0
    kept = place / "work" / ".aftermind" / "clients.json"
    told = json.loads(kept.read_bytes())
    told["changed"][0]["before"] = str(mine)
    kept.write_text(json.dumps(told))
    ran = cli("uninstall", "--project")
    assert (ran.status, f"{kept} cannot be understood" in ran.err) == (5, True)
    assert mine.read_text() == "mine"
