"""What the arrays tell of memories is what stands on the shelf of them, in the order they are asked for."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

import aftermind
from aftermind.engine.names import GLOBAL, KINDS, Scope
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection, database
from aftermind.engine.views.growing import checkpoint, current
from aftermind.projections.reading.manner import Manner, Wanted
from aftermind.projections.reading.terms import terms
from aftermind.projections.recalling.arrays.turns import MISSING
from aftermind.projections.recalling.candidate import Outcomes
from aftermind.projections.recalling.ranking.matches import manners, talks, what_stands
from aftermind.projections.recalling.words.weighing import lines, located

pytestmark = pytest.mark.anyio
TEXTS = ("zebra", "always zebra before lemur", "I prefer zebra", "which zebra?", "yesterday the zebra")
_SHELF = """SELECT position, at, kind, manner, answered > 0, said + answered, speaker,
  iif(exchange IS NULL OR kind = 'exchange', session, NULL), worked, partial, failed, scope FROM shelf"""


def compared(connection: Connection, random: Random) -> None:
    rows = connection.execute(_SHELF).fetchall()
    random.shuffle(rows)
    scopes = sorted({Scope(row[-1]) for row in rows})
    assert len(scopes) == 3
    found = lines(connection, terms("zebra"), scopes, Ranking(), checkpoint(connection))
    stands = what_stands(found, located(found, np.array([row[0] for row in rows]))[0])
    names = [found[n % 3].held.shelf.speaker(n // 3) for n in stands.speaker.tolist()]
    told = zip(
        stands.at,
        (KINDS[kind] for kind in stands.kind),
        stands.manner,
        stands.answered,
        stands.length,
        names,
        strict=True,
    )
    assert list(told) == [row[1:7] for row in rows]
    sessions: dict[int, set[tuple[str, str]]] = {}
    for number, row in zip(stands.session.tolist(), rows, strict=True):
        assert (number == MISSING) == (row[7] is None)
        sessions.setdefault(number, set()).add((row[7], row[-1]))
    assert all(len(same) == 1 for number, same in sessions.items() if number != MISSING)
    assert len(sessions) == 1 + len({(row[7], row[-1]) for row in rows if row[7] is not None})
    judged = {n: Outcomes(*row[8:11]) for n, row in enumerate(rows) if any(row[8:11])}
    assert stands.outcomes() == judged
    assert len(judged) == 3
    every, which = manners(found, stands, {"ann"}, Wanted(doing=True))
    doing = {n: every[one] for n, one in enumerate(which.tolist())}
    assert {n for n, one in doing.items() if one.rule} == {
        n for n, row in enumerate(rows) if row[2] == "directive" or row[3] & 4
    }
    assert {n for n, one in doing.items() if one.named} == {n for n, row in enumerate(rows) if row[6] == "ann"}
    assert {n for n, one in doing.items() if one.asks} == {n for n, row in enumerate(rows) if row[3] & 1 and not row[4]}
    assert Manner() in doing.values()


@pytest.mark.parametrize("seed", range(3))
async def test_they_say_what_the_shelf_says_also_after_it_changed(folder: Path, stamp, clock, seed: int) -> None:
    random = Random(seed)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        ids = [
            await memory.remember(
                f"{random.choice(TEXTS)} {n}",
                kind=random.choice(("fact", "directive", "conversation")),
                project=random.choice((None, "shop", "bank")),
                speaker=random.choice(("ann", "bo", "")),
                session=random.choice(("s1", "s2", None)),
            )
            for n in range(60)
        ]
        told = [
            await memory.record(f"zebra {n}?", "lemur " * 300, session="s1", project=random.choice(("shop", "bank")))
            for n in range(9)
        ]
        for one, outcome in zip(told, ("worked", "failed", "partial", "unknown"), strict=False):
            await memory.score(outcome, exchange=one.id)
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        async with database(views, "read") as reader:
            await reader.run(lambda c: compared(c, random))
            clock.wait(seconds=60)
            await memory.correct(ids[0], "always zebra now")
            await memory.correct(told[5].memory, "which zebra?")
            await memory.archive(ids[1])
            await memory.caught_up()
            await reader.run(lambda c: compared(c, random))


async def test_a_session_is_one_in_whichever_scope_it_was_said(folder: Path, stamp) -> None:
    """The last places of an answer are rather for another."""

    def said(connection: Connection) -> list[tuple[str, str | None]]:
        scopes = [Scope(scope) for (scope,) in connection.execute("SELECT DISTINCT scope FROM shelf ORDER BY 1")]
        found = lines(connection, terms("zebra"), scopes, Ranking(), checkpoint(connection))
        positions = np.concatenate([line.held.shelf.positions for line in found])
        every = connection.execute("SELECT position, text FROM shelf").fetchall()
        stands = what_stands(found, located(found, positions)[0])
        return list(zip(map(dict(every).get, positions.tolist()), talks(found, stands), strict=True))

    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        for text, project, session, kind in (
            ("one", "shop", "s1", "conversation"),
            ("two", None, "s1", "conversation"),
            ("three", None, "s2", "conversation"),
            ("four", "shop", "s2", "fact"),
            ("five", "shop", None, "conversation"),
        ):
            await memory.remember(f"zebra {text}", project=project, session=session, kind=kind)
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        async with database(views, "read") as reader:
            talk = dict(await reader.run(said))
    assert talk == {"zebra one": "s1", "zebra two": "s1", "zebra three": "s2", "zebra four": None, "zebra five": None}


async def test_a_verdict_is_told_to_who_has_read_the_shelf_before(folder: Path, stamp) -> None:
    def judged(connection: Connection) -> dict[int, Outcomes]:
        found = lines(connection, terms("zebra"), (GLOBAL,), Ranking(), checkpoint(connection))
        return what_stands(found, located(found, found[0].held.shelf.positions)[0]).outcomes()

    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        told = [await memory.record(f"zebra {n}", "asleep", session="s") for n in range(3)]
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        async with database(views, "read") as reader:
            assert await reader.run(judged) == {}
            await memory.score("failed", exchange=told[1].id)
            await memory.caught_up()
            assert await reader.run(judged) == {1: Outcomes(failed=1)}
            await memory.correct(told[1].memory, "a zebra sleeps")
            await memory.caught_up()
            assert list((await reader.run(judged)).values()) == [Outcomes(failed=1)], "of its past wording"
