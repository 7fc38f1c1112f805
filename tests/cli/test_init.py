"""init and uninstall: what people have in their configurations is theirs, byte for byte, whatever happens between."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

import pytest
from tests.configs import CLIENTS, FLAGS, GOLDEN, client_of, everything, golden, holds, placed, states

from aftermind.cli.editing import jsonc, toml

# --- nothing is lost ------------------------------------------------------------------------------------------


def test_there_are_enough_configurations():
    assert len(golden()) >= 30
    assert {client_of(config) for config in golden()} == set(CLIENTS)


@pytest.mark.parametrize("config", golden(), ids=lambda config: str(config.relative_to(GOLDEN)))
def test_init_and_uninstall_leave_identical_bytes_and_twice_changes_nothing(cli, home, config):
    path = placed(config, home)
    before = everything(home)
    flag = f"--{client_of(config)}"
    assert cli("init", "--no-input", flag, "--json").status == 0
    assert holds(path)
    once = everything(home)
    again = cli("init", "--no-input", flag, "--json")
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
        assert cli("init", "--no-input", *{f"--{client_of(config)}" for config in at_once}).status == 0
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
    ran = cli("init", "--no-input", *FLAGS)
    assert (ran.status, ran.err) == (0, "")
    assert cli("uninstall").status == 0
    assert everything(home) == before
    left = {path.name for path in (home.parent / "store").iterdir()}
    assert left == {"bin", "clients.lock"}


def test_in_an_empty_home_everything_that_was_made_goes_again(cli, home):
    before = everything(home)
    ran = cli("init", "--no-input", *FLAGS, "--json")
    assert set(states(ran).values()) == {"create"}
    assert len(everything(home)) > len(CLIENTS)
    assert cli("uninstall").status == 0
    assert everything(home) == before


def test_what_is_written_is_what_clients_read(cli, home, place):
    assert cli("init", "--no-input", *FLAGS).status == 0
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
    assert cli("init", "--no-input", "--claude-code").status == 0
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
    ran = cli("init", "--no-input", "--claude-code", "--gemini")
    assert ran.status == 1
    assert f"{path}, {said}" in ran.err
    assert everything(home / ".claude") == before
    assert not (home / ".claude.json").exists()  # a client is set up as a whole or not at all
    assert holds(home / ".gemini" / "settings.json")


def test_a_line_of_toml_that_cannot_be_understood_is_named(cli, home):
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text('model = "o"\nthis is no toml\n')
    ran = cli("init", "--no-input", "--codex", "--json")
    assert ran.status == 1
    assert f"{path}, line 2: " in ran.json["clients"][0]["refused"]
    assert [entry.name for entry in path.parent.iterdir()] == ["config.toml"]


def test_a_read_only_file_a_folder_and_a_link_to_nothing_are_refused(cli, home):
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{}")
    settings.chmod(0o444)
    said = cli("init", "--no-input", "--claude-code")
    assert f"{settings}: it is read-only" in said.err
    assert said.out == "Nothing was set up.\n"
    settings.unlink()
    settings.mkdir()
    assert f"{settings}: it is a folder" in cli("init", "--no-input", "--claude-code").err
    settings.rmdir()
    settings.symlink_to(home / "gone.json")
    assert f"{settings}: it is a link to {home / 'gone.json'}" in cli("init", "--no-input", "--claude-code").err
    settings.unlink()
    settings.symlink_to(settings)
    assert cli("init", "--no-input", "--claude-code").status == 1
    settings.unlink()
    os.mkfifo(settings)
    assert f"{settings}: it is no plain file" in cli("init", "--no-input", "--claude-code").err
    settings.unlink()
    (home / "other.json").write_text("{}")
    settings.hardlink_to(home / "other.json")
    assert "several names" in cli("init", "--no-input", "--claude-code").err
    assert not (home / ".claude.json").exists()
