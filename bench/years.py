"""A store as years of work leave it: several projects, sessions of exchanges, stated facts, verdicts.

Half of the memories are exchanges, ten to a session, with an answer each and every fifth of them judged; half are
facts. The first project holds most of it. Words are drawn as in `stores.py`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from random import Random

from msgspec import Struct

from aftermind.engine.events import (
    ExchangeJudged,
    ExchangeRecorded,
    Known,
    MemoryRecorded,
    MemoryScored,
    MemoryVerdict,
    ProjectSeen,
)
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.names import (
    GLOBAL,
    Label,
    MemoryId,
    Outcome,
    Scope,
    SessionId,
    StreamName,
    memory_stream,
    project_scope,
    project_stream,
    session_stream,
)
from aftermind.engine.projects import new_project
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.generations import views
from aftermind.projections.catalog import ALL
from bench.stores import Prose, tokens

SHARES = {"orchard": 0.80, "harbour": 0.10, "meadow": 0.05}
"""Projects by their names, and the share of the memories each has; the rest is seen everywhere."""
LARGE, SMALL = "orchard", "meadow"
TURNS, JUDGED = 10, 5
AGE = timedelta(days=730)
SEED, APPENDED, QUESTIONS = 1, 1_000, 200


class Made(Struct, frozen=True, kw_only=True):
    """How long it took to make a store: to append its events, and to grow the views from them. `questions`: some of
    what was said in the large project and in the small one."""

    events: int
    appending: float
    growing: float
    questions: dict[str, list[str]]


class _Past:
    """What happened, in its order."""

    def __init__(self, memories: int) -> None:
        self.memories, self.stamp = memories, Stamp()
        self.events = 0
        self.texts: dict[str, list[str]] = {LARGE: [], SMALL: []}
        self._prose, self._random = Prose(SEED, tokens()), Random(SEED)
        self._now = datetime.now(UTC)
        self._made = 0

    def appends(self) -> Iterator[Append]:
        scopes = {"": GLOBAL}
        for name in SHARES:
            alias = (f"name:{name}",)
            project = new_project(alias)
            scopes[name] = project_scope(project)
            yield self._one(project_stream(project), ProjectSeen(project=project, name=name, aliases=alias))
        names, shares = [*SHARES, ""], [*SHARES.values(), 1 - sum(SHARES.values())]
        for session in count(1):
            name = self._random.choices(names, shares)[0]
            for turn in range(TURNS):
                yield from self._turn(name, scopes[name], SessionId(f"s{session}"), turn)
                yield self._fact(name, scopes[name])
                if self._made >= self.memories:
                    return

    def _turn(self, name: str, scope: Scope, session: SessionId, turn: int) -> Iterator[Append]:
        memory = self._next()
        prompt, answer = self._said(name), self._prose.text()
        stream = session_stream(session)
        told = ExchangeRecorded(session=session, scope=scope, memory=memory, prompt=prompt, answer=answer)
        exchange = self._one(stream, told)
        yield exchange
        id = exchange.drafts[0].id
        born = MemoryRecorded(
            memory=memory, kind="exchange", collection="history", scope=scope, text=prompt, answer=answer,
            session=session, exchange=id,
        )  # fmt: skip
        yield self._one(memory_stream(memory), born)
        if turn % JUDGED == 0:
            outcome: Outcome = self._random.choice(("worked", "worked", "failed"))
            on = (MemoryVerdict(memory=memory, outcome=outcome, occasion=id),)
            cues = Label("cues")
            yield self._one(
                stream, ExchangeJudged(session=session, exchange=id, outcome=outcome, memories=on, judge=cues)
            )
            scored = MemoryScored(memory=memory, outcome=outcome, occasion=id, judge=cues)
            yield self._one(memory_stream(memory), scored)

    def _fact(self, name: str, scope: Scope) -> Append:
        memory = self._next()
        event = MemoryRecorded(memory=memory, kind="fact", collection="memory_bank", scope=scope, text=self._said(name))
        return self._one(memory_stream(memory), event)

    def _one(self, stream: StreamName, event: Known) -> Append:
        self.events += 1
        at = self._now - AGE * (1 - self._made / self.memories)
        return Append(stream=stream, drafts=(self.stamp.draft(event, at=at),))

    def _next(self) -> MemoryId:
        self._made += 1
        return MemoryId(f"m{self._made:016x}")

    def _said(self, name: str) -> str:
        text = self._prose.text()
        if name in self.texts:
            self.texts[name].append(text)
        return text


async def lived(folder: Path, memories: int) -> Made:
    """A store of so many memories in `folder`, its views grown."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    past = _Past(memories)
    coming, appending = past.appends(), 0.0
    async with sqlite_log(folder / LOG, past.stamp) as log:
        while some := list(islice(coming, APPENDED)):
            started = time.perf_counter()
            await log.append(*some)
            appending += time.perf_counter() - started
        started = time.perf_counter()
        async with views(folder, log, ALL):
            growing = time.perf_counter() - started
    asked = {
        name: [texts[(n * 7919) % len(texts)] for n in range(QUESTIONS)]
        for name, texts in past.texts.items()
    }  # fmt: skip
    return Made(events=past.events, appending=appending, growing=growing, questions=asked)
