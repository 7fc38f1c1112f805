"""What was changed in other programs' files, so that it can be undone: `clients.json` and `backups/` of the store.

A line is written before its file is: whoever is killed between the two leaves a line whose file is still as it was,
which undoes to nothing. A backup is the whole file as it was before the first edit, named by its content; it goes
with the last line that names it.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Annotated, TypeAlias

import anyio
import msgspec
from msgspec import Struct

from aftermind.cli.editing.files import digest_of, sync
from aftermind.cli.editing.wanted import Form, Want
from aftermind.engine.errors import AftermindError
from aftermind.engine.store.lasting import said
from aftermind.engine.store.lock import locked

LEDGER, BACKUPS, TURN = "clients.json", "backups", "clients.lock"
REVISION = 1
PATIENCE = 20.0
_POLL = 0.05
_BACKUP = re.compile(r"[0-9a-f]{64}|\.[0-9a-f]{64}\.new")


Digest: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""It names a backup: another word in a ledger that somebody else wrote would lead to any file."""


class Changed(Struct, frozen=True, kw_only=True):
    """A file we changed. `before` is None for one that was not there; `after` is empty where somebody else's edits
    are mixed with ours, so that the file as it was is no longer what is wanted back."""

    client: str
    path: str
    form: Form
    wants: tuple[Want, ...]
    before: Digest | None
    after: str
    made: tuple[tuple[str, ...], ...] = ()
    folders: tuple[str, ...] = ()
    supplanted: tuple[str, ...] = ()
    """What entries of other stores ran, whose places ours took and whose ledgers told of them."""


class _Ledger(Struct, frozen=True, kw_only=True):
    revision: int = REVISION
    changed: tuple[Changed, ...] = ()


class LedgerUnreadable(AftermindError):
    """`clients.json` is damaged, or a newer version's."""

    status = 5

    def __init__(self, path: Path, why: str) -> None:
        self.path, self.why = path, why
        self.hint = "upgrade Aftermind, or move that file away: entries are then found by what they run"
        super().__init__(f"{path} cannot be understood: {why}")


class Busy(AftermindError):
    """Another `init` or `uninstall` is at work."""

    status = 6
    hint = "wait until it is done"

    def __init__(self, store: Path) -> None:
        super().__init__(f"another process is changing the clients of {store}")


class Turn:
    """Only one process at a time changes clients for a store: `async with Turn(store)`."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._descriptor: int | None = None

    async def __aenter__(self) -> None:
        with anyio.move_on_after(PATIENCE):
            with said(self._store / TURN):
                while (found := locked(self._store / TURN)) is None:
                    await anyio.sleep(_POLL)
            self._descriptor = found
            return
        raise Busy(self._store)

    async def __aexit__(self, *_: object) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)


def changed(store: Path) -> tuple[Changed, ...]:
    """Every file that was changed for a client, in the order in which that began."""
    path = store / LEDGER
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise LedgerUnreadable(path, error.strerror or str(error)) from error
    try:
        ledger = msgspec.json.decode(content, type=_Ledger)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LedgerUnreadable(path, str(error)) from error
    if ledger.revision != REVISION:
        raise LedgerUnreadable(path, f"it has revision {ledger.revision}, this program knows {REVISION}")
    return ledger.changed


def note(store: Path, one: Changed, original: bytes | None) -> None:
    """Durable before the file is touched. `original` is what its backup has to hold, if it is not there yet. The backup
    of a line whose place this one takes goes."""
    if one.before is not None and original is not None and digest_of(original) == one.before:
        _put(store / BACKUPS / one.before, original)
    rest = changed(store)
    old = next((two for two in rest if (two.client, two.path) == (one.client, one.path)), None)
    rest = (*rest, one) if old is None else tuple(one if two is old else two for two in rest)
    _save(store, rest)
    if old is not None:
        _let_go(store, old, rest)


def forget(store: Path, one: Changed) -> None:
    """It is undone: the line goes, then the backup nobody else needs."""
    rest = tuple(two for two in changed(store) if (two.client, two.path) != (one.client, one.path))
    _save(store, rest)
    _let_go(store, one, rest)


def _let_go(store: Path, one: Changed, rest: tuple[Changed, ...]) -> None:
    """Its backup, unless another line has the same. What no line names at all may be of a ledger that was moved away,
    and the only copy of what somebody had: that is for `tidy`."""
    if one.before is not None and all(two.before != one.before for two in rest):
        (store / BACKUPS / one.before).unlink(missing_ok=True)
    with suppress(OSError):
        (store / BACKUPS).rmdir()


def tidy(store: Path) -> None:
    """Once everything is undone: no backup stays that no line names, whole or half written."""
    named = {one.before for one in changed(store)}
    for path in (store / BACKUPS).glob("*"):
        if _BACKUP.fullmatch(path.name) and path.name not in named:
            path.unlink(missing_ok=True)
    with suppress(OSError):
        (store / BACKUPS).rmdir()


def backup(store: Path, one: Changed) -> bytes | None:
    """The file as it was, where that is still known."""
    if one.before is None:
        return None
    try:
        content = (store / BACKUPS / one.before).read_bytes()
    except OSError:
        return None
    return content if digest_of(content) == one.before else None


def _save(store: Path, every: tuple[Changed, ...]) -> None:
    path = store / LEDGER
    if not every:
        path.unlink(missing_ok=True)
        sync(store)
        return
    _put(path, msgspec.json.format(msgspec.json.encode(_Ledger(changed=every)), indent=1) + b"\n", replace=True)


def _put(path: Path, content: bytes, *, replace: bool = False) -> None:
    """Readable by its owner alone: a configuration may hold keys."""
    if not replace and path.is_file() and path.read_bytes() == content:
        return
    half = path.with_name(f".{path.name}.new")
    with said(path):
        path.parent.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            half.replace(path)
        finally:
            half.unlink(missing_ok=True)
    sync(path.parent)
