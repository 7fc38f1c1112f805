"""Judges for tests: they take work, say what they are told to say of it, and put that."""

from __future__ import annotations

from collections.abc import Callable

from aftermind import OpenMemory
from aftermind.cli.language.judging import PutSaid, Reserve, TakeWork
from aftermind.engine.names import Label, Outcome
from aftermind.sidecar.ports import Case, Failed, Findings, Part, Price, Said, Signature, Spent, Usage, Work

MODEL = Signature(judge=Label("model"), model=Label("scripted"), revision=1)
CUES = Signature(judge=Label("cues"), revision=1)
PRICE = Price(tokens=100, dollars=0.01)
COST = Usage(calls=1, tokens_in=60, tokens_out=20, dollars=0.004, milliseconds=12)


async def taken(memory: OpenMemory, judge: Signature = MODEL) -> Work:
    return await memory.ask(TakeWork(judge=judge))


async def case(memory: OpenMemory, judge: Signature = MODEL) -> Case:
    work = await taken(memory, judge)
    assert isinstance(work, Case), work
    return work


async def put(memory: OpenMemory, of: Case, said: Said, judge: Signature = MODEL, paid: bool = False) -> bool:
    if not paid:
        return await memory.ask(PutSaid(ticket=of.ticket, judge=judge, said=said))
    reserved = await memory.ask(Reserve(ticket=of.ticket, judge=judge, price=PRICE))
    assert not isinstance(reserved, Spent)
    return await memory.ask(PutSaid(ticket=of.ticket, judge=judge, said=said, usage=COST, reserved=reserved))


def echo(of: Case) -> Findings:
    """Says which exchange and which follow-up it saw, and that everything shown helped."""
    parts = tuple(Part(memory=one.id, used=True, effect="helped") for one in of.shown)
    return Findings(outcome="worked", evidence=f"{of.prompt} | {of.answer} | {of.follow_up}", parts=parts)


def says(outcome: Outcome, **parts: str) -> Callable[[Case], Findings]:
    """An outcome, and an effect of each memory by its id."""
    return lambda of: Findings(
        outcome=outcome,
        evidence=of.follow_up or "",
        parts=tuple(Part(memory=id, used=True, effect=effect) for id, effect in parts.items()),  # type: ignore[arg-type]
    )


async def judge_all(
    memory: OpenMemory, says: Callable[[Case], Said] = echo, judge: Signature = MODEL, most: int = 1000
) -> list[Case]:
    """Everything that is ready; what was seen, in order."""
    seen: list[Case] = []
    while len(seen) < most and isinstance(work := await taken(memory, judge), Case):
        seen.append(work)
        assert await put(memory, work, says(work), judge)
    return seen


def unreadable(_: Case) -> Failed:
    return Failed(fault="unreadable", said="<html>")
