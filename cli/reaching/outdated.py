"""Makes room where a daemon of the same version does not understand a program: it goes if it began before the
program's code came to lie where it is. So of two installations the last one wins, once; whoever is started then keeps
its place."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from anyio import to_thread

import aftermind
from aftermind.cli.language.wire import ADDRESS, RUN, SOCKET, Unreachable, Welcome, is_older
from aftermind.engine.store.lock import holder


async def made_room(folder: Path, welcome: Welcome) -> bool:
    """Whether somebody else answers from now on, who may understand."""
    if welcome.holder != "daemon" or is_older(aftermind.__version__, welcome.aftermind):
        return False
    began = _began(folder)
    if began is None or holder(folder).pid != welcome.pid:  # it goes, or went, already
        return True
    if began >= await to_thread.run_sync(_installed):
        return False
    from aftermind.cli.reaching.stopping import stopped  # it asks as this module's callers do

    with suppress(Unreachable):  # it went before it could say so
        await stopped(folder)
    return True


def _began(folder: Path) -> float | None:
    """When somebody began to listen there; None where nobody does."""
    run = folder / RUN
    return next((facts.st_mtime for facts in _facts(run / SOCKET, run / ADDRESS)), None)


def _installed() -> float:
    """When the last of this program's own files came to its place."""
    ours = (module for name, module in list(sys.modules.items()) if name.partition(".")[0] == aftermind.__name__)
    files = (Path(file) for module in ours if (file := getattr(module, "__file__", None)))
    return max((facts.st_ctime for facts in _facts(*files)), default=0.0)


def _facts(*files: Path) -> Iterator[os.stat_result]:
    for file in files:
        with suppress(OSError):
            yield file.stat()
