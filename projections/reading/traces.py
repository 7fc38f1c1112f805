"""Did an answer make use of what was shown before it? A trace is a word that the memory says and the prompt does not,
found again in the answer. A deterministic stand-in for a judge that reads: it only keeps a verdict on an exchange from
falling on memories that had no part in it.
"""

from __future__ import annotations

from math import ceil

from aftermind.projections.recalling.matching import words_of

SHARE = 0.15
"""How much of a memory's telling words must come back; at least one."""


def left_a_trace(memory: str, prompt: str, answer: str) -> bool:
    """Do words of the memory, beyond those of the prompt, come back in the answer?"""
    told = {term.text for term in words_of(memory)}
    new = told - {term.text for term in words_of(prompt)}
    said = {term.text for term in words_of(answer)}
    return len(new & said) >= max(1, ceil(SHARE * len(told)))
