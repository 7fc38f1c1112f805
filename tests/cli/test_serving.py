"""Whatever a client does at the socket costs its own connection and nobody else's."""

from __future__ import annotations

import asyncio
import json
import os
import struct
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import anyio
import pytest
from tests.wired import Raw, new_key, raw, until

import aftermind
from aftermind import OpenMemory
from aftermind.cli.holding import serving
from aftermind.cli.holding.binding import unix
from aftermind.cli.language.requests import (
    Beyond,
    Brief,
    Count,
    Deliver,
    Events,
    Recall,
    Remember,
    Report,
    Show,
    Stop,
    Verify,
)
from aftermind.cli.language.wire import LARGEST_CALL, WIRE, Broken, Call, Newer, NotUnderstood, TooLate, framed
from aftermind.cli.logbook import Logbook
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.events import ContextInjected

pytestmark = pytest.mark.anyio
KEY = b"0190" + b"a1" * 14
REFUSED = {
    "malformed": b'{"key":',
    "nothing": b"",
    "not JSON at all": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "zeros": bytes(1000),
    "not UTF-8": b'{"key":"%s","request":{"ask":"show","id":"\xff"}}' % KEY,
    "an unknown request": b'{"key":"%s","request":{"ask":"dream"}}' % KEY,
    "an unknown field": b'{"key":"%s","request":{"ask":"show","id":"m","colour":"red"}}' % KEY,
    "a wrong type": b'{"key":"%s","request":{"ask":"show","id":7}}' % KEY,
    "deep nesting": b'{"key":"%s","request":%s' % (KEY, b'{"ask":' * 100_000),
    "a short key": b'{"key":"a1","request":{"ask":"report"}}',
    "a key that is a path": b'{"key":"../../../../../../../etc/passwd0","request":{"ask":"report"}}',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
async def memory(folder: Path) -> AsyncIterator[OpenMemory]:
    async with aftermind.open_memory(folder) as opened:
        yield opened


async def served(folder: Path) -> None:
    """Another client is, as if nothing were."""
    async with raw(folder) as other:
        assert (await other.ask(Report())).pid == os.getpid()


async def alone(memory: OpenMemory) -> None:
    """Waits until nobody is connected any more."""

    async def nobody() -> bool:
        return (await memory.state()).connections == 0

    await until(nobody, "every connection is over")


# --- what is not understood -----------------------------------------------------------------------------------


@pytest.mark.parametrize("payload", REFUSED.values(), ids=REFUSED)
async def test_what_is_no_request_is_refused_and_the_next_one_answered(folder, memory, payload):
    async with raw(folder) as client:
        for _ in range(2):
            await client.say(payload)
            with pytest.raises(NotUnderstood):
                await client.answer(Report())
            assert (await client.ask(Report())).failed >= 1


async def test_what_the_rules_refuse_leaves_the_connection_as_it_was(folder, memory):
    async with raw(folder) as client:
        for request, error in (
            (Show(id="nobody"), NotFound),
            (Remember(text=" "), Unusable),
            (Recall(query="x", limit=0), Unusable),
            (Brief(session="s", project=""), Unusable),
            (Deliver(client="nobody", event="turn", payload=b"{}"), NotUnderstood),
            (Deliver(client="json", event="dream", payload=b"{}"), NotUnderstood),
        ):
            with pytest.raises(error):
                await client.ask(request)
        assert await client.ask(Remember(text="the port is 5432"))


async def test_a_newer_call_is_told_so(folder, memory):
    async with raw(folder) as client:
        await client.say(b'{"key":"%s","wire":%d,"request":{"ask":"dream"}}' % (KEY, WIRE + 1))
        with pytest.raises(Newer, match=f"wire {WIRE + 1}"):
            await client.answer(Report())
        assert await client.ask(Report())


@pytest.mark.parametrize(
    "payload", [b"", b"\xff\xfe", b"{", b'{"x":1}', b'{"prompt":' + b"[" * 100_000, b'{"prompt":"x"', b"prompt only"]
)
async def test_a_delivery_nobody_understands_is_refused(folder, memory, payload):
    async with raw(folder) as client:
        with pytest.raises(NotUnderstood):
            await client.ask(Deliver(client="json", event="turn", payload=payload))
        assert await client.ask(Report())
    assert (await memory.stats()).events == 0


async def test_an_unforeseen_error_is_an_answer_too(folder, memory):
    async with raw(folder) as client:
        with pytest.raises(Broken, match="unexpected OverflowError"):
            await client.ask(Events(after=2**70))
        assert await client.ask(Report())


async def test_an_answer_that_is_too_large_is_refused_and_the_next_one_given(folder, memory, monkeypatch):
    monkeypatch.setattr(serving, "LARGEST_REPLY", 10_000)
    await memory.remember("zebra " * 2_000)
    async with raw(folder) as client:
        with pytest.raises(Refused, match="bytes"):
            await client.ask(Recall(query="zebra"))
        assert await client.ask(Report())


async def test_stop_is_for_daemons(folder, memory):
    async with raw(folder) as client:
        with pytest.raises(Refused, match="not a daemon"):
            await client.ask(Stop())
        assert await client.ask(Remember(text="the port is 5432"))


# --- frames ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [LARGEST_CALL + 1, 2**32 - 1])
async def test_a_frame_announced_too_large_is_refused_before_a_byte_of_it_is_read(folder, memory, size):
    async with raw(folder) as client:
        await client.send(struct.pack(">I", size))
        with pytest.raises(NotUnderstood, match=f"{size:,} bytes"):
            await client.answer(Report())
        assert await client.ended()
    await served(folder)
    await alone(memory)


HALVES = {
    "half a length": b"\0\0",
    "a length": b"\0\0\0\x20",
    "half a frame": b"\0\0\0\x20{",
    "half a large one": b"\1\0\0\0{",
}


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
async def test_half_a_frame_and_silence_ends_a_connection_and_others_are_served_meanwhile(
    folder, memory, monkeypatch, half
):
    monkeypatch.setattr(serving, "GRACE", 0.3)
    monkeypatch.setattr(serving, "SLOWEST", 1e9)
    async with raw(folder) as client:
        await client.send(half)
        await served(folder)
        assert await client.ended()
    await alone(memory)


async def test_a_slow_writer_is_waited_for(folder, memory):
    async with raw(folder) as client:
        for byte in framed(Call(key=new_key(), request=Remember(text="slowly"))):
            await client.send(bytes((byte,)))
            await asyncio.sleep(0.002)
        assert await client.answer(Remember(text=""))
        assert [hit.text for hit in await client.ask(Recall(query="slowly"))] == ["slowly"]


async def test_a_slow_large_request_delays_no_other_large_one(folder, memory):
    async with raw(folder) as slow, raw(folder) as other:
        await slow.send(struct.pack(">I", 8_000_000) + b"{" * 100)
        with anyio.fail_after(20):
            assert await other.ask(Remember(text="quick " * 800_000))
            assert (await memory.state()).connections == 2


async def test_a_client_that_says_nothing_is_left_alone(folder, memory, monkeypatch):
    monkeypatch.setattr(serving, "GRACE", 0.1)
    async with raw(folder) as client:
        await asyncio.sleep(0.5)
        assert await client.ask(Report())
        await asyncio.sleep(0.5)
        assert await client.ask(Report())


# --- who goes away --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [0, 2, 4, 20, -1, None])
async def test_a_client_that_vanishes_before_in_or_after_its_request_leaves_nothing_behind(folder, memory, cut):
    whole = framed(Call(key=new_key(), request=Remember(text="the zebra crossing")))
    for _ in range(3):
        async with raw(folder, welcomed=cut != 0) as client:
            await client.send(whole[:cut])
    await alone(memory)
    await served(folder)
    said = [hit.text for hit in await memory.recall("zebra crossing")]
    if cut is None:  # it was asked for, whoever hears of it
        await until(lambda: memory.recall("zebra crossing"), "it is recorded")
    else:
        assert said == []


async def test_a_client_that_never_reads_a_large_reply_is_given_up(folder, memory, monkeypatch):
    monkeypatch.setattr(serving, "GRACE", 0.3)
    monkeypatch.setattr(serving, "SLOWEST", 1e9)
    id = await memory.remember("zebra " * 2_000_000)
    async with raw(folder) as client:
        await client.send(framed(Call(key=new_key(), request=Show(id=id))))
        await served(folder)
        await alone(memory)
        await served(folder)


async def test_a_client_that_never_reads_keeps_no_store_open(folder, monkeypatch):
    monkeypatch.setattr(serving, "GRACE", 0.3)
    monkeypatch.setattr(serving, "SLOWEST", 1e9)
    with anyio.fail_after(20):
        async with aftermind.open_memory(folder) as memory:
            id = await memory.remember("zebra " * 2_000_000)
            clients = [await stubborn(folder, id) for _ in range(3)]
        for client in clients:
            client.writer.transport.abort()


async def stubborn(folder: Path, id: str) -> Raw:
    """A client that asked for something large and reads none of it."""
    async with raw(folder) as client:
        pass
    reader, writer = await asyncio.open_unix_connection(folder / "run" / "socket", limit=1)
    client = Raw(reader, writer)
    await client.welcome()
    await client.send(framed(Call(key=new_key(), request=Show(id=id))))
    return client


async def test_who_waits_for_news_waits_no_longer_than_the_house_stands(folder):
    async with AsyncExitStack() as stack:
        async with aftermind.open_memory(folder) as memory:
            head = (await memory.state()).head
            client = await stack.enter_async_context(raw(folder))
            waiting = asyncio.create_task(client.ask(Beyond(position=head, seconds=10_000)))
            await asyncio.sleep(0.1)
            await memory.remember("news")
            assert await waiting > head
            waiting = asyncio.create_task(client.ask(Beyond(position=head + 10, seconds=10_000)))
            await asyncio.sleep(0.1)
        assert await waiting >= head
        assert await client.ended()


async def test_who_waited_for_news_and_vanished_is_not_waited_for(folder, memory, monkeypatch):
    monkeypatch.setattr(serving, "LONGEST_WAIT", 0.3)
    async with raw(folder) as client:
        await client.send(framed(Call(key=new_key(), request=Beyond(position=10**9, seconds=1e9))))
    await alone(memory)


# --- time -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [0.0, -1.0])
async def test_a_read_whose_time_is_over_is_too_late_and_the_store_goes_on(folder, memory, seconds):
    await memory.remember("the zebra crossing is closed")
    async with raw(folder) as client:
        for request in (
            Recall(query="zebra"),
            Count(),
            Brief(session="s", prompt="where is the zebra crossing?"),
            Deliver(client="json", event="prompt", payload=b'{"prompt":"where is the zebra crossing?","session":"s"}'),
        ):
            with pytest.raises(TooLate) as error:
                await client.ask(request, seconds=seconds)
            assert error.value.seconds == seconds
        assert len(await client.ask(Recall(query="zebra"))) == 1
        assert (await client.ask(Brief(session="s", prompt="where is the zebra crossing?"))).injection


async def test_a_briefing_that_came_too_late_was_not_shown(folder, memory):
    await memory.remember("the zebra crossing is closed")
    asked = b'{"prompt":"where is the zebra crossing?","session":"s"}'
    async with raw(folder) as client:
        with pytest.raises(TooLate):
            await client.ask(Deliver(client="json", event="prompt", payload=asked), seconds=0)
        shown = [one for one in await memory.events() if isinstance(one.draft.event, ContextInjected)]
        assert shown == []
        assert (await client.ask(Deliver(client="json", event="prompt", payload=asked))).text


async def test_what_writes_is_finished_whatever_time_it_takes(folder, memory):
    async with raw(folder) as client:
        assert await client.ask(Remember(text="the zebra crossing"), seconds=0)
        await client.ask(Deliver(client="json", event="turn", payload=b'{"prompt":"how?","session":"s"}'), seconds=0)
        assert (await client.ask(Verify(), seconds=0)).events >= 3
    assert (await memory.stats()).collections["working"] == 1


# --- crowds ---------------------------------------------------------------------------------------------------


async def test_two_hundred_at_once_are_all_served(folder, memory):
    async def one(number: int) -> None:
        async with raw(folder) as client:
            await client.ask(Remember(text=f"number {number}", tags=(f"n{number}",)))

    async with anyio.create_task_group() as tasks:
        for number in range(200):
            tasks.start_soon(one, number)
    assert (await memory.stats()).collections["memory_bank"] == 200
    await alone(memory)


async def test_who_has_nothing_to_say_keeps_nobody_out(folder, memory):
    """Three hundred that hold on to their connections, as programs with an open store do: more than there is room
    for."""
    everybody = serving.MOST + 44
    answered: list[int] = []
    all_there = anyio.Event()

    async def one(number: int) -> None:
        async with raw(folder) as client:
            await client.ask(Report())
            answered.append(number)
            if len(answered) == everybody:
                all_there.set()
            await all_there.wait()

    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            for number in range(everybody):
                tasks.start_soon(one, number)
    await alone(memory)


async def test_programs_that_hold_more_connections_than_there_is_room_for_are_all_answered(folder, memory, monkeypatch):
    monkeypatch.setattr(serving, "MOST", 8)
    monkeypatch.setattr(serving, "SILENT", 0.05)
    with anyio.fail_after(60):
        async with AsyncExitStack() as stack:
            programs = [await stack.enter_async_context(aftermind.open_memory(folder)) for _ in range(20)]
            for _ in range(2):
                for number, program in enumerate(programs):
                    await program.remember(f"number {number}", session="s")
    assert (await memory.stats()).collections["memory_bank"] == 40
    assert (await memory.state()).connections <= 8


async def test_what_cannot_be_bound_is_closed(folder):
    with pytest.raises(FileNotFoundError) as raised:
        unix(str(folder / "run" / "socket"))
    assert raised.traceback[-1].frame.f_locals["listener"].fileno() == -1


async def test_a_line_that_is_noted_after_the_end_opens_the_log_for_nobody(folder, stamp):
    folder.mkdir()
    book = Logbook(folder, stamp)
    book.load()
    book.note("first")
    book.close()
    book.note("last")
    lines = (folder / "logs" / "daemon.log").read_text().splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["first"]
