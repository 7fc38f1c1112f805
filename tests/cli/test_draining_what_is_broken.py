"""What no door of ours wrote, or none that this program understands, is in nobody's way."""

from __future__ import annotations

import os
import time
from datetime import datetime
from pathlib import Path

import anyio
import pytest
from tests.spooling import drained, put, recorded, turn
from tests.wired import new_key, until

import aftermind
from aftermind.cli.holding import upkeep
from aftermind.cli.language.requests import Deliver, Recall, Remember, Report, Spoolable, Stop
from aftermind.cli.language.wire import WIRE, Call, to_json
from aftermind.engine.events import ExchangeRecorded, MemoryRecorded
from aftermind.engine.names import EventId
from aftermind.engine.store import spool

pytestmark = pytest.mark.anyio
BROKEN = {
    "garbage": b"\x00\xff garbage",
    "empty": b"",
    "half": b'{"key":"0190',
    "a read": to_json(Call(key=EventId("a" * 32), request=Recall(query="x"))),
    "a stop": to_json(Call(key=EventId("a" * 32), request=Stop())),
    "a report": to_json(Call(key=EventId("a" * 32), request=Report())),
    "no words": to_json(Call(key=EventId("a" * 32), request=Remember(text=" "))),
    "no session": to_json(Call(key=EventId("a" * 32), request=turn(session=""))),
    "no such client": to_json(Call(key=EventId("a" * 32), request=Deliver(client="x", event="turn", payload=b"{}"))),
    "no such event": to_json(Call(key=EventId("a" * 32), request=Deliver(client="json", event="x", payload=b"{}"))),
    "deep": to_json(Call(key=EventId("a" * 32), request=Deliver(client="json", event="turn", payload=b"[" * 10**6))),
    "deep in an object": to_json(
        Call(key=EventId("a" * 32), request=Deliver(client="json", event="turn", payload=b'{"x":' * 10**5))
    ),
    "a place that cannot be": to_json(Call(key=EventId("a" * 32), request=Remember(text="x", project="/\0"))),
    "a time that cannot be": to_json(
        Call(key=EventId("a" * 32), request=Remember(text="x", at=datetime(2020, 1, 1)))  # noqa: DTZ001
    ),
    "a wrong key": b'{"key":"x","request":{"ask":"end-session","session":"s"}}',
    "a surrogate": b'{"key":"%s","request":{"ask":"\\ud800"}}' % (b"a" * 32),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a store whose holder looks into its spool often."""
    monkeypatch.setattr(upkeep, "BEAT", 0.05)
    folder = tmp_path / "store"
    folder.mkdir(mode=0o700)
    return folder


async def test_what_is_broken_is_set_aside_and_what_comes_after_it_goes_in(folder):
    before = {}
    for number, payload in enumerate(BROKEN.values()):
        file = spool.write(folder, new_key(1.7e9 + number), payload)
        before[file.name] = payload
    put(folder, turn())
    async with aftermind.open_memory(folder) as memory:
        await drained(folder)
        state = await memory.state()
        assert (state.spooled, state.broken) == (0, len(BROKEN))
        assert len(await recorded(memory, ExchangeRecorded)) == 1
        assert await recorded(memory, MemoryRecorded) != []
        put(folder, turn("t"))
        await drained(folder)
        assert (await memory.stats()).collections["working"] == 2, "it goes on looking"
    assert {file.name: file.read_bytes() for file in spool.spooled(folder).broken} == before


@pytest.mark.parametrize("name", BROKEN)
async def test_nothing_of_what_is_broken_is_recorded(folder, name):
    spool.write(folder, new_key(), BROKEN[name])
    async with aftermind.open_memory(folder) as memory:
        await drained(folder)
        assert len(spool.spooled(folder).broken) == 1
        assert await recorded(memory, MemoryRecorded) == await recorded(memory, ExchangeRecorded) == []


async def test_folders_links_pipes_and_names_of_others_are_in_nobodys_way(folder, tmp_path):
    (tmp_path / "elsewhere").write_bytes(to_json(Call(key=EventId("b" * 32), request=Remember(text="a link"))))
    put(folder, turn())
    place = folder / "spool"
    (place / f"{'0' * 31}1.json").mkdir()
    (place / f"{'0' * 31}2.json").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(place / f"{'0' * 31}3.json")
    (place / "notes.json").write_bytes(b"mine")
    (place / f"{new_key()}.part").write_bytes(b'{"key":')
    with anyio.fail_after(30):
        async with aftermind.open_memory(folder) as memory:
            await drained(folder)
            assert (await memory.stats()).collections == {
                **dict.fromkeys((await memory.stats()).collections, 0),
                "working": 1,
            }
    assert len(spool.spooled(folder).broken) == 3
    assert (place / "notes.json").read_bytes() == b"mine"
    assert len(list(place.glob("*.part"))) == 1


async def test_what_cannot_even_be_set_aside_is_in_nobodys_way(folder):
    stuck = spool.write(folder, "0" * 32, b"garbage")
    (folder / "spool" / "broken" / stuck.name / "full").mkdir(parents=True)
    put(folder, turn())
    async with aftermind.open_memory(folder) as memory:
        await until(lambda: spool.spooled(folder).waiting == (stuck,), "the rest goes in")
        put(folder, turn("t"))
        await until(lambda: spool.spooled(folder).waiting == (stuck,), "and what comes later")
        assert (await memory.stats()).collections["working"] == 2


async def test_what_a_newer_program_wrote_is_left_for_it(folder):
    newer = spool.write(folder, "0" * 32, b'{"key":"%s","wire":%d,"request":{"ask":"dream"}}' % (b"0" * 32, WIRE + 1))
    put(folder, turn())
    async with aftermind.open_memory(folder) as memory:
        await until(lambda: spool.spooled(folder).waiting == (newer,), "the rest goes in")
        assert ((await memory.state()).spooled, (await memory.state()).broken) == (1, 0)
    assert newer.exists()


def test_only_what_nobody_waits_for_can_be_spooled():
    assert {form.__name__ for form in Spoolable.__args__} == {"Record", "Remember", "EndSession", "Deliver"}


async def test_what_stayed_half_written_for_a_day_is_cleared_away(folder):
    (folder / "spool").mkdir()
    old, fresh = (folder / "spool" / f"{new_key()}.part" for _ in range(2))
    for path in (old, fresh):
        path.write_bytes(b'{"key":')
    os.utime(old, (time.time() - 90_000,) * 2)
    async with aftermind.open_memory(folder):
        await until(lambda: not old.exists(), "it is cleared away")
    assert fresh.exists()
