"""While a model's vectors are computed, for however long: what is in use follows the log, and after a restart it is in
use as before. The networks go round long for each text with a z."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from aftermind.cli.holding import meaning
from aftermind.cli.open_memory import OpenMemory
from aftermind.engine.store.derived import CACHE
from aftermind.projections.meaning import rows
from tests.api.test_meaning_trouble import TEXTS, choosing, until
from tests.networks import network

pytestmark = pytest.mark.anyio
SLOW = ("z", 100_000)


@pytest.fixture(autouse=True)
def short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "TURN", 0.1)
    monkeypatch.setattr("aftermind.projections.meaning.vectors.EMBEDDED", 32)
    monkeypatch.setattr(rows, "EMBEDDED", 32)


@asynccontextmanager
async def going_by(folder: Path, name: Path | str) -> AsyncIterator[OpenMemory]:
    async with choosing(folder, lambda: str(name)) as memory:
        yield memory


async def more(memory: OpenMemory, many: int = 80) -> None:
    for n in range(many):
        await memory.remember(f"zebra {n} is in the zoo since {n + 1900}")


async def begun(memory: OpenMemory) -> None:
    """Some of them have their vectors, and not all."""
    with anyio.fail_after(20):
        while (await memory.embedded(0.01)).vectors < 2 * len(TEXTS):
            await anyio.sleep(0.01)
    assert (await memory.embedded(0.01)).phase == "embedding"


async def test_the_model_in_use_follows_while_another_one_comes(folder: Path, tmp_path: Path) -> None:
    slow, wanted = network(tmp_path / "network", turns=SLOW), ""
    async with choosing(folder, lambda: wanted or str(slow)) as memory:
        await until(memory, "level")
        wanted = "static"
        await until(memory, "level")
        await more(memory, 240)
        await until(memory, "level")
        wanted = ""
        while (await memory.embedded(0.01)).coming != str(slow):
            await anyio.sleep(0.01)
        car = await memory.remember("automobile insurance payment deadline")
        with anyio.fail_after(5):
            while car not in [one.id for one in await memory.recall("car policy due date", floor=False)]:
                await anyio.sleep(0.02)
        state = await memory.embedded(0.01)
        assert (state.used, state.coming, state.phase) == ("static", str(slow), "embedding")


async def test_after_a_restart_the_model_that_served_serves_with_the_vectors_it_has(
    folder: Path, tmp_path: Path
) -> None:
    slow = network(tmp_path / "network", turns=SLOW)
    async with going_by(folder, slow) as memory:
        await until(memory, "level")
        await more(memory)
        await begun(memory)
        before = await memory.embedded(0.01)
        assert before.used == str(slow)
    async with going_by(folder, slow) as memory:
        with anyio.fail_after(20):
            while not (state := await memory.embedded(0.01)).used:
                await anyio.sleep(0.01)
        assert (state.used, state.coming, state.phase) == (str(slow), "", "embedding")
        assert state.vectors >= before.vectors
        assert (await until(memory, "level")).vectors == 80 + len(TEXTS)


async def still_comes(folder: Path, name: Path) -> None:
    """It does not serve, for nobody knows that it did: it comes."""
    async with going_by(folder, name) as memory:
        await begun(memory)
        seen = []
        with anyio.fail_after(20):
            while not seen or seen[-1].phase != "level":
                seen.append(await memory.embedded(0.01))
        assert len(seen) > 2
        assert {(one.used, one.coming) for one in seen[:-1]} == {("", str(name))}
        assert seen[-1].used == str(name)


async def test_after_a_restart_a_model_that_never_served_does_not_before_it_is_level(
    folder: Path, tmp_path: Path
) -> None:
    slow = network(tmp_path / "network", turns=SLOW)
    async with going_by(folder, "none") as memory:
        await more(memory)
    async with going_by(folder, slow) as memory:
        await begun(memory)
    await still_comes(folder, slow)


async def test_after_a_restart_other_weights_under_the_name_of_those_that_served_do_not_before_they_are_level(
    folder: Path, tmp_path: Path
) -> None:
    own = network(tmp_path / "network")
    async with going_by(folder, own) as memory:
        await more(memory)
        await until(memory, "level")
    shutil.rmtree(own)
    network(own, seed=1, turns=SLOW)
    async with going_by(folder, own) as memory:
        await begun(memory)
    await still_comes(folder, own)


@pytest.mark.parametrize("why", ["none was in use", "its vectors were lost"])
async def test_a_model_that_served_once_does_not_before_it_is_level(folder: Path, tmp_path: Path, why: str) -> None:
    slow = network(tmp_path / "network", turns=SLOW)
    async with going_by(folder, slow) as memory:
        await until(memory, "level")
        if why == "its vectors were lost":
            await more(memory)
            await until(memory, "level")
    if why == "its vectors were lost":
        for file in (*folder.glob(f"{CACHE}*"), *folder.glob("vectors-*")):
            file.unlink()
    else:
        async with going_by(folder, "none") as memory:
            await more(memory)
            await until(memory, "none")
    await still_comes(folder, slow)


async def test_after_a_restart_the_model_before_serves_while_another_comes_however_far_it_is_behind(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning, "FEW", 10)
    old, new = (network(tmp_path / str(seed), seed=seed, turns=SLOW) for seed in (0, 1))
    async with going_by(folder, old) as memory:
        await until(memory, "level")
        await more(memory)
        await begun(memory)
    async with going_by(folder, new) as memory:
        with anyio.fail_after(20):
            while (state := await memory.embedded(0.01)).coming != str(new):
                assert state.used in ("", str(old))
                await anyio.sleep(0.01)
        assert state.used == str(old)
        assert (await until(memory, "level")).used == str(new)
