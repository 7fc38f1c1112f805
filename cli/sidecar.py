"""The process that asks a model how exchanges went:
`python -I -m aftermind.cli.sidecar FOLDER [IDLE [PATIENCE [FORM]]]`.

The daemon starts it, or `aftermind sidecar run`. It reads and writes through the socket alone, at a low priority, and
ends when it had nothing to do for IDLE seconds, when a limit of the day is reached, when the model will not answer for
longer than PATIENCE or before something is changed, or when nobody holds the store any more. Killed at any instant it
loses nothing: what it had taken is handed out again.

What came of it is printed when it ends, in words; where FORM is `json` or `watched` as JSON, and where it is `watched`
each verdict is told on standard error, too.
"""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import assert_never

import anyio
import msgspec

from aftermind.cli.judge import (
    LEASE_BEYOND_ANSWER,
    UNCONFIRMED,
    elsewhere,
    endpoint,
    hindrance,
    is_confirmed,
    model_at,
    unconfirmed,
)
from aftermind.cli.language.asked import Asked
from aftermind.cli.language.judging import PutSaid, Reserve, ResumeScoring, StopScoring, TakeWork
from aftermind.cli.language.wire import Silent, Unreachable
from aftermind.cli.reaching.joining import WELCOMED, Joined, connected
from aftermind.cli.secret import NoKey, key_of
from aftermind.cli.settings import Sidecar, configuration
from aftermind.cli.sidecar_ends import CANNOT, DID, HAD_NOTHING
from aftermind.engine.errors import AftermindError, Left
from aftermind.engine.names import EventId, Label
from aftermind.engine.stamp import Stamp
from aftermind.sidecar.asking.loop import Habits, Judged, Loop, Why
from aftermind.sidecar.models.endpoint import Endpoint
from aftermind.sidecar.models.local_servers import handed_on_to
from aftermind.sidecar.ports import (
    Failed,
    Findings,
    Model,
    NoReply,
    Price,
    Question,
    Reply,
    Said,
    Shortened,
    Signature,
    Spent,
    Ticket,
    Usage,
    Work,
)

LOW = 10
MEMORY = 1 << 30
"""Bytes it may have of its own; it needs a fifth of that."""
GONE = 5.0
"""Seconds in which somebody has to hold the store again: a newer daemon takes the place of an older one."""


class SocketDesk:
    """The desk at the other end of the socket."""

    def __init__(self, joined: Joined, seconds: float, *, watched: bool = False) -> None:
        self._joined, self._seconds, self._watched, self._stamp = joined, seconds, watched, Stamp()
        self._count = 0

    async def take(self, judge: Signature) -> Work:
        return await self._joined.ask(TakeWork(judge=judge, seconds=self._seconds))

    async def reserve(self, ticket: Ticket, judge: Signature, price: Price) -> EventId | Spent:
        return await self._joined.ask(Reserve(ticket=ticket, judge=judge, price=price))

    async def put(
        self, ticket: Ticket, judge: Signature, said: Said, usage: Usage, reserved: EventId | None = None
    ) -> bool:
        if self._watched:
            self._count += 1
            told = f"{self._count:>5}  {_in_a_word(said)}, {usage.milliseconds / 1000:.1f} s"
            print(told, file=sys.__stderr__, flush=True)
        return await self._joined.ask(PutSaid(ticket=ticket, judge=judge, said=said, usage=usage, reserved=reserved))

    async def tell(self, why: Why | None, said: str, seconds: float | None) -> None:
        """Told once where users look: a state that is known already is not recorded again."""
        asked: Asked[bool] = ResumeScoring()
        if why is not None:
            until = self._stamp.now() + timedelta(seconds=seconds) if seconds is not None else None
            asked = StopScoring(why=Label(why), said=said, until=until)
        await self._joined.ask(asked)


class OnlyHere:
    """A model of this machine whose server did not say yet whether it hands it on: it is sent nothing before that."""

    def __init__(self, model: Model, there: Endpoint) -> None:
        self.name, self.price = model.name, model.price
        self._model, self._there, self._is_here = model, there, False

    async def ask(self, question: Question) -> Reply:
        if not self._is_here:
            host = await handed_on_to(self._there)
            if host is None:
                raise NoReply("unreachable", f"nobody answers at {self._there.host}", Usage())
            if host:
                raise NoReply("denied", unconfirmed(elsewhere(self._there, host)), Usage())
            self._is_here = True
        return await self._model.ask(question)


def _in_a_word(said: Said) -> str:
    match said:
        case Findings():
            return said.outcome
        case Shortened():
            return "shortened"
        case Failed():
            return f"no answer: {said.said or said.fault}"
        case _:
            assert_never(said)


async def judged(folder: Path, sidecar: Sidecar, idle: float, patience: float, *, watched: bool = False) -> Judged:
    """Judges what waits, until nothing did for `idle` seconds. That the model cannot be asked at all is also told where
    users look."""
    joined = Joined(folder, await connected(folder, WELCOMED), starts=False, seconds=GONE)
    seconds = sidecar.timeout_seconds + LEASE_BEYOND_ANSWER
    desk, there = SocketDesk(joined, seconds, watched=watched), endpoint(sidecar)
    try:
        if (hindered := hindrance(sidecar)) is not None:
            return await _cannot(joined, hindered.why, hindered.said)
        host = await handed_on_to(there)
        meant = elsewhere(there, host or "")
        if not is_confirmed(meant, sidecar):
            return await _cannot(joined, UNCONFIRMED, unconfirmed(meant))
        try:
            key = await key_of(sidecar.api_key_env, meant.host)
        except NoKey as error:
            return await _cannot(joined, Label("denied"), f"{error}; {error.hint}")
        model: Model = model_at(there, key, sidecar.timeout_seconds)
        if host is None:
            model = OnlyHere(model, there)
        habits = Habits(idle=idle, parallel=sidecar.parallel, patience=patience)
        return await Loop(desk, model, desk.tell, habits).until_idle()
    finally:
        await joined.close()


async def _cannot(joined: Joined, why: Label, said: str) -> Judged:
    await joined.ask(StopScoring(why=why, said=said))
    return Judged(end="closed", why=why, said=said)


def _modest() -> None:
    """It takes the processor when nobody wants it, and a server that sends without an end costs the answer alone."""
    os.umask(0o077)
    if sys.platform != "win32":
        import resource

        os.nice(LOW)
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, most))


@contextmanager
def _silent() -> Iterator[None]:
    """What libraries print, warn of and log quotes what a server answered, and what this process prints is kept in a
    log, which holds no text."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        yield


def main(folder: Path, idle: float = 0.0, patience: float = 60.0, *, form: str = "") -> int:
    _modest()
    try:
        sidecar = configuration().sidecar
        with _silent():
            found = anyio.run(partial(judged, folder, sidecar, idle, patience, watched=form == "watched"))
    except (Unreachable, Silent, Left) as error:
        print(f"the store was let go: {error}", file=sys.stderr)
        return HAD_NOTHING
    except AftermindError as error:
        print(f"{error}\n{error.hint}", file=sys.stderr)
        return error.status
    if form:
        print(msgspec.json.encode(found).decode())
        return _status(found)
    asked = f"{found.put} asked, {found.failed} of them without a verdict" if found.put else "nothing was asked"
    print(f"{asked}: {found.said or 'nothing more waits'}")
    return _status(found)


def _status(found: Judged) -> int:
    if found.end != "idle":
        return CANNOT
    return DID if found.put else HAD_NOTHING


if __name__ == "__main__":
    status = main(Path(sys.argv[1]), *map(float, sys.argv[2:4]), form="".join(sys.argv[4:5]))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # all is put; a library's threads and connections are not waited for
