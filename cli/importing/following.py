"""An OpenCode database as it grows: what no plugin told of, because there was none, or because it was killed.

What a plugin tells of it tells at once, so an exchange is left to it until it is SETTLED. Both know an exchange by the
same id, and who comes second changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from aftermind.cli.importing import opencode
from aftermind.cli.importing.exchange import Item, Unreadable

SETTLED = timedelta(minutes=1)
EARLIER = timedelta(days=1)
"""So much before the newest exchange sessions are read again: a turn may take long, and say nothing meanwhile."""


class Following:
    """One database, looked at again and again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[tuple[str, str], int] = {}
        """How long each exchange's answer was: what is followed for months must not be kept in memory."""
        self._unreadable: set[Unreadable] = set()
        self._newest: datetime | None = None
        self._was: tuple[tuple[int, int], ...] | None = None
        """How the files were when everything in them was settled."""

    def fresh(self, now: datetime) -> Iterator[Item]:
        """What is settled by now and was not given before. `Unusable` as `opencode.exchanges`; then nothing is
        forgotten, and the next look may find it."""
        files = tuple(_facts(self._path.with_name(self._path.name + end)) for end in ("", "-wal"))
        if files == self._was:
            return
        self._was = None
        since = 0.0 if self._newest is None else (self._newest - EARLIER).timestamp() * 1000
        all_settled = True
        for item in opencode.exchanges(self._path, lambda _: None, since, settled=True):
            if isinstance(item, Unreadable):
                if item not in self._unreadable:
                    self._unreadable.add(item)
                    yield item
            elif item.done is not None and item.done > now - SETTLED:
                all_settled = False
            elif self._known.get((item.session, item.id)) != len(item.answer):
                yield item
                self._known[item.session, item.id] = len(item.answer)
                if item.at is not None:
                    self._newest = max(item.at, self._newest or item.at)
        if all_settled:
            self._was = files


def _facts(path: Path) -> tuple[int, int]:
    try:
        facts = path.stat()
    except OSError:
        return (0, 0)
    return (facts.st_mtime_ns, facts.st_size)
