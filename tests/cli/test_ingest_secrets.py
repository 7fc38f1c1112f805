"""What a document says of a secret is masked whole, in every format, before the document is cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.documents import pdf
from tests.erased import holding
from tests.private_keys import body_of, pem

KEY, OTHER = pem("OPENSSH PRIVATE KEY", 1_800), pem(size=2_400, seed=2)
FIELDS = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF00FF00FF00FF\n\n"
TOKEN = "eyJ" + "aB3d" * 12 + ".eyJ" + "eF6h" * 900 + "." + "iJ9k" * 12


def indented(text: str, by: str) -> str:
    return by + text.replace("\n", f"\n{by}")


TEXTS = {
    "key.txt": OTHER,
    "quoted.txt": f"the beginning\n{indented(KEY, '> ')}\nthe walrus sleeps",
    "fence.md": f"# Deploying\n\nUse this:\n\n```\n{KEY}\n```\n\nthe walrus sleeps",
    "indented.md": f"# Deploying\n\n1. Use this:\n\n{indented(OTHER, '       ')}\n\nthe walrus sleeps",
    "encrypted.md": f"# Deploying\n\n{pem('RSA PRIVATE KEY', 1_700, FIELDS, 3)}\n\nthe walrus sleeps",
    "page.html": f"<body><pre>\n{KEY}\n</pre>"
    + "".join(f"<p>{line}</p>" for line in OTHER.split("\n"))
    + "the walrus sleeps",
    "doc.rst": f"Title\n=====\n\nUse::\n\n{indented(OTHER, '    ')}\n\nthe walrus sleeps",
    "token.md": f"# Deploying {TOKEN}\n\nUse {TOKEN} there.\n\nthe walrus sleeps",
}


@pytest.fixture
def docs(place: Path) -> Path:
    folder = place / "work" / "docs"
    folder.mkdir()
    return folder


def leaked(place: Path) -> dict[str, list[str]]:
    parts = [TOKEN[start : start + 40] for start in range(0, len(TOKEN) - 40, 40)]
    keys = [KEY, OTHER, TEXTS["encrypted.md"].replace("# Deploying", "")]
    return holding(place / "store", *(line.encode() for key in keys for line in body_of(key)), *parts)


@pytest.mark.parametrize("name", TEXTS)
def test_no_piece_of_it_is_kept_and_what_follows_is(cli: Cli, place: Path, docs: Path, name: str):
    (docs / name).write_text(TEXTS[name])
    assert cli("ingest", str(docs)).status == 0
    assert leaked(place) == {}
    if name != "key.txt":
        (hit,) = cli("search", "walrus", "--json").json
        assert "[masked" in hit["text"]


def test_a_key_that_goes_over_pages_and_paragraphs_leaves_their_numbers(cli: Cli, place: Path, docs: Path):
    from docx import Document

    lines = OTHER.split("\n")
    pages = ["Use this.\n" + "\n".join(lines[:20]), "\n".join(lines[20:]) + "\n\nThe walrus sleeps here."]
    (docs / "book.pdf").write_bytes(pdf(*pages))
    made = Document()
    for line in ("Use this.", *KEY.split("\n"), "The bassoon plays there."):
        made.add_paragraph(line)
    made.save(docs / "book.docx")
    assert cli("ingest", str(docs)).status == 0
    assert leaked(place) == {}
    (hit,) = cli("search", "walrus", "--json").json
    assert "[masked private-key" in hit["text"]
    assert (hit["memory"]["page"], hit["memory"]["last_page"]) == (1, 2)
    assert cli("search", "bassoon", "--json").json
