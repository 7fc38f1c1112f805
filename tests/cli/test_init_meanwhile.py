"""init and uninstall after people changed what init wrote, or took it away."""

from __future__ import annotations

import json

from tests.configs import FLAGS, everything, holds, states


def test_what_a_person_changed_in_our_entries_stays_and_what_is_run_is_put_right(cli, home):
    path = home / ".gemini" / "settings.json"
    assert cli("init", "--no-input", "--gemini").status == 0
    said = json.loads(path.read_bytes())
    said["mcpServers"]["aftermind"]["trust"] = True
    said["mcpServers"]["aftermind"]["args"] = said["mcpServers"]["aftermind"]["args"][2:]
    said["hooks"]["AfterAgent"][0]["hooks"][0]["timeout"] = 99
    said["hooks"]["AfterAgent"].append({"hooks": []})
    path.write_text(json.dumps(said))
    assert states(cli("init", "--no-input", "--gemini", "--json"))[str(path)] == "edit"
    now = json.loads(path.read_bytes())
    assert now["mcpServers"]["aftermind"]["trust"] is True
    assert now["mcpServers"]["aftermind"]["args"][0] == "-I"
    assert now["hooks"]["AfterAgent"][0]["hooks"][0]["timeout"] == 99
    assert cli("uninstall").status == 0
    assert json.loads(path.read_bytes()) == {"hooks": {"AfterAgent": [{"hooks": []}]}}


def test_a_plugin_that_a_person_gave_options_is_still_ours(cli, home):
    path = home / ".config" / "opencode" / "opencode.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"plugin": ["theirs"]}')
    assert cli("init", "--no-input", "--opencode").status == 0
    said = json.loads(path.read_bytes())
    said["plugin"][1] = [said["plugin"][1], {"milliseconds": 2000}]
    path.write_text(json.dumps(said))
    assert states(cli("init", "--no-input", "--opencode", "--json"))[str(path)] == "as it is"
    said["plugin"][1][0] = "file:///elsewhere/bin/opencode.js"
    path.write_text(json.dumps(said))
    assert cli("init", "--no-input", "--opencode").status == 0
    (theirs, (ours, options)) = json.loads(path.read_bytes())["plugin"]
    assert (theirs, "elsewhere" in ours, options) == ("theirs", False, {"milliseconds": 2000})
    assert cli("uninstall").status == 0
    assert json.loads(path.read_bytes()) == {"plugin": ["theirs"]}


def test_a_persons_handler_in_our_group_survives_uninstall(cli, home):
    path = home / ".claude" / "settings.json"
    assert cli("init", "--no-input", "--claude-code").status == 0
    said = json.loads(path.read_bytes())
    said["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say done"})
    path.write_text(json.dumps(said))
    assert cli("uninstall").status == 0
    left = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}
    assert json.loads(path.read_bytes()) == left


def test_a_persons_comment_beside_our_entry_survives_uninstall_with_what_it_stands_in(cli, home):
    path = home / ".gemini" / "settings.json"
    path.parent.mkdir()
    path.write_text('{\n  "theme": "x" // mine\n}\n')
    assert cli("init", "--no-input", "--gemini").status == 0
    head, tail = path.read_text().split('"mcpServers": {\n')
    path.write_text(f'{head}"mcpServers": {{\n    // later: the billing server\n{tail}')
    assert cli("uninstall").status == 0
    left = '{\n  "theme": "x", // mine\n  "mcpServers": {\n    // later: the billing server\n  }\n}\n'
    assert path.read_text() == left


def test_a_person_who_took_our_entries_out_and_inits_again_gets_their_own_file_back(cli, home):
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text("{}")
    assert cli("init", "--no-input", "--cursor").status == 0
    path.write_text('{"mcpServers": {"mine": {"url": "x"}}} // new\n')
    mine = path.read_bytes()
    assert cli("init", "--no-input", "--cursor").status == 0
    assert cli("uninstall").status == 0
    assert path.read_bytes() == mine


def test_of_a_file_that_a_person_changed_back_no_older_copy_stays(cli, home, place):
    path, kept = home / ".cursor" / "mcp.json", place / "store" / "backups"
    path.parent.mkdir()
    for key in ("first", "second"):
        path.write_text(f'{{"mcpServers": {{"mine": {{"url": "x", "env": {{"KEY": "{key}"}}}}}}}}')
        assert cli("init", "--no-input", "--cursor").status == 0
    assert [b"second" in file.read_bytes() for file in kept.iterdir()] == [True]
    assert cli("uninstall", "--cursor").status == 0
    assert b"second" in path.read_bytes()
    assert not kept.exists()


def test_a_copy_of_two_files_stays_as_long_as_one_of_them_may_want_it_back(cli, home, place):
    one, two = home / ".cursor" / "mcp.json", home / ".gemini" / "settings.json"
    for path in (one, two):
        path.parent.mkdir()
        path.write_text('{"own": "x"}')
    assert cli("init", "--no-input", "--cursor", "--gemini").status == 0
    one.write_text('{"own": "y"}')
    assert cli("init", "--no-input", "--cursor").status == 0
    assert cli("uninstall").status == 0
    assert (one.read_text(), two.read_text()) == ('{"own": "y"}', '{"own": "x"}')
    assert not (place / "store" / "backups").exists()


def test_copies_that_no_ledger_names_go_when_all_is_undone_and_not_before(cli, home, place):
    path, store = home / ".cursor" / "mcp.json", place / "store"
    path.parent.mkdir()
    path.write_text('{"own": "x"}')
    assert cli("init", "--no-input", "--cursor").status == 0
    copies = everything(store / "backups")
    (store / "clients.json").rename(place / "moved")  # as its owner is told to where it is a newer version's
    assert cli("init", "--no-input", "--gemini", "--codex").status == 0
    assert cli("uninstall", "--gemini").status == 0
    assert everything(store / "backups").items() >= copies.items()
    half = store / "backups" / f".{'0' * 64}.new"  # of who was killed
    half.write_text('{"own": "x"}')
    assert cli("uninstall", "--dry-run").status == 0
    assert half.exists()
    assert cli("uninstall").status == 0
    assert not (store / "backups").exists()


def test_without_the_ledger_entries_are_found_by_what_they_run(cli, home, place):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"model": "opus"}')
    assert cli("init", "--no-input", "--claude-code").status == 0
    (place / "store" / "clients.json").unlink()
    ran = cli("uninstall")
    assert (ran.status, "you changed" in ran.out) == (0, False)
    assert "~/.claude/settings.json (hooks)  our entries taken out; the store knows no more of this file" in ran.out
    assert not holds(path)
    assert json.loads(path.read_bytes())["model"] == "opus"


def test_after_a_reset_entries_still_go_and_broken_files_of_others_are_no_matter(cli, home, place):
    broken = home / ".cursor" / "mcp.json"
    broken.parent.mkdir()
    broken.write_text("{ broken")
    before = everything(home)
    assert cli("init", "--no-input", "--gemini", "--codex").status == 0
    assert "aftermind uninstall" in cli("reset", "--dry-run").out
    assert cli("reset", "--yes").status == 0
    assert not (place / "store").exists()
    ran = cli("uninstall")
    assert (ran.status, ran.err) == (0, "")
    kept = {name: facts for name, facts in everything(home).items() if name in before}
    assert kept == before
    assert not (home / ".codex" / "AGENTS.md").exists()  # nothing but ours was in it
    assert not any(holds(path) for path in home.rglob("*") if path.is_file())
    assert not (place / "store").exists()


def test_a_file_that_is_gone_is_no_reason_to_fail(cli, home):
    assert cli("init", "--no-input", *FLAGS).status == 0
    (home / ".claude.json").unlink()
    assert cli("uninstall").status == 0
    assert everything(home) == {}


def test_another_stores_hooks_are_replaced_and_that_is_said(cli, home, place, monkeypatch):
    assert cli("init", "--no-input", "--cursor").status == 0
    monkeypatch.setenv("AFTERMIND_HOME", str(place / "second"))
    ran = cli("init", "--no-input", "--cursor")
    path = home / ".cursor" / "hooks.json"
    assert f"{path} had another store's entries" in ran.out
    assert f"{place / 'store' / 'bin' / 'hook'} cursor prompt" in ran.out
    assert str(place / "store") not in path.read_text()
    assert "another store" not in cli("init", "--no-input", "--cursor").out
    assert cli("uninstall").status == 0
    assert str(place / "store") in path.read_text()  # as it was before
    monkeypatch.setenv("AFTERMIND_HOME", str(place / "store"))
    assert cli("uninstall").status == 0
    assert everything(home) == {}
