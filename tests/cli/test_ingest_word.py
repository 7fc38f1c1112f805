"""A Word document is what it says, whatever else it holds; one that is broken is told."""

from __future__ import annotations

import random
from errno import EIO
from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipExtFile, ZipFile

import pytest
from tests.documents import docx, outline

from aftermind.cli.reading import word
from aftermind.cli.reading.document import Block, Heading, Item, Unreadable


def test_a_word_document_is_its_styles_lists_and_tables_as_reviewed(tmp_path):
    with docx(tmp_path / "x.docx").open("rb") as file:
        assert outline(worded(file)) == [
            "# Billing handbook",
            "prose: Who reads this knows the ledger.",
            "1 Deploying",
            "prose: Run make release.",
            "2 Rollback",
            "item: - Run make rollback.",
            "prose: Page the duty officer",
            "rows: port | host\n8081 | staging",
            "1 Ports",
            "prose: See the table above.",
        ]


def worded(file) -> list[Item]:
    return list(word.items(file, lambda _: None))


def packed(**parts: str) -> BytesIO:
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as parcel:
        for name, text in parts.items():
            parcel.writestr(name.replace("__", "/").replace("_xml", ".xml"), text)
    made.seek(0)
    return made


def test_what_was_moved_stands_where_it_is_now_and_notes_at_the_end():
    def paragraph(text: str, inside: str = "w:ins") -> str:
        return f"<w:p><{inside}><w:r><w:t>{text}</w:t></w:r></{inside}></w:p>"

    moved = paragraph("Port is 8080.", "w:moveFrom") + paragraph("mid") + paragraph("Port is 8080.", "w:moveTo")
    note = f'<w:footnotes {W}><w:footnote w:id="1">{paragraph("See the ledger.")}</w:footnote></w:footnotes>'
    file = packed(word__document_xml=f"<w:document {W}><w:body>{moved}</w:body></w:document>", word__footnotes_xml=note)
    assert outline(worded(file)) == ["prose: mid", "prose: Port is 8080.", "prose: See the ledger."]


@pytest.mark.parametrize(
    "space", ["schemas.openxmlformats.org/officeDocument/2006/math", "purl.oclc.org/ooxml/officeDocument/math"]
)
def test_a_formula_is_its_letters_and_one_that_was_deleted_is_none(space):
    def formula(text: str) -> str:
        return f'<m:oMath xmlns:m="http://{space}"><m:r><m:t>{text}</m:t></m:r></m:oMath>'

    said = f"<w:r><w:t>It follows that </w:t></w:r>{formula('E=mc')}{formula('²')}<w:del>{formula('E=mv')}</w:del>"
    file = packed(word__document_xml=f"<w:document {W}><w:body><w:p>{said}</w:p></w:body></w:document>")
    assert outline(worded(file)) == ["prose: It follows that E=mc²"]


def test_what_a_document_hides_is_not_read():
    def run(text: str, format: str = "") -> str:
        return f"<w:r><w:rPr>{format}</w:rPr><w:t>{text}</w:t></w:r>"

    mark = "<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>"  # the end of the paragraph alone
    hidden = run("no", "<w:vanish/>") + run("no", '<w:b/><w:vanish w:val="1"/>')
    shown = run("b", '<w:vanish w:val="0"/>')
    said = f"<w:p>{mark}{run('a ')}{hidden}{shown}</w:p>"
    file = packed(word__document_xml=f"<w:document {W}><w:body>{said}</w:body></w:document>")
    assert outline(worded(file)) == ["prose: a b"]


@pytest.mark.parametrize("notes", ["", "<w:footnotes", "no XML"])
def test_notes_that_are_broken_are_remarked_on_and_cost_nothing_else(notes):
    file, told = packed(word__document_xml=PARAGRAPHS, word__footnotes_xml=notes), []
    assert len(list(word.items(file, lambda _: None, told.append))) == 20
    assert [one.partition(" (")[0] for one in told] == ["its footnotes cannot be read"]


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
PARAGRAPHS = f"""<?xml version="1.0" encoding="UTF-8"?><w:document {W}><w:body>{
    '<w:p><w:pPr><w:pStyle w:val="a"/><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>zebra ü</w:t></w:r></w:p>' * 20
}</w:body></w:document>"""
STYLES = f"""<w:styles {W}>
    <w:style w:styleId="a"><w:name w:val="heading 1"/><w:outlineLvl w:val="2"/></w:style>
</w:styles>"""
BOMB = '<!DOCTYPE w [<!ENTITY a "aaaa">]>' + f"<w:document {W}><w:body/></w:document>"


def with_a_password(parcel: bytes) -> bytes:
    """A zip whose directory says so of its first part."""
    at = parcel.index(b"PK\1\2") + 8
    return parcel[:at] + bytes([parcel[at] | 1]) + parcel[at + 1 :]


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (BytesIO(b"\xd0\xcf\x11\xe0" + b"x" * 100), "password"),
        (BytesIO(b"no zip"), "not a Word document"),
        (BytesIO(b""), "not a Word document"),
        (packed(other="x"), "whatever its name"),
        (packed(word__document_xml="<a><b>"), "broken"),
        (packed(word__document_xml=BOMB), "entities"),
        (packed(word__document_xml=PARAGRAPHS.replace("UTF-8", "utf-7")), "written in 'utf-7'"),
        (packed(word__document_xml=PARAGRAPHS.replace("UTF-8", "foo")), "written in 'foo'"),
        (BytesIO(with_a_password(packed(word__document_xml=PARAGRAPHS).getvalue())), "password"),
        (BytesIO(packed(word__document_xml=f"<w:document {W}/>" * 200).getvalue()[:-30]), "not a Word document"),
    ],
)
def test_what_is_no_word_document_is_told(file, why):
    with pytest.raises(Unreadable, match=why):
        worded(file)


@pytest.mark.parametrize("seed", range(300))
def test_a_damaged_word_document_is_read_or_told(seed, tmp_path):
    damaged = bytearray(packed(word__document_xml=PARAGRAPHS, word__styles_xml=STYLES).getvalue())
    chance = random.Random(seed)
    for _ in range(chance.choice((1, 2, 5))):
        at = chance.randrange(len(damaged))
        if chance.random() < 0.3:
            del damaged[at : at + chance.randrange(20)]
        else:
            damaged[at] = chance.randrange(256)
    (tmp_path / "x.docx").write_bytes(damaged)  # a file, which refuses other places than bytes in memory do
    try:
        with (tmp_path / "x.docx").open("rb") as file:
            found = worded(file)
    except Unreadable:
        return
    assert all(isinstance(item, Heading | Block) for item in found)


def test_a_number_of_any_length_is_no_level():
    styles = STYLES.replace("heading 1", f"heading {'9' * 5000}").replace('val="2"', f'val="{"9" * 5000}"')
    text = PARAGRAPHS.replace('val="1"', f'val="{"9" * 5000}"')
    assert {type(item) for item in worded(packed(word__document_xml=text, word__styles_xml=styles))} == {Block}


def test_a_fault_of_who_listens_is_not_told_as_a_broken_document(monkeypatch):
    monkeypatch.setattr(word._Text, "says", lambda *_: int("x"))
    with pytest.raises(ValueError, match="invalid literal"):
        worded(packed(word__document_xml=PARAGRAPHS))


@pytest.mark.parametrize(("limit", "bytes"), [("LARGEST_TEXT", 1000), ("HARMLESS", 1000)])
def test_a_small_zip_that_unpacks_to_too_much_is_told_before_a_word_of_it_is_read(monkeypatch, limit, bytes):
    monkeypatch.setattr(word, limit, bytes)
    bomb = packed(word__document_xml=f"<w:document {W}><w:p><w:t>{'word ' * 5000}</w:t></w:p></w:document>")
    with pytest.raises(Unreadable, match="packed"):
        next(word.items(bomb, lambda _: None))


def test_a_word_document_is_held_a_block_at_a_time(monkeypatch):
    monkeypatch.setattr(word, "LARGEST", 100)
    paragraph = "<w:p>" + "<w:r><w:t>zebra crossing </w:t></w:r>\n" * 30 + "</w:p>"
    row = "<w:tr><w:tc><w:p><w:r><w:t>copper lantern</w:t></w:r></w:p></w:tc></w:tr>"
    whole = f"<w:document {W}>{paragraph}<w:tbl>{row * 30}</w:tbl></w:document>"
    found = [item for item in worded(packed(word__document_xml=whole)) if isinstance(item, Block)]
    assert max(len(block.text) for block in found) < 150
    assert " ".join(block.text for block in found if block.shape == "prose").split() == ["zebra", "crossing"] * 30
    assert [line for block in found if block.shape == "rows" for line in block.text.split("\n")] == [
        "copper lantern"
    ] * 30


@pytest.mark.parametrize("way", [ZIP_BZIP2, ZIP_LZMA])
def test_a_word_document_that_is_packed_otherwise_is_told(way):
    made = BytesIO()
    with ZipFile(made, "w", way) as parcel:
        parcel.writestr("word/document.xml", PARAGRAPHS)
    with pytest.raises(Unreadable, match="packed in a way"):
        worded(made)


def test_what_the_disk_says_is_not_the_documents(monkeypatch):
    def fails(*_: object) -> bytes:
        raise OSError(EIO, "Input/output error")

    file = packed(word__document_xml=PARAGRAPHS)
    monkeypatch.setattr(ZipExtFile, "read", fails)
    with pytest.raises(OSError, match="Input/output"):
        worded(file)
