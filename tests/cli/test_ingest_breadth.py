"""`aftermind ingest` of a disk, its folder of homes, or a home: refused, unless it is narrowed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import Cli


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> Path:
    folder = tmp_path / "people" / "ada"
    for name in ("letters/to-ben.md", "papers/tax.md", "music/list.md", "trips/plan.md", ".cache/page.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"# {name}\n\nThe ferry leaves at noon.\n")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("AFTERMIND_HOME", str(folder / ".local" / "store"))
    return folder


@pytest.mark.parametrize("named", ["~", "~/", "~/letters/..", ".", "link"])
def test_a_home_is_refused_however_it_is_named(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    (home / ".link").symlink_to(home)
    monkeypatch.chdir(home)
    told = cli("ingest", "papers", named.replace("link", ".link"))
    assert told.status == 2
    assert "is your home: all of it would be read (letters, music, papers and 1 more)" in told.err
    assert "--glob '*.md'" in told.err
    assert cli("books", "--all").status == 5  # nothing was begun: there is no store


def test_so_is_a_disk_and_its_folder_of_homes(cli: Cli, home: Path) -> None:
    told = cli("ingest", "/")
    assert (told.status, "/ is a disk: all of it would be read" in told.err) == (2, True)
    homes = Path(home.anchor, home.resolve().parts[1])
    told = cli("ingest", str(homes))
    assert (told.status, f"{homes} is the folder of a disk that holds your home" in told.err) == (2, True)


def test_another_folder_that_a_home_is_in_is_read(cli: Cli, home: Path) -> None:
    assert "4 new books," in cli("ingest", str(home.parent)).out


def test_a_glob_narrows_it_and_a_dry_run_counts(cli: Cli, home: Path) -> None:
    assert cli("ingest", "~", "--dry-run").out == "Found 4 documents, 4 chunks. Nothing was written.\n"
    assert "1 new book," in cli("ingest", "~", "--glob", "papers/*.md").out


def test_what_is_in_a_home_is_taken_as_it_is_named(cli: Cli, home: Path) -> None:
    assert "2 new books," in cli("ingest", "~/letters", "~/papers").out
    assert "1 new book," in cli("ingest", "~/music/list.md").out


def test_a_home_that_is_a_repository_is_taken_as_git_sees_it(cli: Cli, home: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(home)], check=True)
    (home / ".gitignore").write_text("/*\n!/trips/\n")
    assert "1 new book," in cli("ingest", "~").out


def test_a_project_with_a_store_of_its_own_is_taken(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFTERMIND_HOME", str(home / "trips" / "memory"))
    monkeypatch.chdir(home / "trips")
    assert "1 new book," in cli("ingest", ".").out
