"""Books: an edition is what is recalled of a source, whole or not at all; what it leaves as it was keeps its id, its
record and what somebody made of it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from msgspec import structs

import aftermind
from aftermind.cli.language.requests import Edition, Shelve, Source
from aftermind.cli.reaching import editions
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.events import BookIngested, MemoryRecorded
from aftermind.engine.memories.book import Chunk

pytestmark = pytest.mark.anyio
DEPLOY = Chunk(text="Deploy the billing service with make release.", place="Deploying")
ROLL_BACK = Chunk(text="Roll back with make rollback, then page the owner.", place="Deploying › Rollback")
PORTS = Chunk(text="Staging listens on port 8081.", place="Ports", page=3)


async def ingested(memory, *chunks: Chunk, path="/docs/runbook.md", title="Billing runbook", **more):
    return await memory.ingest(path, chunks, title=title, **more)


async def texts(memory, query: str, **more) -> list[str]:
    return [hit.text for hit in await memory.recall(query, **more)]


async def head(memory) -> int:
    return (await memory.stats()).head


async def ids(memory) -> dict[str, str]:
    return {one.text: one.id for one in await memory.latest(collections=("books",), limit=1000)}


# --- an edition -----------------------------------------------------------------------------------------------


async def test_a_book_is_recalled_by_its_chunks_each_with_its_place(memory):
    done = await ingested(memory, DEPLOY, ROLL_BACK, PORTS, form="markdown", size=120)
    assert (done.delivery, done.chunks, done.forgotten) == ("new", 3, 0)
    (hit,) = await memory.recall("which port has staging?")
    found = hit.memory
    assert (found.kind, found.collection, found.status, found.expires) == ("chunk", "books", "live", None)
    assert (found.speaker, found.place, found.page, found.book) == ("Billing runbook", "Ports", 3, done.id)
    (book,) = await memory.books()
    assert (book.id, book.title, book.path, book.chunks) == (done.id, "Billing runbook", "/docs/runbook.md", 3)
    assert (book.form, book.size, book.project) == ("markdown", 120, "")


async def test_its_title_and_its_headings_are_found_like_its_words(memory):
    await ingested(memory, DEPLOY, ROLL_BACK, PORTS)
    await ingested(
        memory, Chunk(text="Deploy it with make ship.", place="Deploying"), path="/b", title="Search runbook"
    )
    assert (await texts(memory, "deploying in the search runbook"))[0] == "Deploy it with make ship."
    assert (await texts(memory, "what to do at rollback"))[0] == ROLL_BACK.text


async def test_a_chunk_on_two_pages_is_cited_by_both(memory):
    await ingested(memory, structs.replace(PORTS, last=4))
    found = await memory.show((await ids(memory))[PORTS.text])
    assert found.pages == (3, 4)
    assert "Billing runbook › Ports, pages 3–4: " in (await memory.context("which port has staging?", session="s")).text


async def test_a_briefing_names_the_book_the_headings_and_the_page(memory):
    await ingested(memory, DEPLOY, ROLL_BACK, PORTS)
    shown = (await memory.context("which port has staging?", session="s")).text
    assert "Billing runbook › Ports, page 3: Staging listens on port 8081." in shown


async def test_a_briefing_shows_the_part_of_a_long_chunk_that_says_it(memory):
    long = " ".join(f"Bay {n} takes barges of {n} tons." for n in range(60))
    await ingested(
        memory, Chunk(text=f"{long} To free a stuck lock gate, turn the copper wheel. {long}", place="Locks")
    )
    shown = (await memory.context("how do I free a stuck lock gate?", session="s")).text
    assert "Billing runbook › Locks: …Bay" in shown
    assert "To free a stuck lock gate, turn the copper wheel." in shown
    beginning = (await memory.context("how many tons do barges have?", session="s")).text
    assert "Billing runbook › Locks: Bay 0 takes barges" in beginning


async def test_the_same_edition_again_writes_nothing(memory):
    await ingested(memory, DEPLOY, PORTS, digest="d1")
    before = await head(memory)
    assert (await ingested(memory, DEPLOY, PORTS, digest="d1")).delivery == "unchanged"
    assert await head(memory) == before


async def test_another_edition_keeps_what_it_leaves_as_it_was(memory):
    await ingested(memory, DEPLOY, ROLL_BACK)
    before = await ids(memory)
    await memory.context("how do I roll back billing?", session="s")
    await memory.score(memories={before[ROLL_BACK.text]: "worked"})
    written = await head(memory)
    changed = Chunk(text="Deploy the billing service with make ship.", place="Deploying")
    assert (await ingested(memory, changed, ROLL_BACK, PORTS)).delivery == "changed"
    after = await ids(memory)
    assert after[ROLL_BACK.text] == before[ROLL_BACK.text]
    assert (await memory.show(after[ROLL_BACK.text])).outcomes.worked == 1
    assert set(after) == {changed.text, ROLL_BACK.text, PORTS.text}
    assert await head(memory) == written + 3
    assert DEPLOY.text not in await texts(memory, "deploy the billing service", history=True, floor=False)


async def test_what_left_its_book_can_be_shown_and_forgotten_and_is_in_no_answer(memory, folder):
    await ingested(memory, DEPLOY, ROLL_BACK)
    gone = (await ids(memory))[DEPLOY.text]
    await ingested(memory, ROLL_BACK)
    assert ((await memory.show(gone)).status, (await memory.show(gone)).text) == ("removed", DEPLOY.text)
    assert gone not in {one.id for one in await memory.latest(history=True)}
    assert (await memory.stats()).collections["books"] == 1
    await memory.forget(gone)
    with pytest.raises(NotFound):
        await memory.show(gone)


async def test_a_chunk_that_comes_back_is_who_it_was(memory):
    await ingested(memory, DEPLOY, ROLL_BACK)
    id = (await ids(memory))[DEPLOY.text]
    await memory.context("deploy the billing service", session="s")
    await memory.score(memories={id: "failed"})
    await memory.correct(id, "Deploy the billing service with make ship.")
    await memory.archive((await ids(memory))[ROLL_BACK.text])
    await ingested(memory, PORTS)
    assert await texts(memory, "deploy the billing service") == []
    await ingested(memory, DEPLOY, ROLL_BACK)
    assert await texts(memory, "deploy the billing service") == ["Deploy the billing service with make ship."]
    assert (await memory.show(id)).text == "Deploy the billing service with make ship."
    assert await texts(memory, "page the owner after a rollback") == []


async def test_equal_chunks_are_told_apart_by_their_number(memory):
    again = Chunk(text=DEPLOY.text, place="Appendix")
    assert (await ingested(memory, DEPLOY, again, DEPLOY)).chunks == 3
    assert (await ingested(memory, DEPLOY, again)).chunks == 2
    places = sorted(one.place for one in await memory.latest(collections=("books",)))
    assert places == ["Appendix", "Deploying"]


async def test_a_heading_or_a_title_that_changes_changes_no_id(memory):
    await ingested(memory, DEPLOY, PORTS)
    before = await ids(memory)
    await ingested(memory, Chunk(text=DEPLOY.text, place="Shipping"), PORTS, title="Runbook")
    assert await ids(memory) == before
    found = await memory.show(before[DEPLOY.text])
    assert (found.speaker, found.place) == ("Runbook", "Shipping")
    assert (await texts(memory, "shipping of billing"))[0] == DEPLOY.text
    assert await texts(memory, "deploying", floor=False) == [DEPLOY.text]  # which its text still says


async def test_pages_that_shift_record_no_text_again(memory):
    await ingested(memory, DEPLOY, PORTS, digest="1")
    before = await head(memory)
    await ingested(memory, DEPLOY, Chunk(text=PORTS.text, place="Ports", page=7), digest="2")
    assert await head(memory) == before + 1
    assert (await memory.show((await ids(memory))[PORTS.text])).pages == (7, 7)


async def test_a_file_is_the_same_book_however_it_is_reached(memory, tmp_path):
    (tmp_path / "a.md").touch()
    (tmp_path / "b.md").symlink_to("a.md")
    one = await ingested(memory, DEPLOY, path=tmp_path / "a.md")
    assert (await ingested(memory, DEPLOY, path=tmp_path / "x" / ".." / "b.md")).id == one.id
    odd = Path(str(tmp_path) + "/\udcff.md")
    assert (await ingested(memory, DEPLOY, path=odd)).id != (await ingested(memory, DEPLOY, path=tmp_path / "�.md")).id


# --- scopes ---------------------------------------------------------------------------------------------------


async def test_a_book_belongs_to_its_project(memory):
    here = await ingested(memory, DEPLOY, project="billing")
    everywhere = await ingested(memory, DEPLOY)
    assert here.id != everywhere.id
    assert len(await texts(memory, "deploy the billing service", project="other", floor=False)) == 1
    await memory.remove(everywhere.id)
    assert await texts(memory, "deploy the billing service", project="other") == []
    assert await texts(memory, "deploy the billing service", project="billing") == [DEPLOY.text]
    assert [book.project for book in await memory.books("billing")] == ["billing"]
    assert (await memory.books(), await memory.books("never seen")) == ((), ())
    assert [book.id for book in await memory.books(all=True)] == [here.id]


async def test_what_has_to_be_read_is_what_no_edition_was_made_of(memory):
    sources = [Source(path=path, digest="d1") for path in ("/a", "/b", "/c")]
    assert await memory.unread(sources, project="billing") == (0, 1, 2)
    await ingested(memory, DEPLOY, path="/a", digest="d1", project="billing")
    await ingested(memory, DEPLOY, path="/b", digest="d0", project="billing")
    assert await memory.unread(sources, project="billing") == (1, 2)
    assert await memory.unread(sources) == (0, 1, 2)
    assert await memory.unread(sources, cut=2, project="billing") == (0, 1, 2)


# --- by hand --------------------------------------------------------------------------------------------------


async def test_a_removed_book_is_in_no_answer_and_can_be_ingested_again(memory):
    book = await ingested(memory, DEPLOY, PORTS, digest="d1")
    before = await ids(memory)
    await memory.remove(book.id)
    assert (await texts(memory, "deploy billing", history=True, floor=False), await memory.books()) == ([], ())
    assert await memory.unread([Source(path="/docs/runbook.md", digest="d1")]) == (0,)
    with pytest.raises(NotFound):
        await memory.remove(book.id)
    assert (await ingested(memory, DEPLOY, PORTS, digest="d1")).delivery == "new"
    assert await ids(memory) == before


async def test_what_was_forgotten_is_not_brought_back_by_its_book(memory, folder):
    await ingested(memory, DEPLOY, PORTS)
    await memory.forget((await ids(memory))[DEPLOY.text])
    assert (await ingested(memory, DEPLOY, PORTS, ROLL_BACK)).forgotten == 1
    await memory.remove((await memory.books())[0].id)
    again = await ingested(memory, DEPLOY, PORTS)
    assert (again.chunks, again.forgotten) == (1, 1)
    assert set(await ids(memory)) == {PORTS.text}
    assert DEPLOY.text not in await texts(memory, "deploy the billing service", floor=False, history=True)


async def test_a_locked_chunk_stays_until_it_is_unlocked(memory):
    book = await ingested(memory, DEPLOY, PORTS)
    id = (await ids(memory))[PORTS.text]
    await memory.lock(id)
    await ingested(memory, DEPLOY)
    assert ((await memory.show(id)).status, (await memory.show(id)).pages) == ("live", (3, 3))
    with pytest.raises(Refused) as refused:
        await memory.remove(book.id)
    assert id in refused.value.hint
    await memory.unlock(id)
    await memory.remove(book.id)


async def test_books_do_not_expire_rise_or_sink(memory, clock):
    await ingested(memory, DEPLOY)
    id = (await ids(memory))[DEPLOY.text]
    for _ in range(6):
        await memory.context("deploy the billing service", session="s")
        await memory.score(memories={id: "failed"})
    clock.wait(days=4000)
    assert await memory.sweep() == 0
    found = await memory.show(id)
    assert (found.collection, found.status, found.outcomes.failed) == ("books", "live", 6)
    with pytest.raises(Refused):
        await memory.promote(id)


async def test_secrets_are_masked_in_every_text_of_a_book(memory, folder):
    token = "ghp_" + "a1B2" * 10
    chunk = Chunk(text=f"use {token} here", place=f"about {token}")
    for _ in range(2):
        await ingested(memory, chunk, path=f"/{token}", title=f"of {token}")
    assert token not in str(await memory.events())
    assert (await memory.stats()).events == 2
    rotated = Chunk(text=chunk.text.replace("a1B2", "c3D4"), place=chunk.place)
    await ingested(memory, rotated, path=f"/{token}", title=f"of {token}")
    assert (await memory.stats()).events == 2, "an id would tell who guesses a secret that he is right"


# --- in parts -------------------------------------------------------------------------------------------------


async def test_a_large_book_comes_in_parts_and_is_one_edition(memory, monkeypatch):
    monkeypatch.setattr(editions, "PART", 3)
    chunks = [Chunk(text=f"Paragraph {n} about zebras.", page=n, last=n + 1, turns=(n,)) for n in range(10)]
    assert (await ingested(memory, *chunks)).chunks == 10
    events = [one.draft.event for one in await memory.events()]
    assert [type(event) for event in events] == [MemoryRecorded] * 10 + [BookIngested]
    assert events[-1].chunks == tuple(event.memory for event in events[:-1])
    assert (events[-1].pages, events[-1].ends) == (tuple(range(10)), tuple(range(1, 11)))
    assert events[-1].turns == tuple((n,) for n in range(10))
    assert len(await ids(memory)) == 10


async def test_an_edition_that_breaks_off_leaves_the_one_before(memory, monkeypatch):
    monkeypatch.setattr(editions, "PART", 2)
    await ingested(memory, DEPLOY, PORTS)

    def broken():
        yield from (Chunk(text=f"Zebra {n} crossing.") for n in range(5))
        raise Unusable("it was changed", "a.md")

    with pytest.raises(Unusable):
        await memory.ingest("/docs/runbook.md", broken(), title="Billing runbook")
    assert await texts(memory, "zebra crossing", history=True, floor=False) == []
    assert set(await ids(memory)) == {DEPLOY.text, PORTS.text}
    before = await head(memory)
    await ingested(memory, *(Chunk(text=f"Zebra {n} crossing.") for n in range(5)))
    assert await head(memory) == before + 2, "what was shelved is not recorded again"
    assert len(await texts(memory, "zebra crossing", floor=False, limit=10)) == 5
    assert set(await ids(memory)) == {f"Zebra {n} crossing." for n in range(5)}


async def test_two_editions_at_once_do_not_become_a_mixture(memory):
    await ingested(memory, DEPLOY)
    path, title = "/docs/runbook.md", "Billing runbook"
    mine = await memory.ask(Shelve(path=path, title=title, chunks=(PORTS,)))
    await ingested(memory, ROLL_BACK)
    with pytest.raises(Refused, match="at the same time"):
        await memory.ingest_all([Edition(path=path, title=title, shelved=mine)])
    assert set(await ids(memory)) == {ROLL_BACK.text}


async def test_many_small_books_come_at_once_or_not_at_all(memory):
    small = [Edition(path=f"/{n}", title=f"Book {n}", chunks=(Chunk(text=f"Zebra {n} crossing."),)) for n in range(5)]
    assert [one.delivery for one in await memory.ingest_all(small)] == ["new"] * 5
    before = await head(memory)
    with pytest.raises(Unusable):
        await memory.ingest_all([Edition(path="/5", title="Book 5"), Edition(path="/6", title="")])
    with pytest.raises(Unusable):
        await memory.ingest_all([small[0], small[0]])
    assert await memory.ingest_all([]) == ()
    assert await head(memory) == before
    changed = [Edition(path="/0", title="Book 0", chunks=small[1].chunks), *small[1:]]
    assert [one.delivery for one in await memory.ingest_all(changed)] == ["changed"] + ["unchanged"] * 4


@pytest.mark.parametrize(
    "odd",
    [
        {"title": " "},
        {"path": ""},
        {"size": -1},
        {"size": 2**70},
        {"digest": "../x"},
        {"chunks": [Chunk(text="x", page=2**63)]},
        {"chunks": [Chunk(text="x", page=1, last=2, turns=(-1,))]},
        {"chunks": [Chunk(text="x" * (32 * 1024 * 1024 + 1))]},
    ],
)
async def test_what_no_book_can_be_made_of_is_refused_and_nothing_is_written(memory, odd):
    before = await head(memory)
    with pytest.raises(Unusable):
        await memory.ingest(**{"path": "/a", "title": "t", "chunks": [DEPLOY], **odd})
    assert await head(memory) == before


async def test_views_grown_back_hold_the_same_books(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await ingested(memory, DEPLOY, ROLL_BACK)
        await ingested(memory, ROLL_BACK, PORTS)
        before = (await memory.books(), await memory.latest(), await memory.recall("rollback port staging"))
    for view in folder.glob("views*"):
        view.unlink()
    async with aftermind.open_memory(folder) as memory:
        books, latest, hits = before
        assert await memory.books() == books
        assert await memory.latest() == latest
        assert [hit.id for hit in await memory.recall("rollback port staging")] == [hit.id for hit in hits]
    with sqlite3.connect(next(folder.glob("views-*.db"))) as connection:
        assert connection.execute("SELECT count(*) FROM words_global").fetchone() == (2,)
    connection.close()
