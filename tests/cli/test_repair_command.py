"""repair: each file of a store, damaged on purpose. What a backup has is back, what nobody has is told and kept."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from pathlib import Path
from random import Random

import anyio
import pytest

from aftermind import open_memory
from aftermind.cli.carrying.line import link_of
from aftermind.engine.erasing import erased
from aftermind.engine.events import MemoryRecorded
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.logs.sqlite_pen import ROWS
from aftermind.engine.logs.verify import LINKS
from aftermind.engine.names import GLOBAL, MemoryId, memory_stream
from aftermind.engine.sqlite import foreign
from aftermind.engine.stamp import Stamp

WORDS = ("xylophone", "bassoon", "cello", "dulcimer", "euphonium", "flugelhorn", "glockenspiel", "harpsichord")


@pytest.fixture
def filled(cli, place) -> Path:
    """Memories of several pages, and views of them."""
    store = place / "store"

    async def said() -> None:
        async with open_memory(store) as memory:
            for number in range(40):
                text = f"The {WORDS[number % 8]} number {number} is out of tune. " + f"{WORDS[number % 7]} " * 30
                await memory.remember(text)

    anyio.run(said)
    assert not (store / "log.db-wal").exists()
    return store


def events(store: Path) -> list[tuple[object, ...]]:
    with foreign(store / "log.db") as connection:
        return connection.execute(LINKS, (0,)).fetchall()


def flipped(path: Path, place: int, bit: int = 0) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1 << bit
    path.write_bytes(data)


def payload_of(store: Path, position: int) -> bytes:
    return bytes(events(store)[position - 1][9])  # type: ignore[call-overload]


def repaired(cli):
    said = cli("repair", "--yes", "--json")
    assert said.status == 0, said.err
    assert cli("verify").status == 0
    assert cli("repair", "--dry-run", "--json").json["diagnosis"]["faults"] == []
    return said.json


def test_nothing_is_wrong_with_a_whole_store(cli, filled):
    before = events(filled)
    assert cli("repair", "--dry-run").out.startswith("Nothing is wrong")
    assert repaired(cli)["diagnosis"] == {"faults": [], "plan": None, "notes": []}
    assert events(filled) == before
    unasked = cli("repair")  # there is no terminal to ask at, and nothing to ask
    assert (unasked.status, unasked.out.startswith("Nothing is wrong")) == (0, True)


def test_a_damaged_text_costs_that_text_alone(cli, filled):
    before = events(filled)
    payload = payload_of(filled, 17)
    flipped(filled / "log.db", (filled / "log.db").read_bytes().index(payload) + len(payload) // 2)
    assert cli("verify").status == 7
    said = cli("repair", "--dry-run")
    (row,) = [row for row in before if row[0] == 17]
    memory = str(row[2]).removeprefix("memory-")
    assert said.status == 7
    assert "1 event stays without its text, damaged and in no backup" in said.out
    assert f"position 17: memory-recorded in memory-{memory}, {row[1]}" in said.out
    assert cli("repair").status == 2  # there is no terminal to ask at
    done = repaired(cli)
    text = json.loads(payload)["text"]
    assert text in cli("--home", done["repaired"]["aside"], "show", memory).out  # from the views set aside with it
    looked = cli("verify").out
    assert (f"{len(before)} events, 0 erased, 1 without a damaged text" in looked, "bring it back" in looked) == (
        True,
        False,
    )
    after = events(filled)
    assert [row[9] is None for row in after] == [row[0] == 17 for row in before]
    assert [row[11] for row in after] == [row[11] for row in before]
    assert (done["diagnosis"]["plan"]["emptied"], done["repaired"]["report"]) == ([17], None)
    assert Path(done["repaired"]["aside"], "log.db").exists()
    assert cli("stats", "--json").status == 0


def test_what_stands_behind_the_last_page_of_a_log_is_found_by_all_and_cut_off(cli, filled):
    before = events(filled)
    with (filled / "log.db").open("ab") as file:
        file.write(b"xx")
    looked = cli("verify")
    assert (looked.status, "goes on behind its last page" in looked.err, "cut off" in looked.err) == (7, True, False)
    assert "goes on behind its last page" in cli("repair", "--dry-run").out
    repaired(cli)
    assert events(filled) == before


def test_a_log_that_was_cut_short_is_intact_as_far_as_it_is_there(cli, filled, place):
    assert cli("backup").status == 0
    log = filled / "log.db"
    log.write_bytes(log.read_bytes()[:-5_000])
    looked = cli("--home", str(filled), "verify")
    (position,) = re.findall(r"intact up to position (\d+)", looked.err)
    assert (looked.status, 1 < int(position) < 40) == (7, True)
    assert f"`aftermind --home {filled} repair`" in looked.err
    assert "log --json" not in looked.err  # which would say the same
    assert f"intact up to position {position}" in cli("doctor").out
    restored = cli("restore", "latest", "--yes").out
    (asked,) = re.findall(r"`aftermind --home (\S+) repair --dry-run` says what can be read of it", restored)
    (cut,) = re.findall(r"cut after position (\d+)", cli("--home", asked, "repair", "--dry-run").out)
    assert int(position) <= int(cut) < 40, "one by one, more can be read of a damaged page than in a row"


def test_what_a_backup_has_is_back(cli, filled):
    assert cli("backup").status == 0
    before = events(filled)
    payload = payload_of(filled, 17)
    flipped(filled / "log.db", (filled / "log.db").read_bytes().index(payload) + len(payload) // 2)
    done = repaired(cli)
    assert done["diagnosis"]["plan"]["taken"] == [[17, 17]]
    assert events(filled) == before


def test_a_chain_that_nobody_can_close_is_cut_and_what_comes_after_is_kept_as_lines(cli, filled):
    before = events(filled)
    seal = bytes(before[19][11])  # type: ignore[call-overload]
    flipped(filled / "log.db", (filled / "log.db").read_bytes().index(seal))
    said = cli("repair", "--dry-run").out
    assert f"it is cut after position 19, and {len(before) - 19:,} positions after it are lost" in said
    done = repaired(cli)
    assert (len(events(filled)), done["diagnosis"]["plan"]["lost"]) == (19, len(before) - 19)
    assert done["diagnosis"]["plan"]["readable"] == len(before) - 19
    first, *lines, last = Path(done["repaired"]["report"]).read_bytes().splitlines(keepends=True)
    assert (json.loads(first)["format"], json.loads(last)["events"]) == (1, len(before) - 19)
    assert [link_of(line).payload for line in lines] == [row[9] for row in before[19:]]
    assert cli("import", done["repaired"]["report"]).status == 0
    assert {row[9] for row in events(filled)} >= {row[9] for row in before}


def test_of_a_long_log_that_nobody_else_has_seen_only_what_stood_on_the_damaged_page_is_lost(cli, place):
    store = place / "store"
    anyio.run(_written, store, 1_500)
    log = store / "log.db"
    data = bytearray(log.read_bytes())
    page = data.index(b"number 200 is") // 4096 * 4096
    data[page : page + 4096] = b"\xff" * 4096
    log.write_bytes(data)
    there = _readable_one_by_one(log, 1_500)
    assert 1_400 < len(there) < 1_500
    plan = repaired(cli)["diagnosis"]["plan"]
    assert (plan["head"], plan["head"] + 1 in there, plan["lost"]) == (plan["events"], False, 1_500 - plan["head"])
    assert plan["head"] + plan["readable"] == len(there)


async def _written(store: Path, count: int) -> None:
    stamp = Stamp()
    ids = [MemoryId(f"m{number:016x}") for number in range(count)]
    said = [
        MemoryRecorded(memory=id, kind="fact", collection="memory_bank", scope=GLOBAL, text=f"Port number {n} is open")
        for n, id in enumerate(ids)
    ]
    store.mkdir(mode=0o700)
    async with sqlite_log(store / "log.db", stamp) as log:
        await log.append(*(Append(stream=memory_stream(one.memory), drafts=(stamp.draft(one),)) for one in said))


def _readable_one_by_one(log: Path, count: int) -> set[int]:
    found = set[int]()
    with sqlite3.connect(f"{log.as_uri()}?mode=ro&immutable=1", uri=True) as connection:
        for position in range(1, count + 1):
            with contextlib.suppress(sqlite3.DatabaseError):
                found |= {row[0] for row in connection.execute(f"{ROWS}WHERE position = ?", (position,))}
    return found


def test_a_log_whose_end_was_cut_off_is_told_and_comes_back_from_a_backup(cli, filled):
    short = (filled / "log.db").read_bytes()
    assert cli("remember", "The last one").status == 0
    before = events(filled)
    whole = (filled / "log.db").read_bytes()
    assert cli("stats").status == 0  # the views have seen it
    (filled / "log.db").write_bytes(short)
    said = cli("repair", "--dry-run")
    assert said.status == 7
    assert re.search(r"it ends at position \d+, and views have seen \d+: its end is missing", said.out)
    (filled / "log.db").write_bytes(whole)
    assert cli("backup").status == 0
    (filled / "log.db").write_bytes(short)
    repaired(cli)
    assert events(filled) == before


@pytest.mark.parametrize("left", [None, b"", b"this is no database at all, but a letter"])
def test_a_log_that_is_gone_comes_back_from_a_backup(cli, filled, left):
    assert cli("backup").status == 0
    before = events(filled)
    (filled / "log.db").unlink()
    if left is not None:
        (filled / "log.db").write_bytes(left)
    assert cli("stats").status == 7
    assert "aftermind repair" in cli("stats").err
    assert "aftermind repair" in cli("verify").err
    done = repaired(cli)
    assert done["diagnosis"]["plan"]["taken"] == [[1, len(before)]]
    assert events(filled) == before


def test_what_was_erased_is_not_taken_from_a_backup(cli, filled):
    assert cli("backup").status == 0
    before = events(filled)
    erased.note(filled, [before[4][1]])  # type: ignore[list-item]
    payload = payload_of(filled, 17)
    flipped(filled / "log.db", (filled / "log.db").read_bytes().index(payload) + 9)
    repaired(cli)
    assert [row[0] for row in events(filled) if row[9] is None] == [5]


def test_the_other_files_are_mended_or_grow_back(cli, filled):
    assert cli("backup").status == 0
    before = cli("search", "--json").json
    (pointer, *_) = filled.glob("views.current")
    views = filled / pointer.read_text().strip()
    views.write_bytes(views.read_bytes()[:5000] + bytes(4000) + views.read_bytes()[9000:])
    (filled / "embeddings.db").write_bytes(b"no database")
    (filled / "backups.json").write_bytes(b"{")
    done = repaired(cli)
    assert {fault["part"] for fault in done["diagnosis"]["faults"]} == {"views", "cache", "registry"}
    assert cli("search", "--json").json == before
    assert len(cli("backup", "--list", "--json").json) == 1


def test_a_lost_list_of_what_was_erased_is_written_anew_from_the_log(cli, filled):
    id = cli("search", "--json").json[0]["id"]
    assert cli("forget", id, "--yes").status == 0
    gone = [row[1] for row in events(filled) if row[9] is None]
    assert gone
    (filled / "erased.ids").write_bytes(b"\xff\x00 torn")
    assert [fault["part"] for fault in repaired(cli)["diagnosis"]["faults"]] == ["erased"]
    assert erased.noted(filled) >= set(gone)


@pytest.mark.parametrize("lost", [range(100), range(4_096), (19,), (4_000,)])
def test_the_first_page_of_a_log_is_made_anew_and_nothing_is_lost(cli, filled, lost):
    before = events(filled)
    for place in lost:
        flipped(filled / "log.db", place, 2)
    assert cli("verify").status == 7
    done = repaired(cli)
    assert (done["diagnosis"]["plan"]["lost"], done["diagnosis"]["plan"]["emptied"]) == (0, [])
    assert events(filled) == before


@pytest.mark.parametrize("seed", range(8))
def test_wherever_a_bit_flips_in_the_log_nothing_is_lost_that_a_backup_has(cli, filled, seed):
    assert cli("backup").status == 0
    before = events(filled)
    chance = Random(seed)
    for _ in range(3):
        flipped(filled / "log.db", chance.randrange((filled / "log.db").stat().st_size), chance.randrange(8))
    repaired(cli)
    assert events(filled) == before
    assert json.loads(cli("stats", "--json").out)
