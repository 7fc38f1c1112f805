"""OpenCode waits for a package that nothing needs: `init` prevents that where nothing does, and says what it did."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aftermind.cli.clients.opencode_dependencies import PACKAGE, Found, planned

AT = Path("/home/somebody/.config/opencode")


@pytest.mark.parametrize(
    ("found", "plan"),
    [
        ({}, "prevent"),
        ({"is_ours": True, "is_named": True, "has_packages": True}, "prevent"),
        ({"is_ours": True, "is_named": True, "has_packages": True, "is_needed": True}, "nothing"),
        ({"is_named": True, "has_packages": True}, "nothing"),
        ({"has_packages": True}, "announce"),
        ({"is_needed": True}, "announce"),
    ],
)
def test_a_package_is_announced_where_it_is_needed_and_unnamed(found, plan):
    assert planned(Found(folder=AT, **found)) == plan


@pytest.fixture
def folder(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """OpenCode's own, in a home of nobody."""
    monkeypatch.setenv("HOME", str(place / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    found = place / "home" / ".config" / "opencode"
    found.mkdir(parents=True)
    return found


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_where_nothing_needs_it_the_package_is_named_and_uninstall_leaves_nothing(cli, folder):
    ran = cli("init", "--no-input", "--opencode", "--json")
    assert names(folder) == {"opencode.json", "node_modules", "node_modules/aftermind.json", "package-lock.json"}
    lock = json.loads((folder / "package-lock.json").read_bytes())
    assert PACKAGE in lock["packages"][""]["dependencies"]  # by name: that is all OpenCode looks at
    assert any(PACKAGE in note for note in ran.json["notes"])
    cli("uninstall", "--opencode")
    assert not folder.exists() or names(folder) == set()


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("package.json", "{}"),
        ("node_modules/left-pad/index.js", ""),
        ("tools/mine.ts", f'import {{ tool }} from "{PACKAGE}"'),
    ],
)
def test_where_something_may_need_it_the_wait_is_announced_and_nothing_written(cli, folder, path, content):
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(content)
    ran = cli("init", "--no-input", "--opencode", "--json")
    assert not (folder / "package-lock.json").exists()
    assert not (folder / "node_modules" / "aftermind.json").exists()
    (note,) = ran.json["notes"]
    assert str(folder) in note
    assert "70 seconds" in note


def test_where_it_is_installed_nothing_is_said(cli, folder):
    (folder / "node_modules").mkdir()
    lock = {"packages": {"": {"dependencies": {PACKAGE: "1.18.33"}}}}
    (folder / "package-lock.json").write_text(json.dumps(lock))
    assert cli("init", "--no-input", "--opencode", "--json").json["notes"] == []
    assert json.loads((folder / "package-lock.json").read_bytes()) == lock
