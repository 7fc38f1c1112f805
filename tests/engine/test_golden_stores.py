"""Logs as earlier states of the project wrote them, one folder each: every one is read, rebuilt and asked for ever."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from shutil import which

import pytest

import aftermind
from aftermind.engine.events import Unknown
from aftermind.engine.logs.sqlite_log import sqlite_log_reader
from aftermind.engine.names import START
from aftermind.engine.sqlite import Connection, database
from aftermind.engine.stored import tag_of
from aftermind.engine.views.comparing import Difference, _of_rows, _tables
from aftermind.engine.views.growing import current, owner, together
from aftermind.projections.catalog import ALL
from tests.stores import STORES, TOLD, VIEWS, built, names, restored, viewed

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", names())
async def test_a_log_of_an_earlier_state_is_whole_understood_and_answers(name: str, tmp_path: Path):
    told, store = json.loads((STORES / name / TOLD).read_text(encoding="utf-8")), tmp_path / "store"
    restored(name, store)
    async with sqlite_log_reader(store / "log.db") as log:
        verified = await log.verify()
        events = [recorded.draft.event for recorded in await log.after(START, limit=10_000)]
    assert (verified.events, verified.erased) == (told["events"], told["erased"])
    assert sorted({tag_of(event) for event in events}) == told["tags"]
    assert not [event for event in events if isinstance(event, Unknown)], "a form is not read any more: lift it"
    async with aftermind.open_memory(store) as memory:
        assert current(store) is not None
        (port, *_) = await memory.recall("staging port 8081", project="webshop", kinds=("configuration",))
        assert (port.text, port.memory.locked) == ("Staging listens on port 8081", True)
        (base, *_) = await memory.recall("staging database db", project="webshop")
        assert base.text == "The staging database is db-2"
        assert await memory.recall("codeword xylophone", project="webshop", history=True, floor=False) == ()
        exchanges = await memory.latest(project="webshop", kinds=("exchange",), history=True)
        asked = next(one for one in exchanges if one.text == "Which port does staging listen on?")
        assert asked.outcomes.worked == 1
        if "book-ingested" in told["tags"]:
            (chunk, *_) = await memory.recall("roll back make rollback", project="webshop")
            assert (chunk.memory.speaker, chunk.memory.place) == ("Runbook", "Deploying")
        await memory.remember("and it goes on", project="webshop")
        assert (await memory.verify()).events > told["events"]


@pytest.mark.parametrize("name", [name for name in names() if (STORES / name / VIEWS).exists()])
async def test_a_view_holds_what_it_held_then_unless_its_revision_was_raised(name: str, tmp_path: Path) -> None:
    """Or a store that is upgraded keeps rows that nobody would write now."""
    told, store = json.loads((STORES / name / TOLD).read_text(encoding="utf-8")), tmp_path / "store"
    restored(name, store)
    fresh, held = tmp_path / "fresh.db", current(store)
    await viewed(store / "log.db", fresh)
    then, now = told["views"], built()
    raised = {view for view in now if now[view] != then.get(view)}
    skipped = {view for view in now if not raised.isdisjoint(together(ALL, [view]))}  # one that looks into it as well

    def differences(connection: Connection) -> tuple[int, list[Difference]]:
        connection.execute("ATTACH ? AS live", (str(held),))
        rows, found = 0, []
        for table, kind, sql in _tables(connection):
            if (view := owner(ALL, table)) and view not in skipped:
                for count, differs in _of_rows(connection, view, table, kind, sql):
                    rows += count
                    found += [differs] if differs is not None else []
        return rows, found

    async with database(fresh, "scratch") as both:
        rows, found = await both.run(differences)
    assert [str(differs) for differs in found] == [], "raise its revision"
    assert rows or len(skipped) == len(ALL)


def test_every_tagged_state_has_left_a_store():
    """`python -m tests.stores NAME` writes one (docs/events.md)."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    if which("git") is None:
        pytest.skip("not installed: git")
    words = ["git", "-c", "safe.directory=*", "tag", "--list"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    tags = [tag for tag in listed.stdout.split() if re.match(r"v?\d+\.\d+", tag)]
    missing = [tag for tag in tags if tag.removeprefix("v") not in set(names())]
    assert not missing, f"tests/golden/stores has no store of {missing}"
    assert len(list(names())) >= 4
