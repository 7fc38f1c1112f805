"""Which events were erased, in a file beside the log: `erased.ids`, so that no backup or import brings them back.

One id a line, appended and synced before a payload is emptied. A line `done N` says that all above it is out of
every file, and that it was named by the first N events of the log that forget; a line `again` that all above it has to
be looked for once more, because another log was put in this one's place. So a crash at any instant leaves either
nothing noted, or ids that are `unfinished`, which the next to open the store completes. A line that was not written to
its end is no line. Whoever holds the store's lock writes here, nobody else.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote, unquote

from aftermind.engine.names import EventId
from aftermind.engine.store.lasting import refusal, said, synced

ERASED = "erased.ids"
_DONE, _AGAIN = "done", "again"
_PLAIN = re.compile(r"[!-$&-~][!-~]*")


def note(folder: Path, ids: Iterable[EventId]) -> int:
    """Those ids are to be erased; durable when this returns. How many were not noted before. They stay `unfinished`
    until `finish`. `DiskFull` or `DiskFailed` where it cannot be written: then nothing may be emptied."""
    known = noted(folder)
    new = [id for id in dict.fromkeys(ids) if id not in known]
    if new:
        _append(folder, [_as_line(id) for id in new])
    return len(new)


def noted(folder: Path) -> frozenset[EventId]:
    """Every id that was ever noted."""
    return frozenset(_of_line(line) for line in _lines(folder) if line != _AGAIN and not _is_done(line))


def unfinished(folder: Path) -> frozenset[EventId]:
    """The ids that may still be in some file."""
    open: set[str] = set()
    above: set[str] = set()
    for line in _lines(folder):
        if _is_done(line):
            open = set()
        elif line == _AGAIN:
            open = set(above)
        else:
            open.add(line)
            above.add(line)
    return frozenset(map(_of_line, open))


def finish(folder: Path, forgets: int = 0) -> None:
    """All that is noted is out of every file we can reach; it was named by so many events that forget."""
    if unfinished(folder) or forgets != finished(folder):
        _append(folder, [f"{_DONE} {forgets}"])


def finished(folder: Path) -> int:
    """Of how many events that forget, what they name is out of every file."""
    done = 0
    for line in _lines(folder):
        if _is_done(line):
            done = int(count) if (count := line.removeprefix(_DONE).strip()).isdecimal() else 0
        elif line == _AGAIN:
            done = 0
    return done


def reopen(folder: Path) -> None:
    """All that is noted has to be looked for once more: the log was replaced by another. Durable when this returns."""
    if noted(folder) != unfinished(folder) or finished(folder):
        _append(folder, [_AGAIN])


def _as_line(id: EventId) -> str:
    """An id as a line that is nothing else: one that came from elsewhere may hold anything (`%` marks these)."""
    plain = _PLAIN.fullmatch(id) and id not in (_DONE, _AGAIN)
    return str(id) if plain else f"%{quote(id, safe='')}"


def _of_line(line: str) -> EventId:
    return EventId(unquote(line[1:]) if line.startswith("%") else line)


def _is_done(line: str) -> bool:
    return line == _DONE or line.startswith(f"{_DONE} ")


def _lines(folder: Path) -> list[str]:
    try:
        text = (folder / ERASED).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise refusal(error, folder / ERASED) from error
    return [line for line in text.split("\n")[:-1] if line]


def _append(folder: Path, lines: Sequence[str]) -> None:
    """Whole lines behind the last whole one. What a crash cut short there goes."""
    path = folder / ERASED
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    with said(path):
        with os.fdopen(os.open(path, flags, 0o600), "rb+") as file:
            kept = file.read().rfind(b"\n") + 1
            file.truncate(kept)
            file.seek(kept)
            file.write("".join(f"{line}\n" for line in lines).encode())
            file.flush()
            os.fsync(file.fileno())
        synced(folder)  # where the file is new, its name has to last as well
