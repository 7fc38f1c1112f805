"""A model that fails, hangs, is deleted or replaced, a cache that cannot be read, a full disk: words go on, it is said
why, and what can be mended mends itself. The models are real networks, computed in this process."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import anyio
import numpy as np
import pytest
from numpy.typing import NDArray

import aftermind
from aftermind.cli.holding import meaning
from aftermind.cli.holding.held import held
from aftermind.cli.language.erasing import Erasing, ForgetAll, Selection
from aftermind.cli.language.process import Modelled
from aftermind.cli.logbook import Logbook
from aftermind.cli.open_memory import OpenMemory
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.policy import Policy
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.derived import CACHE
from aftermind.engine.store.folder import taken
from aftermind.engine.views.generations import views
from aftermind.projections.catalog import ALL
from aftermind.projections.meaning import apart, kept
from aftermind.projections.meaning.embedding import NetworkModel, loaded
from aftermind.projections.meaning.look import Look
from tests.meant import vectors_in, vectors_wanted
from tests.networks import network

pytestmark = pytest.mark.anyio
SOURCE = str(Path(aftermind.__file__).parents[1])
TEXTS = ("the car is red", "the ship is blue", "logs go to disk", "deploys are on mondays")


@asynccontextmanager
async def remembering(folder: Path, model: str | Path) -> AsyncIterator[OpenMemory]:
    """A store with four memories, by that model."""
    async with aftermind.open_memory(folder, model=str(model)) as memory:
        if not (await memory.stats()).events:
            for text in TEXTS:
                await memory.remember(text)
        yield memory


@asynccontextmanager
async def choosing(folder: Path, wanted: Callable[[], str]) -> AsyncIterator[OpenMemory]:
    """The same, by the model that is wanted at the time."""
    folder.mkdir(mode=0o700, exist_ok=True)
    lock = await taken(folder, "program")
    assert lock is not None
    async with held(folder, lock, "program", Policy, wanted, Stamp(), anyio.Event()) as holding:
        memory = OpenMemory(folder, holding.ask, None)
        for text in TEXTS:
            await memory.remember(text)
        yield memory
    lock.release()


async def until(memory: OpenMemory, phase: str) -> Modelled:
    with anyio.fail_after(60):
        while (state := await memory.embedded(1)).phase != phase:
            await anyio.sleep(0.02)
    return state


async def words_go_on(memory: OpenMemory) -> None:
    best, *_ = await memory.recall("which ship is blue")
    assert best.text == "the ship is blue"


async def test_a_folder_with_a_network_is_used_and_its_vectors_are_those_of_the_network(
    folder: Path, tmp_path: Path
) -> None:
    own = network(tmp_path / "network")
    async with remembering(folder, own) as memory:
        state = await until(memory, "level")
        assert (state.used, state.vectors, state.why) == (str(own), 4, "")
        await words_go_on(memory)
    model = NetworkModel(str(own), tmp_path)
    assert vectors_in(folder, model) == vectors_wanted(folder, model) != {}


async def test_no_model_comes_or_goes_while_vectors_are_erased(folder: Path, tmp_path: Path) -> None:
    async with remembering(folder, "none"):
        pass
    own = str(network(tmp_path / "network"))
    async with (
        sqlite_log(folder / "log.db", Stamp()) as log,
        views(folder, log, ALL) as seen,
        anyio.create_task_group() as tasks,
    ):
        mind = meaning.Meaning(folder, log, seen, Stamp(), lambda: own, Logbook(folder, Stamp()))
        async with mind.still():
            tasks.start_soon(mind.going)
            await anyio.sleep(2)  # it is loaded in a tenth of that
            assert (mind.state().coming, mind.state().used) == ("", "")
        assert (await mind.level(60)).used == own
        tasks.cancel_scope.cancel()


async def test_a_text_that_the_model_refuses_keeps_no_other_from_its_vector(folder: Path, tmp_path: Path) -> None:
    own = network(tmp_path / "network", refuses="z")
    async with remembering(folder, own) as memory:
        await memory.remember("zebras are striped")
        state = await until(memory, "level")
        assert state.vectors == 5
        assert (await memory.recall("are zebras striped?"))[0].text == "zebras are striped"
    model = NetworkModel(str(own), tmp_path)
    found = vectors_in(folder, model)
    assert sum(vector == bytes(len(vector)) for vector in found.values()) == 1
    async with remembering(folder, own) as memory:
        assert (await until(memory, "level")).vectors == 5


async def test_a_model_that_hangs_is_told_and_used_when_it_comes_back(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "PATIENCE", 0.05)
    monkeypatch.setattr(meaning, "AGAIN", 0.05)
    own = network(tmp_path / "network", turns=("z", 400_000))
    async with remembering(folder, own) as memory:
        await until(memory, "level")
        await memory.remember("zebras are striped")
        state = await until(memory, "hung")
        assert "has not come back" in state.why
        assert (await memory.recall("are zebras striped?"))[0].text == "zebras are striped"
        monkeypatch.setattr(apart, "PATIENCE", 60.0)
    async with remembering(folder, own) as memory:
        state = await until(memory, "level")
        assert (state.vectors, state.why) == (5, "")


async def test_what_the_models_thread_begins_is_gone_on_with_and_changes_no_answer(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The network takes longer than the words, so that who asks waits for it; on a busy machine not each time."""
    own = network(tmp_path / "network", turns=("q", 40_000))
    at_once, begun = Look.ahead, list[str]()

    def seen(look: Look, query: NDArray[np.float32]) -> None:
        begun.append("seen")
        at_once(look, query)

    def broken(_: Look, __: NDArray[np.float32]) -> None:
        begun.append("broken")
        raise MemoryError

    async with remembering(folder, own) as memory:
        await until(memory, "level")
        answers = []
        with anyio.fail_after(60):
            for name, ahead in {"seen": seen, "broken": broken}.items():
                monkeypatch.setattr(Look, "ahead", ahead)
                while name not in begun:
                    found = await memory.recall("quickly: which ship is blue", floor=False)
                    reasons = [reason for one in found for reason in one.reasons]
                    if any("means the like" in reason for reason in reasons):  # or the network took too long
                        answers.append([(one.id, one.score, one.reasons) for one in found])
        assert all(answer == answers[0] for answer in answers)
    assert '"MemoryError"' in (folder / "logs" / "daemon.log").read_text()


async def test_while_another_model_comes_the_one_that_hangs_is_not_waited_for(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`model use OTHER --wait` is what somebody is told to do about it, and ends well."""
    monkeypatch.setattr(apart, "PATIENCE", 0.05)
    monkeypatch.setattr(meaning, "AGAIN", 0.05)
    hangs, other = network(tmp_path / "network", turns=("z", 1_500_000)), network(tmp_path / "other", seed=1)
    wanted = str(hangs)
    async with choosing(folder, lambda: wanted) as memory:
        await until(memory, "level")
        await memory.remember("zebras are striped")
        await until(memory, "hung")
        wanted, seen = str(other), []
        with anyio.fail_after(60):
            while not seen or seen[-1].phase != "level":
                seen.append(await memory.embedded(0.01))
        assert {one.phase for one in seen} <= {"loading", "embedding", "level"}
        assert not [one.why for one in seen if "hangs" in one.why]
        assert seen[-1].used == str(other)


async def test_a_store_closes_while_its_model_hangs(folder: Path, tmp_path: Path) -> None:
    own = network(tmp_path / "network", turns=("z", 400_000))
    async with remembering(folder, own) as memory:
        await until(memory, "level")
        await memory.remember("zebras are striped")
        assert (await memory.recall("are zebras striped?"))[0].text == "zebras are striped"
    async with remembering(folder, "none") as memory:
        await words_go_on(memory)


async def test_a_model_whose_folder_is_deleted_serves_on_and_then_words_do(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning, "AGAIN", 0.05)
    own = network(tmp_path / "network")
    async with remembering(folder, own) as memory:
        await until(memory, "level")
        shutil.move(own, tmp_path / "elsewhere")
        state = await until(memory, "failed")
        assert state.used == str(own)
        assert "there is no such folder; what was loaded of it serves until the daemon ends" in state.why
        await memory.remember("what came later")
        while (await memory.embedded(0)).vectors < 5:
            await anyio.sleep(0.02)
    async with remembering(folder, own) as memory:
        state = await until(memory, "failed")
        assert state.used == ""
        assert "there is no such folder" in state.why
        await words_go_on(memory)
        shutil.move(tmp_path / "elsewhere", own)
        state = await until(memory, "level")
        assert (state.used, state.vectors, state.why) == (str(own), 5, "")


async def test_other_weights_under_the_same_name_are_seen_and_every_memory_gets_its_vector_by_them(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning, "AGAIN", 0.05)
    own = network(tmp_path / "network")
    async with remembering(folder, own) as memory:
        first = (await until(memory, "level")).fingerprint
        network(own, seed=1)
        with anyio.fail_after(60):
            while (state := await memory.embedded(1)).fingerprint == first or state.phase != "level":
                await anyio.sleep(0.02)
        await words_go_on(memory)
    model = NetworkModel(str(own), tmp_path)
    assert vectors_in(folder, model) == vectors_wanted(folder, model) != {}
    assert (folder / f"vectors-{first}.f32").exists()


async def test_a_cache_that_is_no_database_is_thrown_away_and_filled_again(folder: Path, tmp_path: Path) -> None:
    own = network(tmp_path / "network")
    async with remembering(folder, own) as memory:
        await until(memory, "level")
    for file in folder.glob("embeddings.db*"):
        file.write_bytes(b"this is no database, " * 1000)
    async with remembering(folder, own) as memory:
        state = await until(memory, "level")
        assert (state.used, state.vectors) == (str(own), 4)
        await words_go_on(memory)
    model = NetworkModel(str(own), tmp_path)
    assert vectors_in(folder, model) == vectors_wanted(folder, model) != {}


async def test_rows_of_the_cache_that_are_damaged_are_computed_again(folder: Path, tmp_path: Path) -> None:
    own = network(tmp_path / "network")
    async with remembering(folder, own) as memory:
        await until(memory, "level")
    with closing(sqlite3.connect(folder / "embeddings.db")) as cache, cache:
        cache.execute("UPDATE row SET row = row + 1")
        cache.execute("DELETE FROM row WHERE row = 2")
    async with remembering(folder, own) as memory:
        await until(memory, "level")
    model = NetworkModel(str(own), tmp_path)
    assert vectors_in(folder, model) == vectors_wanted(folder, model) != {}


async def test_of_models_used_in_turn_the_last_two_are_kept_and_going_back_computes_nothing(
    folder: Path, tmp_path: Path
) -> None:
    owns = [network(tmp_path / f"network {number}", seed=number) for number in range(3)]
    models = [NetworkModel(str(own), tmp_path) for own in owns]
    files = [folder / f"vectors-{model.fingerprint}.f32" for model in models]
    wanted = str(owns[0])
    async with choosing(folder, lambda: wanted) as memory:

        async def changed(number: int) -> None:
            nonlocal wanted
            wanted = str(owns[number])
            with anyio.fail_after(60):
                while (state := await memory.embedded(1)).used != wanted or state.phase != "level":
                    await anyio.sleep(0.02)

        await changed(0)
        await changed(1)
        first = files[0].read_bytes()
        await changed(0)
        assert files[0].read_bytes() == first
        await changed(2)
        with anyio.fail_after(60):  # what is not kept goes after the change
            while files[1].exists():
                await anyio.sleep(0.02)
        assert [file.exists() for file in files] == [True, False, True]
    for number in (0, 2):
        assert vectors_in(folder, models[number]) == vectors_wanted(folder, models[number]) != {}


FILL = """
import json, resource, sys
import anyio
import aftermind
from aftermind.cli.holding import meaning
from aftermind.cli.holding.held import held

meaning.AGAIN = 0.1
folder, model, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])

async def main():
    async with aftermind.open_memory(folder, model="none") as memory:
        for number in range(30):
            await memory.remember(f"note{number} of the day")
    async with aftermind.open_memory(folder, model=model) as memory:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        state = await memory.embedded(60)
        said = {"phase": state.phase, "why": state.why, "used": state.used}
        said["best"] = (await memory.recall("note7"))[0].text
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        with anyio.fail_after(60):
            while (state := await memory.embedded(1)).phase != "level":
                await anyio.sleep(0.02)
        print(json.dumps({**said, "vectors": state.vectors}))

anyio.run(main)
"""


async def test_a_full_disk_stops_the_vectors_and_nothing_else(folder: Path, tmp_path: Path) -> None:
    own = network(tmp_path / "network", dimensions=16_384)
    command = [sys.executable, "-c", FILL, str(folder), str(own), "1000000"]
    ran = await anyio.run_process(command, check=False, env={**os.environ, "PYTHONPATH": SOURCE})
    assert ran.returncode == 0, ran.stderr.decode()
    said = json.loads(ran.stdout)
    assert (said["phase"], said["used"], said["vectors"]) == ("failed", "", 30)
    assert "File too large" in said["why"]
    assert said["best"] == "note7 of the day"
    model = loaded(str(own), tmp_path)
    assert model is not None
    assert vectors_in(folder, model) == vectors_wanted(folder, model) != {}


async def test_a_model_that_was_removed_leaves_no_vector_of_what_is_forgotten_later(
    folder: Path, tmp_path: Path
) -> None:
    """Its rows of before are forgotten with its file: used again, each new one stands where it says."""
    own = network(tmp_path / "network")
    model = NetworkModel(str(own), tmp_path)
    file = folder / f"vectors-{model.fingerprint}.f32"
    async with remembering(folder, own) as memory:
        secret = (await memory.recall("deploys are on mondays"))[0].id
        ship = (await memory.recall("the ship is blue"))[0].id
        for colour in ("green", "red", "white"):
            await until(memory, "level")
            await memory.correct(ship, f"the ship is {colour}")
        await until(memory, "level")
    size = file.stat().st_size
    assert await kept.removed(folder, model.fingerprint) == size
    assert not file.exists()
    async with remembering(folder, own) as memory:
        await until(memory, "level")
    (vector,) = model.embed(["deploys are on mondays"])
    assert vector.tobytes() in file.read_bytes()
    async with remembering(folder, "none") as memory:
        begun = await memory.ask(ForgetAll(selection=Selection(ids=(secret,))))
        done = await memory.ask(Erasing(run=begun.run, seconds=60.0))
    assert (done.step, vector.tobytes() in file.read_bytes()) == ("done", False)
    assert file.stat().st_size > 0


async def test_where_nobody_can_tell_how_long_a_row_is_all_of_a_models_vectors_go(folder: Path, tmp_path: Path) -> None:
    own = network(tmp_path / "network")
    model = NetworkModel(str(own), tmp_path)
    async with remembering(folder, own) as memory:
        await until(memory, "level")
        secret = (await memory.recall("deploys are on mondays"))[0].id
    with closing(sqlite3.connect(folder / CACHE)) as cache, cache:
        cache.execute("UPDATE row SET row = row + 1000")
        cache.execute("DELETE FROM width")  # as an older program left it
    async with remembering(folder, "none") as memory:
        begun = await memory.ask(ForgetAll(selection=Selection(ids=(secret,))))
        assert (await memory.ask(Erasing(run=begun.run, seconds=60.0))).step == "done"
    assert (folder / f"vectors-{model.fingerprint}.f32").read_bytes() == b""
    async with remembering(folder, own) as memory:
        assert (await until(memory, "level")).vectors == len(TEXTS) - 1
    assert vectors_in(folder, model) == vectors_wanted(folder, model) != {}
