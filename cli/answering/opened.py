"""What an open store is made of, and the two ways everything uses it: read what is known, decide and append."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import anyio
from msgspec import Struct, field

from aftermind.cli.answering.meanwhile import Meanwhile
from aftermind.cli.erasing.erasing import Erasing
from aftermind.cli.privacy.lists import Lists
from aftermind.engine import memory as life
from aftermind.engine.errors import NotFound, Refused
from aftermind.engine.events import Known
from aftermind.engine.log import Draft
from aftermind.engine.logs.past_log import PastLog
from aftermind.engine.logs.sqlite_log import SqliteLog
from aftermind.engine.logs.transact import Decide, Histories, transact
from aftermind.engine.names import FIRST, EventId, MemoryId, Position, Scope, StreamName, Version, memory_stream
from aftermind.engine.policy import Policy, Ranking
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import Stamp, numbered
from aftermind.engine.store.spool import spooled
from aftermind.engine.stored import storable
from aftermind.engine.views.generations import Views
from aftermind.engine.views.projection import Projection
from aftermind.projections.reading.subject import subject
from aftermind.projections.recalling.candidate import Candidate, Ranked
from aftermind.projections.recalling.nearby import Nearing
from aftermind.projections.recalling.recall import Query, by_id

T = TypeVar("T")
SMALL = 50_000
"""Events of a store in which recall takes a few milliseconds, for which no other thread is woken."""


class Opened(Struct, frozen=True, kw_only=True):
    folder: Path
    log: SqliteLog | PastLog
    views: Views
    policy: Policy
    stamp: Stamp
    turn: anyio.Lock = field(default_factory=anyio.Lock)
    """Held by who reads in order to decide: within one process nobody has to decide twice."""
    meanwhile: Meanwhile = field(default_factory=Meanwhile)
    """Shared by every copy of this, as for one request with a stamp of its own."""
    off_limits: Lists
    near: Callable[[str, Sequence[Scope], float], Nearing]
    """Asks how near memories are to a query, where there is a model, and a cosine of an answer counts so much of
    itself."""
    erasing: Erasing | None = None
    """How what was forgotten goes out of every file; none where nothing can be forgotten."""
    scoring: str = "sidecar"
    """Who judges: `sidecar`, `assistant` or `cues`."""
    sees: tuple[Scope, ...] | None = None
    """The scopes whose memories there are, for who asks; without them all."""

    def is_gone(self, id: EventId) -> bool:
        """Whether an event was forgotten: it is erased, or is about to be."""
        return self.erasing is not None and self.erasing.knows(id)

    def may_wait(self) -> bool:
        """Whether what was told before may still be in the spool. Before what comes out of there, nothing is left."""
        return self.stamp.asked is None and bool(spooled(self.folder).waiting)

    async def read(self, work: Callable[[Connection], T], known: Position | None = None) -> T:
        """`work` on the views, level with the log, or at least with what was `known`."""
        await self.views.reached(known)
        return await self.views.read(work)

    async def known(self, view: Projection, work: Callable[..., T], *about: Hashable) -> T:
        """What `work(connection, *about)` reads of that view alone, level with the log: nearly always out of memory."""
        await self.views.reached(None)
        return await self.views.known(view, work, *about)

    async def recalled(self, query: Query, now: datetime, ranking: Ranking, known: Position | None = None) -> Ranked:
        """The answer to a query, of what was `known` at least (None: of all). Its words are looked up while the model
        computes its vector; where that is there at once, or there is no model, everything is one visit to the
        views. A small store is read in this thread."""
        from aftermind.projections.recalling import finding  # and numpy: not for who asks nothing

        await self.views.reached(known)
        here = self.views.position <= SMALL
        about = subject(query.text, ranking.talk_longest)
        nearing = self.near(about, query.scopes, ranking.answer_near)
        try:
            if nearing.there():
                near = await nearing.told()
                return await self.views.read(lambda c: finding.answered(c, query, now, ranking, near), here=here)
            matched = await self.views.read(lambda c: finding.begun(c, query, now, ranking, nearing), here=here)
            near = await nearing.told()
        finally:
            nearing.give_up()
        return await self.views.read(lambda c: finding.recalled(c, ranking, matched, near), here=here)

    async def memory(self, id: str) -> Candidate:
        """The memory of that id, or a past wording; `NotFound` otherwise, and `Refused` for what is only seen here."""
        found = await self.read(lambda c: by_id(c, storable(id), self.sees))
        if found is None and self.sees and (shared := self.meanwhile.sharing.get(self.sees[-1])):
            found = await self.read(lambda c: by_id(c, storable(id), shared))
            if found is not None:
                hint = "it is changed where it belongs"
                raise Refused(f"{found.memory} belongs to another project, and is only seen here", hint=hint)
        if found is None:
            raise NotFound("memory", id)
        return found

    async def first_id(self) -> tuple[EventId, bool]:
        """The id of the first event a request leads to, to be taken before anything is read; and whether it is
        recorded, because the same request was delivered before."""
        id = self.stamp.new_id()
        return id, self.stamp.ids is not None and await self.log.find(id) is not None

    async def decide(
        self,
        id: str,
        first: EventId,
        decision: Callable[[life.Memory], Sequence[Known]],
        others: Sequence[StreamName] = (),
        also: Callable[[Histories], Mapping[StreamName, Sequence[Draft]]] = lambda _: {},
    ) -> Position | None:
        """Appends what one memory's state leads to, beginning with the id `first`, from which the rest follows, and in
        `others` what that leads to `also`; None when it is nothing."""
        memory = MemoryId(storable(id))
        if self.sees is not None:
            await self.memory(id)
        stream = memory_stream(memory)

        def drafts(histories: Histories) -> dict[StreamName, Sequence[Draft]]:
            events = decision(life.fold(memory, histories[stream]))
            own = [
                self.stamp.draft(event, id=numbered(first, n), because=first if n > 1 else None)
                for n, event in enumerate(events, 1)
            ]
            return {stream: own, **(also(histories) if own else {})}

        return await self.transact([stream, *others], drafts)

    async def transact(self, streams: Sequence[StreamName], decide: Decide, since: Version = FIRST) -> Position | None:
        """`transact` on the log, in turn."""
        async with self.turn:
            return await transact(self.log, streams, decide, since)


def not_yet(what: str) -> Refused:
    """The refusal of what is told before that which it goes with came out of the spool; every client spools it."""
    return Refused(f"its {what} may still be in the spool", hint="it is told again after what waits there")
