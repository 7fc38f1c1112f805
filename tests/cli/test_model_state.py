"""What is told of the model that recall by meaning goes by, whichever way it is with it."""

from __future__ import annotations

import pytest

from aftermind.cli.holding.model_state import LONGEST, ModelState, Running

OLD, NEW = Running("old", level=True), Running("new")
SERVES, AILS, HANGS = Running("new", level=True), Running("new", why="the disk is full"), Running("new", hung=True)


@pytest.mark.parametrize(
    ("state", "phase", "reason"),
    [
        (ModelState(wanted="none", name="none", why="no model is configured"), "none", "no model is configured"),
        (ModelState(wanted="new", name="", why="it is not loaded yet"), "loading", "it is not loaded yet"),
        (ModelState(wanted="new", name="new", loading=3), "loading", "new is being loaded"),
        (
            ModelState(wanted="new", name="new", loading=LONGEST + 5, used=OLD),
            "hung",
            "new is being loaded, for 125 s",
        ),
        (ModelState(wanted="new", name="new", why="no such folder", used=OLD), "failed", "no such folder"),
        (
            ModelState(wanted="new", name="new", used=OLD, coming=NEW),
            "embedding",
            "the vectors of new are being computed",
        ),
        (ModelState(wanted="new", name="new", used=OLD, coming=AILS), "failed", "the disk is full"),
        (ModelState(wanted="new", name="new", used=SERVES), "level", ""),
        (ModelState(wanted="new", name="new", used=NEW), "embedding", ""),
        (ModelState(wanted="new", name="new", used=AILS), "failed", "the disk is full"),
        (
            ModelState(wanted="new", name="new", used=HANGS),
            "hung",
            "new hangs: it has not come back from a text it was given",
        ),
        (ModelState(wanted="new", name="old", used=OLD), "loading", ""),
        (ModelState(wanted="new", name="none", why="no model is configured"), "loading", ""),
        (ModelState(wanted="new", name="old", why="no such folder"), "loading", ""),
    ],
)
def test_a_state_has_its_phase_and_its_reason(state: ModelState, phase: str, reason: str) -> None:
    assert (state.phase, state.reason) == (phase, reason)


def test_what_ails_a_model_that_is_replaced_is_not_told() -> None:
    state = ModelState(wanted="new", name="new", used=Running("old", why="its folder is gone", hung=True), coming=NEW)
    assert (state.phase, state.reason) == ("embedding", "the vectors of new are being computed")
    assert not state.fails


@pytest.mark.parametrize(
    "state",
    [
        ModelState(wanted="new", name="new", why="no such folder"),
        ModelState(wanted="new", name="new", loading=LONGEST + 1),
        ModelState(wanted="new", name="new", coming=AILS),
        ModelState(wanted="new", name="new", coming=HANGS),
    ],
)
def test_what_will_not_come_soon_fails(state: ModelState) -> None:
    assert state.fails


def test_it_is_level_where_nothing_is_to_change_and_every_memory_has_its_vector() -> None:
    assert ModelState(wanted="new", name="new", used=SERVES).is_level
    assert ModelState(wanted="none", name="none").is_level
    for other in (
        ModelState(wanted="new", name="new", used=NEW),
        ModelState(wanted="new", name="new", used=SERVES, coming=NEW),
        ModelState(wanted="new", name="new", used=SERVES, loading=0),
        ModelState(wanted="other", name="new", used=SERVES),
    ):
        assert not other.is_level
