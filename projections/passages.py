"""What of a memory is embedded. Pure.

A text a model reads whole is one passage. A longer one is cut between words into passages that overlap a little, the
first few of them: what a long answer says at its end is found by its words.
"""

from __future__ import annotations

from collections.abc import Iterator

WORDS, OVERLAP, MOST = 150, 20, 4
"""A passage's words, those it shares with the one before, and passages of one memory."""


def passages(text: str, answer: str = "", speaker: str = "") -> tuple[str, ...]:
    """The passages of a memory; none where there is nothing to read."""
    said = f"{speaker}: {text}" if speaker else text
    return tuple(_cut("\n".join(part for part in (said.strip(), answer.strip()) if part)))


def _cut(text: str) -> Iterator[str]:
    words = text.split()
    if len(words) <= WORDS:
        if words:
            yield text
        return
    for number, start in enumerate(range(0, len(words) - OVERLAP, WORDS - OVERLAP)):
        if number == MOST:
            return
        yield " ".join(words[start : start + WORDS])
