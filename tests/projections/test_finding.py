"""What the query may not see counts for nothing, also where only the shelf knows it; and nothing is read to be shown
that was put away a moment ago."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

import aftermind
from aftermind.engine.names import GLOBAL
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection, database
from aftermind.engine.views.generations import current
from aftermind.projections.recalling import finding
from aftermind.projections.recalling.candidate import Ranked
from aftermind.projections.recalling.found import found_by_words
from aftermind.projections.recalling.nearby import Nearby
from aftermind.projections.recalling.recall import Query, ids, whole
from tests.given import NOON

pytestmark = pytest.mark.anyio
QUERY = Query(text="zebra port", scopes=(GLOBAL,))
RULES = Ranking()


def found(connection: Connection, query: Query, *cosines: float, ranking: Ranking = RULES) -> Ranked:
    """Memories are as near, in the order they were recorded."""
    positions = [row[0] for row in connection.execute("SELECT position FROM shelf ORDER BY position")]
    near = dict(zip(positions, cosines, strict=True))

    def of(asked: np.ndarray) -> np.ndarray:
        return np.array([near[at] for at in asked.tolist()], np.float32)

    said = found_by_words(connection, query, NOON, ranking)
    nearby = Nearby(
        of=of,
        beside=lambda asked: (of(asked), every := np.array(positions), of(every)),
        among=lambda only: (only, of(only)),
    )
    return finding.recalled(connection, query, NOON, ranking, said, nearby)


async def test_who_is_left_out_by_time_or_tag_takes_its_cosine_along(folder: Path, stamp, clock) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        first = clock.time
        texts = ("zebra port 1", "zebra port 2", "the zebra leaves the port")
        for tag, text in zip("aba", texts, strict=True):
            await memory.remember(text, tags=(tag,))
            clock.wait(seconds=60)
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        since = structs.replace(QUERY, since=first + timedelta(seconds=50), until=first + timedelta(days=1))
        async with database(views, "read") as reader:
            for query, cosines, hidden in (  # who is hidden is the nearest
                (since, (0.9, 0.4, 0.2), 0),
                (structs.replace(QUERY, tags=("a",)), (0.4, 0.9, 0.2), 1),
                (structs.replace(QUERY, at=first + timedelta(seconds=70)), (0.2, 0.4, 0.9), 2),
            ):
                hits = (await reader.run(lambda c, q=query, n=cosines: found(c, q, *n))).hits
                expected = {text: near for text, near in zip(texts, cosines, strict=True) if text != texts[hidden]}
                assert {hit.candidate.text for hit in hits} == set(expected)
                best = max(expected.values())  # facts of the same words score with the best of their cosines
                for hit in hits:
                    own = expected[hit.candidate.text]
                    how = f"cosine {own:.2f}" if own == best else "a fact of the same words"
                    assert any(how in reason for reason in hit.reasons), (hit.candidate.text, hit.reasons)


async def test_who_is_left_out_takes_no_place_of_who_is_ranked(folder: Path, stamp) -> None:
    """However near the others are: two memories are ranked here."""
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        for n in range(5):
            await memory.remember(f"zebra port {n}" if n < 2 else f"lemur {n}", tags=("a" if n < 2 else "b",))
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        few, query = structs.replace(RULES, candidates=2), structs.replace(QUERY, tags=("a",), limit=2)
        async with database(views, "read") as reader:
            hits = (await reader.run(lambda c: found(c, query, 0.2, 0.2, 0.9, 0.9, 0.9, ranking=few))).hits
    assert {hit.candidate.text for hit in hits} == {"zebra port 0", "zebra port 1"}


@pytest.mark.parametrize("step", ["archive", "forget"])
async def test_nothing_is_read_that_may_not_be_seen(folder: Path, stamp, step: str) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        kept, gone = [await memory.remember(f"zebra port {n}") for n in range(2)]
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        async with database(views, "read") as reader:
            positions = [
                row[0] for row in await reader.run(lambda c: c.execute("SELECT position FROM shelf").fetchall())
            ]
            await getattr(memory, step)(gone)
            await memory.caught_up()
            read = await reader.run(lambda c: whole(c, positions, QUERY, NOON))
            assert [one.memory for one in read] == [kept]
            assert list((await reader.run(lambda c: ids(c, positions, QUERY, NOON))).values()) == [kept]
