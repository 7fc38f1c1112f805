"""A store is taken away: a copy of its log for who wants one, and then everything of ours in the folder goes.

Guarantee: what is not ours stays, and no link is followed. The order of the steps makes each instant one of two: the
log is whole and opens as before, or there is no store, and nothing from which the next one in the folder could take
anything over. So views go first (they grow back), then the spool (the next store would drain it), then the log before
its WAL (which SQLite throws away where it finds no database to it), the lock last. Who was killed in the middle is
finished by a second run.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import anyio

from aftermind.cli.editing.files import sync
from aftermind.cli.language.misused import Misused
from aftermind.cli.language.wire import Unreachable
from aftermind.cli.reaching.stopping import stopped
from aftermind.cli.store_folder.belongings import belongings
from aftermind.engine.backups.restoring import finished
from aftermind.engine.errors import AftermindError, FileDamaged, LogDamaged, Refused, StoreHeld
from aftermind.engine.logs.verify import Verified, verified
from aftermind.engine.names import START
from aftermind.engine.sqlite import copied, foreign
from aftermind.engine.store.folder import LOG, is_real_folder, taken
from aftermind.engine.store.lock import Lock, holder

PATIENCE = 3.0
"""Seconds for a program that holds the store; most are done in less."""
_POLL = 0.05


class NotRemoved(AftermindError):
    """Something of the store could not be taken away; what comes after it is still there."""

    status = 5
    hint = "mend that and run `aftermind reset` again: it goes on where this one stopped"

    def __init__(self, path: Path, why: str, gone: int) -> None:
        self.path, self.why, self.gone = path, why, gone
        files = "1 file is" if gone == 1 else f"{gone:,} files are"
        super().__init__(f"{path} cannot be removed ({why}); of what comes before it, {files} gone")


async def alone(folder: Path) -> Lock:
    """The store's lock, after a daemon was stopped for it; nobody begins anything meanwhile, and a restore that was
    interrupted is over. `StoreHeld` names the program that has it and keeps it."""
    end = anyio.current_time() + PATIENCE
    while (lock := await taken(folder, "program")) is None:
        if anyio.current_time() >= end:
            raise StoreHeld(folder, str(holder(folder)))
        try:
            with suppress(Unreachable):  # it ended before it had said that it would
                if await stopped(folder) is not None:
                    end = anyio.current_time() + PATIENCE
        except Refused:
            pass  # a program has it, and may be done in a moment
        await anyio.sleep(_POLL)
    try:
        finished(folder)
    except BaseException:
        lock.release()
        raise
    return lock


def exported(folder: Path, to: Path) -> Verified:
    """A copy of the log, read back and verified link by link. Only for who has the lock."""
    log = folder / LOG
    all_the_same = "without --export the store goes all the same"
    try:
        copied(log, to)
        with foreign(to) as connection:
            return verified(connection, to)
    except OSError as error:
        raise Misused(f"{to} cannot be written: {error.strerror}", hint="name another file") from error
    except FileDamaged as error:
        damaged = LogDamaged(log, START, error.why)
        damaged.hint = all_the_same
        raise damaged from error
    except LogDamaged as error:
        damaged = LogDamaged(log, error.position, error.why)
        damaged.hint = f"{to} is a copy with the same damage; {all_the_same}"
        raise damaged from error


def removed(folder: Path) -> tuple[Path, ...]:
    """Everything of ours goes, then the folder if nothing else is in it. What went. Only for who has the lock."""
    there = belongings(folder)
    gone: list[Path] = []
    for step in (there.views, there.spool, there.log, there.backups, there.models, there.rest, there.lock):
        for path in step:
            try:
                if _taken_away(path):
                    gone.append(path)
            except OSError as error:
                raise NotRemoved(path, error.strerror or str(error), len(gone)) from error
        sync(folder)  # a step is over before the next one begins, also for a power cut
    removed_if_empty(folder)
    return tuple(gone)


def removed_if_empty(folder: Path) -> None:
    with suppress(OSError):  # something else is in it, or it is a link, or another file system
        folder.rmdir()


def _taken_away(path: Path) -> bool:
    """False when it is there still: a folder into which somebody wrote meanwhile."""
    try:
        if not is_real_folder(path):
            path.unlink()
        else:
            path.rmdir()
    except FileNotFoundError:  # its writer took it away
        return False
    except OSError:
        if not is_real_folder(path) or not any(path.iterdir()):
            raise
        return False
    return True
