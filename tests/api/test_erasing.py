"""Law 6: after `forget` the text's bytes are in no file of the store, the neighbours are intact, the chain verifies,
and the same text can be recorded anew."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from msgspec import structs

import aftermind
from aftermind.cli.erasing.needles import texts_of
from aftermind.cli.erasing.telling import seen_through
from aftermind.cli.language.erasing import Erasing, ForgetAll, Preview, Selection
from aftermind.cli.language.requests import Checkpoint
from aftermind.cli.language.wire import Call, to_json
from aftermind.engine import lately
from aftermind.engine.backups.making import backed_up
from aftermind.engine.erasing.erased import noted, unfinished
from aftermind.engine.errors import NotFound, NotYetErased, Refused
from aftermind.engine.events import ExchangeRecorded, MemoryCorrected, MemoryPromoted
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.memories.undoing import UNDO
from aftermind.engine.names import EventId, MemoryId, Scope
from aftermind.engine.sqlite import database
from aftermind.engine.stamp import Stamp
from aftermind.projections.meaning.embedding import loaded
from aftermind.projections.meaning.passages import passages
from tests.api.test_learning import bank, judged, learned
from tests.erased import holding
from tests.spooling import put, recorded, turn
from tests.wired import new_key

pytestmark = pytest.mark.anyio
WORD, CJK = "quokkaparade", "秘密計画"
TEXT = f'The {WORD} begins at "noon"\nbehind {CJK} — naïve zebrafinch'
RARE = (WORD, CJK, "zebrafinch", "begins at", "quokkaparad")


async def told(memory, text: str = TEXT, session: str = "s", **where):
    """A whole exchange about it: the prompt, what was shown, a tool, the answer, a summary of the talk."""
    await memory.context(f"When? {text}", session=session, **where)
    exchange = await memory.record(f"When? {text}", f"As said: {text}", session=session, **where)
    await memory.context("And then?", session=session, **where)
    await memory.record("And then?", "We go home", session=session, **where)
    return exchange


async def begun(folder: Path) -> Path:
    """A store with an empty log, of which nobody has drained the spool."""
    async with sqlite_log(folder / "log.db", Stamp()):
        return folder


async def neighbours(memory) -> list[str]:
    return [await memory.remember(f"Deploy service {n} with make deploy-{n}") for n in range(20)]


async def forgotten(memory, **selection):
    begun = await memory.ask(ForgetAll(selection=Selection(**selection)))
    return begun, await memory.ask(Erasing(run=begun.run, seconds=60.0))


async def intact(memory, ids: list[str]) -> None:
    for n, id in enumerate(ids):
        assert (await memory.show(id)).text == f"Deploy service {n} with make deploy-{n}"
    assert {hit.memory.id for hit in await memory.recall("deploy service", limit=50)} == {*ids}
    await memory.verify()


async def test_after_forgetting_a_memory_no_file_holds_its_bytes(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        ids = await neighbours(memory)
        exchange = await told(memory)
        fact = await memory.remember(TEXT, project="p")
        await memory.correct(fact, f"No: {TEXT}", reason=f"{WORD} was late")
        await memory.embedded()
        (vector,) = loaded("static", folder).embed([one.text for one in passages(f"No: {TEXT}")])
        assert holding(folder, vector.tobytes(), WORD).keys() >= {"log.db-wal"}
        await memory.forget(exchange.memory)
        await memory.forget(fact)
        assert holding(folder, *RARE, vector.tobytes()) == {}
        assert noted(folder)
        assert not unfinished(folder)
        await intact(memory, ids)
        again = await memory.remember(TEXT, project="p")
        assert again != fact
        assert (await memory.show(again)).text == TEXT
        (hit,) = await memory.recall(WORD, project="p")
        assert hit.memory.id == again
        await memory.forget(again)
        assert holding(folder, *RARE) == {}
    assert holding(folder, *RARE, vector.tobytes()) == {}
    async with aftermind.open_memory(folder) as memory:
        await intact(memory, ids)
        before = await memory.stats()
        assert before.views_mended == ""


async def test_what_was_made_of_texts_goes_out_of_memory_as_well(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        id = await memory.remember("The launch code of penguins is quokka", kind="configuration")
        await memory.remember("The launch code of penguins is wombat", kind="configuration")
        assert await memory.recall("which launch code?")
        before = lately.held()
        await memory.forget(id)
        assert lately.held() < before


async def test_what_others_made_of_it_goes_too(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await neighbours(memory)
        lesson = learned(f"The {WORD} begins at noon", evidence=f"the {WORD} begins")
        exchange, _ = await judged(memory, lesson, prompt=f"the {WORD} begins", summary=f"The {WORD} was talked about.")
        await memory.forget(exchange.memory)
        assert holding(folder, WORD) == {}
        assert await bank(memory, history=True) == {} or WORD not in str(await bank(memory, history=True))


async def test_a_shown_memory_takes_the_words_a_verdict_took_from_it(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await neighbours(memory)
        shown = await memory.remember(f"Deploy billing through the {WORD} gate")
        lesson = learned(f"Billing goes through {WORD}", evidence="as said")
        exchange, _ = await judged(
            memory, lesson, prompt="how do I deploy billing?", answer="as said", summary=f"{WORD} was used to deploy."
        )
        await memory.forget(shown)
        assert holding(folder, WORD) == {}
        kept = await memory.show(exchange.memory)
        assert (kept.status, kept.summary) == ("live", "")


async def test_forgetting_a_session_leaves_nothing_anybody_said_in_it(folder, stamp, tmp_path):
    place = tmp_path / f"{WORD}-folder"
    place.mkdir()
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        ids = await neighbours(memory)
        other = await memory.record("Where is the dog?", "outside", session="other")
        await told(memory, session="s", project=place)
        await memory.context(f"an unanswered {WORD}", session="s", project=place)
        await memory.ask(Checkpoint(session="s", moment="after", trigger="auto", text=TEXT, project=str(place)))
        seen = await memory.ask(Preview(selection=Selection(sessions=("s",))))
        assert (seen.memories, seen.derived, len(seen.first)) == (2, 0, 2)
        begun, done = await forgotten(memory, sessions=("s",))
        assert (len(begun.memories), done.step) == (2, "done")
        assert {left.events for left in done.left} == {1}, "the project is named so"
        assert set(holding(folder, *RARE)) <= {"log.db", "views-1.db"}, "the project's name is its folder's"
        await forgotten(memory, projects=(str(place),))
        assert holding(folder, *RARE) == {}
        await intact(memory, ids)
        assert (await memory.show(other.memory)).answer == "outside"
        await told(memory, session="s", project=place)
        (hit, *_) = await memory.recall(f"{WORD} begins", project=place)
        assert WORD in hit.memory.text
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert (await memory.stats()).views_mended == ""
        assert (await memory.recall(f"{WORD} begins", project=place))[0].memory.id == hit.memory.id


async def test_forgetting_a_book_forgets_its_title_and_every_chunk(folder, stamp):
    from aftermind.engine.memories.book import Chunk

    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        chunks = [Chunk(text=f"{TEXT} {n}", place=f"{WORD} {n}") for n in range(3)]
        book = await memory.ingest(f"/{WORD}.md", chunks, title=WORD)
        await memory.ingest(f"/{WORD}.md", chunks[:1], title=WORD)
        begun, done = await forgotten(memory, ids=(book.id,))
        assert (len(begun.memories), done.step) == (3, "done")
        assert holding(folder, *RARE) == {}
        assert await memory.books(all=True) == ()


async def test_what_is_locked_is_refused_or_goes_all_the_same(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        id = await memory.remember(TEXT)
        await memory.lock(id)
        with pytest.raises(Refused, match=f"{id} is locked"):
            await memory.ask(ForgetAll(selection=Selection(ids=(id,))))
        assert holding(folder, WORD)
        begun = await memory.ask(ForgetAll(selection=Selection(ids=(id,)), even_locked=True))
        assert (await memory.ask(Erasing(run=begun.run, seconds=60.0))).step == "done"
        assert holding(folder, *RARE) == {}
        with pytest.raises(NotFound):
            await memory.ask(ForgetAll(selection=Selection(ids=(id,))))


async def test_who_says_a_rare_word_besides_is_told(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        gone = await memory.remember(f"The {WORD} is at noon, says the hippogriff")
        other = await memory.remember(f"Nobody saw the {WORD}")
        _, done = await forgotten(memory, ids=(gone,))
        (left,) = done.left
        assert (left.word, left.memories, left.events) == (WORD, (other,), 1)
        assert holding(folder, "hippogriff") == {}


async def test_a_reason_of_our_own_rules_is_no_word_of_somebodys():
    id, scope = MemoryId("m1"), Scope("global")
    moved = MemoryPromoted(memory=id, to="history", reason="2 of 2 worked, lower bound 0.34", expires=None)
    assert list(texts_of(moved)) == []
    back = MemoryCorrected(memory=id, scope=scope, text=TEXT, answer="", reason=UNDO)
    assert list(texts_of(back)) == [TEXT, ""]
    assert list(texts_of(structs.replace(back, reason="it moved"))) == [TEXT, "", "it moved"]


async def test_broken_spool_files_and_logs_that_say_it_are_cleaned(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        id = await memory.remember(TEXT)
        for name, text in (("a" * 32, TEXT), ("b" * 32, "another")):
            (folder / "spool" / "broken").mkdir(parents=True, exist_ok=True)
            (folder / "spool" / "broken" / f"{name}.json").write_bytes(b"{" + text.encode())
        (folder / "logs").mkdir(exist_ok=True)
        (folder / "logs" / "daemon.out").write_text(f"before\nValueError: {TEXT}\nafter")
        _, done = await forgotten(memory, ids=(id,))
        assert done.spooled == 1
        assert holding(folder, *RARE) == {}
        assert [path.stem for path in (folder / "spool" / "broken").iterdir()] == ["b" * 32]
        assert (folder / "logs" / "daemon.out").read_text().endswith("\nafter")


async def test_what_a_hook_spooled_is_found_by_what_its_payload_says(folder, stamp, tmp_path):
    """Set aside, half written, and copied into a backup; the copy says more than the log had of it."""
    said = turn(prompt=f"{TEXT} <private>and the ocelot</private>", answer="so")
    put(folder, said)
    await backed_up(await begun(folder), tmp_path / "backups", stamp)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        broken = folder / "spool" / "broken"
        broken.mkdir(parents=True)
        request = to_json(Call(key=new_key(), request=said))
        (broken / f"{'a' * 32}.json").write_bytes(request)
        (folder / "spool" / f"{'c' * 32}.part").write_bytes(request[:-40])
        (broken / f"{'b' * 32}.json").write_bytes(to_json(Call(key=new_key(), request=turn(prompt="another"))))
        (exchange,) = await recorded(memory, ExchangeRecorded)
        _, done = await forgotten(memory, ids=(exchange.event.memory,))
        assert (done.spooled, done.left, [one.spooled for one in done.backups]) == (3, (), [1])
        assert [path.stem for path in broken.iterdir()] == ["b" * 32]
        assert not list((folder / "spool").glob("*.part"))
        assert not list((tmp_path / "backups").glob("store-*/spool/*.json"))


async def test_a_word_that_only_a_spooled_request_says_is_told(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        id = await memory.remember(TEXT)
        broken = folder / "spool" / "broken"
        broken.mkdir(parents=True)
        (broken / f"{'a' * 32}.json").write_bytes(to_json(Call(key=new_key(), request=turn(prompt=f"A {WORD}?"))))
        _, done = await forgotten(memory, ids=(id,))
        assert [(one.word, one.events) for one in done.left] == [(WORD, 0)]


async def test_a_reader_keeps_the_wal_and_it_is_told_and_finished_later(folder, stamp, monkeypatch):
    monkeypatch.setattr("aftermind.cli.erasing.erasing.PATIENCE", 0.05)
    monkeypatch.setattr("aftermind.cli.erasing.erasing.AGAIN", 0.01)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        id = await memory.remember(TEXT)
        async with database(folder / "log.db", "read") as reader:
            await reader.run(lambda c: [c.execute("BEGIN"), c.execute("SELECT count(*) FROM event").fetchone()])
            with pytest.raises(NotYetErased, match=r"somebody reads log\.db-wal"):
                await memory.forget(id)
            with pytest.raises(NotFound):
                await memory.show(id)
            assert unfinished(folder)
            await reader.run(lambda c: c.execute("COMMIT"))
        assert (await memory.ask(Erasing(run=1, seconds=60.0))).step == "done"
        assert holding(folder, *RARE) == {}
        assert not unfinished(folder)


async def test_who_waits_is_told_though_it_is_tried_again_all_the_time(folder, stamp, monkeypatch):
    monkeypatch.setattr("aftermind.cli.erasing.erasing.PATIENCE", 0.1)
    monkeypatch.setattr("aftermind.cli.erasing.erasing.AGAIN", 0.02)
    monkeypatch.setattr("aftermind.cli.erasing.telling.LOOK", 0.01)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        id = await memory.remember(TEXT)
        async with database(folder / "log.db", "read") as reader:
            await reader.run(lambda c: [c.execute("BEGIN"), c.execute("SELECT count(*) FROM event").fetchone()])
            begun = await memory.ask(ForgetAll(selection=Selection(ids=(id,))))
            with anyio.fail_after(60):
                done = await seen_through(memory, begun.run, hidden=True)
            assert (done.step, done.runs) == ("waits", 0)
            await reader.run(lambda c: c.execute("COMMIT"))


async def test_a_run_of_whoever_held_the_store_before_has_ended_when_what_was_left_of_it_is_done(folder, stamp):
    """Its number says nothing here: who waits for it outlived the daemon that gave it."""
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        for n in range(3):
            await memory.forget(await memory.remember(f"{TEXT} {n}"))
        begun = await memory.ask(ForgetAll(selection=Selection(ids=(await memory.remember(TEXT),))))
        assert begun.run > 3
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        with anyio.fail_after(60):
            done = await seen_through(memory, begun.run, hidden=True)
        assert done.step in ("done", "none")
        assert holding(folder, *RARE) == {}


async def test_what_an_earlier_version_forgot_is_erased_when_the_store_is_opened(folder, stamp, monkeypatch):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        id = await memory.remember(TEXT)
        with monkeypatch.context() as patch:
            patch.setattr("aftermind.cli.erasing.erasing.Erasing._erase", _nothing)
            patch.setattr("aftermind.cli.erasing.erasing.erased.note", lambda *_: 0)
            await memory.forget(id)
    assert holding(folder, WORD)
    assert noted(folder) == frozenset()
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert (await memory.ask(Erasing(run=1, seconds=60.0))).step == "done"
        assert holding(folder, *RARE) == {}
        assert len(noted(folder)) == 1
    (folder / "erased.ids").unlink()
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert (await memory.ask(Erasing(run=1, seconds=60.0))).step == "done"
        assert len(noted(folder)) == 1, "the list that was lost is written anew"


async def _nothing(_: object) -> None: ...


async def test_a_single_event_can_be_meant(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.context(f"an unanswered {WORD}", session="s")
        (event,) = [one for one in await memory.events(limit=100) if WORD in str(one)]
        begun, done = await forgotten(memory, events=(EventId(event.draft.id),))
        assert (begun.memories, done.step) == ((), "done")
        assert holding(folder, WORD) == {}
