"""Memories as the ranking takes them, and what it makes of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from aftermind.engine.moments import microseconds
from aftermind.engine.policy import Ranking
from aftermind.projections.reading.telling import Telling
from aftermind.projections.recalling import ranking as pure
from aftermind.projections.recalling.candidate import Candidate, Outcomes, Ranked, Weighed
from tests.given import NOON

RULES = Ranking()


def candidate(position: int, **others) -> dict[str, object]:
    """A memory, and what its place is decided by."""
    return {
        "memory": f"m{position}", "position": position, "kind": "fact", "collection": "memory_bank", "scope": "global",
        "status": "live", "locked": False, "text": f"text {position} unlike {position * 7}", "answer": "",
        "speaker": "", "tags": (), "session": None, "exchange": None, "at": NOON, "expires": None,
        "outcomes": Outcomes(), "successor": None, "parts": {"deploy": 0.4, "make": 0.4}, **others,
    }  # fmt: skip


def weighed(one: dict[str, Any]) -> Weighed:
    own = {name: value for name, value in one.items() if name in Weighed.__struct_fields__}
    return Weighed(**{**own, "at": microseconds(one["at"]), "said": sum(one["parts"].values())})


def relevant(one: dict[str, Any], asked_words: int, ranking: Ranking, telling: Telling | None = None) -> bool:
    return pure.relevant(weighed(one), asked_words, ranking, telling)


def ranked(
    candidates: Iterable[dict[str, Any]],
    asked_words: int,
    ranking: Ranking,
    *,
    gone: Collection[int] = (),
    left_out: bool = True,
    **others: Any,
) -> Ranked:
    """Those that are `gone` are not on the shelf any more when they are read whole."""
    candidates = list(candidates)
    fields = Candidate.__struct_fields__
    shelf = {one["position"]: Candidate(**{name: one[name] for name in fields if name in one}) for one in candidates}

    def whole(positions: Sequence[int]) -> list[Candidate]:
        assert len(set(positions)) == len(positions)
        return [shelf[position] for position in positions if position not in gone]

    return pure.ranked(map(weighed, candidates), asked_words, ranking, whole=whole, left_out=left_out, **others)


def order(found: Ranked) -> list[str]:
    return [hit.candidate.memory for hit in found.hits]
