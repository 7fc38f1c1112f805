"""What every `Log` promises (`engine/log.py`), as tests. A backend's own test file is a subclass with one fixture.

`log` opens the log: `async with log() as opened`. A backend may give the same object each time or reopen its file,
so what is written in one block and read in another was kept.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta, timezone

import anyio
import anyio.lowlevel
import pytest
from msgspec import Raw

from aftermind.engine.errors import HalfRepeated, StreamMoved, Unusable
from aftermind.engine.events import Event, MemoryCorrected, MemoryLocked, Unknown
from aftermind.engine.log import Log, follow
from aftermind.engine.names import START, EventId, MemoryId, Position, Scope, StreamName, Version
from tests.given import NOON, append, draft

OpenLog = Callable[[], AbstractAsyncContextManager[Log]]
EVENT = MemoryLocked(memory=MemoryId("m1"))


def said(text: str) -> Event:
    return MemoryCorrected(memory=MemoryId("m1"), scope=Scope("global"), text=text)


async def history(log: Log) -> list[tuple[int, str, int, str]]:
    return [(r.position, r.stream, r.version, r.draft.id) for r in await log.after(START, limit=10_000)]


class LogContract:
    pytestmark = pytest.mark.anyio

    async def test_versions_count_from_one_in_each_stream_and_positions_only_grow(self, log: OpenLog) -> None:
        async with log() as opened:
            await opened.append(append("a", draft("1", EVENT), draft("2", EVENT)))
            await opened.append(append("b", draft("3", EVENT)))
            await opened.append(append("a", draft("4", EVENT)))
        async with log() as opened:
            found = await history(opened)
        assert [row[1:] for row in found] == [("a", 1, "1"), ("a", 2, "2"), ("b", 1, "3"), ("a", 3, "4")]
        assert [row[0] for row in found] == sorted({row[0] for row in found})

    async def test_an_append_returns_the_position_of_its_last_event_which_is_the_head(self, log: OpenLog) -> None:
        async with log() as opened:
            assert opened.head.position == START
            position = await opened.append(append("a", draft("1", EVENT)), append("b", draft("2", EVENT)))
            assert opened.head.position == position
        async with log() as opened:
            assert opened.head.position == position
            assert (await opened.after(START, limit=9))[-1].position == position

    async def test_what_comes_back_is_what_was_drafted(self, log: OpenLog) -> None:
        written = draft("2", said("text"), at=NOON + timedelta(microseconds=1), because="1")
        async with log() as opened:
            await opened.append(append("a", written))
        async with log() as opened:
            assert [r.draft for r in await opened.stream(StreamName("a"))] == [written]

    async def test_a_moment_of_another_time_zone_stays_the_same_moment(self, log: OpenLog) -> None:
        at = NOON.astimezone(timezone(timedelta(hours=-9, minutes=-30)))
        async with log() as opened:
            await opened.append(append("a", draft("1", EVENT, at=at)))
        async with log() as opened:
            assert (await opened.stream(StreamName("a")))[0].draft.at == NOON

    async def test_an_expected_version_that_is_met_lets_the_append_through(self, log: OpenLog) -> None:
        async with log() as opened:
            await opened.append(append("a", draft("1", EVENT), expected=0))
        async with log() as opened:
            await opened.append(append("a", draft("2", EVENT), expected=1))
            assert len(await history(opened)) == 2

    async def test_a_stream_that_moved_refuses_with_both_versions_and_writes_nothing(self, log: OpenLog) -> None:
        async with log() as opened:
            await opened.append(append("a", draft("1", EVENT), draft("2", EVENT)))
        async with log() as opened:
            before, head = await history(opened), opened.head.position
            with pytest.raises(StreamMoved) as moved:
                await opened.append(append("a", draft("3", EVENT), expected=1))
            assert (moved.value.stream, moved.value.expected, moved.value.found) == ("a", 1, 2)
            assert (await history(opened), opened.head.position) == (before, head)

    async def test_without_an_expectation_any_version_will_do(self, log: OpenLog) -> None:
        async with log() as opened:
            for id in "123":
                await opened.append(append("a", draft(id, EVENT)))
            assert [r.version for r in await opened.stream(StreamName("a"))] == [1, 2, 3]

    async def test_a_repeated_append_returns_its_old_position_and_writes_nothing(self, log: OpenLog) -> None:
        twice = (append("a", draft("1", EVENT), draft("2", EVENT), expected=0),)
        async with log() as opened:
            old = await opened.append(*twice)
            await opened.append(append("a", draft("3", EVENT)))
        async with log() as opened:
            before = await history(opened)
            assert await opened.append(*twice) == old
            assert await history(opened) == before

    async def test_a_half_repeated_append_raises_and_writes_nothing(self, log: OpenLog) -> None:
        async with log() as opened:
            await opened.append(append("a", draft("1", EVENT)))
        async with log() as opened:
            before, head = await history(opened), opened.head.position
            with pytest.raises(HalfRepeated) as half:
                await opened.append(append("b", draft("2", EVENT)), append("a", draft("1", EVENT)))
            assert (half.value.known, half.value.missing) == ("1", "2")
            assert (await history(opened), opened.head.position) == (before, head)
            await opened.append(append("a", draft("3", EVENT), expected=1), append("b", draft("4", EVENT), expected=0))

    async def test_an_append_to_several_streams_is_kept_whole(self, log: OpenLog) -> None:
        async with log() as opened:
            one, two, three = (draft(id, EVENT) for id in "123")
            await opened.append(append("a", one), append("b", two), append("a", three))
        async with log() as opened:
            assert [row[1:] for row in await history(opened)] == [("a", 1, "1"), ("b", 1, "2"), ("a", 2, "3")]

    async def test_one_moved_stream_stops_the_append_to_all_streams(self, log: OpenLog) -> None:
        async with log() as opened:
            await opened.append(append("b", draft("1", EVENT)))
            with pytest.raises(StreamMoved):
                await opened.append(
                    append("a", draft("2", EVENT), expected=0), append("b", draft("3", EVENT), expected=0)
                )
        async with log() as opened:
            assert [row[3] for row in await history(opened)] == ["1"]
            assert await opened.stream(StreamName("a")) == []

    @pytest.mark.parametrize(
        "appends", [(), (append("a"),), (append("a", draft("1", EVENT)), append("b", draft("1", EVENT)))]
    )
    async def test_nothing_to_append_and_one_id_twice_are_unusable(self, log: OpenLog, appends: tuple) -> None:
        async with log() as opened:
            with pytest.raises(Unusable):
                await opened.append(*appends)
            assert await history(opened) == []

    @pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
    async def test_pages_of_any_size_leave_nothing_out(self, log: OpenLog, limit: int) -> None:
        async with log() as opened:
            await opened.append(append("a", *(draft(str(n), EVENT) for n in range(7))))
        async with log() as opened:
            found, position = [], START
            while page := await opened.after(position, limit=limit):
                assert len(page) <= limit
                found += [r.draft.id for r in page]
                position = page[-1].position
            assert found == [str(n) for n in range(7)]

    async def test_after_the_head_there_is_nothing(self, log: OpenLog) -> None:
        async with log() as opened:
            head = await opened.append(append("a", draft("1", EVENT)))
            assert await opened.after(head, limit=5) == []
            assert await opened.after(Position(head + 100), limit=5) == []

    async def test_a_follower_sees_each_event_once_in_order_while_twenty_append(self, log: OpenLog) -> None:
        seen: list[int] = []
        async with log() as opened, anyio.create_task_group() as tasks:

            async def appender(name: int) -> None:
                for n in range(10):
                    await opened.append(append(f"s{name % 3}", draft(f"{name}-{n}", EVENT)))
                    await anyio.lowlevel.checkpoint()

            async def follower() -> None:
                async for batch in follow(opened, START, batch=7):
                    seen.extend(r.position for r in batch)
                    if len(seen) >= 200:
                        tasks.cancel_scope.cancel()

            tasks.start_soon(follower)
            for name in range(20):
                tasks.start_soon(appender, name)
        async with log() as opened:
            assert seen == [row[0] for row in await history(opened)]
            assert len(seen) == 200

    async def test_an_event_is_found_by_its_id_and_another_is_not(self, log: OpenLog) -> None:
        async with log() as opened:
            await opened.append(append("a", draft("1", EVENT)), append("b", draft("2", said("x"))))
        async with log() as opened:
            found = await opened.find(EventId("2"))
            assert found is not None
            assert (found.stream, found.version, found.draft.event) == ("b", 1, said("x"))
            assert await opened.find(EventId("3")) is None

    async def test_a_stream_is_read_whole_or_from_a_version_on(self, log: OpenLog) -> None:
        async with log() as opened:
            await opened.append(append("a", draft("1", EVENT), draft("2", EVENT)), append("b", draft("3", EVENT)))
            await opened.append(append("a", draft("4", EVENT)))
        async with log() as opened:
            found = [[r.draft.id for r in await opened.stream(StreamName("a"), Version(n))] for n in range(5)]
        assert found == [["1", "2", "4"], ["1", "2", "4"], ["2", "4"], ["4"], []]

    async def test_secrets_come_back_masked(self, log: OpenLog) -> None:
        token = "ghp_" + "a1B2" * 9
        async with log() as opened:
            await opened.append(append("a", draft("1", said(f"use {token} here"))))
        async with log() as opened:
            assert (await opened.stream(StreamName("a")))[0].draft.event == said(
                "use [masked github-token, 40 characters] here"
            )

    async def test_a_form_of_a_newer_program_is_kept_byte_for_byte(self, log: OpenLog) -> None:
        dreamt = Unknown(tag="memory-dreamt", raw=Raw(b'{ "type":"memory-dreamt",\t"depth" : 3.0 }'))
        async with log() as opened:
            await opened.append(append("a", draft("1", dreamt)))
        async with log() as opened:
            found = (await opened.stream(StreamName("a")))[0].draft.event
            assert isinstance(found, Unknown)
            assert (found.tag, bytes(found.raw)) == (dreamt.tag, bytes(dreamt.raw))

    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            ("a\x00b", "a�b"),
            ("a\ud800b", "a���b"),
            ("漢字", "漢字"),
            ("👩‍💻", "👩‍💻"),
            ("שלום", "שלום"),
            ('"\\\n\u2028', '"\\\n\u2028'),
        ],
    )
    async def test_any_text_comes_back_storable(self, log: OpenLog, text: str, kept: str) -> None:
        async with log() as opened:
            await opened.append(append("a", draft("1", said(text))))
        async with log() as opened:
            assert (await opened.stream(StreamName("a")))[0].draft.event == said(kept)

    async def test_of_appenders_with_the_same_expectation_exactly_one_wins(self, log: OpenLog) -> None:
        outcomes: list[str] = []

        async def appender(opened: Log, id: str) -> None:
            try:
                await opened.append(append("a", draft(id, EVENT), expected=0))
                outcomes.append("won")
            except StreamMoved as moved:
                outcomes.append(f"found {moved.found} for {moved.expected}")

        async with log() as opened, anyio.create_task_group() as tasks:
            for n in range(20):
                tasks.start_soon(appender, opened, str(n))
        assert sorted(outcomes) == ["found 1 for 0"] * 19 + ["won"]
        async with log() as opened:
            assert [row[1:3] for row in await history(opened)] == [("a", 1)]

    @pytest.mark.parametrize("patience", [0, 1, 2, 5])
    async def test_appenders_that_give_up_neither_block_nor_harm_the_others(self, log: OpenLog, patience: int) -> None:
        acknowledged: set[str] = set()

        async def appender(opened: Log, id: str) -> None:
            await opened.append(append("a", draft(id, EVENT)))
            acknowledged.add(id)

        async with log() as opened:
            with anyio.fail_after(20):
                async with anyio.create_task_group() as staying, anyio.create_task_group() as leaving:
                    for n in range(10):
                        leaving.start_soon(appender, opened, f"leaving-{n}")
                        staying.start_soon(appender, opened, f"staying-{n}")
                    for _ in range(patience):
                        await anyio.lowlevel.checkpoint()
                    leaving.cancel_scope.cancel()
                await appender(opened, "afterwards")
        assert {"afterwards", *(f"staying-{n}" for n in range(10))} <= acknowledged
        async with log() as opened:
            found = await history(opened)
            assert acknowledged <= {row[3] for row in found}
            assert [row[2] for row in found] == list(range(1, len(found) + 1))

    async def test_who_waits_for_the_head_is_woken_by_an_append(self, log: OpenLog) -> None:
        async with log() as opened, anyio.create_task_group() as tasks:
            tasks.start_soon(opened.append, append("a", draft("1", EVENT)))
            with anyio.fail_after(10):
                assert await opened.head.beyond(START) == 1
