"""Memories as the ranking takes them, and what it makes of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import numpy as np

from aftermind.engine.moments import microseconds
from aftermind.engine.names import KINDS
from aftermind.engine.policy import Ranking
from aftermind.projections.reading.manner import PLAIN
from aftermind.projections.reading.telling import Telling
from aftermind.projections.recalling.arrays.shelved import Standing
from aftermind.projections.recalling.arrays.turns import MISSING
from aftermind.projections.recalling.candidate import TALK, Candidate, Outcomes, Ranked, Weighed
from aftermind.projections.recalling.ranking import order as pure
from aftermind.projections.recalling.ranking.around import Around
from aftermind.projections.recalling.ranking.matches import Bearing, Matches
from aftermind.projections.recalling.ranking.scoring import scored
from aftermind.projections.recalling.words.saying import Said
from tests.given import NOON

RULES = Ranking()


def candidate(position: int, **others) -> dict[str, object]:
    """A memory, and what its place is decided by; `around` is what is around it that is not nothing."""
    return {
        "memory": f"m{position}", "position": position, "kind": "fact", "collection": "memory_bank", "scope": "global",
        "status": "live", "locked": False, "text": f"text {position} unlike {position * 7}", "answer": "",
        "speaker": "", "tags": (), "session": None, "exchange": None, "at": NOON, "expires": None,
        "outcomes": Outcomes(), "successor": None, "parts": {"deploy": 0.4, "make": 0.4}, **others,
    }  # fmt: skip


def matches(memories: Sequence[dict[str, Any]]) -> Matches:
    words = sorted({word for one in memories for word in one["parts"]})
    parts = np.array([[one["parts"].get(word, 0.0) for one in memories] for word in words])
    parts = parts.reshape(len(words), len(memories))
    sessions = list(dict.fromkeys(one.get("session") for one in memories if one.get("session")))
    none = np.zeros(len(memories), np.int64)

    def column(value: Callable[[dict[str, Any]], int | float], kind: type) -> Any:
        return np.array([value(one) for one in memories], kind)

    def some(name: str) -> dict[int, Any]:
        return {n: one[name] for n, one in enumerate(memories) if one.get(name)}

    def nearby(name: str) -> Any:
        return column(lambda one: one.get("around", {}).get(name, 0), np.bool_ if name == "asked" else np.float64)

    return Matches(
        positions=column(lambda one: one["position"], np.int64),
        said=Said(words, parts, parts.sum(axis=0), (1 << np.arange(len(words))) @ (parts > 0)),
        near=column(lambda one: one.get("near", 0.0), np.float64),
        standing=Standing(
            at=column(lambda one: microseconds(one["at"]), np.int64),
            kind=column(lambda one: KINDS.index(one["kind"]), np.int64),
            manner=none, answered=none > 0, length=none, speaker=none, judged=none,
            session=column(lambda one: sessions.index(one["session"]) if one["session"] else MISSING, np.int64),
        ),
        talks=[one["session"] if one["kind"] in TALK else None for one in memories],
        manners=[one.get("manner", PLAIN) for one in memories],
        manner_of=np.arange(len(memories)),
        around=Around(*map(nearby, Around.__struct_fields__)),
        together=some("together"),
        outcomes={n: one for n, one in some("outcomes").items() if one != Outcomes()},
        lessons=some("lesson"),
        bearing=Bearing(called=some("called"), things=some("things"), others=frozenset(some("other"))),
    )  # fmt: skip


def relevant(
    one: dict[str, Any], asked_words: int, ranking: Ranking, telling: Telling | None = None, *, meant: bool = False
) -> bool:
    own = {name: value for name, value in one.items() if name in Weighed.__struct_fields__}
    return pure.relevant(Weighed(**own, said=sum(one["parts"].values())), asked_words, ranking, telling, meant)


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

    def ids(positions: Sequence[int]) -> dict[int, str]:
        return {position: shelf[position].memory for position in positions if position not in gone}

    found = scored(matches(candidates), ranking)
    return pure.ranked(found, asked_words, ranking, whole=whole, ids=ids, left_out=left_out, **others)


def order(found: Ranked) -> list[str]:
    return [hit.candidate.memory for hit in found.hits]
