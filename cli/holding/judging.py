"""The judge without a model, in the process that holds the store: it judges what is ready through the same desk as any
other, soon after the log grew, and every now and then, because sessions go quiet without a word.

Nobody waits for it. It takes one exchange at a time, off the loop that answers, and breathes in between.
"""

from __future__ import annotations

from collections.abc import Callable

import anyio
from anyio import to_thread

from aftermind.cli.keys import BY_SIDECAR
from aftermind.cli.language.asked import Ask
from aftermind.cli.language.judging import PutSaid, TakeWork
from aftermind.cli.language.requests import Beyond
from aftermind.cli.logbook import Logbook
from aftermind.cli.settings import Sidecar
from aftermind.engine.names import Label
from aftermind.sidecar.ports import Case, Findings, Signature

EVERY = 20.0
"""Seconds between two looks while nothing is written."""
GATHER = 0.5
"""Seconds in which what is written together gathers."""
BREATH = 0.005
"""Seconds after each exchange that are everybody else's."""

_ASKING = Signature(judge=Label("cues"), revision=0)
"""Who takes work; the revision is known to what judges, which is loaded where there is some."""


def by_cues(scoring: str, sidecar: Sidecar) -> bool:
    """Whether exchanges are judged by signs alone: where that is wanted, or no model is configured."""
    return scoring == "cues" or (scoring == BY_SIDECAR and not sidecar.model)


def who_judges(scoring: str, sidecar: Sidecar) -> str:
    """Who says how an exchange went: the assistant, rules, or a model by its name."""
    if by_cues(scoring, sidecar):
        return "rules"
    return f"model {sidecar.model}" if scoring == BY_SIDECAR else scoring


class Judging:
    """`wanted` says whether it is to judge now."""

    def __init__(self, ask: Ask, wanted: Callable[[], bool], book: Logbook) -> None:
        self._ask, self._wanted, self._book = ask, wanted, book
        self.busy = False
        """Whether there was something for it when it last looked."""

    async def going(self) -> None:
        """For as long as the store is held."""
        position = 0
        while True:
            await self.judge_what_is_ready(named=not self._wanted())
            position = await self._ask(Beyond(position=position, seconds=EVERY))
            await anyio.sleep(GATHER)

    async def judge_what_is_ready(self, *, named: bool = False) -> int:
        """How many exchanges that were; `named`: only what was asked of it by its name, as another judges otherwise."""

        def wanted() -> bool:
            return named or self._wanted()

        def begun() -> None:
            self.busy = True

        try:
            count = await judged_by_rules(self._ask, wanted=wanted, begun=begun, named=named)
        finally:
            self.busy = False
        if count:
            self._book.note("judged", exchanges=count)
        return count


def _always() -> bool:
    return True


def _nothing() -> None:
    pass


async def judged_by_rules(
    ask: Ask, *, wanted: Callable[[], bool] = _always, begun: Callable[[], None] = _nothing, named: bool = False
) -> int:
    """Judges what is ready, as long as that is `wanted`; how many exchanges that were. `begun` is called for each."""
    count = 0
    while wanted():
        work = await ask(TakeWork(judge=_ASKING, named=named))
        if not isinstance(work, Case):
            break
        begun()
        signature, judge = await to_thread.run_sync(_loaded)
        findings = await to_thread.run_sync(judge, work)
        count += await ask(PutSaid(ticket=work.ticket, judge=signature, said=findings))
        await anyio.sleep(BREATH)
    return count


def _loaded() -> tuple[Signature, Callable[[Case], Findings]]:
    """It has many words to know, and may not be wanted."""
    from aftermind.sidecar.cues.judge import SIGNATURE, judge

    return SIGNATURE, judge
