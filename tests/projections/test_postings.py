"""What is kept in memory of the words says what the tables say, whatever happened since it was read; and what is added
up of it is what adding it up one by one gives, whichever words lead."""

from __future__ import annotations

from datetime import timedelta
from itertools import accumulate
from math import log
from pathlib import Path
from random import Random

import numpy as np
import pytest
from msgspec import structs

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.keeping import Dating, Keep
from aftermind.cli.language.linking import Link
from aftermind.cli.language.requests import Edition
from aftermind.engine.memories.book import Chunk
from aftermind.engine.names import GLOBAL, Position
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection, database
from aftermind.engine.views.growing import checkpoint, current
from aftermind.projections.reading.terms import terms
from aftermind.projections.recalling import finding
from aftermind.projections.recalling.arrays.postings import Held
from aftermind.projections.recalling.arrays.scopes import read_through
from aftermind.projections.recalling.arrays.shelved import Sight
from aftermind.projections.recalling.candidate import Ranked
from aftermind.projections.recalling.finding import begun
from aftermind.projections.recalling.nearby import WORDS_ALONE
from aftermind.projections.recalling.recall import Query
from aftermind.projections.recalling.words.found import found_by_words
from aftermind.projections.recalling.words.weighing import lines, most_said, what_is_said
from tests.given import NOON

pytestmark = pytest.mark.anyio
WORDS = ("zebra", "lemur", "otter", "heron", "bison", "gecko", "tapir", "dingo", "東京都")
QUERY = Query(text=" ".join(WORDS), scopes=(GLOBAL,), limit=50, floor="none")


def prose(random: Random) -> str:
    return " ".join(random.choices(WORDS, k=random.randint(1, 5)) + ["and so on"] * random.choice((0, 3, 60)))


async def book(memory: OpenMemory, *texts: str) -> None:
    await memory.ingest_all([Edition(path="/b", title="B", chunks=tuple(Chunk(text=text) for text in texts))])


def asked(connection: Connection, query: Query, now_plus: float = 0) -> Ranked:
    now, ranking = NOON + timedelta(seconds=now_plus), Ranking()
    return finding.recalled(connection, ranking, begun(connection, query, now, ranking, WORDS_ALONE))


def in_one_visit(connection: Connection, query: Query) -> Ranked:
    return finding.answered(connection, query, NOON, Ranking())


def words_tell(connection: Connection) -> object:
    """What the words of a prompt tell of this store."""
    query = structs.replace(QUERY, prompt=True)
    return finding._telling(found_by_words(connection, query, NOON, Ranking()), Ranking())


async def test_after_anything_that_happens_they_say_what_is_read_anew(folder: Path, stamp) -> None:
    """One connection asks after each step, another is opened each time."""
    random = Random(7)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        kept = [await memory.remember(prose(random)) for _ in range(60)]
        told = [await memory.record(prose(random), prose(random), session=f"s{n % 3}") for n in range(20)]
        ids = kept + [one.memory for one in told]
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        steps = [
            lambda: memory.remember(prose(random)),
            lambda: memory.correct(ids[random.randrange(20)], prose(random)),
            lambda: memory.forget(ids.pop(random.randrange(30, len(ids)))),
            lambda: memory.archive(ids[21]),
            lambda: memory.restore(ids[21]),
            lambda: memory.promote(ids[-1]),
            lambda: memory.remember(prose(random), supersedes=ids[22]),
            lambda: memory.archive(ids[random.randrange(20)]),
            lambda: book(memory, "zebra", "otter"),
            lambda: book(memory, "otter", "lemur"),
            lambda: memory.remember(prose(random)),
            lambda: book(memory, "zebra", "heron"),
            lambda: memory.record("heron?", "tapir " * 9, session="s1", id="m"),
            lambda: memory.record("heron?", "tapir " * 9 + "and gecko", session="s1", id="m"),
            lambda: memory.forget(ids.pop(3)),
            lambda: memory.score("worked", exchange=told[9].id),
            lambda: memory.score("failed", exchange=told[9].id),
            lambda: memory.score("partial", exchange=told[9].id),
            lambda: memory.correct(told[9].memory, prose(random)),
            lambda: memory.ask(Keep(id=ids[5], says=(Dating(until=NOON - timedelta(days=1)),))),
            lambda: memory.ask(Keep(id=ids[6], says=(Dating(since=NOON + timedelta(days=1)),))),
        ]
        async with database(views, "read") as reader:
            for step in steps:
                await step()
                await memory.caught_up()
                for query in (QUERY, structs.replace(QUERY, history=True), structs.replace(QUERY, prompt=True)):
                    async with database(views, "read") as other:
                        anew = await other.run(lambda c, q=query: asked(c, q))
                    assert await reader.run(lambda c, q=query: asked(c, q)) == anew
                    assert await reader.run(lambda c, q=query: in_one_visit(c, q)) == anew
                    assert anew.hits
                async with database(views, "read") as other:
                    assert await reader.run(words_tell) == await other.run(words_tell)


@pytest.mark.parametrize("step", ["archive", "forget"])
async def test_what_is_put_away_while_a_query_waits_for_its_vector_is_not_shown(folder: Path, stamp, step) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        ids = [await memory.remember(f"the zebra of stable {n}", session="s", kind="conversation") for n in range(3)]
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        async with database(views, "read") as reader:
            said = await reader.run(lambda c: begun(c, QUERY, NOON, Ranking(), WORDS_ALONE))
            await getattr(memory, step)(ids[1])
            await memory.caught_up()
            anew = await reader.run(lambda c: asked(c, QUERY))  # by which the arrays are level with that
            found = await reader.run(lambda c: finding.recalled(c, Ranking(), said))
            assert found == anew
    assert {hit.candidate.memory for hit in found.hits} == {ids[0], ids[2]}


async def test_what_is_said_against_a_memory_while_a_query_waits_for_its_vector_is_told(folder: Path, stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        one, other = [await memory.remember(f"the zebra sleeps in stable {n}") for n in (1, 2)]
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        async with database(views, "read") as reader:
            said = await reader.run(lambda c: begun(c, QUERY, NOON, Ranking(), WORDS_ALONE))
            await memory.ask(Link(id=one, other=other, relation="contradicts"))
            await memory.caught_up()
            found = await reader.run(lambda c: finding.recalled(c, Ranking(), said))
    assert {hit.candidate.disputed for hit in found.hits} == {(one,), (other,)}


async def test_who_says_it_is_kept_for_what_was_asked_last(folder: Path, stamp, monkeypatch) -> None:
    """And read again for the rest."""
    monkeypatch.setattr("aftermind.projections.recalling.arrays.postings.KEPT_WORDS", 2)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        for word in WORDS:
            await memory.remember(f"the {word} sleeps")
        for _ in range(2):
            for word in WORDS:
                assert [hit.text for hit in await memory.recall(word)] == [f"the {word} sleeps"]
        views = current(folder)
        assert views is not None
        async with database(views, "read") as reader:

            def kept(connection: Connection) -> list[str]:
                held = read_through(connection).level(connection, GLOBAL, checkpoint(connection))
                for word in WORDS:
                    held.who(connection, terms(word))
                return [term.text for term in held._words]

            assert await reader.run(kept) == [*WORDS[-2:]]


async def test_a_scope_that_is_made_ready_piece_by_piece_is_what_one_read_at_once_is(folder: Path, stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        random = Random(3)
        for n in range(30):
            await memory.remember(prose(random))
            await memory.record(prose(random), prose(random), session=f"s{n}")
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        async with database(views, "read") as reader:

            def pieces(connection: Connection) -> int:
                at = Position(connection.execute("SELECT position FROM checkpoint").fetchone()[0])
                held, count = Held(GLOBAL, at), 1
                while held.read_some(connection, 7):
                    count += 1
                whole = read_through(connection).level(connection, GLOBAL, checkpoint(connection))
                assert (
                    held.shelf.positions.tolist()
                    == whole.shelf.positions.tolist()
                    == sorted(held.shelf.positions.tolist())
                )
                everyone = np.arange(whole.shelf.count, dtype=np.uint32)
                sight = Sight(now=0, history=False)
                assert held.shelf.visible(everyone, sight).tolist() == whole.shelf.visible(everyone, sight).tolist()
                return count

            assert await reader.run(pieces) > 5


@pytest.mark.parametrize(("moved", "step"), [(1, "promote"), (40, "demote")])
async def test_what_moves_while_a_scope_is_read_is_there_once(folder: Path, stamp, moved: int, step: str) -> None:
    """The first was read and is met again where it went, the other went where everything had been read."""

    def seen(connection: Connection) -> Position:
        return Position(connection.execute("SELECT position FROM checkpoint").fetchone()[0])

    def in_part(connection: Connection) -> Held:
        held = Held(GLOBAL, seen(connection))
        assert held.read_some(connection, 7)
        return held

    def the_rest(connection: Connection, held: Held) -> None:
        while held.read_some(connection, 7):
            pass
        held.who(connection, terms("zebra"))  # as it is read ahead, before anybody asks
        held.shelf.beside(np.arange(held.shelf.count, dtype=np.uint32), 0)

    def in_full(connection: Connection, held: Held | None = None) -> list[list[int]]:
        at = seen(connection)
        held = held or Held(GLOBAL, at)
        held.level(connection, at)
        everyone = np.arange(held.shelf.count, dtype=np.uint32)
        before, after, _ = held.shelf.beside(everyone, 0)
        visible = held.shelf.visible(everyone, Sight(now=0, history=False))
        zebras = held.who(connection, terms("zebra"))[0].marks[0]
        return [column.tolist() for column in (held.shelf.positions, before, after, visible, zebras)]

    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        ids = [await memory.remember(f"zebra {n}", collection="history", session="s") for n in range(50)]
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        async with database(views, "read") as reader, database(views, "read") as other:
            held = await reader.run(in_part)
            await getattr(memory, step)(ids[moved])
            await memory.caught_up()
            await reader.run(lambda c: the_rest(c, held))
            found = await reader.run(lambda c: in_full(c, held))
            assert found == await other.run(in_full)
            assert len(found[0]) == 50


@pytest.mark.parametrize("allowed", [1, 40, 100_000])
async def test_shares_are_what_adding_up_one_by_one_gives_whichever_words_lead(folder: Path, stamp, allowed) -> None:
    random = Random(11)
    texts = [" ".join(random.choices(WORDS[:8], weights=(1, 2, 4, 8, 16, 32, 64, 128), k=6)) for _ in range(400)]
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        for text in texts:
            await memory.remember(text)
        await memory.caught_up()
        views = current(folder)
        assert views is not None
        ranking = Ranking(matched_rows=allowed, matched_share=0)
        query = "zebra lemur heron tapir dingo"
        sight = Sight(now=0, history=False)

        def read(connection: Connection) -> tuple[dict[int, float], dict[int, float]]:
            (line,) = lines(connection, terms(query), (GLOBAL,), ranking, checkpoint(connection))
            where, said, _, _ = most_said([line], sight, 20)
            positions, again = where.positions.tolist(), what_is_said([line], where)
            assert said.keys.tolist() == again.keys.tolist(), "who says the same is known by that"
            return tuple(dict(zip(positions, one.shares.tolist(), strict=True)) for one in (said, again))

        async with database(views, "read") as reader:
            found, again = await reader.run(read)
            stood = await reader.run(lambda c: dict(c.execute("SELECT position, text FROM shelf").fetchall()))
    weight = {}
    for word in query.split():
        matching = sum(word in text.split() for text in stood.values())
        weight[word] = log(1 + (len(stood) - matching + 0.5) / (matching + 0.5))
    short = 1 / (0.4 + 0.6 * 240 / 600)
    strength = 2.2 * short / (1.2 + short) / (2.2 * sum(weight.values()))
    naive = {at: strength * sum(weight[w] for w in weight if w in text.split()) for at, text in stood.items()}
    assert all(found[at] == pytest.approx(naive[at]) == pytest.approx(again[at]) for at in found)
    rarest = sorted(weight, key=lambda word: (-weight[word], word))
    counts = accumulate(sum(word in text.split() for text in stood.values()) for word in rarest)
    led = rarest[: max(1, sum(count <= allowed for count in counts))]
    leads = [at for at, text in stood.items() if set(led) & set(text.split())]
    best = sorted((naive[at] for at in leads), reverse=True)[:20]
    assert sorted(found.values(), reverse=True)[:20] == pytest.approx(best)
