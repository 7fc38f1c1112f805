"""Memory in a real OpenCode: what one session taught is known in the next, and no turn notices."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

import aftermind
from aftermind.cli.doors import copied
from aftermind.engine.events import ContextInjected, ExchangeRecorded
from aftermind.engine.store import fit_folder
from tests.daemons import none_left
from tests.e2e.real_opencode import OpenCode
from tests.e2e.scripted_model import ScriptedModel, texts

pytestmark = pytest.mark.timeout(300)
TAUGHT = "Remember: the billing service listens on port 7443 in staging. [say Noted: port 7443.]"
ASKED = "Which port has the billing service in staging?"


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel().serving() as model:
        yield model


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    folder = fit_folder(tmp_path / "store", make=True)
    copied(folder)
    with none_left(folder):
        yield folder


@pytest.fixture
def opencode(tmp_path: Path, model: ScriptedModel, store: Path) -> OpenCode:
    made = OpenCode(tmp_path, model)
    made.configure(plugin=[(store / "bin" / "opencode.js").as_uri()])
    stub = made.config
    (stub / "node_modules").mkdir()
    lock = {"lockfileVersion": 3, "packages": {"": {"dependencies": {"@opencode-ai/plugin": "*"}}}}
    (stub / "package-lock.json").write_text(json.dumps(lock))
    return made


def events(store: Path, form: type) -> list:
    async def read() -> list:
        async with aftermind.open_memory(store) as memory:
            return [one.draft.event for one in await memory.events(limit=10_000) if isinstance(one.draft.event, form)]

    return anyio.run(read)


def test_what_one_session_taught_is_in_the_next_ones_request(
    opencode: OpenCode, model: ScriptedModel, store: Path
) -> None:
    opencode.run(TAUGHT)
    (exchange,) = events(store, ExchangeRecorded)
    assert exchange.prompt.strip() == TAUGHT
    assert exchange.answer.strip() == "Noted: port 7443."
    opencode.run(ASKED)
    said = "\n".join(texts(model.turns()[-1]))
    assert "<aftermind-memory>" in said
    assert "7443" in said
    assert len(events(store, ExchangeRecorded)) == 2
    assert len(events(store, ContextInjected)) == 1
    assert model.strays == []
