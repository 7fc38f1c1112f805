"""Tables of the documentation that say what the code's own tables say."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec import structs

from aftermind.cli.clients.hooks import HOOKS
from aftermind.engine.names import MemoryId, Scope
from aftermind.engine.policy import Ranking
from aftermind.projections.reading.manner import Manner
from aftermind.projections.recalling.candidate import Candidate, Lesson, Outcomes, Weighed
from aftermind.projections.recalling.ranking.order import _reasons

ROOT = Path(__file__).parents[1]
TITLES = {
    "Claude Code": "claude-code",
    "Cursor": "cursor",
    "Codex CLI": "codex",
    "Gemini CLI": "gemini",
    "VS Code": "vscode",
}


def rows(file: str, first: str) -> list[dict[str, str]]:
    """The rows of the table whose first column is called `first`, by the names of the columns."""
    lines = iter((ROOT / file).read_text(encoding="utf-8").splitlines())
    head = next(line for line in lines if line.startswith(f"| {first} |"))
    names = cells(head)
    next(lines)
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        found.append(dict(zip(names, cells(line), strict=True)))
    return found


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


@pytest.mark.parametrize("row", rows("docs/hooks.md", "moment"), ids=lambda row: row["moment"].strip("`"))
def test_the_page_on_hooks_names_the_events_that_are_installed(row: dict[str, str]) -> None:
    moment = row["moment"].strip("`")
    told = {
        title: set(re.findall(r"\b[A-Za-z]{4,}\b", re.sub(r", or `\w+`", "", row[title])))
        for title in row
        if title in TITLES
    }
    installed = {title: {hook.on for hook in HOOKS[TITLES[title]] if hook.moment == moment} for title in told}
    if any(installed.values()):
        assert told == installed
    else:
        assert "not installed" in row["what is done"]


def test_the_page_on_hooks_has_every_moment() -> None:
    moments = {row["moment"].strip("`") for row in rows("docs/hooks.md", "moment")}
    assert {hook.moment for hooks in HOOKS.values() for hook in hooks} <= moments


@pytest.mark.parametrize("row", rows("docs/clients.md", "assistant"), ids=lambda row: row["assistant"])
def test_the_page_on_assistants_tells_what_is_told(row: dict[str, str]) -> None:
    told = set(row["what is told to the memory"].split(", "))
    if row["assistant"] == "OpenCode":  # its plugin has no table
        plugin = (ROOT / "cli" / "clients" / "opencode.js").read_text(encoding="utf-8")
        moments = set(re.findall(r'told\("(\w+)"', plugin))
    else:
        moments = {hook.moment for hook in HOOKS[TITLES[row["assistant"]]]}
    assert ("compactions" in told) == bool({"compact", "compacted"} & moments)
    assert ("subagents" in told) == ("subagent" in moments)
    assert {"prompts", "tools"} <= told


def test_the_page_on_briefings_explains_every_part_of_a_score() -> None:
    explained = tuple(row["part"] for row in rows("docs/briefing.md", "part"))
    all_of_it = Weighed(
        parts={"staging": 0.5},
        said=0.5,
        near=0.5,
        lent=0.5,
        around=0.1,
        manner=Manner(asks=True, when=True, rule=True, taste=True, named=True, assistant=True),
        lesson=Lesson(leaning=0.5, alike=0.5, worked=1, judged=1),
        called=("checkout",),
        things=1.0,
        together=1.0,
        in_full=1.0,
    )
    memory = Candidate(
        memory=MemoryId("m1"),
        position=1,
        kind="fact",
        collection="memory_bank",
        scope=Scope("global"),
        status="live",
        session=None,
        at=datetime(2026, 5, 1, tzinfo=UTC),
        outcomes=Outcomes(worked=1, failed=1),
        disputed=(MemoryId("m2"),),
        corrected=(MemoryId("m3"),),
    )
    lent = structs.replace(all_of_it, near=0.4)
    parts = {part for one in (all_of_it, lent) for part in _reasons(one, memory, 1.0, Ranking())}
    assert not [part for part in parts if not part.startswith(explained)]
    assert len(parts) == 18


def test_bench_lists_every_measurement() -> None:
    listed = {row["module"].strip("`") for row in rows("bench/README.md", "module")}
    there = {
        file.stem for file in (ROOT / "bench").glob("*.py") if not file.stem.startswith("fault_")
        and 'if __name__ == "__main__"' in file.read_text(encoding="utf-8")
    }  # fmt: skip
    assert listed == there | {"peers"}
