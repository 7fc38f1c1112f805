"""`aftermind import PROGRAM` where something is in its way: damage, a kill, a program that writes meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import anyio
import pytest
from tests import peer_stores

from aftermind.cli.house import open_memory
from aftermind.cli.importing.exchange import Unreadable
from aftermind.cli.importing.peers.known import PEERS
from aftermind.cli.importing.peers.taking import AT_ONCE, Places, items, taken
from aftermind.cli.importing.peers.tally import Tally, lines
from aftermind.cli.importing.peers.told import Item, Source, own_id
from aftermind.cli.language.importing import Told


def test_no_damage_ends_in_more_than_a_word_on_it(tmp_path: Path) -> None:
    """Cut anywhere, or with bytes changed anywhere: what can be read is read, and the rest is told."""
    files = {
        "agentmemory": peer_stores.agentmemory(tmp_path / "am", tmp_path),
        "claude-mem": peer_stores.claude_mem(tmp_path / "cm", str(tmp_path)),
        "ocm": peer_stores.ocm(tmp_path),
        "opencode-semantic-memory": peer_stores.semantic_memory(tmp_path / "osm"),
        "roampal": peer_stores.roampal(tmp_path / "rp", {"history_aaaaaaaa": {"text": "a talk", "uses": 1}}),
    }
    broken, told = tmp_path / "broken.db", 0
    for name, file in files.items():
        whole = file.read_bytes()
        for seed in range(30):
            chance = Random(seed)
            damaged = bytearray(whole[: chance.randrange(len(whole))] if seed % 3 == 0 else whole)
            for _ in range(seed if damaged else 0):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            broken.write_bytes(damaged)
            found = list(
                items(PEERS[name], [Source(path=broken)], lambda _: None, None, Tally(program="", dry_run=True))
            )
            told += any(isinstance(one, Unreadable) for one in found)
    assert told > 30


class _Killed(Exception):
    pass


def test_an_import_that_was_killed_is_finished_by_the_next(tmp_path: Path) -> None:
    told = [Told(id=own_id("other", number), text=f"Fact {number} of many") for number in range(3 * AT_ONCE)]

    def cut() -> Iterator[Item]:
        yield from told[: AT_ONCE + 9]
        raise _Killed

    async def take(found: Iterator[Item]) -> dict[str, int]:
        tally = Tally(program="other", dry_run=False)
        async with open_memory(tmp_path / "store") as memory:
            await taken(memory, found, Places({}, tmp_path), None, tally)
        return tally.fates

    with pytest.raises(_Killed):
        anyio.run(take, cut())
    assert anyio.run(take, iter(told)) == {"repeated": AT_ONCE, "new": 2 * AT_ONCE}
    assert anyio.run(take, iter([*told, *told[:5]])) == {"repeated": len(told) + 5}


def test_what_was_said_before_the_time_that_is_asked_for_is_counted_and_told(tmp_path: Path) -> None:
    path, tally = peer_stores.agentmemory(tmp_path / "am", tmp_path), Tally(program="agentmemory", dry_run=True)
    to_come = datetime.max.replace(tzinfo=UTC)
    found = list(items(PEERS["agentmemory"], [Source(path=path)], lambda _: None, to_come, tally))
    assert not any(isinstance(one, Told) for one in found)
    assert tally.older
    assert any("said before that or without a time" in line for line in lines(tally))


def test_a_program_that_is_writing_is_not_disturbed(tmp_path: Path) -> None:
    path = peer_stores.agentmemory(tmp_path / "am", tmp_path)
    theirs = sqlite3.connect(path, isolation_level=None)
    theirs.execute("PRAGMA journal_mode=WAL")
    row = "INSERT INTO beliefs (id, content, belief_type, created_at) VALUES (?, ?, 'factual', '2026-02-01')"
    theirs.execute(row, ("b5", "What only its WAL holds"))
    theirs.execute("BEGIN IMMEDIATE")
    theirs.execute(row, ("b6", "What it did not commit"))

    def found() -> set[str]:
        read = items(PEERS["agentmemory"], [Source(path=path)], lambda _: None, None, Tally(program="", dry_run=True))
        return {one.text for one in read if isinstance(one, Told)}

    assert "What only its WAL holds" in found()
    assert "What it did not commit" not in found()
    theirs.execute("COMMIT")
    assert "What it did not commit" in found()
    theirs.close()


def test_one_is_told_as_one_and_several_as_several():
    def told(each: int) -> str:
        fates = {"repeated": each, "forgotten": each, "archived": each}
        return next(lines(Tally(program="other", dry_run=False, fates=fates)))

    rest = "stays forgotten, 1 archived that is not there any more."
    assert told(1) == f"Imported nothing new of other, 1 was already there, 1 {rest}"
    rest = "stay forgotten, 2 archived that are not there any more."
    assert told(2) == f"Imported nothing new of other, 2 were already there, 2 {rest}"
