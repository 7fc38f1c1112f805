"""How the tables of words are written down: one after the other, with spaces between them."""

from __future__ import annotations


def listed(words: str) -> frozenset[str]:
    return frozenset(words.split())
