"""A turn that OpenCode's plugin tells of while its prompt waits in the spool: no verdict reads another's prompt."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.given import given_appends
from tests.spooling import drained, put
from tests.telling import Told, opened
from tests.wired import new_key, raw, until

from aftermind.cli.language.erasing import ForgetAll, Selection
from aftermind.cli.language.requests import Deliver
from aftermind.cli.language.wire import Call, framed
from aftermind.engine.errors import Refused
from aftermind.engine.events import ExchangeRecorded, PromptReceived
from aftermind.engine.log import Append
from aftermind.engine.store import spool

pytestmark = pytest.mark.anyio
SAID = ("how do i start it?", "and how do i stop it?", "still does not stop")


@pytest.fixture
async def told(tmp_path: Path) -> AsyncIterator[Told]:
    async with opened(tmp_path / "store") as found:
        yield found


def prompt(number: int) -> Deliver:
    return _deliver("prompt", {"message": f"msg_{number}", "prompt": SAID[number]})


def turn(number: int, begun: int = 1) -> Deliver:
    asked = {
        "info": {"id": f"msg_{number}", "role": "user", "time": {"created": begun}},
        "parts": [_text(SAID[number])],
    }
    info = {"id": f"msg_{number}a", "role": "assistant", "parentID": f"msg_{number}"}
    answer = {"info": {**info, "time": {"created": 1, "completed": 2}}, "parts": [_text(f"Run step {number}.")]}
    return _deliver("turn", {"messages": [asked, answer]})


async def test_a_turn_waits_for_its_prompt_where_that_may_be_in_the_spool(told: Told, tmp_path: Path) -> None:
    """The daemon was away when the second prompt was said, and is asked a third before the second's turn is told."""
    async with raw(told.memory.folder) as client:
        await client.ask(prompt(0))
        await client.ask(turn(0))
        half = told.memory.folder / "spool" / f"{new_key()}.part"
        half.parent.mkdir(exist_ok=True)
        half.write_bytes(framed(Call(key=new_key(), request=prompt(1)))[4:])
        stuck = told.memory.folder / "spool" / f"{new_key()}.json"
        stuck.symlink_to("nowhere")  # which nobody reads or removes
        await client.ask(prompt(2))
        with pytest.raises(Refused, match="its prompt may still be in the spool"):
            await client.ask(turn(1))
        stuck.unlink()
        half.rename(half.with_suffix(".json"))
        await until(lambda: not spool.spooled(told.memory.folder).waiting, "the prompt is drained")
        await client.ask(turn(1))
        await client.ask(turn(1))
        await client.ask(turn(2))
    assert await said_next(told, tmp_path) == {SAID[0]: SAID[1], SAID[1]: SAID[2], SAID[2]: None}


async def test_a_turn_whose_prompt_nobody_told_waits_for_nothing(told: Told, tmp_path: Path) -> None:
    async with raw(told.memory.folder) as client:
        await client.ask(turn(0))
    assert await said_next(told, tmp_path) == {SAID[0]: None}


async def test_what_answers_a_prompt_of_a_pause_is_not_recorded_by_a_daemon_that_came_after_it(tmp_path: Path) -> None:
    async with opened(tmp_path / "store") as told:
        await told.memory.pause(None)
        await anyio.sleep(0.01)  # the client counts in milliseconds
        begun = int(time.time() * 1000)
        async with raw(told.memory.folder) as client:
            await client.ask(prompt(0))
        await told.memory.resume(None)
    async with opened(tmp_path / "store") as told:
        async with raw(told.memory.folder) as client:
            await client.ask(turn(0, begun))
        assert await told.events(ExchangeRecorded) == []


@pytest.mark.parametrize("by", ["the client", "the spool"])
async def test_a_prompt_that_is_forgotten_before_its_turn_ends_does_not_come_back_with_that(
    told: Told, by: str
) -> None:
    async with raw(told.memory.folder) as client:
        await client.ask(prompt(0))
        said = [one.draft.id for one in await told.memory.events() if isinstance(one.draft.event, PromptReceived)]
        await told.memory.ask(ForgetAll(selection=Selection(events=tuple(said))))
        if by == "the client":
            await client.ask(turn(0))
        else:
            put(told.memory.folder, turn(0))
            await drained(told.memory.folder)
    assert await told.events(ExchangeRecorded) == []


async def said_next(told: Told, folder: Path) -> dict[str, str | None]:
    """Of each exchange's prompt, what was said next."""
    known = await told.memory.events()
    events = {one.draft.id: one.draft.event for one in known}
    texts = {id: one.text for id, one in events.items() if isinstance(one, PromptReceived)}
    asked = {id: one.prompt for id, one in events.items() if isinstance(one, ExchangeRecorded)}
    appends = [Append(stream=one.stream, drafts=(one.draft,)) for one in known]
    async with given_appends(folder, *appends) as views:
        rows = await views.rows("SELECT exchange, follow_up FROM worklist")
    return {asked[exchange]: (asked | texts).get(after) for exchange, after in rows}


def _deliver(event: str, said: dict[str, Any]) -> Deliver:
    payload = json.dumps({"session": "ses_1", **said}).encode()
    return Deliver(client="opencode", event=event, payload=payload, directory="/nowhere")


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}
