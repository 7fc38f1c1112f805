"""Two statements of which both cannot well be so, and of which no rule says for sure that the newer one takes the
other's place: both stay and say that they contradict each other. Pure."""

from __future__ import annotations

from aftermind.projections.reading.statements import wording
from aftermind.projections.reading.statements.endings import differ
from aftermind.projections.reading.statements.keys import ends, of_himself, strictly


def at_odds(one: str, other: str, *, two_people: bool = False) -> str | None:
    """The words for what both are about, where they are at odds."""
    mine, its = ends(one), ends(other)
    if mine is None or not differ(mine, its) or not wording.agree(one, other):
        return None
    if two_people and (said := strictly(one)) is not None and of_himself(said):
        return None
    return mine.words
