"""The gate's decision: it never keeps anybody for good, any checkpoint opens it, and nothing else does."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import product

from aftermind.engine.permitting.gating import AT_ONCE, refusals, verdict
from aftermind.engine.policy import Gate
from tests.given import NOON

OFF, RULES = Gate(), Gate(remind_after=1, hold_after=2, remind_every=1, most_holds=2)
LATER = AT_ONCE + timedelta(seconds=1)


class Assistant:
    """One that uses tools whatever it is told. What it goes by is what the log would say, and nothing beside it."""

    def __init__(self, rules: Gate) -> None:
        self.rules, self.now = rules, NOON
        self.log: list[tuple[str, int]] = []

    def does(self, step: str) -> str:
        self.now += LATER
        if step != "tool":
            self.log.append((step, 0))
            return step
        said = verdict(*self.counted(), self.now, self.rules)
        seconds = int((self.now - NOON).total_seconds())
        self.log.append(("held" if said == "hold" else "used", seconds))
        return said

    def counted(self) -> tuple[int, list[datetime]]:
        """Anew from the log each time, as after a crash."""
        written = [place for place, (what, _) in enumerate(self.log) if what == "checkpoint"]
        since = self.log[written[-1] + 1 :] if written else self.log
        used = sum(what == "used" for what, _ in since)
        return used, [NOON + timedelta(seconds=at) for what, at in since if what == "held"]


def test_every_order_of_tools_checkpoints_and_text_is_never_stuck_and_never_bypassed() -> None:
    """All stories of eight steps: a tool, a checkpoint of anybody's, a text that speaks of a checkpoint."""
    for story in product(("tool", "checkpoint", "text"), repeat=8):
        one, without_text = Assistant(RULES), Assistant(RULES)
        held = used = 0
        for step in story:
            said = one.does(step)
            if step != "text":
                assert without_text.does(step) == said, story  # what is said changes nothing
            else:
                without_text.now = one.now
            match said:
                case "checkpoint":
                    held = used = 0
                case "hold":
                    held += 1
                    assert used >= RULES.hold_after, story
                    assert held <= RULES.most_holds, story  # it ends by itself
                case "open" | "remind":
                    assert used < RULES.hold_after or held == RULES.most_holds, story
                    used += 1
                case _:
                    pass


def test_after_a_checkpoint_the_next_tool_is_used() -> None:
    for before in product(("tool", "checkpoint"), repeat=7):
        one = Assistant(RULES)
        for step in (*before, "checkpoint"):
            one.does(step)
        assert one.does("tool") == "open"


def test_a_policy_that_nobody_asked_for_says_nothing() -> None:
    assert {Assistant(OFF).does("tool") for _ in range(3)} == {"open"}
    assert verdict(10_000, (), NOON, OFF) == "open"


def test_tools_that_were_asked_for_together_are_one_refusal() -> None:
    """An assistant uses several at once: five that are held back must not be five refusals."""
    batch = [NOON + timedelta(milliseconds=100 * n) for n in range(8)]
    assert refusals(batch) == 1
    assert refusals([*batch, *(at + LATER for at in batch)]) == 2
    assert verdict(2, batch, batch[-1], RULES) == "hold"


def test_who_asks_again_and_again_is_not_kept_for_good() -> None:
    """However fast: a refusal lasts so long and no longer."""
    held, now = [], NOON
    while verdict(2, held, now, RULES) == "hold":
        held.append(now)
        now += timedelta(milliseconds=300)
    assert now - NOON <= RULES.most_holds * (AT_ONCE + timedelta(milliseconds=300))


def test_one_is_reminded_first_and_then_now_and_then() -> None:
    rules = Gate(remind_after=3, hold_after=0, remind_every=5)
    assert [used for used in range(20) if verdict(used, (), NOON, rules) == "remind"] == [3, 8, 13, 18]


def test_a_clock_that_is_set_back_keeps_nobody() -> None:
    ahead = NOON + timedelta(days=365)
    held = [ahead, ahead + LATER, *(NOON + step * LATER for step in range(9))]
    assert verdict(RULES.hold_after, held[:3], NOON + LATER, RULES) != "hold"
    assert refusals(held) == len(held)
