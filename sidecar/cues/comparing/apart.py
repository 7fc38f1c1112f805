"""Two things that were asked for, each with its own report: what is said of one is not said of the other. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.sidecar.cues.clauses.amounts import Says, Sign
from aftermind.sidecar.cues.clauses.heard import Heard, is_report, topics
from aftermind.sidecar.utterances.grammar import ANAPHORA, NOTS, POLITE, REST, STARTS, WHOLE
from aftermind.sidecar.utterances.languages import SMALL_WORDS


def apart(signs: list[Sign], heard: Sequence[Heard], asked: set[str]) -> list[Sign]:
    """Two reports that each take up another thing of what was asked: what is said of one is not said of the other."""
    said = {sign.says for sign in signs}
    if "revert" in said or "part" in said or said >= {"work", "fail"}:
        return signs
    reports = [part for part in heard if is_report(part)]
    if "fail" in said and any(REST.search(part.text) and not _bad(part) for part in reports):
        return [Sign("part", sign.words) for sign in signs]
    before, of_before = None, set[str]()
    for part in reports:
        of = topics(part.text) & asked
        if before is not None and of - of_before and of_before - of and _differs(said, before, part):
            return [Sign("part", part.text)]
        if of:
            before, of_before = part, of
    return [] if said == {"work"} and _says_less(reports) else signs


def _differs(said: set[Says], before: Heard, part: Heard) -> bool:
    """Whether what is said of the second thing is worse than what is said of the first, as far as the signs go."""
    if _good(part) or (not _good(before) if "work" in said else _bad(before)):
        return False
    return "work" in said or _bad(part) or (not said and part.contrasts)


def _says_less(reports: Sequence[Heard]) -> bool:
    """Whether one thing works, or only starts, and then something else is reported of which no sign is known."""
    named = False
    for part in reports:
        if part.has("work"):
            named = _names_a_thing(part) or any(word.text in STARTS for word in part.words)
        elif named and len(part.words) > 3 and not any(hit.sign not in ("hush", "weak", "fault") for hit in part.hits):
            return True
    return False


def _names_a_thing(part: Heard) -> bool:
    """Whether a success is of something by name, rather than of it, or of everything."""
    first = next((hit.first for hit in part.hits if hit.sign == "work"), 0)
    return any(
        len(word.text) > 2 and word.text not in SMALL_WORDS | WHOLE | ANAPHORA | POLITE
        for word in part.words[: max(first, 0)]
    )


def _good(part: Heard) -> bool:
    return part.has("work", "praise", "perfect")


def _bad(part: Heard) -> bool:
    return part.has("still", "fail", "fault", "weak") or (bool(part.words) and part.words[-1].text in NOTS)
