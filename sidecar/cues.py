"""The judge without a model: it goes by what the user said next, and says `unknown` where no sign is clear. Pure."""

from __future__ import annotations

import re

from aftermind.engine.names import Label, Outcome
from aftermind.sidecar.ports import Case, Findings, Signature

REVISION = 1
SIGNATURE = Signature(judge=Label("cues"), revision=REVISION)
_FAILED = re.compile(r"\b(still (failing|broken|fails|does ?n[o']t)|does ?n[o']t work|no, i said)\b", re.IGNORECASE)
_WORKED = re.compile(r"\b(thanks,? (that|it) work(s|ed)|that (did it|works|worked|fixed it))\b", re.IGNORECASE)


def judge(case: Case) -> Findings:
    """How it went, in the words that say so."""
    said = case.follow_up or ""
    signs: list[tuple[Outcome, re.Match[str]]] = []
    for outcome, pattern in (("failed", _FAILED), ("worked", _WORKED)):
        if (found := pattern.search(said)) is not None:
            signs.append((outcome, found))  # type: ignore[arg-type]
    if len(signs) != 1:
        return Findings(outcome="unknown")
    outcome, words = signs[0]
    return Findings(outcome=outcome, evidence=words[0])
