"""Which of the memories that were shown had a part in an answer? A trace is a word that a memory says and the prompt
does not, found again in the answer. A deterministic stand-in for a judge that reads: it only keeps a verdict on an
exchange from falling on memories that had no part in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from aftermind.projections.recalling.matching import words_of

SHARE = 0.15
"""How much of a memory's telling words must come back; at least one."""


def traced(memories: Sequence[str], prompt: str, answer: str) -> frozenset[int]:
    """Those of the memories, by their places, whose words come back in the answer, beyond those of the prompt, and who
    say them best: what one of them says whose words come back more often is that one's. Two pieces of advice about one
    file name it both, and only one of them was followed."""
    asked = {term.text for term in words_of(prompt)}
    said = {term.text for term in words_of(answer)} - asked
    told = [{term.text for term in words_of(memory)} for memory in memories]
    back = [frozenset(words & said) for words in told]
    found: set[int] = set()
    explained: frozenset[str] = frozenset()
    for words in sorted(set(back), key=len, reverse=True):
        own = len(words - explained)
        if 2 * own <= len(words):  # most of it is another's
            continue
        new = {n for n, same in enumerate(back) if same == words and own >= max(1, ceil(SHARE * len(told[n])))}
        if new:
            found |= new
            explained |= words
    return frozenset(found)
