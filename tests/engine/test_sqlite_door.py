"""The door to SQLite: what becomes of a connection nobody waits for any more."""

from __future__ import annotations

import threading
from pathlib import Path

import anyio
import pytest

from aftermind.engine.sqlite import database


async def given_up(path: Path) -> bool:
    """Whether who opens it was told that nobody waits."""
    with anyio.CancelScope() as scope:
        scope.cancel()
        async with database(path, "view"):
            pass
    return scope.cancelled_caught


def test_who_gives_up_while_a_file_is_opened_leaves_no_thread_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broke: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", broke.append)
    before = set(threading.enumerate())
    for n in range(200):
        assert anyio.run(given_up, tmp_path / f"{n}.db")
    assert not broke, broke[0].exc_value
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
        assert not thread.is_alive()
