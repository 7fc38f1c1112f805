"""What a negation makes of a word of success: its opposite where it stands by it, else nothing; and of a word of
failure, which it takes away, or turns to a success where that is so no more. Pure.

No language's tables hold every order of words, so that this holds for all of them: a success counts only in a clause
without a negation, but for one that is its own ("no more errors"). Before it, within a few words, a negation turns it
into a failure; after it, only such words do as stand there ("es geht nicht"); elsewhere the clause says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from aftermind.sidecar.cues.clauses.at_times import at_times
from aftermind.sidecar.cues.clauses.spoilt import denies_itself, unspoilt
from aftermind.sidecar.utterances.grammar import (
    ANAPHORA,
    BECAUSE,
    CONDITIONS,
    FOLLOWING,
    HOPES,
    NEGATIONS,
    NO,
    NO_MORE,
    OF_DEGREE,
    POLITE,
    SINCE,
    STANDING,
    TWICE,
    UNTOLD,
    WHENS,
)
from aftermind.sidecar.utterances.languages import SMALL_WORDS
from aftermind.sidecar.utterances.phrases import Hit, Table, Word, hits

NEAR = 3
"""Words that may stand between a negation and what it denies."""
_LETTERS = re.compile(r"[不没沒未無无]|ない|ません|なかった|않|못|없|(?<!\S)안(?= )|नहीं")
_LETTERS_BEFORE = re.compile(r"(?:不|没有?|沒有?|未|無|无|못|안 )\Z")
_LETTERS_HOPE = re.compile(
    r"应该|應該|希望|可能|也许|或许|大概|はず|といい|かも|だろう|でしょう|아마|바랍|바라|것 같|शायद|उम्मीद|चाहिए"
)
_OWN = ("work", "perfect", "praise", "hush", "later", "part", "only", "aside", "mine", "if")
"""Signs whose phrases hold a negation of their own."""
_SUCCESS = ("work", "perfect")
_ALREADY = ("work", "perfect", "still", "revert")
_FAILURE = ("fail", "fault", "weak")
_FINE = frozenset(
    """
    it its this that they everything all is are s does do works work fine good great well perfectly again now already
    just ok okay thanks thx
    """.split()
)
"""What "no it works now" is made of."""
_TOLD = ("work", "perfect", "fail", "fault", "weak")


def heard_in(table: Table, text: str, said: Sequence[Word]) -> tuple[Hit, ...]:
    """What is found in a clause, none of which is a success that the clause denies."""
    found = at_times(text, said, unspoilt(said, tuple(hits(table, text, said))))
    if sum(word.text in TWICE for word in said) > 1 and not any(hit.sign in ("still", "revert") for hit in found):
        return tuple(hit for hit in found if hit.sign not in _TOLD)
    if _untold(said):
        return tuple(hit for hit in found if hit.sign not in _TOLD)
    if _LETTERS_HOPE.search(text):
        found = tuple(hit for hit in found if hit.sign not in _SUCCESS)
    if (without := _no_failure(table, text, said, found)) is not None:
        return without
    latest = max((hit.first for hit in found if hit.sign in _SUCCESS), default=0)
    own = [hit for hit in found if hit.sign in _OWN and not (hit.sign == "hush" and -1 < hit.first < latest)]
    taken = {at for hit in own if hit.first >= 0 for at in range(hit.first, hit.last + 1)}
    free = [at for at, word in enumerate(said) if word.text in NEGATIONS and at not in taken | _replies(said)]
    spans = [(hit.start, hit.end) for hit in own]
    letters = [match.start() for match in _LETTERS.finditer(text) if not any(a <= match.start() < b for a, b in spans)]
    if not free and not letters:
        return found
    unsure = bool({word.text for word in said} & HOPES)
    kept: list[Hit] = []
    for hit in found:
        if hit.sign not in _SUCCESS or denies_itself(said, hit):
            kept.append(hit)
        elif hit.first < 0:
            if _LETTERS_BEFORE.search(text[: hit.start]):
                kept.append(Hit("fail", -1, -1, hit.start, hit.end))
        elif hit.sign == "work" and not unsure:
            near = [at for at in free if _by(said, hit, at)]
            if near:
                first, last = min(hit.first, near[0]), max(hit.last, near[0])
                kept.append(Hit("fail", first, last, said[first].start, said[last].end))
    return tuple(kept)


def _replies(said: Sequence[Word]) -> set[int]:
    """The place of a "no" that begins a clause as a reply, without its comma, where nothing follows but that it is
    fine: "no it works now", not "no it works by polling"."""
    at = next((at for at, word in enumerate(said) if word.text not in POLITE), len(said))
    replies = at + 2 < len(said) and said[at].text in NO
    return {at} if replies and _FINE.issuperset(word.text for word in said[at + 1 :]) else set()


def _no_failure(table: Table, text: str, said: Sequence[Word], found: Sequence[Hit]) -> tuple[Hit, ...] | None:
    """What is found where a failure is denied: a success where it is so no more, "it doesn't fail any more", else what
    is found beside it, "es schlägt nicht fehl". What is denied is what the clause says without its negation. None where
    it denies no failure, or it may be another word that is denied."""
    denying = {at for at, word in enumerate(said) if word.text in NEGATIONS}
    always = any(word.text in STANDING for at, word in enumerate(said) if at not in denying)
    if not denying or always or any(hit.sign in _ALREADY for hit in found):
        return None
    more = {at for at, word in enumerate(said) if word.text in NO_MORE} - denying
    more |= {at - 1 for at in more if at and said[at - 1].text == "any"}
    left = [at for at in range(len(said)) if at not in denying | more]
    here = sum(at < min(denying) for at in left)
    bare = tuple(hits(table, text, [said[at] for at in left]))
    denied = next((hit for hit in bare if hit.sign in _FAILURE and 0 <= hit.first <= here <= hit.last + 1), None)
    if denied is None or any(hit.sign in _ALREADY for hit in bare):
        return None
    first, last = min(*denying, left[denied.first]), max(*denying, left[denied.last])
    kept = tuple(hit for hit in found if hit.sign == "hush" or hit.first > last or hit.last < first)
    told = [word.text for word in said]
    fails = {left[at] for at in range(denied.first, denied.last + 1)} | denying
    if BECAUSE.isdisjoint(told) and any(
        _ends(told, at, fails) for at, word in enumerate(told) if at in more or word in SINCE
    ):
        return (*kept, Hit("work", first, last, said[first].start, said[last].end))
    return kept if denied.first < here <= denied.last and len(denying) == 1 else None


def _ends(told: Sequence[str], at: int, fails: Set[int]) -> bool:
    """Whether a word like "more" or "now" says that a failure is over: it stands by it or at an end of the clause, and
    is said of nothing else, "more users", "more often"."""
    word, after = told[at], told[at + 1] if at + 1 < len(told) else ""
    if word == "any" or after in OF_DEGREE:
        return False
    behind = at - 2 if told[at - 1] == "any" else at - 1
    if word in ("more", "longer") and behind == at - 1 and told[at - 1] not in NEGATIONS:
        return False
    if not after or at + 1 in fails or (at == 0 and word in SINCE) or (behind in fails and told[behind] in NEGATIONS):
        return True
    return behind in fails and after in SMALL_WORDS | ANAPHORA | POLITE | WHENS | CONDITIONS


def _untold(said: Sequence[Word]) -> bool:
    """Whether somebody says that they do not know: "not sure it works"."""
    return any(
        word.text in UNTOLD and any(near.text in NEGATIONS for near in said[max(0, at - 3) : at + 3])
        for at, word in enumerate(said)
    )


def _by(said: Sequence[Word], hit: Hit, at: int) -> bool:
    if at <= hit.last:
        return hit.first - at <= NEAR + 1
    return said[at].text in FOLLOWING and at - hit.last <= NEAR + 1
