"""How requests and answers lie on the wire, and where the wire is.

Whoever holds the store listens on `run/socket` (or, where there are no Unix sockets or no way to name one, on a
loopback port that `run/address` tells together with a token). It speaks first: a `Welcome`, which alone proves that
it lives, for a connection is also taken for a process that is stopped or dying. Then calls and replies alternate.
Each is a frame: four bytes of length, big-endian, and so much JSON.
"""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Raw, Struct

from aftermind.cli.language.process import Holder
from aftermind.cli.language.requests import Request
from aftermind.engine import errors
from aftermind.engine.errors import AftermindError, StoreUnusable
from aftermind.engine.names import EventId
from aftermind.engine.stored import from_json, storable

WIRE = 1
"""Raised when an older program could not be understood, or could not understand."""
FIRST = 1
"""The wire of a message that says none: spool files of the first hooks, and whatever forgot it."""
UNDERSTOOD = 2
"""Older wires than its own that a program understands."""
RUN, SOCKET, ADDRESS = "run", "socket", "address"
LARGEST_CALL = 160 * 1024 * 1024
"""Bytes. The largest text a store takes, escaped."""
LARGEST_REPLY = LARGEST_CALL
UNIX = hasattr(socket, "AF_UNIX")
"""Whether this system has sockets that are files."""
LONGEST_PATH = 100
"""Bytes of a socket's path, a little below what Linux (107) and macOS (103) take."""


class Welcome(Struct, frozen=True, kw_only=True):
    """The first word of who holds the store."""

    aftermind: str
    """Its version."""
    wire: int
    pid: int
    holder: Holder


class Call(Struct, frozen=True, kw_only=True):
    """One request. The same `key` again is the same request, delivered again. A spool file holds one, too."""

    key: EventId
    wire: int = FIRST
    """The sender's. Who says none speaks the first, whatever the reader's own is: a default that grew with the reader
    would take an old message for a new one."""
    seconds: float = 600.0
    """How long the caller waits."""
    request: Request


class _Wire(Struct):
    wire: int = FIRST


class Answered(Struct, frozen=True, kw_only=True, tag_field="reply", tag="answered"):
    answer: Raw


class Failed(Struct, frozen=True, kw_only=True, tag_field="reply", tag="failed"):
    """An error of `errors.py` by its name, or `Broken` for one that nobody foresaw."""

    error: str
    what: str
    hint: str
    values: dict[str, str | int | float | bool | None]


Reply: TypeAlias = Answered | Failed


class Unreachable(AftermindError):
    """Nobody holds the store, or who does was lost in the middle."""

    status = 6
    hint = "`aftermind doctor` tells why"

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(f"no daemon answers: {why}")


class Silent(AftermindError):
    """Somebody holds the store and the socket and says nothing."""

    status = 6
    hint = "`aftermind restart` replaces a daemon that hangs"

    def __init__(self, pid: int, seconds: float) -> None:
        self.pid, self.seconds = pid, seconds
        super().__init__(f"process {pid} holds the store and has not answered for {seconds:g} seconds")


class TooLate(AftermindError):
    """The answer was not there when the caller's time was over."""

    status = 6
    hint = "try again; `aftermind status` tells how busy the daemon is"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(f"no answer within {seconds:g} seconds")


class NotUnderstood(AftermindError):
    """A frame that is no request this program knows, or one that is too large."""

    status = 2
    hint = "another version may have sent it: `aftermind restart` starts the newest"

    def __init__(self, why: str, *, hint: str = "", logged: str = "") -> None:
        self.why, self.logged = why, logged
        self.hint = hint or type(self).hint
        super().__init__(f"the request was not understood: {why}")


class Newer(NotUnderstood):
    """A call of a program with a newer wire; it will understand itself."""


class Older(NotUnderstood):
    """A call of a program whose wire is not understood any more."""

    hint = "start the program that sent it again; a hook is replaced when a daemon starts"


class Broken(AftermindError):
    """An error nobody foresaw, in the process that holds the store."""

    hint = "`aftermind logs` shows it"

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(what)


_OWN = {form.__name__: form for form in (Unreachable, Silent, TooLate, NotUnderstood, Newer, Older, Broken)}
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_decode_call = msgspec.json.Decoder(Call).decode
_decode_wire = msgspec.json.Decoder(_Wire).decode
_decode_reply = msgspec.json.Decoder(Answered | Failed).decode


def framed(message: Struct) -> bytes:
    """The frame of a message. Text that cannot be written becomes text that can."""
    payload = to_json(message)
    return len(payload).to_bytes(4, "big") + payload


def to_json(message: Any) -> bytes:
    try:
        return msgspec.json.encode(message)
    except UnicodeEncodeError:  # a lone surrogate; the log would store it so, too
        return msgspec.json.encode(_storable(msgspec.to_builtins(message, builtin_types=(bytes,))))


def call_of(payload: bytes) -> Call:
    """The call in a frame or a spool file, or `NotUnderstood`."""
    try:
        call = from_json(_known, payload)
    except _UNREADABLE as error:
        raise NotUnderstood(str(error)) from None
    if len(call.key) != 32 or not call.key.isascii() or not call.key.isalnum():
        raise NotUnderstood("its key is not 32 letters and digits")
    return call


def _known(payload: bytes) -> Call:
    wire = _decode_wire(payload).wire
    if wire > WIRE:
        raise Newer(f"it speaks wire {wire}, this program {WIRE}")
    if wire < (oldest := max(FIRST, WIRE - UNDERSTOOD)):
        raise Older(f"it speaks wire {wire}, this program {oldest} to {WIRE}")
    return _decode_call(payload)


def reply_of(payload: bytes) -> Reply:
    try:
        reply: Reply = _decode_reply(payload)
    except _UNREADABLE as error:
        raise Unreachable(f"its reply cannot be read ({error})") from None
    return reply


def failed(error: AftermindError) -> Failed:
    values = {name: value if _is_plain(value) else str(value) for name, value in vars(error).items() if name != "hint"}
    if _form_of(type(error).__name__) is not type(error):
        values["status"] = error.status  # what is `Broken` there ends that program as it would this one
    return Failed(error=type(error).__name__, what=str(error), hint=error.hint, values=values)


def _form_of(name: str) -> type[AftermindError] | None:
    form = _OWN.get(name) or getattr(errors, name, None)
    return form if isinstance(form, type) and issubclass(form, AftermindError) else None


def error_of(failed: Failed) -> AftermindError:
    """The error as it was raised there, with the same values: of the same class where that stands in `errors.py` or
    here, else one that is `Broken`, with the same status."""
    form = _form_of(failed.error) or Broken
    error: AftermindError = form.__new__(form)
    error.args = (failed.what,)
    for name, value in {**failed.values, "hint": failed.hint}.items():
        setattr(error, name, Path(str(value)) if name in ("folder", "path") else value)
    return error


async def frame(stream: asyncio.StreamReader, largest: int) -> bytes:
    """The next frame's payload. `NotUnderstood` for one that is too large; asyncio.IncompleteReadError at the end."""
    size = int.from_bytes(await stream.readexactly(4), "big")
    if size > largest:
        raise NotUnderstood(f"it has {size:,} bytes, and at most {largest:,} are taken")
    return await stream.readexactly(size)


def is_older(version: str, than: str) -> bool:
    """Whether a version comes before another; what is no version comes before all."""

    def numbers(text: str) -> list[int]:
        return [int(part) if part.isdecimal() else -1 for part in text.split("+")[0].split(".")]

    return numbers(version) < numbers(than)


def run_folder(folder: Path) -> Path:
    """Where the socket is; made when it is missing."""
    run = folder / RUN
    try:
        run.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise StoreUnusable(folder, f"{error.strerror}: {run.name}", hint="`aftermind doctor` tells more") from error
    return run


def address_of(run: Path) -> tuple[int, bytes]:
    """Port and token. OSError or ValueError where no file tells them that is ours and that nobody else can open: what
    is said there goes to whoever has the port."""
    flags = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC"))
    with open(os.open(run / ADDRESS, os.O_RDONLY | flags), "rb") as file:  # noqa: PTH123 - it is open already
        facts = os.fstat(file.fileno())
        foreign = hasattr(os, "geteuid") and (facts.st_uid != os.geteuid() or facts.st_mode & 0o077)
        if foreign or not stat.S_ISREG(facts.st_mode):
            raise PermissionError(f"{ADDRESS} is not a file of this user's alone")
        port, _, token = file.read(1000).partition(b" ")
    return int(port), token


@asynccontextmanager
async def socket_name(run: Path, name: str) -> AsyncIterator[str | None]:
    """A path by which a socket in `run` can be bound or reached, however deep the folder is; None where there is
    none."""
    path = str(run / name)
    if not UNIX:
        yield None
    elif len(os.fsencode(path)) <= LONGEST_PATH:
        yield path
    elif sys.platform == "linux":
        folder = os.open(run, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            yield f"/proc/self/fd/{folder}/{name}"
        finally:
            os.close(folder)
    else:
        yield None


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _storable(value: Any) -> Any:
    match value:
        case str():
            return storable(value)
        case dict():
            return {_storable(key): _storable(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_storable(inner) for inner in value]
        case _:
            return value
