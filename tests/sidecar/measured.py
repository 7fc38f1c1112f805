"""How well the embedded judge judges, and what it captures, on the labelled sets: totals, never a line of a set.

**Judging.** Precision of an outcome: of the exchanges that are said to have it, the share that has it. Coverage: of the
decidable ones (their label is not `unknown`), the share that is said anything but `unknown`, right or wrong.

**Capturing.** A labelled capture is found where the judge's own words for it (`right`) are mostly in something that was
captured: at least half of its words, where words are runs of letters or digits, folded, and single letters in languages
written without blanks. A capture is true where it holds at least half of the words of a labelled one. Precision:
the true ones of all that are captured, over captures and neutral messages. Recall: the found ones of the labelled.
False alarms: the neutral messages of which anything at all is captured, of all neutral messages.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from aftermind.engine.events import ToolUse
from aftermind.engine.names import EventId
from aftermind.sidecar.ports import Case, Findings, Learned, Ticket

FOLDER = Path(__file__).parent / "labelled"
_WORDS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")


class Judged(Struct, frozen=True, kw_only=True):
    """Counts of one set: `pairs` by labelled and given outcome."""

    exchanges: int
    pairs: dict[str, int]

    def count(self, labelled: str = "", given: str = "") -> int:
        """How many have this label and were given that outcome; empty is any."""
        split = ((pair.split(" "), many) for pair, many in self.pairs.items())
        return sum(many for (was, said), many in split if labelled in ("", was) and given in ("", said))

    def precision(self, outcome: str) -> float:
        return self.count(outcome, outcome) / max(1, self.count(given=outcome))

    def recall(self, outcome: str) -> float:
        return self.count(outcome, outcome) / max(1, self.count(labelled=outcome))

    @property
    def decided(self) -> int:
        return self.exchanges - self.count(given="unknown")

    @property
    def coverage(self) -> float:
        decidable = self.exchanges - self.count(labelled="unknown")
        said = decidable - sum(self.count(was, "unknown") for was in ("worked", "partial", "failed"))
        return said / max(1, decidable)

    @property
    def right(self) -> float:
        """The share of all verdicts (but `unknown`) that are right."""
        true = sum(self.count(outcome, outcome) for outcome in ("worked", "partial", "failed"))
        return true / max(1, self.decided)


class Captured(Struct, frozen=True, kw_only=True):
    """Counts of one half: captures and neutral messages."""

    labelled: int
    found: int
    captured: int
    true: int
    kinds: int
    neutral: int
    alarms: int

    @property
    def precision(self) -> float:
        return self.true / max(1, self.captured)

    @property
    def recall(self) -> float:
        return self.found / max(1, self.labelled)

    @property
    def alarmed(self) -> float:
        return self.alarms / max(1, self.neutral)


def lines(name: str) -> Iterator[dict[str, Any]]:
    """The entries of a labelled set."""
    for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def case(entry: dict[str, Any]) -> Case:
    """A labelled exchange as a judge is given it."""
    tools = (ToolUse(name=t["name"], paths=tuple(t["paths"]), ok=t["ok"], error=t["error"]) for t in entry["tools"])
    return Case(
        ticket=Ticket("labelled"),
        exchange=EventId(entry["id"]),
        prompt=entry["prompt"],
        answer=entry["answer"],
        tools=tuple(tools),
        follow_up=entry["follow_up"],
    )


def judged(name: str, judge: Callable[[Case], Findings]) -> Judged:
    pairs = Counter(f"{entry['outcome']} {judge(case(entry)).outcome}" for entry in lines(name))
    return Judged(exchanges=pairs.total(), pairs=dict(sorted(pairs.items())))


def captured(half: str, capture: Callable[[str, str], tuple[Learned, ...]]) -> Captured:
    """`half` is `first`, `practice`, `practice2`, `second`, `third` or `fourth`."""
    labelled = found = said = true = kinds = 0
    for entry in lines(f"captures_{half}"):
        got = capture(entry["text"], entry["before"])
        labelled, said = labelled + len(entry["captures"]), said + len(got)
        for wanted in entry["captures"]:
            met = [one for one in got if _same(wanted["right"], one.text)]
            found += bool(met)
            kinds += any(one.kind == wanted["kind"] for one in met)
        true += sum(any(_same(wanted["right"], one.text) for wanted in entry["captures"]) for one in got)
    neutral = [len(capture(entry["text"], entry["before"])) for entry in lines(f"neutral_{half}")]
    return Captured(
        labelled=labelled,
        found=found,
        captured=said + sum(neutral),
        true=true,
        kinds=kinds,
        neutral=len(neutral),
        alarms=sum(map(bool, neutral)),
    )


def _same(right: str, text: str) -> bool:
    wanted = _WORDS.findall(right.casefold())
    held = set(_WORDS.findall(text.casefold()))
    return 2 * sum(word in held for word in wanted) >= len(wanted)
