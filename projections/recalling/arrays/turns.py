"""Who was said right before and right after whom in a session: a scope's memories as two chains of ordinals.

A memory that nobody may see keeps its link and is passed over, so that what becomes of it changes no link.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from aftermind.projections.recalling.arrays.operations import first_of_each, longer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Links = NDArray[np.int32]
    Visible = Callable[[NDArray[np.integer]], NDArray[np.bool_]]

MISSING = -1
GROWTH = 1.25
HOPS = 8
"""Memories that are passed over one by one, before a session is looked at as a whole."""


class Turns:
    """Level with as many memories as it was told of."""

    def __init__(self) -> None:
        self._sessions = np.zeros(0, np.int64)
        self._before, self._after, self._last = (np.zeros(0, np.int32) for _ in range(3))
        """The last by session: of each the last memory so far."""

    def level(self, sessions: NDArray[np.int64]) -> None:
        """`sessions`: of each memory, by ordinal, the number of its session, or `MISSING` of those said in none. Of
        those it was told of before they are what they were."""
        start, self._sessions = len(self._sessions), sessions
        if start == len(sessions):
            return
        if len(sessions) > len(self._before):
            size = int(len(sessions) * GROWTH)
            self._before, self._after = (longer(links, size, MISSING) for links in (self._before, self._after))
        new = np.flatnonzero(sessions[start:] != MISSING) + start
        new = new[sessions[new].argsort(kind="stable")]
        of = sessions[new]
        if not len(new):
            return
        if of[-1] >= len(self._last):
            self._last = longer(self._last, int((of[-1] + 1) * GROWTH), MISSING)
        first = first_of_each(of)
        before = np.where(first, self._last[of], np.roll(new, 1))
        there = before != MISSING
        self._before[new] = before
        self._after[before[there]] = new[there]
        self._last[of[first]] = new[np.append(np.flatnonzero(first)[1:] - 1, len(new) - 1)]

    def beside(self, ordinals: NDArray[np.integer], visible: Visible) -> tuple[Links, Links]:
        """The nearest before and after each of those memories that is `visible`, or `MISSING`."""
        before, earlier = _nearest(self._before, ordinals, visible)
        after, later = _nearest(self._after, ordinals, visible)
        if far := sorted({*earlier.tolist(), *later.tolist()}):
            before[far], after[far] = self._in_whole_sessions(ordinals[far], visible)
        return before, after

    def _in_whole_sessions(self, ordinals: NDArray[np.integer], visible: Visible) -> tuple[Links, Links]:
        """The same, in the time of looking once at every memory of their sessions."""
        own = self._sessions[ordinals]
        wanted = np.zeros(len(self._last) + 1, np.bool_)  # the last one is for those said in none
        wanted[own] = True
        every = np.flatnonzero(wanted.take(self._sessions, mode="wrap"))
        every = every[visible(every)]
        many = len(self._sessions)
        keys = np.sort(self._sessions[every] * many + every)
        asked = own * many + ordinals
        places = (keys.searchsorted(asked) - 1, keys.searchsorted(asked, side="right"))
        found = np.append(keys, [-many, -many])  # before the first and after the last: of no session
        before, after = (np.where(found[at] // many == own, found[at] % many, MISSING) for at in places)
        return before.astype(np.int32), after.astype(np.int32)


def _nearest(links: Links, ordinals: NDArray[np.integer], visible: Visible) -> tuple[Links, NDArray[np.intp]]:
    """Along the links; and of which memories that was not found so."""
    found: Links = links[ordinals]
    asked = np.flatnonzero(found != MISSING)
    for _ in range(HOPS):
        asked = asked[~visible(found[asked])]
        if not len(asked):
            return found, asked
        found[asked] = links[found[asked]]
        asked = asked[found[asked] != MISSING]
    return found, asked[~visible(found[asked])]
