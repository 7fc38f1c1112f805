"""What was spooled goes in once, as if it had been heard when it was said; what cannot go in harms nobody."""

from __future__ import annotations

import os
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import pytest
from tests.spooling import drained, put, put_many, recorded, turn
from tests.wired import new_key, raw, until

import aftermind
from aftermind.cli.holding import held, upkeep
from aftermind.cli.language.requests import Deliver, EndSession, Recall, Record, Remember
from aftermind.engine.events import ContextInjected, ExchangeRecorded, MemoryRecorded, SessionEnded
from aftermind.engine.names import EventId
from aftermind.engine.store import lock, spool

pytestmark = pytest.mark.anyio
ADVICE = "To deploy the billing service run make release-billing"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a store whose holder looks into its spool often."""
    monkeypatch.setattr(upkeep, "BEAT", 0.05)
    folder = tmp_path / "store"
    folder.mkdir(mode=0o700)
    return folder


# --- once, in order, and when it was said ---------------------------------------------------------------------


async def test_what_waits_goes_in_the_oldest_first(folder):
    keys = [new_key(time.time() - age) for age in (3000, 10, 500, 7, 9999)]
    for key in keys:
        put(folder, Remember(text=f"said under {key}"), key)
    async with aftermind.open_memory(folder) as memory:
        await drained(folder)
        said = [draft.event.text for draft in await recorded(memory, MemoryRecorded)]
        assert said == [f"said under {key}" for key in sorted(keys)]


async def test_what_is_spooled_while_the_store_is_held_goes_in_too(folder):
    async with aftermind.open_memory(folder) as memory:
        put(folder, turn())
        await drained(folder)
        assert (await memory.stats()).collections["working"] == 1


EVERYTHING = {
    "an exchange": Record(prompt="how?", answer="so", session="s"),
    "an exchange with an id": Record(prompt="how?", answer="so", session="s", id="1", project="one"),
    "a fact": Remember(text="the port is 5432"),
    "a fact with tags": Remember(text="the port is 5432", tags=("net",), project="one"),
    "a fact of a session": Remember(text="the port is 5432", session="s"),
    "an end": EndSession(session="s"),
    "a delivered exchange": turn(),
    "a delivered exchange with an id": turn(id="1", project="one"),
    "a delivered end": Deliver(client="json", event="end", payload=b'{"session":"s"}'),
    "a delivered exchange in a folder": Deliver(
        client="json", event="turn", payload=b'{"prompt":"how?","session":"s"}', directory="/tmp"
    ),
}


@pytest.mark.parametrize("asked", EVERYTHING.values(), ids=EVERYTHING)
async def test_what_is_drained_twice_is_there_once(folder, asked):
    """A crash between the append and the end of the file leaves the file."""
    async with aftermind.open_memory(folder) as memory:
        await memory.record("before?", "so", session="s")
        before = (await memory.state()).head
    file = put(folder, asked)
    whole = file.read_bytes()
    async with aftermind.open_memory(folder) as memory:
        await drained(folder)
        head = (await memory.state()).head
        assert head > before
        file.write_bytes(whole)
        await drained(folder)
        assert (await memory.state()).head == head
    file.write_bytes(whole)
    async with aftermind.open_memory(folder) as memory:
        await drained(folder)
        assert (await memory.state()).head == head
        assert spool.spooled(folder).broken == ()


@pytest.mark.parametrize("asked", EVERYTHING.values(), ids=EVERYTHING)
async def test_what_came_through_the_socket_and_the_spool_is_there_once(folder, asked):
    key = new_key()
    async with aftermind.open_memory(folder) as memory:
        await memory.record("before?", "so", session="s")  # the end of a session nobody knows is refused
        async with raw(folder) as client:
            await client.ask(asked, key)
        head = (await memory.state()).head
        put(folder, asked, key)
        await drained(folder)
        assert (await memory.state()).head == head


async def test_it_was_said_when_it_was_said(folder):
    yesterday = datetime.now(UTC).replace(microsecond=0) - timedelta(days=1)
    for asked in (turn(), Remember(text="the port is 5432"), EndSession(session="s")):
        put(folder, asked, new_key(yesterday.timestamp()))
    async with aftermind.open_memory(folder) as memory:
        await drained(folder)
        (exchange,) = await recorded(memory, ExchangeRecorded)
        (ended,) = await recorded(memory, SessionEnded)
        born = await recorded(memory, MemoryRecorded)
        for draft in (exchange, ended, *born):
            assert abs(draft.at - yesterday) <= timedelta(milliseconds=1)
            assert draft.noted - yesterday > timedelta(hours=23)
        assert [(await memory.show(one.event.memory)).at for one in born] == [one.at for one in born]


async def test_what_a_client_says_of_the_time_counts_more(folder):
    put(folder, turn(at="2025-01-31T12:00:00+00:00"))
    async with aftermind.open_memory(folder) as memory:
        await drained(folder)
        (exchange,) = await recorded(memory, ExchangeRecorded)
        assert exchange.at == datetime(2025, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "begin", ["ffffffffffff", "000000000000", "0000000f4240", "zzzzzzzzzzzz", "ZZZZZZZZZZZZ", "7fffffffffff"]
)
async def test_a_time_that_cannot_be_is_not_believed(folder, begin):
    before = datetime.now(UTC)
    put(folder, Remember(text="the port is 5432"), EventId(begin + "0" * 20))
    put(folder, Remember(text="tomorrow"), new_key(time.time() + 86_400))
    async with aftermind.open_memory(folder) as memory:
        await drained(folder)
        for draft in await recorded(memory, MemoryRecorded):
            assert before <= draft.at <= datetime.now(UTC)


# --- what was shown before ------------------------------------------------------------------------------------


async def test_what_was_shown_before_is_credited(folder):
    async with aftermind.open_memory(folder) as memory:
        advice = await memory.remember(ADVICE, project="one")
        shown = await memory.context("how do I deploy the billing service?", session="s", project="one")
    put(folder, turn(prompt="how do I deploy the billing service?", answer="make release-billing", project="one"))
    async with aftermind.open_memory(folder) as memory:
        await drained(folder)
        (exchange,) = await recorded(memory, ExchangeRecorded)
        assert exchange.event.injections == (shown.injection,)
        await memory.score("worked", exchange=exchange.id)
        assert (await memory.show(advice)).outcomes.worked == 1


async def test_what_was_shown_for_a_later_prompt_is_not_taken_for_an_earlier_turn(folder):
    """The next prompt may be answered before what was spooled of the turn before it goes in."""
    async with aftermind.open_memory(folder) as memory:
        await memory.remember(ADVICE, project="one")
        first = await memory.context("how do I deploy the billing service?", session="s", project="one")
        await anyio.sleep(0.01)
        said = new_key()
        await anyio.sleep(0.01)
        second = await memory.context("and how do I release the billing service?", session="s", project="one")
        assert first.injection is not None
        assert second.injection is not None
        put(
            folder,
            turn(prompt="how do I deploy the billing service?", answer="make release-billing", project="one"),
            said,
        )
        await drained(folder)
        await memory.record("and how do I release the billing service?", "the same", session="s", project="one")
        earlier, later = await recorded(memory, ExchangeRecorded)
        assert earlier.event.injections == (first.injection,)
        assert later.event.injections == (second.injection,)
        assert len(await recorded(memory, ContextInjected)) == 2


async def test_what_was_shown_for_a_prompt_that_was_broken_off_is_no_part_of_a_later_turn(folder):
    async with aftermind.open_memory(folder) as memory:
        await memory.remember(ADVICE, project="one")
        await memory.context("how do I deploy the billing service?", session="s", project="one")
        await anyio.sleep(0.01)
        second = await memory.context("and how do I release the billing service?", session="s", project="one")
        await anyio.sleep(0.01)
        put(
            folder,
            turn(prompt="and how do I release the billing service?", answer="make release-billing", project="one"),
        )
        await drained(folder)
        (exchange,) = await recorded(memory, ExchangeRecorded)
        assert exchange.event.injections == (second.injection,)


# --- many, and no room ----------------------------------------------------------------------------------------


async def test_others_are_served_while_hundreds_of_files_go_in(folder, monkeypatch):
    put_many(folder, (turn(f"s{number % 20}", prompt=f"how is {number}?") for number in range(300)))
    monkeypatch.setattr(held, "AT_FIRST", 0.0)
    async with aftermind.open_memory(folder) as memory, raw(folder) as client:
        assert (await memory.state()).spooled > 0
        asked = 0
        while (await memory.state()).spooled:
            asked += 1
            await client.ask(Remember(text=f"asked {asked}", session="t"))
            assert len(await client.ask(Recall(query=f"asked {asked}", limit=1))) == 1
            await anyio.sleep(0.02)
        assert asked > 1
        collections = (await memory.stats()).collections
        assert (collections["working"], collections["memory_bank"]) == (300, asked)


async def test_a_holder_shows_that_it_lives_while_it_drains(folder, monkeypatch):
    """Else another machine that shares the folder would take it for dead."""
    monkeypatch.setattr(upkeep, "BEAT", 3600.0)
    monkeypatch.setattr(held, "AT_FIRST", 0.0)
    put_many(folder, (turn(prompt=f"how is {number}?") for number in range(300)))
    async with aftermind.open_memory(folder):
        os.utime(folder / "lock", (1, 1))
        await until(lambda: lock.beaten(folder) > 1, "it is touched")
        assert spool.spooled(folder).waiting


async def test_a_full_spool_keeps_no_store_open(folder, monkeypatch):
    """What is left waits for whoever opens it next."""
    monkeypatch.setattr(held, "AT_FIRST", 0.0)
    put_many(folder, (turn(prompt=f"how is {number}?") for number in range(300)))
    async with aftermind.open_memory(folder) as memory:
        assert (await memory.state()).spooled > 0
    assert spool.spooled(folder).waiting
    async with aftermind.open_memory(folder) as memory:
        await drained(folder)
        assert (await memory.stats()).collections["working"] == 300


FULL_DISK = """
import json, resource, signal, sys, anyio, aftermind
from pathlib import Path
from aftermind.cli.holding import upkeep
from aftermind.engine.store import spool

folder = Path(sys.argv[1])
upkeep.BEAT = 0.05
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

async def main():
    async with aftermind.open_memory(folder) as memory:
        await memory.stats()
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
        Path(sys.argv[3]).rename(folder / "spool")
        await anyio.sleep(1)
        before = spool.spooled(folder)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        while spool.spooled(folder).waiting:
            await anyio.sleep(0.05)
        print(len(before.waiting), len(before.broken), (await memory.stats()).collections["working"], flush=True)

anyio.run(main)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files")
@pytest.mark.parametrize("limit", [100_000, 600_000])
async def test_what_does_not_fit_on_a_full_disk_goes_in_when_there_is_room(folder, tmp_path, limit):
    for number in range(40):
        put(tmp_path, turn(prompt=f"how is {number}? " + "long " * 5000))
    async with aftermind.open_memory(folder):
        pass
    command = [sys.executable, "-B", "-c", FULL_DISK, str(folder), str(limit), str(tmp_path / "spool")]
    ran = await anyio.run_process(command, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
    left, broken, working = map(int, ran.stdout.split())
    assert left > 0
    assert (broken, working) == (0, 40)
    async with aftermind.open_memory(folder) as memory:
        assert (await memory.verify()).events == (await memory.stats()).events
