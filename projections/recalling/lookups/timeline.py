"""What is told of a stretch of time that holds more than can be told. Pure; `done.py` reads it.

Of too much a few are told, spread evenly: every day before a second one of any day, every session of a day before a
second one of it; of a session what tells most, and of an exchange and what was learned of it one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, tzinfo
from itertools import groupby, zip_longest
from operator import attrgetter

from msgspec import Struct, structs

from aftermind.engine.names import EventId, Kind, SessionId
from aftermind.projections.recalling.candidate import TALK, Hit

TELLING: tuple[Kind, ...] = ("decision", "blocker", "event")
"""Of what a session left, this tells most of what was done in it; then what was said; then what was learned of that."""
REASON = "on the timeline"
"""How the reason begins of what stands in the order of time."""
MOST, ENDS = 12, 3
"""Lines of a timeline; of the first or the last of something."""


class Entry(Struct, frozen=True):
    """One memory of a stretch of time, without its text."""

    position: int
    at: datetime
    kind: Kind
    session: SessionId | None
    exchange: EventId | None
    worked: int
    failed: int


class Timeline(Struct, frozen=True, kw_only=True):
    """What is told of a time: the hits that are given room first, first. `alone`: it is about whatever was done, which
    no other memory answers."""

    hits: tuple[Hit, ...]
    newest_first: bool = False
    alone: bool = False
    zone: tzinfo = UTC
    """Whose days and times are told."""

    def in_order(self) -> list[Hit]:
        """By their time, as it was asked."""
        return in_order(self.hits, newest_first=self.newest_first)


def in_order(hits: Iterable[Hit], *, newest_first: bool) -> list[Hit]:
    """By their time, ranks counted anew."""
    found = sorted(hits, key=lambda hit: (hit.candidate.at, hit.candidate.position), reverse=newest_first)
    return [structs.replace(hit, rank=rank) for rank, hit in enumerate(found, 1)]


def sampled(entries: Sequence[Entry], most: int, zone: tzinfo) -> list[Entry]:
    """At most so many of them, spread over their days and sessions; those that are given room first, first.
    `zone`: whose days."""
    found = once(sorted(entries, key=attrgetter("at", "position")))
    days = [_of_a_day(list(some)) for _, some in groupby(found, key=lambda entry: entry.at.astimezone(zone).date())]
    if len(days) > most:
        return [days[number][0] for number in _spread(len(days), most)]
    turns = zip_longest(*days)
    return [entry for turn in turns for entry in turn if entry is not None][:most]


def _of_a_day(entries: Sequence[Entry]) -> list[Entry]:
    """A day's memories, the best of each session before the second best of any."""
    sessions: dict[SessionId | None, list[Entry]] = {}
    for entry in entries:
        sessions.setdefault(entry.session, []).append(entry)
    ordered = [sorted(some, key=_tells_more) for some in sessions.values()]
    ordered.sort(key=lambda some: _tells_more(some[0]))
    return [entry for turn in zip_longest(*ordered) for entry in turn if entry is not None]


def _tells_more(entry: Entry) -> tuple[int, bool, int, datetime]:
    rank = 0 if entry.kind in TELLING else 1 if entry.kind in TALK else 2
    return rank, entry.failed > entry.worked, -entry.worked, entry.at


def once(entries: Sequence[Entry]) -> list[Entry]:
    """Of an exchange and what was learned of it the one that tells most, where it stands."""
    best: dict[object, Entry] = {}
    for entry in entries:
        of = entry.position if entry.exchange is None else entry.exchange
        if of not in best or _tells_more(entry) < _tells_more(best[of]):
            best[of] = entry
    kept = {entry.position for entry in best.values()}
    return [entry for entry in entries if entry.position in kept]


def _spread(count: int, wanted: int) -> list[int]:
    """So many of the numbers below a count, evenly, both ends among them."""
    if wanted == 1:
        return [count - 1]
    return [round(number * (count - 1) / (wanted - 1)) for number in range(wanted)]
