"""Claude Code's plugin: what is in the folder, and that every command it names does what it is there for."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from tests.hooked import clean
from tests.hooks import stdin

import aftermind
from aftermind.cli.clients.claude_plugin import SKILLS
from aftermind.cli.clients.hooks import HOOKS
from aftermind.cli.doors import copied

NAMES = {".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", "hooks/hooks.json", ".mcp.json"}


@pytest.fixture
def plugin(cli, place: Path, monkeypatch) -> Path:
    """Written for a store whose name has a space in it, and is not ASCII."""
    monkeypatch.setenv("AFTERMIND_HOME", str(place / "mein Gedächtnis"))
    folder = place / "plug in"
    ran = cli("init", "--claude-code-plugin", str(folder))
    assert ran.status == 0
    assert f"/plugin marketplace add {folder}" in ran.out
    return folder


def read(folder: Path, name: str):
    return json.loads((folder / name).read_text(encoding="utf-8"))


def test_it_holds_hooks_server_and_skills_and_twice_changes_nothing(plugin, cli):
    found = {file.relative_to(plugin).as_posix(): file.read_bytes() for file in plugin.rglob("*") if file.is_file()}
    assert set(found) == NAMES | {f"skills/{name}/SKILL.md" for name in SKILLS}
    known = {"remember", "recall", "correct", "lock", "why", "stats", "checkpoint", "resume", "onboard"}
    assert set(SKILLS) == known
    assert cli("init", "--claude-code-plugin", str(plugin)).status == 0
    again = {file.relative_to(plugin).as_posix(): file.read_bytes() for file in plugin.rglob("*") if file.is_file()}
    assert again == found
    assert read(plugin, ".claude-plugin/plugin.json")["version"] == aftermind.__version__
    assert read(plugin, ".claude-plugin/marketplace.json")["plugins"][0]["source"] == "./"


def test_a_skill_that_is_no_more_goes_and_anothers_stays(plugin, cli):
    ours, others, beside = (plugin / "skills" / name for name in ("earlier", "mine", "dropped"))
    for skill in (ours, others, beside):
        skill.mkdir()
    text = (plugin / "skills" / "why" / "SKILL.md").read_text(encoding="utf-8")
    for skill in (ours, beside):
        (skill / "SKILL.md").write_text(text.replace('name: "why"', 'name: "gone"'), encoding="utf-8")
    (others / "SKILL.md").write_text("---\nname: mine\n---\nsay hello\n")
    (beside / "notes.md").write_text("mine")
    assert cli("init", "--claude-code-plugin", str(plugin)).status == 0
    assert not ours.exists()
    assert [file.name for file in others.iterdir()] == ["SKILL.md"]
    assert [file.name for file in beside.iterdir()] == ["notes.md"]
    assert {folder.name for folder in (plugin / "skills").iterdir()} == {*SKILLS, "mine", "dropped"}


def test_a_folder_of_other_things_is_left_as_it_is(cli, place):
    other = place / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    for folder in (other, other / "mine.txt"):
        ran = cli("init", "--claude-code-plugin", str(folder))
        assert ran.status == 2
        assert "something else already" in ran.err
    assert [file.name for file in other.iterdir()] == ["mine.txt"]


@pytest.mark.anyio
async def test_its_hooks_answer_and_record(plugin, place):
    store = place / "mein Gedächtnis"
    hooks = read(plugin, "hooks/hooks.json")["hooks"]
    assert list(hooks) == [hook.on for hook in HOOKS["claude-code"]]

    def run(event: str) -> bytes:
        (entry,) = hooks[event]
        (hook,) = entry["hooks"]
        assert Path(hook["command"]).is_absolute()
        words = [hook["command"], *hook["args"], "20"]
        ran = subprocess.run(words, input=stdin("claude-code", event), capture_output=True, env=clean(), check=False)
        assert (ran.returncode, ran.stderr) == (0, b"")
        return ran.stdout

    import anyio

    async with aftermind.open_memory(store) as memory:
        copied(store)
        await memory.remember("To deploy the billing service run make release-billing")
        assert b"make release-billing" in await anyio.to_thread.run_sync(run, "UserPromptSubmit")
        assert await anyio.to_thread.run_sync(run, "Stop") == b""
        assert (await memory.stats()).collections["working"] == 1


def test_its_skills_name_commands_that_there_are(plugin, place):
    """Each is run as it stands there, by a shell, in another folder."""
    home = {**clean(), "HOME": str(place), "AFTERMIND_CONFIG": str(place / "config.toml")}

    def run(line: str) -> str:
        ran = subprocess.run(
            line, shell=True, capture_output=True, text=True, env=home, cwd=place / "work", check=False
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    lines = {
        name: re.findall(r"^    (.*)$", (plugin / "skills" / name / "SKILL.md").read_text(), re.MULTILINE)
        for name in SKILLS
    }
    assert all(len(found) == 1 for found in lines.values())
    (remember,) = lines["remember"]
    run(remember.replace("'TEXT'", shlex.quote("It's port 8081")).replace("KIND", "configuration"))
    found = run(lines["recall"][0].replace("WORDS", "port"))
    (id,) = re.findall(r"\bm[0-9a-f]{16}\b", found)[:1]
    filled = {
        "correct": {"ID": id, "THE RIGHT WORDING": "port 8082", "WHY": "moved"},
        "lock": {"ID": id},
        "why": {"ID": id},
    }
    for name in ("correct", "why", "lock", "stats", "checkpoint", "resume", "onboard"):
        line = lines[name][0]
        for word, value in filled.get(name, {}).items():
            line = line.replace(word, value)
        assert run(line)
    assert "8082" in run(lines["recall"][0].replace("WORDS", "port"))


def test_a_skill_is_short_and_says_when_it_is_for(plugin):
    for name, skill in SKILLS.items():
        text = (plugin / "skills" / name / "SKILL.md").read_text(encoding="utf-8")
        head = dict(line.split(": ", 1) for line in text.split("---")[1].strip().splitlines())
        assert json.loads(head["name"]) == name
        assert json.loads(head["description"]) == skill.about
        assert len(skill.about) < 1536
        assert ("$ARGUMENTS" in text) == bool(skill.argument)
