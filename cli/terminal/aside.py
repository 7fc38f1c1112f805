"""Work that may never come back, done beside the loop.

While the loop itself waits in a call, Ctrl-C would not be felt. anyio's threads will not do, the interpreter waits for
them at its end; a daemon ends with the process.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import TypeVar

import anyio.lowlevel

T = TypeVar("T")
_PATIENCE = 0.05
"""Seconds until Ctrl-C is felt."""


async def aside(work: Callable[[], T]) -> T:
    """What the work returns or raises; it goes on where nobody waits for it any more."""
    answer: Future[T] = Future()

    def do() -> None:
        try:
            answer.set_result(work())
        except BaseException as error:
            answer.set_exception(error)

    Thread(target=do, daemon=True).start()
    while not answer.done():
        wait([answer], _PATIENCE)
        await anyio.lowlevel.checkpoint()
    return answer.result()
