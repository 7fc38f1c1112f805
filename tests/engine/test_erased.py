"""The list of what was erased outlives any crash, and says what is not yet done."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from aftermind.engine.erasing.emptying import emptied, hollow, still_there
from aftermind.engine.erasing.erased import ERASED, finish, note, noted, reopen, unfinished
from aftermind.engine.errors import DiskFailed
from aftermind.engine.events import Erased, MemoryRecorded
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.names import EventId, MemoryId, Scope
from aftermind.engine.sqlite import database
from tests.given import append, draft, simulated

pytestmark = pytest.mark.anyio
A, B, C = (EventId(letter * 32) for letter in "abc")


def test_what_is_noted_is_unfinished_until_it_is_finished(tmp_path: Path) -> None:
    assert noted(tmp_path) == unfinished(tmp_path) == frozenset()
    assert (note(tmp_path, [A, B, A]), note(tmp_path, [B])) == (2, 0)
    assert noted(tmp_path) == unfinished(tmp_path) == {A, B}
    finish(tmp_path)
    assert (noted(tmp_path), unfinished(tmp_path)) == ({A, B}, frozenset())
    note(tmp_path, [C])
    assert (noted(tmp_path), unfinished(tmp_path)) == ({A, B, C}, {C})
    reopen(tmp_path)
    assert unfinished(tmp_path) == {A, B, C}
    finish(tmp_path)
    assert stat.S_IMODE((tmp_path / ERASED).stat().st_mode) == 0o600


def test_a_list_cut_at_any_byte_keeps_every_whole_line_and_takes_the_rest_again(tmp_path: Path) -> None:
    note(tmp_path, [A, B])
    whole = (tmp_path / ERASED).read_bytes()
    for length in range(len(whole)):
        (tmp_path / ERASED).write_bytes(whole[:length])
        assert noted(tmp_path) == {A, B} - ({A, B} if length < 33 else {B})
        note(tmp_path, [B, A])
        assert noted(tmp_path) == {A, B}


@pytest.mark.parametrize("id", ["done", "again", "a b", "a\n", "done 3", "%61", "\u2028", "ä"])
def test_whatever_is_an_id_is_a_line_of_its_own_and_comes_back(tmp_path: Path, id: str) -> None:
    assert note(tmp_path, [A, EventId(id)]) == 2
    assert note(tmp_path, [EventId(id)]) == 0
    assert noted(tmp_path) == unfinished(tmp_path) == {A, id}
    finish(tmp_path)
    assert (noted(tmp_path), unfinished(tmp_path)) == ({A, id}, frozenset())


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="modes are Unix's")
def test_a_list_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / ERASED).mkdir()
    with pytest.raises(DiskFailed, match="directory"):
        note(tmp_path, [A])


async def test_emptied_events_read_as_erased_and_the_chain_holds(tmp_path: Path) -> None:
    fact = {"kind": "fact", "collection": "memory_bank", "scope": Scope("global")}
    async with sqlite_log(tmp_path / "log.db", simulated()) as log, database(tmp_path / "log.db", "truth") as pen:
        for id in (A, B, C):
            event = MemoryRecorded(memory=MemoryId(id[0]), text=f"fact {id[0]}", **fact)  # type: ignore[arg-type]
            await log.append(append(f"memory-{id[0]}", draft(id, event)))
        assert await pen.run(lambda c: still_there(c, [C, A, EventId("0")])) == (A, C)
        assert await pen.transaction(lambda c: emptied(c, [C, A, EventId("0")])) == 2
        assert await pen.transaction(lambda c: emptied(c, [C, A])) == 0
        assert await pen.run(lambda c: still_there(c, [C, A])) == ()
        assert await pen.run(hollow) == (A, C)
        assert [r.draft.event for r in await log.after(0, limit=9)][::2] == [Erased(tag="memory-recorded")] * 2  # type: ignore[arg-type]
        assert (await log.verify()).erased == 2
