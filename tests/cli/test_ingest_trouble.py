"""Files that are not what they seem: each is told with its reason, and the next one is read."""

from __future__ import annotations

import os
import signal
import sys
from errno import EIO
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from tests.cli.conftest import Cli
from tests.documents import encrypted, pdf, prose

import aftermind
from aftermind.cli.ingesting.intake import Intake
from aftermind.cli.ingesting.reader import Reader, reader
from aftermind.cli.ingesting.report import Report
from aftermind.cli.ingesting.walking import File
from aftermind.cli.reading.child import Look, Part, Saw, answer
from aftermind.cli.reading.decoding import LONGEST_LINE, Looked, lines, opened
from aftermind.cli.reading.document import PassedOver, Unreadable
from aftermind.engine.masking.private import lines_without_private

GERMAN = "Grüße aus Köln: die Fähre fährt öfter, außer über Ostern. " * 5
RUSSIAN = "Паром отходит в семь часов утра, кроме воскресенья. " * 5


@pytest.fixture
def docs(place: Path) -> Path:
    folder = place / "work" / "docs"
    folder.mkdir()
    (folder / "good.md").write_text("# Good\n\nThe quarry opens at seven.\n")
    return folder


BROKEN = {
    "empty.md": (b"", "empty"),
    "blank.txt": (b" \n\t\n", "no text in it"),
    "binary.txt": (bytes(range(256)) * 40, "it is not text, whatever its name says"),
    "samples.txt": (b"".join(n.to_bytes(2, "little") for n in range(12)), "it is not text, whatever its name says"),
    "program.md": (b"\x7fELF\x02\x01\x01\x00" + b"\x00" * 5000, "it is a program, whatever its name says"),
    "paper.md": (b"%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\n", "it is a PDF, whatever its name says"),
    "paper.html": (b"\xef\xbb\xbf\n%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\n", "it is a PDF"),
    "letter.rst": (b"{\\rtf1\\ansi Dear Ada, the ferry leaves at noon.}", "it is a rich text file"),
    "handbook.txt": (b"PK\x03\x04" + b"letters" * 200, "it is a zip, as a Word file is"),
    "russian.txt": (RUSSIAN.encode("koi8-r"), "its encoding cannot be told"),
    "locked.pdf": (encrypted(pdf("secret"), "x"), "it has a password"),
    "broken.pdf": (pdf("cut off")[:150], "a broken PDF"),
    "none.pdf": (b"<html>404</html>", "a broken PDF, or none"),
    "scan.pdf": (pdf(""), "no text in it (a scan?)"),
    "none.docx": (b"x", "not a Word document"),
    "old.docx": (b"\xd0\xcf\x11\xe0\xa1\xb1", "it has a password, or is an old Word file"),
}


PASSED_OVER = {"empty.md", "blank.txt", "scan.pdf"}


def test_files_that_cannot_be_read_are_told_with_their_reasons_and_the_others_are_read(cli: Cli, docs: Path) -> None:
    for name, (whole, _) in BROKEN.items():
        (docs / name).write_bytes(whole)
    done = cli("ingest", "docs")
    assert done.status == 0
    assert done.out.startswith("Ingested 1 new book, 1 chunk.\n")
    told = cli("ingest", "docs", "--json").json
    said = {Path(one["path"]).name: one["why"] for one in told["unreadable"]}
    assert said.keys() == BROKEN.keys() - PASSED_OVER
    assert [name for name, why in said.items() if BROKEN[name][1] not in why] == []
    assert told["passed_over"] == {BROKEN[name][1]: 1 for name in PASSED_OVER}
    assert cli("ingest", "docs/locked.pdf").status == 2
    assert cli("ingest", "docs/empty.md").status == 0


def test_a_file_whose_name_is_private_has_a_title_that_does_not_say_it(cli: Cli, docs: Path) -> None:
    (docs / "<private>n.txt").write_text("The ferry leaves at nine.\n")
    assert cli("ingest", "docs").out.startswith("Ingested 2 new books, 2 chunks.\n")
    assert "[private]" in {one["title"] for one in cli("books", "--json").json}


def test_all_of_them_at_once_are_told_by_their_reasons(cli: Cli, docs: Path) -> None:
    for number in range(30):
        (docs / f"{number}.pdf").write_bytes(b"no")
    done = cli("ingest", "docs")
    assert "Could not read 30 files:" in done.out
    assert "0.pdf and 29 more: a broken PDF, or none" in done.out
    assert "--json lists all of them" in done.out
    assert len(cli("ingest", "docs", "--json").json["unreadable"]) == 30


ENCODED = [
    *((GERMAN, name) for name in ("utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-32")),
    *((RUSSIAN, name) for name in ("utf-8", "utf-16")),
    ("渡し船は七時に出ます。" * 9, "utf-8"),
]


def test_a_text_is_read_in_its_encoding(cli: Cli, docs: Path) -> None:
    for number, (text, encoding) in enumerate(ENCODED):
        (docs / f"{number}.txt").write_bytes(text.encode(encoding))
    cli("ingest", "docs")
    found = cli("search", "--collection", "books", "--limit", "50", "--json").json
    read = {one["speaker"]: one["text"] for one in found}
    assert [case for number, case in enumerate(ENCODED) if read[f"{number}.txt"] != case[0].strip()] == []


def test_a_page_is_read_in_the_encoding_it_says(cli: Cli, docs: Path) -> None:
    (docs / "ferry.html").write_bytes(f'<meta charset="koi8-r"><p>{RUSSIAN}'.encode("koi8-r"))
    cli("ingest", "docs/ferry.html")
    assert "Паром" in cli("search", "--collection", "books", "--json").json[0]["text"]


@pytest.mark.parametrize("suffix", ["html", "md", "txt"])
@pytest.mark.parametrize("tag", ["<private>", "</private>", "<private why='it is mine'>"])
def test_a_line_is_cut_in_no_tag_and_no_word(cli: Cli, docs: Path, suffix: str, tag: str) -> None:
    """What is private stays so wherever a line of more than 64 K is taken apart."""
    opens = tag if not tag.startswith("</") else "<private>"
    for cut in range(1, len(tag)):
        before = "filler " * (LONGEST_LINE // 7 - 2)
        text = f"{opens}TOPSECRET</private>" if not tag.startswith("</") else "<private>TOPSECRET</private>"
        place = text.index(tag) + cut
        before += "x" * (LONGEST_LINE - len(before) - place - 1) + " "
        file = docs / f"long{cut}.{suffix}"
        file.write_text(f"{before}{text} wonderful end")
        with file.open("rb") as opened_file:
            said = "\n".join(lines_without_private(lines(opened_file, "utf-8", lambda _: None)))
        assert "TOPSECRET" not in said
        assert "wonderful end" in said.replace("\n", " ")


def test_what_is_private_in_a_page_is_not_kept_though_its_marks_are_written_in_letters(cli: Cli, docs: Path) -> None:
    hidden = "".join(f"<p>{prose(6, n * 6)}</p>" for n in range(9))
    hidden = f"<p>&lt;private&gt;</p>{hidden}<h2>Next</h2><p>SECRET-B is here</p><p>&lt;/private&gt; After.</p>"
    page = f"<p>Before.</p>{hidden}"
    (docs / "page.html").write_text(page)
    cli("ingest", "docs/page.html")
    said = " ".join(one["text"] for one in cli("search", "--collection", "books", "--limit", "50", "--json").json)
    assert "SECRET-B" not in said
    assert prose(1) not in said
    assert "Before." in said
    assert "After." in said


@pytest.mark.parametrize("said", ["utf-16", "utf-32", "idna", "undefined", "base64", "no-such"])
def test_a_page_that_says_what_cannot_be_is_read_as_it_reads(cli: Cli, docs: Path, said: str) -> None:
    page = f'<meta charset="{said}"><p>Le café du port ouvre à sept heures, la crème est prête'
    (docs / "café.html").write_bytes(page.encode("cp1252"))
    cli("ingest", "docs/café.html")
    assert "café du port ouvre à sept" in cli("search", "--collection", "books", "--json").json[0]["text"]


async def test_a_large_file_gives_signs_of_life_while_it_is_looked_at(tmp_path: Path) -> None:
    """Each megabyte anew, so that only one that takes too long ends it."""
    told: list[object] = []
    (tmp_path / "large.txt").write_bytes(b"zebra " * 1_000_000)
    answer(Look(path=os.fsencode(tmp_path / "large.txt")), told.append)
    assert [type(one) for one in told] == [Part] * 5 + [Saw]
    async with reader() as read:
        assert (await read.look(os.fsencode(tmp_path / "large.txt"))).size == 6_000_000


def test_what_the_disk_says_is_not_told_as_a_wrong_name(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("zebra")
    with pytest.raises(ValueError, match="mine"), opened(os.fsencode(tmp_path / "a.txt")):
        raise ValueError("mine")
    with pytest.raises(Unreadable, match="cannot be read"), opened(os.fsencode(tmp_path / "a.txt")):
        raise OSError(EIO, "Input/output error")
    with pytest.raises(Unreadable, match="no name of a file"), opened(b"a\0b"):
        pass


def test_a_few_wrong_bytes_do_not_make_a_text_another(cli: Cli, docs: Path) -> None:
    (docs / "ferry.txt").write_bytes(RUSSIAN.encode() + b"\xff" + RUSSIAN.encode())
    cli("ingest", "docs/ferry.txt")
    assert "\ufffdПаром" in cli("search", "--collection", "books", "--json").json[0]["text"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a name is text")
def test_a_name_may_be_any_bytes(cli: Cli, docs: Path) -> None:
    for name in (b"\xff.md", b"\xfe.md"):
        Path(os.fsdecode(os.fsencode(docs) + b"/" + name)).write_text("# x\n\nzebra " + repr(name))
    assert "3 new books" in cli("ingest", "docs").out
    assert cli("ingest", "docs").out == "Nothing new: 3 books are unchanged.\n"
    assert len(cli("books", "--json").json) == 3


# --- while it is read -----------------------------------------------------------------------------------------


pytestmark = pytest.mark.anyio
CHANGED = "it was changed while it was read; the next run takes it"


async def all_of(read: Reader, looked: Looked) -> list[str]:
    return [chunk.text async for chunk in (await read.read(looked)).chunks]


def grown(path: Path) -> None:
    with path.open("a") as file:
        file.write("more")


@pytest.fixture
def little_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a small file is still being read when its first chunks are there."""
    monkeypatch.setattr("aftermind.cli.ingesting.reader.AHEAD", 4096)


async def test_a_file_that_changes_or_vanishes_while_it_is_read_is_told(tmp_path: Path, little_ahead: None) -> None:
    path, text = tmp_path / "a.txt", "\n\n".join(prose(20, n * 20) for n in range(800))
    changes = {
        "written to": lambda: path.write_text("another"),
        "grown": lambda: grown(path),
        "replaced": lambda: (tmp_path / "b").replace(path),
        "gone": path.unlink,
    }
    async with reader() as read:
        for name, change in changes.items():
            path.write_text(text)
            (tmp_path / "b").write_text(text)
            looked = await read.look(os.fsencode(path))
            reading = await read.read(looked)
            chunks = [await anext(reading.chunks)]
            change()
            with pytest.raises(Unreadable, match=r"changed|gone"):
                chunks += [chunk async for chunk in reading.chunks]
            assert chunks, name
        with pytest.raises(Unreadable, match="gone"):
            await read.look(os.fsencode(path))


async def test_between_the_look_and_the_reading_it_is_told_as_well(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one")
    async with reader() as read:
        looked = await read.look(os.fsencode(path))
        path.write_text("another")
        with pytest.raises(Unreadable, match="changed"):
            await read.read(looked)
        path.unlink()
        with pytest.raises(Unreadable, match="gone"):
            await read.read(looked)


async def test_a_file_that_hangs_who_reads_it_is_given_up_and_the_next_is_read(tmp_path: Path) -> None:
    for name in ("bad.md", "good.md"):
        (tmp_path / name).write_text("zebra crossing")
    async with reader() as read:
        looked = await read.look(os.fsencode(tmp_path / "bad.md"))
        assert read._process is not None
        read._process.send_signal(signal.SIGSTOP)
        patience, read._patience = read._patience, 0.5
        with pytest.raises(Unreadable, match="given up"):
            await all_of(read, looked)
        read._patience = patience
        looked = await read.look(os.fsencode(tmp_path / "good.md"))
        assert await all_of(read, looked) == ["zebra crossing"]


async def test_a_file_that_kills_who_reads_it_is_told_and_the_next_is_read(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("zebra crossing")
    async with reader() as read:
        looked = await read.look(os.fsencode(tmp_path / "a.md"))
        assert read._process is not None
        read._process.kill()
        with pytest.raises(Unreadable, match="ended the process that reads"):
            await read.read(looked)
        assert await all_of(read, looked) == ["zebra crossing"]


async def test_who_does_not_listen_to_the_end_can_ask_for_another(tmp_path: Path, little_ahead: None) -> None:
    (tmp_path / "a.txt").write_text("\n\n".join(prose(20, n * 20) for n in range(300)))
    (tmp_path / "b.md").write_text("zebra crossing")
    async with reader() as read:
        reading = await read.read(await read.look(os.fsencode(tmp_path / "a.txt")))
        await anext(reading.chunks)
        assert read._process is not None
        out = read._process.stdout
        while not out._paused:  # type: ignore[union-attr]  # more has come than is read ahead: its end is not seen
            await anyio.lowlevel.checkpoint()
        other = await read.read(await read.look(os.fsencode(tmp_path / "b.md")))
        assert [chunk.text async for chunk in other.chunks] == ["zebra crossing"]
        process = read._process
    assert process is not None
    assert process.returncode is not None


async def test_what_is_no_book_is_not_opened(tmp_path: Path) -> None:
    async with reader() as read:
        with pytest.raises(PassedOver, match="source code"):
            await read.look(os.fsencode(tmp_path / "not there.py"))
        (tmp_path / "folder.md").mkdir()
        with pytest.raises(Unreadable, match="not a plain file"):
            await read.look(os.fsencode(tmp_path / "folder.md"))


async def test_a_file_that_breaks_off_leaves_the_edition_before(tmp_path: Path, little_ahead: None) -> None:
    path = tmp_path / "a.txt"
    path.write_text("The quarry opens at seven.")

    async def taken(memory: aftermind.OpenMemory, advance=lambda _: None) -> Report:
        report = Report()
        async with reader() as read:
            intake = Intake(memory, read, None, report, advance)
            await intake.take([File(path, path.stat().st_size)], [tmp_path])
        return report

    async with aftermind.open_memory(tmp_path / "store") as memory:
        assert (await taken(memory)).new == 1
        path.write_text("\n\n".join(prose(20, n * 20) for n in range(800)))
        told = []

        def grows(_: float) -> None:
            if not told:
                told.append(True)
                grown(path)

        report = await taken(memory, grows)
        assert [one.why for one in report.unreadable] == [CHANGED]
        assert "its edition before stays" in report.remarks[0].why
        assert [one.text for one in await memory.latest(collections=("books",))] == ["The quarry opens at seven."]
        assert (await taken(memory)).changed == 1
        assert len(await memory.latest(collections=("books",), limit=10_000)) > 300


# --- without the extra ----------------------------------------------------------------------------------------


def test_without_pypdf_a_pdf_is_told_with_the_command_that_helps_and_the_rest_is_read(
    cli: Cli, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from aftermind.cli.reading import pdf as pdf_reader

    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(Unreadable, match=r"pip install 'aftermind\[books\]'"), (docs / "x.pdf").open("w+b") as file:
        list(pdf_reader.items(file, lambda _: None, lambda _: None))


def test_where_nothing_can_read_it_is_said_why(docs: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    told = cli("ingest", str(docs))
    assert told.status == 5
    assert "the process that reads documents could not be started: No such file or directory" in told.err
    assert "see that /nowhere/python is there" in told.err


def test_a_folder_that_may_not_be_entered_is_told_as_that_also_where_it_is_named(
    docs: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != docs and may(path, mode))  # root may all
    told = cli("ingest", str(docs))
    assert told.status == 2
    assert "you may not read it" in told.out + told.err
    assert "off limits" not in told.out + told.err


def test_a_link_in_a_circle_is_told_also_where_it_is_named(cli: Cli, docs: Path) -> None:
    (docs / "loop").symlink_to("loop")
    (docs / "good.md").write_text("# Good\n\nThe ferry leaves at noon.\n")
    done = cli("ingest", "docs/good.md", "docs/loop")
    assert "Ingested 1 new book" in done.out
    assert f"{docs / 'loop'}: cannot be looked at" in done.out


def test_who_left_something_out_is_told_by_name(cli: Cli, docs: Path) -> None:
    for name in ("node_modules/a.md", "one/x.log.md", "two/x.log.md", "two/y.log.md"):
        (docs / name).parent.mkdir(exist_ok=True)
        (docs / name).write_text("text")
    for folder in (docs / "one", docs / "two"):
        (folder / ".gitignore").write_text("*.log.md\n")
    done = cli("ingest", "docs")
    assert f"Left out 3 that git ignores ({docs / 'one' / '.gitignore'} and 1 other list)." in done.out
    assert "Left out 1 folder of what others wrote (__pycache__, node_modules, site-packages, venv)." in done.out


def test_a_book_that_is_none_is_told_before_somebody_is_asked(cli: Cli, docs: Path) -> None:
    cli("ingest", "docs")
    assert "nothing" in cli("remove", "nothing").err
    assert "there is no terminal" not in cli("remove", "nothing").err
    assert "there is no terminal to ask at" in cli("remove", cli("books", "--json").json[0]["id"]).err
