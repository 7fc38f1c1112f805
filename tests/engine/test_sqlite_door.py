"""The door to SQLite: what becomes of a connection nobody waits for any more."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest

from aftermind.engine.sqlite import database


async def opened(path: Path) -> None:
    async with database(path, "view"):
        pass


async def by_a_scope(path: Path) -> bool:
    with anyio.CancelScope() as scope:
        scope.cancel()
        await opened(path)
    return scope.cancelled_caught


async def as_a_task(path: Path) -> bool:
    task = asyncio.ensure_future(opened(path))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    return task.cancelled()


@pytest.mark.parametrize("given_up", [by_a_scope, as_a_task])
def test_who_gives_up_while_a_file_is_opened_leaves_no_thread_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given_up: Callable[[Path], Awaitable[bool]]
) -> None:
    broke: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", broke.append)
    before = set(threading.enumerate())
    for n in range(40):
        assert anyio.run(given_up, tmp_path / f"{n}.db")
    assert not broke, broke[0].exc_value
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
        assert not thread.is_alive()
