"""What is odd in a store is in nobody's way who forgets: it is passed over, or told and tried again."""

from __future__ import annotations

import base64
import sqlite3

import pytest

import aftermind
from aftermind.cli.erasing import erasing
from aftermind.cli.language.erasing import Erasing, ForgetAll, Selection
from aftermind.engine.backups.making import backed_up
from aftermind.engine.erasing.aside import asides
from aftermind.engine.sqlite import foreign
from aftermind.engine.store import spool
from aftermind.engine.store.folder import LOG
from tests.erased import holding

pytestmark = pytest.mark.anyio
WORD = "quokkaparade"


async def forgotten(memory, id: str):
    begun = await memory.ask(ForgetAll(selection=Selection(ids=(id,))))
    return await memory.ask(Erasing(run=begun.run, seconds=60.0))


async def test_a_request_that_nests_too_deep_is_looked_through_like_any_text(folder, stamp):
    aside = folder / "spool" / "broken"
    aside.mkdir(parents=True)
    for number, depth in enumerate((10, 400, 980, 990, 1_000, 5_000)):
        said = "hello" if depth != 5_000 else WORD
        body = f'{{"session_id":"s","tool_input":{"[" * depth}"{said}"{"]" * depth}}}'
        payload = base64.b64encode(body.encode()).decode()
        request = f'{{"key":"x","request":{{"ask":"deliver","payload":"{payload}"}}}}'
        (aside / f"{number:032d}.json").write_text(request)
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        kept = await memory.remember(f"The {WORD} begins at noon")
        assert (await forgotten(memory, kept)).step == "done"
    assert holding(folder, WORD) == {}


@pytest.mark.parametrize("is_link", [True, False])
async def test_a_copy_in_a_backup_that_is_none_of_its_files_is_told_and_stays(folder, stamp, is_link):
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        kept = await memory.remember(f"The {WORD} begins at noon")
    spool.write(folder, "0" * 32, b'{"x":"y"}')
    made = await backed_up(folder, None, stamp)
    ((copy, _),) = made.backup.spool
    (folder / "spool" / f"{'0' * 32}.json").unlink()
    other = copy.with_name("moved")
    copy.rename(other)
    copy.symlink_to(other) if is_link else copy.mkdir()
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        done = await forgotten(memory, kept)
        assert done.step == "done"
        (backups,) = [one for one in done.backups if one.why]
        assert str(copy) in backups.why
    assert holding(folder, WORD) == {}
    assert copy.is_symlink() or copy.is_dir()


async def test_a_set_aside_log_with_a_time_that_is_none_is_read(folder, stamp):
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        kept = await memory.remember(f"The {WORD} begins at noon")
        aside = folder / "set-aside-20260101T000000Z"
        aside.mkdir()
        with foreign(folder / LOG) as log:
            log.execute("VACUUM INTO ?", (str(aside / LOG),))
        damaged = sqlite3.connect(aside / LOG, isolation_level=None)
        for (trigger,) in damaged.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            damaged.execute(f"DROP TRIGGER {trigger}")
        damaged.execute("UPDATE event SET at = ?", (1 << 62,))
        damaged.close()
        assert asides(folder) == [aside]
        assert (await forgotten(memory, kept)).step == "done"
    assert holding(folder, WORD) == {}


async def test_what_nobody_foresaw_is_told_and_tried_again(folder, stamp, monkeypatch):
    monkeypatch.setattr(erasing, "AGAIN", 0.05)
    async with aftermind.open_memory(folder, stamp=stamp, model="none") as memory:
        kept = await memory.remember(f"The {WORD} begins at noon")
        whole, times = erasing.Erasing._erase, iter(range(3))

        async def fails_at_first(self: erasing.Erasing) -> None:
            if next(times, None) is not None:
                raise KeyError(WORD)
            await whole(self)

        monkeypatch.setattr(erasing.Erasing, "_erase", fails_at_first)
        begun = await memory.ask(ForgetAll(selection=Selection(ids=(kept,))))
        told = await memory.ask(Erasing(run=begun.run, seconds=0.01))
        assert WORD not in told.why
        assert (await memory.ask(Erasing(run=begun.run, seconds=60.0))).step == "done"
    assert holding(folder, WORD) == {}
