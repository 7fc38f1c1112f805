"""One writer of a fault campaign, a process of its own: `python -m bench.fault_writer PLACE NAME LIFE KIND SEED`.

It writes until PLACE/stop is there, each write under one key until it is acknowledged, and notes what was, in
PLACE/notes.
What its former lives began and did not see acknowledged is asked again first, under the same keys.

    joined    through a connection to whoever holds the store; starts a daemon where nobody does; spools and runs hooks
              now and then, also what was lost on the way, under the same key
    opener    through `open_memory`, for a few writes at a time: it holds the store itself where nobody does
    spooler   through the spool, and through hooks
    patient   through a connection; waits for whoever starts daemons
    spooling  through the spool alone
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import anyio
import msgspec
from anyio import to_thread

import aftermind
from aftermind.cli.doors import hook
from aftermind.cli.language.answers import Exchange
from aftermind.cli.language.requests import Brief, Deliver, Recall, Remember, Request, answer_type
from aftermind.cli.language.wire import Call, Failed, Silent, TooLate, Unreachable, error_of, to_json
from aftermind.cli.reaching import joining, starting
from aftermind.cli.reaching.joining import Joined
from aftermind.engine import errors
from aftermind.engine.errors import AftermindError, StoreHeld
from aftermind.engine.names import EventId
from aftermind.engine.stamp import Stamp
from aftermind.engine.store import spool
from aftermind.engine.store.lock import holder
from bench.fault_notes import (
    BEGINNINGS,
    OF_EXCHANGES,
    OF_FACTS,
    OF_SESSIONS,
    SPOOLABLE,
    Acked,
    Asked,
    Notes,
    Refused,
    noted,
    payload_of,
    request_of,
)

AWAY = (Unreachable, Silent, TooLate, StoreHeld, ConnectionError)
"""What says nothing of the request: it is asked again."""
WAYS = {
    "joined": {"socket": 84, "spool": 12, "hook": 1, "read": 3},
    "opener": {"program": 1},
    "spooler": {"spool": 90, "hook": 4, "socket": 6},
    "patient": {"socket": 1},
    "spooling": {"spool": 1},
}
TASKS = {"joined": 3, "spooler": 3, "patient": 4}


class Writer:
    def __init__(self, place: Path, name: int, life: int, kind: str, seed: int) -> None:
        self.store, self.stop, self._work = place / "store", place / "stop", place / "work"
        self._kind, self._name, self._life, self._notes_in = kind, name, life, place / "notes"
        self._chance = Random(f"{seed} {name} {life}")
        self._notes = Notes(self._notes_in, name, life)
        self._stamp, self._count = Stamp(), 0
        self._joined: Joined | None = None
        self._facts: list[str] = []
        self._sessions: list[str] = []
        self._exchanges: list[Exchange] = []

    async def live(self) -> None:
        await self._ask_again()
        async with anyio.create_task_group() as tasks:
            for _ in range(TASKS.get(self._kind, 1)):
                tasks.start_soon(self._write)

    async def _write(self) -> None:
        ways = WAYS[self._kind]
        while not self.stop.exists():
            (way,) = self._chance.choices(list(ways), list(ways.values()))
            match way:
                case "program":
                    await self._program()
                case "hook":
                    await to_thread.run_sync(self._hook, *self._next("d", "f"))
                case "read":
                    await self._read()
                case _:
                    token, old = self._next() if way == "socket" else self._next(BEGINNINGS, SPOOLABLE)
                    key = self._stamp.new_id()
                    self._notes.note(Asked(token, key, old))
                    await self._asked(token, key, old, way)
            await anyio.sleep(self._chance.uniform(0, 0.03))

    async def _ask_again(self) -> None:
        """What former lives left open. Of a program's own requests and a hook's, nobody knows the key."""
        left: dict[str, Asked] = {}
        for note in noted(self._notes_in, self._name):
            if isinstance(note, Asked) and note.key:
                left[note.token] = note
            else:
                left.pop(note.token, None)
        for note in left.values():
            spoolable = note.token[-1] in SPOOLABLE and self._kind != "patient"
            way = "spool" if self._kind == "spooling" or (spoolable and self._chance.random() < 0.5) else "socket"
            await self._asked(note.token, EventId(note.key), note.old, way)

    # --- the ways ---------------------------------------------------------------------------------------------

    async def _asked(self, token: str, key: EventId, old: str, way: str) -> None:
        """Until it is acknowledged; where the connection is lost, it may also go into the spool, as a hook's does."""
        request = request_of(token, old)
        while True:
            try:
                if way == "spool":
                    payload = to_json(Call(key=key, request=request))
                    await to_thread.run_sync(spool.write, self.store, key, payload)
                    self._acked(token, "spool")
                    return self._known(token, request, None) if self._kind == "spooling" else None
                answer = await self._by_socket(request, key)
            except AWAY:
                if self._kind == "joined" and token[-1] in SPOOLABLE and self._chance.random() < 0.3:
                    way = "spool"
                await anyio.sleep(0.02)
            except AftermindError as error:
                if not (isinstance(error, errors.Refused) and isinstance(request, Deliver)):
                    return self._notes.note(Refused(token, type(error).__name__, str(error)))
                way = "spool"  # as every client does: its prompt may wait there
            else:
                self._acked(token, "socket")
                return self._known(token, request, answer)

    async def _by_socket(self, request: Request, key: EventId | None = None) -> Any:
        if self._kind == "patient":  # a connection each; nobody is started
            connection = await joining.connected(self.store, joining.WELCOMED)
            try:
                reply = await connection.ask(Call(key=key or self._stamp.new_id(), request=request))
            finally:
                connection.close()
            if isinstance(reply, Failed):
                raise error_of(reply)
            return msgspec.json.decode(reply.answer, type=answer_type(type(request)))
        if self._joined is None:
            try:
                first = await joining.connected(self.store, joining.WELCOMED)
            except Unreachable:
                first = await starting.started(self.store, joining.FOUND)
            self._joined = Joined(self.store, first)
        return await self._joined.ask(request, key)

    async def _program(self) -> None:
        """A short program, which holds the store itself when nobody else does."""
        token = ""
        try:
            async with aftermind.open_memory(self.store) as memory:
                for _ in range(self._chance.randrange(1, 12)):
                    token, old = self._next("tsri", "e")
                    asked: Any = request_of(token, old)
                    self._notes.note(Asked(token, old=old))
                    match token[-1]:
                        case "t" | "s":
                            session, tags = asked.session, asked.tags
                            await memory.remember(asked.text, kind=asked.kind, session=session, tags=tags)
                        case "r" | "i":
                            said = {"session": asked.session, "id": asked.id, "client": asked.client}
                            await memory.record(asked.prompt, asked.answer, project=asked.project, **said)
                        case _:
                            await memory.end_session(asked.session)
                    self._acked(token, "socket")
                    self._known(token, asked, None)
                    await anyio.sleep(self._chance.uniform(0, 0.02))
        except AWAY:
            await anyio.sleep(0.1)
        except AftermindError as error:
            self._notes.note(Refused(token, type(error).__name__, str(error)))
            await anyio.sleep(0.1)

    def _hook(self, token: str, old: str) -> None:
        """A client's hook, a bare process that ends with 0 whatever happens: then it must have got through."""
        self._notes.note(Asked(token, old=old))
        payload = self._work / token
        payload.write_bytes(payload_of(token, old))
        command = [sys.executable, "-I", "-S", str(hook.__file__), "--home", str(self.store), "json"]
        with payload.open("rb") as said:
            event = "turn" if token[-1] == "d" else "end"
            done = subprocess.run([*command, event, "5"], stdin=said, cwd=self._work, check=False)
        payload.unlink()
        if done.returncode == 0:
            self._acked(token, "hook")

    async def _read(self) -> None:
        """A briefing, which also writes, or a search."""
        session = f"session-w{self._name}-{self._chance.randrange(5)}"
        query = self._chance.choice(("queue", "staging", "ledger"))
        try:
            asked = Brief(session=session, prompt=query) if self._chance.random() < 0.7 else Recall(query=query)
            await self._by_socket(asked)
        except AWAY:
            await anyio.sleep(0.1)
        except AftermindError as error:
            self._notes.note(Refused("", type(error).__name__, str(error)))

    # --- what is asked ----------------------------------------------------------------------------------------

    def _next(self, begin: str = BEGINNINGS, then: str = OF_FACTS + OF_EXCHANGES + OF_SESSIONS) -> tuple[str, str]:
        """A token of a form, and what it acts on. Each thing is acted on once, some time after it was begun."""
        share = self._chance.random()
        if share < 0.12 and len(self._facts) > 3 and (forms := _both(then, OF_FACTS)):
            return self._token(forms), self._facts.pop(0)
        if share < 0.24 and len(self._sessions) > 3 and (forms := _both(then, OF_SESSIONS)):
            return self._token(forms), self._sessions.pop(0)
        if share < 0.3 and self._exchanges and (forms := _both(then, OF_EXCHANGES)):
            token, exchange = self._token(forms), self._exchanges.pop(0)
            return token, exchange.memory if token[-1] == "u" else exchange.id
        return self._token(begin), ""

    def _token(self, forms: str) -> str:
        self._count += 1
        return f"w{self._name}i{self._life}n{self._count}{self._chance.choice(forms)}"

    def _acked(self, token: str, way: str) -> None:
        self._notes.note(Acked(token, way, monotonic(), holder(self.store).pid))

    def _known(self, token: str, request: Request, answer: Any) -> None:
        """What may be acted on from now on: what is in the log, or, for who only spools, what is spooled before."""
        if token[-1] == "s":
            self._sessions = [*self._sessions, token][-20:]
        if answer is not None and isinstance(request, Remember) and token[-1] in "pt" and request.project is None:
            self._facts = [*self._facts, str(answer)][-20:]
        elif isinstance(answer, Exchange):
            self._exchanges = [*self._exchanges, answer][-20:]


def _both(some: str, others: str) -> str:
    return "".join(form for form in some if form in others)


if __name__ == "__main__":
    place, name, life, kind, seed = sys.argv[1:]
    anyio.run(Writer(Path(place), int(name), int(life), kind, int(seed)).live)
    os._exit(0)  # a thread may still wait for a daemon it started
