"""`verify` looks at everything that is kept, names the first thing that is not what it was, and the way back."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import anyio
import pytest
from tests.daemons import daemon, wait_until
from tests.damaging import any_bit, copied, flipped, readable
from tests.networks import network

import aftermind
from aftermind.cli.verifying import vectors as looking
from aftermind.cli.verifying import whole as everything
from aftermind.cli.verifying.vectors import vectors_found
from aftermind.engine.backups.registry import Place, entered
from aftermind.engine.erasing import erased
from aftermind.engine.errors import DiskFailed, DiskFull
from aftermind.engine.logs.sqlite_pen import SCHEMA
from aftermind.engine.names import EventId
from aftermind.engine.sqlite import statements
from aftermind.engine.store.derived import vectors_of
from aftermind.engine.store.spool import BROKEN, SPOOL
from aftermind.engine.views.growing import current

SOUND = ["log", "seen", "erased", "spool", "views", "vectors"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a memory and a vector each of twelve texts."""
    folder = tmp_path_factory.mktemp("made") / "store"

    async def fill() -> None:
        async with aftermind.open_memory(folder) as memory:
            for n in range(12):
                await memory.remember(f"The port of service {n} is 808{n}, and zebra {n} crosses")
            await memory.embedded()

    anyio.run(fill)
    return folder


@pytest.fixture
def filled(cli, store, made) -> Path:
    store.rmdir()
    return copied(made, store)


def straight(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def levels(cli, *words: str) -> dict[str, str]:
    return {one["looked_at"]: one["level"] for one in cli("verify", "--json", *words).json["checked"]}


def test_a_sound_store_is_sound_in_every_part_and_left_as_it_was(cli, filled):
    before = sorted(path.name for path in filled.iterdir() if not path.name.endswith(("-shm", "-wal")))
    assert levels(cli) == dict.fromkeys(SOUND, "ok")
    assert levels(cli, "--views") == dict.fromkeys(SOUND, "ok")
    assert levels(cli, "--quick") == {**dict.fromkeys(SOUND, "ok"), "views": "note"}
    assert sorted(path.name for path in filled.iterdir() if not path.name.endswith(("-shm", "-wal"))) == before


def spooled(name: str, payload: bytes) -> Callable[[Path], object]:
    def put(folder: Path) -> None:
        (folder / SPOOL / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / SPOOL / name).write_bytes(payload)

    return put


def in_views(sql: str) -> Callable[[Path], object]:
    return lambda folder: straight(current(folder) or Path(), sql)


KEY = "0190" + "a1" * 14
FAULTS: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "a row of the views": (in_views("UPDATE tally SET events = 7"), "views", "aftermind rebuild"),
    "the file of the views": (lambda f: (current(f) or f).write_bytes(b"none" * 4000), "views", "aftermind rebuild"),
    "a file of the spool": (spooled(f"{KEY}.json", b"{half"), "spool", SPOOL),
    "a file that was set aside": (spooled(f"{BROKEN}/{KEY}.json", b"x"), "spool", BROKEN),
}


@pytest.mark.parametrize("what", FAULTS)
def test_the_first_fault_beside_the_log_is_named_with_the_way_back(cli, filled, what):
    damage, part, way = FAULTS[what]
    damage(filled)
    ran = cli("verify")
    assert ran.status == 8
    assert ran.err.startswith(f"aftermind: {part}: ")
    assert way in ran.err
    assert "every link holds" in ran.out


@pytest.mark.parametrize("refusal", [DiskFull(Path("views.db")), DiskFailed(Path("views.db"), "", limit=4096)])
def test_who_has_no_room_to_verify_is_not_told_to_verify(cli, filled, monkeypatch, refusal):
    async def no_room(*_, **__):
        raise refusal
        yield

    monkeypatch.setattr(everything, "looked_through", no_room)
    ran = cli("verify")
    assert ran.status == 5
    assert "run the command again" in ran.err
    assert "aftermind verify" not in ran.err


def test_what_was_to_be_erased_and_is_there_is_told(cli, filled):
    event = cli("log", "--json", "--limit", "1").json["id"]
    erased.note(filled, [EventId(event)])
    assert levels(cli)["erased"] == "note", "it is finished when the store is opened"
    erased.finish(filled)
    ran = cli("verify")
    assert (ran.status, f"1 event that was to be erased is in the log: {event}" in ran.err) == (8, True)
    listed = cli("log", "--json", "--limit", "2").out.splitlines()
    erased.note(filled, [EventId(json.loads(one)["id"]) for one in listed])
    erased.finish(filled)
    assert "2 events that were to be erased are in the log: " in cli("verify").err


def test_doctor_tells_of_lost_vectors_and_names_what_computes_them_anew(cli, filled):
    (vectors,) = filled.glob("vectors-*.f32")
    assert of_vectors(cli) == []
    os.truncate(vectors, 100)
    ((found, mend),) = of_vectors(cli)
    assert (found, "`aftermind restart`" in mend) == ("12 of 12 vectors are not what they were", True)
    vectors.unlink()
    ((found, mend),) = of_vectors(cli)
    assert (found, "`aftermind restart`" in mend) == ("1 file of vectors is not there any more", True)
    assert levels(cli)["vectors"] == "warning"


def test_of_several_files_of_vectors_several_are_not_there(cli, filled, monkeypatch):
    monkeypatch.setattr("aftermind.cli.verifying.vectors._used", lambda _folder, _models: {"one", "other"})
    assert vectors_found(filled).found == "2 files of vectors are not there any more"


def test_lost_vectors_are_told_and_no_fault(cli, filled):
    (vectors,) = filled.glob("vectors-*.f32")
    flipped(vectors, any_bit(vectors, Random(1)))
    ran = cli("verify")
    assert ran.status == 0
    assert "1 of 12 vectors is not what it was; only time is lost" in ran.out
    (filled / "embeddings.db").write_bytes(b"none" * 4000)
    assert levels(cli)["vectors"] == "warning"
    assert cli("search", "zebra").status == 0


def test_a_cache_that_somebody_begins_just_now_is_no_lost_one(cli, filled):
    """Its tables are there at once, the file is before them."""
    (vectors,) = filled.glob("vectors-*.f32")
    for cache in filled.glob("embeddings.db*"):
        cache.unlink()
    (filled / "embeddings.db").touch(0o600)
    assert levels(cli)["vectors"] == "warning"
    vectors.unlink()
    assert levels(cli)["vectors"] == "note"


def test_a_file_of_vectors_that_goes_while_it_is_looked_for_is_not_missed(cli, filled):
    """As a link that leads nowhere: its name is there, and nothing behind it."""
    (filled / f"vectors-{'0' * 32}.f32").symlink_to(filled / "gone")
    assert of_vectors(cli) == []
    assert levels(cli)["vectors"] == "ok"


def test_where_a_file_of_vectors_goes_before_it_is_opened_all_are_looked_at_once_more(filled, monkeypatch):
    late = iter([filled / "gone"])
    monkeypatch.setattr(looking, "vectors_of", lambda folder, model: next(late, None) or vectors_of(folder, model))
    assert vectors_found(filled).level == "ok"


def of_vectors(cli) -> list[tuple[str, str]]:
    findings = cli("doctor", "--json").json["findings"]
    return [(one["found"].partition(";")[0], one["mend"]) for one in findings if one["looked_at"] == "vectors"]


def test_lost_vectors_of_a_model_that_is_not_in_use_go_by_what_the_mend_says(cli, filled, place):
    """What is in use is computed anew by a restart; of the other nothing is, as long as nobody uses it."""
    (static,) = filled.glob("vectors-*.f32")
    own = network(place / "my own")
    with daemon(filled):
        for name in (str(own), "static"):
            assert cli("model", "use", name, "--wait").status == 0
    (other,) = {*filled.glob("vectors-*.f32")} - {static}
    flipped(other, any_bit(other, Random(1)))
    ((found, mend),) = of_vectors(cli)
    assert found == "1 of 24 vectors is not what it was"
    assert mend == f"`aftermind model remove '{own}'` removes those of what is not in use"
    flipped(static, any_bit(static, Random(1)))
    ((found, mend),) = of_vectors(cli)
    assert found == "2 of 24 vectors are not what they were"
    assert mend.startswith("`aftermind restart` computes them anew from the log; `aftermind model remove")
    with daemon(filled):
        wait_until(lambda: cli("model", "status", "--json").json["phase"] == "level", "its vectors are there")
        ((found, mend),) = of_vectors(cli)
        assert (found, "restart" in mend) == ("1 of 24 vectors is not what it was", False)
        assert cli("model", "remove", str(own)).status == 0
        assert of_vectors(cli) == []
    assert cli("model", "use", "none").status == 0
    flipped(static, any_bit(static, Random(2)))
    ((found, mend),) = of_vectors(cli)
    assert mend == "`aftermind model remove static` removes those of what is not in use"


def test_lost_vectors_of_the_weights_before_under_the_name_that_is_in_use_are_told_and_not_to_be_removed(
    cli, filled, place
):
    own = network(place / "own")
    (static,) = filled.glob("vectors-*.f32")
    with daemon(filled):
        assert cli("model", "use", str(own), "--wait").status == 0
    (before,) = {*filled.glob("vectors-*.f32")} - {static}
    network(own, seed=1)
    with daemon(filled):
        assert cli("model", "use", str(own), "--wait").status == 0
    flipped(before, any_bit(before, Random(1)))
    ((_, mend),) = of_vectors(cli)
    assert mend.startswith("who uses that model again has them computed anew")


def test_vectors_however_long_are_looked_at_and_those_that_nobody_can_measure_are_not_counted(cli, filled, place):
    own = network(place / "own", dimensions=5_003)
    with daemon(filled):
        assert cli("model", "use", str(own), "--wait").status == 0
    assert of_vectors(cli) == []
    (large,) = (one for one in filled.glob("vectors-*.f32") if one.stat().st_size == 12 * 5_003 * 4)
    flipped(large, any_bit(large, Random(1)))
    ((found, _),) = of_vectors(cli)
    assert found == "1 of 24 vectors is not what it was"
    straight(filled / "embeddings.db", "DROP TABLE width")  # as an older program left it
    assert of_vectors(cli) == []


def test_a_vector_that_no_memory_stands_by_any_more_is_not_missed(cli, filled):
    damaged = "INSERT INTO row SELECT model, randomblob(16), row, sum + 1 FROM row WHERE row = 0"
    straight(filled / "embeddings.db", damaged)
    assert of_vectors(cli) == []


def test_what_is_no_file_of_vectors_though_it_is_called_so_is_told_by_its_name(cli, filled):
    (vectors,) = filled.glob("vectors-*.f32")
    vectors.unlink()
    vectors.mkdir()
    found = vectors_found(filled)
    assert (found.level, str(vectors) in found.found) == ("warning", True)
    assert cli("verify").status == 0


# --- a cut end ------------------------------------------------------------------------------------------------


def cut(folder: Path, events: int) -> None:
    """At a commit, without a trace in the log itself."""
    straight(
        folder / "log.db",
        "DROP TRIGGER event_stays",
        f"DELETE FROM event WHERE position > (SELECT max(position) FROM event) - {events}",
        "UPDATE sqlite_sequence SET seq = (SELECT max(position) FROM event)",
        next(sql for sql in statements(SCHEMA) if "event_stays" in sql),
    )


@pytest.mark.parametrize("witness", ["views", "embeddings.db", "backup"])
def test_an_end_that_was_cut_off_is_found_by_whoever_has_seen_it(cli, filled, witness):
    if witness == "backup":
        with closing(sqlite3.connect(filled / "log.db")) as log:
            (head, seal) = log.execute("SELECT position, hex(seal) FROM event ORDER BY position DESC").fetchone()
        entered(filled, Place(folder=str(filled / "backups"), head=head, seal=seal.lower()))
    cut(filled, 1)
    if witness != "views":
        for path in filled.glob("views*"):
            path.unlink()
    if witness == "backup":
        (filled / "embeddings.db").unlink()
    ran = cli("verify")
    assert (ran.status, "its end is missing" in ran.err, witness in ran.err) == (7, True, True)


def test_an_end_that_was_cut_off_is_found_by_the_count_of_positions(cli, filled):
    straight(filled / "log.db", "DROP TRIGGER event_stays", "DELETE FROM event WHERE position = 12")
    for path in (*filled.glob("views*"), *filled.glob("embeddings*"), *filled.glob("vectors*")):
        path.unlink()
    assert cli("verify").status == 7


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("DROP TRIGGER event_is_immutable", "trigger event_is_immutable is missing"),
        ("DROP TABLE erasing", "table erasing is missing"),
        ("CREATE TRIGGER quiet BEFORE INSERT ON event BEGIN SELECT raise(IGNORE); END", "trigger quiet"),
        ("UPDATE sqlite_sequence SET seq = 99", "it has held position 99"),
    ],
)
def test_what_guards_the_events_is_looked_at(cli, filled, statement, what):
    straight(filled / "log.db", statement)
    ran = cli("verify")
    assert (ran.status, what in ran.err) == (7, True), ran.err


# --- bytes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_log_cut_within_its_last_page_is_found(cli, filled, tmp_path, monkeypatch, seed):
    damaged = copied(filled, tmp_path / "damaged")
    log = damaged / "log.db"
    with log.open("r+b") as file:
        file.truncate(log.stat().st_size - Random(seed).randrange(1, 4097))
    assert cli("--home", str(damaged), "verify", "--quick").status == 7


KILLED = """
import anyio, os, sys, aftermind
from pathlib import Path

async def main():
    async with aftermind.open_memory(Path(sys.argv[1])) as memory:
        for n in range(30):
            await memory.remember(f"The port of service {n} is 808{n}. " + "word " * 200)
        os._exit(0)

anyio.run(main)
"""
"""A writer that is killed: all it wrote is in the WAL."""


def test_a_log_whose_checkpoint_a_full_disk_cut_short_is_whole_in_its_wal(cli, store, tmp_path):
    subprocess.run([sys.executable, "-c", KILLED, str(store)], check=True)
    other = tmp_path / "other"
    other.mkdir()
    for path in store.glob("log.db*"):
        shutil.copy(path, other)
    straight(other / "log.db", "PRAGMA wal_checkpoint(TRUNCATE)")
    whole = (other / "log.db").read_bytes()
    for size in (4096, 4096 * 3 + 1000, len(whole) - 1):
        (store / "log.db").write_bytes(whole[:size])  # as far as the disk had room
        looked = cli("verify", "--quick")
        assert looked.status == 0, (size, looked.err)
        assert "Nothing is wrong" in cli("repair", "--dry-run").out
    for path in store.glob("log.db-*"):
        path.unlink()
    assert cli("verify", "--quick").status == 7, "without the WAL it is cut off"


@pytest.mark.parametrize("seed", range(24))
def test_a_bit_flipped_anywhere_is_found_or_was_in_a_byte_nobody_reads(cli, filled, tmp_path, seed):
    chance = Random(seed)
    before = readable(filled)
    damaged = copied(filled, tmp_path / "damaged")
    path = chance.choice([damaged / "log.db", current(damaged)])
    bit = any_bit(path, chance)
    flipped(path, bit)
    status = cli("--home", str(damaged), "verify").status
    if status == 0:
        assert readable(damaged) == before, f"bit {bit} of {path.name}"
    shutil.rmtree(damaged)
