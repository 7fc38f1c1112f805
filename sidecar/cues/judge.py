"""The embedded judge: how an exchange turned out, by the user's next message and the tools' results. No model. Pure.

It goes by what people say of something that was done for them, in tables of phrases a language, and by what they paste.
It is precise rather than complete: where the signs are absent, polite, about something else, or addressed to a judge,
it says `unknown`, which moves nothing. Every other verdict carries the words it rests on.
"""

from __future__ import annotations

from functools import cache

from aftermind.engine.names import Label, Outcome
from aftermind.projections.reading.traces import traced
from aftermind.sidecar.cues.clauses.amounts import Sign
from aftermind.sidecar.cues.follow_ups import signs_of
from aftermind.sidecar.cues.runs import by_the_tools
from aftermind.sidecar.cues.words import LANGUAGES
from aftermind.sidecar.ports import Case, Effect, Findings, Part, Signature
from aftermind.sidecar.utterances.languages import READ, languages_of
from aftermind.sidecar.utterances.phrases import Table, table

REVISION = 14
SIGNATURE = Signature(judge=Label("cues"), revision=REVISION)
MOST_EVIDENCE = 300
"""Characters of the words that show it."""


@cache
def _table(languages: tuple[str, ...]) -> Table:
    return table([LANGUAGES[name] for name in sorted(languages)])


def judge(case: Case) -> Findings:
    """The verdict on a case. `evidence` is a span of the follow-up, the answer or a tool's error; or empty."""
    outcome, evidence = _outcome(case)
    return Findings(outcome=outcome, evidence=evidence[:MOST_EVIDENCE].strip(), parts=_parts(case, outcome))


def _outcome(case: Case) -> tuple[Outcome, str]:
    if case.follow_up is None or not case.follow_up.strip():
        return by_the_tools(case)
    languages = languages_of(case.follow_up[:READ], case.prompt[:READ])
    return weighed(signs_of(case, case.follow_up, _table(languages)))


def weighed(signs: list[Sign]) -> tuple[Outcome, str]:
    """What the signs come to, and the words of the one that decides."""
    said = {sign.says: sign.words for sign in reversed(signs)}
    good, bad, part = said.get("work"), said.get("fail"), said.get("part")
    if "revert" in said:
        return "failed", said["revert"]
    if good is not None and bad is not None:
        return "partial", bad
    if part is not None:
        return "partial", part
    if bad is not None:
        return "failed", bad
    if good is not None:
        return "worked", good
    return "unknown", ""


def _parts(case: Case, outcome: Outcome) -> tuple[Part, ...]:
    """A memory had a part in it where its own words came back in the answer or in what the tools touched."""
    touched = " ".join((case.answer, *(path for tool in case.tools for path in tool.paths)))
    effect: Effect = "helped" if outcome in ("worked", "partial") else "misled" if outcome == "failed" else "neutral"
    used = traced([(known.kind, known.text, known.answer) for known in case.shown], case.prompt, touched)
    return tuple(
        Part(memory=known.id, used=place in used, effect=effect if place in used else "neutral")
        for place, known in enumerate(case.shown)
    )
