"""A model in threads of its own, which can be given up.

A call that blocks for ever in a thread cannot be cancelled, and a thread that nobody can end must be none of those
everybody shares, or that the program waits for when it exits. So a model has two of its own: one for queries, and one
for memories, which may take its time. Whoever waits stops waiting after a while, and as long as the late call is out,
its thread is given nothing more: nothing piles up behind it. When the call comes back after all, it is used again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from aftermind.engine.errors import AftermindError
from aftermind.projections.meaning.embedding import Model, StaticModel, portions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aftermind.projections.meaning.embedding import Vectors

In = TypeVar("In")
Out = TypeVar("Out")
PATIENCE = 60.0
"""Seconds for the vectors of a few memories, on a machine that is busy."""
LOOKS = 60
"""How often it is looked meanwhile whether they are there: while this process was stopped or asleep the model was as
well, which costs one look and not all of the patience."""
FINE = "a text that every model takes"
BEGINNING = 0.0015
"""Seconds in which a network has come to where it needs the interpreter's lock no longer."""
SHORT = 4_000
"""Characters of a query that a static model has looked up before another thread would have been woken."""


class Hung(AftermindError):
    """A model does not come back from a call."""

    status = 5
    hint = "`aftermind restart` loads it anew, `aftermind model use static` takes another"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"the model {name} hangs: it was given texts and has not come back")


class Lane(Generic[In, Out]):
    """One thread that does one thing after the other, and may be left alone with it."""

    def __init__(self, work: Callable[[In], Out]) -> None:
        self._work = work
        self._asked: SimpleQueue[tuple[In, Future[Out]] | None] = SimpleQueue()
        self._out: set[Future[Out]] = set()
        self._thread: Thread | None = None
        self._closed: Exception | None = None
        self._busy = False
        self._done, self._given_up = 0, -1

    @property
    def stuck(self) -> bool:
        """Whether it still does what somebody stopped waiting for."""
        return self._busy and self._given_up == self._done

    @property
    def idle(self) -> bool:
        """Whether nothing was sent that is not done."""
        return not self._out

    def send(self, what: In) -> Future[Out]:
        """Its result, in turn. Cancelled before its turn, it is not done at all."""
        future: Future[Out] = Future()
        if self._closed is not None:
            future.set_exception(self._closed)
            return future
        self._out.add(future)
        future.add_done_callback(self._out.discard)
        if self._thread is None:
            self._thread = Thread(target=self._going, name="model", daemon=True)
            self._thread.start()
        self._asked.put((what, future))
        return future

    def give_up(self) -> None:
        """Nobody waits any longer for what it does now: until that is done, it is stuck."""
        turn = self._done
        if self._busy:
            self._given_up = turn

    def end(self) -> None:
        """After what was sent, the thread ends."""
        self._asked.put(None)

    def close(self, error: Exception) -> None:
        """Whoever waits gets the error at once; the thread ends when it can."""
        self._closed = error
        for future in list(self._out):
            with suppress(InvalidStateError):
                future.set_exception(error)
        self.end()

    def _going(self) -> None:
        while (asked := self._asked.get()) is not None:
            what, future = asked
            if future.done() or not future.set_running_or_notify_cancel():
                continue
            self._busy = True
            with suppress(InvalidStateError):  # it was closed meanwhile
                try:
                    future.set_result(self._work(what))
                except Exception as error:
                    future.set_exception(error)
            self._done += 1
            self._busy = False


class Apart:
    """A model whose calls are bounded in time. It is one itself: `embed` blocks whoever calls it, at most `patience`
    seconds for a few texts, and raises `Hung` then and for as long as the late call is out. No static one hangs."""

    def __init__(self, model: Model, patience: float | None = None) -> None:
        self.name, self.fingerprint, self.dimensions = model.name, model.fingerprint, model.dimensions
        self.refused = 0
        """Texts it cannot take, though it takes others, and how the last one failed."""
        self.why = ""
        self._patience = PATIENCE if patience is None else patience
        self._looked_up = model.embed if isinstance(model, StaticModel) else None
        self._over = Event()
        self._queries: Lane[list[str], Vectors] = Lane(model.embed)
        self._memories: Lane[list[str], Vectors] = Lane(model.embed)

    @property
    def hung(self) -> bool:
        return self._queries.stuck or self._memories.stuck

    def asked(
        self, query: str, seconds: float, begin: Callable[[NDArray[np.float32]], object] | None = None
    ) -> asyncio.Future[NDArray[np.float32] | None]:
        """The query's vector, or whatever the model raises; None where it is not there after so many seconds. It is
        begun at once, whenever somebody waits for it; who cancels it has less patience. A short query's static vector
        is there already: it takes less than another thread's waking. Where a network is woken, this thread stands still
        for a moment, and leaves it the lock and the processor to begin with; not where other queries wait before it.
        With its vector the network's thread may `begin` what comes next, while who waits for it awakes."""
        loop = asyncio.get_running_loop()
        found: asyncio.Future[NDArray[np.float32] | None] = loop.create_future()
        if self._looked_up is not None and len(query) <= SHORT:
            _tell(found, _done(self._looked_up, [query]))
            return found
        if self._queries.stuck:
            found.set_result(None)
            return found
        sent = self._sent(query)
        if sent.done():
            _tell(found, sent)
            return found
        late = loop.call_later(seconds, _not_in_time, found)

        def over(_: object) -> None:
            late.cancel()
            if not sent.cancel() and not sent.done():  # it is computed at the moment
                self._queries.give_up()

        def told(sent: Future[Vectors]) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody waits
                loop.call_soon_threadsafe(_tell, found, sent)

        def goes_on(sent: Future[Vectors]) -> None:
            if begin is not None and not sent.cancelled() and sent.exception() is None and not _left(found):
                begin(_first(sent))

        found.add_done_callback(over)
        sent.add_done_callback(told)
        sent.add_done_callback(goes_on)  # after who waits was called, and in the thread that computed it
        return found

    def _sent(self, query: str) -> Future[Vectors]:
        alone = self._queries.idle
        sent = self._queries.send([query])
        if alone and self._looked_up is None:
            self._over.wait(BEGINNING)  # at once: a step of the loop first, and the network begins on this processor
        return sent

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Of many texts, those of like length together, and no call longer than it must be."""
        found = np.zeros((len(texts), self.dimensions), np.float32)
        for places in portions(texts):
            some = [texts[place] for place in places]
            try:
                found[places] = self._waited(some)
            except Hung:
                raise
            except Exception as error:
                found[places] = self._one_by_one(some, error)
        return found

    def _one_by_one(self, texts: list[str], failed: Exception) -> Vectors:
        """A text that the model cannot take is near to nothing, and keeps no other from its vector. Raises where the
        model takes no text at all."""
        try:
            self._waited([FINE])
        except Exception as error:
            raise failed from error
        found = np.zeros((len(texts), self.dimensions), np.float32)
        for place, text in enumerate(texts):
            try:
                found[place] = self._waited([text])[0]
            except Hung:
                raise
            except Exception as error:
                self.refused, self.why = self.refused + 1, type(error).__name__
        return found

    def _waited(self, texts: list[str]) -> Vectors:
        if self._memories.stuck:
            raise Hung(self.name)
        sent = self._memories.send(texts)
        for _ in range(LOOKS):
            try:
                return sent.result(self._patience / LOOKS)
            except TimeoutError:
                if sent.done():  # just now, or the error is the model's own
                    return sent.result()
        self._memories.give_up()
        sent.cancel()
        raise Hung(self.name)

    def close(self) -> None:
        """Whoever waits for it waits no longer."""
        self._over.set()
        for lane in (self._queries, self._memories):
            lane.close(Hung(self.name))


def _done(work: Callable[[In], Out], what: In) -> Future[Out]:
    future: Future[Out] = Future()
    try:
        future.set_result(work(what))
    except Exception as error:
        future.set_exception(error)
    return future


def _not_in_time(found: asyncio.Future[NDArray[np.float32] | None]) -> None:
    if not found.done():
        found.set_result(None)


def _left(found: asyncio.Future[NDArray[np.float32] | None]) -> bool:
    """Whether nobody waits for it any longer; who has its vector already is about to look."""
    return found.cancelled() or (found.done() and (found.exception() is not None or found.result() is None))


def _tell(found: asyncio.Future[NDArray[np.float32] | None], sent: Future[Vectors]) -> None:
    if found.done():
        return
    if (error := sent.exception()) is not None:
        found.set_exception(error)
        found.exception()  # to be told to who waits alone, and nobody may
    else:
        found.set_result(_first(sent))


def _first(sent: Future[Vectors]) -> NDArray[np.float32]:
    return np.asarray(sent.result()[0], np.float32)
