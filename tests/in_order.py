"""Sessions as clients tell them, in any order, and what has to be known of them in the end.

A client tells each of its turns in its own form: at once, or it leaves it in the spool, which is drained later and says
when it was said. What is refused at once goes to the spool as well, as every client does. Somebody may bring the same
turns once more, out of the client's own history.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Literal

from msgspec import Struct

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.requests import Deliver
from aftermind.engine.errors import Refused
from aftermind.engine.events import ContextInjected, ExchangeRecorded, PromptReceived
from aftermind.engine.names import EventId
from aftermind.engine.stamp import Stamp
from tests.given import NOON

FACTS = ("the quokka lamp is in the attic", "the zebra port is 8081")
WORDS = ("where is the quokka lamp?", "which zebra port?", "go on")
Client = Literal["opencode", "claude-code", "codex", "gemini", "json"]
How = Literal["at once", "twice", "spooled", "at once and spooled", "never"]
UNNAMED = ("gemini", "json")
"""Those that name no turn: an answer is one to their last prompt."""
HERE = "/nowhere"
WAITING = '{"key": "none", "wire": 99, "request": {"ask": "of a newer program"}}'
"""What nobody drains: so the spool looks as it does while something waits there."""


class Turn(Struct):
    """`reported`: whether its prompt is known in the end; `answer`: empty until it has one."""

    number: int
    words: str
    said: datetime
    reported: bool = False
    answer: str = ""
    done: datetime | None = None
    shown: frozenset[str] = frozenset()


class Session:
    def __init__(self, client: Client) -> None:
        self.client, self.id = client, f"ses_{client}"
        self.turns: list[Turn] = []
        self.open: list[Turn] = []
        """Its prompts that wait for their answers, the oldest first."""

    def expected(self) -> list[tuple[str, str, str | None, frozenset[str]]]:
        """Of each turn that was answered: its prompt, its answer, what was said next, and what it was shown."""
        known = [turn for turn in self.turns if turn.reported]
        return [
            (one.words, one.answer, next((two.words for two in known if two.number > one.number), None), one.shown)
            for one in self.turns
            if one.answer
        ]


class World:
    """A store that somebody's clients tell of their sessions, and the clock of their machine."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now = folder, NOON
        self.memory: OpenMemory
        self._spool: list[tuple[EventId, Deliver]] = []
        self._number = 0
        self._opened: Any = None
        self._chance = Random(0)

    async def begin(self) -> None:
        stamp = Stamp(now=self._reads, random=self._chance.randbytes)
        self._opened = aftermind.open_memory(self.folder, stamp=stamp)
        self.memory = await self._opened.__aenter__()

    async def end(self) -> None:
        await self._opened.__aexit__(None, None, None)

    async def begin_anew(self) -> None:
        await self.end()
        await self.begin()
        await self.drain()  # before anybody asks anything

    async def prompt(self, of: Session, words: str, how: How) -> None:
        turn = Turn(number=len(of.turns), words=words, said=self.now, reported=how != "never")
        of.turns.append(turn)
        of.open.append(turn)
        if turn.reported:
            printed = await self._tell(_deliver(of.client, "prompt", _prompt(of, turn)), how)
            turn.shown = frozenset(fact for fact in FACTS if fact in printed)

    async def answer(self, of: Session, how: How) -> None:
        """Its oldest prompt is answered; OpenCode says that when it has nothing more to do, of all."""
        ended = of.open if of.client == "opencode" else of.open[:1]
        of.open = of.open[len(ended) :]
        for turn in ended:
            self.now += timedelta(seconds=1)
            turn.done, turn.answer = self.now, f"answer {turn.number} of {of.id}"
        for turn in ended:
            if how != "never":
                turn.reported |= of.client == "opencode"
                await self._tell(_deliver(of.client, "turn", _turn(of, turn)), how)

    async def bring(self, of: Session) -> None:
        """What its client keeps of it is imported, as far as it is a minute old. An import claims no briefing."""
        for turn in of.turns:
            if turn.done is not None and self.now - turn.done > timedelta(minutes=1):
                turn.reported = True
                exchange = await self.memory.record(
                    turn.words,
                    turn.answer,
                    session=of.id,
                    project=HERE,
                    id=_name(turn),
                    client=of.client,
                    at=turn.said,
                    collection="history",
                    answered=(turn.done,),
                )
                if exchange.delivery == "new":
                    turn.shown = frozenset()

    async def drain(self) -> None:
        waiting, self._spool = sorted(self._spool, key=lambda one: one[0]), []
        self._look_of_the_spool()
        for key, asked in waiting:
            self.now += timedelta(milliseconds=20)
            at = datetime.fromtimestamp(int(key[:12], 16) / 1000, NOON.tzinfo) + timedelta(milliseconds=1)
            await self._held.answer(asked, key, min(at, self.now))

    async def recorded(self, session: Session) -> list[tuple[str, str, str | None, frozenset[str]]]:
        """The same as `expected`, as it is known."""
        events = {one.draft.id: one.draft.event for one in await self.memory.events(limit=10_000)}
        shown = {id: one.shown for id, one in events.items() if isinstance(one, ContextInjected)}
        texts = {one.memory: one.text for one in events.values() if hasattr(one, "kind") and one.text in FACTS}
        sql = "SELECT exchange, follow_up FROM worklist ORDER BY said, place"
        rows = await self._held.current().read(lambda c: c.execute(sql).fetchall())
        told = [(events[id], events.get(follow_up)) for id, follow_up in rows]
        return [
            (
                one.prompt,
                one.answer,
                _words(after),
                frozenset(texts[of.memory] for id in one.injections for of in shown[id] if of.memory in texts),
            )
            for one, after in told
            if isinstance(one, ExchangeRecorded) and one.session == session.id
        ]

    @property
    def _held(self) -> Any:
        return self.memory.ask.__self__  # type: ignore[attr-defined]

    async def _tell(self, asked: Deliver, how: How, key: EventId | None = None) -> str:
        self._number += 1
        key = key or EventId(f"{int(self.now.timestamp() * 1000):012x}{self._number:020x}")
        printed = ""
        if how != "spooled":
            try:
                printed = str((await self._held.answer(asked, key)).text)
            except Refused:
                how = "spooled"
        if how == "twice":
            await self._tell(asked, "at once", key if asked.client == "json" else None)
        elif how.endswith("spooled"):
            self._spool.append((key, asked))
        self._look_of_the_spool()
        return printed

    def _look_of_the_spool(self) -> None:
        file = self.folder / "spool" / f"{'0' * 32}.json"
        file.parent.mkdir(exist_ok=True)
        if self._spool:
            file.write_text(WAITING)
        else:
            file.unlink(missing_ok=True)

    def _reads(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now


def _words(event: object) -> str | None:
    return event.text if isinstance(event, PromptReceived) else getattr(event, "prompt", None)


def _name(turn: Turn) -> str:
    return f"msg_{turn.number:04}"


def _deliver(client: Client, event: str, said: dict[str, Any]) -> Deliver:
    return Deliver(client=client, event=event, payload=json.dumps(said).encode(), directory=HERE)


def _prompt(of: Session, turn: Turn) -> dict[str, Any]:
    match of.client:
        case "opencode":
            return {"session": of.id, "message": _name(turn), "prompt": turn.words}
        case "json":
            return {"session": of.id, "project": HERE, "prompt": turn.words}
        case "claude-code":
            return {"session_id": of.id, "cwd": HERE, "prompt_id": _name(turn), "prompt": turn.words}
        case "gemini":
            return {"session_id": of.id, "cwd": HERE, "timestamp": turn.said.isoformat(), "prompt": turn.words}
        case "codex":
            return {"session_id": of.id, "cwd": HERE, "turn_id": _name(turn), "prompt": turn.words}


def _turn(of: Session, turn: Turn) -> dict[str, Any]:
    match of.client:
        case "opencode":
            assert turn.done is not None
            begun, done = (int(at.timestamp() * 1000) for at in (turn.said, turn.done))
            asked = {"id": _name(turn), "role": "user", "time": {"created": begun}}
            given = {"id": f"{_name(turn)}a", "role": "assistant", "parentID": _name(turn)}
            given["time"] = {"created": begun, "completed": done}  # type: ignore[assignment]
            texts = ((asked, turn.words), (given, turn.answer))
            return {
                "session": of.id,
                "messages": [{"info": info, "parts": [{"type": "text", "text": text}]} for info, text in texts],
            }
        case "json":
            return {"session": of.id, "project": HERE, "answer": turn.answer}
        case "claude-code":
            named = {"prompt_id": _name(turn), "last_assistant_message": turn.answer}
            return {"session_id": of.id, "cwd": HERE, **named}
        case "gemini":
            return {"session_id": of.id, "cwd": HERE, "prompt": turn.words, "prompt_response": turn.answer}
        case "codex":
            words = {"input-messages": [turn.words], "last-assistant-message": turn.answer}
            return {"type": "agent-turn-complete", "thread-id": of.id, "turn-id": _name(turn), "cwd": HERE, **words}
