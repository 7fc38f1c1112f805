"""What is wrong with a store is mended, by whoever has its lock. Nothing that cannot grow back is deleted: a damaged
log is set aside as it is, with what can be read beyond the new one's end as lines beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from aftermind import __version__
from aftermind.cli.carrying.line import end, header, line
from aftermind.cli.keeping.diagnosing import (
    Diagnosis,
    Plan,
    diagnosed,
    mending_of,
    rest,
    unlisted,
)
from aftermind.cli.store_folder.removing import alone
from aftermind.engine.backups.backup import Backup, one
from aftermind.engine.backups.registry import begun_anew, registered
from aftermind.engine.backups.restoring import EMPTIED, REPORT, beside, built, decided, finished, under_way
from aftermind.engine.backups.segment import Row
from aftermind.engine.erasing import erased
from aftermind.engine.logs.chain import Link
from aftermind.engine.stamp import Stamp
from aftermind.engine.store import spool
from aftermind.engine.store.derived import is_of_cache, is_of_views
from aftermind.engine.store.folder import LOG
from aftermind.engine.store.lasting import put, said, synced


class Repaired(Struct, frozen=True, kw_only=True):
    """What was found and done."""

    diagnosis: Diagnosis
    aside: str | None
    """Where the damaged log is, where there was one."""
    report: str | None
    """The file of events that can be read and are in no log."""


async def repaired(
    store: Path, only: Backup | None, stamp: Stamp, told: Callable[[int], None] = lambda _: None
) -> Repaired:
    """Everything that is found is mended. Cut off at any instant, a second run goes on."""
    before = await diagnosed(store, only) if under_way(store) else None
    lock = await alone(store)  # which ends an interrupted restore, too
    try:
        diagnosis = await diagnosed(store, only)
        if before is not None:
            diagnosis = structs.replace(diagnosis, faults=(*before.faults, *diagnosis.faults))
        aside: Path | None = None
        if diagnosis.plan is not None:
            aside = await _log_mended(store, diagnosis.plan, stamp, told)
        for fault in diagnosis.faults:
            match fault.part:
                case "views":
                    _gone(store, is_of_views)
                case "cache":
                    _gone(store, is_of_cache)
                case "erased":
                    erased.note(store, unlisted(store))
                case "registry":
                    begun_anew(store)
                case "log" | "restore":
                    pass  # done above
    finally:
        lock.release()
    report = None if aside is None or not (aside / REPORT).exists() else str(aside / REPORT)
    return Repaired(diagnosis=diagnosis, aside=None if aside is None else str(aside), report=report)


async def _log_mended(store: Path, plan: Plan, stamp: Stamp, told: Callable[[int], None]) -> Path | None:
    backup = one(Path(plan.backup)) if plan.backup else None
    ids = erased.noted(store) | (erased.noted(backup.path.parent) if backup else frozenset())
    mending = mending_of(store, backup, plan.highest)
    made = await built(store, mending.rows(), ids, told)
    if backup is not None:
        beside(store, [(copy.name, spool.read(path) or b"") for path, copy in backup.spool if path.is_file()])
    decided(store, made.tail, plan.backup or str(store / LOG), stamp.now(), ids)
    aside = finished(store)
    if aside is not None:
        if mending.emptied:
            put(aside / EMPTIED, "".join(f"{row.id}\n" for row in mending.emptied).encode())
        _reported(aside, plan, stamp)
    if registered(store) is None:
        begun_anew(store)
    return aside


def _reported(aside: Path, plan: Plan, stamp: Stamp) -> None:
    """The events beyond the new log's end, in the form of an export, which can be imported."""
    lines = list(_lines(rest(aside / LOG, plan.head, plan.highest)))
    if not lines:
        return
    head = header(program=__version__, store="", head=plan.highest, exported=stamp.now(), filters={})
    body = b"".join([head, *lines])
    put(aside / REPORT, body + end(len(lines), sha256(body).hexdigest()))


def _lines(rows: Iterator[Row]) -> Iterator[bytes]:
    for row in rows:
        with suppress(TypeError, ValueError, OverflowError, AttributeError):  # what of it was read is no event any more
            values: dict[str, Any] = dict(zip(Link.__struct_fields__, row, strict=True))
            link = Link(**values)
            if link.holds():
                yield line(link)


def _gone(store: Path, ours: Callable[[Path], bool]) -> None:
    for path in filter(ours, list(store.iterdir())):
        with said(path):
            path.unlink(missing_ok=True)
    synced(store)
