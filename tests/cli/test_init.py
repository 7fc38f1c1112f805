"""init and uninstall: what people have in their configurations is theirs, byte for byte, whatever happens between."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from tests.configs import CLIENTS, GOLDEN, client_of, everything, golden, placed

from aftermind.cli.editing import jsonc, toml

FLAGS = tuple(f"--{name}" for name in CLIENTS)


@pytest.fixture
def home(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of nobody, and no assistant in it or on the path."""
    folder = place / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", "/nowhere")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    return folder


def states(ran):
    """What became of each file, by its path."""
    return {file["path"]: file["state"] for client in ran.json["clients"] for file in client["files"]}


def holds(path: Path) -> bool:
    """Whether our entries are in it."""
    return b"aftermind" in path.read_bytes() or b"/bin/hook" in path.read_bytes()


# --- nothing is lost ------------------------------------------------------------------------------------------


def test_there_are_enough_configurations():
    assert len(golden()) >= 30
    assert {client_of(config) for config in golden()} == set(CLIENTS)


@pytest.mark.parametrize("config", golden(), ids=lambda config: str(config.relative_to(GOLDEN)))
def test_init_and_uninstall_leave_identical_bytes_and_twice_changes_nothing(cli, home, config):
    path = placed(config, home)
    before = everything(home)
    flag = f"--{client_of(config)}"
    assert cli("init", flag, "--json").status == 0
    assert holds(path)
    once = everything(home)
    again = cli("init", flag, "--json")
    assert again.status == 0
    assert set(states(again).values()) == {"as it is"}
    assert everything(home) == once
    assert cli("uninstall", flag).status == 0
    assert everything(home) == before


def test_what_a_person_adds_after_init_is_all_that_uninstall_leaves_beside_what_was_there(cli, home):
    """Their edit is at the end of each file, where it changes every digest and no entry: as many files at once as have
    places of their own."""
    waiting = golden()
    while waiting:
        at_once = list({(config.parts[-3], config.parts[-2]): config for config in waiting}.values())
        waiting = [config for config in waiting if config not in at_once]
        paths = {placed(config, home): config for config in at_once}
        before = {path: read(path) for path in paths}
        assert cli("init", *{f"--{client_of(config)}" for config in at_once}).status == 0
        for path in paths:
            path.write_bytes(path.read_bytes() + b"\n \n")
        assert cli("uninstall").status == 0
        for path, config in paths.items():
            assert not holds(path) or b"aftermind" in config.read_bytes() or b"/bin/hook" in config.read_bytes()
            after = read(path)
            if config.name == "another-stores-hooks":
                del before[path]["hooks"]["Stop"][0]  # its place was taken
            if config.name == "without-version":
                del after["version"]  # what is left of the file needs it
            assert after == before[path], config.name
            path.unlink()


def read(path: Path):
    """What a configuration says, whatever its form. Nothing and an empty object are the same."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        return toml.parsed(text)
    return (jsonc.parsed(text) or {}) if path.suffix.startswith(".json") else text.strip("\ufeff \r\n")


def test_all_assistants_at_once_and_back(cli, home):
    for config in golden():
        placed(config, home)
    before = everything(home)
    ran = cli("init", *FLAGS)
    assert (ran.status, ran.err) == (0, "")
    assert cli("uninstall").status == 0
    assert everything(home) == before
    left = {path.name for path in (home.parent / "store").iterdir()}
    assert left == {"bin", "clients.lock"}


def test_in_an_empty_home_everything_that_was_made_goes_again(cli, home):
    before = everything(home)
    ran = cli("init", *FLAGS, "--json")
    assert set(states(ran).values()) == {"create"}
    assert len(everything(home)) > len(CLIENTS)
    assert cli("uninstall").status == 0
    assert everything(home) == before


def test_what_is_written_is_what_clients_read(cli, home, place):
    assert cli("init", *FLAGS).status == 0
    hook = str(place / "store" / "bin" / "hook")
    settings = json.loads((home / ".claude" / "settings.json").read_bytes())
    (group,) = settings["hooks"]["UserPromptSubmit"]
    (handler,) = group["hooks"]
    assert (handler["command"], handler["args"][:2]) == (hook, ["claude-code", "prompt"])
    server = json.loads((home / ".claude.json").read_bytes())["mcpServers"]["aftermind"]
    assert server["args"][:2] == ["-I", "-S"]
    assert server["args"][2].endswith("bin/pipe.py")
    assert Path(server["command"]).is_absolute()
    opencode = json.loads((home / ".config" / "opencode" / "opencode.json").read_bytes())
    assert opencode["plugin"] == [(place / "store" / "bin" / "opencode.js").as_uri()]
    assert opencode["mcp"]["aftermind"]["command"][0] == server["command"]
    codex = toml.parsed((home / ".codex" / "config.toml").read_text())
    assert codex["mcp_servers"]["aftermind"]["command"] == server["command"]


# --- other people's files -------------------------------------------------------------------------------------


def test_a_link_stays_a_link_and_what_it_points_to_is_edited_and_restored(cli, home):
    real = home / "dotfiles" / "claude settings.json"
    real.parent.mkdir()
    real.write_bytes(b'{"model": "opus"}')
    real.chmod(0o640)
    with suppress(OSError, AttributeError):  # not every system has such attributes
        os.setxattr(real, "user.kept", b"1")
    attributes = os.listxattr(real) if hasattr(os, "listxattr") else []
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").symlink_to(Path("..") / "dotfiles" / real.name)
    before = everything(home)
    assert cli("init", "--claude-code").status == 0
    assert (home / ".claude" / "settings.json").is_symlink()
    assert holds(real)
    assert real.stat().st_mode & 0o777 == 0o640
    assert (home / ".claude.json").stat().st_mode & 0o777 == 0o600
    assert cli("uninstall").status == 0
    assert (os.listxattr(real) if hasattr(os, "listxattr") else []) == attributes
    assert everything(home) == before


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{\n  "a": 1\n  "b": 2\n}', "line 3: '\"' where a comma or } is expected (column 3)"),
        (b'{"a": "x\n"}', "line 1: a string does not end"),
        (b"{\n/* \n", "line 2: a comment does not end"),
        (b'{"hooks": 5}', "line 1: hooks is a number, where an object belongs (column 11)"),
        (b'{"hooks": {"Stop": {}}}', "line 1: hooks.Stop is an object, where a list belongs"),
        (b"[]", "line 1: the file holds a list, where an object belongs"),
        (b'{"a": "\xff"}', "line 1: it is not UTF-8 text"),
        (b"\xff\xfe{\x00}\x00", "line 1: it is not UTF-8 text"),
        (b"[" * 5000, "line 1: more than 200 brackets are open"),
    ],
)
def test_what_cannot_be_understood_is_left_alone_and_the_line_is_named(cli, home, content, said):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(content)
    before = everything(home / ".claude")
    ran = cli("init", "--claude-code", "--gemini")
    assert ran.status == 1
    assert f"{path}, {said}" in ran.err
    assert everything(home / ".claude") == before
    assert not (home / ".claude.json").exists()  # a client is set up as a whole or not at all
    assert holds(home / ".gemini" / "settings.json")


def test_a_line_of_toml_that_cannot_be_understood_is_named(cli, home):
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text('model = "o"\nthis is no toml\n')
    ran = cli("init", "--codex", "--json")
    assert ran.status == 1
    assert f"{path}, line 2: " in ran.json["clients"][0]["refused"]
    assert [entry.name for entry in path.parent.iterdir()] == ["config.toml"]


def test_a_read_only_file_a_folder_and_a_link_to_nothing_are_refused(cli, home):
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{}")
    settings.chmod(0o444)
    assert f"{settings}: it is read-only" in cli("init", "--claude-code").err
    settings.unlink()
    settings.mkdir()
    assert f"{settings}: it is a folder" in cli("init", "--claude-code").err
    settings.rmdir()
    settings.symlink_to(home / "gone.json")
    assert f"{settings}: it is a link to {home / 'gone.json'}" in cli("init", "--claude-code").err
    settings.unlink()
    settings.symlink_to(settings)
    assert cli("init", "--claude-code").status == 1
    settings.unlink()
    os.mkfifo(settings)
    assert f"{settings}: it is no plain file" in cli("init", "--claude-code").err
    settings.unlink()
    (home / "other.json").write_text("{}")
    settings.hardlink_to(home / "other.json")
    assert "several names" in cli("init", "--claude-code").err
    assert not (home / ".claude.json").exists()


# --- what people do meanwhile ---------------------------------------------------------------------------------


def test_what_a_person_changed_in_our_entries_stays_and_what_is_run_is_put_right(cli, home):
    path = home / ".gemini" / "settings.json"
    assert cli("init", "--gemini").status == 0
    said = json.loads(path.read_bytes())
    said["mcpServers"]["aftermind"]["trust"] = True
    said["mcpServers"]["aftermind"]["args"] = ["wrong"]
    said["hooks"]["AfterAgent"][0]["hooks"][0]["timeout"] = 99
    said["hooks"]["AfterAgent"].append({"hooks": []})
    path.write_text(json.dumps(said))
    assert states(cli("init", "--gemini", "--json"))[str(path)] == "edit"
    now = json.loads(path.read_bytes())
    assert now["mcpServers"]["aftermind"]["trust"] is True
    assert now["mcpServers"]["aftermind"]["args"][0] == "-I"
    assert now["hooks"]["AfterAgent"][0]["hooks"][0]["timeout"] == 99
    assert cli("uninstall").status == 0
    assert json.loads(path.read_bytes()) == {"hooks": {"AfterAgent": [{"hooks": []}]}}


def test_a_persons_handler_in_our_group_survives_uninstall(cli, home):
    path = home / ".claude" / "settings.json"
    assert cli("init", "--claude-code").status == 0
    said = json.loads(path.read_bytes())
    said["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say done"})
    path.write_text(json.dumps(said))
    assert cli("uninstall").status == 0
    left = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}
    assert json.loads(path.read_bytes()) == left


def test_a_person_who_took_our_entries_out_and_inits_again_gets_their_own_file_back(cli, home):
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text("{}")
    assert cli("init", "--cursor").status == 0
    path.write_text('{"mcpServers": {"mine": {"url": "x"}}} // new\n')
    mine = path.read_bytes()
    assert cli("init", "--cursor").status == 0
    assert cli("uninstall").status == 0
    assert path.read_bytes() == mine


def test_without_the_ledger_entries_are_found_by_what_they_run(cli, home, place):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"model": "opus"}')
    assert cli("init", "--claude-code").status == 0
    (place / "store" / "clients.json").unlink()
    assert cli("uninstall").status == 0
    assert not holds(path)
    assert json.loads(path.read_bytes())["model"] == "opus"


def test_after_a_reset_entries_still_go_and_broken_files_of_others_are_no_matter(cli, home, place):
    broken = home / ".cursor" / "mcp.json"
    broken.parent.mkdir()
    broken.write_text("{ broken")
    before = everything(home)
    assert cli("init", "--gemini", "--codex").status == 0
    assert "aftermind uninstall" in cli("reset", "--dry-run").out
    assert cli("reset", "--yes").status == 0
    assert not (place / "store").exists()
    ran = cli("uninstall")
    assert (ran.status, ran.err) == (0, "")
    kept = {name: facts for name, facts in everything(home).items() if name in before}
    assert kept == before
    assert not any(holds(path) for path in home.rglob("*") if path.is_file())
    assert not (place / "store").exists()


def test_a_file_that_is_gone_is_no_reason_to_fail(cli, home):
    assert cli("init", *FLAGS).status == 0
    (home / ".claude.json").unlink()
    assert cli("uninstall").status == 0
    assert everything(home) == {}


def test_another_stores_hooks_are_replaced_and_that_is_said(cli, home, place, monkeypatch):
    assert cli("init", "--cursor").status == 0
    monkeypatch.setenv("AFTERMIND_HOME", str(place / "second"))
    ran = cli("init", "--cursor")
    path = home / ".cursor" / "hooks.json"
    assert f"{path} had another store's hooks" in ran.out
    assert f"{place / 'store' / 'bin' / 'hook'} cursor prompt" in ran.out
    assert str(place / "store") not in path.read_text()
    assert "another store" not in cli("init", "--cursor").out
    assert cli("uninstall").status == 0
    assert str(place / "store") in path.read_text()  # as it was before
    monkeypatch.setenv("AFTERMIND_HOME", str(place / "store"))
    assert cli("uninstall").status == 0
    assert everything(home) == {}


# --- choosing -------------------------------------------------------------------------------------------------


def test_who_is_installed_is_found_by_folders_and_programs(cli, home, place, monkeypatch):
    assert "no assistant was found" in cli("init").err
    (home / ".cursor").mkdir()
    (place / "bin").mkdir()
    (place / "bin" / "gemini").write_text("#!/bin/sh\n")
    (place / "bin" / "gemini").chmod(0o755)
    monkeypatch.setenv("PATH", str(place / "bin"))
    assert [client["client"] for client in cli("init", "--json").json["clients"]] == ["cursor", "gemini"]


def test_variables_of_the_clients_are_respected(cli, home, place, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place / "x d g"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(place / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(place / "codex"))
    ran = cli("init", *FLAGS, "--json")
    paths = set(states(ran))
    assert str(place / "claude" / "settings.json") in paths
    assert str(place / "claude" / ".claude.json") in paths
    assert str(place / "codex" / "config.toml") in paths
    assert str(place / "x d g" / "opencode" / "opencode.json") in paths
    assert str(place / "x d g" / "Code" / "User" / "mcp.json") in paths
    monkeypatch.setenv("OPENCODE_CONFIG", str(place / "own.jsonc"))
    paths = set(states(cli("init", "--opencode", "--json")))
    assert str(place / "own.jsonc") in paths
    assert str(place / "x d g" / "opencode" / "opencode.json") not in paths


def test_the_plugin_goes_where_plugins_are(cli, home):
    folder = home / ".config" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.json").write_text('{"plugin": ["a"]}')
    (folder / "opencode.jsonc").write_text("{}")
    assert str(folder / "opencode.json") in states(cli("init", "--opencode", "--json"))
    assert not holds(folder / "opencode.jsonc")


def test_a_dry_run_prints_the_exact_diff_and_makes_nothing(cli, home, place):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(b'{\r\n  "model": "opus"\r\n}')
    before = everything(home)
    ran = cli("init", "--claude-code", "--dry-run")
    assert ran.status == 0
    assert f"--- {path}\n+++ {path}\n@@ -1,3 " in ran.out
    assert everything(home) == before
    assert not (place / "store").exists()
    assert cli("init", "--claude-code").status == 0
    patched(ran.out, path, before=b'{\r\n  "model": "opus"\r\n}', after=path.read_bytes(), place=place)
    back = cli("uninstall", "--dry-run")
    assert "+++ /dev/null" in back.out
    assert holds(path)


def patched(diff: str, path: Path, *, before: bytes, after: bytes, place: Path) -> None:
    """The program that reads diffs makes of the one file the other."""
    (place / "old").write_bytes(before)
    own = diff[diff.index(f"--- {path}") : diff.index("--- /dev/null")]
    (place / "diff").write_bytes(own.encode())
    words = ["/usr/bin/patch", "--binary", "-s", str(place / "old"), str(place / "diff")]
    if not Path(words[0]).exists():
        pytest.skip("there is no patch")
    subprocess.run(words, check=True)
    assert (place / "old").read_bytes() == after


def test_a_home_and_a_store_with_spaces_quotes_and_other_letters(cli, place, monkeypatch):
    odd = place / 'Ünï o\'Brien "q" 家'
    odd.mkdir()
    monkeypatch.setenv("HOME", str(odd))
    monkeypatch.setenv("AFTERMIND_HOME", str(odd / "my store"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert cli("init", *FLAGS).status == 0
    once = everything(odd)
    assert cli("init", *FLAGS).status == 0
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
    ran = cli("init", *FLAGS, "--project", "--json")
    store = place / "work" / ".aftermind"
    told = " ".join(ran.json["next"])
    assert ".cursor/mcp.json" in told
    assert "AGENTS.md" not in told  # no path in it
    assert "aftermind pause" not in told
    assert ran.json["store"] == str(store)
    assert (store / ".gitignore").read_text() == "*\n"
    assert f"`aftermind doctor --home {store}`" in cli("init", "--cursor", "--project").out
    assert all(path.startswith(str(place / "work")) or path.endswith(".claude.json") for path in states(ran))
    claude = json.loads((home / ".claude.json").read_bytes())
    assert "aftermind" in claude["projects"][str(place / "work")]["mcpServers"]
    assert cli("uninstall", "--project", "--purge", "--yes").status == 0
    assert everything(place / "work") == before
    assert everything(home) == {}


def test_purge_takes_the_store_away_and_asks_before(cli, home, place):
    assert cli("remember", "Staging is down").status == 0
    assert cli("init", "--cursor").status == 0
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
    ran = cli("init", "--vscode", "--project")
    assert ran.status == 1
    assert "leads out of the project" in ran.err
    assert outside.read_text() == "mine\n"
    assert not (work / ".vscode").exists()


def test_a_store_that_came_with_a_repository_is_not_used(cli, home, place, monkeypatch):
    git = next((path for path in ("/usr/bin/git", "/usr/local/bin/git") if Path(path).exists()), None)
    if git is None:
        pytest.skip("there is no git")
    work = place / "work"
    (work / ".aftermind").mkdir(mode=0o700)
    (work / ".aftermind" / "clients.json").write_text("{}")
    for words in (("init", "-q"), ("add", "-f", ".aftermind")):
        subprocess.run([git, "-C", str(work), *words], check=True)
    monkeypatch.setenv("PATH", str(Path(git).parent))
    for command in ("init", "uninstall"):
        refused = cli(command, "--cursor", "--project")
        assert refused.status == 2
        assert "came with the repository" in refused.err


def test_a_ledger_that_names_other_files_undoes_nothing_there(cli, home, place, monkeypatch):
    """Of a project that was unpacked, not cloned."""
    mine = home / "mine.txt"
    mine.write_text("mine")
    assert cli("init", "--gemini", "--project").status == 0
    kept = place / "work" / ".aftermind" / "clients.json"
    told = json.loads(kept.read_bytes())
    told["changed"][0].update(path=str(mine), before=None, after=hashlib.sha256(b"mine").hexdigest())
    kept.write_text(json.dumps(told))
    ran = cli("uninstall", "--project")
    assert ran.status == 1
    assert f"{mine}: it is no file of this project's assistants" in ran.err
    assert mine.read_text() == "mine"
