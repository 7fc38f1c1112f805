"""Which of a query's candidates say it close together: the texts of the best of the long ones are read for that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import structs

from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection
from aftermind.projections.recalling.candidate import Weighed
from aftermind.projections.recalling.matching import Term
from aftermind.projections.recalling.recall import VALUES, as_json
from aftermind.projections.recalling.together import READ, SHORT, counts, pairs, together

LOOKED_AT = 8
"""Memories, the best of a query's, whose texts are read."""
_TEXTS = f"SELECT position, substr(text, 1, {READ}) FROM shelf WHERE position IN ({VALUES.format('positions')})"


def with_closeness(
    connection: Connection,
    memories: list[Weighed],
    terms: Sequence[Term],
    weights: Mapping[str, float],
    ranking: Ranking,
) -> list[Weighed]:
    """The memories, which come best first by what they say and mean. `weights`: of the query's words that anybody
    says, as shares of it."""
    if not ranking.together_weight:
        return memories
    asked = pairs([term.text for term in terms], weights)
    best: dict[int, int] = {}
    for at, one in enumerate(memories):
        if one.length > SHORT and any(word in one.parts and other in one.parts for word, other, _ in asked):
            best[one.position] = at
            if len(best) == LOOKED_AT:
                break
    if not best:
        return memories
    found = list(memories)
    for position, text in connection.execute(_TEXTS, {"positions": as_json(list(best))}):
        one = found[best[position]]
        if close := together(text, one.parts, asked):
            found[best[position]] = structs.replace(one, together=close * counts(one.length))
    return found
