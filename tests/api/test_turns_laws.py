"""The end of a turn reads a part of its session, and says what it would say of all of it: whatever was told before,
late, twice, without a name or elsewhere, and whatever was forgotten since."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import aftermind
from aftermind.cli.language.requests import Brief, EndTurn, NoteTool
from aftermind.engine.errors import AftermindError
from aftermind.engine.events import ExchangeRecorded, ToolUse
from aftermind.engine.log import Recorded
from aftermind.engine.logs.sqlite_log import SqliteLogReader
from aftermind.engine.names import FIRST, EventId, StreamName, Version
from aftermind.engine.stamp import Stamp
from tests.given import NOON, ON_DISK

pytestmark = pytest.mark.anyio
Piece = tuple[str, str | None, str, str, int]
"""What is told, the client's id of its turn, its words, its project, and how many minutes ago that was said."""
WORDS = ("who repaints it?", "and the port?", "use ghp_" + "a1B2" * 9)
_turn = st.sampled_from([None, None, "1", "2", "3"])
_where = st.sampled_from(["shop", "shop", "shop", "zoo"])
_ago = st.sampled_from([0, 0, 0, 0, 1, 3, 10])
pieces = st.lists(
    st.one_of(
        st.tuples(st.just("prompt"), _turn, st.sampled_from(WORDS), _where, _ago),
        st.tuples(st.just("tool"), _turn, st.sampled_from(["a", "b", "c", "d"]), _where, _ago),
        st.tuples(st.just("end"), _turn, st.sampled_from(["", "", *WORDS, "never told"]), _where, _ago),
        st.tuples(st.just("once"), st.none(), st.sampled_from(["", *WORDS]), _where, _ago),
        st.tuples(st.just("forget"), st.none(), st.sampled_from(["0", "1", "2"]), st.just("shop"), st.just(0)),
        st.tuples(st.just("wait"), st.none(), st.just(""), st.just("shop"), st.sampled_from([1, 2, 7, -2, -1440])),
    ),
    max_size=22,
)


FORGET: Piece = ("forget", None, "0", "shop", 0)


def prompt(turn: str | None = None, words: str = WORDS[0], project: str = "shop", ago: int = 0) -> Piece:
    return ("prompt", turn, words, project, ago)


def tool(turn: str | None = None, words: str = "a") -> Piece:
    return ("tool", turn, words, "shop", 0)


def end(turn: str | None = None, words: str = "", project: str = "shop") -> Piece:
    return ("end", turn, words, project, 0)


def request_of(piece: Piece, number: int) -> Any:
    what, turn, words, project, _ = piece
    if what == "prompt":
        return Brief(session="s", prompt=words, message=turn, project=project)
    if what == "tool":
        tool = ToolUse(name="Edit", paths=(f"{words}.py",))
        return NoteTool(session="s", tool=tool, message=turn, project=project, call=f"{words} {turn}")
    answer = f"answer {number % 5}"
    return EndTurn(session="s", answer=answer, prompt=words, message=turn, project=project, once=what == "once")


async def told(pieces: Sequence[Piece]) -> list[tuple[Any, ...]]:
    """Everything that is in the log afterwards, and what was refused."""
    now, refused = [NOON], []
    with TemporaryDirectory() as name:
        stamp = Stamp(now=lambda: now[0], random=Random(0).randbytes)
        async with aftermind.open_memory(Path(name) / "store", stamp=stamp) as memory:
            held: Any = memory.ask.__self__  # type: ignore[attr-defined]
            for number, piece in enumerate(pieces):
                now[0] += timedelta(seconds=5)
                what, _, words, _, minutes = piece
                if what == "wait":
                    now[0] += timedelta(minutes=minutes)
                    continue
                if what == "forget":
                    events = (one.draft.event for one in await memory.events(limit=10_000))
                    born = [one.memory for one in events if isinstance(one, ExchangeRecorded)]
                    if int(words) < len(born):
                        await memory.forget(born[-1 - int(words)])
                    continue
                at = now[0] - timedelta(minutes=minutes)
                try:
                    await held.answer(request_of(piece, number), key_of(number, at), at if minutes else None)
                except AftermindError as error:
                    refused.append((number, str(error)))
            events = await memory.events(limit=10_000)
    return [*refused, *((one.stream, one.draft.id, one.draft.at, one.draft.because, one.draft.event) for one in events)]


def key_of(number: int, at: datetime) -> EventId:
    return EventId(f"{int(at.timestamp() * 1000):012x}{number:020x}")


async def _whole(self: SqliteLogReader, stream: StreamName, since: Version = FIRST) -> Sequence[Recorded]:
    return await self._read("WHERE stream = ? ORDER BY version", stream)


@settings(ON_DISK, max_examples=40)
@given(pieces)
@example([tool(), prompt(ago=3), end()])
@example([tool("1"), prompt("2"), prompt("1", WORDS[1], ago=3), end("1")])
@example([prompt("2"), prompt("1", WORDS[1], ago=3), tool(), end("1")])
@example([prompt(), *[prompt(words=WORDS[1])] * 10, tool(), end(words=WORDS[0])])
@example([prompt(project="zoo"), prompt(words=WORDS[1]), end(project="zoo")])
@example([prompt(), prompt(words=WORDS[1]), end(), FORGET, end("3")])
@example([prompt("1"), end("1"), FORGET, prompt("2", WORDS[1]), end("1", project="zoo"), end("2")])
async def test_a_part_of_the_session_says_of_a_turn_what_all_of_it_says(pieces: list[Piece]) -> None:
    fast = await told(pieces)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(SqliteLogReader, "stream", _whole)
        slow = await told(pieces)
    assert fast == slow
