"""What is said around a memory, as its definition has it: said right before and after it in its session and scope by
what is live, in the rest of it, and how near the question it answers and its session are."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from msgspec import structs

import aftermind
from aftermind.engine.names import Scope
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection, database
from aftermind.engine.views.growing import checkpoint, current
from aftermind.projections.reading.terms import terms
from aftermind.projections.recalling.nearby import NOTHING_NEAR
from aftermind.projections.recalling.ranking.around import Around, around
from aftermind.projections.recalling.ranking.matches import what_stands
from aftermind.projections.recalling.words.weighing import lines, located, what_is_said, words_said
from tests.given import NOON

pytestmark = pytest.mark.anyio
WORDS = ("zebra", "lemur", "otter", "heron")
ASKED, RANKING = terms(" ".join(WORDS)), Ranking()


def cosine(position: int) -> float:
    return round(0.1 + position % 7 / 10, 1)


def of(positions: np.ndarray) -> np.ndarray:
    return np.array([cosine(at) for at in positions.tolist()], np.float32)


def compared(connection: Connection) -> tuple[Around, list[dict[str, float]]]:
    """What it gives, and what one look at each memory after the other does."""
    rows = connection.execute(
        "SELECT position, scope, session, speaker, text LIKE '%?', status = 'live' FROM shelf ORDER BY position"
    ).fetchall()
    scopes = sorted({Scope(row[1]) for row in rows})
    found = lines(connection, ASKED, scopes, RANKING, checkpoint(connection))
    positions = np.array([row[0] for row in rows])
    where, _ = located(found, positions)
    said = what_is_said(found, where).table(words_said(found))
    parts = {at: said.of(number) for number, at in enumerate(positions.tolist())}
    expected = []
    for at, scope, session, speaker, _, _ in rows:
        if session is None:
            expected.append(dict.fromkeys(Around.__struct_fields__, 0.0))
            continue
        live = [row for row in rows if row[1:3] == (scope, session) and row[5]]
        earlier = max((row for row in live if row[0] < at), default=None)
        later = min((row for row in live if row[0] > at), default=None)
        together = {word: max(parts[row[0]].get(word, 0.0) for row in live) for word in WORDS} if live else {}
        asks = earlier is not None and bool(earlier[4]) and earlier[3] != speaker
        expected.append(
            {
                "before": sum(parts[earlier[0]].values()) if earlier else 0.0,
                "after": sum(parts[later[0]].values()) if later else 0.0,
                "rest": sum(max(0.0, together[word] - parts[at].get(word, 0.0)) for word in together),
                "asked": asks,
                "answering": cosine(earlier[0]) if earlier and asks else 0.0,
                "session_near": max((cosine(row[0]) for row in live), default=0.0),
            }
        )
    cosines, sessions = np.array([cosine(at) for at in positions.tolist()]), what_stands(found, where).session
    near = structs.replace(NOTHING_NEAR, of=of)
    return around(where, sessions, said, cosines, found, NOON, near), expected


@pytest.mark.parametrize("seed", range(4))
async def test_it_is_what_one_look_at_each_after_the_other_gives(folder: Path, stamp, seed) -> None:
    random = Random(seed)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        ids = [
            await memory.remember(
                " ".join(random.choices(WORDS, k=2)) + f" {n}" + random.choice("??."),
                kind="conversation",
                project=random.choice(("shop", "bank")),
                speaker=random.choice(("ann", "bo")),
                session=random.choice(("s1", "s2", "s3", None)),
            )
            for n in range(60)
        ]
        reworded, *archived = random.sample(ids, 9)
        for id in archived:
            await memory.archive(id)
        await memory.correct(reworded, "zebra crossing?")
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        async with database(views, "read") as reader:
            found, expected = await reader.run(compared)
    for name in Around.__struct_fields__:
        assert getattr(found, name).tolist() == pytest.approx([one[name] for one in expected]), name
    assert found.asked.sum() > 3
