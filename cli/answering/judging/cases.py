"""One exchange as a judge reads it: its texts as they stand now, the memories of its own injections, what was said
next, and what is known that may speak of the same."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.cli.answering.capturing.guarding import folders_of, without_off_limits
from aftermind.cli.answering.filing import own_scopes
from aftermind.cli.answering.judging.verdicts import shown_in
from aftermind.cli.answering.opened import Opened
from aftermind.engine.events import ExchangeRecorded, ExchangeRevised, PromptReceived
from aftermind.engine.log import Recorded
from aftermind.engine.names import EventId, Label, MemoryId
from aftermind.projections.recalling.candidate import Candidate
from aftermind.projections.recalling.recall import Query, by_id
from aftermind.projections.views.waiting import Row
from aftermind.sidecar.ports import Case, Known, Ticket

MOST_KNOWN = 8
ASKED = 2_000
"""Characters of a prompt, and of its follow-up, by which what is known is looked up."""


async def case_of(store: Opened, row: Row, ticket: Ticket, judge: Label) -> tuple[Case, dict[MemoryId, EventId]] | None:
    """The case, and on which occasion each of its memories was shown; None where its text is no more to be had. `known`
    is for who reads meaning: what goes by signs alone does not ask for it."""
    told = await exchange_of(store, row)
    if told is None:
        return None
    answer, tools = told.answer, told.tools
    revised = await store.log.find(row.revised) if row.revised is not None else None
    if revised is not None and isinstance(revised.draft.event, ExchangeRevised):
        answer, tools = revised.draft.event.answer, revised.draft.event.tools or tools
    occasions = await store.read(lambda c: shown_in(c, row.exchange))
    shown = await store.read(lambda c: [found for id in occasions if (found := by_id(c, id)) is not None])
    follow_up = await _said(store, row.follow_up)
    folders = await store.read(lambda c: folders_of(c, row))
    known = [] if judge == "cues" else await _known(store, row, told.prompt, follow_up, occasions)
    case = Case(
        ticket=ticket,
        exchange=row.exchange,
        prompt=told.prompt,
        answer=answer,
        tools=without_off_limits(store, tools, folders[0] if folders else None),
        shown=tuple(map(_read, shown)),
        known=tuple(map(_read, known)),
        follow_up=follow_up,
        attempt=row.attempts + 1,
    )
    return case, occasions


async def exchange_of(store: Opened, row: Row) -> ExchangeRecorded | None:
    """The exchange as it was told; None where its text is no more to be had."""
    recorded = await store.log.find(row.exchange)
    told = None if recorded is None else recorded.draft.event
    return told if isinstance(told, ExchangeRecorded) else None


async def _said(store: Opened, id: EventId | None) -> str | None:
    return prompt_of(await store.log.find(id)) if id is not None else None


def prompt_of(recorded: Recorded | None) -> str | None:
    """What the user said in a prompt, or in an exchange whose prompt nobody saw."""
    match recorded.draft.event if recorded is not None else None:
        case PromptReceived(text=text):
            return text
        case ExchangeRecorded(prompt=prompt):
            return prompt
        case _:
            return None


async def _known(
    store: Opened, row: Row, prompt: str, follow_up: str | None, shown: Iterable[MemoryId]
) -> list[Candidate]:
    query = Query(
        text=f"{prompt[:ASKED]}\n{(follow_up or '')[:ASKED]}",
        scopes=own_scopes(row.scope),
        collections=("memory_bank",),
        limit=MOST_KNOWN + len(set(shown)),
    )
    found = await store.recalled(query, store.stamp.now(), store.policy.ranking)
    return [hit.candidate for hit in found.hits if hit.candidate.memory not in set(shown)][:MOST_KNOWN]


def _read(memory: Candidate) -> Known:
    return Known(id=memory.memory, kind=memory.kind, text=memory.text, answer=memory.answer)
