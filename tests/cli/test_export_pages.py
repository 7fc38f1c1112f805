"""`aftermind export --markdown`: pages with names any disk takes, rewritten only where they changed, and never anybody
else's."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path, PurePosixPath

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aftermind
from aftermind import OpenMemory
from aftermind.cli.carrying.pages.naming import name_of, slug
from aftermind.cli.carrying.pages.tree import LIST, Tree
from aftermind.cli.commands import export
from aftermind.cli.language.linking import Link
from aftermind.engine.errors import Refused
from aftermind.engine.memories.book import Chunk

LONG = "部署" * 400


def command(store: Path, folder: Path, *words: str) -> int:
    parser = ArgumentParser()
    export.configure(parser)
    told = parser.parse_args(["--markdown", str(folder), *words], Namespace(home=str(store), json=True))
    return anyio.run(export.run, told)


async def fill(memory: OpenMemory) -> None:
    await memory.remember("Staging listens on port 8081", kind="configuration", project="../x", tags=("a: b",))
    tabs = await memory.remember("Ada prefers tabs\n---\nand: more", kind="preference")
    await memory.correct(tabs, "Ada prefers spaces")
    for text in ("🎉🎉", "../../etc/passwd", LONG, "CON", "con", "a" * 500, "\u202eevil"):
        await memory.remember(text, project="webshop")
    await memory.record("how do we deploy?", "make deploy", session="S/../1", project="webshop")
    await memory.score("worked", session="S/../1", project="webshop", evidence="thanks")
    await memory.ingest("r.md", [Chunk(text="Roll back.", place="Ops")], title="Runbook / 1", project="webshop")
    await memory.remember("the codeword is xylophone")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    async def filled() -> None:
        async with aftermind.open_memory(tmp_path / "store") as memory:
            await fill(memory)

    anyio.run(filled)
    return tmp_path / "store"


def pages(folder: Path) -> dict[str, str]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != LIST)
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in found}


def test_every_memory_book_and_session_has_a_page_with_its_facts(store: Path, tmp_path: Path):
    assert command(store, tmp_path / "notes") == 0
    found = pages(tmp_path / "notes")
    assert len(found) == 1 + 1 + 7 + 1 + 1 + 1 + 1
    staging = next(text for text in found.values() if "8081" in text)
    front, _, body = staging.partition("\n---\n")
    facts = {line.partition(": ")[0]: json.loads(line.partition(": ")[2]) for line in front.splitlines()[1:]}
    assert (facts["kind"], facts["collection"], facts["tags"]) == ("configuration", "memory_bank", ["a: b"])
    assert body.strip() == "Staging listens on port 8081"
    spaces = next(text for text in found.values() if "prefers spaces" in text)
    assert "prefers tabs" in spaces.partition("## Until")[2]
    session = next(text for name, text in found.items() if "/sessions/" in name)
    assert all(part in session for part in ("how do we deploy?", "make deploy", "worked (person): thanks"))
    book = next(text for name, text in found.items() if "/books/" in name)
    assert all(part in book for part in ("# Runbook / 1", "## Ops", "Roll back."))
    assert (tmp_path / "etc").exists() is False
    folded = [name.casefold() for name in found]
    assert len(set(folded)) == len(folded)
    assert all(len(part.encode()) <= 200 for name in found for part in PurePosixPath(name).parts)


def test_only_what_changed_is_written_and_what_is_gone_is_taken_away(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    folder = tmp_path / "notes"
    command(store, folder)
    count = json.loads(capsys.readouterr().out)["written"]
    mine = folder / "global" / "mine.md"
    mine.write_text("mine", encoding="utf-8")
    told = (path for path in folder.rglob("*.md") if "/history" in str(path))
    edited = next(path for path in told if "make deploy" in path.read_text())
    edited.write_text("edited by hand", encoding="utf-8")

    async def forget() -> None:
        async with aftermind.open_memory(store) as memory:
            (found, *_) = await memory.recall("codeword xylophone")
            await memory.forget(found.id)
            await memory.remember("one more")

    anyio.run(forget)
    command(store, folder)
    done = json.loads(capsys.readouterr().out)
    assert (done["written"], done["removed"], done["same"]) == (1, 1, count - 2)
    assert done["left"] == [str(edited.relative_to(folder))]
    assert mine.read_text() == "mine"
    assert edited.read_text() == "edited by hand"
    assert not any("xylophone" in text for text in pages(folder).values())


def test_no_page_speaks_to_a_terminal_or_turns_the_direction_of_writing(tmp_path: Path):
    said = "before \x1b[2J\x1b]0;pwn\x07\x9b31m\u202eEVIL\x08\r\nnext\rline \tbehind"

    async def filled() -> None:
        async with aftermind.open_memory(tmp_path / "store") as memory:
            id = await memory.remember(f"hello {said}", tags=(f"tag{said}",))
            await memory.correct(id, f"corrected {said}")
            await memory.record(f"asked {said}", f"answered {said}", session=f"s{said}", client=f"c{said}")
            await memory.score("worked", session=f"s{said}", evidence=f"thanks {said}")
            await memory.ingest("r.md", [Chunk(text=f"book {said}", place=f"at {said}")], title=f"title {said}")

    anyio.run(filled)
    assert command(tmp_path / "store", tmp_path / "pages") == 0
    pages = [path.read_bytes().decode() for path in (tmp_path / "pages").rglob("*.md")]
    assert len(pages) == 4
    for page in pages:
        steers = [
            c for c in page if c != "\n" and c != "\t" and (ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c == "\u202e")
        ]
        assert steers == []
        assert "\\u202eEVIL" in page
    assert any("\\x08\nnext\\x0dline \tbehind" in page for page in pages)


def test_a_part_writes_that_part_and_takes_nothing_away(store: Path, tmp_path: Path):
    folder = tmp_path / "notes"
    command(store, folder, "--kind", "preference")
    assert len(pages(folder)) == 1
    command(store, folder, "--project", "webshop")
    found = pages(folder)
    assert len(found) == 1 + 7 + 1 + 1 + 1
    command(store, folder, "--from", "2020-01-01", "--to", "2020-02-01")
    assert pages(folder) == found


def test_nothing_is_written_through_a_link_or_over_what_is_not_ours(store: Path, tmp_path: Path):
    folder, elsewhere = tmp_path / "notes", tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder.mkdir()
    (folder / "global").symlink_to(elsewhere)
    with pytest.raises(Refused, match="is a link"):
        command(store, folder)
    assert list(elsewhere.iterdir()) == []
    (tmp_path / "file").write_text("a file", encoding="utf-8")
    with pytest.raises(Refused, match="is not a folder"):
        command(store, tmp_path / "file")


def test_a_list_that_somebody_wrote_names_nothing_outside(tmp_path: Path):
    folder, mine = tmp_path / "notes", tmp_path / "mine.md"
    folder.mkdir()
    mine.write_text("mine", encoding="utf-8")
    digest = __import__("hashlib").sha256(b"mine").hexdigest()
    (folder / LIST).write_text(json.dumps({"pages": {"../mine.md": digest, str(mine): digest}}), encoding="utf-8")
    assert Tree(folder).finish(all_of_it=True).removed == 0
    assert mine.exists()


@given(st.text(max_size=300), st.text(min_size=1, max_size=60))
def test_any_words_make_a_name(text: str, id: str):
    name = name_of(text, id)
    assert name
    assert not set(name) & set('/\\:*?"<>|.\0\n')
    assert len(name.encode()) <= 180
    assert slug(slug(text)) == slug(text)


def test_a_page_leads_to_what_the_memory_has_to_do_with_and_to_no_other_project(store: Path, tmp_path: Path):
    async def linked() -> tuple[str, str, str]:
        async with aftermind.open_memory(store) as memory:
            ids = [await memory.remember(text, project="webshop") for text in ("The gate opens", "Zebras cross")]
            everywhere = await memory.remember("Cats sleep")
            theirs = await memory.remember("Dogs bark", project="billing")
            for one, other in ((ids[0], ids[1]), (ids[0], everywhere), (theirs, everywhere)):
                await memory.ask(Link(id=one, relation="supports", other=other))
            return ids[0], ids[1], everywhere

    one, two, everywhere = anyio.run(linked)
    assert command(store, tmp_path / "notes") == 0
    found = pages(tmp_path / "notes")
    gate = next(text for name, text in found.items() if one in name)
    assert f"## Links\n\n- supports [[cats-sleep-{everywhere}]]\n- supports [[zebras-cross-{two}]]\n" in gate
    cats = next(text for name, text in found.items() if everywhere in name)
    assert "## Links" not in cats, "what is everywhere tells of no project"
