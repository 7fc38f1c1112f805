"""The command `rebuild`: through the process that holds the store, or as its holder; and `--check`, beside either."""

from __future__ import annotations

import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from bench.stores import filled as stored
from msgspec import structs
from tests.daemons import daemon, wait_until
from tests.given import NOON

from aftermind.cli.commands import status
from aftermind.cli.language.process import State
from aftermind.engine.views.growing import current
from aftermind.projections.catalog import ALL


@pytest.fixture
def filled(cli, store) -> Path:
    for n in range(3):
        assert cli("remember", f"The port of service {n} is 808{n}").status == 0
    assert cli("stats").status == 0
    return store


def views(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.glob("views*") if not file.name.endswith(("-wal", "-shm")))


def altered(folder: Path, sql: str) -> None:
    with closing(sqlite3.connect(current(folder) or "")) as connection, connection:
        connection.execute(sql)


def test_rebuild_grows_a_new_generation_and_says_from_how_much(cli, filled):
    ran = cli("rebuild")
    assert ran.status == 0
    assert f"{len(ALL)} views grown anew from" in ran.out
    assert views(filled) == ["views-2.db", "views.current"]
    told = cli("rebuild", "tally", "--json").json
    assert (told["views"], told["phase"], told["joined"]) == (["tally"], "done", False)
    assert views(filled) == ["views-3.db", "views.current"]


def test_rebuild_takes_what_a_view_looks_into_along_and_says_so(cli, filled):
    ran = cli("rebuild", "verdicts")
    assert "outcomes as well" in ran.err
    assert ran.out.startswith("2 views")


def test_rebuild_lists_the_views_where_a_name_is_none(cli, filled):
    ran = cli("rebuild", "shelve")
    assert ran.status == 2
    assert "'shelve'" in ran.err
    assert "shelf, words" in ran.err


def test_check_finds_what_differs_and_rebuild_mends_it(cli, filled):
    assert "are what the log says" in cli("rebuild", "--check").out
    altered(filled, "UPDATE shelf SET text = replace(text, '8081', '9999')")
    for _ in range(2):
        ran = cli("rebuild", "--check")
        assert ran.status == 8
        assert "view shelf, table shelf row position=" in ran.err
        assert "9999" in ran.err
        assert "8081" in ran.err
        assert "aftermind rebuild" in ran.err
    assert views(filled) == ["views-1.db", "views.current"]
    assert cli("rebuild", "shelf").status == 0
    assert cli("rebuild", "--check", "--json").json["differs"] is None


def test_check_works_beside_a_daemon_and_rebuild_is_done_by_it(cli, filled):
    with daemon(filled):
        assert cli("rebuild", "--check").status == 0
        told = cli("rebuild", "--json").json
        state = cli("status", "--json").json
        assert told["run"].split("-")[0] == str(state["pid"])
        assert cli("search", "port", "8081").status == 0


@pytest.mark.skipif(sys.platform == "win32", reason="processes are interrupted in other ways there")
def test_who_stops_waiting_is_told_that_the_daemon_goes_on_and_it_does(cli, store, process):
    anyio.run(stored, store, 15_000)
    with daemon(store):
        before = current(store)
        waiting = process("rebuild", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        wait_until(lambda: cli("status", "--json").json["grown"] > 0, "it grows them")
        waiting.send_signal(signal.SIGINT)
        _, said = waiting.communicate(timeout=60)
        assert (waiting.returncode, said.count(b"\n")) == (130, 1)
        assert b"the daemon goes on with it" in said
        wait_until(lambda: current(store) != before, "the new ones have taken their place")


def test_check_of_what_is_not_there_says_so(cli, filled):
    for file in filled.glob("views*"):
        file.unlink()
    assert "no views yet" in cli("rebuild", "--check").out
    assert cli("rebuild", "--check", "tally").status == 2
    assert views(filled) == []


def test_status_tells_how_far_views_are_that_are_being_built():
    state = State(
        pid=1, version="1", holder="daemon", phase="opening", folder="f", since=NOON, connections=1, answered=0,
        failed=0, idle=0.0, head=9, viewed=0, spooled=0, broken=0, memory_mb=1.0, grown=2_000, to_grow=9_000,
    )  # fmt: skip
    told = dict(status._described(state))["views"]
    assert told == "being built anew, 2,000 of 9,000 events are done; answers come when they are complete"
    assert "views" not in dict(status._described(structs.replace(state, to_grow=0)))
