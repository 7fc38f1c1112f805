"""Why an assistant was shown what it was shown: what the log holds of it, and what is found when it is asked again.

The log holds what was shown, with its scores and reasons. What else stood for choice is not recorded; it is computed
anew from what was known right before, with the clock of then and the policy of now, and told apart from the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct, structs

from aftermind.cli.answering.filing import seen_by
from aftermind.cli.answering.telling.whole_life import judgements
from aftermind.cli.language.answers import Judgement
from aftermind.cli.past.opening import Past, Point, forgotten, open_past_at
from aftermind.engine.errors import NotFound
from aftermind.engine.events import (
    BookIngested,
    ContextInjected,
    Erased,
    ExchangeRecorded,
    MemoryRecorded,
    MemoryScored,
    PromptReceived,
)
from aftermind.engine.log import Recorded
from aftermind.engine.logs.past_log import PastLog
from aftermind.engine.masking.private import unmarked
from aftermind.engine.memory import evolve
from aftermind.engine.names import (
    EventId,
    MemoryId,
    Outcome,
    Position,
    Scope,
    SessionId,
    book_stream,
    memory_stream,
    session_stream,
)
from aftermind.engine.policy import Policy
from aftermind.engine.store.beside import read_log
from aftermind.projections.recalling.candidate import Candidate, was_asked_for
from aftermind.projections.recalling.recall import Query, by_id
from aftermind.projections.recalling.shown.briefing import briefing
from aftermind.projections.recalling.shown.wording import said_by

MOST = 200
"""Memories that are looked through for those that would answer and may not."""


class Line(Struct, frozen=True, kw_only=True):
    """One memory of a briefing, in the words of then, and how it did there: by whose word, None where nobody said.
    `source`: who said it; of a chunk its book, the headings above it, its pages."""

    memory: MemoryId
    rank: int
    score: float
    reasons: tuple[str, ...]
    text: str
    answer: str
    outcome: Outcome | None = None
    judge: str = ""
    source: str = ""


class Left(Struct, frozen=True, kw_only=True):
    """One that stood for choice and was not shown."""

    memory: MemoryId
    score: float
    why: str
    text: str
    answer: str
    source: str = ""


class Again(Struct, frozen=True, kw_only=True):
    """The same asked again. `as_shown`: whether it shows what was shown; `elsewhere`: memories of other projects that
    would have answered, which nobody is shown there."""

    position: Position
    time: datetime
    as_shown: bool
    lines: tuple[Line, ...]
    left_out: tuple[Left, ...]
    elsewhere: int
    model: str
    why_words: str = ""
    """Why words decided alone."""


class Shown(Struct, frozen=True, kw_only=True):
    """A prompt and its briefing; `injection` is None where nothing was shown. `exchange`: what it became part of."""

    injection: EventId | None
    prompt: EventId | None
    position: Position
    at: datetime
    session: SessionId
    scope: Scope
    query: str
    tokens: int
    lines: tuple[Line, ...]
    exchange: EventId | None
    verdicts: tuple[Judgement, ...]
    again: Again | None = None
    why_not_again: str = ""


async def shown(
    folder: Path,
    id: EventId,
    policy: Policy,
    model: str,
    *,
    again: bool = True,
    told: Callable[[float], None] = lambda _: None,
) -> Shown:
    """What is known of an injection, or of a prompt, by its event. `NotFound` where there is none, or it is forgotten.
    `again`: with what was left out, for which the log is folded up to there."""
    async with read_log(folder) as whole:
        log = PastLog(whole, whole.head.position, await forgotten(folder, whole))
        prompt, injected = await _found(log, id)
        one = injected or prompt
        assert one is not None
        event = one.draft.event
        assert isinstance(event, ContextInjected | PromptReceived)
        story = await log.stream(session_stream(event.session))
        query = event.query if isinstance(event, ContextInjected) else event.text
        exchange = _exchange(story, prompt, injected)
        found = Shown(
            injection=injected.draft.id if injected is not None else None,
            prompt=prompt.draft.id if prompt is not None else None,
            position=one.position,
            at=one.draft.at,
            session=event.session,
            scope=event.scope,
            query=query,
            tokens=event.tokens if isinstance(event, ContextInjected) else 0,
            lines=await _lines(log, injected),
            exchange=exchange,
            verdicts=judgements(story, exchange),
        )
    if prompt is None and not query.strip():
        asked_for = isinstance(event, ContextInjected) and was_asked_for(line.reasons for line in event.shown)
        why = "it was asked for without words" if asked_for else "a session began with it"
        return structs.replace(found, why_not_again=f"{why}, which nothing was looked up for")
    if not again:
        return structs.replace(found, why_not_again="not asked for")
    point = Point(Position(one.position - 1), one.draft.at)
    async with open_past_at(folder, point, policy=policy, model=model, told=told) as past:
        return structs.replace(found, again=await _again(past, found, policy))


async def _found(log: PastLog, id: EventId) -> tuple[Recorded | None, Recorded | None]:
    """The prompt, and what was shown for it."""
    one = await log.find(id)
    match one.draft.event if one is not None else None:
        case ContextInjected():
            assert one is not None
            because = one.draft.because
            prompt = await log.find(because) if because is not None else None
            return (prompt if prompt and isinstance(prompt.draft.event, PromptReceived) else None), one
        case PromptReceived(session=session):
            injected = [
                other
                for other in await log.stream(session_stream(session))
                if isinstance(other.draft.event, ContextInjected) and other.draft.because == id
            ]
            return one, injected[-1] if injected else None
        case Erased():
            raise NotFound("briefing", id, hint="what it said is forgotten")
        case _:
            raise NotFound("briefing", id, hint="`aftermind log --type context-injected` lists them")


def _exchange(story: Sequence[Recorded], prompt: Recorded | None, injected: Recorded | None) -> EventId | None:
    """The exchange of the session that says the briefing was for it."""
    for one in story:
        event = one.draft.event
        if isinstance(event, ExchangeRecorded) and injected is not None and injected.draft.id in event.injections:
            return one.draft.id
        if isinstance(event, ExchangeRecorded) and prompt is not None and one.draft.because == prompt.draft.id:
            return one.draft.id
    return None


async def _lines(log: PastLog, injected: Recorded | None) -> tuple[Line, ...]:
    if injected is None or not isinstance(injected.draft.event, ContextInjected):
        return ()
    found = []
    for one in injected.draft.event.shown:
        was, last, said = None, None, None
        for recorded in await log.stream(memory_stream(one.memory)):
            event = recorded.draft.event
            if recorded.position < injected.position:
                was = evolve(was, event)
                said = event if isinstance(event, MemoryRecorded) else said
            if isinstance(event, MemoryScored) and event.occasion == injected.draft.id:
                last = event
        found.append(
            Line(
                memory=one.memory,
                rank=one.rank,
                score=one.score,
                reasons=one.reasons if was is not None else (),  # they quote what is forgotten
                text=was.text if was is not None else "",
                answer=was.answer if was is not None else "",
                outcome=last.outcome if last is not None else None,
                judge=last.judge if last is not None else "",
                source=await _source(log, said, injected.position) if was is not None and said is not None else "",
            )
        )
    return tuple(found)


async def _source(log: PastLog, said: MemoryRecorded, before: Position) -> str:
    """With the pages that the edition of then had it on."""
    pages = (0, 0)
    for one in await log.stream(book_stream(said.book)) if said.book is not None else ():
        event = one.draft.event
        if one.position < before and isinstance(event, BookIngested) and event.pages and said.memory in event.chunks:
            place = event.chunks.index(said.memory)
            pages = event.pages[place], (event.ends or event.pages)[place]
    return said_by(said.speaker, said.place, pages)


async def _again(past: Past, found: Shown, policy: Policy) -> Again:
    store, now = past.opened, past.now()
    scopes = await seen_by(store, found.scope)
    query = Query(text=unmarked(found.query), scopes=scopes, prompt=found.prompt is not None)
    answer = await store.recalled(structs.replace(query, left_out=True), now, policy.ranking)
    block = briefing(answer.hits, answer.left_out, now, policy.ranking)
    kept = {hit.candidate.memory for hit in block.hits}
    texts = await store.read(lambda c: {one.memory: by_id(c, one.memory) for one in block.left_out})
    left = [_left(one.memory, one.score, one.why, texts[one.memory]) for one in block.left_out]
    known = kept | set(texts)
    wide = structs.replace(query, history=True, limit=MOST, chosen_from=True)
    for hit in (await store.recalled(wide, now, policy.ranking)).hits:
        one = hit.candidate
        if one.memory not in known and one.status != "live":
            by = f" by {one.successor}" if one.status == "superseded" and one.successor else ""
            why = "an earlier wording" if one.status == "corrected" else f"it is {one.status}{by}"
            left.append(_left(one.memory, hit.score, why, one))
        elif one.memory not in known:
            left.append(_left(one.memory, hit.score, "it has expired", one))
    others = await store.read(lambda c: [Scope(row[0]) for row in c.execute("SELECT DISTINCT scope FROM shelf")])
    foreign = structs.replace(query, scopes=tuple(scope for scope in others if scope not in scopes), limit=MOST)
    elsewhere = len((await store.recalled(foreign, now, policy.ranking)).hits) if foreign.scopes else 0
    lines = tuple(
        Line(
            memory=hit.candidate.memory,
            rank=rank,
            score=round(hit.score, 4),
            reasons=hit.reasons,
            text=hit.candidate.text,
            answer=hit.candidate.answer,
            source=_source_of(hit.candidate),
        )
        for rank, hit in enumerate(block.hits, 1)
    )
    return Again(
        position=past.point.position,
        time=now,
        as_shown=sorted(line.memory for line in lines) == sorted(line.memory for line in found.lines),
        lines=lines,
        left_out=tuple(sorted(left, key=lambda one: -one.score)),
        elsewhere=elsewhere,
        model=past.meant.name,
        why_words=past.meant.why,
    )


def _left(memory: MemoryId, score: float, why: str, one: Candidate | None) -> Left:
    if one is None:
        return Left(memory=memory, score=round(score, 4), why=why, text="", answer="")
    source = _source_of(one)
    return Left(memory=memory, score=round(score, 4), why=why, text=one.text, answer=one.answer, source=source)


def _source_of(one: Candidate) -> str:
    return said_by(one.speaker, one.place, one.pages)
