"""A model in threads of its own: what raises, hangs or comes back late costs whoever asked a bounded time, and no
thread piles up."""

from __future__ import annotations

import asyncio
import gc
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import anyio
import anyio.lowlevel
import numpy as np
import pytest
from anyio import to_thread

from aftermind.projections.meaning import apart
from aftermind.projections.meaning.apart import FINE, SHORT, Apart, Hung, Lane
from aftermind.projections.meaning.embedding import StaticModel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aftermind.projections.meaning.embedding import Vectors

pytestmark = pytest.mark.anyio


class Gate:
    """A model that comes back when it is let: the length of each text."""

    name, fingerprint, dimensions = "gate", "0" * 32, 1

    def __init__(self) -> None:
        self.open = threading.Event()
        self.entered = threading.Semaphore(0)
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        self.entered.release()
        self.open.wait()
        return np.asarray([[len(text)] for text in texts], np.float32)


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.open.set()


async def test_who_wakes_a_network_leaves_it_alone_until_it_has_begun_or_is_closed(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "BEGINNING", 3600)
    model, order = Apart(gate), list[str]()

    def closing() -> None:
        gate.entered.acquire()
        order.append("closed")
        model.close()

    asyncio.get_running_loop().call_soon(order.append, "the loop went on")
    with ThreadPoolExecutor(1) as other:
        other.submit(closing)
        with pytest.raises(Hung):
            await model.asked("zebra", 60)
    await anyio.lowlevel.checkpoint()
    assert order == ["closed", "the loop went on"]


async def test_nobody_pauses_behind_another_or_for_what_is_looked_up(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "BEGINNING", 0)
    model, found = Apart(gate), []

    async def ask(query: str) -> None:
        found.append(await model.asked(query, 60))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, "zebra")
        await to_thread.run_sync(gate.entered.acquire)
        monkeypatch.setattr(apart, "BEGINNING", 3600)
        tasks.start_soon(ask, "lemur")
        await anyio.lowlevel.checkpoint()
        gate.open.set()
    assert [vector.tolist() for vector in found if vector is not None] == [[5.0], [5.0]]
    for query in ("zebra", "zebra " * SHORT):
        assert await Apart(StaticModel()).asked(query, 60) is not None


async def test_a_query_that_hangs_is_given_up_and_no_other_is_sent_after_it(gate: Gate) -> None:
    model = Apart(gate)
    async with anyio.create_task_group() as tasks:
        waiting = model.asked("first", 3600)
        tasks.start_soon(asyncio.wait, [waiting])
        await to_thread.run_sync(gate.entered.acquire)
        waiting.cancel()
    before = threading.active_count()
    with anyio.fail_after(60):
        for number in range(50):
            assert await model.asked(f"query {number}", 3600) is None
    assert model.hung
    assert gate.asked == ["first"]
    assert threading.active_count() == before
    gate.open.set()
    while model.hung:
        await anyio.lowlevel.checkpoint()
    assert await model.asked("again", 60) is not None
    assert model.embed(["again"])[0] == 5
    assert gate.asked == ["first", "again", "again"]
    model.close()


async def test_memories_that_hang_leave_queries_alone_and_are_tried_again_when_they_came_back(gate: Gate) -> None:
    model = Apart(gate, patience=0.01)
    for _ in range(3):
        with pytest.raises(Hung):
            await to_thread.run_sync(model.embed, ["a memory"])
    assert gate.asked == ["a memory"]
    assert model.hung
    gate.open.set()
    assert await model.asked("a query", 60) is not None
    while model.hung:
        await anyio.lowlevel.checkpoint()
    patient = Apart(gate)
    assert patient.embed(["a memory", "of two"]).tolist() == [[8], [6]]
    for one in (model, patient):
        one.close()


async def test_who_waits_is_let_go_at_once_when_it_is_closed(gate: Gate) -> None:
    model = Apart(gate)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(model.embed, ["a memory"])
        await to_thread.run_sync(gate.entered.acquire)
        model.close()
        with pytest.raises(Hung):
            waiting.result(20)
    with pytest.raises(Hung):
        model.embed(["later"])
    assert gate.asked == ["a memory"]


STOPPED = """
import sys, time
import numpy as np
from aftermind.projections.meaning.apart import Apart

class Slow:
    name, fingerprint, dimensions = "slow", "0" * 32, 1

    def embed(self, texts):
        print("begun", flush=True)
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
        return np.ones((len(texts), 1), np.float32)

print(Apart(Slow(), patience=float(sys.argv[1])).embed(["a memory"]).tolist())
"""


def test_who_was_stopped_for_longer_than_it_has_patience_does_not_call_its_model_hung() -> None:
    patience = 3.0
    command = [sys.executable, "-c", STOPPED, str(patience)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGSTOP)
        time.sleep(patience + 1)
        process.send_signal(signal.SIGCONT)
        told, failed = process.communicate()
    assert (told, process.returncode) == ("[[1.0]]\n", 0), failed


class Raising(Gate):
    """A model that does not take all texts."""

    def __init__(self, *bad: str) -> None:
        super().__init__()
        self.bad = set(bad)

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self.bad & {*texts}:
            raise ZeroDivisionError
        return np.ones((len(texts), 1), np.float32)


async def test_what_the_model_raises_reaches_who_asked_and_the_next_is_answered() -> None:
    model = Apart(Raising("bad", FINE))
    with pytest.raises(ZeroDivisionError):
        await model.asked("bad", 60)
    with pytest.raises(ZeroDivisionError):
        model.embed(["bad", "good"])
    assert await model.asked("good", 60) is not None
    assert model.embed(["good", "better"]).tolist() == [[1], [1]]
    assert (model.hung, model.refused) == (False, 0)
    model.close()


async def test_a_text_a_model_does_not_take_is_near_to_nothing_and_the_others_have_their_vectors() -> None:
    model = Apart(Raising("bad"))
    assert model.embed(["good", "bad", "better"]).tolist() == [[1], [0], [1]]
    assert (model.refused, model.why) == (1, "ZeroDivisionError")
    model.close()


async def test_a_lane_does_what_it_is_sent_in_turn_and_nothing_that_was_cancelled(gate: Gate) -> None:
    lane: Lane[list[str], Vectors] = Lane(gate.embed)
    first, second, third = (lane.send([word]) for word in ("first", "second", "third"))
    await to_thread.run_sync(gate.entered.acquire)
    assert second.cancel()
    lane.end()
    gate.open.set()
    assert third.result(20)[0] == 5
    assert first.done()
    assert gate.asked == ["first", "third"]


async def test_a_query_is_begun_before_anybody_waits_for_it(gate: Gate) -> None:
    model = Apart(gate)
    coming = model.asked("zebra", 60)
    await to_thread.run_sync(gate.entered.acquire)
    assert not coming.done()
    gate.open.set()
    assert (await coming) is not None
    assert StaticModel().embed(["zebra"]).tolist() == [(await there).tolist() for there in [looked_up("zebra")]]
    model.close()


def looked_up(query: str) -> asyncio.Future[NDArray[np.float32]]:
    found = Apart(StaticModel()).asked(query, 60)
    assert found.done()
    return found


async def test_after_its_time_nobody_waits_for_a_query(gate: Gate) -> None:
    model = Apart(gate)
    assert await model.asked("zebra", 0.01) is None
    assert model.hung
    gate.open.set()
    while model.hung:
        await anyio.lowlevel.checkpoint()
    assert (await model.asked("zebra", 60)).tolist() == [5]
    model.close()


@pytest.mark.parametrize("pause", [0, 0.3])
async def test_what_fails_where_nobody_waits_is_nobodys_error(monkeypatch: pytest.MonkeyPatch, pause: float) -> None:
    monkeypatch.setattr(apart, "BEGINNING", pause)
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
    model = Apart(Raising("bad"))
    coming = model.asked("bad", 60)
    while not coming.done():
        await anyio.lowlevel.checkpoint()
    await anyio.lowlevel.checkpoint()  # what follows from that is done
    del coming
    gc.collect()
    assert not told
    model.close()


async def test_who_gives_up_a_query_that_waits_takes_nothing_from_the_one_that_is_computed(gate: Gate) -> None:
    model = Apart(gate)
    first = model.asked("first", 3600)
    await to_thread.run_sync(gate.entered.acquire)
    second, third = model.asked("second", 3600), model.asked("third", 3600)
    second.cancel()
    await anyio.lowlevel.checkpoint()
    assert not model.hung
    gate.open.set()
    assert [(await one).tolist() for one in (first, third)] == [[5], [5]]
    assert gate.asked == ["first", "third"]
    model.close()


async def test_a_short_text_is_looked_up_also_where_a_long_one_takes_its_time(gate: Gate) -> None:
    class Slow(StaticModel):
        def embed(self, texts: Sequence[str]) -> Vectors:
            if len(texts[0]) > SHORT:
                gate.entered.release()
                gate.open.wait()
            return super().embed(texts)

    model = Apart(Slow())
    long = model.asked("zebra " * SHORT, 3600)
    await to_thread.run_sync(gate.entered.acquire)
    long.cancel()
    await anyio.lowlevel.checkpoint()
    assert model.hung
    assert await model.asked("lemur " * SHORT, 3600) is None
    assert (await model.asked("zebra", 3600)) is not None
    model.close()


async def test_with_its_vector_the_models_thread_goes_on(gate: Gate) -> None:
    model, began = Apart(gate), list[tuple[list[float], str]]()
    coming = model.asked("zebra", 60, lambda vector: began.append((vector.tolist(), threading.current_thread().name)))
    await to_thread.run_sync(gate.entered.acquire)
    assert not began
    gate.open.set()
    assert (await coming) is not None
    assert (await model.asked("lemur", 60)) is not None  # behind it, in the same thread
    assert began == [([5.0], "model")]
    model.close()


@pytest.mark.parametrize("query", ["bad", "cancelled"])
async def test_nothing_goes_on_from_a_query_that_failed_or_that_nobody_waits_for(query: str, gate: Gate) -> None:
    began = list[object]()
    model = Apart(Raising("bad") if query == "bad" else gate)
    coming = model.asked(query, 60, began.append)
    if query == "bad":
        with pytest.raises(ZeroDivisionError):
            await coming
    else:
        await to_thread.run_sync(gate.entered.acquire)
        coming.cancel()
        await anyio.lowlevel.checkpoint()
        gate.open.set()
    while not model._queries.idle or model._queries._busy:
        await anyio.lowlevel.checkpoint()
    assert not began
    model.close()
