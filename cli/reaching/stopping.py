"""A daemon is asked to end, and has ended when this returns: it answered what it accepted, and no process of it is
left."""

from __future__ import annotations

import os
from pathlib import Path

import anyio
from anyio import to_thread

from aftermind.cli.language.requests import Stop
from aftermind.cli.language.wire import Call, Failed, Silent, Unreachable, error_of
from aftermind.cli.reaching import hung
from aftermind.cli.reaching.joining import WELCOMED, connected
from aftermind.engine.errors import StoreHeld
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.lock import holder, is_held

ENDED = 90.0
"""Seconds a daemon has to end in; it gives its last answers 60."""
_POLL = 0.02


async def stopped(folder: Path) -> int | None:
    """The process that was ended; None when there was no daemon. One that hangs is ended by force. Raises `Refused`
    when a program holds the store, `StoreHeld` when nobody answers for it."""
    try:
        connection = await connected(folder, WELCOMED)
    except Silent as error:
        pid = error.pid
        if not await to_thread.run_sync(lambda: hung.replaced(folder, pid, at_once=True)):
            raise
    except Unreachable:
        return await _nobody_listens(folder)
    else:
        pid = connection.welcome.pid
        call = Call(key=Stamp().new_id(), wire=connection.welcome.wire, request=Stop())  # in words an older one knows
        try:
            reply = await connection.ask(call)
        finally:
            connection.close()
        if isinstance(reply, Failed):
            raise error_of(reply)
    if not await _ended(folder, pid):
        raise StoreHeld(folder, f"process {pid}, which was asked to end and is still at it")
    return pid


async def _nobody_listens(folder: Path) -> int | None:
    """None when the store is free. A holder that is coming or going is given a moment."""
    began = False
    with anyio.move_on_after(WELCOMED):
        while is_held(folder):
            try:
                (await connected(folder, WELCOMED)).close()
                break
            except (Silent, Unreachable):
                await anyio.sleep(_POLL)
        else:
            return None
        began = True
    if began:
        return await stopped(folder)
    raise StoreHeld(folder, str(holder(folder)))


async def _ended(folder: Path, pid: int) -> bool:
    with anyio.move_on_after(ENDED):
        while _runs(pid) or _holds(folder, pid):  # its last thread may outlive its first
            await anyio.sleep(_POLL)
        return True
    return False


def _holds(folder: Path, pid: int) -> bool:
    """Whether the lock is still that process's, and not free or another's who was quick."""
    return is_held(folder) and holder(folder).pid in (0, pid)


def _runs(pid: int) -> bool:
    """Whether the process is there; one that ended and waits for its parent to notice is not. The number may be of
    another container, and some other process's here."""
    try:
        os.kill(pid, 0)  # asks, and signals nothing
    except OSError:
        return False
    try:
        facts = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return not Path("/proc/self").exists()
    return facts.rpartition(")")[2].split()[0] != "Z" and b"aftermind" in words
