"""What an assistant reads to go on where a session was left: a fenced block of reference data, within a token budget.

As with `briefing.py`: what is in the fence cannot close it, cannot look like another line of it, and is never captured
again. What matters most is given room first: the goal, what is open, what was decided; then what was done, of each the
newest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from aftermind.projections.recalling.shown.fences import LEFT, SESSION
from aftermind.projections.recalling.shown.wording import quoted, shortened, tokens

OPEN, CLOSE = SESSION.opening, SESSION.closing
LONGEST_ITEM, LONGEST_SUMMARY, MOST_ITEMS = 300, 1_200, 12
FILES_A_LINE, MOST_FILES = 6, 36


class Left(Struct, frozen=True, kw_only=True):
    """What there is to go on with. Each list is in the order in which it came about."""

    session: str
    goal: str = ""
    open: Sequence[str] = ()
    decisions: Sequence[str] = ()
    done: Sequence[str] = ()
    changed: Sequence[str] = ()
    read: Sequence[str] = ()
    learned: Sequence[str] = ()
    summary: str = ""
    asked: Sequence[str] = ()
    references: Sequence[str] = ()

    @property
    def is_anything(self) -> bool:
        told = (self.goal, self.open, self.decisions, self.done, self.changed, self.learned, self.summary, self.asked)
        return any(told)


def resumed(left: Left, budget: int) -> str:
    """The block, of at most so many tokens; empty where there is nothing to tell, or no room for it."""
    if not left.is_anything:
        return ""
    room = budget - tokens(OPEN) - tokens(CLOSE)
    taken: dict[int, list[tuple[int, str]]] = {}
    for section, place, line in _wanted(left):
        cost = tokens(line) + (0 if section in taken else tokens(f"{LEFT[section]}\n"))
        if cost <= room:
            room -= cost
            taken.setdefault(section, []).append((place, line))
    if set(taken) <= {0}:
        return ""
    parts = (f"{LEFT[one]}\n" + "".join(line for _, line in sorted(taken[one])) for one in sorted(taken))
    return OPEN + "".join(parts) + CLOSE


def _wanted(left: Left) -> Iterator[tuple[int, int, str]]:
    """Every line: its section, its place there, and how it reads; what is to be given room first, first."""
    parts = (
        (0, (left.session,), LONGEST_ITEM),
        (1, (left.goal,), LONGEST_ITEM),
        (2, left.open, LONGEST_ITEM),
        (3, left.decisions, LONGEST_ITEM),
        (4, left.done, LONGEST_ITEM),
        (5, _by_lines(left.changed), 10 * LONGEST_ITEM),
        (7, left.learned, LONGEST_ITEM),
        (8, (left.summary,), LONGEST_SUMMARY),
        (9, left.asked, LONGEST_ITEM),
        (6, _by_lines(left.read), 10 * LONGEST_ITEM),
        (10, left.references, LONGEST_ITEM),
    )
    for section, items, most in parts:
        newest = list(enumerate(items))[-MOST_ITEMS:]
        for place, item in reversed(newest):
            if said := quoted(item):
                yield section, place, f"- {shortened(said, most)}\n"


def _by_lines(files: Sequence[str]) -> list[str]:
    last = list(files)[-MOST_FILES:]
    return [", ".join(last[start : start + FILES_A_LINE]) for start in range(0, len(last), FILES_A_LINE)]
