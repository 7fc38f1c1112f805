"""Documents as tests need them: made here, of bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from aftermind.cli.reading.document import Block, Heading, Item, Title

WORDS = ("zebra", "crossing", "staging", "rollback", "ledger", "harbour", "copper", "lantern", "meadow", "quarry")

RUNBOOK = """\
# Billing runbook

Who is on call knows the ledger.

## Deploying

Run `make release` and wait for the canary.

## Ports

Staging listens on port 8081.
"""


def sentence(number: int) -> str:
    """Ten words that no other number has in this order."""
    picked = [WORDS[(number * 7 + place * 3) % len(WORDS)] for place in range(8)]
    return f"Number {number} {' '.join(picked)}."


def prose(sentences: int, start: int = 0) -> str:
    return " ".join(sentence(start + n) for n in range(sentences))


def pdf(*pages: str, title: str = "") -> bytes:
    """A PDF with a page a text, a line a line."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    kids = []
    for text in pages:
        escaped = [line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") for line in text.split("\n")]
        drawn = "BT /F1 11 Tf 14 TL 50 800 Td " + " ".join(f"({line}) Tj T*" for line in escaped) + " ET"
        stream = drawn.encode("latin-1")
        number = len(objects) + 1
        kids.append(f"{number} 0 R")
        font = "<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] /Contents {number + 1} 0 R /Resources {font} >>"
        objects += [page.encode(), b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)]
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    objects.append(f"<< /Title ({title}) >>".encode())
    body, places = bytearray(b"%PDF-1.4\n"), []
    for number, one in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    xref = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    body += b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = (
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\nstartxref\n{xref}\n%%EOF\n"
    )
    return bytes(body) + trailer.encode()


def outlined(whole: bytes, outline: Sequence[tuple[str, int]]) -> bytes:
    """With an outline: titles, and the pages they are on, counted from 0."""
    from pypdf import PdfWriter

    writer = PdfWriter(clone_from=BytesIO(whole))
    for title, page in outline:
        writer.add_outline_item(title=title, page_number=page)
    return _written(writer)


def encrypted(whole: bytes, password: str, owner: str | None = None, algorithm: str = "AES-256") -> bytes:
    from pypdf import PdfWriter

    writer = PdfWriter(clone_from=BytesIO(whole))
    writer.encrypt(password, owner, algorithm=algorithm)
    return _written(writer)


def _written(writer: object) -> bytes:
    made = BytesIO()
    writer.write(made)  # type: ignore[attr-defined]
    return made.getvalue()


def docx(path: Path) -> Path:
    """Title, headings, paragraphs, a list, a table, and what a review put in and took out."""
    from docx import Document
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    made = Document()
    made.add_heading("Billing handbook", level=0)
    made.add_paragraph("Who reads this knows the ledger.")
    made.add_heading("Deploying", level=1)
    made.add_paragraph("Run make release.")
    made.add_heading("Rollback", level=2)
    made.add_paragraph("Run make rollback.", style="List Bullet")
    reviewed = made.add_paragraph("Page the ")
    reviewed._p.append(parse_xml(f"<w:ins {nsdecls('w')}><w:r><w:t>duty officer</w:t></w:r></w:ins>"))
    reviewed._p.append(parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText>intern</w:delText></w:r></w:del>"))
    table = made.add_table(rows=2, cols=2)
    for row, cells in enumerate((("port", "host"), ("8081", "staging"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    made.add_heading("Ports", level=1)
    made.add_paragraph("See the table above.")
    made.save(str(path))
    return path


def outline(found: list[Item]) -> list[str]:
    """The items as a person would note them: `# title`, `2 heading`, `item text`."""

    def noted(item: Item) -> Iterator[str]:
        match item:
            case Title():
                yield f"# {item.text}"
            case Heading():
                yield f"{item.level} {item.text}"
            case Block():
                yield f"{item.shape}: {item.text}"

    return [line for item in found for line in noted(item)]
