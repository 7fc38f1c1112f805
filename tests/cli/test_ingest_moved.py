"""Books whose files were moved with their repository: they are told, so that nobody reads two editions of one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import Cli


@pytest.fixture
def repository(place: Path, docs: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project with a commit, by which it is known wherever it lies."""
    work = docs.parent
    git = ["git", "-C", str(work), "-c", "user.name=n", "-c", "user.email=e"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    monkeypatch.chdir(work)
    return work


def test_a_book_is_told_whose_file_lies_elsewhere_now(
    cli: Cli, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "docs" / "fees.md").write_text("# Fees\n\nA berth costs nine crowns.\n")
    cli("ingest", ".")
    before = {one["path"].rpartition("/")[2]: one["id"] for one in cli("books", "--json").json}
    moved = repository.rename(repository.with_name("moved"))
    monkeypatch.chdir(moved)
    assert len(cli("books", "--json").json) == 2  # it is the same project
    told = cli("ingest", "docs/runbook.md")
    assert f"1 book has lost its file; `aftermind remove {before['runbook.md']}` takes it out of recall." in told.out
    told = cli("ingest", ".", "--json").json
    assert {one["id"] for one in told["lost"]} == set(before.values())
    cli("remove", *before.values(), "--yes")
    assert "lost" not in cli("ingest", ".").out


def test_a_book_from_elsewhere_that_has_its_file_is_not_told(cli: Cli, repository: Path) -> None:
    (repository / "other").mkdir()
    (repository / "other" / "runbook.md").write_text("# Another\n\nThe crane is inspected in May.\n")
    cli("ingest", "other")
    assert "lost" not in cli("ingest", "docs").out
