"""Briefings of ours that stand in a document (a talk that somebody kept) are not captured again. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aftermind.projections.recalling.briefing import CLOSE, FENCE, HEADER


def without(lines: Iterable[str]) -> Iterator[str]:
    """The lines without those of briefings: the fence, the header, the memories that follow, the fence."""
    fence, inside = "", False
    for line in lines:
        bare = line.strip()
        if inside and bare.startswith("- ["):
            continue
        if inside and bare == CLOSE:
            inside = False
            continue
        inside = False
        if bare.startswith(HEADER) or (fence and HEADER in bare):
            fence, inside = "", True
            continue
        if fence:
            yield fence
        fence = line if bare == f"<{FENCE}>" else ""
        if not fence:
            yield line
    if fence:
        yield fence
