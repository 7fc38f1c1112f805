"""Who was said right before and after whom is what the shelf says, in whichever pieces it was read and whatever became
of anybody since."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aftermind
from aftermind.cli.language.keeping import Dating, Keep
from aftermind.engine.errors import AftermindError
from aftermind.engine.moments import microseconds
from aftermind.engine.names import GLOBAL
from aftermind.engine.sqlite import Connection, database
from aftermind.engine.views.growing import checkpoint, current
from aftermind.projections.reading.manner import ASKS
from aftermind.projections.recalling.arrays.scopes import read_through
from aftermind.projections.recalling.arrays.turns import MISSING, Turns
from aftermind.projections.recalling.recall import SAID_THERE
from aftermind.projections.views.seen import live
from tests.given import NOON

DAYS = (NOON - timedelta(days=1), NOON + timedelta(days=1))
TOLD = st.lists(
    st.tuples(st.integers(MISSING, 2), st.sampled_from((True, False, False, False))), min_size=1, max_size=80
)


@given(TOLD, st.lists(st.integers(0, 40)))
def test_in_whichever_pieces_it_is_told(told: list[tuple[int, bool]], cuts: list[int]) -> None:
    sessions, seen = (np.array(column) for column in zip(*told, strict=True))
    turns = Turns()
    for cut in (*sorted(min(cut, len(told)) for cut in cuts), len(told)):
        turns.level(sessions[:cut])
    before, after = turns.beside(np.arange(len(told)), lambda some: seen[some])

    def there(some: range, session: int) -> int:
        return next((n for n in some if session != MISSING and told[n] == (session, True)), MISSING)

    each = [session for session, _ in told]
    assert before.tolist() == [there(range(n - 1, -1, -1), session) for n, session in enumerate(each)]
    assert after.tolist() == [there(range(n + 1, len(told)), session) for n, session in enumerate(each)]


_SAME = f"session = s.session AND scope = s.scope AND {SAID_THERE} AND {live()}"
_ON_THE_SHELF = f"""SELECT s.position,
  (SELECT max(position) FROM shelf WHERE {_SAME} AND position < s.position),
  (SELECT min(position) FROM shelf WHERE {_SAME} AND position > s.position),
  coalesce((SELECT manner & {ASKS} AND speaker <> s.speaker FROM shelf WHERE {_SAME} AND position < s.position
    ORDER BY position DESC LIMIT 1), 0), s.status = 'live'
  FROM shelf s WHERE scope = :scope AND s.session IS NOT NULL AND (s.exchange IS NULL OR s.kind = 'exchange')"""


def compared(connection: Connection) -> int:
    """What is kept in memory, with the shelf; how many are beside somebody."""
    asked = {"scope": GLOBAL, "now": microseconds(NOON)}
    rows = sorted(tuple(row) for row in connection.execute(_ON_THE_SHELF, asked))
    held = read_through(connection).level(connection, GLOBAL, checkpoint(connection))
    ordinals = np.searchsorted(held.shelf.positions, [row[0] for row in rows]).astype(np.uint32)
    assert (held.shelf.standing(ordinals, 0, 1).session != MISSING).all()
    before, after, asks = held.shelf.beside(ordinals, microseconds(NOON))
    at = [*held.shelf.positions.tolist(), None]  # the last is who is missing
    told = zip(ordinals, before, after, asks.tolist(), held.shelf.live(ordinals).tolist(), strict=True)
    assert rows == [(at[own], at[earlier], at[later], *bits) for own, earlier, later, *bits in told]
    return sum(row[1] is not None for row in rows)


@pytest.mark.anyio
async def test_chains_read_on_equal_chains_read_anew_whatever_became_of_a_memory(folder: Path, stamp) -> None:
    """One connection is asked after each step, another is opened each time."""
    random = Random(5)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        ids: list[str] = []

        async def say() -> None:
            ids.append(
                await memory.remember(
                    random.choice(("which port?", "port 8080", "and now?")) + f" {len(ids)}",
                    kind=random.choice(("conversation", "fact")),
                    speaker=random.choice(("ann", "bo")),
                    session=random.choice(("s1", "s2", "s3", None)),
                    at=NOON - timedelta(hours=random.choice((1, 30))),
                )
            )

        async def tell() -> None:
            told = await memory.record("why is it red?", "a stale cache", session=random.choice(("s1", "s2")))
            ids.append(told.memory)

        for _ in range(30):
            await say()
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        steps = (
            say,
            tell,
            tell,
            lambda: memory.archive(random.choice(ids)),
            lambda: memory.restore(random.choice(ids)),
            lambda: memory.correct(random.choice(ids), f"which port {random.random()}?"),
            lambda: memory.remember("port 8081", supersedes=random.choice(ids), session="s1"),
            lambda: memory.ask(Keep(id=random.choice(ids), says=(Dating(since=DAYS[1]),))),
            lambda: memory.ask(Keep(id=random.choice(ids), says=(Dating(until=DAYS[0]),))),
            lambda: memory.forget(ids.pop(random.randrange(len(ids)))),
        )
        refused = 0
        async with database(views, "read") as reader:
            for _ in range(80):
                try:
                    await random.choice(steps)()
                except AftermindError:  # what is archived already, say
                    refused += 1
                await memory.caught_up()
                async with database(views, "read") as other:
                    assert await reader.run(compared) == await other.run(compared) > 10
        assert refused < 40
