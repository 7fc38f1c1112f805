"""Memory in a real OpenCode: what one session taught is known in the next, and no turn notices.

`aftermind init` installs it, as a user does. The model is scripted, and there is no network but loopback: OpenCode's
registry is the scripted model too, which would tell that it was asked.
"""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest

import aftermind
from aftermind.engine.events import CheckpointWritten, ContextInjected, ExchangeRecorded, PromptReceived
from tests.daemons import holding, none_left, wait_until
from tests.e2e.conftest import run
from tests.e2e.real_opencode import OpenCode, Served
from tests.e2e.scripted_model import ScriptedModel, texts

pytestmark = pytest.mark.timeout(300)
T = TypeVar("T")
TAUGHT = "Remember: the billing service listens on port 7443 in staging. [say Noted: port 7443.]"
ASKED = "Which port has the billing service in staging?"
FENCE = "<aftermind-memory>"


class World:
    """One user's machine: their OpenCode, their store, and the model."""

    def __init__(self, folder: Path, model: ScriptedModel) -> None:
        self.model, self.store = model, folder / "store"
        self.opencode = OpenCode(folder, model)
        self.env = {**self.opencode.env, "AFTERMIND_HOME": str(self.store)}

    def aftermind(self, *words: str) -> str:
        return run([sys.executable, "-m", "aftermind", *words], cwd=self.opencode.project, env=self.env).stdout

    def told(self, form: type[T], session: str | None = None) -> list[T]:
        """The events of a form, in their order; what waits in the spool goes in first."""

        async def read() -> list[Any]:
            async with aftermind.open_memory(self.store) as memory:
                return [one.draft.event for one in await memory.events(limit=10_000)]

        found = [event for event in anyio.run(read) if isinstance(event, form)]
        return [event for event in found if session is None or getattr(event, "session", None) == session]

    def exchanges(self, session: str, count: int) -> list[ExchangeRecorded]:
        """Those of a session, when there are so many."""
        wait_until(lambda: len(self.told(ExchangeRecorded, session)) >= count, f"{count} exchanges are there")
        return self.told(ExchangeRecorded, session)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with ScriptedModel().serving() as model:
        made = World(tmp_path_factory.mktemp("opencode"), model)
        made.opencode.configure()
        with none_left(made.store):
            yield made


@pytest.fixture(scope="module")
def before(world: World) -> bytes:
    """What the user's configuration was. With ours in it, and patience: other tests may keep this machine busy."""
    config = world.opencode.config / "opencode.jsonc"
    content = config.read_bytes()
    world.aftermind("init", "--opencode", "--no-input")
    installed, plugin = config.read_text(), f'"{(world.store / "bin" / "opencode.js").as_uri()}"'
    assert installed.count(plugin) == 1
    config.write_text(installed.replace(plugin, f'[{plugin}, {{ "milliseconds": 5000 }}]'))
    return content


@pytest.fixture(scope="module")
def taught(world: World, before: bytes) -> ExchangeRecorded:
    """What session one said."""
    world.opencode.run(TAUGHT)
    (exchange,) = world.told(ExchangeRecorded)
    return exchange


@pytest.fixture(scope="module")
def served(world: World, before: bytes) -> Iterator[Served]:
    with world.opencode.serving() as server:
        yield server


def test_what_one_session_taught_is_in_the_next_ones_request(world: World, taught: ExchangeRecorded) -> None:
    assert (taught.prompt.strip(), taught.answer.strip()) == (TAUGHT, "Noted: port 7443.")
    world.opencode.run(ASKED)
    started, shown = sorted(world.told(ContextInjected), key=lambda one: one.query)  # for the session, for its prompt
    said = "\n".join(texts(world.model.turns()[-1]))
    assert said.index(FENCE) < said.index("7443") < said.rindex(FENCE) < said.index(ASKED)
    (asked,) = [one for one in world.told(ExchangeRecorded) if one != taught]
    assert asked.prompt.strip() == ASKED  # the briefing is none of it
    assert (started.query, shown.query.strip()) == ("", ASKED)
    assert len(asked.injections) == 2
    assert started.session == shown.session == asked.session != taught.session
    # nothing of a briefing is kept by OpenCode, and none goes to whoever makes the title
    assert FENCE.encode() not in kept(world.opencode.database)
    assert not any(FENCE in str(request) for request in world.model.requests if not request.get("tools"))
    assert world.model.strays == []  # nobody asked a registry for anything


def kept(database: Path) -> bytes:
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return "\n".join(row[0] for row in connection.execute("SELECT data FROM part")).encode()


def test_a_call_of_search_memory_answers(world: World, taught: ExchangeRecorded, served: Served) -> None:
    session = served.session()
    served.say(session, 'Look it up [call search_memory {"query": "billing service port in staging"}] first')
    (answer,) = texts(world.model.turns()[-1], "tool")
    assert "7443" in answer
    (exchange,) = world.exchanges(session, 1)
    assert [(tool.name, tool.ok) for tool in exchange.tools] == [("aftermind_search_memory", True)]
    looked_up = [one.query for one in world.told(ContextInjected, session)]
    assert looked_up.count("billing service port in staging") == 1  # and it is credited with what it led to
    assert len(exchange.injections) == len(looked_up)


def test_tools_are_told_with_what_came_of_them(world: World, served: Served) -> None:
    session = served.session()
    served.say(session, 'Check [call bash {"command": "echo no such target; exit 3", "description": "make"}] it')
    served.say(session, 'Look [call read {"filePath": "nowhere.py"}] at it')
    ran, looked = world.exchanges(session, 2)
    assert [(tool.name, tool.ok, tool.error) for tool in ran.tools] == [("bash", False, "no such target")]
    assert [(tool.name, tool.paths, tool.ok) for tool in looked.tools] == [("read", ("nowhere.py",), False)]


def test_what_is_no_exchange_is_not_recorded(world: World, served: Served) -> None:
    session = served.session()
    served.say(session, 'Have it done [call task {"description": "d", "prompt": "a job", "subagent_type": "general"}]')
    served.say(session, "This goes wrong [fail]", refused=True)
    world.model.held.clear()
    served.ask(f"/session/{session}/prompt_async", {"parts": [{"type": "text", "text": "This is stopped [hold]"}]})
    assert world.model.held.wait(60)
    served.ask(f"/session/{session}/abort", {})
    world.model.release.set()
    served.ask(f"/session/{session}/message", {"noReply": True, "parts": [{"type": "text", "text": "Mere context"}]})
    before = len(world.model.requests)
    served.ask(f"/session/{session}/summarize", {"providerID": "scripted", "modelID": "scripted-1"})
    served.say(session, "Go on after the summary")
    done, after = world.exchanges(session, 2)
    assert [tool.name for tool in done.tools] == ["task"]
    assert after.prompt == "Go on after the summary"
    assert {event.session for event in world.told(ExchangeRecorded)} >= {session}
    children = [one["id"] for one in served.ask(f"/session/{session}/children")]
    assert children
    assert not any(world.told(form, child) for child in children for form in (ExchangeRecorded, PromptReceived))
    compaction = world.model.requests[before]
    assert str(compaction["messages"]).count(FENCE) == 1  # what is to survive, and no briefing of before
    quoted, checkpoint = world.told(CheckpointWritten, session)
    assert (quoted.moment, quoted.by) == ("before", "daemon")
    assert checkpoint.moment == "after"
    assert checkpoint.text


def test_a_prompt_that_is_queued_has_its_own_answer_and_briefing_and_so_has_the_one_before(
    world: World, taught: ExchangeRecorded, served: Served
) -> None:
    session = served.session()
    served.say(session, "Begin")
    world.model.held.clear()
    world.model.release.clear()
    for held in ("[hold]", ""):  # the second is queued
        served.ask(f"/session/{session}/prompt_async", {"parts": [{"type": "text", "text": f"{ASKED} {held}"}]})
        assert world.model.held.wait(60)
    wait_until(lambda: len(world.told(PromptReceived, session)) == 3, "the second is told of")
    world.model.release.set()
    found = world.exchanges(session, 3)[1:]
    assert [one.prompt for one in found] == [f"{ASKED} [hold]", f"{ASKED} "]
    assert [len(one.injections) for one in found] == [1, 1]


def test_what_the_plugin_told_is_not_imported_again(world: World, taught: ExchangeRecorded) -> None:
    exchanges = len(world.told(ExchangeRecorded))
    world.aftermind("import", "opencode")
    assert len(world.told(ExchangeRecorded)) == exchanges


def test_a_daemon_that_is_killed_or_hangs_loses_nothing_and_the_turn_goes_on(world: World, served: Served) -> None:
    session = served.session()
    served.say(session, "Said to a daemon that lives")
    world.exchanges(session, 1)
    os.kill(holding(world.store), signal.SIGKILL)
    served.say(session, "Said to a daemon that was killed")
    wait_until(lambda: holding(world.store), "another one is there")
    hung = holding(world.store)
    os.kill(hung, signal.SIGSTOP)
    try:
        served.say(session, "Said to a daemon that hangs")
        served.say(session, "Said to it again")
    finally:
        with suppress(ProcessLookupError):  # whoever was started in its place has ended it
            os.kill(hung, signal.SIGKILL)
    said = [one.prompt for one in world.exchanges(session, 4)]
    assert sorted(said) == sorted(
        f"Said to {one}"
        for one in ("a daemon that lives", "a daemon that was killed", "a daemon that hangs", "it again")
    )


def test_uninstall_leaves_the_configuration_as_it_was(world: World, before: bytes, served: Served) -> None:
    served.process.terminate()
    served.process.wait(30)
    config = world.opencode.config / "opencode.jsonc"
    config.write_text(re.sub(r'\[("file:[^"]*"), \{[^}]*\}\]', r"\1", config.read_text()))
    world.aftermind("uninstall", "--opencode")
    assert (world.opencode.config / "opencode.jsonc").read_bytes() == before
    assert not (world.opencode.config / "node_modules").exists()
    assert not (world.opencode.config / "package-lock.json").exists()
    world.opencode.run("Is anybody listening?")
    assert "Is anybody listening?" not in [one.prompt.strip() for one in world.told(ExchangeRecorded)]
