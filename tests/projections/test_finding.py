"""What the query may not see counts for nothing, also where only the shelf knows it; and nothing is read to be shown
that was put away a moment ago."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

import aftermind
from aftermind.engine.names import GLOBAL
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection, database
from aftermind.engine.views.growing import current
from aftermind.projections.recalling import finding
from aftermind.projections.recalling.candidate import Ranked
from aftermind.projections.recalling.finding import begun
from aftermind.projections.recalling.nearby import WORDS_ALONE, Nearby
from aftermind.projections.recalling.recall import Query, ids, whole
from aftermind.projections.recalling.words import found
from aftermind.projections.recalling.words.found import found_by_words
from tests.given import NOON

pytestmark = pytest.mark.anyio
QUERY = Query(text="zebra port", scopes=(GLOBAL,))
RULES = Ranking()


def found_near(connection: Connection, query: Query, *cosines: float, ranking: Ranking = RULES) -> Ranked:
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
    return finding.recalled(connection, ranking, said, nearby)


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
                hits = (await reader.run(lambda c, q=query, n=cosines: found_near(c, q, *n))).hits
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
            hits = (await reader.run(lambda c: found_near(c, query, 0.2, 0.2, 0.9, 0.9, 0.9, ranking=few))).hits
    assert {hit.candidate.text for hit in hits} == {"zebra port 0", "zebra port 1"}


async def test_who_was_said_in_a_stretch_of_time_is_found_under_many_that_were_not(folder: Path, stamp, clock) -> None:
    """They say more of the rare words, and only who says enough of these is asked for the common one."""
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        first = clock.time
        await memory.remember("a lemur sees the zebra")
        clock.wait(seconds=60)
        for n in range(60):
            await memory.remember(f"lemur, otter and zebra {n}" if n < 20 else f"zebra {n}")
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        query = Query(text="lemur otter zebra", scopes=(GLOBAL,), floor="none", since=first - timedelta(seconds=50))
        query = structs.replace(query, until=first + timedelta(seconds=50))
        few = structs.replace(RULES, candidates=2, matched_rows=45, matched_share=0.0)
        async with database(views, "read") as reader:
            hits = (await reader.run(lambda c: finding.answered(c, query, NOON, few))).hits
    assert [hit.candidate.text for hit in hits] == ["a lemur sees the zebra"]


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


LONG = "the meeting went on for a while and nobody could say what would come of it in the end; " * 5
CLOSE = f"The zebra port was closed. {LONG} The ferry left for the island."


async def test_what_is_looked_at_while_a_model_computes_is_not_read_again(folder: Path, stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        for text in (CLOSE, f"The zebra left. {LONG} The port was closed.", f"A ferry. {LONG} The island was closed."):
            await memory.remember(text)
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        async with database(views, "read") as reader:

            def both(connection: Connection) -> tuple[Ranked, Ranked, list[str]]:
                statements: list[str] = []
                looked = begun(connection, QUERY, NOON, RULES, WORDS_ALONE)
                connection.set_trace_callback(statements.append)
                ahead = finding.recalled(connection, RULES, looked)
                connection.set_trace_callback(None)
                plain = found_by_words(connection, QUERY, NOON, RULES)
                return ahead, finding.recalled(connection, RULES, plain), statements

            ahead, plain, statements = await reader.run(both)
    assert ahead == plain
    assert any("close together" in reason for reason in ahead.hits[0].reasons)
    assert statements
    assert not [one for one in statements if "substr(text" in one]


async def test_what_is_reworded_while_a_model_computes_is_as_close_together_as_it_is_now(folder: Path, stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        close = await memory.remember(CLOSE)
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        async with database(views, "read") as reader:
            looked = await reader.run(lambda c: begun(c, QUERY, NOON, RULES, WORDS_ALONE))
            assert looked.together
            await memory.correct(close, f"The zebra left. {LONG} The port was closed.")
            await memory.caught_up()
            hits = (await reader.run(lambda c: finding.recalled(c, RULES, looked))).hits
    assert hits
    assert not any("close together" in reason for hit in hits for reason in hit.reasons)


@pytest.mark.parametrize("before", ["last_touched", "checkpoint"])
async def test_what_is_reworded_while_words_are_looked_up_is_looked_up_again(
    folder: Path, stamp, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        reworded = await memory.remember("the zebra port is closed")
        kept = await memory.remember("a zebra stood in the port")
        await memory.caught_up()
        views, loop = current(folder), asyncio.get_running_loop()
        assert views is not None

        async def reword() -> None:
            await memory.correct(reworded, "nobody saw the whale")
            await memory.caught_up()

        async with database(views, "read") as reader:
            await reader.run(lambda c: found_by_words(c, QUERY, NOON, RULES))  # what is in memory is of before
            original = getattr(found, before)

            def meanwhile(connection: Connection) -> int:
                monkeypatch.setattr(found, before, original)
                asyncio.run_coroutine_threadsafe(reword(), loop).result()
                return int(original(connection))

            monkeypatch.setattr(found, before, meanwhile)
            looked = await reader.run(lambda c: begun(c, QUERY, NOON, RULES, WORDS_ALONE))
            hits = (await reader.run(lambda c: finding.recalled(c, RULES, looked))).hits
    assert [hit.candidate.memory for hit in hits] == [kept]
