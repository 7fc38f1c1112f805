"""What the commands and the tools tell of what was learned, and of what is shown in short."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.desks import case, put

import aftermind
from aftermind.cli.language.answers import Remembered
from aftermind.cli.offering.shown import COMPACT, FULL, WHOLE, hit, shown
from aftermind.sidecar.ports import Findings, Learned

pytestmark = pytest.mark.anyio
LONG = "First the zebra gate is opened, " + "and then the next one " * 30 + "near the xylophone."


@pytest.fixture
async def taught(tmp_path):
    """A store in which something was learned, replaced and shortened: its folder, and the ids."""
    home = tmp_path / "store"
    async with aftermind.open_memory(home) as memory:
        old = await memory.remember("The zebra port is 5432")
        exchange = await memory.record("the zebra port?", LONG, session="s")
        await memory.end_session("s")
        seen = await case(memory)
        things = (Learned(text="The zebra port is now 6432", kind="fact", evidence="now 6432"),)
        assert await put(memory, seen, Findings(outcome="worked", learned=things, summary="Open the gate: 6432."))
        (new,) = await memory.latest(collections=["memory_bank"])
        return str(home), old, new.id, exchange.memory


async def run(capsys, *arguments: str) -> str:
    from anyio import to_thread

    from aftermind.cli.main import main

    assert await to_thread.run_sync(main, list(arguments)) == 0
    return capsys.readouterr().out


async def test_why_tells_what_it_replaced_and_where_it_was_learned(taught, capsys):
    home, old, new, exchange = taught
    told = await run(capsys, "--home", home, "why", new)
    assert f"replaced: {old} (superseded)  The zebra port is 5432" in told
    assert "recorded as fact in memory_bank by model: The zebra port is now 6432 (on the words “now 6432”)" in told
    assert f"replaced by: {new}  The zebra port is now 6432" in await run(capsys, "--home", home, "why", old)
    told = await run(capsys, "--home", home, "why", exchange)
    assert f"learned there: {new}  The zebra port is now 6432" in told
    assert "in short: Open the gate: 6432." in told


async def test_a_list_shows_it_in_short_and_show_all_of_it(taught, capsys):
    home, _, _, exchange = taught
    told = await run(capsys, "--home", home, "search", "xylophone")
    assert "(in short) Open the gate: 6432." in told
    assert "next one" not in told
    told = await run(capsys, "--home", home, "show", exchange)
    assert "in short:\nOpen the gate: 6432.\n" in told
    assert LONG in told


async def test_a_wrong_wording_is_taken_back_and_what_was_shown_is_told_as_it_was(taught, capsys):
    home, _, _, exchange = taught
    async with aftermind.open_memory(home) as memory:
        await memory.context("where is the xylophone?", session="t")
    told = await run(capsys, "--home", home, "summarize", "--undo", exchange)
    assert told == f"{exchange} is shown as it is again.\n"
    assert "has no shorter wording" in await run(capsys, "--home", home, "summarize", "--undo", exchange)
    assert "its shorter wording was taken back" in await run(capsys, "--home", home, "why", exchange)
    assert "(in short)" not in await run(capsys, "--home", home, "search", "xylophone")
    assert "(in short) Open the gate: 6432." in await run(capsys, "--home", home, "status", "--last", "--all")
    async with aftermind.open_memory(home) as memory:
        assert "Open the gate" not in (await memory.context("where is the xylophone?", session="u")).text
    assert "(in short)" not in await run(capsys, "--home", home, "status", "--last", "1", "--all")


async def test_what_goes_with_another_is_forgotten_with_it(taught, capsys):
    home, _, new, exchange = taught
    told = await run(capsys, "--home", home, "forget", "--yes", exchange, new)
    assert f"Forgot {', '.join(sorted((exchange, new)))}: " in told or f"Forgot {exchange}, {new}: " in told
    async with aftermind.open_memory(home) as memory:
        assert await memory.recall("zebra port", history=True) != ()
        assert {one.text for one in await memory.latest(history=True)} == {"The zebra port is 5432"}


async def test_a_tool_shows_a_long_memory_in_short_unless_it_is_asked_for_by_its_id(taught):
    home, _, new, exchange = taught
    async with aftermind.open_memory(home) as memory:
        long, now = await memory.show(exchange), datetime.now(UTC)
        assert isinstance(long, Remembered)
        for most in (COMPACT, FULL):
            seen = shown(long, now, most)
            assert (seen.text, seen.answer, seen.cut) == ("Open the gate: 6432.", "", True)
        assert shown(long, now, WHOLE).answer == LONG
        assert not shown(await memory.show(new), now, FULL).cut


async def test_a_tool_is_told_what_speaks_against_a_memory(tmp_path):
    async with aftermind.open_memory(tmp_path / "store") as memory:
        old = await memory.remember("The zebra port is 5432")
        await memory.lock(old)
        await memory.record("the zebra port?", "6432", session="s")
        await memory.end_session("s")
        seen = await case(memory)
        things = (Learned(text="The zebra port is 6432", kind="fact"),)
        assert await put(memory, seen, Findings(outcome="worked", learned=things))
        found = await memory.recall("zebra port", collections=["memory_bank"])
        told = {one.id: hit(one, datetime.now(UTC), FULL).against for one in found}
        (new,) = set(told) - {old}
        assert told == {old: f"contradicts {new}", new: f"contradicts {old}"}


async def test_what_goes_along_with_what_was_named_is_not_said_to_be_made_of_it(taught, capsys):
    """What is learned goes with its exchange; and an exchange with what says its words."""
    home, _, new, exchange = taught
    told = await run(capsys, "forget", exchange, "--dry-run", "--home", home)
    assert f"with {exchange}: {new}" in told
    assert "2 memories, 1 of them along with what was named." in told
