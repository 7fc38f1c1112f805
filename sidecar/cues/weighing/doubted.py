"""Whether a failure is all that a message says, so that one may go by it. Pure.

A failure is believed where nothing else is reported before it, and nothing good beside it: who tells first how one
thing is and then of trouble with another mostly speaks of a part, or of something else. Words for trouble that are no
failure by themselves have to be all that is said, or to be joined by a second sign of failure; amounts to be all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.sidecar.cues.clauses.amounts import Sign
from aftermind.sidecar.cues.clauses.heard import Heard, content, is_report
from aftermind.sidecar.cues.weighing.replied import is_fine_after_all, only_thanks
from aftermind.sidecar.utterances.grammar import HOPES, LASTED, MODALS, NEGATIONS, NO, POLITE

_NONE_OF = re.compile(
    r"\b(?:no|zero|without|not (?:a|one)|kein\w*|ohne|sin|sans|plus d\W|plus de|aucune?|ning[uú]n\w*|sem|nenhum\w*"
    r"|senza|nessun\w*|geen|zonder|bez|żadn\w*|без|нет|немає)\s?(?:\w+ )?(?:red|fail\w*|error\w*|crash\w*|warn\w*"
    r"|issue\w*|problem\w*|bugs?|fehler\w*|absturz|abstürze|erreurs?|plantages?|errores|fallos?|erros?|falhas?"
    r"|errori?|fouten|błęd\w*|ошиб\w*|помил\w*)\b",
    re.IGNORECASE,
)
"""That there is no trouble."""
_ELSEWHERE = re.compile(
    r"\b(?:my|our) old\b|\byears? ago\b|\b(?:un|not |nicht )related\b|\bnothing to do with\b|\bhat nichts mit\b"
    r"|\brien à voir\b|\bnada que ver\b"
    r"|\b(?:supposed|meant|expected|intended) to (?:fail|crash|throw|break|error)\b"
    r"|\bnulla a che\b|\bне связано\b|\boutage\b|\b(?:down|broken) for (?:everyone|all)\b|关系|無関係|관계없",
    re.IGNORECASE,
)
"""That trouble is of something else."""
_TOO = {"too", "also", "auch", "aussi", "también", "também", "anche", "ook", "też", "также", "тоже", "теж"}
_SAME = {"same", "gleiche", "gleichen", "selbe", "même", "mismo", "misma", "mesmo", "mesma", "stesso", "stessa"}
_PLEASE = {"please", "pls", "plz", "bitte"}
_PLAINLY = frozenset(
    """
    it this that they does do did will work help not at all for me here either anymore now though properly correctly
    unfortunately sadly just
    """.split()
)
"""What "it does not work" is made of where it says nothing else."""
_TRIED = frozenset("tried followed applied done installed restarted pasted executed used refused".split())
"""What may be told before it that is no other matter: "I tried it, it does not work"."""
_UNDONE = frozenset("it that this everything your".split())
"""What had to be undone, which may be the user's own: "I had to revert my change"."""
SHORT = 6
"""Words. In longer clauses a word says less."""
BAD = ("still", "fail", "fault", "revert")
FAILURES = ("fail", "revert")
"""Signs of which either decides that something failed."""


def believed(signs: Sequence[Sign], heard: Sequence[Heard], about: set[str], *, complains: bool) -> list[Sign]:
    """The signs, without the failures that the rest of the message leaves in doubt. `about`: words of the exchange.
    `complains`: the message says at its beginning that nothing is solved, and then only how it is."""
    deciding = next((sign for says in ("revert", "fail") for sign in signs if sign.says == says), None)
    if deciding is None or any(sign.says not in FAILURES for sign in signs):
        return list(signs)
    at = next((place for place, part in enumerate(heard) if part.text == deciding.words), -1)
    others = [
        (place, part)
        for place, part in enumerate(heard)
        if place != at and _says_something(part) and not only_thanks(part)
    ]
    joined = at >= 0 and any(_bad(part) or _is_over(part) for _, part in others)
    led = any(place < at and _leads(part) for place, part in others)
    good = any(part.has("work", "praise", "perfect") and not _is_over(part) for _, part in others)
    good = good or (at >= 0 and not heard[at].has("still") and any(is_fine_after_all(part) for _, part in others))
    stands = at >= 0 and (
        complains or _stands_alone(heard[at]) or _fails_plainly(heard[at], [part for _, part in others], about)
    )
    absent = at >= 0 and _says_none(heard[at])
    elsewhere = any(_ELSEWHERE.search(part.text) for part in heard) or (at >= 0 and _of_more(heard, at))
    absent = absent or (at >= 0 and _vague(heard[at]) and not content(heard[at].text) & about)
    if led or good or absent or elsewhere or not (stands or joined or not others):
        return [sign for sign in signs if sign.says not in FAILURES]
    return list(signs)


def _says_something(part: Heard) -> bool:
    return any(word.text not in POLITE for word in part.words)


def _is_over(part: Heard) -> bool:
    """Whether a success was one until lately: "it worked yesterday", "for 5 minutes"."""
    return part.has("work") and (part.has("past") or LASTED.search(part.text) is not None)


def _bad(part: Heard) -> bool:
    return part.has(*BAD) or bool(part.words and part.words[0].text in NO) or _is_a_no(part)


def _is_a_no(part: Heard) -> bool:
    """Whether a part is a "no" with nothing but polite words around it: "hm no"."""
    said = {word.text for word in part.words}
    return bool(said & NO) and said <= NO | POLITE


def _leads(part: Heard) -> bool:
    """Whether a part that stands before a failure reports how one thing is, so that the failure may be of another."""
    said = [word.text for word in part.words]
    if not is_report(part) or _bad(part) or _is_over(part):
        return False
    # "they refused, it does not work"; "it does not matter, it still fails"
    refused = part.has("weak") and not part.has("work") and len(said) < 3
    return not refused and not (part.has("hush") and "matter" in said)


def _fails_plainly(part: Heard, others: Sequence[Heard], about: set[str]) -> bool:
    """Whether it is said plainly that it does not work, or that it had to be undone, and nothing else is named."""
    said = [word.text for word in part.words]
    if part.has("revert"):
        at = next((at for at, word in enumerate(said) if word in _UNDONE), len(said))
        return said[:3] in (["i", "had", "to"], ["we", "had", "to"]) and 3 < at < SHORT
    if "not" not in said or not _PLAINLY.issuperset(said):
        return False
    tried = content(" ".join(_TRIED)) | about
    return all(content(other.text) <= tried for other in others)


def _of_more(heard: Sequence[Heard], at: int) -> bool:
    """Whether the user was wrong themselves, takes it back, or has the same trouble with something more."""
    said = {word.text for part in heard for word in part.words}
    if any(part.has("mine") for part in heard) and not heard[at].has("still"):
        return True
    if any(part.contrasts and not _says_something(part) for part in heard):
        return True
    return bool(_SAME & {word.text for word in heard[at].words} and _TOO & said)


def _says_none(part: Heard) -> bool:
    """Whether a clause hopes that there is no trouble, asks politely, or denies the trouble that it names."""
    said = [word.text for word in part.words]
    if (
        said[:2] == ["instead", "of"]
        or set(said[:2]) & (HOPES - MODALS)
        or (said and said[-1] in _PLEASE and not part.has("revert", "fail"))
    ):
        return True
    if part.has("still"):
        return False
    taken = {at for hit in part.hits for at in range(hit.first, hit.last + 1)}
    denies = any(word in NEGATIONS and at not in taken for at, word in enumerate(said[1:], 1))
    return _NONE_OF.search(part.text) is not None or (denies and not _stands_alone(part))


def _vague(part: Heard) -> bool:
    """Whether a clause is long, and a failure by nothing but a word in it: it may be of anything."""
    return len(part.words) > SHORT and not part.has("still", "revert") and not any(map(part.says_surely, part.hits))


def _stands_alone(part: Heard) -> bool:
    """Whether a clause is a failure by its own words, not by trouble that is named in it."""
    no = bool(part.words and part.words[0].text in NO) or _is_a_no(part)
    return part.has("still", "fail", "wish") or part.asks or no
