"""Recall by meaning, for the process that holds the store: the model in use, its vectors, and the change to another.

Nothing waits for it. Until a model is loaded, where none can be had, and whenever one fails, hangs or is slow, recall
works on words, and `aftermind model status` says why. Another model's vectors are computed beside those in use, which
go on following the log and serve until the others are complete.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import anyio
from anyio import to_thread

from aftermind.cli.holding.asked import SLOWEST, Asked
from aftermind.cli.holding.model_state import ModelState, Running
from aftermind.cli.language.process import Modelled
from aftermind.cli.logbook import Logbook
from aftermind.engine.errors import AftermindError, FileDamaged
from aftermind.engine.heaps import give_back
from aftermind.engine.log import Log
from aftermind.engine.names import Position, Scope
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.derived import CACHE
from aftermind.engine.views.generations import Views
from aftermind.projections.meaning.kept import in_use, last_name, pruned, renamed, rests, thrown_away
from aftermind.projections.meaning.model_files import DOWNLOADS, NONE, one_line
from aftermind.projections.recalling.nearby import WORDS_ALONE, Nearing

if TYPE_CHECKING:
    from aftermind.projections.meaning.apart import Apart, Lane
    from aftermind.projections.meaning.vectors import Vectors

Signature: TypeAlias = tuple[tuple[str, int, int], ...]
LOOK, AGAIN = 1.0, 60.0
"""Seconds between two looks at what is wanted, and before what failed is tried again."""
LEISURE = 0.1
"""Seconds what was written gathers before it gets its vectors: whoever wrote it is being answered."""
FEW = 1_000
"""Events that the model before may be behind to serve again after a restart."""
MANY = 64
"""Texts after which the memory they took is given back: after one it would only be taken again at the next prompt."""


class Following:
    """A model, and the vectors by it that follow the log."""

    def __init__(self, model: Apart, vectors: Vectors, stack: AsyncExitStack) -> None:
        from aftermind.projections.meaning.asked_vectors import AskedVectors

        self.model, self.vectors, self._stack = model, vectors, stack
        self.asked = AskedVectors(model)
        self.why = ""
        """Why it does not go on."""
        self.again = 0.0

    async def follow(self, log: Log, views: Views) -> bool:
        """A few memories, or questions in the log; False when there is nothing more."""
        went = await self.vectors.follow(log, views)
        if went and self.asked.position:  # questions are few, and not left until all memories have theirs
            return True
        return await self.asked.follow(views, self.vectors.position) or went

    def running(self, head: Position) -> Running:
        level = self.vectors.is_level(head) and self.asked.position >= head
        return Running(self.model.name, self.why, self.model.hung, level)

    async def close(self) -> None:
        self.model.close()
        await self._stack.aclose()


class Meaning:
    """`wanted` names the model that is configured now. Where `written` tells another thing than before, somebody may
    have configured the same once more, whose files he mended or replaced."""

    def __init__(
        self,
        folder: Path,
        log: Log,
        views: Views,
        stamp: Stamp,
        wanted: Callable[[], str],
        logbook: Logbook,
        written: Callable[[], object] = lambda: None,
    ) -> None:
        self._folder, self._log, self._views, self._stamp = folder, log, views, stamp
        self._wanted, self._logbook, self._written = wanted, logbook, written
        self._heard = written()
        self._used: Following | None = None
        self._coming: Following | None = None
        self._loading: asyncio.Future[tuple[Apart, Signature]] | None = None
        self._since = 0.0
        self._name = ""
        self._first: dict[str, str] = {}
        self._why, self._again = "it is not loaded yet", 0.0
        self._looks: Lane[str, Signature] | None = None
        self._seen: Signature = ()
        self._looked = 0.0
        self._worked, self._anew_again = False, 0.0
        self._turned = anyio.Event()
        self._changing = anyio.Lock()
        """Held while another model comes or goes."""

    def near(self, query: str, scopes: Sequence[Scope], answers: float) -> Nearing:
        """How near memories and past questions are to a query, where a cosine of an answer counts `answers` of itself.
        The model is asked at once."""
        used = self._used
        if used is None or not query.strip():
            return WORDS_ALONE
        try:
            return Asked(used, query, scopes, answers, self._logbook)
        except Exception as error:  # no thread is to be had, say
            self._logbook.broke("embedding", error)
            return WORDS_ALONE

    def state(self) -> Modelled:
        newest, now = self._coming or self._used, self._state()
        vectors, empty = newest.vectors.counted() if newest else (0, 0)
        return Modelled(
            name=now.wanted,
            used=now.used.name if now.used else "",
            coming=now.coming.name if now.coming else "",
            phase=now.phase,
            fingerprint=newest.model.fingerprint if newest else "",
            vectors=vectors,
            empty=empty,
            followed=newest.vectors.position if newest else 0,
            head=self._log.head.position,
            why=now.reason,
        )

    def _state(self) -> ModelState:
        head = self._log.head.position
        return ModelState(
            wanted=self._wanted(),
            name=self._name,
            loading=None if self._loading is None else anyio.current_time() - self._since,
            why=self._why,
            used=None if self._used is None else self._used.running(head),
            coming=None if self._coming is None else self._coming.running(head),
        )

    async def level(self, seconds: float) -> Modelled:
        """How it is, as soon as every memory has its vectors, or there will be none."""
        with anyio.move_on_after(seconds):
            while not ((now := self._state()).is_level or now.phase in ("failed", "hung")):
                await self._turned.wait()
        return self.state()

    @asynccontextmanager
    async def still(self) -> AsyncIterator[None]:
        """No vector is computed meanwhile."""
        async with self._changing, AsyncExitStack() as turns:
            for one in (self._used, self._coming):
                if one is not None:
                    await turns.enter_async_context(one.vectors.still())
            yield

    def let_go(self) -> None:
        """Nobody waits for a model any longer, whatever it does."""
        for one in (self._used, self._coming):
            if one is not None:
                one.model.close()
        if self._looks is not None:
            self._looks.end()

    async def going(self) -> None:
        """Loads what is wanted and follows the log, for ever."""
        last = await to_thread.run_sync(last_name, self._folder)
        self._first, self._why = {self._wanted(): last} if last and self._wanted() != NONE else {}, ""
        try:
            while True:
                try:
                    went = await self._step()
                except FileDamaged as error:
                    async with self._changing:
                        went = await self._anew(error)
                except Exception as error:
                    self._why, went = self._failed(error), False
                    self._again = anyio.current_time() + AGAIN
                self._tell()
                if not went:
                    await self._rest()
        finally:
            with anyio.CancelScope(shield=True):
                for one in (self._used, self._coming):
                    if one is not None:
                        await one.close()
                self._used = self._coming = None

    async def _rest(self) -> None:
        """Until there is something to do, or it is time to look."""
        if self._worked:
            self._worked = False
            await to_thread.run_sync(give_back)
        if self._loading is not None:
            await asyncio.wait({self._loading}, timeout=LOOK)
        else:
            with anyio.move_on_after(LOOK):
                await self._log.head.beyond(self._log.head.position)
                await anyio.sleep(LEISURE)

    def _tell(self) -> None:
        """Who waits looks whether it is level."""
        turned, self._turned = self._turned, anyio.Event()
        turned.set()

    async def _step(self) -> bool:
        """What there is to do now, a batch of it; False when that was nothing."""
        async with self._changing:
            wanted = self._aimed()
            self._hear()
            if wanted != self._name or 0 < self._again <= anyio.current_time() or await self._is_another():
                await self._want(wanted)
            if self._loading is not None and self._loading.done():
                try:
                    await self._loaded(*await self._loading)
                finally:
                    self._loading = None
        went = self._used is not None and await self._followed(self._used)
        if self._coming is not None:
            if await self._followed(self._coming):
                return True
            if not self._coming.why:
                async with self._changing:
                    await self._switch()
                return True
        return went

    def _hear(self) -> None:
        """Whoever configures a model is not to wait for its files to be looked at in their turn."""
        if (written := self._written()) != self._heard:
            self._heard = written
            self._looked = anyio.current_time() - AGAIN
            self._again = min(self._again, anyio.current_time())

    def _aimed(self) -> str:
        """What is wanted now; at first the model that served last, whose vectors are there."""
        now = self._state()
        if now.used is not None or now.fails:
            self._first = {}
        return self._first.get(now.wanted, now.wanted)

    async def _followed(self, one: Following) -> bool:
        """One batch of what there is to follow."""
        if one.why and anyio.current_time() < one.again:
            return False
        before = one.vectors.count
        try:
            went = await one.follow(self._log, self._views)
        except FileDamaged:
            raise
        except Exception as error:
            one.why, went = self._failed(error), False
            one.again = anyio.current_time() + AGAIN
        else:
            one.why = ""
        if one.model.refused:
            self._logbook.once("embedding", refused=one.model.refused, failed=one.model.why)
        self._worked = self._worked or one.vectors.count - before >= MANY
        return went

    def _failed(self, error: Exception) -> str:
        """Logs it; what to tell a person."""
        if isinstance(error, AftermindError):
            self._logbook.once("model", name=self._name, failed=type(error).__name__)
            return str(error)
        self._logbook.broke("embedding", error)
        return one_line(error) if isinstance(error, OSError) else f"it failed: {type(error).__name__}"

    async def _want(self, name: str) -> None:
        """Begins to load it. What is under way to another ends, and who asks meanwhile hears of the new one."""
        self._name, self._why, self._again = name, "", 0.0
        if self._loading is not None:
            self._loading.cancel()
        coming, self._coming = self._coming, None
        self._loading, self._since = None if name == NONE else self._begun(name), anyio.current_time()
        if coming is not None:
            await coming.close()
        if name == NONE:
            used, self._used, self._why = self._used, None, "no model is configured"
            if used is not None:
                await used.close()
            try:
                await rests(self._folder)
            except (AftermindError, OSError) as error:
                self._logbook.note("model", not_noted=type(error).__name__)

    def _begun(self, name: str) -> asyncio.Future[tuple[Apart, Signature]]:
        """A model that is being loaded."""
        from aftermind.projections.meaning.apart import Apart, Lane
        from aftermind.projections.meaning.embedding import loaded, signature

        downloads = self._folder / DOWNLOADS

        def load(name: str) -> tuple[Apart, Signature]:
            seen = signature(name, downloads)
            model = loaded(name, downloads)
            assert model is not None  # `none` is never begun
            return Apart(model), seen

        lane: Lane[str, tuple[Apart, Signature]] = Lane(load)
        loading = asyncio.wrap_future(lane.send(name))
        lane.end()
        return loading

    async def _loaded(self, model: Apart, seen: Signature) -> None:
        """It is in use at once where it is the same by another name, or was in use before this start and nothing else
        is, and else when its vectors are complete."""
        from aftermind.projections.meaning.vectors import vectors

        self._seen, self._worked, self._looked = seen, True, anyio.current_time()
        if self._used is not None and self._used.model.fingerprint == model.fingerprint:
            self._used.model.name = model.name
            try:
                await renamed(self._folder, model.fingerprint, model.name)
            except (AftermindError, OSError) as error:  # a full disk: it is listed by its older name
                self._logbook.note("model", not_noted=type(error).__name__)
            return
        stack = AsyncExitStack()
        kept = await stack.enter_async_context(vectors(self._folder, self._log, model, self._stamp))
        if self._used is None and kept.served:
            self._used = Following(model, kept, stack)
            self._logbook.note("model", name=model.name, vectors=kept.counted()[0])
            return
        if self._first and self._name != self._wanted() and kept.position < self._log.head.position - FEW:
            self._first = {}  # it would have to be computed itself
            await stack.aclose()
            return
        self._coming = Following(model, kept, stack)

    async def _is_another(self) -> bool:
        """Whether somebody replaced the files of the model that is loaded. Where they are gone, what is loaded serves
        on."""
        from aftermind.projections.meaning.apart import Lane
        from aftermind.projections.meaning.embedding import signature

        if self._loading is not None or self._again or anyio.current_time() - self._looked < AGAIN:
            return False
        self._looked = anyio.current_time()
        if self._used is None and self._coming is None:
            return False
        self._looks = self._looks or Lane(lambda name: signature(name, self._folder / DOWNLOADS))
        if self._looks.stuck:
            return False
        with anyio.move_on_after(SLOWEST):
            try:
                seen = await asyncio.wrap_future(self._looks.send(self._name))
            except (AftermindError, OSError) as error:
                self._seen, self._why = (), f"{error}; what was loaded of it serves until the daemon ends"
                return False
            self._why = ""
            return seen != self._seen
        self._looks.give_up()
        return False

    async def _anew(self, error: FileDamaged) -> bool:
        """A cache that cannot be read goes, and what it knew is computed again. Where that happens at once again, it is
        told and tried later."""
        self._why, self._again = self._failed(error), anyio.current_time() + AGAIN
        if error.path.name != CACHE or anyio.current_time() < self._anew_again:
            return False
        self._anew_again = self._again
        for one in (self._used, self._coming):
            if one is not None:
                await one.close()
        self._used = self._coming = None
        await to_thread.run_sync(thrown_away, self._folder)
        await self._want(self._name)
        return True

    async def _switch(self) -> None:
        """All there is has its vector: those that were coming are in use from now on."""
        assert self._coming is not None
        try:
            model = self._coming.model
            await in_use(self._folder, model.name, model.fingerprint)  # before anybody hears that it does
        except (AftermindError, OSError) as error:
            self._logbook.note("model", not_noted=type(error).__name__)
        old, self._used, self._coming = self._used, self._coming, None
        self._logbook.note("model", name=self._used.model.name, vectors=self._used.vectors.counted()[0])
        if old is None:
            return
        await old.close()
        try:
            await pruned(self._folder, {old.model.fingerprint, self._used.model.fingerprint})
        except (AftermindError, OSError) as error:  # a full disk; the next change tries again
            self._logbook.note("model", not_pruned=type(error).__name__)
