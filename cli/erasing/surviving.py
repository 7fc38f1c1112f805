"""Is it gone? Every file is read for pieces and words of what was forgotten; what is found is either said by something
that stays, which is told, or should not be there, which is told as well. Blocks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import accumulate
from pathlib import Path

from msgspec import Struct

from aftermind.cli.erasing.files import is_spooled, read
from aftermind.cli.erasing.looking import Looking
from aftermind.cli.erasing.needles import Needles
from aftermind.cli.language.erasing import Left
from aftermind.engine.moments import MONTHS, WEEKDAYS
from aftermind.engine.names import MemoryId
from aftermind.engine.sqlite import Connection
from aftermind.engine.store.spoken import sayings, texts_of
from aftermind.engine.stored import FORMS
from aftermind.projections.reading.terms import STOP_WORDS
from aftermind.projections.recalling.ranking.order import REASONS

SAYERS = 4
"""A word that so many events say is no rare one."""
PAGE = 100
_ESCAPED = re.compile(rb'["\\\\\x00-\x1f]')
_ELSEWHERE = re.compile(r"logs/|backups/\.?[0-9a-f]{64}")
_OWN = re.compile(r"(bin|run)/|lock$|\.?clients\.|backups\.(json|lock)|erased\.ids$|views\.current$|\.gitignore$")
"""Files of the program's own, by their paths in a store: what somebody remembered is in none of them."""


class Seen(Struct, frozen=True, kw_only=True):
    """The bytes that were read, and which files hold which of the needles."""

    size: int
    where: Mapping[bytes, tuple[str, ...]]


def seen(named: Iterable[tuple[str, Path]], needles: Needles, held: Iterable[bytes] = ()) -> Seen:
    """What is in the files, by the names they are told by. `held`: beginnings of vectors."""
    exact = Looking([*needles.pieces, *held])
    words = Looking([word.encode() for word in needles.words])
    size, where = 0, dict[bytes, list[str]]()
    for name, path in named:
        try:
            size += path.stat().st_size
        except FileNotFoundError:
            continue
        hits = exact.in_file(path) | words.in_file(path, lower=True)
        if is_spooled(path):
            for saying in sayings(read(path)):
                hits |= {needle for _, needle in exact.found(saying)}
                hits |= {needle for _, needle in words.found(saying.lower())}
        for needle in hits:
            where.setdefault(needle, []).append(name)
    return Seen(size=size, where={needle: tuple(names) for needle, names in where.items()})


class Sayers:
    """Who of those that stay says what was found."""

    def __init__(self, found: Mapping[bytes, tuple[str, ...]], needles: Needles) -> None:
        self._found = found
        self._are_words = words = {word.encode() for word in needles.words}
        exact = [needle for needle in found if needle not in words]
        self._exact = Looking(exact)
        self._plain = Looking([needle for needle in exact if _ESCAPED.search(needle)])
        """Those that a log, which is JSON, writes otherwise than the views do."""
        self._words = Looking([needle for needle in found if needle in words])
        self.memories: dict[bytes, list[MemoryId]] = {needle: [] for needle in found}
        self.events: dict[bytes, int] = dict.fromkeys(found, 0)

    def read(self, log: Connection, after: int) -> int | None:
        """A page of the log; where it ended, None at the end or when nothing more has to be known."""
        left = self._exact.needles | self._words.needles
        if not left:
            return None
        sql = "SELECT position, stream, payload FROM event WHERE position > ? ORDER BY position LIMIT ?"
        rows = log.execute(sql, (after, PAGE)).fetchall()
        payloads = [row[2] or b"" for row in rows]
        starts = [0, *accumulate(len(payload) + 1 for payload in payloads)]
        whole = b"\n".join(payloads)
        hits = {(bisect_right(starts, place) - 1, needle) for place, needle in self._exact.found(whole)}
        hits |= {(bisect_right(starts, place) - 1, needle) for place, needle in self._words.found(whole.lower())}
        if self._plain.needles:
            said = ["\n".join(texts_of(payload)).encode("utf-8", "replace") for payload in payloads]
            hits |= {(row, needle) for row, text in enumerate(said) for _, needle in self._plain.found(text)}
        for row, needle in sorted(hits):
            self.events[needle] += 1
            stream = rows[row][1]
            memory = MemoryId(stream.removeprefix("memory-"))
            known = self.memories[needle]
            if stream.startswith("memory-") and memory not in known and len(known) < SAYERS:
                known.append(memory)
        enough = {needle for needle, count in self.events.items() if count >= SAYERS}
        if enough & left:
            self._exact, self._plain, self._words = (
                Looking(one.needles - enough) for one in (self._exact, self._plain, self._words)
            )
        return rows[-1][0] if rows else None

    def left(self, ours: str) -> tuple[Left, ...]:
        """What is worth telling: rare words with those who say them, and what nobody says. Pieces of what was forgotten
        that others say as well are told by their words alone. `ours`: what the program says itself; its words are no
        rare ones, nor are those that say nothing of what is spoken of (`please`)."""
        dates = *MONTHS, *WEEKDAYS  # said of every memory, by when it was said
        ours = f"{ours} {' '.join((*FORMS, *dates))} {REASONS}".casefold()
        told = []
        for needle, files in self._found.items():
            word, said = needle.decode("utf-8", "replace"), self.events[needle]
            is_word = needle in self._are_words
            if (said and not is_word) or said >= SAYERS or (is_word and (word in ours or _are_elsewhere(files))):
                continue
            if said and word in STOP_WORDS:
                continue
            told.append(
                Left(word=word if is_word else "…", files=files, memories=tuple(self.memories[needle]), events=said)
            )
        return tuple(sorted(told, key=lambda one: (one.events > 0, one.word)))


def _are_elsewhere(files: Iterable[str]) -> bool:
    """A word alone, in files that hold nothing of what is remembered: a client's configuration, the daemon's log."""
    return all(_ELSEWHERE.match(name) for name in files)


def is_own(name: str) -> bool:
    """Whether a file of a store is the program's own, and holds nobody's words."""
    return _OWN.match(name) is not None


def words_of_doors(paths: Iterable[Path]) -> str:
    """All that the program's own files say, of those that are there."""
    return " ".join(path.read_text("utf-8", "replace") for path in paths if path.is_file())


def schema_of(connection: Connection) -> str:
    """All that a database's file says of itself, byte beside byte as it stands there: `event_stays` and `event` say
    "seven", and a number that is a letter may join them. https://sqlite.org/fileformat.html#record_format"""
    rows = connection.execute("SELECT type, name, tbl_name, rootpage, ifnull(sql, '') FROM sqlite_schema")
    return " ".join(["SQLite format 3", *(_record(*row) for row in rows)])


def _record(type: str, name: str, table: str, page: int, sql: str) -> str:
    """A row of the schema, behind the last byte of its header, which tells how long its last column is."""
    header = chr(13 + 2 * len(sql.encode()) & 0x7F)
    number = page.to_bytes(page.bit_length() // 8 + 1, "big") if page > 1 else b""
    return f"{header}{type}{name}{table}{number.decode('latin-1')}{sql}"
