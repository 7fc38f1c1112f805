"""Another log is put in the place of a store's own: built aside, verified, and then moved in.

    restoring/log.db        the new log, while it is built
    restoring/spool/        what waited where it comes from
    restoring/ready.json    from the instant this is there on, it will be the store's log

Each instant is one of two. Before `ready.json` the store is what it was, and what lies in `restoring/` goes when the
store is opened next. After it, whoever opens the store next finishes the move first. Nothing is deleted: what was the
store's log, and the views that grew from it, are set aside in a folder named by the time, `set-aside-…`, which is a
store that can be opened. Whoever calls anything here has the store's lock.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from aftermind.engine.backups.registry import rewound
from aftermind.engine.backups.segment import Row, without_text
from aftermind.engine.erasing import erased
from aftermind.engine.errors import StoreUnusable
from aftermind.engine.logs.sqlite_pen import FORMAT, INSERT, SCHEMA, Tail
from aftermind.engine.logs.verify import Verified, tail_of, verified
from aftermind.engine.names import EventId
from aftermind.engine.sqlite import Connection, database, statements
from aftermind.engine.store import spool
from aftermind.engine.store.derived import BESIDE, CACHE_FILES, VIEW_FILES
from aftermind.engine.store.folder import LOG
from aftermind.engine.store.lasting import flushed, put, said, synced

RESTORING, READY = "restoring", "ready.json"
REPORT = "lost.jsonl"
"""In a folder that was set aside: the events that are in no log any more, as far as they can be read."""
EMPTIED = "emptied.ids"
"""There, too: the events whose text a repair had to leave out, because it was damaged and nobody else had it."""
ASIDE = re.compile(r"set-aside-\d{8}T\d{6}Z(-\d{1,3})?")
_MOVED = re.compile(rf"{re.escape(LOG)}{BESIDE}|{VIEW_FILES.pattern}|{CACHE_FILES.pattern}")
"""The log, and what knows how far it came: it would take what comes for what it has seen."""
_AT_ONCE = 10_000


class Ready(Struct, frozen=True, kw_only=True):
    """What will be the store's log."""

    aftermind_restore: int = 1
    aside: str
    """Where the one before goes: a folder in the store."""
    source: str
    head: int
    seal: str


class Built(Struct, frozen=True):
    """A log that was built: what was found when it was verified, and how it ends."""

    verified: Verified
    tail: Tail


_decode = msgspec.json.Decoder(Ready).decode


async def built(
    store: Path,
    rows: Iterable[Sequence[Row]],
    ids: frozenset[EventId],
    told: Callable[[int], None] = lambda _: None,
) -> Built:
    """A log of these events, in `restoring/`: those with one of the ids without their text. Every link of it was
    verified, and it is on the disk. What was there from before goes first. Where this fails nothing of it is left."""
    folder = store / RESTORING
    with said(folder):
        _cleared(folder)
        folder.mkdir(mode=0o700)
    try:
        async with database(folder / LOG, "draft") as target:
            await target.run(_begun)
            for some in _gathered(rows):
                kept = [without_text(row) if row[1] in ids else row for row in some]
                await target.transaction(partial(_inserted, rows=kept))
                told(len(kept))
            found = await target.run(lambda c: Built(verified(c, folder / LOG), tail_of(c)))
        flushed(folder / LOG)
    except BaseException:
        _cleared(folder)
        raise
    return found


def _begun(connection: Connection) -> None:
    for statement in (*statements(SCHEMA), f"PRAGMA user_version={FORMAT}"):
        connection.execute(statement)


def _inserted(connection: Connection, rows: Sequence[Row]) -> None:
    connection.executemany(INSERT, rows)


def beside(store: Path, requests: Iterable[tuple[str, bytes]]) -> int:
    """Files of a spool, by name, which come into the store's with the log; how many."""
    count = 0
    for name, request in requests:
        with said(store / RESTORING):
            (store / RESTORING / spool.SPOOL).mkdir(mode=0o700, exist_ok=True)
        put(store / RESTORING / spool.SPOOL / name, request)
        count += 1
    return count


def decided(store: Path, tail: Tail, source: str, now: datetime, ids: frozenset[EventId]) -> None:
    """From now on what was built, which ends so, will be the store's log; `finished` makes it that. The ids are noted
    first: what was erased anywhere stays so."""
    erased.note(store, ids)
    aside = new_aside(store, now).name
    ready = Ready(aside=aside, source=source, head=tail.position, seal=tail.seal.hex())
    put(store / RESTORING / READY, msgspec.json.encode(ready))


def new_aside(store: Path, now: datetime) -> Path:
    """A name no folder has yet."""
    names = (f"set-aside-{now:%Y%m%dT%H%M%SZ}{f'-{number}' * (number > 1)}" for number in range(1, 1_000))
    return next(store / name for name in names if not (store / name).exists())


def under_way(store: Path) -> bool:
    """Whether another log is about to take the store's place: then nobody may read what lies there."""
    return (store / RESTORING / READY).exists()


def finished(store: Path) -> Path | None:
    """Ends what was interrupted: the folder in which the log before was set aside, where another took its place. For
    whoever opens the store, before anything else."""
    folder = store / RESTORING
    if not folder.exists():
        return None
    with said(folder):
        if not (folder / READY).exists():
            _cleared(folder)
            synced(store)
            return None
        ready = _ready(store)
        aside = store / ready.aside
        if (folder / LOG).exists():  # so what has the store's names is what was there before
            for path in sorted(path for path in store.iterdir() if _MOVED.fullmatch(path.name)):
                aside.mkdir(mode=0o700, exist_ok=True)
                path.replace(aside / path.name)
            if aside.exists():
                synced(aside)
            synced(store)
            (folder / LOG).replace(store / LOG)
            synced(store)
        _spool_in(store, folder / spool.SPOOL)
        erased.reopen(store)
        rewound(store, ready.head, ready.seal)
        (folder / READY).unlink()
        synced(folder)
        _cleared(folder)
        synced(store)
    return aside if aside.exists() else None


def left_empty(store: Path) -> frozenset[EventId]:
    """The events whose texts a repair has left out, because they were damaged: nobody has erased these."""
    lists = [aside / EMPTIED for aside in store.iterdir() if ASIDE.fullmatch(aside.name)]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in lists if path.is_file()]
    return frozenset(EventId(id) for text in texts for id in text.split())


def _ready(store: Path) -> Ready:
    path = store / RESTORING / READY
    try:
        return _decode(path.read_bytes())
    except msgspec.MsgspecError as error:
        hint = f"see what is in {store / RESTORING}, and move that folder away: the store is then what it was before"
        raise StoreUnusable(store, f"{path} cannot be read ({error})", hint=hint) from error


def _spool_in(store: Path, source: Path) -> None:
    """What waited there waits here; what has the same key is the same."""
    if not source.is_dir():
        return
    into = store / spool.SPOOL
    into.mkdir(mode=0o700, exist_ok=True)
    for file in sorted(source.iterdir()):
        if not file.name.endswith(".new"):
            file.replace(into / file.name)
    synced(into)


def _gathered(rows: Iterable[Sequence[Row]]) -> Iterator[list[Row]]:
    """As many at once as make a transaction worth its while."""
    held: list[Row] = []
    for some in rows:
        held += some
        if len(held) >= _AT_ONCE:
            yield held
            held = []
    if held:
        yield held


def _cleared(folder: Path) -> None:
    if folder.is_symlink():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder)
