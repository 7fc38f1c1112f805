"""The resident process of one store: `python -I -m aftermind.cli.daemon FOLDER`. Nobody types that; `starting.py` does,
and with `--always` the system, where it is told to: then it takes the place of one that would end, and does not end.
Where something else lies by now where its code was, it ends as if it were told to, and begins anew with that.

The lock comes first, before anything that takes long to load, so that of many starters all but one are gone again in
a few milliseconds. Who finds the lock taken looks whether its holder lives and is new enough, and takes its place if
not.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.engine.store import lock as locks

if TYPE_CHECKING:
    from aftermind.cli.language.wire import Welcome
    from aftermind.engine.store.lock import Lock

PATIENCE = 30.0
"""Seconds for a holder that is on its way out, or hangs."""
PROGRAM = 3.0
"""Seconds for a program that holds the store; it serves others as well as a daemon does."""
ASIDE = 1.5
"""Seconds after the first answer in which nothing is loaded that answers do not need."""


def main(folder: Path, *, always: bool = False) -> int:
    """The daemon's whole life; 0 also when there is one already."""
    try:
        lock = locks.take(folder)
    except OSError as error:
        if always and not folder.exists():  # it was taken away; the system is not to try again and again
            return 0
        print(f"{folder} cannot be locked: {error.strerror}", file=sys.stderr)
        return 5
    from contextlib import suppress

    import anyio

    from aftermind.cli.config import compute_alone
    from aftermind.engine.errors import AftermindError, Left
    from aftermind.engine.heaps import few_heaps

    compute_alone()
    few_heaps()
    try:
        lock = lock or anyio.run(_turn, folder, always)
        if lock is None:
            return 0
        try:
            is_replaced = anyio.run(_reside, folder, lock, always)
        finally:
            lock.release()
        if is_replaced and os.name == "posix":  # elsewhere the next request starts one
            with suppress(OSError):  # the interpreter went as well
                os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - this command again
    except Left:  # it was told to end while it was still opening the store
        return 0
    except AftermindError as error:
        print(f"{error}\n{error.hint}", file=sys.stderr)
        return error.status
    return 0


async def _turn(folder: Path, always: bool) -> Lock | None:
    """The lock, once a holder that is older, hangs, or would end while this one does not has been replaced; None while
    somebody serves well."""
    from contextlib import suppress

    import anyio

    from aftermind.cli.language.requests import Stop
    from aftermind.cli.language.wire import Call, Silent, Unreachable
    from aftermind.cli.reaching import hung
    from aftermind.cli.reaching.joining import WELCOMED, connected
    from aftermind.engine.stamp import Stamp

    began = anyio.current_time()
    while anyio.current_time() - began < PATIENCE:
        if (lock := locks.take(folder)) is not None:
            return lock
        try:
            connection = await connected(folder, WELCOMED)
        except Silent as error:
            hung.replaced(folder, error.pid)
        except Unreachable:
            pass  # it is coming or going
        else:
            if _serves(connection.welcome, anyio.current_time() - began, always):
                connection.close()
                return None
            if connection.welcome.holder == "daemon":
                with suppress(Unreachable):  # it went before it could say so
                    await connection.ask(Call(key=Stamp().new_id(), wire=connection.welcome.wire, request=Stop()))
            connection.close()
        await anyio.sleep(0.05)
    return None


def _serves(welcome: Welcome, seconds: float, always: bool) -> bool:
    from aftermind import __version__
    from aftermind.cli.language.wire import is_older

    if welcome.holder == "program":
        return seconds > PROGRAM
    if always:  # of daemons that are as new, the system's is the one that is started again when it fails
        return is_older(__version__, welcome.aftermind)
    return not is_older(welcome.aftermind, __version__)


def _is_to_stay(folder: Path) -> bool:
    """Whether the system is told to have a daemon there at all times, whoever started this one."""
    from aftermind.cli.always_on.standing import is_standing

    return is_standing(folder)


async def _reside(folder: Path, lock: Lock, always: bool) -> bool:
    """Until it is to end; whether only because its code was replaced."""
    import asyncio
    import gc
    from functools import partial
    from signal import SIGINT, SIGTERM

    import anyio
    from anyio import to_thread

    from aftermind.cli import doors
    from aftermind.cli.holding.extracting import Extracting
    from aftermind.cli.holding.held import held
    from aftermind.cli.holding.judging import Judging, by_cues, who_judges
    from aftermind.cli.holding.listening import Listening
    from aftermind.cli.holding.loaded import Loaded
    from aftermind.cli.holding.spawning import Spawning, wanted_of
    from aftermind.cli.holding.watched import Watched
    from aftermind.cli.terminal.this_store import is_of
    from aftermind.engine.stamp import Stamp
    from aftermind.engine.store.folder import fit_folder, signed

    loaded = Loaded()
    os.umask(0o077)
    folder = fit_folder(folder, make=False)
    is_of(str(folder))  # who reads what a window is told may have another one, as beside that of a project
    signed(folder, lock, "daemon")
    config = Watched()
    judge = lambda: who_judges(config.scoring(), config.sidecar())  # noqa: E731
    over, signalled, replaced = anyio.Event(), anyio.Event(), anyio.Event()

    def told() -> None:
        signalled.set()
        over.set()

    for number in (SIGTERM, SIGINT):  # to the last instant: being told twice is no reason to drop anything
        asyncio.get_running_loop().add_signal_handler(number, told)
    async with (
        held(folder, lock, "daemon", config.policy, config.model, Stamp(), over, judge, config.written) as holding,
        anyio.create_task_group() as tasks,
    ):
        wanted = lambda: wanted_of(config.scoring(), config.sidecar())  # noqa: E731
        sidecar = Spawning(folder, holding.ask, wanted, Stamp().now, holding.logbook)

        judges = lambda: None if config.scoring() == "assistant" else config.sidecar()  # noqa: E731
        history = Extracting(holding.ask, judges, Stamp().now, holding.logbook)
        cues = Judging(holding.ask, lambda: by_cues(config.scoring(), config.sidecar()), holding.logbook)
        listening = Listening(holding, config, Stamp())

        def left() -> float:
            if sidecar.runs or cues.busy or listening.wanted:
                return 5.0
            seconds = config.idle_seconds() - holding.door.idle
            return 5.0 if seconds <= 0 and (always or _is_to_stay(folder)) else seconds

        def is_replaced() -> bool:
            if not over.is_set() and loaded.is_replaced(Stamp().now()):
                holding.logbook.note("replaced")
                replaced.set()
                over.set()
            return replaced.is_set()

        async def until_idle() -> None:
            while (seconds := left()) > 0:
                if is_replaced():
                    return
                await anyio.sleep(min(seconds, 5.0))  # the configuration may change meanwhile
            holding.logbook.note("idle", seconds=round(holding.door.idle))
            over.set()

        async def when_there_is_time() -> None:
            while holding.door.answered == 0 and holding.door.idle < ASIDE:
                await anyio.sleep(0.1)
            for work in (partial(doors.copied, folder), holding.logbook.load):
                try:
                    await to_thread.run_sync(work)
                except OSError as error:  # a full disk, a store that is going: answers go on
                    holding.logbook.note("not-written", error=type(error).__name__)
            gc.collect()
            gc.freeze()  # what was imported stays: looked through again and again, it would cost answers milliseconds
            holding.embed()
            tasks.start_soon(holding.going, "cues", cues.going)
            tasks.start_soon(holding.going, "history", history.going)
            tasks.start_soon(holding.going, "listening", listening.going)
            await holding.going("sidecar", sidecar.going)

        holding.door.is_replaced = lambda: loaded.may_be_replaced() and is_replaced()
        holding.logbook.note("started", pid=os.getpid())
        for task in (until_idle, when_there_is_time):
            tasks.start_soon(task)
        await over.wait()
        holding.logbook.note("stopped", answered=holding.door.answered, failed=holding.door.failed)
        tasks.cancel_scope.cancel()
    return replaced.is_set() and not signalled.is_set() and not holding.stopped


if __name__ == "__main__":
    status = main(Path(sys.argv[1]), always="--always" in sys.argv[2:])
    sys.stderr.flush()
    os._exit(status)  # all is closed; a model that hangs would have its library torn down under it, and abort
