"""What a document says in other letters than somebody types is found, and shown, in those that are typed."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.documents import outline, outlined, pdf

from aftermind.cli.reading import pdf as pdf_reader

PAGES = {
    "soft.html": "<title>Ships</title><p>The oﬃce keeps the ﬂotilla&#64257;le of the steam&shy;ship&shy;company.",
    "soft.md": "# Ships\n\nThe oﬃce keeps the ﬂotillaﬁle of the steam\u00adship\u00adcompany.\n",
    "soft.txt": "The oﬃce keeps the ﬂotillaﬁle of the steam\u00adship\u00adcompany.\n",
    "soft.rst": "Ships\n=====\n\nThe oﬃce keeps the ﬂotillaﬁle of the steam\u00adship\u00adcompany.\n",
}


@pytest.mark.parametrize("name", PAGES)
def test_a_word_is_found_though_it_has_ligatures_or_says_where_it_may_be_parted(
    cli: Cli, docs: Path, name: str
) -> None:
    (docs / name).write_text(PAGES[name])
    cli("ingest", str(docs / name))
    for word in ("office", "flotillafile", "steamshipcompany"):
        assert "The office keeps the flotillafile of the steamshipcompany." in cli("search", word).out


def test_marks_of_what_is_private_hold_however_they_are_parted(cli: Cli, docs: Path) -> None:
    (docs / "page.html").write_text("<p>Before. &lt;pri&shy;vate&gt;TOPSECRET&lt;/private&gt; After.")
    cli("ingest", str(docs / "page.html"))
    assert "Before. [private] After." in cli("search", "--json", "--collection", "books").json[0]["text"]


def test_a_pdf_is_read_in_letters_and_its_headings_are_found_by_them(cli: Cli) -> None:
    whole = pdf("E\x81cient mooring\nThe \x80le of the steam\xad\nship is in the of\xad\n\x80ce.")
    typeset = whole.replace(
        b"/BaseFont /Helvetica", b"/BaseFont /Helvetica /Encoding << /Differences [128 /fi /ffi 173 /uni00AD] >>"
    )
    found = list(pdf_reader.items(BytesIO(outlined(typeset, [("Eﬃcient mooring", 0)])), lambda _: None, lambda _: None))
    assert outline(found) == ["2 Efficient mooring", "prose: The file of the steamship is in the office."]


def test_a_word_that_a_pdf_parts_is_whole_and_a_compound_keeps_its_hyphens() -> None:
    text = "The harbour-\nmaster signs the mani-\nfest of a state-of-the-\nart winch. Non-\nGerman ships wait."
    found = list(pdf_reader.items(BytesIO(pdf(text)), lambda _: None, lambda _: None))
    whole = "The harbourmaster signs the manifest of a state-of-the-art winch. Non-\nGerman ships wait."
    assert outline(found) == [f"prose: {whole}"]


def test_a_table_of_contents_is_its_headings_and_their_pages() -> None:
    text = f"1 Introduction{' .' * 40} 1\n1.1 Naming{'.' * 60}2\nHe waited.... And went."
    found = list(pdf_reader.items(BytesIO(pdf(text)), lambda _: None, lambda _: None))
    assert outline(found) == ["prose: 1 Introduction … 1\n1.1 Naming … 2\nHe waited.... And went."]


@pytest.mark.parametrize("title", ["untitled", "\\(anonymous\\)", "Microsoft Word - fees.doc", "fees.tex"])
def test_a_title_that_a_program_made_up_is_none(cli: Cli, docs: Path, title: str) -> None:
    (docs / "fees.pdf").write_bytes(pdf("A berth costs nine crowns.", title=title))
    cli("ingest", str(docs / "fees.pdf"))
    assert [one["title"] for one in cli("books", "--json").json] == ["fees.pdf"]


def test_code_that_a_glob_asks_for_is_read_as_it_stands(cli: Cli, docs: Path) -> None:
    (docs / "table.py").write_text('LIGATURES = {"ﬁ": "fi"}\n')
    cli("ingest", str(docs), "--glob", "*.py")
    assert '"ﬁ": "fi"' in cli("search", "--json", "--collection", "books").json[0]["text"]


@pytest.mark.parametrize(
    ("said", "written", "text"),
    [
        ("iso-8859-1", "cp1252", "The “berth” costs 9 € – by night, too"),
        ("US-ASCII", "cp1252", "The “berth” costs 9 €"),
        ("iso-8859-9", "cp1254", "“Gemi” saat dokuzda kalkıyor – şimdi"),
        ("gb2312", "gb18030", "渡船七点离开，朱镕基"),
        ("Shift_JIS", "cp932", "渡し船は①番から出ます"),
        ("euc-kr", "cp949", "똠방각하 나루터"),
        ("koi8-r", "koi8-r", "Паром отходит в семь"),
    ],
)
def test_a_page_is_read_in_what_browsers_take_its_encoding_for(
    cli: Cli, docs: Path, said: str, written: str, text: str
) -> None:
    """Many pages name an older encoding than the one they are written in."""
    (docs / "page.html").write_bytes(f'<meta charset="{said}"><p>{text}'.encode(written))
    cli("ingest", str(docs / "page.html"))
    assert cli("search", "--json", "--collection", "books").json[0]["text"] == text
