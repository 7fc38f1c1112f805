"""What a remark that reports how something is says of an exchange. Pure.

Rules in the order they are asked in; the first one that is about a report says what the tally is after it. Praise and
what the user did wrong count beside whatever else a report says.
"""

from __future__ import annotations

import re

from msgspec import structs

from aftermind.sidecar.cues.clauses.amounts import Sign
from aftermind.sidecar.cues.clauses.heard import (
    MILD,
    Heard,
    content,
    is_wanted,
    named_first,
    of_this,
    still_does,
    unexplained,
)
from aftermind.sidecar.cues.weighing.remarks import Remark
from aftermind.sidecar.cues.weighing.tallied import BARE, BEFORE, BESIDE, PRAISED, STEADY, SURE, Tally
from aftermind.sidecar.cues.weighing.unreported import Rule
from aftermind.sidecar.utterances.grammar import (
    ANAPHORA,
    DENIALS,
    LASTED,
    NEGATIONS,
    NO,
    NOTS,
    PERSONS,
    SINCE,
    THEN,
    UNTOLD,
)
from aftermind.sidecar.utterances.languages import SMALL_WORDS
from aftermind.sidecar.utterances.phrases import Hit

_EXPLAINS = frozenset("explains explain sense erklärt explique explica spiega".split())

_IT, _WAS = frozenset({"it", "es", "c'"}), frozenset({"was", "war", "lag", "était", "era"})
_TAKE_BACK = NOTS - NO - {"without", "ohne"} | DENIALS | {"nah"}
"""Said alone after praise, they take all of it back; "no" may be a reply to anything."""
_LOCALLY = re.compile(r"\b(?:locally|local|here|machine|lokal|hier|localement|ici|localmente)\b", re.IGNORECASE)
"""Where only this works, elsewhere it may not: "it works locally, it was red in CI"."""


def reported(remark: Remark, tally: Tally) -> Tally:
    """The tally after a report; that the user was wrong counts even where the rest is of something else."""
    if remark.has("mine"):
        tally = structs.replace(tally, mine=True)
    if _is_a_habit(remark) or _is_of_another(remark):
        return tally
    tally = next((after for rule in _REPORTS if (after := rule(remark, tally)) is not None), tally)
    if remark.has("perfect") and not tally.perfect:
        tally = structs.replace(tally, perfect=remark.text, perfect_in=remark.part.sentence)
    elif remark.has("fault", "weak") and not remark.part.asks and not is_wanted(remark.part):
        tally = structs.replace(tally, trouble_in=tally.trouble_in | {remark.part.sentence})
    return tally.doubting(PRAISED) if remark.has("praise") and not remark.setting.turned else tally


def _is_a_habit(remark: Remark) -> bool:
    """What somebody still does, of which the exchange was not: "we still deploy by hand"."""
    return still_does(remark.part) and not remark.is_of_the_exchange()


def _is_of_another(remark: Remark) -> bool:
    """A failure of something by name that the exchange was not about, beside a request: "the mailer does not start"."""
    if not remark.setting.wants or not remark.has("fail") or remark.has("still"):
        return False
    part = remark.part
    failing = {word for hit in part.hits for word in remark.said[hit.first : hit.last + 1]}
    named = content(" ".join(word for word in remark.said if word not in failing | SMALL_WORDS))
    return bool(named) and named.isdisjoint(remark.setting.about) and not remark.holds(ANAPHORA)


def _fails(remark: Remark, tally: Tally) -> Tally | None:
    """Something fails, or a part of it: "it is still broken", "the page loads but it shows an error"."""
    if not remark.has("still") and _is_explained(remark, tally):
        return None
    if not remark.has("still", "fail") and not _is_trouble(remark, tally):
        return None
    if remark.has("work"):
        tally = structs.replace(tally, good=(*tally.good, Sign("work", remark.text)))
    if tally.good and remark.begins(THEN, within=2) and LASTED.search(tally.good[-1].words):
        tally = structs.replace(tally, good=())  # "it worked for an hour. then it hung"
    surely = SURE if any(map(remark.part.says_surely, remark.part.hits)) else BARE
    firm = STEADY if remark.has("still") else surely
    if remark.has("past"):
        return structs.replace(tally, firm=max(tally.firm, firm))
    partly = remark.has("part", "only") or (remark.part.contrasts and _is_told_of(remark.before))
    return tally.adding("part" if partly else "fail", remark.text, firm)


def _is_explained(remark: Remark, tally: Tally) -> bool:
    """Whether trouble is what something explains, or what it was: "that explains why the check fails", "works now, it
    was the wrong path"."""
    if remark.has("work") and remark.holds(_EXPLAINS):
        return not remark.has("fail")
    was = remark.begins(_WAS) or (remark.begins(_WAS, within=2) and remark.said[0] in _IT)
    if not was or remark.part.sentence != tally.good_in or _LOCALLY.search(tally.good[-1].words):
        return False
    return not remark.part.contrasts and remark.said[-1] not in NOTS


def _is_trouble(remark: Remark, tally: Tally) -> bool:
    """Whether trouble that is named is of this exchange, and how it is: "now there is a warning"."""
    part, setting = remark.part, remark.setting
    likely = part.contrasts or remark.begins(SINCE, within=2)
    if setting.trouble_wanted or not (remark.has("fault") or (remark.has("weak") and likely)):
        return False
    if named_first(part) or is_wanted(part):
        return False
    return part.sentence == tally.good_in or of_this(part, setting.about, setting.wants)


def _is_told_of(before: Heard | None) -> bool:
    """Whether what stands before a "but" says how something is, not what somebody did: "the page loads but"."""
    if before is None or before.asks or len(before.words) < 3 or any(hit.sign not in MILD for hit in before.hits):
        return False
    return PERSONS.isdisjoint(word.text for word in before.words[:2])


def _works_in_part(remark: Remark, tally: Tally) -> Tally | None:
    """A part is good by its own words, or only a part of what was good: "almost there", "only on linux"."""
    partly = remark.has("part") or (remark.has("only") and tally.good)
    return tally.adding("part", remark.text) if partly else None


def _works(remark: Remark, tally: Tally) -> Tally | None:
    """A success: "that works". Where trouble was asked for, that there is none is no success: "it doesn't fail now"."""
    if not remark.has("work") or (remark.has("later") and _is_but_a_sign(remark)):
        return None
    if remark.setting.trouble_wanted and all(_is_denied(remark, hit) for hit in remark.part.hits if hit.sign == "work"):
        return tally
    good = (*tally.good, Sign("work", remark.text))
    return structs.replace(tally, good=good, good_in=remark.part.sentence)


def _is_but_a_sign(remark: Remark) -> bool:
    """Whether no word says that it works: who sets a thumb before "will try tomorrow" agrees."""
    words = "".join(
        word for hit in remark.part.hits if hit.sign == "work" for word in remark.said[hit.first : hit.last + 1]
    )
    return not any(map(str.isalpha, words))


def _is_denied(remark: Remark, hit: Hit) -> bool:
    """Whether a sign is of something that is not so."""
    return not NEGATIONS.isdisjoint(remark.said[max(hit.first, 0) : hit.last + 1])


def _ends_in_not(remark: Remark, tally: Tally) -> Tally | None:
    """After a success, something else is not so: "the login works. the logout does not"; or nothing of it is, where
    that is all that is said: "works like a charm... not"."""
    if not tally.good or not remark.plain:
        return None
    replies = remark.part.asks or (remark.before is not None and remark.before.asks)
    if len(remark.plain) == 1 and remark.lead in _TAKE_BACK and not replies:
        return structs.replace(tally, good=(), perfect="").adding("fail", remark.text, STEADY)
    if remark.said[-1] not in NOTS or remark.lead in PERSONS:
        return None
    return tally.adding("part", remark.text)


def _begins_with_not(remark: Remark, tally: Tally) -> Tally | None:
    """What stands before it does not hold for something: "it works, not on windows"; alone it is a failure."""
    before = remark.before
    if before is None or remark.signs or not remark.begins(NOTS) or len(remark.said) < 2:
        return None
    if not UNTOLD.isdisjoint(remark.plain[:3]):  # "it works, not sure about windows"
        return tally
    same = before.sentence == remark.part.sentence
    if remark.part.sentence == tally.good_in:
        return tally.adding("part", remark.text)
    if (same and before.has("work") and before.has("past")) or (not tally.good and remark.is_of_the_exchange()):
        return tally.adding("fail", remark.text, SURE)  # "it worked yesterday, not today"
    return tally


def _restricts(remark: Remark, tally: Tally) -> Tally | None:
    """A "but" after a success, whatever follows, unless it is kind or later: "it works, but the colours"."""
    kind = remark.has("praise", "perfect", "later", "mine", "hush")
    restricts = remark.part.contrasts and tally.good and remark.said and not kind
    return tally.adding("part", remark.text) if restricts else None


def _is_unexplained(remark: Remark, tally: Tally) -> Tally | None:
    """A report without any known sign leaves in doubt what else is said: "the header has two rows now"."""
    if not unexplained(remark.part, remark.plain):
        return None
    return tally.doubting(BESIDE if tally.signs else BEFORE)


_REPORTS: tuple[Rule, ...] = (
    _fails,
    _works_in_part,
    _works,
    _ends_in_not,
    _begins_with_not,
    _restricts,
    _is_unexplained,
)
