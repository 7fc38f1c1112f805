"""The floors of LoCoMo, over the same turns and questions: BM25 of turns, of neighbours and of whole sessions; with a
model its cosines, and both fused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bench.floors import Bm25, convex, dense, fused
from bench.systems import System

if TYPE_CHECKING:
    from bench.sets.locomo import Conversation


def floors(read: Sequence[Conversation], model: str = "none") -> list[System]:
    """By words; with a model also by its cosines, and by both."""
    texts = [(c.id, t.id, f"{t.speaker}: {t.text}") for c in read for t in c.turns]
    plain = Bm25(texts)
    dated = Bm25((c.id, t.id, t.dated) for c in read for t in c.turns)
    beside = Bm25((c.id, *document) for c in read for document in _neighbours(c))
    vectors = dense(model, lambda: texts)
    rankings: defaultdict[str, list[list[str]]] = defaultdict(list)
    for conversation in read:
        for question in conversation.questions:
            asked = question.text, conversation.id
            words, with_date, around = plain.search(*asked), dated.scores(*asked), beside.search(*asked)
            rankings["BM25"].append(words)
            rankings["BM25 dated"].append(list(with_date)[:100])
            rankings["BM25 neighbours"].append(around)
            rankings["RRF BM25 dated + neighbours"].append(fused(list(with_date)[:100], around))
            if vectors is not None:
                near = vectors.scores(*asked)
                rankings["dense"].append(list(near)[:100])
                rankings["RRF BM25 + dense"].append(fused(words, list(near)[:100]))
                rankings["convex .6 BM25 dated + .4 dense"].append(convex(with_date, near, 0.6))
                rankings["convex .5 BM25 dated + .5 dense"].append(convex(with_date, near, 0.5))
    return [System(name, ranked) for name, ranked in rankings.items()]


def _neighbours(conversation: Conversation) -> Iterator[tuple[str, str]]:
    turns = conversation.turns
    for i, turn in enumerate(turns):
        window = [t for t in turns[max(i - 1, 0) : i + 2] if t.session == turn.session]
        yield turn.id, "\n".join(f"{t.speaker}: {t.text}" for t in window)


def whole_sessions(read: Sequence[Conversation]) -> System:
    """BM25 over one document a session; its rankings are of sessions."""
    documents: dict[tuple[str, str], list[str]] = {}
    for c in read:
        for turn in c.turns:
            said = documents.setdefault((c.id, turn.id.split(":")[0]), [f"[{turn.date}]"])
            said.append(f"{turn.speaker}: {turn.text}")
    index = Bm25((*place, "\n".join(said)) for place, said in documents.items())
    return System("BM25 whole session", [index.search(q.text, c.id, 40) for c in read for q in c.questions])
