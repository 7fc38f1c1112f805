"""A store that cannot be written, as on a disk that is mounted to be read: what changes nothing reads it."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import copytree, ignore_patterns

import anyio
import pytest

import aftermind

IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
READERS = [
    ("log",),
    ("export",),
    ("verify",),
    ("verify", "--quick"),
    ("rebuild", "--check"),
    ("diff", "0", "2"),
    ("replay", "search", "port"),
    ("repair", "--dry-run"),
]


@pytest.fixture
def store(place: Path) -> Path:
    """A store with two memories, which nobody has open."""
    _filled(place / "store", copied=None)
    return place / "store"


@pytest.fixture
def cut_off(place: Path) -> Path:
    """The same, of a writer that was killed: the second memory is in the WAL alone."""
    _filled(place / "before", copied=place / "store")
    assert (place / "store" / "log.db-wal").stat().st_size
    return place / "store"


def _filled(folder: Path, *, copied: Path | None) -> None:
    async def fill() -> None:
        async with aftermind.open_memory(folder) as memory:
            await memory.remember("Staging listens on port 8081")
            await memory.remember("Production listens on port 9090")
            if copied is not None:
                copytree(folder, copied, ignore=ignore_patterns("run"))

    anyio.run(fill)


@pytest.fixture
def read_only(place: Path, monkeypatch: pytest.MonkeyPatch):
    """Makes the store so. Root may write anyway: it is told otherwise, and nothing may come to be there."""

    def make(folder: Path) -> None:
        folder.chmod(0o500)
        if IS_ROOT:
            asked = os.access
            monkeypatch.setattr(
                os, "access", lambda path, mode, **more: not mode & os.W_OK and asked(path, mode, **more)
            )

    yield make
    (place / "store").chmod(0o700)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_what_changes_nothing_reads_a_store_that_cannot_be_written(cli, store, read_only, words):
    told = cli(*words).out
    before = files(store)
    read_only(store)
    ran = cli(*words)
    assert ran.status == 0, ran.err
    if words[0] not in ("export", "replay"):  # which say when they were made
        assert ran.out == told
    assert files(store) == before


@pytest.mark.parametrize("words", [("log",), ("export",), ("verify", "--quick")], ids=" ".join)
def test_nothing_is_laid_beside_what_is_read_not_even_for_a_moment(cli, store, read_only, words):
    read_only(store)
    before = store.stat().st_mtime_ns
    assert cli(*words).status == 0
    assert store.stat().st_mtime_ns == before


def test_what_is_in_a_wal_alone_is_read_too_where_its_index_is_there(cli, cut_off, read_only):
    read_only(cut_off)
    assert "Production listens on port 9090" in cli("log").out
    assert cli("verify").status == 0


@pytest.mark.skipif(IS_ROOT, reason="root may write anyway")
def test_without_an_index_of_its_wal_a_store_is_refused_in_our_words(cli, cut_off, read_only):
    for index in cut_off.glob("*-shm"):
        index.unlink()
    read_only(cut_off)
    for words in (("log",), ("verify",), ("export",), ("diff", "0", "2")):
        refused = cli(*words)
        assert (refused.status, refused.out) == (5, "")
        assert "cannot be used as a store: it is read-only" in refused.err
        assert "AFTERMIND_HOME=FOLDER names another place" in refused.err


def test_who_would_write_is_told_that_it_cannot_be(cli, store, read_only):
    read_only(store)
    for words in (("search", "port"), ("remember", "x"), ("stats",)):
        refused = cli(*words)
        assert (refused.status, "it is read-only" in refused.err) == (5, True)


def test_a_file_is_no_folder_for_pages(cli, store, place):
    (place / "work" / "notes").write_text("mine")
    for name in ("notes", "notes/below"):
        refused = cli("export", "--markdown", name)
        assert (refused.status, "is not a folder" in refused.err, "name another" in refused.err) == (4, True, True)
    assert (place / "work" / "notes").read_text() == "mine"
