"""Whatever is learned in whichever order: the newest value is never lost, no older one comes back, locks hold."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import anyio
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

import aftermind
from aftermind.cli.language.judging import RequestJudgement
from aftermind.engine.stamp import Stamp
from aftermind.sidecar.ports import Case, Findings, Learned
from tests.desks import case, put, taken
from tests.given import NOON
from tests.opened import Clock

pytestmark = pytest.mark.anyio
values = st.lists(
    st.tuples(st.sampled_from(["API", "admin"]), st.integers(1, 4), st.integers(1, 500), st.booleans()),
    min_size=1,
    max_size=7,
    unique_by=lambda one: one[2],
)


@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(values)
@example([("API", 1, 100, False), ("API", 1, 10, False), ("API", 2, 50, False)])
async def test_the_newest_value_stands_and_what_it_replaced_is_history(
    said: list[tuple[str, int, int, bool]],
) -> None:
    """Verdicts on imports, which were said so many hours ago; some memories are locked as soon as they are there."""
    with TemporaryDirectory() as name:
        stamp = Stamp(now=Clock(), random=Random(1).randbytes)
        async with aftermind.open_memory(Path(name) / "store", stamp=stamp) as memory:
            locked: set[str] = set()
            for number, (of, value, hours, lock) in enumerate(said):
                at, text = NOON - timedelta(hours=hours), f"The {of} port is {value}"
                options = {"session": f"s{number}", "id": "1", "at": at, "collection": "history"}
                await memory.record("port?", text, **options)
                await memory.ask(RequestJudgement(why="extract"))
                seen = await case(memory)
                assert await put(memory, seen, Findings(outcome="worked", learned=(Learned(text=text, kind="fact"),)))
                bank = await memory.latest(collections=["memory_bank"], history=True, limit=100)
                if lock and (mine := [one for one in bank if one.text == text and one.status == "live"]):
                    locked.add((await memory.lock(mine[0].id)).id)
            by_id = {one.id: one for one in bank}
            last = {f"The {of} port is {value}": NOON - timedelta(hours=99_999) for of, value, *_ in said}
            for of, value, hours, _ in said:
                text = f"The {of} port is {value}"
                last[text] = max(last[text], NOON - timedelta(hours=hours))
            assert all(by_id[id].status == "live" for id in locked)
            for one in bank:
                if one.status == "superseded":
                    assert one.successor is not None
                    assert last[by_id[one.successor].text] >= one.at
                    assert by_id[one.successor].text.split()[:4] == one.text.split()[:4]
            for of in {of for of, *_ in said}:
                live = [one for one in bank if one.status == "live" and f" {of} " in one.text]
                newest = min((hours, value) for other, value, hours, _ in said if other == of)[1]
                assert f"The {of} port is {newest}" in {one.text for one in live}
                assert len([one for one in live if one.id not in locked]) <= 1


async def test_two_verdicts_at_once_learn_one_thing_once(memory):
    for session in ("s1", "s2"):
        await memory.record("port?", "5432", session=session)
        await memory.end_session(session)
    cases = [await taken(memory) for _ in range(2)]
    thing = (Learned(text="The zebra port is 5432", kind="fact"),)
    async with anyio.create_task_group() as tasks:
        for one in cases:
            assert isinstance(one, Case)
            tasks.start_soon(put, memory, one, Findings(outcome="worked", learned=thing))
    (found,) = await memory.latest(collections=["memory_bank"])
    assert found.sightings == 1
