"""`aftermind import PROGRAM`: of one text several memories are made, and none has what is private in it, or a key."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from tests import peer_stores
from tests.cli.test_import_peers import known, run, visible
from tests.erased import holding
from tests.private_keys import body_of, pem

TOKEN, KEY = "ghp_" + "a1B2" * 9, pem()
RULES = f"""# The notes of a team with a key {TOKEN}

<private>
- Always bill Argoncorp twice.

- Never tell Argoncorp about the invoice.
</private>

- Always run make check.

- Deploy with:

{KEY}

## Paths
- The API lives in `api/`
"""
SAID = f"<private>\nArgoncorp pays\ntwice a year\n</private>\n{KEY}\nthe walrus sleeps"


def test_a_file_of_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, project = tmp_path / "store", tmp_path / "webshop"
    project.mkdir()
    (project / "CLAUDE.md").write_text(RULES, encoding="utf-8")
    run(store, "rules", str(project), capsys=capsys)
    assert {"Always run make check.", "The API lives in `api/`"} <= visible(store, project)
    assert holding(store, "Argoncorp", "invoice", TOKEN[:14], *body_of(KEY)) == {}


@pytest.mark.parametrize("form", ["database", "markdown"])
def test_a_session_of_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    store, project = tmp_path / "store", tmp_path / "webshop"
    database = peer_stores.ocm(project)
    if form == "database":
        connection = sqlite3.connect(database)
        connection.execute("UPDATE session_chunks SET content = ? WHERE chunk_type = 'decision'", (SAID,))
        connection.commit()
        connection.close()
    else:
        database.unlink()
        text = peer_stores.OCM_MARKDOWN.replace("- **Store:** SQLite", SAID)
        (database.parent / "one.md").write_text(text, encoding="utf-8")
    run(store, "ocm", str(project), capsys=capsys)
    assert "the walrus sleeps" in visible(store, project)
    assert holding(store, "Argoncorp", "twice a year", *body_of(KEY)) == {}


def test_a_book_that_was_cut_elsewhere_and_a_list_of_tags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, data, lines = tmp_path / "store", tmp_path / "roampal", KEY.split("\n")
    first, last = "\n".join(lines[:9]), "\n".join(lines[9:])
    texts = ("Use <private>the Argoncorp", f"account</private> and\n{first}", f"{last}\nwalrus")
    entries = {
        f"books_9_chunk_{n}": {"text": text, "title": "Notes", "chunk_index": n, "source": "notes.md"}
        for n, text in enumerate(texts)
    }
    entries["memory_bank_1"] = {"text": "Lamps are sold", "tags": "lamps,<private>Argontag,Argonword</private>"}
    peer_stores.roampal(data, entries)
    run(store, "roampal", str(data), capsys=capsys)
    assert holding(store, "walrus")
    assert holding(store, "Argon", "account", *body_of(KEY)) == {}
    assert known(store)["Lamps are sold"].tags == ("roampal", "lamps", "[private]")
