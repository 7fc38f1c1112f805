"""OpenCode's database as it grows: each exchange once, and none that the plugin may still tell of itself."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import pytest
from tests.opencode_database import OpenCode, tool

import aftermind
from aftermind.cli.importing.exchange import Imported
from aftermind.cli.importing.following import SETTLED, Following
from aftermind.cli.language.requests import Deliver
from aftermind.cli.reaching.joining import Joined
from aftermind.engine.events import ExchangeRecorded

STEP = {"status": "completed", "input": {"filePath": "a.py"}}


@pytest.fixture
def opencode(place: Path) -> Iterator[OpenCode]:
    made = OpenCode(place / "opencode.db")
    made.db.execute("ALTER TABLE session ADD COLUMN time_updated INTEGER NOT NULL DEFAULT 0")
    made.session("ses_1", place)
    went_on(made)
    yield made
    made.db.close()


def went_on(opencode: OpenCode, session: str = "ses_1") -> None:
    opencode.db.execute("UPDATE session SET time_updated = ? WHERE id = ?", (opencode.clock, session))
    opencode.db.commit()


def at(opencode: OpenCode, since: timedelta = SETTLED) -> datetime:
    """The time, so long after the last thing said, and a little."""
    return datetime.fromtimestamp(opencode.clock / 1000, UTC) + since + timedelta(seconds=1)


def ids(following: Following, now: datetime) -> list[str]:
    return [item.id for item in following.fresh(now) if isinstance(item, Imported)]


def test_what_is_settled_is_given_once(opencode):
    following = Following(opencode.path)
    opencode.turn("ses_1", "one", "how?", "so")
    assert ids(following, at(opencode, -SETTLED)) == []  # the plugin may be telling of it just now
    assert ids(following, at(opencode)) == ["one"]
    assert ids(following, at(opencode)) == []
    opencode.turn("ses_1", "two", "and then?", "that")
    went_on(opencode)
    assert ids(following, at(opencode)) == ["two"]
    assert ids(Following(opencode.path), at(opencode)) == ["one", "two"]


def test_a_turn_that_goes_on_is_left_until_it_is_over(opencode):
    following = Following(opencode.path)
    opencode.message("ses_1", "one", {"role": "user"}, "fix it")
    opencode.answer("ses_1", "one-a", "one", "Looking.", tool("read", STEP), finish="tool-calls")
    assert ids(following, at(opencode, timedelta(hours=1))) == []
    opencode.answer("ses_1", "one-b", "one", "Fixed.", finish="stop")
    (item,) = following.fresh(at(opencode))
    assert item.answer == "Looking.\nFixed."


def test_what_answers_after_a_compaction_belongs_to_the_prompt_before_it(opencode):
    opencode.message("ses_1", "one", {"role": "user"}, "fix it")
    opencode.answer("ses_1", "one-a", "one", "Looking.", tool("read", STEP), finish="tool-calls")
    opencode.message("ses_1", "sum", {"role": "user"}, {"type": "compaction", "auto": True})
    opencode.answer("ses_1", "sum-a", "sum", "all we did", summary=True)
    opencode.message("ses_1", "on", {"role": "user"}, {"type": "text", "text": "Continue", "synthetic": True})
    opencode.answer("ses_1", "on-a", "on", "Fixed.", finish="stop")
    (item,) = Following(opencode.path).fresh(at(opencode))
    assert (item.id, item.answer, len(item.tools)) == ("one", "Looking.\nFixed.", 1)


def test_old_sessions_are_not_read_again(opencode, place):
    following = Following(opencode.path)
    opencode.turn("ses_1", "old", "how?", "so")
    assert ids(following, at(opencode)) == ["old"]
    opencode.clock += 3 * 24 * 3600 * 1000
    opencode.session("ses_2", place)
    opencode.turn("ses_2", "new", "and now?", "that")
    went_on(opencode, "ses_2")
    assert ids(following, at(opencode)) == ["new"]
    opencode.turn("ses_1", "silent", "it says of itself that it did not go on", "so it is not read")
    assert ids(following, at(opencode)) == []


def test_a_database_that_cannot_be_read_for_a_while_is_read_when_it_can(opencode):
    following = Following(opencode.path)
    opencode.turn("ses_1", "one", "how?", "so")
    opencode.db.execute("ALTER TABLE part RENAME TO part_")
    opencode.db.commit()
    with pytest.raises(aftermind.engine.errors.Unusable):
        ids(following, at(opencode))
    opencode.db.execute("ALTER TABLE part_ RENAME TO part")
    opencode.db.commit()
    assert ids(following, at(opencode)) == ["one"]


def test_the_command_takes_in_what_the_plugin_missed_and_ends_with_an_interrupt(opencode, store, env):
    plugin = {
        "session": "ses_1",
        "messages": [message("one", "user", "how?"), message("onea", "assistant", "so", "one")],
    }
    opencode.turn("ses_1", "one", "how?", "so")
    opencode.turn("ses_1", "two", "and then?", "that")
    deliver(store, plugin, str(opencode.path.parent))
    words = [sys.executable, "-m", "aftermind", "import", str(opencode.path), "--follow"]
    at_once = {**env, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(words, env=at_once, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert b"Imported 1 new exchange" in process.stdout.readline()
            assert prompts(store) == ["how?", "and then?"]
            opencode.turn("ses_1", "three", "and at last?", "this")
            went_on(opencode)
            assert b"Imported 1 new exchange" in process.stdout.readline()
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 130
        finally:
            process.kill()
    assert prompts(store) == ["how?", "and then?", "and at last?"]


def test_a_database_that_is_not_there_is_told_with_the_command_that_names_another(cli, place, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(place / "none"))
    refused = cli("import", "opencode", "--follow")
    assert refused.status == 2
    assert "`aftermind import opencode PATH` names where it is" in refused.err


def message(id: str, role: str, text: str, parent: str = "") -> dict[str, object]:
    info = {"id": id, "role": role, "parentID": parent, "time": {"created": 1, "completed": 2}}
    return {"info": info, "parts": [{"type": "text", "text": text}]}


def deliver(store: Path, payload: object, directory: str) -> None:
    import msgspec

    from aftermind.cli.reaching.starting import started

    async def run() -> None:
        joined = Joined(store, await started(store, 30))
        asked = Deliver(client="opencode", event="turn", payload=msgspec.json.encode(payload), directory=directory)
        await joined.ask(asked)
        await joined.close()

    anyio.run(run)


def prompts(store: Path) -> list[str]:
    async def run() -> list[str]:
        async with aftermind.open_memory(store) as memory:
            events = [one.draft.event for one in await memory.events(limit=1000)]
        return [event.prompt for event in events if isinstance(event, ExchangeRecorded)]

    return anyio.run(run)
