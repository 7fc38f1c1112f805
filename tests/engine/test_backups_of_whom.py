"""Whose backups are left when only so many are kept: those of the same history, wherever its store lay then."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aftermind.engine.backups.backup import found, rows_of
from aftermind.engine.backups.making import backed_up
from aftermind.engine.backups.restoring import built, decided, finished
from aftermind.engine.stamp import Stamp
from tests.engine.test_backup import begun, store

__all__ = ["store"]
pytestmark = pytest.mark.anyio


def events(folder: Path) -> list[int]:
    return [backup.manifest.events for backup in found(folder)[0]]


async def test_a_store_that_was_moved_lets_go_of_its_old_ones(store: Path, stamp: Stamp) -> None:
    for _ in range(3):
        await begun(store, stamp, "one")
        await backed_up(store, None, stamp, keep=2)
    moved = store.rename(store.with_name("moved"))
    await begun(moved, stamp, "two")
    made = await backed_up(moved, None, stamp, keep=2)
    assert events(moved / "backups") == [3, 4]
    assert len(made.pruned) == 1


async def test_an_empty_one_is_its_folders(store: Path, stamp: Stamp) -> None:
    for word in ((), ("one",)):
        await begun(store, stamp, *word)
        await backed_up(store, None, stamp, keep=1)
    assert events(store / "backups") == [1]


async def test_two_stores_share_a_folder_and_leave_each_other_theirs(store: Path, stamp: Stamp, tmp_path: Path) -> None:
    disk, other = tmp_path / "disk", tmp_path / "other"
    await begun(other, stamp, "other")
    await backed_up(other, disk, stamp, keep=1)
    for _ in range(2):
        await begun(store, stamp, "one", "two")
        await backed_up(store, disk, stamp, keep=1)
    assert events(disk) == [1, 4]


async def test_what_went_another_way_since_it_was_copied_is_another_store(
    store: Path, stamp: Stamp, tmp_path: Path
) -> None:
    disk, copy = tmp_path / "disk", tmp_path / "copy"
    await begun(store, stamp, "one")
    shutil.copytree(store, copy)
    for place, many in ((store, 1), (copy, 2), (copy, 1)):
        await begun(place, stamp, *["more"] * many)
        await backed_up(place, disk, stamp, keep=1)
    assert events(disk) == [2, 4]


async def test_another_history_in_the_same_place_leaves_those_of_the_one_before(store: Path, stamp: Stamp) -> None:
    for word, many in (("one", 1), ("other", 2), ("other", 1)):
        if word == "other" and many == 2:
            (store / "log.db").unlink()
        await begun(store, stamp, *[word] * many)
        await backed_up(store, None, stamp, keep=1)
    assert events(store / "backups") == [1, 3]


async def test_what_a_restore_went_back_behind_goes_as_well(store: Path, stamp: Stamp) -> None:
    await begun(store, stamp, "one")
    first = await backed_up(store, None, stamp)
    await begun(store, stamp, "two")
    await backed_up(store, None, stamp)
    now = await built(store, rows_of(first.backup), frozenset())
    decided(store, now.tail, "a test", stamp.now(), frozenset())
    finished(store)
    await begun(store, stamp, "three", "four")
    await backed_up(store, None, stamp, keep=1)
    assert events(store / "backups") == [3]


async def test_the_backups_of_a_store_stay_whatever_its_copy_lets_go_of(
    store: Path, stamp: Stamp, tmp_path: Path
) -> None:
    disk, copy = tmp_path / "disk", tmp_path / "copy"
    for _ in range(3):
        await begun(store, stamp, "one")
        await backed_up(store, disk, stamp)
    shutil.copytree(store, copy)
    await begun(copy, stamp, "two")
    await backed_up(copy, disk, stamp, keep=1)
    assert events(disk) == [1, 2, 3, 4]
