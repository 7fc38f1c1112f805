"""Everything that can go wrong by design: one tree. Each error carries its values, says what happened, and
names the command that helps. Errors of libraries and of the system are translated where they enter (`sqlite_errors.py`,
`store/lasting.py`). Pure.
"""

from __future__ import annotations

from pathlib import Path


class AftermindError(Exception):
    """What happened. `hint` is the next step, a command where there is one; `status` is the CLI's exit code."""

    status = 1
    hint = ""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else type(self).__name__


# --- what was asked does not fit ------------------------------------------------------------------------------


class Unusable(AftermindError):
    """An argument outside its closed list, empty where text is needed, or too large."""

    status = 2

    def __init__(self, what: str, value: object, *, hint: str = "") -> None:
        self.what, self.value = what, value
        self.hint = hint
        super().__init__(f"{what}: {_shown(value)}")


class NotFound(AftermindError):
    """No memory, exchange, session or project of that id."""

    status = 3

    def __init__(self, what: str, id: str, *, hint: str = "`aftermind search WORDS` finds memories by text") -> None:
        self.what, self.id, self.hint = what, id, hint
        super().__init__(f"no {what} with the id {_shown(id)}")


class NoneYet(NotFound):
    """None of that kind is there, whatever its id."""

    def __init__(self, what: str, where: str, *, hint: str) -> None:
        super().__init__(what, where, hint=hint)
        self.args = (f"there is no {what} {where} yet",)


class NothingToScore(AftermindError):
    """A verdict on the last exchange of a place where there is none."""

    status = 3
    hint = "`aftermind record` puts an exchange in"

    def __init__(self, where: str) -> None:
        self.where = where
        super().__init__(f"there is no exchange in {where} to score")


class OffLimits(AftermindError):
    """Nothing of this is captured or shown: it is paused, a list puts it off limits, or all of it is private."""

    status = 4

    def __init__(self, why: str, *, hint: str = "") -> None:
        self.why, self.hint = why, hint
        super().__init__(why)


class Refused(AftermindError):
    """The rules of a memory's life forbid it: it is locked, archived, or already what was asked."""

    status = 4

    def __init__(self, why: str, *, hint: str = "") -> None:
        self.hint = hint
        super().__init__(why)


class Held(AftermindError):
    """Somebody else has claimed it, and the lease is not over."""

    status = 4

    def __init__(self, item: str, by: str, until: str, fence: int, *, hint: str = "") -> None:
        self.item, self.by, self.until, self.fence, self.hint = item, by, until, fence, hint
        super().__init__(f"{_called(item)} is held by {by} until {until}, as number {fence}")


class NotHeld(AftermindError):
    """It was claimed by nobody, by somebody else, or under another number; or the lease is over."""

    status = 4

    def __init__(self, item: str, why: str, *, hint: str = "") -> None:
        self.item, self.why, self.hint = item, why, hint
        super().__init__(f"{_called(item)} is not yours: {why}")


class ExchangeDiffers(AftermindError):
    """The client sent another text under an exchange id that is already recorded."""

    status = 4
    hint = "a new exchange needs an id of its own; `aftermind log --type exchange-recorded` shows what is recorded"

    def __init__(self, exchange: str) -> None:
        self.exchange = exchange
        super().__init__(f"exchange {exchange} is recorded with another text")


# --- the log's own contract -----------------------------------------------------------------------------------


class StreamMoved(AftermindError):
    """Another writer appended first. Caught in exactly one place: `transact`."""

    def __init__(self, stream: str, expected: int, found: int) -> None:
        self.stream, self.expected, self.found = stream, expected, found
        super().__init__(f"stream {stream} is at version {found}, not {expected}")


class HalfRepeated(AftermindError):
    """Some events of an append are in the log already and some are not; nothing was written."""

    def __init__(self, known: str, missing: str) -> None:
        self.known, self.missing = known, missing
        super().__init__(f"event {known} is recorded already but {missing} of the same append is not")


# --- the disk -------------------------------------------------------------------------------------------------


class StoreUnusable(AftermindError):
    """The folder cannot hold a store: someone else's, read-only, on a network mount, or not a folder."""

    status = 5

    def __init__(self, folder: Path, why: str, *, hint: str) -> None:
        self.folder, self.hint = folder, hint
        super().__init__(f"{folder} cannot be used as a store: {why}")


class Left(StoreUnusable):
    """It was asked after the block of `open_memory` had ended."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "this program has let it go", hint="open it again: `async with open_memory(…)`")


class StoreHeld(AftermindError):
    """Another process is the writer of this store."""

    status = 6

    def __init__(self, folder: Path, holder: str) -> None:
        self.folder, self.holder = folder, holder
        self.hint = "wait until it ends, or use another store: AFTERMIND_HOME=FOLDER aftermind …"
        super().__init__(f"the store {folder} is being written by {holder}")


NOTHING_LOST = "; `aftermind verify` shows that nothing recorded was lost"
RAISE = f"raise that limit and run the command again{NOTHING_LOST}"


def limited(limit: int) -> str:
    """Why a file could not grow that the system lets have so many bytes."""
    return f"no file of this process may have more than {limit:,} bytes (`ulimit -f`)"


class DiskFull(AftermindError):
    """The disk refused a write. Nothing of this append was kept; what was acknowledged before is there."""

    status = 5
    hint = f"free some space and run the command again{NOTHING_LOST}"

    def __init__(self, path: Path, *, limit: int | None = None) -> None:
        """`limit`: bytes that a file of this process may have, where it is that and not the disk."""
        self.path, why = path, f"no space left to write {path}"
        if limit is not None:
            self.hint, why = RAISE, f"{path} could not be used: {limited(limit)}"
        super().__init__(why)


class NotPrinted(AftermindError):
    """What a command had to say was taken by nobody: standard output goes to a full disk, for example."""

    status = 5

    def __init__(self, why: str, *, is_over: bool) -> None:
        self.why = why
        self.hint = f"let it go elsewhere{'; whatever the command had to do is done' if is_over else ''}"
        super().__init__(f"standard output could not be written: {why}")


class NotYetErased(AftermindError):
    """What was forgotten is in no answer any more, and its bytes are still in some file. That is gone on with by
    itself."""

    status = 5
    hint = "`aftermind forget --complete` waits for it; whoever opens the store next goes on with it"

    def __init__(self, folder: Path, why: str) -> None:
        self.folder, self.why = folder, why
        super().__init__(f"it is in no answer any more, but its bytes are not out of every file of {folder} yet: {why}")


class DiskFailed(AftermindError):
    """SQLite could not read or write a file for another reason than space or damage. `limit` as of `DiskFull`: SQLite
    does not tell it from a fault, and a file that is made anew may be smaller."""

    status = 5
    hint = "see that the folder can be written by you and is on a local disk"

    def __init__(self, path: Path, why: str, *, limit: int | None = None) -> None:
        self.path, self.why = path, why
        if limit is not None:
            self.hint, self.why = RAISE, limited(limit)
        super().__init__(f"{path} could not be used: {self.why}")


class LogDamaged(AftermindError):
    """The log cannot be trusted from `position` on. It was not changed."""

    status = 7

    def __init__(self, path: Path, position: int, why: str, *, opens: bool = True) -> None:
        self.path, self.position, self.why = path, position, why
        self.hint = "`aftermind repair` says what is lost and mends the rest, from a backup where there is one"
        if opens:
            self.hint += "; `aftermind log --json` prints what can still be read"
        super().__init__(f"{path} is damaged: {why}; intact up to position {position}")


class ViewsDiffer(AftermindError):
    """The views are not what the log says, or cannot be read. Nothing is lost with them."""

    status = 8
    hint = "`aftermind rebuild` grows them anew from the log"


class FileDamaged(AftermindError):
    """SQLite says a file is not a database or is malformed. Of the log it becomes `LogDamaged`; of a view it is
    never fatal: views are rebuilt."""

    def __init__(self, path: Path, why: str) -> None:
        self.path, self.why = path, why
        super().__init__(f"{path} is damaged: {why}")


def _shown(value: object) -> str:
    if isinstance(value, Path):  # of which the end tells most
        return repr(str(value).encode("utf-8", "replace").decode("utf-8"))
    text = value if isinstance(value, str) else repr(value)
    text = text.encode("utf-8", "replace").decode("utf-8")
    return repr(text if len(text) <= 80 else text[:77] + "…")


def _called(item: str) -> str:
    """Somebody's own name of something, as it is: `repr` would take an emoji apart."""
    return f"“{item if len(item) <= 80 else item[:77] + '…'}”"
