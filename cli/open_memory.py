"""An open store: everything a program can ask of it. The CLI, the demo and the bench use nothing else.

Times are aware datetimes. `project` is a folder (its repository is found), a name, a project's id, or None for what
is visible everywhere. `session` is the client's own id. Each method that writes returns when what it wrote is
durable; each that reads knows everything written before it. It is the same whichever process holds the store.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from aftermind.cli.language.answers import (
    Book,
    Context,
    Exchange,
    Ingested,
    Limited,
    Paused,
    Prompted,
    Recalled,
    Remembered,
    Stats,
    Verdict,
    Why,
    recorded,
)
from aftermind.cli.language.asked import Ask
from aftermind.cli.language.closed import all_of, one_of
from aftermind.cli.language.process import Modelled, State
from aftermind.cli.language.requests import (
    Become,
    Beyond,
    Books,
    Brief,
    CatchUp,
    Correct,
    Count,
    Edition,
    Embed,
    EndSession,
    Events,
    Explain,
    Forget,
    Ingest,
    Latest,
    Limits,
    Pause,
    Prompts,
    Recall,
    Record,
    Remember,
    RemoveBook,
    Report,
    Resume,
    Score,
    Show,
    Source,
    Sweep,
    Unread,
    Verify,
)
from aftermind.cli.places import as_written
from aftermind.cli.reaching.editions import sent, source_of
from aftermind.engine.errors import Unusable
from aftermind.engine.events import ToolUse
from aftermind.engine.log import Recorded
from aftermind.engine.logs.verify import Verified
from aftermind.engine.memories.book import Chunk
from aftermind.engine.names import COLLECTIONS, KINDS, OUTCOMES, Collection, Kind, MemoryId, Outcome, Position
from aftermind.engine.policy import Ranking


class OpenMemory:
    """Made by `open_memory`, good until its block ends."""

    def __init__(self, folder: Path, ask: Ask, ranking: Ranking | None) -> None:
        self.folder, self._ranking = folder, ranking
        self.ask = ask

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
        also: Sequence[str] = (),
        answered: Sequence[datetime] = (),
        elsewhere: Sequence[str | Path] = (),
    ) -> Exchange:
        """One exchange, and a memory of it. What was shown for the session's last prompt and at its start was for it.
        `id` is the client's of it (`also`: others): the same again is a no-op, with a fuller answer a revision, with
        another text `ExchangeDiffers`. An import's `at`, `answered`, `elsewhere` say when and where else it was."""
        one_of(collection, COLLECTIONS, "collection")
        return await self.ask(
            Record(
                prompt=prompt,
                answer=answer,
                session=session,
                project=as_written(project),
                id=id,
                tools=tuple(tools),
                client=client,
                at=at,
                collection=collection,
                also=tuple(also),
                answered=tuple(answered),
                elsewhere=tuple(str(as_written(one)) for one in elsewhere),
            )
        )

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
        """One stated memory, in the place of `supersedes`, and of older values of the same thing (decision 56)."""
        one_of(kind, KINDS, "kind")
        one_of(collection, COLLECTIONS, "collection")
        return await self.ask(
            Remember(
                text=text,
                kind=kind,
                collection=collection,
                project=as_written(project),
                tags=tuple(tags),
                speaker=speaker,
                session=session,
                at=at,
                supersedes=supersedes,
            )
        )

    async def end_session(self, session: str, reason: str = "ended") -> None:
        """The session is over: its last exchange has had its follow-up."""
        await self.ask(EndSession(session=session, reason=reason))

    # --- what is not said -------------------------------------------------------------------------------------

    async def pause(self, project: str | Path | None = None, *, until: datetime | None = None) -> Paused:
        """From now on nothing is captured or shown in a project (None: anywhere), `until` then or until `resume`."""
        return await self.ask(Pause(project=as_written(project), until=until))

    async def resume(self, project: str | Path | None = None) -> bool:
        """Ends the pause of a project (None: the one of everywhere, not those of projects); whether there was one."""
        return await self.ask(Resume(project=as_written(project)))

    async def limits(self, project: str | Path | None = None) -> Limited:
        """What is paused now, and why nothing is captured or shown in a project, if that is so."""
        return await self.ask(Limits(project=as_written(project)))

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
        at: datetime | None = None,
        floor: bool = True,
        prompt: bool = False,
    ) -> tuple[Recalled, ...]:
        """What answers a query, best first; records nothing. `history` finds what was superseded or corrected, too;
        `at` what was so then; without `floor` the weakest. In a `prompt` to an assistant small talk says nothing."""
        return await self.ask(
            Recall(
                query=query,
                project=as_written(project),
                limit=limit,
                collections=all_of(collections, COLLECTIONS, "collection"),
                kinds=all_of(kinds, KINDS, "kind"),
                history=history,
                at=at,
                floor=floor,
                prompt=prompt,
                ranking=self._ranking,
            )
        )

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
        """The briefing for a prompt, or without one what a session begins with, in its sections.
        Recorded, so that what was shown can be credited. `budget` is in tokens and hard."""
        if (budget is not None and budget < 0) or (limit is not None and limit < 1):
            raise Unusable("a budget must be at least 0 and a limit at least 1", (budget, limit))
        return await self.ask(
            Brief(
                prompt=prompt,
                session=session,
                project=as_written(project),
                client=client,
                budget=budget,
                limit=limit,
                ranking=self._ranking,
            )
        )

    async def latest(
        self,
        *,
        project: str | Path | None = None,
        limit: int = 20,
        collections: Sequence[Collection] = (),
        kinds: Sequence[Kind] = (),
        tags: Sequence[str] = (),
        history: bool = False,
        at: datetime | None = None,
    ) -> tuple[Remembered, ...]:
        """The newest memories, newest first; of those tags, where some are given; `at`: as it was then."""
        return await self.ask(
            Latest(
                project=as_written(project),
                limit=limit,
                collections=all_of(collections, COLLECTIONS, "collection"),
                kinds=all_of(kinds, KINDS, "kind"),
                tags=tuple(tags),
                history=history,
                at=at,
            )
        )

    async def show(self, id: str) -> Remembered:
        """A memory whatever its status, or a past wording (`<memory>@<position>`)."""
        return await self.ask(Show(id=id))

    async def why(self, id: str) -> Why:
        """A memory's whole life: where it came from, where it was shown, how it did, how it moved."""
        return await self.ask(Explain(id=id))

    async def stats(self, project: str | Path | None = None) -> Stats:
        return await self.ask(Count(project=as_written(project)))

    async def prompts(self, limit: int = 5, *, of: str | Path | None = None, all: bool = True) -> tuple[Prompted, ...]:
        """The last prompts, newest first, with what was shown or why nothing was: all, or those `of` a project."""
        return await self.ask(Prompts(limit=limit, project=as_written(of), all=all))

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
        """A verdict on an exchange (the last one where none is named): on the memory born from it and what was shown in
        it and left a trace in the answer, or on those named in `memories`. Judged again, the later verdict counts."""
        for word in (*([outcome] if outcome is not None else []), *(memories or {}).values()):
            one_of(word, OUTCOMES, "outcome")
        return await self.ask(
            Score(
                outcome=outcome,
                exchange=exchange,
                session=session,
                project=as_written(project),
                memories=dict(memories or {}),
                judge=judge,
                evidence=evidence,
            )
        )

    # --- what becomes of a memory -----------------------------------------------------------------------------

    async def correct(self, id: str, text: str, reason: str = "") -> Remembered:
        """Another wording under the same id; the one before stays in history, its record is not carried over."""
        return await self.ask(Correct(id=id, text=text, reason=reason))

    async def forget(self, id: str) -> None:
        """The memory is in no answer any more, nor are the prompts and briefings of the exchange it was born from."""
        await self.ask(Forget(id=id))

    async def promote(self, id: str) -> Remembered:
        return await self.ask(Become(id=id, step="promote"))

    async def demote(self, id: str) -> Remembered:
        return await self.ask(Become(id=id, step="demote"))

    async def lock(self, id: str) -> Remembered:
        """No rule may demote, supersede or expire it, and nobody change it, until it is unlocked."""
        return await self.ask(Become(id=id, step="lock"))

    async def unlock(self, id: str) -> Remembered:
        return await self.ask(Become(id=id, step="unlock"))

    async def archive(self, id: str, reason: str = "") -> Remembered:
        """Out of recall, until `restore`."""
        return await self.ask(Become(id=id, step="archive", reason=reason))

    async def restore(self, id: str) -> Remembered:
        """Back from the archive, from expiry or from supersession."""
        return await self.ask(Become(id=id, step="restore"))

    async def sweep(self) -> int:
        """Records the end of memories whose time is over, a thousand at most; how many there were. Done when a store is
        opened, and by the daemon when it is time. Nothing waits for it: what is over is not recalled anyway."""
        return await self.ask(Sweep())

    async def embedded(self, seconds: float = 600.0) -> Modelled:
        """Loads the configured model where it is not loaded yet, and returns when every memory has its vectors, or
        after so many seconds: how that stands. A daemon does this by itself; recall never waits for it."""
        return await self.ask(Embed(seconds=seconds))

    # --- books ------------------------------------------------------------------------------------------------

    async def ingest(
        self,
        path: str | Path,
        chunks: Iterable[Chunk] | AsyncIterable[Chunk],
        *,
        title: str,
        form: str = "",
        digest: str = "",
        size: int = 0,
        cut: int = 1,
        project: str | Path | None = None,
    ) -> Ingested:
        """A book's next edition: these chunks, in their order, taken as they come. The same `path` in the same project
        is the same book; chunks with the same text stay what they are, those it no longer has leave recall."""
        edition = Edition(path=source_of(path), title=title, form=form, digest=digest, size=size, cut=cut)
        return await sent(self.ask, edition, chunks, as_written(project))

    async def ingest_all(self, editions: Sequence[Edition], project: str | Path | None = None) -> tuple[Ingested, ...]:
        """The next editions of many small books at once: all of them, or where one cannot be, none."""
        return await self.ask(Ingest(editions=tuple(editions), project=as_written(project)))

    async def unread(
        self, sources: Sequence[Source], *, cut: int = 1, project: str | Path | None = None
    ) -> tuple[int, ...]:
        """Which of the sources, counted from 0, are not what their newest edition was made of."""
        return await self.ask(Unread(sources=tuple(sources), cut=cut, project=as_written(project)))

    async def books(
        self, project: str | Path | None = None, *, all: bool = False, id: str | None = None
    ) -> tuple[Book, ...]:
        """The books of a project, or without one those that are visible everywhere; or all; of these, one by its id."""
        return await self.ask(Books(project=as_written(project), all=all, id=id))

    async def remove(self, book: str) -> None:
        """A book's chunks are out of recall, until it is ingested again."""
        await self.ask(RemoveBook(id=book))

    # --- the log ----------------------------------------------------------------------------------------------

    async def caught_up(self) -> Position:
        """Returns when the views know everything that is in the log; the position they know."""
        return await self.ask(CatchUp())

    async def events(self, after: int = 0, limit: int = 1000) -> Sequence[Recorded]:
        """What was recorded after a position, oldest first; less than `limit` where the events are large, nothing only
        where there are none."""
        return [recorded(kept) for kept in await self.ask(Events(after=after, limit=limit))]

    async def follow(self, after: int = 0) -> AsyncIterator[Sequence[Recorded]]:
        """Every event after a position, as it comes, for ever."""
        while True:
            while events := await self.events(after):
                after = events[-1].position
                yield events
            await self.ask(Beyond(position=after))

    async def verify(self) -> Verified:
        """Checks every link of the log; raises `LogDamaged` naming the last position that can be trusted."""
        return await self.ask(Verify())

    async def state(self) -> State:
        """How the process that holds the store is: this one, or the one that answers."""
        return await self.ask(Report())
