"""`aftermind export`: every event as a line, a part of them where that is asked, a file that is whole or not there."""

from __future__ import annotations

import gzip
import json
import os
import stat
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from hashlib import sha256
from pathlib import Path

import anyio
import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.carrying.line import link_of
from aftermind.cli.commands import export
from aftermind.engine.errors import LogDamaged, NotFound, Refused, Unusable
from aftermind.engine.logs import seal
from aftermind.engine.sqlite import foreign

SECRET_FREE = "Staging listens on port 8081 部署"


def command(store: Path, *words: str, as_json: bool = False) -> int:
    parser = ArgumentParser()
    export.configure(parser)
    return anyio.run(export.run, parser.parse_args(words, Namespace(home=str(store), json=as_json)))


async def fill(store: Path) -> None:
    async with aftermind.open_memory(store) as memory:
        await said(memory)


async def said(memory: OpenMemory) -> None:
    await memory.remember(SECRET_FREE, kind="configuration", project="webshop")
    await memory.remember("Ada prefers tabs", kind="preference")
    await memory.record("how do we deploy?", "make deploy", session="s1", project="webshop")
    await memory.record("and billing?", "make billing", session="s2", project="billing")
    await memory.score("worked", session="s1", project="webshop")
    await memory.end_session("s1")


def lines(path: Path) -> list[bytes]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return data.splitlines(keepends=True)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    anyio.run(fill, tmp_path / "store")
    return tmp_path / "store"


def rows(store: Path) -> list[tuple[object, ...]]:
    with foreign(store / "log.db") as connection:
        return connection.execute("SELECT * FROM event ORDER BY position").fetchall()


def test_every_event_is_a_line_from_which_its_row_can_be_made_again(store: Path, tmp_path: Path):
    assert command(store, str(tmp_path / "e.jsonl")) == 0
    head, *events, end = lines(tmp_path / "e.jsonl")
    found = [link_of(text) for text in events]
    assert [
        (e.position, e.id, e.stream, e.version, e.tag, e.at, e.noted, e.because, e.salt, e.payload, e.digest, e.seal)
        for e in found
    ] == rows(store)
    link = seal.FIRST
    for e in found:  # the chain can be checked without the store
        link = seal.seal(link, e.position, e.id, e.stream, e.version, e.tag, e.at, e.noted, e.because, e.digest)
        assert link == e.seal
    header = json.loads(head)
    assert (header["aftermind"], header["format"], header["head"]) == ("events", 1, len(found))
    assert header["store"] == found[0].seal.hex()
    whole = sha256(b"".join([head, *events])).hexdigest()
    assert json.loads(end) == {"aftermind": "end", "events": len(found), "digest": whole}


def test_it_is_read_beside_whoever_writes_and_packed_where_the_name_says_so(store: Path, tmp_path: Path):
    async def beside() -> None:
        async with aftermind.open_memory(store) as memory:
            await memory.remember("one more")
            await to_thread(str(tmp_path / "e.jsonl.gz"))

    async def to_thread(path: str) -> None:
        await anyio.to_thread.run_sync(command, store, path)

    anyio.run(beside)
    assert b"one more" in lines(tmp_path / "e.jsonl.gz")[-2]
    packed = (tmp_path / "e.jsonl.gz").read_bytes()
    assert (tmp_path / "e.jsonl.gz").stat().st_mode & 0o777 == 0o600
    assert SECRET_FREE.encode() not in packed


@pytest.mark.parametrize(
    ("words", "there", "missing"),
    [
        (["--project", "webshop"], {"Staging listens", "make deploy", "exchange-judged"}, {"tabs", "make billing"}),
        (["--global"], {"tabs"}, {"Staging listens", "make billing"}),
        (["--kind", "preference"], {"tabs"}, {"Staging listens", "make deploy"}),
        (["--type", "session-ended"], {"session-ended"}, {"tabs", "make deploy"}),
        (["--session", "s2"], {"make billing"}, {"tabs", "Staging listens", "make deploy"}),
        (["--from", "2020-01-01", "--to", "2020-02-01"], set(), {"tabs", "Staging listens"}),
        (["--to", "2"], {"Staging listens"}, {"tabs", "make billing"}),
    ],
)
def test_a_part_says_what_it_is_a_part_of(
    store: Path, tmp_path: Path, words: list[str], there: set[str], missing: set[str]
):
    assert command(store, str(tmp_path / "e.jsonl"), *words) == 0
    head, *events, end = lines(tmp_path / "e.jsonl")
    text = b"".join(events).decode()
    assert all(word in text for word in there), text
    assert not any(word in text for word in missing), text
    assert len(json.loads(head)["filters"]) == len(words) // 2 or words == ["--global"]
    assert json.loads(end)["events"] == len(events)


def test_a_name_that_two_projects_have_is_refused(store: Path, tmp_path: Path):
    async def lived() -> None:
        async with aftermind.open_memory(store) as memory:
            for place in ("one", "other"):
                (tmp_path / place / "checkout").mkdir(parents=True)
                await memory.remember(f"said in {place}", project=tmp_path / place / "checkout")

    anyio.run(lived)
    with pytest.raises(Unusable, match="several projects have that name"):
        command(store, "--project", "checkout")


def test_an_unknown_project_or_type_is_told_with_what_there_is(store: Path, tmp_path: Path):
    with pytest.raises(NotFound, match="web-shop") as unknown:
        command(store, "--project", "web-shop")
    assert "webshop" in unknown.value.hint
    with pytest.raises(Unusable, match="session-end"):
        command(store, "--type", "session-end")


def test_nothing_but_an_export_is_written_over(store: Path, tmp_path: Path):
    path = tmp_path / "notes.txt"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(Refused, match="is no export"):
        command(store, str(path))
    with pytest.raises(Refused, match="a folder"):
        command(store, str(tmp_path))
    assert path.read_text(encoding="utf-8") == "mine"
    assert command(store, str(tmp_path / "e.jsonl")) == command(store, str(tmp_path / "e.jsonl"), as_json=True) == 0


def test_what_killed_exports_left_goes_a_day_later_with_the_next_to_that_name(store: Path, tmp_path: Path):
    written, left, others = (tmp_path / f".{name}.part" for name in ("[e].jsonl.11", "[e].jsonl.22", "e.jsonl.22"))
    for path in (written, left, others):
        path.write_text("half of it", encoding="utf-8")
    for path in (left, others):
        os.utime(path, (0, path.stat().st_mtime - 86_400))
    assert command(store, str(tmp_path / "[e].jsonl")) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"store", "[e].jsonl", written.name, others.name}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes by name here")
def test_a_pipe_is_written_into_and_stays_one(store: Path, tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        try:
            assert command(store, str(pipe)) == 0
            told = reader.communicate(timeout=60)[0].splitlines()
        finally:
            reader.kill()
    assert len(told) == 2 + len(rows(store))
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pipe", "store"]


@pytest.mark.skipif(not hasattr(os, "mknod"), reason="there are no devices by name here")
def test_a_device_is_written_into_and_stays_one(store: Path, tmp_path: Path):
    device = tmp_path / "null"
    try:
        os.mknod(device, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    except OSError:
        pytest.skip("no device can be made here")
    assert command(store, str(device)) == 0
    assert stat.S_ISCHR(device.stat().st_mode)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["null", "store"]


def test_a_link_to_an_export_stays_one_and_a_name_of_standard_output_is_that(store: Path, tmp_path: Path):
    (tmp_path / "latest.jsonl").symlink_to("e.jsonl")
    assert command(store, str(tmp_path / "latest.jsonl")) == 0
    assert (tmp_path / "latest.jsonl").is_symlink()
    assert len(lines(tmp_path / "e.jsonl")) == 2 + len(rows(store))
    out = tmp_path / "out"
    (tmp_path / "stdout").symlink_to("/proc/self/fd/1")
    for name in ("-", str(tmp_path / "stdout")):
        with out.open("wb") as file:
            words = [sys.executable, "-m", "aftermind", "--home", str(store), "export", name]
            subprocess.run(words, stdout=file, check=True, timeout=60)
        assert len(lines(out)) == 2 + len(rows(store))
        assert (tmp_path / "stdout").is_symlink()


def test_of_a_damaged_log_what_is_intact_is_told_and_no_file_is_left(
    store: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
):
    log = store / "log.db"
    data = log.read_bytes()
    assert b"make billing" in data
    log.write_bytes(data.replace(b"make billing", b"make bulling"))
    with pytest.raises(LogDamaged):
        command(store, str(tmp_path / "e.jsonl"))
    assert [path.name for path in tmp_path.iterdir()] == ["store"]
    with pytest.raises(LogDamaged) as damage:
        command(store)
    told = capfdbinary.readouterr().out.splitlines()
    assert len(told) == 1 + damage.value.position
    assert link_of(told[-1]).position == damage.value.position


def test_what_an_export_replaced_and_a_name_that_promises_pages_are_told(store: Path, tmp_path: Path, capsys) -> None:
    for name, told in (("x.jsonl", (False, False)), ("notes.md", (False, True)), ("notes.md", (True, True))):
        assert command(store, str(tmp_path / name)) == 0
        said = capsys.readouterr().out
        assert ("taken the place of the export of" in said, "`--markdown FOLDER` writes pages" in said) == told
