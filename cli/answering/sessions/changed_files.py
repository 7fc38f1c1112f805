"""Which files of a folder were changed in a session, as git says: for sessions whose tools told no paths.

A file is named only where its own time says that it may be the session's: of a commit that of the commit, else when the
file was last written. What was changed before or after, or while another session was at work there too, is not.

Nothing a repository configures is run, but for what git itself needs to compare a file: no pager, no hook, no watcher.
Where there is no git, no repository, or no answer in time, there are none.
"""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import anyio

from aftermind.cli.answering.opened import Opened
from aftermind.cli.repositories import QUIETLY
from aftermind.engine.moments import microseconds
from aftermind.engine.names import SessionId
from aftermind.engine.sqlite import Connection
from aftermind.projections.recalling.shown.other_sessions import ALIVE, SAID

PATIENCE = 2.0
MOST = 50
_PLAINLY = ("-c", "log.showSignature=false", "-c", "color.ui=false")
_COMMIT = "\1"
"""What begins the line of a commit's time among names."""
_SECOND = 1_000_000


class Span(NamedTuple):
    """From when until when, in microseconds."""

    since: int
    until: int

    def has(self, at: int, fine: int = 1) -> bool:
        """Whether a time that is told to so many microseconds may lie in it."""
        return self.since // fine <= at // fine <= self.until // fine


async def changed_files(
    store: Opened, session: SessionId, directory: str, since: datetime, until: datetime
) -> tuple[str, ...]:
    """Those that commits of that time name, and those that are not committed yet; as from the folder."""
    folder = Path(directory)
    if not directory or not folder.is_absolute() or store.off_limits.why(folder, is_folder=True):
        return ()
    span = Span(microseconds(since), microseconds(until))
    others = await store.read(lambda c: _others(c, store, session, directory, span))

    def own(at: int, fine: int = 1) -> bool:
        return span.has(at, fine) and not any(other.has(at, fine) for other in others)

    found = dict.fromkeys([path async for path, at in _committed(folder, since, until) if own(at, _SECOND)])
    found |= dict.fromkeys([path async for path, at in _uncommitted(folder) if own(at)])
    told = (path for path in found if not store.off_limits.why(folder / path, is_folder=False))
    return tuple(told)[:MOST]


async def _committed(folder: Path, since: datetime, until: datetime) -> AsyncIterator[tuple[str, int]]:
    """The files commits of that time name, and the commit's time."""
    span = (f"--since={since.isoformat()}", f"--until={until.isoformat()}")
    form = f"--format={_COMMIT}%ct"
    at = 0
    for name in await _names(folder, "log", form, "--name-only", "--no-renames", "--relative", *span):
        if name.startswith(_COMMIT):
            at = int(name.removeprefix(_COMMIT)) * _SECOND
        else:
            yield name, at


async def _uncommitted(folder: Path) -> AsyncIterator[tuple[str, int]]:
    """The files that differ from what is committed, and when each was last written."""
    words = ("status", "--porcelain", "--no-renames", "--untracked-files=normal", ".")
    for line in await _names(folder, *words):
        if (path := line[3:]) and (at := _written(folder / path)) is not None:
            yield path, at


def _written(path: Path) -> int | None:
    """When it was last written; of what is gone, the folder it was in, which then lost it or something later."""
    for one in (path, path.parent):
        with suppress(OSError):
            return one.lstat().st_mtime_ns // 1_000
    return None


def _others(connection: Connection, store: Opened, session: SessionId, directory: str, span: Span) -> list[Span]:
    """When other sessions were at work in that folder, within that span. A subagent is no other."""
    lease, now = store.policy.lifecycle.quiet_after, store.stamp.now()
    sql = f"""SELECT id, started, iif({ALIVE}, :now, last) AS until FROM session
      WHERE directory = :directory AND started <= :to AND until >= :from AND id <> :own AND {SAID}"""
    asked = {"directory": directory, "own": session, "from": span.since, "to": span.until, "now": microseconds(now)}
    asked |= {"since": microseconds(now - lease), "soon": microseconds(now + lease)}
    rows = connection.execute(sql, asked)
    return [Span(started, until) for id, started, until in rows if not _of_one({id, session})]


def _of_one(ids: set[str]) -> bool:
    """Whether they are of one assistant: a subagent's is named after it."""
    return len({id.partition(".")[0] for id in ids}) == 1


async def _names(folder: Path, command: str, *words: str) -> Iterator[str]:
    line = ["git", "-C", str(folder), "--no-optional-locks", *QUIETLY, *_PLAINLY, "--no-pager", command, "-z", *words]
    try:
        with anyio.fail_after(PATIENCE):
            ran = await anyio.run_process(line, check=False, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    except (OSError, TimeoutError):
        return iter(())
    said = ran.stdout.decode("utf-8", "replace") if ran.returncode == 0 else ""
    return (name.strip("\n") for name in said.split("\0") if name.strip("\n"))
