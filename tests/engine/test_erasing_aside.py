"""What is forgotten goes from the report of a repair that lies beside a log that was set aside."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from aftermind.engine.backups.restoring import REPORT
from aftermind.engine.erasing.aside import erased_aside
from aftermind.engine.names import EventId

pytestmark = pytest.mark.anyio
HEAD, END = b'{"aftermind_export":1}\n', b'{"events":3,"sha256":"00"}\n'


def line(id: str, text: str) -> bytes:
    return msgspec.json.encode({"id": id, "event": {"type": "memory-recorded", "text": text}}) + b"\n"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    lines = (HEAD, line("e1", "keep this"), line('a"b', "swordfish"), line("日\\", "too"), END)
    (tmp_path / REPORT).write_bytes(b"".join(lines))
    return tmp_path / REPORT


@pytest.mark.parametrize("id", ['a"b', "日\\", "e1"])
async def test_the_line_of_an_event_goes_whatever_it_is_called(report: Path, id: str) -> None:
    before = report.read_bytes().splitlines()
    assert await erased_aside(report.parent, [EventId(id), EventId("e")]) == (1, "")
    (gone,) = set(before) - set(report.read_bytes().splitlines())
    assert msgspec.json.decode(gone)["id"] == id


async def test_a_line_that_was_damaged_since_goes_where_the_event_is_named_in_it(report: Path) -> None:
    report.write_bytes(b'{"id":"e1","event":{"text":"swordfish\n' + b'{"id":"e2","eve\n')
    assert await erased_aside(report.parent, [EventId("e1")]) == (1, "")
    assert report.read_bytes() == b'{"id":"e2","eve\n'


async def test_many_are_looked_for_in_many_lines_at_once(tmp_path: Path) -> None:
    (tmp_path / REPORT).write_bytes(b"".join(line(f"e{n}", "swordfish") for n in range(20_000)))
    assert await erased_aside(tmp_path, [EventId(f"e{n}") for n in range(1, 40_000)]) == (19_999, "")
    assert (tmp_path / REPORT).read_bytes() == line("e0", "swordfish")
