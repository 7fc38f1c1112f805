"""Work that one session of a real OpenCode wrote down is gone on with in the next: by its tool, by what a session
begins with, and by what whoever compacts the conversation is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from aftermind.engine.events import CheckpointWritten, SessionStarted
from tests.daemons import none_left
from tests.e2e.scripted_model import ScriptedModel, texts
from tests.e2e.test_opencode import World

pytestmark = pytest.mark.timeout(300)
WRITES = (
    'Begin [call bash {"command": "echo limit > limits.py", "description": "write"}] and write it down '
    '[call session {"action": "checkpoint", "goal": "Rate limiting for billing", "done": ["Token bucket"], '
    '"pending": ["Metrics of the limiter"], "decisions": ["Redis: limits hold across workers"]}]'
)
RESUMES = 'Go on with what I did yesterday [call session {"action": "resume"}] please'


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with ScriptedModel().serving() as model:
        made = World(tmp_path_factory.mktemp("opencode"), model)
        made.env["AFTERMIND_CONFIG"] = str(made.opencode.home / "aftermind.toml")
        made.opencode.env["AFTERMIND_CONFIG"] = made.env["AFTERMIND_CONFIG"]
        made.opencode.configure()
        with none_left(made.store):
            made.aftermind("init", "--opencode", "--no-input", "--tools", "project")
            config = made.opencode.config / "opencode.jsonc"
            plugin = f'"{(made.store / "bin" / "opencode.js").as_uri()}"'
            patient = config.read_text().replace(plugin, f'[{plugin}, {{ "milliseconds": 30000 }}]')
            config.write_text(patient)  # other tests may keep this machine busy
            yield made


def test_a_second_session_goes_on_from_the_firsts_checkpoint(world: World) -> None:
    world.opencode.run(WRITES)
    (written,) = [one for one in world.told(CheckpointWritten) if one.by == "assistant"]
    (first,) = world.told(SessionStarted)
    assert (written.session, written.pending) == (first.session, ("Metrics of the limiter",))
    world.opencode.run(RESUMES)
    request = world.model.turns()[-1]
    (answer,) = texts(request, "tool")  # what its model reads of the tool
    for said in ("Rate limiting for billing", "Metrics of the limiter", "Redis: limits hold across workers"):
        assert said in answer
    assert first.session in answer
    began = "\n".join(texts(request))  # and without asking, at its start
    assert f"[session {first.session}] (opencode" in began
    assert "Open: Metrics of the limiter" in began
    _, second = world.told(SessionStarted)
    listed = world.aftermind("session", "list", "--client", "opencode")
    assert [line.split()[0] for line in listed.splitlines()[1:]] == [second.session, first.session]


def test_what_a_session_wrote_down_survives_a_compaction(world: World) -> None:
    with world.opencode.serving() as served:
        session = served.session()
        served.say(session, WRITES.replace("Metrics of the limiter", "The dashboard"))
        world.exchanges(session, 1)
        before = len(world.model.requests)
        served.ask(f"/session/{session}/summarize", {"providerID": "scripted", "modelID": "scripted-1"})
        assert "The dashboard" in str(world.model.requests[before]["messages"][-1])
        assert "<aftermind-session>" in str(world.model.requests[before]["messages"][-1])
        said, quoted, *_ = world.told(CheckpointWritten, session)
        assert (said.moment, said.by) == ("now", "assistant")
        assert (quoted.moment, quoted.by) == ("before", "daemon")
