"""`aftermind remove`: books come out of recall, those that were meant and no others."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Cli


@pytest.mark.parametrize("named", ["id", "file", "folder", "another way to the file"])
def test_a_book_is_removed_by_its_id_its_file_or_its_folder(cli: Cli, docs: Path, named: str) -> None:
    cli("ingest", "docs")
    (book,) = cli("books", "--json").json
    names = {
        "id": book["id"],
        "file": "docs/runbook.md",
        "folder": "docs",
        "another way to the file": "./docs/../docs/runbook.md",
    }
    done = cli("remove", "--yes", names[named])
    assert (done.status, done.out.splitlines()[0]) == (0, f"Removed {book['id']}: Billing runbook, 3 chunks.")
    assert "no books" in cli("books").out
    assert "Nothing is relevant" in cli("search", "which port has staging").out
    assert "1 new book" in cli("ingest", "docs").out


def test_remove_asks_and_without_a_terminal_wants_to_be_told(cli: Cli, docs: Path) -> None:
    cli("ingest", "docs")
    done = cli("remove", "docs")
    assert done.status == 2
    assert "--yes docs" in done.err
    assert len(cli("books", "--json").json) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_the_command_that_does_not_ask_can_be_pasted(cli: Cli, docs: Path) -> None:
    (docs / "runbook.md").rename(docs / "run book.md")
    cli("ingest", "docs")
    assert "`aftermind remove --yes 'docs/run book.md'` does not ask" in cli("remove", "docs/run book.md").err


def test_remove_shows_what_it_is_about_to_remove(cli: Cli, docs: Path, process) -> None:
    from tests.cli.test_terminal import on_a_terminal

    cli("ingest", "docs")
    status, sent = on_a_terminal(process, "remove", "docs", types=b"n\n")
    assert status == 0
    assert "Billing runbook, 3 chunks" in sent.replace("\r\n", "")
    assert "Nothing was removed." in sent
    status, sent = on_a_terminal(process, "remove", "docs", types=b"y\n")
    assert "Removed b" in sent
    assert cli("books", "--json").json == []


def test_what_is_no_book_cannot_be_removed(cli: Cli, docs: Path) -> None:
    cli("ingest", "docs")
    for word in ("b0000000000000000", "nowhere.md", "m123"):
        done = cli("remove", "--yes", word)
        assert done.status == 3
        assert "aftermind books" in done.err
    assert len(cli("books", "--json").json) == 1


@pytest.mark.parametrize("command", ["remove", "ingest"])
def test_an_empty_word_as_of_a_variable_that_is_not_set_names_nothing(cli: Cli, docs: Path, command: str) -> None:
    cli("ingest", "docs")
    done = cli(command, "", *(["--yes"] if command == "remove" else []))
    assert (done.status, "an empty word names nothing" in done.err) == (2, True)
    assert len(cli("books", "--json").json) == 1


def test_a_file_means_what_was_read_from_it_here_and_only_without_that_another_projects(cli: Cli, docs: Path) -> None:
    cli("ingest", "docs")
    (mine,) = cli("books", "--json").json
    cli("ingest", "docs", "--project", "shop")
    assert f"Removed {mine['id']}: Billing runbook, 3 chunks." in cli("remove", "docs", "--yes").out
    (theirs,) = cli("books", "--all", "--json").json
    assert theirs["project"] == "shop"
    done = cli("remove", "docs", "--yes")
    assert f"Removed {theirs['id']}: Billing runbook, 3 chunks, of the project shop." in done.out


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are text there")
def test_a_book_whose_name_is_no_text_is_meant_by_its_file_and_its_folder_and_seen_to_be_lost(
    cli: Cli, docs: Path
) -> None:
    odd = docs / os.fsdecode(b"bad\xff.md")
    for name in (str(odd), "docs"):
        odd.write_text("# Odd\n\nThe odd one opens at noon.")
        cli("ingest", "docs")
        assert len(cli("books", "--json").json) == 2
        assert "Odd" in cli("remove", name, "--yes").out
    cli("ingest", "docs")
    odd.unlink()
    assert "1 book has lost its file" in cli("ingest", "docs").out


def test_a_book_in_whose_place_a_folder_stands_has_lost_its_file(cli: Cli, docs: Path) -> None:
    cli("ingest", "docs")
    (docs / "runbook.md").unlink()
    (docs / "runbook.md").mkdir()
    assert "1 book has lost its file" in cli("ingest", "docs").out


def test_a_file_means_what_is_global_only_where_nothing_was_read_from_it_here(cli: Cli, docs: Path) -> None:
    cli("ingest", "docs")
    (mine,) = cli("books", "--json").json
    cli("ingest", "docs", "--global")
    done = cli("remove", "docs/runbook.md", "--yes").out.splitlines()
    assert done[:2] == [
        f"Removed {mine['id']}: Billing runbook, 3 chunks.",
        "The global book of the same file stays: `aftermind remove --global docs/runbook.md` takes it out.",
    ]
    (everywhere,) = cli("books", "--all", "--json").json
    assert everywhere["project"] == ""
    done = cli("remove", "docs/runbook.md", "--yes").out.splitlines()
    assert done == [
        f"Removed {everywhere['id']}: Billing runbook, 3 chunks, of every project (global).",
        "The log still holds their words; while its file is there, `aftermind ingest --global` brings a book back.",
    ]


def test_what_is_global_goes_before_what_another_project_read(cli: Cli, docs: Path) -> None:
    cli("ingest", "docs", "--global")
    cli("ingest", "docs", "--project", "shop")
    assert "of every project (global)" in cli("remove", "docs", "--yes").out
    (theirs,) = cli("books", "--all", "--json").json
    assert theirs["project"] == "shop"
    assert "`aftermind ingest --project shop` brings a book back" in cli("remove", "docs", "--yes").out


def test_whose_book_of_a_file_is_meant_can_be_said(cli: Cli, docs: Path) -> None:
    for whose in ((), ("--global",), ("--project", "shop")):
        cli("ingest", "docs", *whose)
    done = cli("remove", "docs", "--global")
    assert "`aftermind remove --yes --global docs` does not ask" in done.err
    assert "of every project (global)" in cli("remove", "docs", "--global", "--yes").out
    assert "of the project shop" in cli("remove", "docs", "--project", "shop", "--yes").out
    (mine,) = cli("books", "--all", "--json").json
    for whose in (("--global",), ("--project", "shop")):
        for word in ("docs", mine["id"]):
            done = cli("remove", word, *whose, "--yes")
            assert (done.status, f"`aftermind books {' '.join(whose)}` lists them" in done.err) == (3, True)
    assert "Removed" in cli("remove", mine["id"], "--yes").out


def test_an_id_means_its_book_and_nothing_else_of_its_file(cli: Cli, docs: Path) -> None:
    cli("ingest", "docs")
    cli("ingest", "docs", "--global")
    (everywhere,) = cli("books", "--global", "--json").json
    done = cli("remove", everywhere["id"], "--yes")
    assert "of every project (global)" in done.out
    assert "stays" not in done.out
    assert len(cli("books", "--all", "--json").json) == 1


def test_it_is_told_what_brings_each_kind_of_book_back(cli: Cli, place: Path) -> None:
    (place / "shop").mkdir()
    (place / "shop" / "README.md").write_text("# Shop\n\nIt sells lamps.\n")
    (place / "shop" / "Makefile").write_text("db: ## Start the database\n\ttrue\n")
    shop = str(place / "shop")
    of_it = ("--project", shop)
    cli("onboard", shop)
    every = len(cli("books", *of_it, "--json").json)
    done = cli("remove", f"{shop}/Makefile", *of_it, "--yes").out
    alone = "words; `aftermind onboard` brings back a project's layout, history, manifests and pipelines."
    assert alone in done
    assert "aftermind ingest" not in done
    cli("onboard", shop)
    assert len(cli("books", *of_it, "--json").json) == every
    done = cli("remove", shop, *of_it, "--yes").out.splitlines()[-1]
    assert "`aftermind ingest --project shop` brings a book back, and `aftermind onboard` a project's layout" in done
