"""An open store: everything a program can ask of it. The CLI, the demo and the bench use nothing else.

Times are aware datetimes. `project` is a folder (its repository is found), a name, a project's id, or None for what
is visible everywhere. `session` is the client's own id. Each method that writes returns when what it wrote is
durable; each that reads knows everything written before it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import structs

from aftermind.cli import asking, recording, scoring
from aftermind.cli.answers import Context, Exchange, Recalled, Remembered, Stats, Verdict, Why, remembered
from aftermind.cli.filing import client_label, session_id
from aftermind.cli.opened import Opened, said
from aftermind.engine import memory as life
from aftermind.engine.errors import Unusable
from aftermind.engine.events import SessionEnded, ToolUse
from aftermind.engine.log import Append, Recorded, follow
from aftermind.engine.names import Collection, Kind, MemoryId, Outcome, Position, session_stream
from aftermind.engine.secrets import mask
from aftermind.engine.stored import storable
from aftermind.engine.verify import Verified
from aftermind.projections.briefing import without_briefings


class OpenMemory:
    """Made by `open_memory`, good until its block ends."""

    def __init__(self, store: Opened) -> None:
        self._store = store

    @property
    def folder(self) -> Path:
        return self._store.folder

    # --- what was said ----------------------------------------------------------------------------------------

    async def record(
        self,
        prompt: str,
        answer: str,
        *,
        session: str,
        project: str | Path | None = None,
        id: str | None = None,
        tools: Sequence[ToolUse] = (),
        client: str = "",
        at: datetime | None = None,
        collection: Collection = "working",
    ) -> Exchange:
        """One exchange; a memory is born from it. What was shown in the session for its last prompt, and at its
        start, is taken as shown for this one.

        `id` is the client's id of the message: the same one again is a no-op, with a fuller answer a revision, with
        another text `ExchangeDiffers`. `at` says when it happened, for imports.
        """
        return await recording.record(self._store, prompt, answer, session, project, id, tools, client, at, collection)

    async def remember(
        self,
        text: str,
        *,
        kind: Kind = "fact",
        collection: Collection = "memory_bank",
        project: str | Path | None = None,
        tags: Sequence[str] = (),
        speaker: str = "",
        session: str | None = None,
        at: datetime | None = None,
        supersedes: str | None = None,
    ) -> MemoryId:
        """One stated memory. With `supersedes`, it takes that memory's place in recall."""
        return await recording.remember(
            self._store, text, kind, collection, project, tags, speaker, session, at, supersedes
        )

    async def end_session(self, session: str, reason: str = "ended") -> None:
        """The session is over: its last exchange has had its follow-up."""
        id = session_id(session)
        draft = self._store.stamp.draft(SessionEnded(session=id, reason=client_label(reason)))
        await self._store.log.append(Append(stream=session_stream(id), drafts=(draft,)))

    # --- what is known ----------------------------------------------------------------------------------------

    async def recall(
        self,
        query: str,
        *,
        project: str | Path | None = None,
        limit: int | None = None,
        collections: Sequence[Collection] = (),
        kinds: Sequence[Kind] = (),
        history: bool = False,
        floor: bool = True,
    ) -> tuple[Recalled, ...]:
        """The memories that answer a query, best first, none where nothing is relevant. Records nothing.

        `history` also finds what was superseded, corrected or expired. Without `floor` the weakest match counts.
        """
        return await asking.recall(self._store, query, project, limit, collections, kinds, history, floor)

    async def context(
        self,
        prompt: str | None = None,
        *,
        session: str,
        project: str | Path | None = None,
        client: str = "",
        budget: int | None = None,
        limit: int | None = None,
    ) -> Context:
        """The briefing for a prompt, or without one of the newest exchanges; recorded, so that what was shown can be
        credited. `budget` is in tokens and hard."""
        if (budget is not None and budget < 0) or (limit is not None and limit < 1):
            raise Unusable("a budget must be at least 0 and a limit at least 1", (budget, limit))
        ranking = self._store.policy.ranking
        ranking = structs.replace(
            ranking,
            budget=ranking.budget if budget is None else budget,
            limit=ranking.limit if limit is None else limit,
        )
        return await asking.context(self._store, prompt, session, project, client, ranking)

    async def latest(
        self,
        *,
        project: str | Path | None = None,
        limit: int = 20,
        collections: Sequence[Collection] = (),
        kinds: Sequence[Kind] = (),
        tags: Sequence[str] = (),
        history: bool = False,
    ) -> tuple[Remembered, ...]:
        """The newest memories, newest first; of those tags, where some are given."""
        return await asking.latest(self._store, project, limit, collections, kinds, tags, history)

    async def show(self, id: str) -> Remembered:
        """A memory whatever its status, or a past wording (`<memory>@<position>`)."""
        return remembered(await self._store.memory(id))

    async def why(self, id: str) -> Why:
        """A memory's whole life: where it came from, where it was shown, how it did, how it moved."""
        return await asking.why(self._store, id)

    async def stats(self, project: str | Path | None = None) -> Stats:
        return await asking.stats(self._store, project)

    # --- how it went ------------------------------------------------------------------------------------------

    async def score(
        self,
        outcome: Outcome | None = None,
        *,
        exchange: str | None = None,
        session: str | None = None,
        project: str | Path | None = None,
        memories: Mapping[str, Outcome] | None = None,
        judge: str = "person",
        evidence: str = "",
    ) -> Verdict:
        """A verdict on an exchange (the last one where none is named): on the memory born from it and those of the
        memories shown in it that left a trace in its answer, or on those
        named in `memories`. The same exchange judged again replaces the earlier verdict."""
        return await scoring.score(self._store, outcome, exchange, session, project, memories or {}, judge, evidence)

    # --- what becomes of a memory -----------------------------------------------------------------------------

    async def correct(self, id: str, text: str, reason: str = "") -> Remembered:
        """Another wording under the same id; the one before stays in history, its record is not carried over."""
        text = mask(storable(said(without_briefings(said(text, "a correction")), "a correction").strip()))
        await self._store.decide(id, lambda memory: life.correct(memory, text, reason))
        return await self.show(id)

    async def forget(self, id: str) -> None:
        """The memory is in no answer any more, nor are the prompts and briefings of the exchange it was born from."""
        quoted_in = await asking.quoted_in(self._store, id)
        await self._store.decide(id, lambda memory: life.forget(memory, quoted_in))
        await self.caught_up()

    async def promote(self, id: str) -> Remembered:
        now, rules = self._store.stamp.now(), self._store.policy.lifecycle
        await self._store.decide(id, lambda memory: life.promote(memory, now, rules))
        return await self.show(id)

    async def demote(self, id: str) -> Remembered:
        now, rules = self._store.stamp.now(), self._store.policy.lifecycle
        await self._store.decide(id, lambda memory: life.demote(memory, now, rules))
        return await self.show(id)

    async def lock(self, id: str) -> Remembered:
        """No rule may demote, supersede or expire it, and nobody change it, until it is unlocked."""
        await self._store.decide(id, life.lock)
        return await self.show(id)

    async def unlock(self, id: str) -> Remembered:
        await self._store.decide(id, life.unlock)
        return await self.show(id)

    async def archive(self, id: str, reason: str = "") -> Remembered:
        """Out of recall, until `restore`."""
        await self._store.decide(id, lambda memory: life.archive(memory, reason))
        return await self.show(id)

    async def restore(self, id: str) -> Remembered:
        """Back from the archive, from expiry or from supersession."""
        now, rules = self._store.stamp.now(), self._store.policy.lifecycle
        await self._store.decide(id, lambda memory: life.restore(memory, now, rules))
        return await self.show(id)

    async def sweep(self) -> int:
        """Records the end of memories whose time is over, a thousand at most; how many there were. Done when a store is
        opened. Nothing waits for it: what is over is not recalled anyway."""
        return await recording.sweep(self._store)

    # --- the log ----------------------------------------------------------------------------------------------

    async def caught_up(self) -> Position:
        """Returns when the views know everything that is in the log; the position they know."""
        await self._store.views.reached(None)
        return self._store.views.position

    async def events(self, after: int = 0, limit: int = 1000) -> Sequence[Recorded]:
        """What was recorded after a position, oldest first."""
        return await self._store.log.after(Position(after), limit=limit)

    def follow(self, after: int = 0) -> AsyncIterator[Sequence[Recorded]]:
        """Every event after a position, as it comes, for ever."""
        return follow(self._store.log, Position(after))

    async def verify(self) -> Verified:
        """Checks every link of the log; raises `LogDamaged` naming the last position that can be trusted."""
        return await self._store.log.verify()
