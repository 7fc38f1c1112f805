"""What was shown is never captured again, whichever block it stood in, whole or line by line."""

from __future__ import annotations

import pytest

from aftermind.projections.recalling.shown.fences import (
    BEGINNINGS,
    FENCES,
    NEWEST,
    SECTIONS,
    lines_without_ours,
    without_ours,
)
from aftermind.projections.recalling.shown.resuming import Left, resumed

LEFT = resumed(Left(session="s1", goal="Ship it", open=("the tests", "the docs"), done=("a", "b")), 600)
MEMORIES = FENCES[0]
IN_SECTIONS = (
    f"{MEMORIES.opening}{NEWEST}\n- [m0] (history, today) zero\n{SECTIONS[0]}\n- [m1] (memory_bank, now) one\n"
    f"{SECTIONS[2]}\n- [m2] (patterns, now) two\n{BEGINNINGS['identity']}\n- [m3] (memory_bank) three\n"
    f"{MEMORIES.closing}"
)


@pytest.mark.parametrize("block", [LEFT, IN_SECTIONS], ids=["session", "memories"])
def test_a_block_in_sections_is_taken_out_and_what_is_around_it_stays(block: str) -> None:
    said = f"before\n{block}\nafter\n- [x] a task\nGoal:\n- mine"
    assert without_ours(said).split("\n") == ["before", "after", "- [x] a task", "Goal:", "- mine"]
    assert [*lines_without_ours(said.splitlines())] == ["before", "after", "- [x] a task", "Goal:", "- mine"]


@pytest.mark.parametrize("block", [LEFT, IN_SECTIONS], ids=["session", "memories"])
@pytest.mark.parametrize("lines", [2, 3, 5])
def test_of_one_that_is_cut_off_nothing_is_left(block: str, lines: int) -> None:
    cut = "\n".join(block.splitlines()[:lines])
    assert without_ours(f"before\n{cut}").strip() == "before"
    assert [*lines_without_ours(f"before\n{cut}".splitlines())] == ["before"]


@pytest.mark.parametrize("fence", FENCES, ids=lambda fence: fence.name)
def test_a_fence_without_its_header_is_what_somebody_wrote(fence) -> None:
    said = f"<{fence.name}>\nis how a block of yours begins\n{fence.closing}"
    assert without_ours(said) == said
    assert [*lines_without_ours(said.splitlines())] == said.splitlines()
