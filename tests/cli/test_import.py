"""An import reads what others wrote, changes nothing of theirs, and done twice is done once."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest

import aftermind
from aftermind.cli.importing.exchange import Imported, Unreadable, error_end, folder, from_iso, from_milliseconds
from aftermind.cli.importing.intake import Counts, taken_in
from aftermind.cli.importing.source import detected, exchanges
from aftermind.engine.errors import DiskFull
from aftermind.engine.events import ExchangeRecorded, MemoryRecorded

NOON = "2026-01-31T12:00:00+00:00"


def jsonl(path: Path, *records: object) -> Path:
    lines = [record if isinstance(record, bytes) else json.dumps(record).encode() for record in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def said(prompt: str, answer: str = "done", session: str = "s1", **more: object) -> dict[str, object]:
    return {"prompt": prompt, "answer": answer, "session": session, **more}


def read(path: Path) -> tuple[list[Imported], list[Unreadable]]:
    items = list(exchanges(path, "jsonl", lambda _: None))
    return [i for i in items if isinstance(i, Imported)], [i for i in items if isinstance(i, Unreadable)]


def imported(store: Path, source: Path, project: str | None = None) -> Counts:
    async def run() -> Counts:
        format = detected(source)
        assert format is not None
        async with aftermind.open_memory(store) as memory:
            return await taken_in(memory, exchanges(source, format, lambda _: None), project)

    return anyio.run(run)


def told(store: Path) -> list[Any]:
    async def run() -> list[Any]:
        async with aftermind.open_memory(store) as memory:
            return list(await memory.events())

    return anyio.run(run)


def test_bad_lines_are_named_and_never_stop_the_import(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "x.jsonl",
        said("first"),
        b"not json",
        b"[1, 2]",
        {"prompt": "no answer", "session": "s"},
        said("wrong type", tools=[{"paths": []}]),
        said("no zone", at="2026-01-31T12:00:00"),
        b"",
        said(" ", " "),
        said("no session", session=" "),
        said("a client", client="two\nlines"),
        b'{"a":' * 5000,
        b"\xff\xfe",
        said("last", unknown="ignored"),
        said("a home", project="~nobody-of-this-name/app"),
    )
    found, bad = read(path)
    assert [one.prompt for one in found] == ["first", "last"]
    assert [problem.place for problem in bad] == [f"line {n}" for n in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 14)]
    assert bad[0].why == "not JSON"
    assert bad[2].why == "missing required field `answer`"
    assert "`at`" in bad[4].why


def test_half_surrogates_nul_and_large_texts_are_taken_in_once(tmp_path: Path) -> None:
    large = "größer " * 150_000
    path = jsonl(
        tmp_path / "x.jsonl",
        b'\xef\xbb\xbf{"prompt": "half \\ud83d of a pair", "answer": "x\\u0000y", "session": "\\udc00", '
        b'"project": "p\\ud800"}',
        said("large", large),
    )
    assert imported(tmp_path / "store", path).new == 2
    again = imported(tmp_path / "store", path)
    assert (again.new, again.repeated, again.unreadable) == (0, 2, 0)
    events = [e.draft.event for e in told(tmp_path / "store") if isinstance(e.draft.event, ExchangeRecorded)]
    assert {e.answer for e in events} == {"x\ufffdy", large}


def test_the_second_import_appends_no_event(tmp_path: Path) -> None:
    lines = jsonl(tmp_path / "x.jsonl", *(said(f"question {n}", session=f"s{n % 3}", at=NOON) for n in range(40)))
    before = lines.read_bytes()
    assert imported(tmp_path / "store", lines).new == 40
    known = told(tmp_path / "store")
    counts = imported(tmp_path / "store", lines)
    assert (counts.new, counts.repeated, counts.revised, counts.different) == (0, 40, 0, 0)
    assert told(tmp_path / "store") == known
    assert lines.read_bytes() == before


def test_an_answer_that_grew_is_revised_and_another_text_is_reported(tmp_path: Path) -> None:
    store = tmp_path / "store"
    imported(store, jsonl(tmp_path / "x.jsonl", said("q", "half"), said("r", "one", id="m2")))
    counts = imported(store, jsonl(tmp_path / "x.jsonl", said("q", "half and whole"), said("r", "two", id="m2")))
    assert (counts.new, counts.revised, counts.different, len(counts.differing)) == (0, 1, 1, 1)


def test_one_session_keeps_its_order_and_its_times(tmp_path: Path) -> None:
    minutes = [f"2026-01-31T12:{n:02}:00+02:00" for n in range(60)]
    records = [said(f"question {n}", session=f"s{n % 2}", at=at) for n, at in enumerate(minutes)]
    imported(tmp_path / "store", jsonl(tmp_path / "x.jsonl", *records))
    recorded = [r for r in told(tmp_path / "store") if isinstance(r.draft.event, ExchangeRecorded)]
    for session in ("s0", "s1"):
        mine = [r for r in recorded if r.draft.event.session == session]
        assert [r.draft.at for r in mine] == sorted(r.draft.at for r in mine)
    assert min(r.draft.at for r in recorded) == datetime(2026, 1, 31, 10, tzinfo=UTC)
    born = [r for r in told(tmp_path / "store") if isinstance(r.draft.event, MemoryRecorded)]
    assert {r.draft.event.collection for r in born} == {"history"}


def test_an_imported_memory_is_found_in_its_project_and_in_no_other(tmp_path: Path) -> None:
    words = "the flux capacitor needs tightening"
    imported(
        tmp_path / "store", jsonl(tmp_path / "x.jsonl", said(words, project="alpha"), said("other", project="beta"))
    )

    async def found(project: str) -> list[str]:
        async with aftermind.open_memory(tmp_path / "store") as memory:
            return [hit.text for hit in await memory.recall("flux capacitor tightening", project=project)]

    assert anyio.run(found, "alpha") == [words]
    assert anyio.run(found, "beta") == []


def test_a_project_no_folder_can_have_costs_its_exchanges_only(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "x.jsonl", said("one", project=f"/{'a' * 300}"), said("two", session="s2"))
    counts = imported(tmp_path / "store", path)
    assert (counts.new, counts.unreadable) == (1, 1)
    assert "project" in counts.problems[0].why


def test_a_project_that_is_named_takes_the_place_of_the_sources(tmp_path: Path) -> None:
    imported(tmp_path / "store", jsonl(tmp_path / "x.jsonl", said("one", project="alpha"), said("two")), "gamma")
    recorded = [r.draft.event for r in told(tmp_path / "store") if isinstance(r.draft.event, ExchangeRecorded)]
    assert len({event.scope for event in recorded}) == 1


def test_a_failing_store_ends_the_import_with_its_own_error(tmp_path: Path) -> None:
    class Full:
        async def record(self, *_: object, **__: object) -> None:
            raise DiskFull(Path("log.db"))

    async def run() -> None:
        items = (Imported(session=str(n), id="1", prompt="q", answer="a") for n in range(1000))
        await taken_in(Full(), items)  # type: ignore[arg-type]

    with pytest.raises(DiskFull):
        anyio.run(run)


def test_folders_and_times_that_cannot_be_are_told_from_those_that_can() -> None:
    assert folder("/home/ada/app") == Path("/home/ada/app")
    assert folder("C:\\work\\app\\") == "C:\\work\\app\\"
    assert folder("app") == "…/app"
    assert folder("~/code/app") == folder("./code/app/") == "…/code/app"
    assert folder("file:///home/ada/app") == "file:///home/ada/app"
    assert folder(" ") is None
    assert from_milliseconds(10**30) is None
    assert from_milliseconds(0) == datetime(1970, 1, 1, tzinfo=UTC)
    assert from_iso("0001-01-01T00:00:00+10:00") is None
    assert from_iso("yesterday") is None
    assert len(error_end("x" * 10_000)) == 300
