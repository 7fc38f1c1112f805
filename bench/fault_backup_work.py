"""What the campaign on backups does to a store, in a process that may be killed or meet a full disk at any instant; and
how the files of a store are damaged."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

from aftermind.cli.keeping.repairing import repaired
from aftermind.cli.keeping.restoring import restored
from aftermind.engine.backups.backup import found
from aftermind.engine.backups.erasing import erased_everywhere
from aftermind.engine.backups.making import backed_up
from aftermind.engine.erasing import erased
from aftermind.engine.erasing.emptying import emptied
from aftermind.engine.events import MemoryRecorded
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.names import GLOBAL, EventId, MemoryId, memory_stream
from aftermind.engine.sqlite import database
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.generations import views
from aftermind.projections.catalog import ALL

EVENTS = 120
"""In the store when its first backup is made; as many before the second, a third of that after it."""


async def begun(store: Path, seed: int) -> None:
    """A store with two backups in it, an event that was erased, a spooled file, and views."""
    chance = Random(seed)
    store.mkdir(mode=0o700)
    ids = await said(store, chance, EVENTS)
    await backed_up(store, None, Stamp())
    await said(store, chance, EVENTS)
    erased.note(store, ids[7:8])
    async with database(store / LOG, "truth") as log:
        await log.transaction(lambda c: emptied(c, ids[7:8]))
    await erased_everywhere(store, ids[7:8])
    erased.finish(store)
    await backed_up(store, None, Stamp())
    await seen(store)


async def seen(store: Path) -> None:
    """The views know everything."""
    async with sqlite_log(store / LOG, Stamp()) as log, views(store, log, ALL) as known:
        await known.reached(None)


async def said(store: Path, chance: Random, count: int) -> list[EventId]:
    """So many memories more, most of a line, some of many pages."""
    stamp, appends = Stamp(), list[Append]()
    for _ in range(count):
        memory = MemoryId(f"m{stamp.new_id()}")
        text = " ".join(f"w{chance.randrange(50_000)}" for _ in range(chance.choice((5, 20, 60, 2_000))))
        event = MemoryRecorded(memory=memory, kind="fact", collection="books", scope=GLOBAL, text=text)
        appends.append(Append(stream=memory_stream(memory), drafts=(stamp.draft(event),)))
    async with sqlite_log(store / LOG, stamp) as log:
        await log.append(*appends)
    return [append.drafts[0].id for append in appends]


# --- what is interrupted --------------------------------------------------------------------------------------


async def backs_up(store: Path) -> None:
    await backed_up(store, None, Stamp(), largest=1)


async def backs_up_whole(store: Path) -> None:
    await backed_up(store, None, Stamp(), full=True, keep=1)


async def restores(store: Path) -> None:
    await restored(store, found(store / "backups")[0][0], Stamp())


async def repairs(store: Path) -> None:
    await repaired(store, None, Stamp())


async def forgets(store: Path) -> None:
    """One event goes from the backups: its id stands in a file beside the store."""
    ids = [EventId(id) for id in store.with_name("forgotten").read_text(encoding="ascii").split()]
    erased.note(store, ids)
    async with database(store / LOG, "truth") as log:
        await log.transaction(lambda c: emptied(c, ids))
    await erased_everywhere(store, ids)


WORKS: dict[str, Callable[[Path], Awaitable[None]]] = {
    "backup": backs_up,
    "full backup, the others pruned": backs_up_whole,
    "restore": restores,
    "repair": repairs,
    "forget": forgets,
}


async def works(store: Path, name: str) -> None:
    await WORKS[name](store)


def damaged(path: Path, chance: Random) -> str:
    """The file is not what it was, in one of four ways; which."""
    data = bytearray(path.read_bytes())
    place = chance.randrange(len(data)) if data else 0
    how = chance.choice(("bit", "bit", "bit", "cut", "zeros", "page"))
    if how == "bit" and data:
        data[place] ^= 1 << chance.randrange(8)
    elif how == "cut":
        del data[place:]
    elif how == "zeros":
        data[place : place + 512] = bytes(len(data[place : place + 512]))
    else:
        data[place - place % 4096 :][:4096] = b""
        data[place - place % 4096 : place - place % 4096 + 4096] = chance.randbytes(4096)
    path.write_bytes(data)
    return f"{how} at {place} of {path.name}"
