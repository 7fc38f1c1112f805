"""init and uninstall beside what is not theirs: a person's own entry of the same name, and another store's."""

from __future__ import annotations

import json

import pytest
from tests.configs import everything

OWN = {
    "claude-code": (".claude.json", '{"mcpServers": {"aftermind": {"command": "/opt/mine", "args": ["--key", "k"]}}}'),
    "codex": (".codex/config.toml", '[mcp_servers.aftermind]\nurl = "http://127.0.0.1/mine"\n'),
    "opencode": (".config/opencode/opencode.json", '{"mcp": {"aftermind": {"command": ["/opt/mine", "serve"]}}}'),
}


def test_a_persons_own_server_of_our_name_is_neither_replaced_nor_taken_out(cli, home):
    for name, text in OWN.values():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    before = everything(home)
    ran = cli("init", "--no-input", *(f"--{client}" for client in OWN))
    assert ran.status == 1
    assert "mcpServers.aftermind is an entry of your own: it runs /opt/mine" in ran.err
    assert "--key" not in ran.err
    assert cli("uninstall").status == 0
    assert everything(home) == before


def test_a_server_that_a_person_put_in_the_place_of_ours_stays(cli, home):
    path = home / ".claude.json"
    assert cli("init", "--no-input", "--claude-code").status == 0
    path.write_text(OWN["claude-code"][1])
    assert cli("uninstall").status == 0
    assert path.read_text() == OWN["claude-code"][1]


@pytest.mark.parametrize("order", [("one", "two"), ("two", "one")])
def test_of_two_stores_each_takes_out_its_own_and_brings_back_nobody(cli, home, place, monkeypatch, order):
    settings, rule = home / ".claude" / "settings.json", home / ".codex" / "AGENTS.md"
    for path, text in ((settings, '{"a": 1}'), (rule, "mine\n"), (home / ".cursor" / "hooks.json", '{"version": 1}')):
        path.parent.mkdir()
        path.write_text(text)
    before = {name: facts[1] for name, facts in everything(home).items()}
    flags = ("--claude-code", "--codex", "--cursor", "--opencode")
    for store in ("one", "two"):
        monkeypatch.setenv("AFTERMIND_HOME", str(place / store))
        assert cli("init", "--no-input", *flags).status == 0
    monkeypatch.setenv("AFTERMIND_HOME", str(place / order[0]))
    assert cli("uninstall").status == 0
    stays = json.loads((home / ".claude.json").read_bytes())["mcpServers"]["aftermind"]["args"]
    assert str(place / order[1]) in stays
    assert str(place / order[0]) not in settings.read_text()
    monkeypatch.setenv("AFTERMIND_HOME", str(place / order[1]))
    assert cli("uninstall").status == 0
    left = {name: facts[1] for name, facts in everything(home).items()}
    assert {name: left[name] for name in before} == before
    assert not any(str(place / store).encode() in content for store in order for content in left.values())
    made = [
        b"".join(content.split()) for name, content in left.items() if name not in before and (home / name).is_file()
    ]
    assert set(made) <= {b"", b"{}", b'{"$schema":"https://opencode.ai/config.json"}'}


@pytest.mark.parametrize("mine", [b"# mine", b"", None], ids=["a-text", "an-empty-file", "no-file"])
@pytest.mark.parametrize("order", [("one", "two"), ("two", "one"), ("two",)])
def test_a_rule_is_every_stores_that_set_the_assistant_up_and_goes_with_the_last(cli, home, place, order, mine):
    rule = home / ".codex" / "AGENTS.md"
    rule.parent.mkdir()
    if mine is not None:
        rule.write_bytes(mine)
    for store in sorted(order):
        assert cli("init", "--no-input", "--codex", "--home", str(place / store)).status == 0
    ruled = rule.read_bytes()
    assert ruled.count(b"aftermind:begin") == 1
    for store in order[:-1]:
        ran = cli("uninstall", "--home", str(place / store))
        assert (ran.status, "  stays: another store has it, too" in ran.out) == (0, True)
        assert rule.read_bytes() == ruled
    told = cli("uninstall", "--home", str(place / order[-1]))
    assert (told.status, "you changed" in told.out) == (0, False)
    assert (rule.read_bytes() if rule.exists() else None) == mine


@pytest.mark.parametrize("order", [("one", "two"), ("two", "one")])
def test_a_rule_that_two_stores_share_goes_out_of_what_a_person_wrote_around_it(cli, home, place, order):
    rule = home / ".codex" / "AGENTS.md"
    assert cli("init", "--no-input", "--codex", "--home", str(place / "one")).status == 0
    rule.write_text(f"# mine\n\n{rule.read_text()}")
    assert cli("init", "--no-input", "--codex", "--home", str(place / "two")).status == 0
    for store in order:
        assert "aftermind:begin" in rule.read_text()
        assert cli("uninstall", "--home", str(place / store)).status == 0
    assert rule.read_text() == "# mine\n"


@pytest.mark.parametrize("order", [("one", "two"), ("two", "one")])
def test_an_older_rule_that_another_store_renewed_goes_with_the_last(cli, home, place, monkeypatch, order):
    rule = home / ".codex" / "AGENTS.md"
    with monkeypatch.context() as earlier:
        earlier.setattr("aftermind.cli.clients.rules.VERSION", 1)
        assert cli("init", "--no-input", "--codex", "--home", str(place / "one")).status == 0
    assert cli("init", "--no-input", "--codex", "--home", str(place / "two")).status == 0
    for store in order:
        assert "aftermind:begin 2" in rule.read_text()
        assert cli("uninstall", "--home", str(place / store)).status == 0
    assert not rule.exists()


def test_a_rule_that_an_earlier_init_found_and_did_not_write_down_stays_with_whose_it_is(cli, home, place):
    rule, ledger = home / ".codex" / "AGENTS.md", place / "two" / "clients.json"
    for store in ("one", "two"):
        assert cli("init", "--no-input", "--codex", "--home", str(place / store)).status == 0
    said = json.loads(ledger.read_bytes())
    said["changed"] = [one for one in said["changed"] if one["path"] != str(rule)]
    ledger.write_text(json.dumps(said))
    assert "AGENTS.md" not in cli("uninstall", "--home", str(place / "two")).out
    assert "aftermind:begin" in rule.read_text()
    assert cli("uninstall", "--home", str(place / "one")).status == 0
    assert everything(home) == {}


def test_a_store_by_another_path_is_not_another_store(cli, home, place):
    (place / "link").symlink_to(place / "one")
    assert cli("init", "--no-input", "--codex", "--home", str(place / "one")).status == 0
    assert cli("uninstall", "--home", str(place / "link")).status == 0
    assert everything(home) == {}


@pytest.mark.parametrize("line", ["echo don't; /old/bin/hook cursor prompt", "/o\\u0000ld/bin/hook cursor prompt"])
def test_a_line_that_names_no_store_is_no_stores_and_keeps_nobody_from_being_set_up(cli, home, line):
    hooks = home / ".cursor" / "hooks.json"
    hooks.parent.mkdir()
    hooks.write_text(f'{{"version": 1, "hooks": {{"beforeSubmitPrompt": [{{"command": "{line}"}}]}}}}')
    before = everything(home)
    for words in (("init", "--dry-run"), ("init", "--no-input"), ("uninstall",)):
        ran = cli(*words)
        assert (ran.status, ran.err) == (0, "")
    assert everything(home) == before
