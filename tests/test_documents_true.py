"""Tables of the documentation that say what the code's own tables say."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path

import pytest
from msgspec import structs

from aftermind.cli.carrying.incoming import INCOMING
from aftermind.cli.clients.hooks import HOOKS
from aftermind.cli.commands.replay import READERS
from aftermind.cli.doors import BIN
from aftermind.cli.editing.ledger import BACKUPS, LEDGER
from aftermind.cli.erasing.files import PAGES
from aftermind.cli.language.wire import RUN
from aftermind.cli.logbook import LOGS
from aftermind.cli.past.aside import PAST
from aftermind.cli.web.token import FILE as TOKEN
from aftermind.engine.backups.registry import REGISTRY
from aftermind.engine.backups.restoring import RESTORING
from aftermind.engine.erasing.decided import DECIDED
from aftermind.engine.erasing.erased import ERASED
from aftermind.engine.names import MemoryId, Scope
from aftermind.engine.policy import SECTIONS, Ranking
from aftermind.engine.store.derived import POINTER
from aftermind.engine.store.folder import LOG
from aftermind.engine.store.lock import LOCK
from aftermind.engine.store.spool import SPOOL
from aftermind.projections.meaning.model_files import DOWNLOADS
from aftermind.projections.reading.manner import Manner
from aftermind.projections.recalling.candidate import Candidate, Lesson, Outcomes, Weighed
from aftermind.projections.recalling.ranking.order import _reasons
from aftermind.projections.recalling.shown.fences import BEGINNINGS

ROOT = Path(__file__).parents[1]
TITLES = {
    "Claude Code": "claude-code",
    "Cursor": "cursor",
    "Codex CLI": "codex",
    "Gemini CLI": "gemini",
    "VS Code": "vscode",
}
IN_A_STORE = (
    *(LOG, "views-1.db", POINTER, "embeddings.db", "vectors-4d24.f32", ERASED, DECIDED, SPOOL, BACKUPS, REGISTRY),
    *(PAGES, LOGS, RUN, BIN, LOCK, LEDGER, TOKEN, DOWNLOADS, PAST, INCOMING, RESTORING, "set-aside-20260101T000000Z"),
)
"""What may lie in its folder, by name."""


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


def test_the_page_on_projects_has_the_sections_of_a_beginning_by_their_headings_and_in_their_order() -> None:
    told = {
        row["key"].strip("`").removeprefix("boot."): row["section"] for row in rows("docs/project-memory.md", "section")
    }
    assert list(told) == list(SECTIONS)
    assert told == {name: heading.removesuffix(":") for name, heading in BEGINNINGS.items()}


def test_the_time_machine_names_every_command_that_can_be_asked_of_the_past() -> None:
    page = (ROOT / "docs" / "time-machine.md").read_text(encoding="utf-8")
    told = re.search(r"^((?:`\w+`(?:,| and)? )+)take their own options", page, re.MULTILINE)
    assert told
    assert re.findall(r"`(\w+)`", told[1]) == list(READERS)


@pytest.mark.parametrize("name", IN_A_STORE)
def test_the_page_on_privacy_says_what_lies_in_a_store(name: str) -> None:
    places = re.findall(r"`([^`]+)`", " ".join(row["place"] for row in rows("docs/privacy.md", "place")))
    assert any(fnmatch(name, place.rstrip("/")) for place in places)


def test_bench_lists_every_measurement() -> None:
    listed = {row["module"].strip("`") for row in rows("bench/README.md", "module")}
    there = {
        file.stem for file in (ROOT / "bench").glob("*.py") if not file.stem.startswith("fault_")
        and 'if __name__ == "__main__"' in file.read_text(encoding="utf-8")
    }  # fmt: skip
    assert listed == there | {"peers"}
