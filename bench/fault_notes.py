"""What the writers of a fault campaign ask for, and their own record of it, kept outside of the store.

Everything about a write follows from its token, `w2i5n17r`: writer 2, in its fifth life, its 17th write, of the form
`r`. So what the log must hold for it can be told from the token alone, down to the last letter of its text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from aftermind.cli.language.requests import (
    Become,
    Correct,
    Deliver,
    EndSession,
    Forget,
    Record,
    Remember,
    Request,
    Score,
)
from aftermind.engine import events as happened
from aftermind.engine.events import Event

TOKEN = re.compile(r"w\d+i\d+n\d+[a-z]")
FORMS = {
    "p": "a fact",
    "t": "a fact with tags",
    "s": "a fact of a session",
    "r": "an exchange",
    "i": "an exchange with the client's id",
    "e": "a session's end",
    "d": "a turn, forwarded",
    "f": "a session's end, forwarded",
    "o": "a fact in another's place",
    "c": "a correction",
    "k": "a lock",
    "a": "an archiving",
    "x": "a forgetting",
    "u": "a promotion",
    "j": "a verdict",
}
BEGINNINGS, OF_FACTS, OF_EXCHANGES, OF_SESSIONS = "ptsrid", "ockax", "uj", "ef"
"""What needs nothing that was before; what acts on a fact, an exchange, a session."""
SPOOLABLE = BEGINNINGS + OF_SESSIONS + "o"
_WORDS = ("staging", "port", "deploy", "migration", "queue", "invoice", "retry", "schema", "ledger", "batch", "webhook")


class Asked(Struct, frozen=True, tag="asked"):
    """Begun: it may be in the log from here on. `old` is what it acts on, `key` what it is asked under, if known."""

    token: str
    key: str = ""
    old: str = ""


class Acked(Struct, frozen=True, tag="acked"):
    """Acknowledged: it must be in the log from here on. `pid` is who held the store then."""

    token: str
    way: str
    at: float
    pid: int = 0


class Refused(Struct, frozen=True, tag="refused"):
    """An error that is no loss of the connection."""

    token: str
    error: str
    what: str


Note: TypeAlias = Asked | Acked | Refused
_decode = msgspec.json.Decoder(Note).decode


class Notes:
    """One life's file. What is noted as acknowledged lasts."""

    def __init__(self, folder: Path, name: int, life: int) -> None:
        self._file = os.open(folder / f"{name}.{life}", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def note(self, note: Note) -> None:
        os.write(self._file, msgspec.json.encode(note) + b"\n")
        if isinstance(note, Acked):
            os.fsync(self._file)


def noted(folder: Path, name: int | str = "*") -> Iterator[Note]:
    """Everything noted, of one writer or of all; a line that was cut short was not said."""
    for file in sorted(folder.glob(f"{name}.*")):
        for line in file.read_bytes().split(b"\n")[:-1]:
            yield _decode(line)


# --- what a token says ----------------------------------------------------------------------------------------


def session_of(token: str) -> str:
    """A fact of a session has one of its own, which may be ended once; the rest share a few."""
    return token if token[-1] == "s" else f"session-{token.split('i')[0]}-{Random(token).randrange(5)}"


@lru_cache(100)
def text_of(token: str) -> str:
    """Mostly a few lines, sometimes some pages, rarely as much as a file."""
    chance = Random(token)
    words = chance.choices((30, 300, 6000), (90, 9, 1))[0]
    return f"{token} " + " ".join(chance.choice(_WORDS) for _ in range(words))


def answer_of(token: str) -> str:
    return f"It is done, {text_of(token)[::-1]}"


def request_of(token: str, old: str = "") -> Request:
    """The request, always the same."""
    text, session = text_of(token), session_of(token)
    project = Random(token).choice((None, "shop", "ledger"))
    match token[-1]:
        case "p":
            return Remember(text=text, project=project)
        case "t":
            return Remember(text=text, tags=("fault",), kind="decision")
        case "s":
            return Remember(text=text, session=session)
        case "o":
            return Remember(text=text, supersedes=old)
        case "r":
            return Record(prompt=text, answer=answer_of(token), session=session, project=project)
        case "i":
            return Record(prompt=text, answer=answer_of(token), session=session, id=token, client="bench")
        case "e":
            return EndSession(session=old)
        case "d":
            return Deliver(client="json", event="turn", payload=payload_of(token, old))
        case "f":
            return Deliver(client="json", event="end", payload=payload_of(token, old))
        case "c":
            return Correct(id=old, text=text)
        case "k":
            return Become(id=old, step="lock")
        case "a":
            return Become(id=old, step="archive")
        case "x":
            return Forget(id=old)
        case "u":
            return Become(id=old, step="promote")
        case "j":
            return Score(outcome="worked", exchange=old)
    raise AssertionError(token)


def payload_of(token: str, old: str = "") -> bytes:
    """What a client's hook is given on its standard input."""
    said: dict[str, Any] = {"session": old or session_of(token)}
    if token[-1] == "d":
        said |= {"prompt": text_of(token), "answer": answer_of(token)}
        said |= {"id": token} if Random(token).random() < 0.5 else {}
    return msgspec.json.encode(said)


def marks_of(token: str, old: str = "") -> set[str]:
    """What the log holds once a write is done, each once."""
    match token[-1]:
        case "p" | "t" | "s":
            return {f"memory {token}"}
        case "r" | "i" | "d":
            return {f"memory {token}", f"exchange {token}"}
        case "e" | "f":
            return {f"ended {old}"}
        case "o":
            return {f"memory {token}", f"superseded {old}"}
        case form:
            did = {"c": "corrected", "k": "locked", "a": "archived", "x": "forgotten", "u": "promoted", "j": "judged"}
            return {f"{did[form]} {old}"}


def mark_of(event: Event) -> str:
    """What an event of the log is a mark of; empty for what no writer asked for by itself."""
    match event:
        case happened.MemoryRecorded():
            return _mark("memory", event.text, event.answer)
        case happened.ExchangeRecorded():
            return _mark("exchange", event.prompt, event.answer)
        case happened.SessionEnded():
            return f"ended {event.session}"
        case happened.MemorySuperseded(reason="said by hand"):
            return f"superseded {event.memory}"
        case happened.MemoryCorrected():
            return f"corrected {event.memory}"
        case happened.MemoryLocked():
            return f"locked {event.memory}"
        case happened.MemoryArchived():
            return f"archived {event.memory}"
        case happened.MemoryForgotten():
            return f"forgotten {event.memory}"
        case happened.MemoryPromoted(reason="by hand"):
            return f"promoted {event.memory}"
        case happened.ExchangeJudged(judge="person"):  # the embedded judge may have said its own before, as it should
            return f"judged {event.exchange}"
        case _:
            return ""


def _mark(what: str, text: str, answer: str) -> str:
    token = text.split(" ")[0]
    whole = TOKEN.fullmatch(token) and text == text_of(token) and answer in ("", answer_of(token))
    return f"{what} {token}" if whole else f"garbled {text[:60]!r}"
