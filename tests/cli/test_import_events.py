"""`aftermind export` and `aftermind import` of events, as commands and as real processes beside a daemon."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from tests.cli.conftest import Cli
from tests.daemons import daemon, holding

from aftermind.cli.carrying.incoming import INCOMING
from aftermind.engine.sqlite import foreign

SPOKEN = b'{"prompt": "which port?", "answer": "8081", "session": "s1"}'


@pytest.fixture
def file(cli: Cli, place: Path) -> Path:
    """An export of another store than the one that is meant."""
    there = ("--home", str(place / "there"))
    assert cli(*there, "remember", "Staging listens on port 8081", "--project", "webshop").status == 0
    assert cli(*there, "record", "--project", "webshop", stdin=SPOKEN).status == 0
    assert cli(*there, "score", "worked", "--project", "webshop").status == 0
    path = place / "events.jsonl"
    ran = cli(*there, "export", str(path))
    assert ran.out == f"Exported 8 events to {path}, up to position 8.\n", ran.err
    return path


def ids(store: Path) -> list[str]:
    with foreign(store / "log.db") as connection:
        return [row[0] for row in connection.execute("SELECT id FROM event ORDER BY position")]


def test_what_was_exported_is_imported_told_and_found(cli: Cli, place: Path, file: Path):
    told = cli("import", str(file), "--dry-run")
    assert told.out == "Would take in 8 new events. Nothing was written.\n"
    assert not (place / "store").exists()
    assert cli("import", str(file)).out == "Took in 8 new events.\n"
    assert cli("import", str(file)).out == "Took in 0 new events, 8 were already here.\n"
    assert ids(place / "store") == ids(place / "there")
    assert "8081" in cli("search", "staging", "port", "--project", "webshop").out
    assert "every link holds" in cli("verify").out


def test_a_packed_export_and_a_part_of_one_are_imported_too(cli: Cli, place: Path, file: Path):
    packed = place / "events.jsonl.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert cli("import", str(packed), "--json").json["new"] == 8
    part = cli("--home", str(place / "there"), "export", "--type", "memory-recorded", "--json")
    (place / "part.jsonl").write_text(part.out, encoding="utf-8")
    done = cli("import", str(place / "part.jsonl"), "--home", str(place / "other"), "--json").json
    assert (done["new"], done["whole"], done["filters"]) == (2, True, {"type": "memory-recorded"})
    cut = place / "cut.jsonl.gz"
    cut.write_bytes(packed.read_bytes()[:-40])
    assert "its end is missing" in cli("import", str(cut)).out


def test_what_is_wrong_with_a_file_is_told_by_line_and_nothing_usable_is_an_error(cli: Cli, place: Path, file: Path):
    lines = file.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"version":1', b'"version":7')
    lines.insert(4, SPOKEN + b"\n")
    (place / "bad.jsonl").write_bytes(b"".join(lines))
    ran = cli("import", str(place / "bad.jsonl"))
    assert ran.status == 0
    assert "line 3: it is not as it was exported" in ran.out
    assert "line 5: it is no event's line" in ran.out
    (place / "head.jsonl").write_bytes(lines[0] + b"nonsense\n")
    assert cli("import", str(place / "head.jsonl"), "--home", str(place / "other")).status == 2
    assert not (place / "other").exists()
    assert cli("import", str(place / "missing.jsonl"), "--format", "events").status == 2


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["--project", "x"], "--scope"),
        (["--days", "3"], "export --from"),
        (["--follow"], "--follow"),
        (["--scope", " "], ""),
    ],
)
def test_what_does_not_fit_events_is_refused_with_what_does(cli: Cli, file: Path, words: list[str], hint: str):
    ran = cli("import", str(file), *words)
    assert ran.status == 2
    assert hint in ran.err


def test_a_daemon_takes_events_in_beside_its_own_and_is_read_meanwhile(cli: Cli, place: Path, store: Path, file: Path):
    with daemon(store) as process:
        assert cli("remember", "mine alone", "--global").status == 0
        assert cli("import", str(file), "--scope", "theirs").out.startswith("Took in 7 new events.")
        assert cli("import", str(file)).out.startswith("Took in 8 new events.")
        assert holding(store) == process.pid
        assert cli("export", str(place / "all.jsonl"), "--json").json["events"] == 1 + 1 + 7 + 8
        assert "8081" in cli("search", "staging", "port", "--project", "theirs").out


def test_a_daemon_of_an_empty_store_makes_room_for_a_copy(cli: Cli, store: Path, file: Path):
    with daemon(store) as process:
        ran = cli("import", str(file), "--json")
        assert ran.status == 0, ran.err
        done = ran.json
        assert (done["way"], done["new"]) == ("copied", 8)
        assert process.wait(30) == 0
    assert cli("search", "staging", "port", "--project", "webshop").status == 0


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
from aftermind.cli.main import main
raise SystemExit(main(sys.argv[2:]))
"""
"""Run with -B: the limit would cut the bytecode, too, which is kept for others."""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_a_full_disk_leaves_the_store_as_it_was_and_the_import_goes_on_later(
    cli: Cli, place: Path, env: dict[str, str]
):
    there = place / "big"
    for n in range(3):
        said = b'{"prompt": "%d", "answer": "%s", "session": "s"}\n' % (n, b"word " * 20_000)
        (place / "x.jsonl").write_bytes(said)
        cli("--home", str(there), "import", str(place / "x.jsonl"))
    file = place / "big.jsonl"
    cli("--home", str(there), "export", str(file))
    words = [sys.executable, "-B", "-c", FULL, "200000", "import", str(file), "--json"]
    ran = subprocess.run(words, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 5, ran.stderr
    assert not (place / "store" / "log.db").exists()
    assert (place / "store" / INCOMING).exists()
    assert cli("import", str(file), "--json").json["way"] == "copied"
    assert ids(place / "store") == ids(there)
    small = [sys.executable, "-B", "-c", FULL, "4000", "export", str(place / "small.jsonl")]
    ran = subprocess.run(small, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 5
    assert not [path for path in place.iterdir() if "small" in path.name]


def test_imports_that_are_killed_lose_and_double_nothing(cli: Cli, place: Path, file: Path, env: dict[str, str]):
    chance = Random(7)
    assert cli("remember", "mine alone", "--global").status == 0
    words = [sys.executable, "-m", "aftermind", "import", str(file), "--json"]
    for _ in range(2):
        with subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                process.wait(chance.uniform(0.05, 0.6))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
    cli("import", str(file))
    found = ids(place / "store")
    assert len(set(found)) == len(found)
    assert found[1:] == ids(place / "there")
    assert json.loads(cli("import", str(file), "--json").out)["new"] == 0
