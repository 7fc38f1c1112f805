"""`aftermind demo`: two sessions of one conversation, played in a store of their own that is gone afterwards.

Nothing here is staged: each line printed comes back from the public API, which does what it does for anybody.
"""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser, Namespace
from datetime import datetime, timedelta

import aftermind
from aftermind.cli.answers import Context, Exchange, Verdict
from aftermind.cli.open_memory import OpenMemory
from aftermind.engine.names import Outcome
from aftermind.engine.stamp import Stamp

PROJECT = "checkout"
TIMEOUT = "Raise the timeout of the health check to 120 seconds in deploy/staging.yaml and deploy staging again."
PORT = "The health check asks port 8080, but checkout listens on 8081 in staging: set healthcheck.port to 8081."
ASKED = "The staging deploy fails: the health check times out. How do I fix it?"


def configure(parser: ArgumentParser) -> None:
    """Takes nothing."""


async def run(arguments: Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="aftermind-demo-") as folder:
        clock = _Clock()
        stamp = Stamp(now=clock.now)
        async with aftermind.open_memory(folder, stamp=stamp) as memory:
            await _first_session(memory)
        clock.ahead += timedelta(hours=20)
        async with aftermind.open_memory(folder, stamp=stamp) as memory:
            await _second_session(memory)
    return 0


class _Clock:
    """The real clock, moved on by hand so that the second session is on the next day."""

    ahead = -timedelta(hours=20)

    def now(self) -> datetime:
        return Stamp().now() + self.ahead


async def _first_session(memory: OpenMemory) -> None:
    _title("Session 1, yesterday")
    failed = await _exchange(memory, "one", ASKED, TIMEOUT)
    _say("user", "No, it still times out after 120 seconds.")
    _verdict("the advice failed", await memory.score("failed", exchange=failed.id, evidence="it still times out"))

    worked = await _exchange(memory, "one", "The health check of the staging deploy still times out. What else?", PORT)
    _say("user", "That was it, staging is up.")
    mine: dict[str, Outcome] = {worked.memory: "worked"}
    verdict = await memory.score("worked", exchange=worked.id, memories=mine, evidence="staging is up")
    _verdict("other advice worked", verdict)

    database = await memory.remember("The staging database is db-1.internal", kind="configuration", project=PROJECT)
    _say("remember", f"The staging database is db-1.internal  [{database}]")
    again = await _exchange(
        memory, "one", "After the rebase the staging deploy times out in its health check again.", "Same cause. " + PORT
    )
    _say("user", "Yes, the port again. Works.")
    verdict = await memory.score("worked", exchange=again.id, memories=mine, evidence="works")
    _verdict("the same advice worked again, where it was shown", verdict)
    corrected = await memory.correct(database, "The staging database is db-2.internal", "it moved on Monday")
    _say("correct", f"{corrected.text}  [{corrected.id}]")
    await memory.end_session("one")


async def _second_session(memory: OpenMemory) -> None:
    _title("Session 2, today")
    prompt = "The staging deploy times out in its health check, and which staging database do we use?"
    _say("user", prompt)
    shown = await memory.context(prompt, session="two", project=PROJECT)
    _briefing(shown)
    places = {hit.memory.answer or hit.text: hit.rank for hit in shown.memories}
    print(f"{'':>10}  What worked is at place {places[PORT]}, what failed at place {places[TIMEOUT]}.")
    print(f"{'':>10}  The correction is in: {'The staging database is db-2.internal' in places}.", end="")
    print(f" The old value is: {'The staging database is db-1.internal' in places}.")
    advice = max(shown.memories, key=lambda hit: hit.memory.outcomes.worked)
    _title(f"aftermind why {advice.id}")
    for step in (await memory.why(advice.id)).steps:
        because = f"  ← {step.because[-6:]}" if step.because else ""
        print(f"  {step.event[-6:]}  {step.at:%a %H:%M:%S}  {step.what}{because}")


async def _exchange(memory: OpenMemory, session: str, prompt: str, answer: str) -> Exchange:
    """One turn as an assistant's hooks play it: the briefing before, the exchange after."""
    _say("user", prompt)
    shown = await memory.context(prompt, session=session, project=PROJECT)
    _briefing(shown)
    _say("assistant", answer)
    return await memory.record(prompt, answer, session=session, project=PROJECT)


def _title(text: str) -> None:
    print(f"\n── {text} {'─' * max(3, 100 - len(text))}\n")


def _say(who: str, text: str) -> None:
    print(f"{who:>10}  {text}")


def _verdict(what: str, verdict: Verdict) -> None:
    for moved in verdict.memories:
        rose = f", now in {moved.to}" if moved.to else ""
        print(f"{'':>10}  → {what}: {moved.id} {moved.outcome}{rose}")
    print()


def _briefing(shown: Context) -> None:
    if not shown.text:
        _say("", "(nothing relevant yet, nothing shown)")
        return
    for line in shown.text.splitlines():
        print(f"{'':>10}  │ {line}")
