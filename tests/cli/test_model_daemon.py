"""Models in a real daemon: changed while it is at work, and one that hangs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import anyio
from tests.daemons import daemon, none_left, processes, wait_until
from tests.meant import vectors_in, vectors_wanted
from tests.networks import network

import aftermind
from aftermind.projections.meaning.embedding import Model, loaded

EVER = 2**60


def model_of(name: str | Path, place: Path) -> Model:
    found = loaded(str(name), place)
    assert found is not None
    return found


def changed(cli, name: str | Path) -> None:
    said = cli("model", "use", str(name), "--wait", "--json")
    assert said.status == 0, said
    assert (said.json["state"]["used"], said.json["state"]["phase"]) == (str(name), "level")


def test_the_vectors_are_the_right_ones_after_changes_of_the_model_under_load(cli, store, place):
    """Others append, correct, forget and recall all the while; recall answers every time."""
    own = network(place / "network")
    with daemon(store) as resident:
        worker = subprocess.Popen(
            [sys.executable, "-c", LOAD, str(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"begun\n"
        for name in (own, "static", own, "static"):
            changed(cli, name)
        said = json.loads(worker.communicate(b"enough\n")[0])
        assert worker.returncode == 0
        assert said["appended"] > 20
        assert said["recalls"] == said["answered"] > 20
        state = cli("model", "use", "static", "--wait", "--json").json["state"]
        assert (state["phase"], state["followed"]) == ("level", state["head"])
        assert cli("stop").status == 0
        resident.wait(20)
    for name in ("static", own):
        model = model_of(name, place)
        found, wanted = vectors_in(store, model), vectors_wanted(store, model)
        assert len(wanted) > 20
        if name == "static":
            assert found == wanted
        else:  # it was left before the last events
            assert found
            assert all(wanted[place] == vector for place, vector in found.items() if place in wanted)


LOAD = """
import json, sys
import anyio
from anyio import to_thread
import aftermind

async def main():
    said = dict(appended=0, recalls=0, answered=0)
    async with aftermind.open_memory(sys.argv[1]) as memory:
        await memory.remember("the first of all is an anchor")
        print("begun", flush=True)
        over = False

        async def appends():
            for number in range(10_000):
                if over and number >= 60:  # however quickly the models change
                    break
                id = await memory.remember(f"said as {number}: the {number % 7} ships are in harbour {number % 11}")
                if number % 5 == 1:
                    await memory.correct(id, f"corrected as {number}: the ships are at sea")
                if number % 5 == 2:
                    await memory.forget(id)
                said["appended"] += 1

        async def recalls():
            while not over or said["recalls"] < 60:
                found = await memory.recall("the first anchor of all")
                said["recalls"] += 1
                said["answered"] += bool(found) and found[0].text == "the first of all is an anchor"

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(appends)
            tasks.start_soon(recalls)
            await to_thread.run_sync(sys.stdin.readline)
            over = True
    print(json.dumps(said))

anyio.run(main)
"""


def test_files_that_were_replaced_serve_as_soon_as_their_folder_is_used_again(cli, store, place):
    own = network(place / "network")
    assert cli("remember", "the ship is blue", "--global").status == 0
    with daemon(store):
        changed(cli, own)
        network(own, seed=1)
        changed(cli, own)
        model = model_of(own, place)
        assert cli("model", "status", "--json").json["fingerprint"] == model.fingerprint
        assert vectors_in(store, model) == vectors_wanted(store, model) != {}


def test_a_folder_that_was_mended_serves_as_soon_as_it_is_used_again(cli, store, place):
    own, away = network(place / "network"), place / "away"
    assert cli("remember", "the ship is blue", "--global").status == 0
    changed(cli, own)
    own.rename(away)
    with daemon(store):
        wait_until(lambda: cli("model", "status", "--json").json["phase"] == "failed", "it failed")
        away.rename(own)
        changed(cli, own)


def threads(pid: int) -> int:
    return sum(1 for _ in Path(f"/proc/{pid}/task").iterdir())


def test_a_daemon_whose_model_hangs_for_ever_answers_by_words_tells_it_and_stops(cli, store, place):
    own = network(place / "network", turns=("z", EVER))
    for text in ("the xylophone is out of tune", "the ship is blue"):
        assert cli("remember", text, "--global").status == 0
    with daemon(store) as resident:
        changed(cli, own)

        async def asked() -> tuple[list[str], int, int]:
            async with aftermind.open_memory(store) as memory:
                found = [(await memory.recall("is the xylophone out of tune, zoe?"))[0].text]
                before = threads(resident.pid)
                for number in range(30):
                    with anyio.fail_after(20):
                        found.append((await memory.recall(f"is the xylophone out of tune, zoe {number}?"))[0].text)
                return found, before, threads(resident.pid)

        found, before, after = anyio.run(asked)
        assert found == ["the xylophone is out of tune"] * 31
        assert after <= before
        told = cli("model", "status")
        assert f"hung: {own} hangs: it has not come back from a text it was given" in told.out
        assert "aftermind restart" in told.out
        doctor = cli("doctor", "--json")
        (finding,) = (one for one in doctor.json["findings"] if one["looked_at"] == "model")
        assert (doctor.status, finding["level"], finding["values"]["phase"]) == (1, "fault", "hung")
        assert "aftermind restart" in finding["mend"]
        assert cli("stop").status == 0
        assert resident.wait(20) == 0
    wait_until(lambda: not processes(store), "the daemon ended")


WAITS = """
import sys
import anyio
import aftermind

async def main():
    async with aftermind.open_memory(sys.argv[1]) as memory:
        print("begun", flush=True)
        await memory.embedded()

anyio.run(main)
"""


def test_whoever_waits_for_the_vectors_of_a_model_that_hangs_does_not_keep_a_daemon_from_ending(cli, store, place):
    assert cli("config", "set", "model.name", str(network(place / "network", turns=("q", EVER)))).status == 0
    with none_left(store), daemon(store) as resident:
        assert cli("model", "use", str(place / "network"), "--wait").status == 0
        assert cli("remember", "the queen quacks").status == 0
        waits = subprocess.Popen([sys.executable, "-c", WAITS, str(store)], stdout=subprocess.PIPE)
        assert waits.stdout is not None
        assert waits.stdout.readline() == b"begun\n"
        wait_until(lambda: cli("status", "--json").json["connections"] > 1, "it asked")
        resident.terminate()
        resident.wait(20)
        waits.kill()
        waits.communicate()
