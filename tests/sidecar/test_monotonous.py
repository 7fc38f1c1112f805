"""What repeats one thing for pages, as pasted data do, is read to its end like anything else: what a reader takes grows
with what is read, and not with its square, which for some of these was a minute."""

from __future__ import annotations

import pytest

from aftermind.engine.names import EventId, MemoryId
from aftermind.projections.reading.traces import traced
from aftermind.sidecar.captures.messages import captured, told
from aftermind.sidecar.cues.judge import judge
from aftermind.sidecar.ports import Case, Known, Ticket
from aftermind.sidecar.utterances.voice import ENDS

PIECES = ('"a', "%", "(a", "-", ".", "..x", "1.", "@a-", "[a", "a", "a, ", "a/", "a_", "use ", "字。", *" \t\n", "a\n")


def pages(piece: str, characters: int = 2 * ENDS - 200) -> str:
    return (piece * (characters // len(piece) + 1))[:characters]


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", PIECES, ids=repr)
def test_a_statement_before_it_is_kept_all_the_same(piece: str) -> None:
    said = f"From now on, always run the tests with make test.\n\n{pages(piece)}\n"
    assert [one.text for one in captured(said)][:1] == ["From now on, always run the tests with make test"]
    assert all(one.text in said for one in told(said))


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "said",
    [
        "In this repo the staging port is " + "a" * 15_700,
        "we always use tabs" + " " * 15_700 + "x",
        "the host is 5" + "a-" * 7_500,
    ],
    ids=lambda said: said[:6],
)
def test_what_is_long_is_read_to_its_end(said: str) -> None:
    assert all(one.text in said for one in (*captured(said), *told(said)))


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", PIECES, ids=repr)
def test_what_somebody_says_before_it_is_judged_all_the_same(piece: str) -> None:
    follow_up = f"That did not work, the build still fails.\n\n{pages(piece)}"
    case = Case(
        ticket=Ticket("t"),
        exchange=EventId("e"),
        prompt="how do I build it?",
        answer=f"{pages(piece)}\nRun make release.",
        shown=(Known(id=MemoryId("m"), kind="fact", text="releases are built by make release"),),
        follow_up=follow_up,
    )
    assert judge(case).outcome == "failed"


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", PIECES, ids=repr)
def test_a_memory_is_found_again_behind_it(piece: str) -> None:
    answer = f"Build it{pages(piece, 100_000)} with make release, at port {'1' * 100_000}x"
    assert traced([("fact", "releases are built by make release", "")], "how do I build it?", answer) == {0}
