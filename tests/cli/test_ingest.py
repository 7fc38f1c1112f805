"""`aftermind ingest` and `books`: documents go in, and only what changed is read again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.documents import RUNBOOK, docx, outlined, pdf, prose

# --- in -------------------------------------------------------------------------------------------------------


def test_every_format_becomes_a_book_that_is_found_with_its_place(cli: Cli, docs: Path) -> None:
    (docs / "notes.txt").write_text("The quarry opens at seven.\n\nThe harbour closes at nine.")
    (docs / "guide.rst").write_text("Harbour guide\n=============\n\nMooring\n-------\n\nTie up at the copper buoy.\n")
    page = "<title>Meadow page</title><h1>Meadow page</h1><h2>Mowing</h2><p>Mow the meadow in June.</p>"
    (docs / "page.html").write_text(page)
    (docs / "paper.pdf").write_bytes(outlined(pdf("Intro", "Lanterns are lit at dusk."), [("Lighting", 1)]))
    docx(docs / "handbook.docx")
    (docs / "README").write_text("Lorries use the north gate.")
    done = cli("ingest", "docs")
    assert (done.status, done.err) == (0, "")
    assert done.out == "Ingested 7 new books, 13 chunks.\n"
    for query, source in (
        ("which port has staging", "Billing runbook › Ports"),
        ("when does the quarry open", "notes.txt"),
        ("tie up at which buoy", "Harbour guide › Mooring"),
        ("mow the meadow when", "Meadow page › Mowing"),
        ("lanterns are lit when", "paper.pdf › Lighting, page 2"),
        ("page the duty officer", "Billing handbook › Deploying › Rollback"),
        ("which gate do lorries use", "docs/README"),
    ):
        assert f"{source}: " in cli("search", query).out.splitlines()[1]
        assert f") {source}: " in cli("context", query).out


def test_who_asks_to_see_a_book_as_if_it_were_a_memory_is_told_what_it_is(cli: Cli, docs: Path) -> None:
    cli("ingest", "docs")
    shown = cli("show", cli("books", "--json").json[0]["id"])
    assert shown.status == 3
    assert "it is the book Billing runbook: `aftermind books --all` lists books" in shown.err


def test_a_chunk_shows_its_book_its_place_and_its_file(cli: Cli, docs: Path) -> None:
    (docs / "paper.pdf").write_bytes(pdf("Intro", "Lanterns are lit at dusk.", title="On light"))
    cli("ingest", "docs")
    id = cli("search", "lanterns at dusk", "--json").json[0]["id"]
    shown = cli("show", id).out
    assert "\nbook      b" in shown
    assert " (On light)\n" in shown
    assert "\nplace     pages 1–2\n" in shown
    assert f"\nfile      {docs / 'paper.pdf'}\n" in shown
    assert "speaker" not in shown
    assert "from On light" in cli("why", id).out
    assert "\nplace: pages 1–2\n" in cli("why", id).out


def test_what_is_shown_of_a_pdf_is_cited_by_the_page_it_is_on(cli: Cli, docs: Path) -> None:
    second = f"{prose(4, 40)}\nLanterns are lit by Ada at dusk.\n{prose(4, 50)}"
    (docs / "paper.pdf").write_bytes(pdf(prose(9), second, title="On light"))
    cli("ingest", str(docs / "paper.pdf"))
    asked = "who lights lanterns at dusk?"
    assert cli("search", asked, "--json").json[0]["memory"]["last_page"] == 2
    assert "  On light, page 2: …" in cli("search", asked).out
    assert ") On light, page 2: …" in cli("context", asked).out


def test_why_of_a_briefing_names_the_book_of_each_chunk_and_its_place(cli: Cli, docs: Path) -> None:
    light = outlined(pdf("Intro", "Lanterns are lit at dusk.", title="On light"), [("Lighting", 1)])
    (docs / "paper.pdf").write_bytes(light)
    cli("ingest", "docs")
    told = cli("context", "when are the lanterns lit at dusk?", "--json").json["injection"]
    found = cli("why", told, "--json").json
    (docs / "paper.pdf").write_bytes(pdf("Lanterns are lit at dusk.", title="On dark"))
    cli("ingest", "docs")
    assert [line["source"] for line in found["lines"]] == ["On light › Lighting, page 2"]
    assert [left["source"] for left in found["again"]["left_out"]] == ["On light, page 1"]
    out = cli("why", told).out
    assert "On light › Lighting, page 2: Lanterns are lit at dusk." in out  # as it was cited then
    assert "On light, page 1: Intro" in out


def test_the_next_run_reads_what_changed_and_nothing_else(cli: Cli, docs: Path) -> None:
    for number in range(5):
        (docs / f"{number}.txt").write_text(prose(5, number * 10))
    assert "6 new books" in cli("ingest", "docs").out
    ids = {one["text"]: one["id"] for one in cli("search", "--collection", "books", "--json").json}
    assert cli("ingest", "docs").out == "Nothing new: 6 books are unchanged.\n"
    (docs / "runbook.md").write_text(RUNBOOK.replace("8081", "9091"))
    (docs / "0.txt").touch()
    assert cli("ingest", "docs").out == "Ingested 1 changed book, 3 chunks; 5 books are unchanged.\n"
    after = {one["text"]: one["id"] for one in cli("search", "--collection", "books", "--json").json}
    assert {text: id for text, id in after.items() if "9091" not in text} == {
        text: id for text, id in ids.items() if "8081" not in text
    }
    assert "8081" not in cli("search", "staging port").out


def test_a_dry_run_reads_and_counts_and_makes_no_store(cli: Cli, docs: Path, place: Path) -> None:
    (docs / "empty.md").touch()
    done = cli("ingest", "docs", "--dry-run")
    assert (
        done.out
        == "Found 1 document, 3 chunks. Nothing was written.\nPassed over 1 file: 1 empty. `--json` names them.\n"
    )
    assert not (place / "store").exists()
    assert cli("ingest", "docs", "--dry-run", "--json").json["chunks"] == 3


def test_a_book_belongs_to_the_project_it_was_ingested_for(cli: Cli, docs: Path) -> None:
    cli("ingest", "docs", "--project", "billing")
    cli("ingest", "docs", "--global")
    cli("ingest", "docs")
    assert [book["project"] for book in cli("books", "--json").json] == ["", "work"]
    assert [book["project"] for book in cli("books", "--all", "--json").json] == ["", "billing", "work"]
    assert len(cli("books", "--project", "billing", "--json").json) == 1
    assert len(cli("books", "--global", "--json").json) == 1
    assert len(cli("search", "staging port", "--project", "other", "--json").json) == 1


def test_source_code_is_no_book_unless_a_glob_asks(cli: Cli, docs: Path) -> None:
    (docs / "run.py").write_text("def staging_port():\n    return 8081\n\n\ndef rollback():\n    pass\n")
    (docs / "data.csv").write_text("a,b\n")
    (docs / "old.doc").write_text("x")
    done = cli("ingest", "docs")
    assert "Passed over 3 files:" in done.out
    assert "1 source code" in done.out
    assert "1 no document by its name" in done.out
    assert "save it as .docx" in done.out
    assert "--glob '*.py'" in done.out
    named = cli("ingest", "docs", "--dry-run", "--json").json["passed"]
    assert {(Path(one["path"]).name, one["why"]) for one in named} >= {("run.py", "source code")}
    done = cli("ingest", "docs", "--glob", "*.py", "--glob", "*.csv")
    assert done.out == "Ingested 2 new books, 2 chunks.\n"
    assert "def rollback():\n    pass" in cli("search", "staging port rollback", "--json").json[0]["text"]
    assert cli("ingest", "docs/run.py").out.startswith("There are no documents to ingest.\nPassed over 1 file")


def test_json_has_the_counts_and_the_names(cli: Cli, docs: Path) -> None:
    (docs / "bad.pdf").write_bytes(b"%PDF-1.4 no")
    (docs / "x.py").touch()
    report = cli("ingest", "docs", "--json").json
    assert {key: report[key] for key in ("found", "new", "changed", "unchanged", "failed", "chunks")} == {
        "found": 3,
        "new": 1,
        "changed": 0,
        "unchanged": 0,
        "failed": 1,
        "chunks": 3,
    }
    assert report["passed_over"] == {"source code": 1}
    assert report["unreadable"][0]["path"] == str(docs / "bad.pdf")


def test_a_path_that_is_not_there_is_told_before_anything_is_done(cli: Cli, docs: Path, place: Path) -> None:
    done = cli("ingest", "docs", "nowhere")
    assert done.status == 2
    assert "nowhere" in done.err
    assert not (place / "store").exists()
    near = cli("ingest", str(docs.with_name(f"{docs.name}s")))
    assert f"did you mean {docs}?" in near.err


def test_an_empty_folder_is_no_error(cli: Cli, place: Path) -> None:
    (place / "work" / "empty").mkdir()
    done = cli("ingest", "empty")
    assert (done.status, done.out) == (0, "There are no documents to ingest.\n")


def test_where_nothing_can_be_read_it_is_not_said_that_there_is_nothing(cli: Cli, place: Path) -> None:
    (place / "work" / "bad").mkdir()
    (place / "work" / "bad" / "one.pdf").write_bytes(b"%PDF-1.4 broken")
    done = cli("ingest", "bad")
    assert done.out.startswith("Nothing could be read.\nCould not read 1 file:\n")


def test_a_pattern_that_is_none_is_told(cli: Cli, docs: Path) -> None:
    assert cli("ingest", "docs", "--glob", "!").status == 2
    failed = cli("ingest", "docs", "--glob", "!drafts/", "--glob", "!*.txt")
    assert failed.status == 2
    assert "nothing but what is left out: '!drafts/'" in failed.err


def test_secrets_and_briefings_in_documents_stay_out_of_the_store(cli: Cli, docs: Path) -> None:
    token = "ghp_" + "a1B2" * 10
    briefing = (
        cli("remember", "zebra crossing fact", "--global") and cli("context", "zebra crossing fact", "--global").out
    )
    (docs / "notes.md").write_text(f"# With {token}\n\nlog in with {token}\n\n{briefing}\n\nend\n")
    cli("ingest", "docs", "--global")
    assert token not in cli("log", "--json").out
    found = cli("search", "log in with", "--global", "--json").json[0]
    assert "[masked github-token" in found["text"]
    assert "aftermind-memory" not in found["text"]


# --- out ------------------------------------------------------------------------------------------------------


def test_books_are_listed_with_their_size_and_their_file(cli: Cli, docs: Path) -> None:
    assert "no books" in (cli("remember", "x") and cli("books").out)
    cli("ingest", "docs")
    out = cli("books").out
    (book,) = cli("books", "--json").json
    heading, row = out.splitlines()
    assert heading.split() == ["ID", "CHUNKS", "SIZE", "WHEN", "PROJECT", "TITLE", "FILE"]
    assert row.split()[:4] == [book["id"], "3", f"{len(RUNBOOK)}", "B"]
    assert row.endswith(f"Billing runbook  {docs / 'runbook.md'}")


def test_a_locked_chunk_keeps_its_book(cli: Cli, docs: Path) -> None:
    cli("ingest", "docs")
    id = cli("search", "which port has staging", "--json").json[0]["id"]
    cli("lock", id)
    done = cli("remove", "--yes", "docs")
    assert done.status == 4
    assert f"aftermind unlock {id}" in done.err


def test_a_file_that_is_gone_is_told_and_its_book_stays(cli: Cli, docs: Path) -> None:
    (docs / "other.md").write_text("zebra crossing")
    cli("ingest", "docs")
    (docs / "runbook.md").unlink()
    done = cli("ingest", "docs")
    (lost,) = [book for book in cli("books", "--json").json if "runbook" in book["path"]]
    assert f"1 book has lost its file; `aftermind remove {lost['id']}` takes it out of recall." in done.out
    assert "8081" in cli("search", "which port has staging").out


@pytest.mark.parametrize("by", [".aftermindignore", ".gitignore"])
def test_a_book_whose_file_is_not_taken_any_more_is_told_and_stays(cli: Cli, docs: Path, by: str) -> None:
    (docs / "other.md").write_text("zebra crossing")
    cli("ingest", "docs")
    (docs / by).write_text("runbook.md\n")
    (lost,) = [book for book in cli("books", "--json").json if "runbook" in book["path"]]
    done = cli("ingest", "docs")
    assert "1 book's file was not looked at (ignored, hidden, off limits or another repository's)" in done.out
    assert f"`aftermind remove {lost['id']}` takes it out" in done.out
    assert cli("ingest", "docs", "--json").json["unseen"] == [{"id": lost["id"], "path": lost["path"]}]
    assert "not looked at" not in cli("ingest", "docs", "--glob", "other.md").out
    assert "8081" in cli("search", "which port has staging").out
    cli("remove", lost["id"], "--yes")
    assert "not looked at" not in cli("ingest", "docs").out


@pytest.mark.skipif(sys.platform == "win32", reason="folders that cannot be read are another thing there")
def test_a_book_in_a_folder_that_cannot_be_read_is_not_called_lost(cli: Cli, docs: Path, monkeypatch) -> None:
    (docs / "deep").mkdir()
    (docs / "deep" / "a.md").write_text("zebra crossing")
    (docs / "gone.md").write_text("heron")
    (docs / "soft.md").symlink_to("gone.md")
    cli("ingest", "docs")
    (docs / "gone.md").unlink()
    real = os.scandir

    def scandir(path):
        if str(path).endswith("deep"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr("os.scandir", scandir)
    done = cli("ingest", "docs")
    (gone,) = [book["id"] for book in cli("books", "--json").json if "gone" in book["path"]]
    assert "deep: you may not read it" in done.out
    assert f"1 book has lost its file; `aftermind remove {gone}`" in done.out
    assert "not looked at" not in done.out


def test_where_everything_is_ignored_it_is_said_by_which_list(cli: Cli, docs: Path, place: Path) -> None:
    (docs / ".gitignore").write_text("*.md\n")
    done = cli("ingest", "docs")
    assert done.out == (
        f"There are no documents to ingest. Left out 1 that git ignores ({docs / '.gitignore'}) and 1 that is hidden: "
        "what is named itself is taken.\n"
    )
    assert cli("ingest", "docs/runbook.md").out == "Ingested 1 new book, 3 chunks.\n"


def test_a_link_tells_what_its_file_is(cli: Cli, docs: Path) -> None:
    (docs / "object").write_text("The quarry opens at seven.")
    (docs / "quarry.md").symlink_to("object")
    assert cli("ingest", "docs/quarry.md").out == "Ingested 1 new book, 1 chunk.\n"


def test_who_forgets_a_chunk_is_told_that_its_file_says_it_still(cli: Cli, docs: Path) -> None:
    (docs / "vault.md").write_text("The vault code is seven ravens. The canary runs on monday.")
    cli("ingest", "docs/vault.md")
    (chunk,) = cli("search", "vault code", "--json").json
    done = cli("forget", chunk["id"], "--yes")
    assert "Its file may say it still." in done.err
    cli("ingest", "docs")
    assert cli("search", "vault code", "--json").json == []


def test_a_progress_bar_is_for_who_watches(cli: Cli, docs: Path, process) -> None:
    if sys.platform == "win32":
        pytest.skip("there are no such terminals")
    from tests.cli.test_terminal import on_a_terminal

    for number in range(30):
        (docs / f"{number}.txt").write_text(prose(50, number * 100))
    status, sent = on_a_terminal(process, "ingest", "docs")
    assert status == 0
    assert "Ingested 31 new books" in sent
    assert "%" in sent


@pytest.mark.skipif(sys.platform == "win32", reason="processes are interrupted in other ways there")
def test_interrupted_in_the_middle_of_a_book_nothing_of_it_is_there_and_the_next_run_takes_it(
    cli: Cli, place: Path, docs: Path, process: Callable[..., subprocess.Popen[bytes]]
) -> None:
    (docs / "runbook.md").write_text("\n\n".join(prose(20, n * 20) for n in range(1500)))
    started = process("ingest", "docs", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    kept = place / "store" / "log.db-wal"
    while not (kept.exists() and kept.stat().st_size > 200_000):  # parts of the book are in the log
        assert started.poll() is None
        time.sleep(0.01)
    started.send_signal(signal.SIGINT)
    _, err = started.communicate(timeout=60)
    assert (started.returncode, err.count(b"\n")) == (130, 1)
    assert b"interrupted: at least 0 books taken whole, none by half" in err
    assert cli("books", "--json").json == []
    assert cli("search", "zebra crossing", "--json").json == []
    assert "1 new book" in cli("ingest", "docs").out


def test_a_book_that_was_taken_out_is_not_credited(cli: Cli, docs: Path) -> None:
    cli("ingest", "docs")
    (chunk, *_) = cli("context", "--prompt", "what is the staging port?", "--json").json["memories"]
    cli("record", stdin=f"what is the staging port?\n---\n{chunk['text']}".encode())
    assert chunk["id"] in {one["id"] for one in cli("score", "worked", "--json").json["memories"]}
    assert cli("remove", cli("books", "--json").json[0]["id"], "--yes").status == 0
    assert chunk["id"] not in {one["id"] for one in cli("score", "worked", "--json").json["memories"]}


PROSE = "The ferry leaves the northern quay at nine, and the last one at half past ten. " * 3


@pytest.mark.parametrize(
    ("said", "is_text"),
    [
        (b"\xff\xfe\x00\x01bin", False),
        ("\ufeff\x01\x02ferry\x03".encode("utf-16-le") * 40, False),
        (b"\xff\xfe" + "\ue000\uf8ff\ue123".encode("utf-16-le") * 50, False),
        (b"\xfe\xff" + b"\x00\x01\x00\x02" * 30, False),
        (b"\xff\xfe\x00\x00" + b"garbage!" * 30, False),
        (b"\xef\xbb\xbf" + b"\x00\x01\x02\x03" * 30, False),
        (PROSE.encode("utf-16"), True),
        (PROSE.encode("utf-16") + b"\n", True),
        (PROSE.encode("utf-16")[:-1], True),
        (PROSE.encode("utf-16") + b"one more line of another program\n", True),
        (("\ufeff" + PROSE).encode("utf-16-be"), True),
        (("渡し船は七時に出ます。" * 400).encode("utf-16"), True),
        ((PROSE + "🎉 café\f\x1b[0m\r\n").encode("utf-16"), True),
        (("x" * 2047 + "🎉" + PROSE * 9).encode("utf-16"), True),
        ((PROSE * 30).encode("utf-8-sig"), True),
        (("é" * 3000).encode("utf-8-sig"), True),
        ((PROSE * 30).encode("utf-32"), True),
        ("Yes".encode("utf-16"), True),
    ],
)
def test_what_begins_as_another_encoding_does_is_a_text_where_the_rest_is(
    cli: Cli, docs: Path, said: bytes, is_text: bool
) -> None:
    (docs / "some.txt").write_bytes(said)
    done = cli("ingest", "docs/some.txt", "--json").json
    assert (done["new"], done["failed"]) == ((1, 0) if is_text else (0, 1)), done


def test_the_glob_that_is_named_is_of_what_was_passed_over(cli: Cli, docs: Path) -> None:
    (docs / "app.js").write_text("let ferry = 9;\n")
    assert "1 source code (`--glob '*.js'` takes some all the same)" in cli("ingest", "docs").out
    (docs / "app.js").unlink()
    assert "--glob" not in cli("ingest", "docs").out
