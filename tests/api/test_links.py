"""Links: said and found, walked within bounds, never into what is not seen, and gone with what they link."""

from __future__ import annotations

import pytest

from aftermind import open_memory
from aftermind.cli.language.linking import CountLinks, Link, Links, Unlink
from aftermind.cli.language.projects import Share
from aftermind.cli.language.requests import Recall
from aftermind.cli.language.undoing import Undo
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.events import Erased, MemoriesLinked
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.memories.linking import STATED_RELATIONS
from aftermind.engine.names import Label, MemoryId, memory_stream
from aftermind.engine.store.folder import LOG
from tests.api.test_learning import judged, learned

pytestmark = pytest.mark.anyio
HERE, THERE = "/shop", "/billing"


async def three(memory, project=HERE):
    """Memories that name nothing alike."""
    texts = ("The gate opens at dawn", "Zebras cross by noon", "Lamps burn until dusk")
    return [await memory.remember(text, project=project) for text in texts]


async def around(memory, what, **more):
    found = await memory.ask(Links(what=what, **more))
    return [(one.relation, one.of, one.id) for one in found.links]


@pytest.mark.parametrize("relation", STATED_RELATIONS)
async def test_a_link_is_said_told_from_both_ends_taken_back_and_redone(memory, relation):
    one, two, _ = await three(memory)
    link = Link(id=one, relation=relation, other=two, evidence="the same log")
    told = await memory.ask(link)
    assert (told.already, len(told.events)) == (False, 1)
    words, back = {
        "supersedes": ("supersedes", "superseded by"),
        "supports": ("supports", "supported by"),
        "follows": ("follows", "followed by"),
        "contradicts": ("contradicts",) * 2,
        "same-entity": ("same entity",) * 2,
    }[relation]
    assert await around(memory, one) == [(words, one, two)]
    assert await around(memory, two) == [(back, two, one)]
    head = await memory.caught_up()
    assert (await memory.ask(link)).already
    assert await memory.caught_up() == head, "said twice it is said once"
    await memory.ask(Unlink(id=one, relation=relation, other=two))
    assert await around(memory, one) == []
    with pytest.raises(NotFound, match=f"{one} {relation} {two}"):
        await memory.ask(Unlink(id=one, relation=relation, other=two))
    await memory.ask(Undo(what=(one if relation != "supersedes" else two,)))
    assert await around(memory, one) == [(words, one, two)]


async def test_what_holds_from_both_sides_is_said_once_and_taken_back_from_either(memory):
    one, two, _ = await three(memory)
    await memory.ask(Link(id=one, relation="contradicts", other=two))
    assert (await memory.ask(Link(id=two, relation="contradicts", other=one))).already
    assert not (await memory.ask(Link(id=two, relation="supports", other=one))).already
    assert not (await memory.ask(Link(id=one, relation="supports", other=two))).already
    await memory.ask(Unlink(id=two, relation="contradicts", other=one))
    assert sorted(await around(memory, one)) == [("supported by", one, two), ("supports", one, two)]


async def test_what_contradicts_is_told_where_either_is_recalled_and_no_more_when_that_is_undone(memory):
    one, two, _ = await three(memory)
    await memory.ask(Link(id=two, relation="contradicts", other=one))
    (hit,) = await memory.recall("when does the gate open", project=HERE)
    assert f"contradicts {two}" in hit.reasons
    await memory.ask(Undo())
    (hit,) = await memory.recall("when does the gate open", project=HERE)
    assert not any("contradicts" in reason for reason in hit.reasons)


async def test_what_supersedes_takes_a_place_only_where_it_may(memory):
    one, two, three_ = await three(memory)
    await memory.lock(two)
    with pytest.raises(Refused, match="locked"):
        await memory.ask(Link(id=one, relation="supersedes", other=two))
    await memory.unlock(two)
    await memory.ask(Link(id=one, relation="supersedes", other=two))
    assert (await memory.show(two)).successor == one
    with pytest.raises(Refused, match="superseded"):  # no circle
        await memory.ask(Link(id=two, relation="supersedes", other=one))
    with pytest.raises(Refused, match="superseded"):  # it has one successor
        await memory.ask(Link(id=three_, relation="supersedes", other=two))
    everywhere = await memory.remember("Cats sleep in boxes")
    with pytest.raises(Refused, match="another project"):
        await memory.ask(Link(id=everywhere, relation="supersedes", other=one))
    await memory.ask(Link(id=three_, relation="supports", other=one))
    assert {id for *_, id in await around(memory, three_, depth=3)} == {one, two}
    await memory.ask(Unlink(id=one, relation="supersedes", other=two))
    assert (await memory.show(two)).status == "live"


async def test_what_is_no_link_is_refused_with_what_it_is(memory):
    one, two, three_ = await three(memory)
    with pytest.raises(Refused, match="is one memory"):
        await memory.ask(Link(id=one, relation="supports", other=one))
    with pytest.raises(NotFound):
        await memory.ask(Link(id=one, relation="supports", other="m0000000000000000"))
    await memory.archive(three_)
    with pytest.raises(Refused, match="archived"):
        await memory.ask(Link(id=one, relation="supports", other=three_))
    with pytest.raises(Unusable, match="longer"):
        await memory.ask(Link(id=one, relation="supports", other=two, evidence="x" * 2_001))
    for wrong in ({"depth": 0}, {"depth": 6}, {"breadth": 0}, {"limit": 501}, {"relations": ("knows",)}):
        with pytest.raises(Unusable):
            await memory.ask(Links(what=one, **wrong))
    with pytest.raises(NotFound):
        await memory.ask(Links(what="nothing-of-the-kind.py", project=HERE))


async def test_a_walk_ends_in_a_circle_tells_each_link_once_and_goes_no_further_than_asked(memory):
    ids = [
        await memory.remember(f"Stone {name} lies alone", project=HERE)
        for name in ("amber", "beryl", "coral", "diamond")
    ]
    for one, two in zip(ids, [*ids[1:], ids[0]], strict=True):
        await memory.ask(Link(id=one, relation="follows", other=two))
    assert len(await around(memory, ids[0])) == 2
    assert len(await around(memory, ids[0], depth=2)) == 4
    whole = await around(memory, ids[0], depth=5)
    assert len(whole) == 4
    assert {one for _, *ends in whole for one in ends} == set(ids)


async def test_a_walk_is_as_wide_as_asked_and_says_that_there_is_more(memory):
    centre = await memory.remember("The lamp is lit", project=HERE)
    words = ("ant", "bee", "cow", "doe", "eel", "fox", "gnu", "hen", "ibis", "jay")
    others = [await memory.remember(f"One {word} walked by", project=HERE) for word in words]
    for other in others:
        await memory.ask(Link(id=other, relation="supports", other=centre))
    found = await memory.ask(Links(what=centre))
    assert (len(found.links), found.more) == (8, True)
    assert found.links[0].id == others[-1], "the newest first"
    assert len((await memory.ask(Links(what=centre, breadth=3))).links) == 3
    every = await memory.ask(Links(what=centre, breadth=500))
    assert (len(every.links), every.more) == (10, False)
    most = await memory.ask(Links(what=centre, breadth=500, limit=4))
    assert (len(most.links), most.more) == (4, True)


async def test_a_link_that_was_said_often_takes_one_place_of_a_walk(folder, stamp):
    """As where logs were merged, and each of them said it."""
    async with open_memory(folder, stamp=stamp) as memory:
        one, *others = await three(memory)
        await memory.ask(Link(id=one, relation="supports", other=others[0]))
    async with sqlite_log(folder / LOG, stamp) as log:
        again = MemoriesLinked(memory=MemoryId(one), other=MemoryId(others[1]), relation=Label("supports"))
        said = tuple(stamp.draft(again) for _ in range(30))
        await log.append(Append(stream=memory_stream(MemoryId(one)), drafts=said))
    async with open_memory(folder, stamp=stamp) as memory:
        found = await memory.ask(Links(what=one))
        assert ([link.id for link in found.links], found.more) == ([others[1], others[0]], False)


async def test_no_step_leads_into_a_project_that_is_not_seen(memory):
    here, *_ = await three(memory)
    there = await memory.remember("Prices are integers in billing.py", project=THERE)
    everywhere = await memory.remember("Ada reviews billing.py")
    with pytest.raises(Refused, match="do not see each other"):
        await memory.ask(Link(id=here, relation="supports", other=there))
    for id in (here, there):
        await memory.ask(Link(id=id, relation="supports", other=everywhere))
    assert await around(memory, here, depth=3) == [("supports", here, everywhere)]
    assert await around(memory, everywhere, depth=3) == [], "from nowhere no project is seen"
    assert await around(memory, everywhere, depth=3, project=HERE) == [("supported by", everywhere, here)]
    with pytest.raises(NotFound):  # a window of one project does not even find it
        await memory.ask(Links(what=there, within=HERE))
    with pytest.raises(NotFound):
        await memory.ask(Link(id=here, relation="supports", other=there, within=HERE))
    assert sum((await memory.ask(CountLinks(project=HERE))).relations.values()) == 1
    await memory.ask(Share(project=HERE, other=THERE))
    await memory.ask(Link(id=here, relation="supports", other=there, within=HERE))
    assert ("supports", here, there) in await around(memory, here, depth=3)
    with pytest.raises(Refused, match="only seen"):  # what is seen is not changed from here
        await memory.ask(Link(id=there, relation="supports", other=here, within=HERE))
    assert {other for *_, other in await around(memory, there, depth=3)} == {everywhere}, "sharing is one way"


async def test_what_is_put_away_or_forgotten_is_no_neighbour_and_no_bridge(memory):
    one, two, three_ = await three(memory)
    await memory.ask(Link(id=one, relation="supports", other=two, evidence="Zebras say so"))
    await memory.ask(Link(id=two, relation="follows", other=three_))
    assert len(await around(memory, one, depth=2)) == 2
    await memory.archive(two)
    assert await around(memory, one, depth=2) == []
    await memory.restore(two)
    assert len(await around(memory, one, depth=2)) == 2
    await memory.forget(two)
    assert await around(memory, one, depth=2) == []
    events = [recorded.draft.event for recorded in await memory.events()]
    assert not [event for event in events if isinstance(event, MemoriesLinked)]
    assert sum(isinstance(event, Erased) and event.tag == "memories-linked" for event in events) == 2


async def test_what_was_found_is_walked_like_what_was_said(memory):
    port = await memory.remember("Staging listens on port 8081", kind="configuration", project=HERE)
    other = await memory.remember("Staging listens on port 9090", kind="configuration", project=HERE)
    assert await around(memory, other) == [("supersedes", other, port)]
    exchange, _ = await judged(
        memory, learned("The gate opens at dawn", evidence="the gate opens"), prompt="the gate opens"
    )
    (fact,) = [one for one in (await memory.why(exchange.memory)).related if one.relation == "learned there"]
    assert await around(memory, exchange.memory) == [("taught", exchange.memory, fact.id)]
    assert await around(memory, fact.id) == [("learned from", fact.id, exchange.memory)]
    first, second = [await memory.record(f"is {one} there?", "yes", session="s2") for one in ("anna", "bert")]
    assert await around(memory, second.memory) == [("follows", second.memory, first.memory)]
    assert await around(memory, first.id) == [("followed by", first.memory, second.memory)], "by the exchange's id"


async def test_who_names_the_same_thing_is_beside_and_a_label_leads_nowhere(memory):
    one = await memory.remember("src/billing.py rounds up", project=HERE)
    two = await memory.remember("Never edit billing.py on friday", project=HERE)
    await memory.remember("billing.py of theirs", project=THERE)
    assert await around(memory, one) == [("same entity", one, two)]
    (link,) = (await memory.ask(Links(what=one))).links
    assert link.entity == "billing.py"
    assert await around(memory, "billing.py", project=HERE) == [("same entity", two, one)]
    assert await around(memory, one, relations=("supports",)) == []
    for n in range(12):
        await memory.remember(f"Task {n} touched billing.py again", project=HERE)
    assert await around(memory, two) == []


async def test_what_is_linked_stands_behind_what_was_found_where_that_is_asked_for(memory):
    one, two, three_ = await three(memory)
    await memory.ask(Link(id=two, relation="supports", other=one))
    await memory.ask(Link(id=three_, relation="supports", other=two))
    alone = await memory.ask(Recall(query="when does the gate open", project=HERE))
    assert [hit.id for hit in alone] == [one]
    found = await memory.ask(Recall(query="when does the gate open", project=HERE, linked=1))
    assert [(hit.id, hit.rank) for hit in found] == [(one, 1), (two, 2)]
    assert found[1].reasons == (f"{one} supported by",)
    deep = await memory.ask(Recall(query="when does the gate open", project=HERE, linked=2))
    assert [hit.id for hit in deep] == [one, two, three_]
    await memory.archive(two)
    assert [hit.id for hit in await memory.ask(Recall(query="when does the gate open", project=HERE, linked=2))] == [
        one
    ]


async def test_links_are_counted_and_the_most_linked_named(memory):
    one, two, three_ = await three(memory)
    await memory.ask(Link(id=two, relation="supports", other=one))
    await memory.ask(Link(id=three_, relation="contradicts", other=one))
    found = await memory.ask(CountLinks(project=HERE))
    assert found.relations == {"contradicts": 1, "supports": 1} == (await memory.stats()).links
    assert [(hub.id, hub.links) for hub in found.most] == [(one, 2), (three_, 1), (two, 1)]
    await memory.ask(Unlink(id=two, relation="supports", other=one))
    assert (await memory.ask(CountLinks(all=True))).relations == {"contradicts": 1}
    for limit in (0, 2**63):
        with pytest.raises(Unusable):
            await memory.ask(CountLinks(all=True, limit=limit))


async def test_a_life_tells_what_speaks_for_it_and_against_it(memory):
    one, two, three_ = await three(memory)
    await memory.ask(Link(id=two, relation="supports", other=one, evidence="the same log"))
    await memory.ask(Link(id=three_, relation="contradicts", other=one))
    why = await memory.why(one)
    assert {(other.relation, other.id) for other in why.related} == {("supported by", two), ("contradicts", three_)}
    assert any("is supported by" in step.what and "the same log" in step.what for step in why.steps)


async def test_what_is_history_is_told_and_not_walked_through(memory):
    one, two, three_ = await three(memory)
    await memory.ask(Link(id=two, relation="supports", other=three_))
    await memory.ask(Link(id=one, relation="supersedes", other=two))
    assert await around(memory, one, depth=3) == [("supersedes", one, two)]
    assert await around(memory, three_, depth=3) == []
    assert len(await around(memory, two)) == 2, "of itself it tells both"
