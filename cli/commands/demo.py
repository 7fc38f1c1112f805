"""`aftermind demo`: two sessions of one conversation, played in a store of their own that is gone afterwards.

Nothing here is staged: each line printed comes back from the public API, which does what it does for anybody.
"""

from __future__ import annotations

import sys
import tempfile
from argparse import ArgumentParser, Namespace
from datetime import datetime, timedelta
from shutil import get_terminal_size
from textwrap import wrap

import aftermind
from aftermind.cli.language.answers import Context, Exchange, Verdict, Why
from aftermind.cli.open_memory import OpenMemory
from aftermind.cli.terminal.tables import counted, show_json
from aftermind.engine.stamp import Stamp
from aftermind.projections.recalling.shown.fences import MEMORIES

PROJECT = "checkout"
TIMEOUT = "Raise the timeout of the health check to 120 seconds in deploy/staging.yaml and deploy staging again."
PORT = "The health check asks port 8080, but checkout listens on 8081 in staging: set healthcheck.port to 8081."
ASKED = "The staging deploy fails: the health check times out. How do I fix it?"
OLD, NEW = "The staging database is db-1.internal", "The staging database is db-2.internal"
WIDEST = 110
"""Columns of a line at a terminal; in a pipe a line is as long as it is."""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = "With --json, only what the second session was shown, and why."


async def run(arguments: Namespace) -> int:
    told = _Telling(quiet=arguments.json)
    with tempfile.TemporaryDirectory(prefix="aftermind-demo-") as folder:
        clock = _Clock()
        stamp = Stamp(now=clock.now)
        async with aftermind.open_memory(folder, stamp=stamp) as memory:
            await _first_session(memory, told)
        clock.ahead += timedelta(hours=20)
        async with aftermind.open_memory(folder, stamp=stamp) as memory:
            shown, why = await _second_session(memory, told)
    if arguments.json:
        show_json({"context": shown, "why": why})
    return 0


class _Clock:
    """The real clock, moved on by hand so that the second session is on the next day."""

    ahead = -timedelta(hours=20)

    def now(self) -> datetime:
        return Stamp().now() + self.ahead


class _Telling:
    """What is printed; nothing, when it is quiet."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._framed = False
        self._width = min(get_terminal_size().columns, WIDEST) if sys.stdout.isatty() else 0

    def title(self, text: str) -> None:
        head = f"── {text} "
        self.line()
        self.line(head + "─" * max(3, (self._width or 104) - len(head)))
        self.line()

    def says(self, who: str, text: str) -> None:
        self.line(text, head=f"{who:>10}  ")

    def verdict(self, what: str, verdict: Verdict) -> None:
        for moved in verdict.memories:
            rose = f", now in {moved.to}" if moved.to else ""
            self.line(f"{what}: {moved.id} {moved.outcome}{rose}", head=f"{'':>10}  → ")
        self.line()

    def briefing(self, shown: Context) -> None:
        """Whole the first time; then its frame is known, and only what it holds is new."""
        lines = shown.text.splitlines()
        if not lines:
            self.says("", "(nothing relevant yet, nothing shown)")
        for line in lines:
            if MEMORIES.holds(line) or not self._framed:
                self.line(line, head=f"{'':>10}  │ ", hanging=f"{'':>10}  │ {'  ' if line.startswith('- ') else ''}")
        self._framed = self._framed or bool(lines)

    def line(self, text: str = "", *, head: str = "", hanging: str | None = None) -> None:
        if self._quiet:
            return
        hanging = " " * len(head) if hanging is None else hanging
        broken = [head + text]
        if self._width:
            broken = wrap(
                text,
                max(self._width, len(hanging) + 20),
                initial_indent=head,
                subsequent_indent=hanging,
                break_long_words=False,
                break_on_hyphens=False,
            )
        print("\n".join(line.rstrip() for line in broken))


async def _first_session(memory: OpenMemory, told: _Telling) -> None:
    told.title("Session 1, yesterday")
    failed = await _exchange(memory, told, ASKED, TIMEOUT)
    told.says("user", "No, it still times out after 120 seconds.")
    told.verdict("the advice failed", await memory.score("failed", exchange=failed.id, evidence="it still times out"))

    worked = await _exchange(memory, told, "The health check of the staging deploy still times out. What else?", PORT)
    told.says("user", "That was it, staging is up.")
    verdict = await memory.score("worked", exchange=worked.id, evidence="staging is up")
    told.verdict("other advice worked", verdict)

    database = await memory.remember(OLD, kind="configuration", project=PROJECT)
    told.says("remember", f"{OLD}  [{database}]")
    again = await _exchange(
        memory, told, "After the rebase the staging deploy times out in its health check again.", "Same cause. " + PORT
    )
    told.says("user", "Yes, the port again. Works.")
    verdict = await memory.score("worked", exchange=again.id, evidence="works")
    told.verdict("the same advice worked again", verdict)
    corrected = await memory.correct(database, NEW, "it moved on Monday")
    told.says("correct", f"{corrected.text}  [{corrected.id}]")
    await memory.end_session("one")


async def _second_session(memory: OpenMemory, told: _Telling) -> tuple[Context, Why]:
    told.title("Session 2, today")
    prompt = "The staging deploy times out in its health check, and which staging database do we use?"
    told.says("user", prompt)
    shown = await memory.context(prompt, session="two", project=PROJECT)
    told.briefing(shown)
    told.says("", _summed_up(shown))
    advice = max(shown.memories, key=lambda hit: hit.memory.outcomes.worked)
    why = await memory.why(advice.id)
    told.title(f"aftermind why {advice.id}")
    told.line(
        f"The {counted(len(why.steps), 'event')} of that memory's life, oldest first. Each begins with the end of its "
        "id; ← names the event it came of."
    )
    told.line()
    for step in why.steps:
        because = f"  ← {step.because[-6:]}" if step.because else ""
        told.line(f"{step.what}{because}", head=f"  {step.event[-6:]}  {step.at:%a %H:%M:%S}  ")
    return shown, why


def _summed_up(shown: Context) -> str:
    """What the briefing of the second session did with what happened in the first."""
    in_order = sorted(shown.memories, key=lambda hit: shown.text.index(f"[{hit.id}]"))
    places = {hit.memory.answer or hit.text: place for place, hit in enumerate(in_order, 1)}

    def place(answer: str) -> str:
        return f"at place {places[answer]}" if answer in places else "not shown"

    new, old = ("is there" if value in places else "is not" for value in (NEW, OLD))
    values = f"the corrected database {new}, the old one {old}"
    return f"What worked is {place(PORT)}, what failed {place(TIMEOUT)}; {values}."


async def _exchange(memory: OpenMemory, told: _Telling, prompt: str, answer: str) -> Exchange:
    """One turn as an assistant's hooks play it: the briefing before, the exchange after."""
    told.says("user", prompt)
    shown = await memory.context(prompt, session="one", project=PROJECT)
    told.briefing(shown)
    told.says("assistant", answer)
    return await memory.record(prompt, answer, session="one", project=PROJECT)
