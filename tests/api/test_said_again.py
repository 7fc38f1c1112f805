"""What was forgotten does not come back by being said again under its own key: by a spool a backup brought back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import aftermind
from aftermind.cli.carrying.incoming import INCOMING
from aftermind.cli.keeping.restoring import restored
from aftermind.cli.language.requests import Record, Remember
from aftermind.cli.verifying.views import checked
from aftermind.engine.backups.making import backed_up
from aftermind.engine.logs.sqlite_log import sqlite_log_reader
from aftermind.engine.stamp import Stamp
from tests.api.test_carrying import bring, export
from tests.spooling import drained, put

pytestmark = pytest.mark.anyio
SAYING = {
    "a fact": Remember(text="the wombatx lives in burrows"),
    "an exchange": Record(prompt="where does the wombatx live?", answer="in burrows", session="s"),
    "an exchange with an id": Record(prompt="where does the wombatx live?", answer="", session="s", id="1"),
}


def holding(folder: Path, text: bytes) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file() and text in path.read_bytes()]


@pytest.mark.parametrize("asked", SAYING.values(), ids=SAYING)
async def test_a_backup_from_before_that_was_away_brings_nothing_back_by_its_spool(tmp_path: Path, asked: Remember):
    store, disk, away = tmp_path / "store", tmp_path / "disk", tmp_path / "away"
    async with aftermind.open_memory(store) as memory:
        await memory.remember("zebrafish sleep at night")
    put(store, asked)
    made = await backed_up(store, disk, Stamp())
    async with aftermind.open_memory(store) as memory:
        await drained(store)
        (found,) = await memory.recall("wombatx")
        shutil.move(disk, away)
        await memory.forget(found.id)
    assert holding(store, b"wombatx") == []
    shutil.move(away, disk)
    assert (await restored(store, made.backup, Stamp())).spooled == 1
    async with aftermind.open_memory(store) as memory:
        await drained(store)
        assert await memory.recall("wombatx") == ()
        await memory.stats()
    assert holding(store, b"wombatx") == []
    async with sqlite_log_reader(store / "log.db") as log:
        assert (await checked(store, log, lambda *_: None)).differs is None


async def test_an_import_under_other_ids_brings_nothing_back(tmp_path: Path):
    async with aftermind.open_memory(tmp_path / "there") as memory:
        await memory.remember("the wombatx lives in burrows")
    file = await export(tmp_path / "there", tmp_path / "events.jsonl")
    store = tmp_path / "store"
    async with aftermind.open_memory(store) as memory:
        await memory.remember("zebrafish sleep at night")
    await bring(store, file, project="webshop")
    async with aftermind.open_memory(store) as memory:
        (found,) = await memory.recall("wombatx", project="webshop")
        await memory.forget(found.id)
    for project in ("webshop", "billing", None):
        await bring(store, file, project=project)
        assert holding(store, b"wombatx") == [], project


async def test_what_an_interrupted_import_has_left_holds_nothing_that_is_forgotten(tmp_path: Path):
    async with aftermind.open_memory(tmp_path / "there") as memory:
        await memory.remember("the wombatx lives in burrows")
    store = tmp_path / "store"
    async with aftermind.open_memory(store) as memory:
        found = await memory.remember("the wombatx lives in burrows")
        shutil.copy(tmp_path / "there" / "log.db", store / INCOMING)
        await memory.forget(found)
        assert holding(store, b"wombatx") == []
