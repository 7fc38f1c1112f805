"""Two real OpenCodes at work in one project at one time: what one holds the other is refused, told by whom and until
when, and gets when it is released."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from aftermind.engine.event_forms.items import ClaimReleased, ItemClaimed
from tests.daemons import none_left
from tests.e2e.real_opencode import Served
from tests.e2e.scripted_model import ScriptedModel, texts
from tests.e2e.test_opencode import World

pytestmark = pytest.mark.timeout(300)
ITEM = "src/billing.py, and its tests 👩‍💻"
SHOWN = "src/billing.py, and its tests 👩💻"
"""Without what joins the two signs: nobody sees it."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with ScriptedModel().serving() as model:
        made = World(tmp_path_factory.mktemp("opencode"), model)
        made.env["AFTERMIND_CONFIG"] = str(made.opencode.home / "aftermind.toml")
        made.opencode.env["AFTERMIND_CONFIG"] = made.env["AFTERMIND_CONFIG"]
        made.opencode.configure()
        with none_left(made.store):
            made.aftermind("init", "--opencode", "--no-input", "--tools", "coordination")
            yield made


class Assistant:
    """One OpenCode, and the session it works in."""

    def __init__(self, world: World, served: Served) -> None:
        self.world, self.served, self.session = world, served, served.session()

    def claims(self, **asked: Any) -> str:
        """What its model reads after it used the tool."""
        said = json.dumps({"item": ITEM, **asked}, ensure_ascii=False)
        self.served.say(self.session, f"Go on [call claim {said}] please")
        return texts(self.world.model.turns()[-1], "tool")[-1]


def test_two_assistants_do_not_step_on_each_other(world: World) -> None:
    with ExitStack() as running:
        one, two = (
            Assistant(world, running.enter_context(world.opencode.serving(name=name))) for name in ("one", "two")
        )
        mine = json.loads(one.claims(action="take", minutes=10))["claims"][0]
        assert (mine["item"], mine["mine"]) == (SHOWN, True)

        refused = two.claims(action="take")
        (claim,) = world.told(ItemClaimed)
        until = f"{claim.until:%Y-%m-%d %H:%M:%S} UTC"
        assert f"is held by opencode (session {claim.session}) until {until}, as number {mine['fence']}" in refused
        listed = json.loads(two.claims(action="list", item=""))["claims"]
        assert [(row["item"], row["fence"], row.get("mine", False)) for row in listed] == [
            (SHOWN, mine["fence"], False)
        ]

        assert json.loads(one.claims(action="release"))["released"] == SHOWN
        theirs = json.loads(two.claims(action="take", item=SHOWN))["claims"][0]
        assert theirs["mine"]
        assert theirs["fence"] > mine["fence"]

        late = one.claims(action="renew", fence=mine["fence"])  # it thinks that it still holds it
        assert re.search(f"number {mine['fence']} is old: opencode .* holds it as number {theirs['fence']}", late)
        assert f"{theirs['fence']}" in world.aftermind("claim", "list")
    first, second = world.told(ItemClaimed)
    assert first.session != second.session
    assert [gone.fence for gone in world.told(ClaimReleased)] == [mine["fence"]]
