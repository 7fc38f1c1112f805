"""Slips of the keyboard. Pure."""

from __future__ import annotations

SLIPPING, LONG_WORD, SURE = 4, 7, 2
"""Letters of a word that may be mistyped; of one in which a letter may be another; at its beginning that may not."""


def is_slip(typed: str, name: str) -> bool:
    """Whether one slip makes what was typed of the name: a letter too many or too few, two that changed places, or in a
    long word another letter; never in its first two."""
    if typed == name or len(name) < SLIPPING or typed[:SURE] != name[:SURE] or abs(len(typed) - len(name)) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(typed, name, strict=False)) if a != b), min(len(typed), len(name)))
    if len(typed) > len(name):
        return typed[at + 1 :] == name[at:]
    if len(typed) < len(name):
        return typed[at:] == name[at + 1 :]
    if typed[at + 2 :] == name[at + 2 :] and typed[at : at + 2] == name[at : at + 2][::-1]:
        return True
    return len(name) >= LONG_WORD and typed[at + 1 :] == name[at + 1 :]
